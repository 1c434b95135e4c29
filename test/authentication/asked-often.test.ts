// The 3-D Secure server is everybody's: one payer's page, however often it is looked at, does not use it up.
import { expect, test } from 'vitest';
import { lookAgain } from '../../src/payment/order/accept/conclude.ts';
import { findOrder } from '../../src/payment/order/facts/order-store.ts';
import type { Tools } from '../../src/payment/tools.ts';
import { textAt } from '../client.ts';
import { world } from '../world.ts';
import { actAt, redirectOf, toBank } from './payer.ts';

test('a page that is looked at again and again asks the server a hundred times a minute at most, and its payer goes on', async () => {
  await using w = await world();
  const accept_url = 'https://shop.example/back?ok=1';
  const paying = await w.shop.pay(
    { card_number: '4000002760003184' },
    { authentication_indicator: 'ask_3ds', accept_url },
  );
  const bank = await toBank(redirectOf(paying));
  const { tools } = w.service;
  const order = await findOrder(tools.db.tenant(w.account), textAt(paying, 'order_id'));
  const [authentication] = order?.authentications ?? [];
  if (!order || !authentication) throw new Error('the payer is asked for');
  let asked = 0;
  const direct: Tools['direct'] = async () => {
    asked++;
    return { outcome: 'not_sent', reason: 'refused' };
  };
  for (let looks = 0; looks < 500; looks++) await lookAgain({ ...tools, direct }, { order, authentication });
  expect(asked).toBeGreaterThan(40);
  expect(asked).toBeLessThanOrEqual(100);
  // our page waits for the bank's own word, which needs no look of ours
  await actAt(bank, { code: '1234' });
  const decided = await w.shop.decided(textAt(paying, 'order_id'));
  expect(decided.at('status')).toBe('capture_successful');
});
