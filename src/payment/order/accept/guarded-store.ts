// The additions to an accepting statement if the card's scheme sets limits, and the transaction in which such an
// attempt begins.
import type { Database, Runner } from '../../../kit/database.ts';
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
  readonly merchant_account_id: string;
  readonly order_id: string;
  readonly transaction_id: string;
  readonly request_id: string | null;
};

/**
 * The attempt in one transaction with the authentication that comes before its authorization; behind the lock on its
 * card where no payer would send it again: the statement sees what those before it left.
 */
export function withMore(
  db: Database,
  { authentication, guard, merchant_account_id, order_id, transaction_id, request_id }: WithMore,
  accept: (runner: Runner) => Promise<Begun>,
): Promise<Begun> {
  return db.begin(merchant_account_id, async (tx) => {
    if (guard?.opens === true) await lockCard(tx, merchant_account_id, guard.card);
    const begun = await accept(tx);
    if (begun === 'begun' && authentication)
      await insertAuthentication(tx, { ...authentication, merchant_account_id, order_id, transaction_id, request_id });
    return begun;
  });
}
