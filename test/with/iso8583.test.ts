// Money over lines of ISO 8583, through the public API: after each story our books equal the acquirer's.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type AtAcquirer, type Books, idOf, openAcquirerWorld } from './acquirer.ts';

let at: AtAcquirer;
beforeAll(async () => {
  at = await openAcquirerWorld();
});
afterAll(() => at[Symbol.asyncDispose]());

async function expectBooks(order_id: string, wanted: Books): Promise<void> {
  expect({ ours: await at.ours(order_id), theirs: await at.theirs(order_id) }).toEqual({ ours: wanted, theirs: wanted });
  expect(await at.ledgerIsRight()).toBe(true);
}

test('an order is held, captured in two parts, the last of which releases the rest, and refunded', async () => {
  const paid = await at.pay();
  expect([paid.code, paid.at('payin_partner')]).toEqual(['944444', 'iso8583']);
  const order_id = idOf(paid);
  await expectBooks(order_id, { held: 2500, captured: 0, refunded: 0 });
  console.log(paid.text);
  console.log((await at.maintain('capture', order_id, { amount: '10.00' })).text);
  await expectBooks(order_id, { held: 1500, captured: 1000, refunded: 0 });
  console.log((await at.maintain('capture', order_id, { amount: '5.00', final: true })).text);
  await expectBooks(order_id, { held: 0, captured: 1500, refunded: 0 });
  console.log((await at.maintain('refund', order_id, { amount: '4.00' })).text);
  await expectBooks(order_id, { held: 0, captured: 1500, refunded: 400 });
  expect(await at.messages(order_id)).toEqual(['0100', '0220', '0220', '0200']);
});
