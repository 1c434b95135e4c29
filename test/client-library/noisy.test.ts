// Payments over a line that loses, cuts, delays and repeats: each is charged once and refunded once, whatever the
// merchant saw of it, and what the client says in the end is what stands in the provider's books.
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  type Clock,
  Florin,
  type OperationOutcome,
  type OrderAnswer,
  type PaymentOutcome,
  type Waitable,
} from '../../client/src/florin.ts';
import { GOOD_CARD } from '../client.ts';
import { type World, world } from '../world.ts';
import { openVault } from '../../client/src/vault.ts';
import { type Trouble, openNoisyLine } from './noisy-line.ts';

let w: World;
beforeAll(async () => {
  w = await world();
});
afterAll(() => w[Symbol.asyncDispose]());

const SEEDS = process.env['FLORIN_TEST_CLIENT'] === undefined ? [1] : [1, 2, 3, 4, 5, 6, 7, 8];
const PAYMENTS = 8;
/** Pauses of a millisecond; the guard of a try stays what it is. */
const QUICK: Clock = {
  now: () => performance.now(),
  random: () => 0.5,
  after: (milliseconds, run) => {
    const timer = setTimeout(run, milliseconds > 9000 ? milliseconds : 1);
    return () => clearTimeout(timer);
  },
};

/** Until it is known: what a merchant's program does that never gives up. */
async function decided(outcome: Waitable<OrderAnswer>): Promise<PaymentOutcome> {
  return outcome.kind === 'pending' || outcome.kind === 'in_doubt' ? decided(await outcome.repeat()) : outcome;
}

async function ended<T>(outcome: OperationOutcome<T>): Promise<OperationOutcome<T>> {
  return outcome.kind === 'pending' || outcome.kind === 'in_doubt' ? ended(await outcome.repeat()) : outcome;
}

test.each(SEEDS)('seed %i: nothing is charged, captured or refunded twice', async (seed) => {
  await using api = await openNoisyLine({ target: w.service.addresses.base_url, seed, bad: 7 });
  await using vault_line = await openNoisyLine({ target: w.service.addresses.vault_url, seed: seed + 1000 });
  const defaults = { attempts: 2 };
  const florin = new Florin({ base_url: api.origin, key: w.keys.private_key, clock: QUICK, defaults });
  const plain = new Florin({ base_url: w.service.addresses.base_url, key: w.keys.private_key });
  const vault = openVault({
    vault_url: vault_line.origin,
    key: w.keys.public_key,
    clock: QUICK,
    defaults: { attempts: 60 },
  });
  let doubts = 0;
  const seen = <T extends { readonly kind: string }>(outcome: T): T => {
    if (outcome.kind === 'in_doubt') doubts += 1;
    return outcome;
  };
  const one = async (count: number) => {
    const order_merchant_id = `noisy-${seed}-${count}`;
    const { token } = await vault.tokenize(GOOD_CARD);
    const ways = ['direct_capture', 'authorize'] as const;
    const operation_type = ways[count % 2] ?? 'authorize';
    const request = { token, operation_type, amount: '42.50', currency: 'EUR', order_merchant_id };
    const outcome = await decided(seen(await florin.orders.create(request, { wait_seconds: 5 })));
    expect(outcome).toMatchObject({ kind: 'approved', captured: operation_type === 'direct_capture' });
    const order_id = outcome.order_id ?? '';
    if (operation_type === 'authorize') {
      expect((await ended(seen(await florin.orders.capture(order_id, { amount: '30.00' })))).kind).toBe('done');
    }
    const refunds = await Promise.all(
      ['1.00', '2.00'].map((amount) => florin.orders.refund(order_id, { amount }).then(seen).then(ended)),
    );
    expect(refunds.map(({ kind }) => kind)).toEqual(['done', 'done']);

    const entries = [];
    for await (const entry of plain.sandbox.books({ order_merchant_id })) entries.push(entry);
    const booked = entries.map(({ kind, amount, effects }) => [kind, Number(amount), effects].join(' ')).toSorted();
    const taken = operation_type === 'authorize' ? 'capture 30 1' : 'capture 42.5 1';
    expect([order_merchant_id, booked]).toEqual([
      order_merchant_id,
      ['authorize 42.5 1', taken, 'refund 1 1', 'refund 2 1'],
    ]);
    const orders = [];
    for await (const order of plain.orders.list({ order_merchant_id })) orders.push(order.order_id);
    expect(orders).toEqual([order_id]);
  };
  await Promise.all(Array.from({ length: PAYMENTS }, (_, count) => one(count)));
  // the line was as bad as it says, and something was in doubt by it
  const never = Object.entries(api.seen).filter(([, count]) => count === 0);
  expect(never.map(([name]) => name as Trouble)).toEqual([]);
  expect(doubts).toBeGreaterThan(0);
});
