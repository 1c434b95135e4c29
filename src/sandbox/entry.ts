// One entry of the books, how the journal gives it back, and how it is shown.
import { RESULTS, type ResultName } from '../core/results.ts';
import type { BookedOperation } from './behaviour.ts';

export type EntryKind = BookedOperation | 'reversal';
export type EntryState = 'held' | 'captured' | 'refunded' | 'released' | 'declined';

/** One operation under our reference, however often it was asked for. Never changed, only replaced. */
export type Entry = {
  readonly provider: string;
  readonly kind: EntryKind;
  readonly reference: string;
  /** The reference of what this works on: a capture's payment, a refund's capture. */
  readonly parent: string | null;
  readonly order_id: string;
  readonly order_merchant_id: string;
  readonly amount: number;
  readonly currency: string;
  /** How often it took effect: above 1 means that somebody was charged twice. */
  readonly effects: number;
  readonly calls: number;
  readonly state: EntryState;
  /** How it ended, as an inquiry tells it. */
  readonly ended: ResultName;
  /** Of a payment: captured in the same step; it is then its own capture. */
  readonly sale: boolean;
  readonly captured: number;
  readonly released: number;
  /** Of a capture or a sale. */
  readonly refunded: number;
  readonly risk_score: number | null;
  readonly card_4_digits: string | null;
  /** Of a payment: how its first capture, refund or cancel is going to end, where the card decided that. */
  readonly planned: Planned | null;
  readonly created_at: number;
};

export type Planned = { readonly operation: BookedOperation; readonly ends: ResultName };

const ID_PREFIX: Readonly<Record<EntryKind, string>> = {
  authorize: 'pay_',
  capture: 'cap_',
  refund: 'ref_',
  cancel: 'can_',
  reversal: 'rev_',
};

/** The provider's own id of an entry. Made from our reference: no chance, and no counter that a restart could set back. */
export function idOf(entry: Entry): string {
  return ID_PREFIX[entry.kind] + entry.reference;
}

/** An entry as GET /books shows it; a sale is shown as the hold and the capture that it is. */
export function viewEntry(entry: Entry): object[] {
  const { reference, order_id, order_merchant_id, provider, kind, amount, currency, effects, state, calls } = entry;
  const whose = { reference, order_id, order_merchant_id, provider };
  const what = { amount, currency, effects, state, calls, created_at: new Date(entry.created_at).toISOString() };
  if (!entry.sale || entry.captured === 0) return [{ ...whose, kind, ...what }];
  const returned = entry.refunded >= entry.captured;
  return [
    { ...whose, kind, ...what },
    { ...whose, kind: 'capture', ...what, state: returned ? 'refunded' : 'captured' },
  ];
}

/** The entries of one line of the journal. Throws where a whole line is not what we write: then the file is not ours. */
export function readLine(line: string): readonly Entry[] {
  const value: unknown = JSON.parse(line);
  if (!Array.isArray(value) || !value.every(isEntry)) throw new Error('a line of the journal is not a list of entries');
  return value;
}

type Check = (value: unknown) => boolean;
const text: Check = (value) => typeof value === 'string';
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

const CHECKS: Readonly<Record<keyof Entry, Check>> = {
  provider: text,
  kind: oneOf(Object.keys(ID_PREFIX)),
  reference: text,
  parent: nullOr(text),
  order_id: text,
  order_merchant_id: text,
  amount: count,
  currency: text,
  effects: count,
  calls: count,
  state: oneOf(['held', 'captured', 'refunded', 'released', 'declined']),
  ended: resultName,
  sale: (value) => typeof value === 'boolean',
  captured: count,
  released: count,
  refunded: count,
  risk_score: nullOr(count),
  card_4_digits: nullOr(text),
  planned: nullOr(
    (value) =>
      isRecord(value) && oneOf(['capture', 'refund', 'cancel'])(value['operation']) && resultName(value['ends']),
  ),
  created_at: count,
};

function isEntry(value: unknown): value is Entry {
  return isRecord(value) && Object.entries(CHECKS).every(([name, check]) => check(value[name]));
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
