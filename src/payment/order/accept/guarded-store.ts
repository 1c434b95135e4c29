// The additions to an accepting statement if the card's scheme sets limits, and the transaction in which an attempt
// begins if more must be in its commit.
import { type Database, type Runner, bytes } from '../../../kit/database.ts';
import type { Begun, Guard } from '../../declines/guard.ts';
import type { Held } from '../../declines/held.ts';
import { HELD, IS_FREE, openDecline } from '../../declines/parts-store.ts';
import { lockCard } from '../../declines/store.ts';
import { type NewAuthentication, insertAuthentication } from '../authentication/authentication-store.ts';

/**
 * Parts that keep the limits, or nothing: a statement that asks for none has the text it always had. `asked`: the part
 * whose row may begin; `may`: the part that says so instead.
 */
export function partsOf(guarded: boolean, asked: string) {
  if (!guarded) return { free: '', may: asked, open: '', or_held: '' };
  return {
    free: `${HELD},
     free AS (
       SELECT ${asked}.*
       FROM ${asked}
       WHERE ${IS_FREE}
     ),`,
    may: 'free',
    open: `${openDecline('attempt')},`,
    or_held: `UNION ALL
     SELECT 0, why FROM held WHERE why IS NOT NULL`,
  };
}

export type Answered = { readonly held: Held | null };

type WithMore = {
  readonly authentication: NewAuthentication | undefined;
  readonly guard: Guard | undefined;
  readonly unique: boolean;
  readonly merchant_account_id: string;
  readonly order_id: string;
  readonly order_merchant_id: string;
  readonly transaction_id: string;
  readonly request_id: string | null;
};

/**
 * The attempt in one transaction with the authentication that comes before its authorization. If no payer would send it
 * again, its card is locked first: the statement then sees what the attempts before it left. If its reference may be
 * paid once only, that is asked last: as soon as the attempt's row is there, no other order of the reference can go to
 * a provider.
 */
export function withMore(
  db: Database,
  { authentication, guard, unique, merchant_account_id, order_merchant_id, ...ids }: WithMore,
  accept: (runner: Runner) => Promise<Begun>,
): Promise<Begun> {
  const { order_id, transaction_id, request_id } = ids;
  const begin = async (tx: Runner): Promise<Begun> => {
    if (guard?.opens === true) await lockCard(tx, merchant_account_id, guard.card);
    const begun = await accept(tx);
    if (begun !== 'begun') return begun;
    if (unique) {
      await lockReference(tx, { merchant_account_id, order_merchant_id });
      if (await isPaidElsewhere(tx, { merchant_account_id, order_id, order_merchant_id }))
        throw new NotTaken('overtaken');
    }
    if (authentication)
      await insertAuthentication(tx, { ...authentication, merchant_account_id, order_id, transaction_id, request_id });
    return begun;
  };
  return db.begin(merchant_account_id, begin).catch(notTaken);
}

/** Ends the transaction of an attempt that does not begin after all: nothing of it may stay. */
export class NotTaken extends Error {
  readonly begun: Begun;
  constructor(begun: Begun) {
    super('the attempt does not begin');
    this.begun = begun;
  }
}

function notTaken(error: unknown): Begun {
  if (error instanceof NotTaken) return error.begun;
  throw error;
}

/**
 * A statement of its own: what is read behind it sees what the transaction before did. A payer at a provider's own page
 * is no order at its provider yet, and may be paid while this one begins.
 */
export async function lockReference(
  tx: Runner,
  { merchant_account_id, order_merchant_id }: Pick<WithMore, 'merchant_account_id' | 'order_merchant_id'>,
): Promise<void> {
  await tx.run('lock_reference', 'SELECT payment.lock_reference(:merchant_account_id, :order_merchant_id)', {
    merchant_account_id: bytes(merchant_account_id),
    order_merchant_id,
  });
}

/** Another order of the same reference has succeeded. */
export async function isPaidElsewhere(
  tx: Runner,
  {
    merchant_account_id,
    order_id,
    order_merchant_id,
  }: Pick<WithMore, 'merchant_account_id' | 'order_id' | 'order_merchant_id'>,
): Promise<boolean> {
  const rows = await tx.run(
    'is_paid_elsewhere',
    `SELECT 1
     FROM payment.orders
     WHERE merchant_account_id = :merchant_account_id
       AND order_merchant_id = :order_merchant_id
       AND id <> :order_id
       AND winner_id IS NOT NULL
     LIMIT 1`,
    { merchant_account_id: bytes(merchant_account_id), order_id: bytes(order_id), order_merchant_id },
  );
  return rows.length > 0;
}
