// Whether an account can live in a database of its own (docs/design/scale.md 3): every statement that a payment makes says whose it is, and
// those that do not are known by name, with the reason.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { preparedStatements } from '../../src/kit/database.ts';
import { textAt } from '../client.ts';
import { type World, world } from '../world.ts';

/** Run once in each shard, or before it is known whose a request is. */
const ANY_ACCOUNT: Readonly<Record<string, string>> = {
  analyze_payment: 'statistics are of whole tables',
  payment_beat: 'a process works for all accounts',
  payment_exchange_counts: 'who is counted has shown no key yet',
  payment_leave: 'a process works for all accounts',
  find_key_check: "the key is the zone's, and the same in each shard",
  keep_key_check: "the key is the zone's, and the same in each shard",
  keep_authenticator_secret: "the secret is the zone's",
  read_clock: 'one clock for all; it stays at 0 in production',
  claim_probes: "a provider's health is everybody's: once in each shard",
  find_open_providers: "a provider's health is everybody's: once in each shard",
  follow_orders: 'the queue of the search, once in each shard',
  find_job: 'how far a job is, once in each shard',
  move_job: 'how far a job is, once in each shard',
  keep_request_log: 'days are made and dropped for all accounts of a shard',
  write_request_log: 'what a process has gathered, each page under its own account',
  forget_reports: 'rows are deleted by their age, in each shard',
  forget_dispute_evidence: 'rows are deleted by their age, in each shard',
  forget_sightings: 'rows are deleted by their age, in each shard',
  forget_keys: 'rows are deleted by their age, in each shard',
  expire_checkouts: 'the queue of checkouts, once in each shard',
  find_authorization_days: 'how long authorizations last, over all contracts of a shard',
};

let w: World;
beforeAll(async () => {
  w = await world();
});
afterAll(() => w[Symbol.asyncDispose]());

test('what a payment runs names its account, but for statements of the queues and of the zone', async () => {
  const checkout_id = await w.shop.checkout();
  const order = await w.shop.order({ checkout_id, token: await w.shop.token({ checkout_id }) }, { prefer: 'wait=10' });
  const order_id = textAt(order, 'order_id');
  for (const [kind, body] of [
    ['capture', { amount: '5' }],
    ['refund', { amount: '2' }],
  ] as const)
    expect((await w.shop.api(`/payment/maintenance/${kind}/${order_id}`, { body })).status).toBe(200);
  expect((await w.shop.read(order_id)).status).toBe(200);
  expect((await w.shop.api('/payment/order')).status).toBe(200);
  const ran = [...preparedStatements()].filter(([, { text }]) => text.includes('payment.'));
  const without = ran.filter(([, { text }]) => !/\bmerchant_account_id\b/.test(text.replace(/--[^\n]*/g, '')));
  expect(ran.length).toBeGreaterThan(20);
  expect(without.map(([name]) => name).filter((name) => !(name in ANY_ACCOUNT))).toEqual([]);
});

test('an id says the shard behind its moment: the first, while there is one', () => {
  const ids = Array.from({ length: 100 }, () => w.service.tools.chance.id());
  for (const id of ids) expect((parseInt(id.slice(8, 16), 16) >>> 12) & 0x3ff).toBe(0);
  expect(new Set(ids.map((id) => id.slice(13))).size).toBe(100);
});
