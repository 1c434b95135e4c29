// What a caller should do about a refusal, by its problem.
import type { ProblemSlug } from '../../../src/core/refusals.ts';

export const PROBLEM_ADVICE: Readonly<Record<string, string>> = {
  'missing-parameter': 'Add the fields that `errors` names and send the request again.',
  'invalid-parameter':
    'Correct the fields that `errors` names. Where none is named, `detail` says what is wrong with the request itself.',
  'invalid-card': 'Ask the payer to check the card number, the expiry date and the security code.',
  'unusable-token':
    'Tokenize the card again. A one-shot token pays one order, within 15 minutes, and only the checkout it was made for.',
  'unknown-contract': 'Use the id or name of a provider contract of this account, or leave the field out.',
  'missing-key': 'Send a key in the header `x-api-key`: a private one from your server, a public one for tokenization.',
  'invalid-key': 'Check that the key is complete, not revoked, and one of this environment.',
  'forbidden-key': 'This route needs a private key. A public key may only tokenize.',
  'signed-out':
    'Of the back office only: sign in there. A session ends after 15 minutes without use, and after 12 hours.',
  'sign-in-failed':
    'Of the back office only: check address, password and code. After several failures a person is locked for a while.',
  'not-allowed': "Of the back office only: somebody with another role can do this; the team's page says who.",
  'unknown-route':
    'Check method and path; `allow` lists the methods a path takes. A path that ends in a slash usually lost its id.',
  'unknown-object': 'Check the id. An object of another account looks the same as one that does not exist.',
  'state-conflict': 'Read the order or checkout: its state does not allow this now.',
  'amount-exceeded':
    'Read the order: it says how much can still be captured or refunded. Leave the amount out to take all of it.',
  'provider-declined':
    'The provider refused it and nothing moved. `result.code` says why, and whether another try can help.',
  'too-large': 'Send at most 64 KiB to the API and 8 KiB to the vault.',
  'media-type': 'Send the body as `application/json` in UTF-8.',
  'idempotency-mismatch': 'Use a new Idempotency-Key for another body, or repeat the first body unchanged.',
  'rate-limited': 'Nothing was accepted. Repeat after the seconds in `retry-after`.',
  internal:
    'The outcome is unknown. Repeat with the same Idempotency-Key or the same one-shot token: nothing happens twice.',
  unavailable: 'Nothing was accepted and no token was spent. Repeat after the seconds in `retry-after`.',
} satisfies Readonly<Record<ProblemSlug, string>>;
