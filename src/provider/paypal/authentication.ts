// 3-D Secure at PayPal: the payer is sent to a page of PayPal's, and the order says what became of it. Whether it is
// gone on with is ours to decide:
// https://developer.paypal.com/docs/checkout/advanced/customize/3d-secure/response-parameters/
import type { JsonObject, JsonValue } from '../../core/json.ts';
import type { ResultName } from '../../core/results.ts';
import { UNREADABLE, at, textAt } from '../answer.ts';
import type { Facts, Kept, Outcome, Reading } from '../contract.ts';
import type { Own } from './names.ts';
import type { Around } from './parts.ts';

/**
 * Kept if the merchant wants the payer to be authenticated in any case: it is not sent again when the payer is back.
 */
export const demandOf = ({ payer }: Facts): Kept => (payer?.three_ds === 'force' ? { three_ds: 'force' } : {});

/**
 * The next step after the card was put on the order, or after the payer came back: on to the money, to the payer, or no
 * further.
 */
export function visitSays(step: 'card' | 'back', said: JsonObject, { facts, kept }: Own): Reading {
  const result = failedBy(said, kept['three_ds'] === 'force');
  switch (textAt(said, 'status')) {
    case 'PAYER_ACTION_REQUIRED':
      if (result === 'authentication_incorrect') return declined(result, said);
      // no payer is there to act: the merchant started the payment
      if (step === 'card' && !facts.payer) return declined('issuer_soft_decline', said);
      return payerMustAct(said);
    case 'APPROVED':
    case 'CREATED': {
      if (result !== undefined) return declined(result, said);
      const keep: Kept = statusIn(said) === '' ? {} : { authenticated: 'yes' };
      return { kind: 'next', step: facts.with_capture ? 'sell' : 'authorize', keep };
    }
    default:
      return UNREADABLE;
  }
}

/** Authenticated, or tried with a proof of it. */
const GOOD = new Set(['Y', 'A']);
/** The authentication could not be done, or gave nothing more than data. */
const NOT_DONE = new Set(['', 'U', 'I']);
const NOT_ENROLLED = new Set(['N', 'B']);

/** The result of a failed authentication. Undefined: the payment may go on. */
function failedBy(said: JsonObject, is_forced: boolean): ResultName | undefined {
  const status = statusIn(said);
  if (GOOD.has(status)) return undefined;
  if (!NOT_DONE.has(status)) return 'authentication_incorrect';
  if (!is_forced) return undefined;
  return NOT_ENROLLED.has(textAt(resultIn(said), 'three_d_secure', 'enrollment_status'))
    ? 'card_not_enrolled'
    : 'acs_unreachable';
}

/** How the payer was authenticated, for what is said of the money. */
export function authenticationIn(said: JsonObject, kept: Kept): Around {
  const shift = textAt(resultIn(said), 'liability_shift');
  const authenticated = kept['authenticated'] === 'yes';
  return shift === '' ? { authenticated } : { authenticated, liability_shifted: SHIFTED.has(shift) };
}

const SHIFTED = new Set(['POSSIBLE', 'YES']);

const resultIn = (said: JsonObject): JsonValue | undefined =>
  at(said, 'payment_source', 'card', 'authentication_result');
const statusIn = (said: JsonObject): string => textAt(resultIn(said), 'three_d_secure', 'authentication_status');

/** Also of a refusal that says where the payer has to go. */
export function payerMustAct(said: JsonObject): Outcome {
  const links = at(said, 'links');
  const link = Array.isArray(links) ? links.find((one) => textAt(one, 'rel') === 'payer-action') : undefined;
  const url = textAt(link, 'href');
  if (!/^https?:\/\/\S+$/.test(url)) return UNREADABLE;
  return {
    kind: 'payer_must_act',
    reference: textAt(said, 'id') || null,
    go: { method: 'GET', url },
    resume: 'back',
    finishes: 'by_resume',
    takes: [],
  };
}

function declined(result: ResultName, said: JsonObject): Outcome {
  const provider_text = textAt(resultIn(said), 'liability_shift');
  const provider_code = statusIn(said) || textAt(said, 'status');
  return { kind: 'declined', result, reference: textAt(said, 'id') || null, provider_code, provider_text };
}
