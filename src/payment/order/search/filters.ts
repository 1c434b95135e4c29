// What orders can be searched by, and what a free text may mean.
import { isId } from '../../../core/ids.ts';
import { CURRENCIES } from '../../../core/money.ts';
import type { OrderStatus } from '../../../core/states.ts';
import { sha256 } from '../../../kit/crypto.ts';

/** All that are given must hold; a filter that is not there holds for every order. */
export type OrderFilters = {
  /** One box for everything: an id (order, checkout, transaction, capture, refund), order_merchant_id, customer_id, e-mail, last four, amount. */
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
  /** True: only orders of which an operation is in doubt. */
  readonly in_doubt?: true;
  /** In minor units of the order's currency, both ends included. */
  readonly amount_from?: bigint;
  readonly amount_to?: bigint;
  readonly created_from?: Date;
  /** Not included. */
  readonly created_to?: Date;
};

/** A filter as the statements take it: an id of anything, instead of a text. */
export type Wanted = Omit<OrderFilters, 'text'> & { readonly any_id?: string };

/** What the text may mean; an order is found when it fits one of these. */
export function meanings({ text, ...filters }: OrderFilters): readonly Wanted[] {
  const word = text?.trim() ?? '';
  if (word === '') return [filters];
  return [...asReference(word), ...asPerson(word), ...asAmount(word, filters)].flatMap((meaning) =>
    clash(meaning, filters) ? [] : [{ ...filters, ...meaning }],
  );
}

function asReference(word: string): readonly Wanted[] {
  const id = word.toLowerCase();
  return [...(isId(id) ? [{ any_id: id }] : []), { order_merchant_id: word }];
}

function asPerson(word: string): readonly Wanted[] {
  return [
    { customer_id: word },
    ...(word.includes('@') ? [{ email: word }] : []),
    ...(/^\d{4}$/.test(word) ? [{ last4: word }] : []),
  ];
}

/** The same digits are another amount in yen than in euro. */
function asAmount(word: string, filters: Wanted): readonly Wanted[] {
  const [, whole = '', fraction = ''] = /^(\d{1,13})(?:[.,](\d{1,4}))?$/.exec(word) ?? [];
  if (whole === '') return [];
  return [...Map.groupBy(CURRENCIES, ([, exponent]) => exponent)].flatMap(([exponent, members]) => {
    const needed = fraction.replace(/0+$/, '');
    const currencies = members.map(([code]) => code).filter((code) => filters.currencies?.includes(code) ?? true);
    if (needed.length > exponent || currencies.length === 0) return [];
    const minor = BigInt(whole + needed.padEnd(exponent, '0'));
    return [{ currencies, amount_from: minor, amount_to: minor }];
  });
}

/** A filter already says something else. */
function clash(meaning: Wanted, filters: Wanted): boolean {
  const { order_merchant_id, customer_id, email, last4, amount_from, amount_to } = meaning;
  const differs = (one: string | undefined, other: string | undefined) =>
    one !== undefined && other !== undefined && one !== other;
  return (
    differs(order_merchant_id, filters.order_merchant_id) ||
    differs(customer_id, filters.customer_id) ||
    differs(email, filters.email) ||
    differs(last4, filters.last4) ||
    (amount_from !== undefined && filters.amount_from !== undefined && amount_from < filters.amount_from) ||
    (amount_to !== undefined && filters.amount_to !== undefined && amount_to > filters.amount_to)
  );
}

/** True when an order is known by its place alone: the primary key gives the list. */
export function isOpen(wanted: Wanted): boolean {
  const { created_from: _from, created_to: _to, ...others } = wanted;
  return Object.values(others).every((value) => value === undefined);
}

/** As payment.search_hash has it: 64 bits of SHA-256, the letters of ASCII in small. */
export function searchHash(word: string): bigint {
  const small = word.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
  return BigInt.asIntN(64, BigInt(`0x${sha256(small).slice(0, 16)}`));
}
