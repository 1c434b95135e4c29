// Every card that ends in an odd way (contract 15.3), in both forms of order, with the captures, refunds and cancels
// they are meant for: when all is settled our ledger agrees with itself, and with the bank's books.
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { Difference } from '../../src/payment/ledger/reconcile/compare.ts';
import { reconcile } from '../../src/payment/ledger/reconcile/reconcile.ts';
import { simulatorBooks } from '../../src/payment/ledger/reconcile/simulator.ts';
import { type Reply, textAt } from '../client.ts';
import { bankLater } from '../bank-clock.ts';
import { type World, world } from '../world.ts';
import { settled, verified } from './till.ts';

vi.setConfig({ hookTimeout: 180_000 });
let w: World;

const AUTHORIZATIONS = [
  '0000011',
  '0000029',
  '0000052',
  '0000045',
  '0000060',
  '0000078',
  '0000086',
  '0000110',
  '0000128',
  '0000136',
];
const TYPES = ['authorize', 'direct_capture'] as const;

let count = 0;
async function pay(card_number: string, operation_type: string): Promise<Reply> {
  const money = { operation_type, amount: '30.00', currency: 'EUR', order_merchant_id: `odd-${++count}` };
  return w.shop.order({ token: await w.shop.token({ card_number }), ...money }, { prefer: 'wait=1' });
}

const maintain = (kind: string, order: Reply, body: object = {}) =>
  w.shop.api(`/payment/maintenance/${kind}/${textAt(order, 'order_id')}`, { body, headers: { prefer: 'wait=1' } });

beforeAll(async () => {
  w = await world({ FLORIN_SIMULATOR_DEADLINE_S: '3' });
  // in turn, and with a good one after each: otherwise they would look like a provider that is down
  for (const ending of AUTHORIZATIONS)
    for (const type of TYPES) {
      await pay(`400000990${1_000_000 + Number(ending)}`, type);
      await pay('4242424242424242', type);
    }
  for (const card of ['4000009902000010', '4000009902000028', '4000009902000036', '4000009902000044'])
    for (const type of TYPES) {
      const order = await pay(card, type);
      if (type === 'authorize' || order.at('status') === 'capture_declined')
        await maintain('capture', order, { amount: '12' });
      if (card === '4000009902000010') await maintain('capture', order, { amount: '7', final: true });
    }
  for (const card of ['4000009903000019', '4000009903000027', '4000009903000035', '4000009903000043'])
    await maintain('refund', await pay(card, 'direct_capture'), { amount: '5' });
  for (const card of ['4000009904000018', '4000009904000026']) await maintain('cancel', await pay(card, 'authorize'));
  await pay('4000009902000051', 'authorize');
  const undecided = await pay('4000009901000110', 'authorize');
  await maintain('cancel', undecided);
  await bankLater(w, 61);
  await bankLater(w, 3600);
  await bankLater(w, 3 * 24 * 3600);
  await settled(w);
  // what is left of authorizations is looked at after this; then nothing is young any more
  await w.sql(`UPDATE payment.clock SET shift = '1 hour'`);
  await settled(w);
  await w.sql(`UPDATE payment.clock SET shift = '2 hours'`);
});
afterAll(() => w[Symbol.asyncDispose]());

test('the ledger agrees with every order, and with its history', async () => {
  expect(await verified(w)).toEqual({ first: undefined, counts: {} });
  const rows = await w.sql<{ posting: string }>(`SELECT DISTINCT posting FROM payment.ledger_entries ORDER BY 1`);
  expect(rows.map(({ posting }) => posting)).toEqual(['book', 'unbook']);
});

test("our operations agree with the bank's books", async () => {
  const { db, providers, sandbox } = w.service.tools;
  if (!sandbox) throw new Error('a sandbox has simulated providers');
  const found: Difference[] = [];
  const done = await reconcile({
    db,
    source: simulatorBooks(sandbox),
    in_flight: new Map([...providers].map(([name, { can }]) => [name, can.in_flight_s])),
    found: async (difference) => void found.push(difference),
    progress: () => undefined,
  });
  expect(found).toEqual([]);
  expect(done.young).toBe(0);
  expect(done.lines).toBeGreaterThan(50);
  const orders = await w.sql(`SELECT 1 FROM payment.orders`);
  expect(done.operations).toBeGreaterThan(orders.length);
});

test('an order that is still pending at the bank agrees too', async () => {
  const order = await pay('4000009901000110', 'direct_capture');
  expect(order.code).toBe('421080');
  const { db, sandbox } = w.service.tools;
  if (!sandbox) throw new Error('a sandbox has simulated providers');
  const all = { db, source: simulatorBooks(sandbox), in_flight: new Map<string, number>(), progress: () => undefined };
  const found: Difference[] = [];
  await reconcile({ ...all, found: async (difference) => void found.push(difference) });
  expect(found.filter(({ order_id }) => order_id === textAt(order, 'order_id'))).toEqual([]);
});
