// Every answer that tells of an order says the same of it: the one that made it, its repeat, a row of a list, a read.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { outcomeOf } from '../../client/src/florin.ts';
import { GOOD_CARD } from '../client.ts';
import { operationsOf, says } from '../doubt/said.ts';
import { holdRecovery } from '../undecided.ts';
import { type World, world } from '../world.ts';
import { type Merchant, SALE, cart, merchantAt, orderOf } from './merchant.ts';

let w: World;
let florin: Merchant['florin'];
let vault: Merchant['vault'];
let pay: Merchant['pay'];
beforeAll(async () => {
  w = await world();
  ({ florin, vault, pay } = merchantAt(w));
});
afterAll(() => w[Symbol.asyncDispose]());

async function listed(order_id: string) {
  for await (const order of florin.orders.list()) if (order.order_id === order_id) return outcomeOf(order);
  return undefined;
}

test('a payment whose outcome is being found out is in doubt wherever it is asked for', async () => {
  const goOn = await holdRecovery(w);
  // the bank takes the money, and its answer is lost
  const made = await pay('4000009901000045', {}, 1);
  expect(made).toMatchObject({ kind: 'in_doubt' });
  const order_id = orderOf(made);
  expect(await made.repeat()).toMatchObject({ kind: 'in_doubt', order_id });
  expect(await listed(order_id)).toMatchObject({ kind: 'in_doubt', order_id });
  expect(await florin.orders.outcome(order_id)).toMatchObject({ kind: 'in_doubt', order_id });
  await goOn();
});

test('a decline that the bank contradicts later is doubt, and no decline, in a repeat and in a list', async () => {
  const { token } = await vault.tokenize({ ...GOOD_CARD, card_number: '4000000000000002' });
  const request = { ...SALE, ...cart(), operation_type: 'authorize', token } as const;
  const ask = (wait_seconds: number) =>
    florin.orders.create(request, { idempotency_key: 'contradicted', wait_seconds });
  const made = await ask(20);
  expect(made).toMatchObject({ kind: 'declined' });
  const order_id = orderOf(made);
  // the money that the bank holds after all is not given back yet
  await florin.sandbox.armScenario({ operation: 'cancel', fault: 'http_500_before', times: 100, match: { order_id } });
  const [reference = ''] = await operationsOf(w, order_id, 'authorize');
  await says(w, { order_id, reference, kind: 'authorize', status: 'approved', amount: 4250, code: '944444' });
  expect((await florin.orders.read(order_id)).is_in_doubt).toBe(true);
  expect(await ask(0)).toMatchObject({ kind: 'in_doubt', order_id });
  expect(await listed(order_id)).toMatchObject({ kind: 'in_doubt', order_id });
});

test('a payment whose capture failed is held wherever it is asked for, and a sale whose capture failed is none', async () => {
  const made = await pay('4000009902000010', { operation_type: 'authorize' });
  const order_id = orderOf(made);
  expect(await florin.orders.capture(order_id)).toMatchObject({ kind: 'declined', code: '521288' });
  const held = { kind: 'approved', captured: false };
  expect(await florin.orders.outcome(order_id)).toMatchObject(held);
  expect(await made.repeat()).toMatchObject(held);
  expect(await listed(order_id)).toMatchObject(held);
  const sale = await pay('4000009902000010');
  expect(sale).toMatchObject({ kind: 'declined', still_held: true });
  expect(await listed(orderOf(sale))).toMatchObject({ kind: 'declined', still_held: true });
});

test.each([
  ['of Visa', '4000009908000014'],
  ['of Mastercard', '5300000000000204'],
])('a card that the rules %s forbid to try again is not to be tried again, whatever the code says', async (_, card) => {
  const made = await pay(card);
  expect(made).toMatchObject({ kind: 'declined', code: '420188', same_card_may_be_tried: false });
  const order_id = orderOf(made);
  expect(await florin.orders.outcome(order_id)).toMatchObject({ kind: 'declined', same_card_may_be_tried: false });
});
