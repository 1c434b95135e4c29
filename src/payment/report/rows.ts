// The rows of each kind of report: the columns, and where they come from, read in portions however many there are.
import { FAMILY_WORDS, familyOf } from '../../core/dispute/reasons.ts';
import { DAY_MS, HOUR_MS } from '../../core/durations.ts';
import { LOWEST_ID, idAt } from '../../core/ids.ts';
import { moneyText } from '../../core/money.ts';
import type { Origins } from '../../core/origin/origins.ts';
import { localText } from '../../core/zone.ts';
import type { TenantRunner } from '../../kit/database.ts';
import { tookTooLong } from '../../kit/database/errors.ts';
import { ExactNumber } from '../../kit/sheet/exact.ts';
import type { Cell } from '../../kit/sheet/xlsx.ts';
import { ORDER_COLUMNS, orderCells } from '../order/search/cells.ts';
import { type OrderRow, exportOrders } from '../order/search/rows.ts';
import { type Cost, costsOf } from './costs.ts';
import {
  type BookingPlace,
  type BookingRow,
  type DisputeRow,
  type OperationRow,
  listBookings,
  listDisputesOfSpan,
  listOperations,
} from './rows-store.ts';
import type { Kind } from './store.ts';

export type Asked = { readonly kind: Kind; readonly from: Date; readonly to: Date; readonly zone: string };
export type Table = {
  readonly columns: readonly string[];
  readonly rows: AsyncIterable<readonly (readonly Cell[])[]>;
};

const PORTION = 1000;
const SHORTEST_MS = 60_000;

type Db = { readonly db: TenantRunner; readonly origins: Pick<Origins, 'cardOf'> };

export function tableOf({ db, origins }: Db, asked: Asked): Table {
  const { kind, zone } = asked;
  const costs = costsOf(db, origins);
  switch (kind) {
    case 'orders':
      return {
        columns: ['order_id', ...ORDER_COLUMNS, ...ESTIMATED, ...SETTLED],
        rows: rowsOf(ordersOf(db, asked), async (portion) => {
          const known = await costs.ofOrders(portion);
          return portion.map((row) => {
            const cost = known.get(row.id) ?? UNKNOWN;
            return [
              ...orderCells(row, (time) => localText(time, zone)),
              estimatedCell(row, cost),
              ...settledCells(cost),
            ];
          });
        }),
      };
    case 'captures':
    case 'refunds': {
      const is_captures = kind === 'captures';
      return {
        columns: [...Object.keys(OPERATION), ...(is_captures ? ESTIMATED : []), ...SETTLED],
        rows: rowsOf(operationsOf(db, asked), async (portion) => {
          const known = await costs.ofOperations(portion);
          return portion.map((row, i) => {
            const cost = known[i] ?? UNKNOWN;
            const estimated = is_captures ? [estimatedCell(row, cost)] : [];
            return [...cellsOf(OPERATION, row, zone), ...estimated, ...settledCells(cost)];
          });
        }),
      };
    }
    case 'disputes':
      return {
        columns: Object.keys(DISPUTE),
        rows: rowsOf(disputesOf(db, asked), async (portion) => portion.map((row) => cellsOf(DISPUTE, row, zone))),
      };
    case 'bookings':
      return {
        columns: Object.keys(BOOKING),
        rows: rowsOf(bookingsOf(db, asked), async (portion) => portion.map((row) => cellsOf(BOOKING, row, zone))),
      };
  }
}

async function* rowsOf<T>(
  portions: AsyncIterable<readonly T[]>,
  rowsIn: (portion: readonly T[]) => Promise<readonly Cell[][]>,
) {
  for await (const portion of portions) yield await rowsIn(portion);
}

const UNKNOWN: Cost = { estimated_minor: null, settled: null };
/** Columns in the currency of the row. */
const ESTIMATED = ['fee_estimated'];
/** Columns of a provider's fee, which may be in another currency than the row. */
const SETTLED = ['fee_settled', 'fee_settled_currency'];

const estimatedCell = ({ currency }: { readonly currency: string }, { estimated_minor }: Cost): Cell =>
  estimated_minor === null ? null : moneyText(estimated_minor, currency);

function settledCells({ settled }: Cost): Cell[] {
  if (!settled) return [null, null];
  const { fee_minor, currency } = settled;
  return [new ExactNumber(signedMoneyText(fee_minor, currency)), currency];
}

/** Amounts that were given back are below zero. */
const signedMoneyText = (minor: bigint, currency: string) =>
  minor < 0n ? `-${moneyText(-minor, currency)}` : moneyText(minor, currency);

function ordersOf(db: TenantRunner, { from, to }: Asked): AsyncIterable<readonly OrderRow[]> {
  return exportOrders(db, { created_from: from, created_to: to });
}

function operationsOf(db: TenantRunner, asked: Asked): AsyncIterable<readonly OperationRow[]> {
  const kind = asked.kind === 'captures' ? 'capture' : 'refund';
  return spanBySpan(asked, (from, to, last: OperationRow | undefined) =>
    listOperations(db, {
      kind,
      low: idAt(from.getTime()),
      high: idAt(to.getTime()),
      after: last?.id ?? LOWEST_ID,
      room: PORTION,
    }),
  );
}

async function* disputesOf(db: TenantRunner, { from, to }: Asked): AsyncGenerator<readonly DisputeRow[]> {
  const high = idAt(to.getTime());
  for (let low = idAt(from.getTime()); ;) {
    const found = await listDisputesOfSpan(db, { low, high, room: PORTION + 1 });
    if (found.length > 0) yield found.slice(0, PORTION);
    const next = found.at(PORTION)?.id;
    if (next === undefined) return;
    low = next;
  }
}

const NO_BOOKING: BookingPlace = { source_id: LOWEST_ID, posting: 'book', line: 0 };

async function* bookingsOf(db: TenantRunner, asked: Asked): AsyncGenerator<readonly BookingRow[]> {
  const portions = spanBySpan(asked, (from, to, last: BookingRow | undefined) =>
    listBookings(db, { from, to, after: last ?? NO_BOOKING, room: PORTION }),
  );
  for await (const portion of portions) yield portion.toSorted((one, other) => one.at.getTime() - other.at.getTime());
}

/**
 * Rows that are found by their time, and within a span in the order of their key: where there is little a day at once,
 * where there is much, an hour, halved while that is too many; in the shortest span portion by portion.
 */
async function* spanBySpan<T>(
  { from, to }: Pick<Asked, 'from' | 'to'>,
  read: (from: Date, to: Date, last: T | undefined) => Promise<readonly T[]>,
): AsyncGenerator<readonly T[]> {
  let [span, longest] = [HOUR_MS, DAY_MS];
  for (let at = from.getTime(); at < to.getTime();) {
    const end = Math.min(at + span, to.getTime());
    const [begins, ends] = [new Date(at), new Date(end)];
    const found = await read(begins, ends, undefined).catch((error: unknown) => {
      // the database reads the span of all accounts, and there may be too many of the others
      if (!tookTooLong(error) || span <= HOUR_MS) throw error;
      longest = HOUR_MS;
    });
    if (!found || (found.length === PORTION && span > SHORTEST_MS)) {
      span = Math.min(HOUR_MS, Math.max(SHORTEST_MS, Math.trunc(span / 2)));
      continue;
    }
    for (let portion = found; portion.length > 0;) {
      yield portion;
      const last = portion.length < PORTION ? undefined : portion.at(-1);
      portion = last ? await read(begins, ends, last) : [];
    }
    span = found.length < PORTION / 4 ? Math.min(longest, span * 2) : span;
    at = end;
  }
}

/** The columns of a row, in their order, each with its cell. */
type Columns<Row> = Readonly<Record<string, (row: Row, local: LocalText) => Cell>>;
type LocalText = (time: Date | null) => string | null;

function cellsOf<Row>(columns: Columns<Row>, row: Row, zone: string): Cell[] {
  const local = (time: Date | null) => time && localText(time, zone);
  return Object.values(columns).map((cell) => cell(row, local));
}

const OPERATION: Columns<OperationRow> = {
  operation_id: (row) => row.id,
  order_id: (row) => row.order_id,
  order_merchant_id: (row) => row.order_merchant_id,
  operation_merchant_id: (row) => row.operation_merchant_id,
  requested_at: (row, local) => local(row.created_at),
  settled_at: (row, local) => local(row.settled_at),
  state: (row) => row.state,
  code: (row) => row.code,
  amount: (row) => moneyText(row.amount_minor, row.currency),
  currency: (row) => row.currency,
  provider: (row) => row.provider,
  provider_reference: (row) => row.provider_ref,
  origin: (row) => row.origin,
};

const DISPUTE: Columns<DisputeRow> = {
  dispute_id: (row) => row.id,
  order_id: (row) => row.order_id,
  order_merchant_id: (row) => row.order_merchant_id,
  opened_at: (row, local) => local(row.opened_at),
  amount: (row) => moneyText(row.amount_minor, row.currency),
  currency: (row) => row.currency,
  state: (row) => row.state,
  reason_code: (row) => row.reason_code,
  reason: (row) => row.reason,
  meaning: (row) => FAMILY_WORDS[familyOf(row)].title,
  due_at: (row, local) => local(row.due_at),
  answered_at: (row, local) => local(row.answered_at),
  answered_as: (row) => row.answered_as,
  changed_at: (row, local) => local(row.updated_at),
  provider: (row) => row.provider,
  provider_reference: (row) => row.reference,
};

/** By the account that was booked against: what was booked, and what it is called where it was taken back. */
const BOOKINGS: Readonly<Record<string, Readonly<Record<BookingRow['posting'], string>>>> = {
  merchant_payable: { book: 'capture', unbook: 'capture_failed' },
  refunds: { book: 'refund', unbook: 'refund_failed' },
  chargebacks: { book: 'chargeback', unbook: 'chargeback_won' },
};

const BOOKING: Columns<BookingRow> = {
  booked_at: (row, local) => local(row.at),
  booking: ({ account, posting }) => BOOKINGS[account]?.[posting] ?? account,
  amount: ({ adds, amount_minor, currency }) =>
    new ExactNumber(signedMoneyText(adds ? amount_minor : -amount_minor, currency)),
  currency: (row) => row.currency,
  order_id: (row) => row.order_id,
  order_merchant_id: (row) => row.order_merchant_id,
  operation_id: (row) => row.source_id,
  operation_merchant_id: (row) => row.operation_merchant_id,
  requested_at: (row, local) => local(row.asked_at),
  provider: (row) => row.provider,
  provider_reference: (row) => row.provider_ref,
};
