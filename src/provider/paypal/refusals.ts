// An error with a body: a name, and details with an `issue` each. https://developer.paypal.com/api/rest/responses/
import type { JsonObject, JsonValue } from '../../core/json.ts';
import { type Declined, NOT_HEARD, PROVIDER_ERROR, UNREADABLE, at, textAt } from '../answer.ts';
import type { Outcome, Reading } from '../contract.ts';
import { payerMustAct } from './authentication.ts';
import { type Own, askedOf } from './names.ts';
import { type Row, rowOfIssue } from './results.ts';
import { STEPS, type StepName } from './steps.ts';

const REFUSED = new Set([400, 401, 403, 404, 422]);
const HEARD = new Set([400, 422]);

export const isRefusal = (status: number): boolean => REFUSED.has(status);

type Refused = { readonly step: StepName; readonly status: number };
type Said = Refused & { readonly issue: string; readonly said: JsonObject };

export function readRefusal({ step, status }: Refused, said: JsonObject, own: Own): Reading {
  const issue = firstOf(said, 'issue');
  // an access token that is refused has an error of another form than all else
  if (textAt(said, 'name') === '' && status !== 401) return UNREADABLE;
  const was_heard = HEARD.has(status);
  // the refusal of a read says nothing of the money
  if (STEPS[step].method === 'GET') return was_heard ? UNREADABLE : NOT_HEARD;
  if (own.facts.kind === 'reversal') return was_heard ? reversalRefused(issue, own) : NOT_HEARD;
  if (!was_heard) return turnedAway({ step, status, issue, said }, own);
  if (issue === 'PAYER_ACTION_REQUIRED' && own.facts.kind === 'authorize') return payerMustAct(said);
  return declined({ step, status, issue, said }, own);
}

/** The account is not set up for it; what was sent before may have been taken. */
const ACCOUNT = new Set(['NOT_ENABLED_FOR_CARD_PROCESSING', 'PAYEE_ACCOUNT_RESTRICTED', 'PAYEE_ACCOUNT_NOT_VERIFIED']);

/**
 * The call went to a wrong account. Status 404 means that, too: another account does not know an id that PayPal gave
 * us.
 */
function turnedAway(refused: Said, own: Own): Outcome {
  const { status, issue, said } = refused;
  if (status === 404 || (status === 403 && ACCOUNT.has(issue))) return { ...declined(refused, own), unheard: true };
  const result = status === 401 ? 'provider_credentials_invalid' : 'provider_rights_missing';
  return { kind: 'declined', result, reference: null, ...wordsOf(said, issue), unheard: true };
}

function declined({ status, issue, said }: Said, { facts }: Own): Declined | typeof PROVIDER_ERROR {
  const { kind } = askedOf(facts);
  const found = rowOfIssue(kind, issue);
  // it was done before, or is being done: what became of it is asked
  if (found.unknown) return PROVIDER_ERROR;
  const { result, retry } = kind === 'authorize' && status === 400 ? unfit(said) : found;
  return { kind: 'declined', result, ...(retry && { retry }), reference: null, ...wordsOf(said, issue) };
}

/** Not well-formed: by what the payer typed, or by us. */
function unfit(said: JsonObject): Row {
  const by_payer = firstOf(said, 'field').startsWith('/payment_source/card/');
  return by_payer
    ? { result: 'card_data_invalid', retry: 'fix_input' }
    : { result: 'integration_error', retry: 'never' };
}

/** A reversal was refused: the authorization does not stand any more; or it does, and is looked at again. */
function reversalRefused(issue: string, { facts, kept }: Own): Outcome {
  if (issue !== 'PREVIOUSLY_VOIDED' && issue !== 'CAPTURE_FULLY_REFUNDED') return PROVIDER_ERROR;
  const reference = kept['capture'] ?? kept['authorization'] ?? facts.authorization_reference;
  return { kind: 'reversed', reference, our_reference: null };
}

function firstOf(said: JsonObject, name: 'issue' | 'field' | 'description'): string {
  const details = at(said, 'details');
  return Array.isArray(details) ? textAt(details[0], name) : '';
}

/** PayPal's own words, for people who look into the payment. */
function wordsOf(said: JsonObject, issue: string): { provider_code: string; provider_text: string } {
  const text: JsonValue = firstOf(said, 'description') || textAt(said, 'message');
  return { provider_code: issue || textAt(said, 'name') || textAt(said, 'error'), provider_text: text };
}
