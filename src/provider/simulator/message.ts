// Messages of the simulated providers, as data (src/sandbox/later/messages.ts defines their form).
import type { JsonObject } from '../../core/json.ts';
import { findResult, type ResultName } from '../../core/results.ts';
import { minorAt, smallObjectOf } from '../answer.ts';
import type { Outcome } from '../contract.ts';
import { schemeWordsIn } from './scheme-words.ts';

/** A change of an operation, from a message. Amounts are in minor units. */
export type Told =
  /** How it ended, or that it waits: to be decided as an answer or an inquiry would be. */
  | { readonly kind: 'outcome'; readonly outcome: Outcome }
  /** Reported done before, and failed since. */
  | { readonly kind: 'corrected'; readonly result: ResultName }
  /** The rest of the hold is gone. */
  | { readonly kind: 'lapsed' }
  | { readonly kind: 'dispute'; readonly state: 'opened' | 'won' | 'lost' };

export type Message = {
  /** The id of the event, the same for every delivery. */
  readonly event_id: string;
  readonly provider: string;
  /** Our operation id; of a sale's capture, the sale's own; of a dispute, the captured operation's. */
  readonly our_reference: string;
  readonly order_id: string;
  readonly operation: 'authorize' | 'capture' | 'refund' | 'cancel' | 'dispute';
  readonly amount_minor: bigint;
  readonly currency: string;
  readonly provider_ref: string;
  readonly provider_code: string;
  readonly provider_text: string;
  /** When it happened there, ISO 8601. */
  readonly at: string;
  readonly told: Told;
};

const OPERATIONS = ['authorize', 'capture', 'refund', 'cancel', 'dispute'] as const;
const PHASES = { authorize: 'authorization', capture: 'capture', refund: 'refund', cancel: 'cancel' } as const;
const TEXTS = [
  'id',
  'provider',
  'reference',
  'order_id',
  'currency',
  'provider_ref',
  'code',
  'text',
  'at',
  'status',
  'authorization_code',
] as const;

/** Undefined for what is not a message of theirs; never throws. */
export function readMessage(body: Uint8Array): Message | undefined {
  const said = smallObjectOf(body);
  const operation = OPERATIONS.find((name) => name === said?.get('kind'));
  const amount_minor = minorAt(said, 'amount');
  if (said === undefined || operation === undefined || amount_minor === undefined) return undefined;
  const texts = textsOf(said);
  const told = texts && toldOf({ said, texts, operation, amount_minor });
  if (texts === undefined || told === undefined) return undefined;
  return {
    event_id: texts.id,
    provider: texts.provider,
    our_reference: texts.reference,
    order_id: texts.order_id,
    operation,
    amount_minor,
    currency: texts.currency,
    provider_ref: texts.provider_ref,
    provider_code: texts.code,
    provider_text: texts.text,
    at: texts.at,
    told,
  };
}

/** The form that an answer's reference must have (simulator.ts): it is named in the path of later calls. */
const PROVIDER_REF = /^[A-Za-z0-9_-]{1,64}$/;
const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

type Texts = Readonly<Record<(typeof TEXTS)[number], string>>;

function textsOf(said: JsonObject): Texts | undefined {
  const texts: Partial<Record<(typeof TEXTS)[number], string>> = {};
  for (const name of TEXTS) {
    const value = said.get(name);
    // a character that no database keeps would stay in the inbox for ever
    if (typeof value !== 'string' || value.length > 255 || value.includes('\0')) return undefined;
    texts[name] = value;
  }
  const { id, reference, currency, at, provider_ref } = texts;
  const named = id !== '' && reference !== '' && PROVIDER_REF.test(provider_ref ?? '');
  const dated = MOMENT.test(at ?? '') && !Number.isNaN(Date.parse(at ?? ''));
  return named && dated && /^[A-Z]{3}$/.test(currency ?? '') ? (texts as Texts) : undefined;
}

type Said = {
  readonly said: JsonObject;
  readonly texts: Texts;
  readonly operation: Message['operation'];
  readonly amount_minor: bigint;
};

function toldOf(message: Said): Told | undefined {
  const { texts, operation } = message;
  const name = findResult(texts.code)?.name;
  if (operation === 'dispute') {
    const state = (['opened', 'won', 'lost'] as const).find((one) => one === texts.status);
    return state && { kind: 'dispute', state };
  }
  switch (texts.status) {
    case 'failed':
      return operation === 'capture' || operation === 'refund'
        ? { kind: 'corrected', result: declineOf(texts.code, operation) }
        : undefined;
    case 'lapsed':
      return operation === 'authorize' ? { kind: 'lapsed' } : undefined;
    case 'pending':
      return { kind: 'outcome', outcome: { kind: 'pending', reference: texts.provider_ref } };
    case 'declined':
      return outcomeOfDecline(message, name);
    case 'approved':
      return outcomeOfApproval(message, name);
    default:
      return undefined;
  }
}

/** A decline needs a code, and not one of success or waiting. */
function outcomeOfDecline({ said, texts, operation }: Said, name: ResultName | undefined): Told | undefined {
  const row = findResult(texts.code);
  if (operation === 'dispute' || row?.phase === 'success' || name?.endsWith('_pending')) return undefined;
  const result = declineOf(texts.code, operation);
  const { code: provider_code, text: provider_text, provider_ref: reference } = texts;
  const told = { result, reference, provider_code, provider_text };
  const by_scheme = operation === 'authorize' && schemeWordsIn(said);
  return { kind: 'outcome', outcome: { kind: 'declined', ...told, ...by_scheme } };
}

/** A code of another phase, or of our own rules, is the plain decline of the operation. */
function declineOf(code: string, operation: keyof typeof PHASES): ResultName {
  const row = findResult(code);
  const own = row?.phase === PHASES[operation] && row.kind !== 'technical';
  const early = operation === 'authorize' && (row?.phase === 'tokenization' || row?.kind === 'routing');
  return row !== undefined && (own || early) ? row.name : `${PHASES[operation]}_declined`;
}

function outcomeOfApproval({ said, texts, operation, amount_minor }: Said, name: string | undefined): Told | undefined {
  const captured = said.get('captured') === true;
  if (operation === 'dispute' || said.get('captured') !== captured) return undefined;
  if (name !== (captured ? 'capture_successful' : `${PHASES[operation]}_successful`)) return undefined;
  const { currency, authorization_code, code: provider_code, text: provider_text } = texts;
  const whose = { reference: texts.provider_ref, our_reference: texts.reference, amount_minor, currency };
  const told = { authorization_code, captured, provider_code, provider_text };
  return { kind: 'outcome', outcome: { kind: 'approved', ...whose, ...told } };
}
