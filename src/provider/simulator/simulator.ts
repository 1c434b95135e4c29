// The simulator as a provider: the smallest complete provider file, to be read first. Small JSON over HTTP, one call
// for each operation. The other end is src/sandbox; the two share no code.
//
// | kind      | call                         | what it means                                                          |
// |-----------|------------------------------|------------------------------------------------------------------------|
// | authorize | POST /payments               | holds the amount; with capture `now` it is also taken. Approved with   |
// |           |                              | `capture` pending or declined: held, and not captured (yet)            |
// | capture   | POST /payments/{id}/captures | takes a part of the hold; `final` releases the rest once it is done    |
// | refund    | POST /captures/{id}/refunds  | pays back one capture; a sale is its own capture                       |
// | cancel    | POST /payments/{id}/cancel   | releases all that is open; the amount in the answer says how much that |
// |           |                              | was                                                                    |
// | reversal  | POST /reversals              | undoes an authorization by our reference: `reversed`, even if it is    |
// |           |                              | not known there. An authorization that arrives later is accepted all   |
// |           |                              | the same                                                               |
// | inquiry   | GET /payments?reference=     | the state of an authorize, capture, refund or cancel of ours;          |
// |           |                              | `not_found` is no proof that it will not come. Of a reversed           |
// |           |                              | authorization: declined, 420410                                        |
//
// An authorization brings a card, or a token of this provider's own (contract 6.4): then `token` stands in place of
// `card`. Nothing is deduplicated: a repeated call under the same reference has its effect again, except cancel and
// reversal. A refusal is final for its reference. `pending` ends by a message (message.ts), or an inquiry finds its
// end.
import type { JsonObject, JsonValue } from '../../core/json.ts';
import { findResult, type ResultName, type ResultRow } from '../../core/results.ts';
import { NOT_HEARD, PROVIDER_ERROR, UNREADABLE, minorAt, smallObjectOf } from '../answer.ts';
import type { Capabilities } from '../capabilities.ts';
import { schemeWordsIn } from './scheme-words.ts';
import type { Answer, Facts, Outcome, Provider, Template, UnfinishedCapture, Written } from '../contract.ts';
import { MESSAGE_SECRET } from './proof.ts';
import { STEPS } from './steps.ts';

/** Registered under two names: as the first provider of an order, and as the fallback. */
export function simulator(name: string, display_name: string, deadline_s: number): Provider {
  const can = { ...CAN, answer_deadline_s: deadline_s, in_flight_s: 1.5 * deadline_s };
  return {
    name,
    table: 'simulator',
    display_name,
    disputes_at: 'nowhere: the simulated bank decides by the card',
    steps: STEPS,
    can,
    credentials: CREDENTIALS,
    first,
    write: (_, facts) => write(facts),
    read: (_, answer, facts) => read(answer, facts),
  };
}

const CREDENTIALS = [
  {
    name: 'api_key',
    required: false,
    use: 'send',
    help: 'The simulated bank takes any, and none. One that begins with "invalid" is refused with 151021, one that begins with "limited" with 151023.',
  },
  {
    name: MESSAGE_SECRET,
    required: false,
    use: 'check',
    help: 'Proves messages of the simulated bank. The bank gets a new one at once; the one before stays valid until it is removed.',
  },
] as const;

const CAN: Omit<Capabilities, 'answer_deadline_s' | 'in_flight_s'> = {
  captures: 'many',
  rest_after_last_capture: 'released',
  ends: { capture: 'either', refund: 'either', cancel: 'either', reversal: 'answer' },
  inquiry: ['authorize', 'capture', 'refund', 'cancel'],
  reversal: 'by_own_reference',
  sale: 'one_call',
  key_kept_h: 0,
  three_ds: ['data'],
  scheme_choice: true,
  exemptions: true,
  psp_token: true,
  network_token: true,
  traces: false,
  notice_wait_s: 0,
};

/** The phase of each kind's results: their names begin with it. A reversal is answered as a cancellation. */
const FOLLOW_UPS = { capture: 'capture', refund: 'refund', cancel: 'cancel', reversal: 'cancel' } as const;
const PHASE = { authorize: 'authorization', ...FOLLOW_UPS } as const;
type Kind = keyof typeof PHASE;
const BEFORE_AUTHORIZATION = ['order', 'tokenization', 'authentication'];

/** A slot stands for a whole JSON value, quotes included; the member of `card` has the slot's name. */
const CARD_SLOTS = [
  'card.number',
  'card.cvc?',
  'card.expiry_month',
  'card.expiry_year',
  'card.holder?',
  'card.cryptogram?',
  'card.eci?',
] as const;

/** Answers that refuse the credentials of the call: a status and the code in its body. */
const TURNED_AWAY: ReadonlyMap<number, ResultName | undefined> = new Map([
  [401, 'provider_credentials_invalid'],
  [403, 'provider_rights_missing'],
]);
const PATH_VALUE = /^[A-Za-z0-9_-]{1,64}$/;
const CODE = /^\d{6}$/;
const TEXT = /^.{0,255}$/su;

const first = (facts: Facts): string | undefined =>
  valuesOf(facts) && (facts.psp_token === true ? 'authorize_token' : facts.kind);

function write(facts: Facts): Written | undefined {
  const values = valuesOf(facts);
  return values && { values, body: bodyOf(facts) };
}

/**
 * Values for the path and the query. Undefined: the core did not say what the operation works on, so the call must not
 * be sent.
 */
function valuesOf(facts: Facts): Record<string, string> | undefined {
  const { kind, authorization_reference, capture_reference, about } = facts;
  if (kind === 'authorize') return {};
  if (kind === 'inquiry') return about && { reference: about.operation_id };
  if (kind === 'reversal') return about && {};
  const reference = kind === 'refund' ? capture_reference : authorization_reference;
  if (reference === null || !PATH_VALUE.test(reference)) return undefined;
  return kind === 'refund' ? { capture_id: reference } : { payment_id: reference };
}

function bodyOf(facts: Facts): Template {
  if (facts.kind === 'inquiry') return [];
  // The amount is written as digits, not through a number, so that it is exact whatever its size.
  const common =
    `{"reference":${text(ourReference(facts))},"merchant_account_id":${text(facts.merchant_account_id)},` +
    `"order_id":${text(facts.order_id)},"order_merchant_id":${text(facts.order_merchant_id)},"amount":${facts.amount_minor},"currency":${text(facts.currency)}`;
  if (facts.kind === 'capture' && facts.final === true) return [`${common},"final":true}`];
  if (facts.kind !== 'authorize') return [`${common}}`];
  const head = `${common},"capture":"${facts.with_capture ? 'now' : 'later'}","scheme":${text(facts.scheme)}${evidence(facts)}`;
  if (facts.psp_token === true)
    return [`${head},"token":{"id":`, { slot: 'psp.token' }, ',"customer":', { slot: 'psp.customer?' }, '}}'];
  const name = (slot: string) => text(slot.replace(/^card\.|\?$/g, ''));
  return [...CARD_SLOTS.flatMap((slot, i) => [`${i === 0 ? `${head},"card":{` : ','}${name(slot)}:`, { slot }]), '}}'];
}

/** How the payer was authenticated, if there is anything to say about it. */
function evidence({ evidence: given }: Facts): string {
  if (!given) return '';
  const { stored_card, ...rest } = given;
  const said = { ...(stored_card && { recurring: true }), ...rest };
  const members = JSON.stringify(said).slice(1, -1);
  return members === '' ? '' : `,${members}`;
}

/** The reference that the answer must carry. An inquiry and a reversal name the operation that they are about. */
function ourReference(facts: Facts): string | null {
  return facts.kind === 'inquiry' || facts.kind === 'reversal'
    ? (facts.about?.operation_id ?? null)
    : facts.operation_id;
}

function read(answer: Answer, facts: Facts): Outcome {
  if (answer.status >= 500) return PROVIDER_ERROR;
  const said = smallObjectOf(answer.body);
  if (said === undefined) return UNREADABLE;
  if (answer.status === 200) return readEntry(said, facts) ?? UNREADABLE;
  const status = said.get('status');
  if (status === 'refused' && TURNED_AWAY.get(answer.status) === nameOf(said.get('code')))
    return turnedAway(said, facts) ?? UNREADABLE;
  if (status === 'refused' && facts.kind !== 'inquiry' && [400, 404, 413].includes(answer.status)) {
    return declined(said, facts.kind, null) ?? UNREADABLE;
  }
  const found_nothing = status === 'not_found' && facts.kind === 'inquiry' && answer.status === 404;
  return found_nothing && said.get('reference') === ourReference(facts) ? { kind: 'not_found' } : UNREADABLE;
}

/**
 * The provider refused the credentials and did not look at the call. For an inquiry, and for an operation that is sent
 * until it is acknowledged, that proves nothing.
 */
function turnedAway(said: JsonObject, { kind }: Facts): Outcome | undefined {
  if (kind === 'inquiry' || kind === 'reversal') return NOT_HEARD;
  const refused = declined(said, kind, null);
  return refused?.kind === 'declined' ? { ...refused, unheard: true } : undefined;
}

/** Reads an answer that says what became of the operation. Undefined: a part of the answer is not as agreed. */
function readEntry(said: JsonObject, facts: Facts): Outcome | undefined {
  const [kind, id, reference, status] = [said.get('kind'), said.get('id'), said.get('reference'), said.get('status')];
  if (!isKind(kind) || (facts.kind !== 'inquiry' && kind !== facts.kind)) return undefined;
  if (!matches(id, PATH_VALUE) || !matches(reference, PATH_VALUE)) return undefined;
  // A decline or a "pending" for another reference says nothing of our operation. An approval for another reference is
  // passed on: the core sees the difference.
  const ours = reference === ourReference(facts);
  if (status === 'declined') return ours ? declined(said, kind, id) : undefined;
  const name = nameOf(said.get('code'));
  const waits = status === 'pending' && name === `${PHASE[kind]}_pending`;
  if (status !== 'approved') return ours && waits ? { kind: 'pending', reference: id } : undefined;
  const captured = kind === 'authorize' && said.get('captured') === true;
  if (name !== (captured ? 'capture_successful' : `${PHASE[kind]}_successful`)) return undefined;
  const told = said.get('captured') === captured ? approval(said, kind) : undefined;
  const capture = captured || kind !== 'authorize' ? undefined : said.get('capture');
  const unfinished = capture === undefined ? undefined : unfinishedCapture(capture);
  if (told === undefined || (capture !== undefined && unfinished === undefined)) return undefined;
  // The reversal of another payment says nothing of ours.
  if (kind === 'reversal') return ours ? { kind: 'reversed', reference: id, our_reference: reference } : undefined;
  const approved = { kind: 'approved', reference: id, our_reference: reference, captured, ...told } as const;
  return unfinished === undefined ? approved : { ...approved, capture: unfinished };
}

/** The capture of a sale that is held and not captured. Undefined: a part of it is not as agreed. */
function unfinishedCapture(said: JsonValue): UnfinishedCapture | undefined {
  if (!(said instanceof Map)) return undefined;
  const status = said.get('status');
  if (status === 'pending') return nameOf(said.get('code')) === 'capture_pending' ? { kind: 'pending' } : undefined;
  const refused = status === 'declined' ? declined(said, 'capture', null) : undefined;
  if (refused?.kind !== 'declined') return undefined;
  const { result, provider_code, provider_text } = refused;
  return { kind: 'declined', result, provider_code, provider_text };
}

/** The optional parts of an approval. Undefined: one of them is not as agreed. */
function approval(said: JsonObject, kind: Kind) {
  const [amount_minor, currency, score] = [minorAt(said, 'amount'), said.get('currency'), said.get('risk_score')];
  const [authorization_code, code, text] = [said.get('authorization_code'), said.get('code'), said.get('text')];
  if (amount_minor === undefined || !matches(currency, /^[A-Z]{3}$/)) return undefined;
  if (!matches(code, CODE) || !matches(text, TEXT)) return undefined;
  if (!matches(authorization_code, kind === 'authorize' ? /^[A-Z0-9]{6}$/ : /^$/)) return undefined;
  const network = said.get('network_reference');
  const told = {
    amount_minor,
    currency,
    authorization_code,
    provider_code: code,
    provider_text: text,
    // no money depends on it
    ...(matches(network, NETWORK_REFERENCE) && { network_reference: network }),
  };
  const of_100 = minorAt(said, 'risk_score') ?? 101n;
  return score === undefined ? told : of_100 > 100n ? undefined : { ...told, risk_score: Number(of_100) };
}

/** A decline needs a code, and not a code of success or waiting: an answer that contradicts itself is no answer. */
function declined(said: JsonObject, kind: Kind, reference: string | null): Outcome | undefined {
  const [code, text] = [said.get('code'), said.get('text')];
  if (!matches(code, CODE) || !matches(text, TEXT)) return undefined;
  const row = findResult(code);
  if (row?.phase === 'success' || row?.name.endsWith('_pending')) return undefined;
  const told = { result: resultOf(row, kind), reference, provider_code: code, provider_text: text };
  return { kind: 'declined', ...told, ...(kind === 'authorize' && schemeWordsIn(said)) };
}

/**
 * A provider cannot give a code of another phase, nor a technical code of a capture, refund or cancel: that is our own
 * refusal before any call.
 */
function resultOf(row: ResultRow | undefined, kind: Kind): ResultName {
  const fits = row?.phase === PHASE[kind] || (kind === 'authorize' && BEFORE_AUTHORIZATION.includes(row?.phase ?? ''));
  const own = kind !== 'authorize' && row?.kind === 'technical';
  return row !== undefined && fits && !own ? row.name : `${PHASE[kind]}_declined`;
}

const NETWORK_REFERENCE = /^[A-Z0-9]{1,50}$/;
const nameOf = (code: unknown) => (typeof code === 'string' ? findResult(code)?.name : undefined);
const isKind = (value: unknown): value is Kind => typeof value === 'string' && Object.hasOwn(PHASE, value);
const text = (value: string | null) => JSON.stringify(value);
const matches = (value: unknown, pattern: RegExp): value is string => typeof value === 'string' && pattern.test(value);
