// Reads Adyen's answers. Status 200 is no approval: only `resultCode` says whether the payment was approved, and
// `received` is no outcome.
import type { JsonObject, JsonValue } from '../../core/json.ts';
import { forbidsRetry } from '../../core/retries/advice.ts';
import { schemeWords } from '../../core/retries/follow.ts';
import { type Declined, NOT_HEARD, PROVIDER_ERROR, UNREADABLE, at, minorAt, objectOf, textAt } from '../answer.ts';
import { type Answer, type Facts, type Outcome, VALUE } from '../contract.ts';
import { type Money, moneyAt } from './exponents.ts';
import { referenceOf } from './reference.ts';
import { ERRORS, KEY_IN_USE, REFUSALS, RESULT_CODES, UNLISTED_REFUSAL } from './results.ts';
import type { StepName } from './steps.ts';

export function read(step: StepName, { status, body }: Answer, facts: Facts): Outcome {
  if (status >= 500 || status === 429) return PROVIDER_ERROR;
  const said = objectOf(body);
  if (said === undefined) return UNREADABLE;
  if (step === 'payments' || step === 'payments_token' || step === 'payments_network_token' || step === 'details')
    return status === 200 ? readPayment(step, said, facts) : readError(step, said, { status, facts });
  if (status !== 201) return readError(step, said, { status, facts });
  const [reference, ours] = [textAt(said, 'pspReference'), textAt(said, 'reference')];
  const is_taken = textAt(said, 'status') === 'received' && VALUE.test(reference);
  const is_of_another = ours !== '' && ours !== referenceOf(facts, facts.operation_id);
  return is_taken && !is_of_another ? { kind: 'pending', reference } : UNREADABLE;
}

function readPayment(step: StepName, said: JsonObject, facts: Facts): Outcome {
  const reference = textAt(said, 'pspReference');
  const known = VALUE.test(reference) ? reference : null;
  const code = textAt(said, 'resultCode');
  const reads = RESULT_CODES.get(code)?.reads;
  if (isOfAnother(step, said, { facts, is_approved: reads === 'approved' })) return UNREADABLE;
  switch (reads) {
    case 'approved':
      return known === null ? UNREADABLE : approvalOf(said, { facts, reference: known, code });
    case 'refused':
      return refusalOf(said, { reference: known, is_authenticated: wasAuthenticated(step, said, facts) });
    case 'left':
      return {
        kind: 'declined',
        result: wasAuthenticated(step, said, facts) ? 'payer_left_authentication' : UNLISTED_REFUSAL,
        reference: known,
        provider_code: code,
        provider_text: textAt(said, 'refusalReason'),
      };
    case 'payer_must_act':
      return redirectOf(said, known);
    case 'pending':
      return { kind: 'pending', reference: known };
    case 'unknown':
      return PROVIDER_ERROR;
    case undefined:
      return UNREADABLE;
  }
}

/**
 * Nothing says that it is of another payment; an approval that does is shown as it is, and the core refuses it. Which
 * payment `details` is about is said by the browser alone, and a payer may bring what another payment of theirs was
 * given: there an approval says that it is of ours. The message tells then.
 */
function isOfAnother(
  step: StepName,
  said: JsonObject,
  { facts, is_approved }: { readonly facts: Facts; readonly is_approved: boolean },
): boolean {
  const reference = textAt(said, 'merchantReference');
  if (is_approved) return step === 'details' && reference === '';
  return reference !== '' && reference !== referenceOf(facts, facts.operation_id);
}

type Approval = { readonly facts: Facts; readonly reference: string; readonly code: string };

/** Of eleven published answers one repeats the amount, and five our reference. */
function approvalOf(said: JsonObject, { facts, reference, code }: Approval): Outcome {
  const additional = at(said, 'additionalData');
  const money = at(said, 'amount') === undefined ? undefined : moneyAt(at(said, 'amount'));
  // an amount that cannot be read is no amount; a partial approval that does not say how much cannot be booked
  if (money === undefined && (at(said, 'amount') !== undefined || code !== 'Authorised')) return UNREADABLE;
  const ours = textAt(said, 'merchantReference');
  const network = textAt(additional, 'networkTxReference');
  const shifted = textAt(additional, 'liabilityShift');
  const score = minorAt(said, 'fraudResult', 'accountScore');
  return {
    kind: 'approved',
    reference,
    our_reference: ours === '' ? null : ours === referenceOf(facts, facts.operation_id) ? facts.operation_id : ours,
    ...(money ?? NOT_SAID),
    captured: false,
    authorization_code: textAt(additional, 'authCode'),
    provider_code: code,
    provider_text: '',
    ...(/^[\x21-\x7e]{1,50}$/.test(network) && { network_reference: network }),
    ...((shifted === 'true' || shifted === 'false') && { liability_shifted: shifted === 'true' }),
    // after an attempt that the bank did not answer the liability is shifted all the same
    ...(shifted !== 'true' && textAt(additional, 'threeDAuthenticated') === 'false' && { unauthenticated: true }),
    ...(score !== undefined && { risk_score: score > 100n ? 100 : Number(score) }),
  };
}

const NOT_SAID: { readonly [name in keyof Money]: null } = { amount_minor: null, currency: null };

/** Did an authentication take place in this try? Only then is a refusal one of it. */
function wasAuthenticated(step: StepName, said: JsonObject, { evidence }: Facts): boolean {
  const is_outside = evidence?.three_ds !== undefined || evidence?.three_ds_data !== undefined;
  return step === 'details' || is_outside || textAt(said, 'additionalData', 'threeDOffered') === 'true';
}

type Refusal = { readonly reference: string | null; readonly is_authenticated: boolean };

const OF_AUTHENTICATION = new Set(['authentication_incorrect', 'acs_unreachable', 'payer_left_authentication']);

function refusalOf(said: JsonObject, { reference, is_authenticated }: Refusal): Declined {
  const additional = at(said, 'additionalData');
  const code = textAt(said, 'refusalReasonCode');
  const row = REFUSALS.get(code);
  const named =
    row?.result ?? (code === '' ? (RESULT_CODES.get('Refused')?.result ?? UNLISTED_REFUSAL) : UNLISTED_REFUSAL);
  const advice = textAt(additional, 'merchantAdviceCode').slice(0, 2);
  const retry = forbidsRetry(advice) ? 'never' : row?.retry;
  const raw = textAt(additional, 'refusalReasonRaw');
  return {
    kind: 'declined',
    result: OF_AUTHENTICATION.has(named) && !is_authenticated ? UNLISTED_REFUSAL : named,
    ...(retry && { retry }),
    reference,
    provider_code: code,
    provider_text: raw || textAt(said, 'refusalReason'),
    // `05 : Do not honor`: the issuer's own code stands in front
    ...schemeWords('mastercard', advice, /^([0-9A-Z]{2}) ?:/.exec(raw)?.[1]),
  };
}

function redirectOf(said: JsonObject, reference: string | null): Outcome {
  const action = at(said, 'action');
  const [type, url, method] = [textAt(action, 'type'), textAt(action, 'url'), textAt(action, 'method')];
  if (type !== 'redirect' || !/^https?:\/\//.test(url) || !URL.canParse(url)) return UNREADABLE;
  if (method !== 'GET' && method !== 'POST') return UNREADABLE;
  const data = at(action, 'data');
  const form = data instanceof Map ? [...data].filter((field): field is [string, string] => isField(field[1])) : [];
  if (data instanceof Map && form.length !== data.size) return UNREADABLE;
  return {
    kind: 'payer_must_act',
    reference,
    go: { method, url, ...(method === 'POST' && { form: Object.fromEntries(form) }) },
    resume: 'details',
    finishes: 'by_resume',
    takes: ['redirectResult'],
  };
}

/** True for a text that is no longer than a request for an authentication may be. */
const isField = (value: JsonValue): value is string => typeof value === 'string' && value.length <= 20_000;

type Told = { readonly status: number; readonly facts: Facts };

/**
 * Turned away before it was looked at. Not so where an earlier call may have had its effect: `details` may have been
 * received before, with what another return of the payer brought; a reversal is never refused for good; a key in use
 * has a first call.
 */
function readError(step: StepName, said: JsonObject, { status, facts }: Told): Outcome {
  const told = { provider_code: textAt(said, 'errorCode'), provider_text: textAt(said, 'message') };
  if (textAt(said, 'errorType') === '') return UNREADABLE;
  const is_unheard = status === 401 || status === 403;
  const is_open = facts.kind === 'reversal' || step === 'details' || told.provider_code === KEY_IN_USE;
  if (is_unheard && is_open) return NOT_HEARD;
  if (is_unheard)
    return {
      kind: 'declined',
      result: status === 401 ? 'provider_credentials_invalid' : 'provider_rights_missing',
      reference: null,
      ...told,
      unheard: true,
    };
  if (is_open || ![400, 404, 422].includes(status)) return PROVIDER_ERROR;
  const { result, retry } = facts.kind === 'authorize' ? (ERRORS.get(told.provider_code) ?? OURS) : REFUSED[facts.kind];
  return { kind: 'declined', result, ...(retry && { retry }), reference: null, ...told };
}

const OURS = { result: 'integration_error', retry: undefined } as const;
const REFUSED = {
  capture: { result: 'capture_declined', retry: undefined },
  refund: { result: 'refund_declined', retry: undefined },
  cancel: { result: 'cancel_declined', retry: undefined },
  // never read: nothing is asked, and a reversal stays open
  inquiry: OURS,
  reversal: OURS,
} as const;
