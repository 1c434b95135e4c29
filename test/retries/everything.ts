// One of every statement on later tries, and on what is in the way of a try, for the test that looks at each.
import { deferRetry, endRetry, moveRetry, noteHeld, postponeRetry } from '../../src/payment/order/retries/store.ts';
import { listEnded, listPlanned, sumRetries } from '../../src/payment/order/retries/list-store.ts';
import { isPaidElsewhere, lockReference } from '../../src/payment/order/accept/guarded-store.ts';
import { makeLaterTries } from '../../src/payment/order/accept/later.ts';
import { textAt } from '../client.ts';
import type { World } from '../world.ts';

export async function everyRetryStatement({ service: { tools, demo }, shop, sql }: World): Promise<void> {
  const merchant_account_id = demo?.merchant_account_id ?? '';
  const poor = { card_number: '4000000000009995', token_type: 'recurring' };
  const declined = await shop.pay(poor, { payment_channel: 'recurring', retry_policy: 'default' });
  const of = { merchant_account_id, order_id: textAt(declined, 'order_id') };
  await sql(`UPDATE payment.retries SET next_at = payment.now(), due_at = payment.now() WHERE state = 'waiting'`);
  const tries = makeLaterTries(tools);
  await tries.look(20);
  await tries.drain();
  const db = tools.db.tenant(merchant_account_id);
  await listPlanned(db, 1);
  await listEnded(db, { since: new Date(0), room: 1 });
  await sumRetries(db, new Date(0));
  const now = new Date();
  await tools.db.begin(merchant_account_id, async (tx) => {
    await moveRetry(tx, of, { policy: 'default', began_at: now, until: now, next_at: now, cause: 'funds' });
    await deferRetry(tx, of, now);
    await postponeRetry(tx, of, 60);
    await noteHeld(tx, of, { why: 'stopped', category: null, advice: null, who: 'later' });
    await endRetry(tx, of, { ending: 'stopped', from: ['waiting'] });
    await lockReference(tx, { ...of, order_merchant_id: 'another' });
    await isPaidElsewhere(tx, { ...of, order_merchant_id: 'another' });
  });
}
