// Filters as parameters of the statements.
import { idAt } from '../../../core/ids.ts';
import { type Parameters, bytes } from '../../../kit/database.ts';
import { MOST_MINOR, type SearchFilters, searchHash } from './filters.ts';

/** An id is drawn a moment before the order's date. */
const DRAWN_BEFORE_MS = 5000;

export type Page = {
  /** Only orders with a lower id. */
  readonly before: string;
  readonly room: number;
};

/**
 * A range of ids for the range of dates: ids follow time. What is near its older end is looked at once more by date.
 */
export function pageParameters(merchant_account_id: string, wanted: SearchFilters, { before, room }: Page): Parameters {
  const { created_from, created_to } = wanted;
  const to = created_to && idAt(created_to.getTime());
  return {
    merchant_account_id: bytes(merchant_account_id),
    after: bytes(created_from ? idAt(created_from.getTime() - DRAWN_BEFORE_MS) : ''),
    before: bytes(to !== undefined && to < before ? to : before),
    room,
  };
}

export function classParameters(wanted: SearchFilters): Parameters {
  const [lowest, highest] = amounts(wanted);
  return {
    statuses: wanted.statuses ?? null,
    codes: wanted.codes ?? null,
    currencies: wanted.currencies ?? null,
    provider: wanted.provider ?? null,
    payment_method_name: wanted.payment_method_name ?? null,
    operation_type: wanted.operation_type ?? null,
    is_suspicious: wanted.is_suspicious ?? null,
    outcome: wanted.outcome ?? null,
    fewest_digits: String(lowest).length,
    most_digits: String(highest).length,
  };
}

export function rowParameters(wanted: SearchFilters): Parameters {
  const [lowest, highest] = amounts(wanted);
  return {
    lowest,
    highest,
    ...personKeys(wanted),
    last4: wanted.last4 === undefined ? null : Number(wanted.last4),
  };
}

/** The hashes of the customer and the e-mail that are asked for. */
export function personKeys({ customer_id, email, person }: SearchFilters) {
  const hashOf = (text: string | undefined) => (text === undefined ? null : searchHash(text));
  return {
    customer: person?.by_email === false ? person.person : hashOf(customer_id),
    email: person?.by_email === true ? person.person : hashOf(email),
  };
}

function amounts({ amount_from, amount_to }: SearchFilters): readonly [bigint, bigint] {
  return [amount_from ?? 0n, amount_to ?? MOST_MINOR];
}
