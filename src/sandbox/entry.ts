// One entry of the simulated provider's books, how the journal restores it, and how it is shown.
import { RESULTS, type ResultName } from '../core/results.ts';
import type { SchemeWords } from '../core/retries/follow.ts';
import type { Planned } from './faults/cards.ts';
import type { LaterKind } from './faults/fault.ts';

export type BookedOperation = 'authorize' | 'capture' | 'refund' | 'cancel';
export type EntryKind = BookedOperation | 'reversal';
/** `pending`: accepted, not decided. `coming`: it happens later, and inquiries do not show it until then. */
export type EntryState = 'held' | 'captured' | 'refunded' | 'released' | 'declined' | 'pending' | 'coming';

/** A later change of an entry. `at` is null for a change that waits until the entry is reversed. */
export type Later = { readonly at: number | null; readonly does: LaterKind; readonly ends: ResultName | null };

/** One operation under our reference, even if we sent it several times. An entry is never changed, only replaced. */
export type Entry = {
  readonly provider: string;
  readonly kind: EntryKind;
  readonly reference: string;
  /** The reference of the entry that this one refers to: for a capture its payment, for a refund its capture. */
  readonly parent: string | null;
  /** The merchant account that the request names; empty if it names none. */
  readonly merchant_account_id: string;
  readonly order_id: string;
  readonly order_merchant_id: string;
  readonly amount: number;
  readonly currency: string;
  /** How many times it took effect: more than 1 means that a payer was charged twice. */
  readonly effects: number;
  readonly calls: number;
  readonly state: EntryState;
  /** The result that an inquiry gets. */
  readonly ended: ResultName;
  /** For a payment: it is captured in the same step, and is its own capture. */
  readonly sale: boolean;
  /** For a sale: how its capture ended, if it was not captured together with the hold. */
  readonly capture_ended: ResultName | null;
  /** For a capture: it also releases the rest of the hold. */
  readonly final: boolean;
  /**
   * For a payment: the amount that is captured or being captured. For a cancel under way: the amount that it will
   * release.
   */
  readonly captured: number;
  readonly released: number;
  readonly lapsed: boolean;
  /** For a capture or a sale: the amount that is refunded. */
  readonly refunded: number;
  readonly risk_score: number | null;
  readonly card_4_digits: string | null;
  /** For a declined payment: the scheme's codes. */
  readonly scheme: SchemeWords | null;
  /** For a payment that follows another one: the scheme's id of the first. */
  readonly previous_reference: string | null;
  /** For a payment with a network token: the digest of its cryptogram. */
  readonly cryptogram_digest: string | null;
  readonly eci: string | null;
  /** For a payment: how its first capture, refund or cancel will end, if the card decides that. */
  readonly planned: Planned | null;
  readonly later: readonly Later[];
  /** No message about this entry is sent. */
  readonly silent: boolean;
  readonly created_at: number;
};

const ID_PREFIX: Readonly<Record<EntryKind, string>> = {
  authorize: 'pay_',
  capture: 'cap_',
  refund: 'ref_',
  cancel: 'can_',
  reversal: 'rev_',
};

/**
 * The provider's id of an entry. It is made from our reference, because a restart could reset a counter, and a random
 * id would differ each time.
 */
export function idOf(entry: Entry): string {
  return ID_PREFIX[entry.kind] + entry.reference;
}

/** The rows of an entry for GET /books. A sale has two rows, a hold and a capture. A coming entry has none. */
export function viewEntry(entry: Entry): object[] {
  if (entry.state === 'coming') return [];
  const { reference, parent, order_id, order_merchant_id, merchant_account_id, provider, kind } = entry;
  const { amount, currency, effects, state, calls, previous_reference, cryptogram_digest, eci } = entry;
  const whose = { id: idOf(entry), reference, parent, order_id, order_merchant_id, merchant_account_id, provider };
  const what = {
    amount,
    currency,
    effects,
    state,
    calls,
    created_at: new Date(entry.created_at).toISOString(),
    // the part of the hold that was released, beside the captured part
    ...(entry.released > 0 && { released: entry.released }),
    ...(previous_reference !== null && { previous_reference }),
    ...(cryptogram_digest !== null && { cryptogram_digest, eci }),
  };
  // after a refused capture a sale can be captured by later calls, which have entries of their own
  const refused = entry.capture_ended !== null && entry.capture_ended !== 'capture_pending';
  if (!entry.sale || entry.captured === 0 || refused) return [{ ...whose, kind, ...what }];
  const returned = entry.refunded >= entry.captured;
  const waits = entry.capture_ended === 'capture_pending';
  const own_state = waits ? 'pending' : returned ? 'refunded' : 'captured';
  return [
    { ...whose, kind, ...what },
    { ...whose, kind: 'capture', ...what, effects: waits ? 0 : effects, state: own_state },
  ];
}

/** Reads the entries in one line of the journal. Throws if the line has another form: then the file is not ours. */
export function readEntries(value: unknown): readonly Entry[] {
  if (Array.isArray(value)) {
    const entries = value.map((one: unknown) => (isRecord(one) ? { ...SINCE, ...one } : one));
    if (entries.every(isEntry)) return entries;
  }
  throw new Error('a line of the journal is not a list of entries');
}

/** Defaults for members that older journals do not have. */
const SINCE: Partial<Entry> = {
  merchant_account_id: '',
  capture_ended: null,
  final: false,
  lapsed: false,
  later: [],
  silent: false,
  scheme: null,
  previous_reference: null,
  cryptogram_digest: null,
  eci: null,
};

type Check = (value: unknown) => boolean;
const text: Check = (value) => typeof value === 'string';
const flag: Check = (value) => typeof value === 'boolean';
const count: Check = (value) => typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
const nullOr =
  (check: Check): Check =>
  (value) =>
    value === null || check(value);
const oneOf = (names: readonly string[]): Check => {
  const known = new Set<unknown>(names);
  return (value) => known.has(value);
};
const resultName = oneOf(RESULTS.map((row) => row.name));
const later: Check = (value) =>
  isRecord(value) && nullOr(count)(value['at']) && text(value['does']) && nullOr(resultName)(value['ends']);

const CHECKS: Readonly<Record<keyof Entry, Check>> = {
  provider: text,
  kind: oneOf(Object.keys(ID_PREFIX)),
  reference: text,
  parent: nullOr(text),
  merchant_account_id: text,
  order_id: text,
  order_merchant_id: text,
  amount: count,
  currency: text,
  effects: count,
  calls: count,
  state: oneOf(['held', 'captured', 'refunded', 'released', 'declined', 'pending', 'coming']),
  ended: resultName,
  sale: flag,
  capture_ended: nullOr(resultName),
  final: flag,
  captured: count,
  released: count,
  lapsed: flag,
  refunded: count,
  risk_score: nullOr(count),
  card_4_digits: nullOr(text),
  scheme: nullOr(isRecord),
  previous_reference: nullOr(text),
  cryptogram_digest: nullOr(text),
  eci: nullOr(text),
  planned: nullOr(
    (value) =>
      isRecord(value) && oneOf(['capture', 'refund', 'cancel'])(value['operation']) && isRecord(value['twist']),
  ),
  later: (value) => Array.isArray(value) && value.every(later),
  silent: flag,
  created_at: count,
};

function isEntry(value: unknown): value is Entry {
  return isRecord(value) && Object.entries(CHECKS).every(([name, check]) => check(value[name]));
}

export const matches = (value: unknown, pattern: RegExp): value is string =>
  typeof value === 'string' && pattern.test(value);

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
