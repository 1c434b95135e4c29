// The costs of payments, for reports: worked out from the fees that the merchant stated for the day of each attempt,
// and as the providers' settlement reports say. Null if unknown, never 0.
import type { Origins } from '../../core/origin/origins.ts';
import { dayOf } from '../../core/retries/day.ts';
import { type FeeRow, feeMinor, feeOf, percentMinor } from '../../core/routing/fees.ts';
import type { TenantRunner } from '../../kit/database.ts';
import { feesByDay } from '../routing/fees.ts';
import { type CostAttempt, type OperationRow, type SettledRow, findCostAttempts, findSettled } from './rows-store.ts';

/** The fee that was taken, in the currency of the provider's balance. */
export type Settled = { readonly fee_minor: bigint; readonly currency: string };

export type Cost = {
  /** In minor units of the payment's currency. */
  readonly estimated_minor: bigint | null;
  readonly settled: Settled | null;
};

type Order = { readonly id: string; readonly currency: string; readonly captured_minor: bigint };

export type Costs = {
  /** The costs of orders, by the order's id. */
  ofOrders(orders: readonly Order[]): Promise<ReadonlyMap<string, Cost>>;
  /** In their order. */
  ofOperations(operations: readonly OperationRow[]): Promise<readonly Cost[]>;
};

/** Reads what was stated of each day once. */
export function costsOf(db: TenantRunner, origins: Pick<Origins, 'cardOf'>): Costs {
  const on = feesByDay(db);
  const rowOf = async ({ contract_id, scheme, tried_at, first6, last4 }: Tried, currency: string) => {
    const stated = (await on(dayOf(tried_at))).find((one) => one.contract_id === contract_id);
    const { country: card_country, funding } = origins.cardOf({ first6, last4 });
    return stated && feeOf(stated, { currency, scheme, card_country, funding });
  };
  return {
    ofOrders: async (orders) => {
      const ids = orders.map(({ id }) => id);
      const [attempts, settled] = await Promise.all([findCostAttempts(db, ids), findSettled(db, ids)]);
      const [tried, taken] = [grouped(attempts), grouped(settled)];
      const costs = await Promise.all(
        orders.map(async (order) => {
          const own = tried.get(order.id) ?? [];
          const rows = await Promise.all(own.map((one) => rowOf(one, order.currency)));
          const estimated_minor = estimateOf(order, own, rows);
          return [order.id, { estimated_minor, settled: settledOf(taken.get(order.id) ?? []) }] as const;
        }),
      );
      return new Map(costs);
    },
    ofOperations: (operations) =>
      Promise.all(
        operations.map(async (one) => ({
          estimated_minor: one.is_capture ? estimateOfCapture(one, await rowOf(one, one.currency)) : null,
          settled: settledOf([one]),
        })),
      ),
  };
}

type Tried = Pick<CostAttempt, 'contract_id' | 'scheme' | 'tried_at' | 'first6' | 'last4'>;

const grouped = <T extends { readonly order_id: string }>(rows: readonly T[]): ReadonlyMap<string, readonly T[]> =>
  Map.groupBy(rows, ({ order_id }) => order_id);

/**
 * The estimated fees of every attempt that was sent; for the one that was paid, with the fees of its captures so far.
 */
function estimateOf(
  { currency, captured_minor }: Order,
  attempts: readonly CostAttempt[],
  rows: readonly (FeeRow | undefined)[],
): bigint | null {
  let sum: bigint | null = null;
  for (const [i, { state, won }] of attempts.entries()) {
    if (state === null || state === 'not_sent') continue;
    const row = rows[i];
    // what is not decided may still cost, or not
    if (row === undefined || (state !== 'successful' && state !== 'declined')) return null;
    const approved_minor = state === 'declined' ? undefined : won ? captured_minor : 0n;
    sum = (sum ?? 0n) + feeMinor(row, { currency, approved_minor });
  }
  return sum;
}

/**
 * The estimated fees of a capture: fees that fall due once come with the first capture of an attempt; fees of other
 * attempts belong to the order.
 */
function estimateOfCapture(
  { state, currency, amount_minor, is_first }: OperationRow,
  row: FeeRow | undefined,
): bigint | null {
  if (row === undefined || state !== 'successful') return null;
  return is_first ? feeMinor(row, { currency, approved_minor: amount_minor }) : percentMinor(row, amount_minor);
}

/** Null unless the fee of each movement was read, and all are in one currency. */
function settledOf(movements: readonly Pick<SettledRow, 'fee_minor' | 'fee_currency'>[]): Settled | null {
  const currency = movements[0]?.fee_currency ?? null;
  let sum = 0n;
  for (const { fee_minor, fee_currency } of movements) {
    if (fee_minor === null || fee_currency !== currency) return null;
    sum += fee_minor;
  }
  return currency === null ? null : { fee_minor: sum, currency };
}
