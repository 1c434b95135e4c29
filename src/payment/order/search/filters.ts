// The filters of a search for orders, and the meanings of a free text.
import { isId } from '../../../core/ids.ts';
import { CURRENCIES, withoutZeros } from '../../../core/money.ts';
import type { OrderStatus } from '../../../core/states.ts';
import { sha256 } from '../../../kit/crypto.ts';

/** All that are given must hold; a filter that is not there holds for every order. */
export type OrderFilters = {
  /**
   * The text of the one search box: an id (order, checkout, transaction, capture, refund), order_merchant_id,
   * customer_id, e-mail, last four digits, amount.
   */
  readonly text?: string;
  readonly order_merchant_id?: string;
  readonly checkout_id?: string;
  readonly customer_id?: string;
  /** Capitals do not matter. */
  readonly email?: string;
  readonly last4?: string;
  readonly statuses?: readonly OrderStatus[];
  /** Result codes of the present status. */
  readonly codes?: readonly string[];
  readonly currencies?: readonly string[];
  readonly provider?: string;
  readonly payment_method_name?: string;
  readonly operation_type?: string;
  readonly is_suspicious?: boolean;
  /** What became of the money (payment.outcome_of). */
  readonly outcome?: string;
  readonly in_doubt?: true;
  /** True: only orders with a dispute, however it stands. */
  readonly disputed?: true;
  /** In minor units of the order's currency, both ends included. */
  readonly amount_from?: bigint;
  readonly amount_to?: bigint;
  readonly created_from?: Date;
  /** Not included. */
  readonly created_to?: Date;
};

/** Someone who pays, as orders are found by: the hash of their e-mail, or of their customer_id where there is none. */
export type Person = { readonly by_email: boolean; readonly person: bigint };

/** A filter as the statements take it: an id of anything, or a person, instead of a text. */
export type SearchFilters = Omit<OrderFilters, 'text'> & { readonly any_id?: string; readonly person?: Person };

/** The meanings of a text; an order is found if it fits one of them. `people`: those whose words the text begins. */
export function meanings({ text, ...filters }: OrderFilters, people: readonly Person[] = []): readonly SearchFilters[] {
  const word = text?.trim() ?? '';
  if (word === '') return [filters];
  const named = people.map((person) => ({ person }));
  return [...asReference(word), ...asPerson(word), ...asAmount(word, filters), ...named].flatMap((meaning) =>
    clash(meaning, filters) ? [] : [{ ...filters, ...meaning }],
  );
}

function asReference(word: string): readonly SearchFilters[] {
  const id = word.toLowerCase();
  return [...(isId(id) ? [{ any_id: id }] : []), { order_merchant_id: word }];
}

function asPerson(word: string): readonly SearchFilters[] {
  return [
    { customer_id: word },
    ...(word.includes('@') ? [{ email: word }] : []),
    ...(/^\d{4}$/.test(word) ? [{ last4: word }] : []),
  ];
}

/** The amounts that a text may mean: the same digits are another amount in yen than in euro. */
function asAmount(word: string, filters: SearchFilters): readonly SearchFilters[] {
  const [, whole = '', fraction = ''] = /^(\d{1,13})(?:[.,](\d{1,4}))?$/.exec(word) ?? [];
  if (whole === '') return [];
  return [...Map.groupBy(CURRENCIES, ([, exponent]) => exponent)].flatMap(([exponent, members]) => {
    const needed = withoutZeros(fraction);
    const currencies = members.map(([code]) => code).filter((code) => filters.currencies?.includes(code) ?? true);
    if (needed.length > exponent || currencies.length === 0) return [];
    const minor = BigInt(whole + needed.padEnd(exponent, '0'));
    return [{ currencies, amount_from: minor, amount_to: minor }];
  });
}

/** A filter already says something else. */
function clash(meaning: SearchFilters, filters: SearchFilters): boolean {
  const { order_merchant_id, customer_id, email, last4, amount_from, amount_to, person } = meaning;
  const differs = (one: string | undefined, other: string | undefined) =>
    one !== undefined && other !== undefined && one !== other;
  const known = person?.by_email ? filters.email : filters.customer_id;
  return (
    (person !== undefined && known !== undefined && searchHash(known) !== person.person) ||
    differs(order_merchant_id, filters.order_merchant_id) ||
    differs(customer_id, filters.customer_id) ||
    differs(email, filters.email) ||
    differs(last4, filters.last4) ||
    (amount_from !== undefined && filters.amount_from !== undefined && amount_from < filters.amount_from) ||
    (amount_to !== undefined && filters.amount_to !== undefined && amount_to > filters.amount_to)
  );
}

/** True when an order is known by its place alone: the primary key gives the list. */
export function isOpen(wanted: SearchFilters): boolean {
  const { created_from: _from, created_to: _to, ...others } = wanted;
  return Object.values(others).every((value) => value === undefined);
}

/** The same hash as payment.search_hash: 64 bits of SHA-256, with the letters of ASCII in lower case. */
export function searchHash(word: string): bigint {
  const small = word.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
  return BigInt.asIntN(64, BigInt(`0x${sha256(small).slice(0, 16)}`));
}

export const MOST_MINOR = 10n ** 18n;

/** The amounts of one or more numbers of digits, all of them. */
export function isWholeBand({ amount_from: from = 0n, amount_to: to = MOST_MINOR }: SearchFilters): boolean {
  return from === firstWhole(from) && to === lastWhole(to);
}

/** The lowest amount of as many digits, at or above this one. */
function firstWhole(from: bigint): bigint {
  return from <= 1n ? from : 10n ** BigInt(String(from - 1n).length);
}

/** The highest amount of as many digits, at or below this one. */
function lastWhole(to: bigint): bigint {
  return to === MOST_MINOR ? to : 10n ** BigInt(String(to + 1n).length - 1) - 1n;
}

/**
 * A range of amounts in parts: classes tell amounts by their number of digits, so what is all of some numbers of digits
 * is found by class, and what is left at either end on its own, where few may fit, by the amount.
 */
export function bandsOf(wanted: SearchFilters): readonly SearchFilters[] {
  if (wanted.amount_from === undefined && wanted.amount_to === undefined) return [wanted];
  const [from, to] = [wanted.amount_from ?? 0n, wanted.amount_to ?? MOST_MINOR];
  const [first_whole, last_whole] = [firstWhole(from), lastWhole(to)];
  if (first_whole > last_whole) {
    // no number of digits is whole: one part, or two where a border lies between
    const border = 10n ** BigInt(String(from).length);
    return to < border
      ? [{ ...wanted, amount_from: from, amount_to: to }]
      : [
          { ...wanted, amount_from: from, amount_to: border - 1n },
          { ...wanted, amount_from: border, amount_to: to },
        ];
  }
  const parts = [
    [from, first_whole - 1n],
    [first_whole, last_whole],
    [last_whole + 1n, to],
  ] as const;
  return parts.flatMap(([low, high]) => (low <= high ? [{ ...wanted, amount_from: low, amount_to: high }] : []));
}
