// A cancel while the payer is asked (contract 8.3): nothing was sent to a provider, so the order ends at once and the
// payer's page dies. While directory or bank are asked it waits for their word: what follows from it is cancelled like
// anything else.
import { refuseDuplicate } from './plan.ts';
import { result } from '../../../core/results.ts';
import { type TenantRunner, withTransaction, violated } from '../../../kit/database.ts';
import type { Tools } from '../../tools.ts';
import { LOOK_AGAIN_MS, getOrder } from '../show/order-answer.ts';
import { type OrderFacts, lastTransaction } from '../facts/order-facts.ts';
import { openAuthentication, waitsForPayer } from '../facts/authentication-facts.ts';
import { type Cancel, cancelAuthentication } from './cancel-asking-store.ts';

type Wanted = Pick<Cancel, 'operation_merchant_id' | 'request_id' | 'key'> & {
  /** Done in the same commit, with the id of the cancel. */
  readonly also: ((tx: TenantRunner, operation_id: string) => Promise<void>) | undefined;
};

/** Longer than directory and bank are waited for. */
const PATIENCE_MS = 12_000;

/** The id of the cancel that was done. Undefined: the order has moved, and is to be looked at again. */
export async function cancelAsking(
  tools: Tools,
  order: OrderFacts,
  { also, ...wanted }: Wanted,
): Promise<string | undefined> {
  const asked = openAuthentication(order);
  if (!asked) return undefined;
  if (!waitsForPayer(asked)) {
    await untilKnown(tools, order);
    return undefined;
  }
  const id = tools.chance.id();
  const cancel = {
    ...wanted,
    id,
    order_id: order.id,
    transaction_id: lastTransaction(order).id,
    version: order.version,
    amount_minor: order.amount_minor,
    code: result('cancel_successful').code,
    ended: result('payer_left_authentication').code,
  };
  try {
    const done = also
      ? await withTransaction(tools.db, order.merchant_account_id, async (tx) => {
          const cancelled = await cancelAuthentication(tx, cancel);
          if (cancelled) await also(tx, id);
          return cancelled;
        })
      : await cancelAuthentication(tools.db.tenant(order.merchant_account_id), cancel);
    return done ? id : undefined;
  } catch (error) {
    if (violated(error) === 'own_reference_once') throw refuseDuplicate(order, 'cancel');
    throw error;
  }
}

async function untilKnown(tools: Tools, order: OrderFacts): Promise<void> {
  const until = tools.clock.ticks() + PATIENCE_MS;
  let known = order;
  while (openAuthentication(known)?.state === 'requested' && tools.clock.ticks() < until) {
    await tools.clock.sleep(LOOK_AGAIN_MS);
    known = await getOrder(tools, order.merchant_account_id, order.id);
  }
}
