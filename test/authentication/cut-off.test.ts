// Authentications that are cut off: a process dies, the directory hangs, messages come twice or never. No money is
// moved before the order says so, and nothing is left behind.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { textAt, until } from '../client.ts';
import { type World, world } from '../world.ts';
import { actAt, authenticates, redirectOf, toBank } from './payer.ts';

let w: World;
beforeAll(async () => {
  w = await world({ FLORIN_SIMULATOR_DEADLINE_S: '1' });
});
afterAll(() => w[Symbol.asyncDispose]());

const ASK = { authentication_indicator: 'ask_3ds' };
const CHALLENGE = { card_number: '4000002760003184' };

const arm = (scenario: object) =>
  w.shop.api('/sandbox/scenario', { body: { operation: 'authentication', ...scenario } });

test('a directory that hangs is not waited for', async () => {
  await arm({ fault: 'timeout_not_taken', times: 1 });
  const reply = await w.shop.pay({}, ASK);
  expect([reply.code, reply.at('authentication_result')]).toEqual(['955555', 'not_available']);
});

test.each(['garbage', 'http_500_after', 'drop_before', 'refuse_connection'])(
  '%s under force_3ds ends the order before any money',
  async (fault) => {
    await arm({ fault, times: 2 });
    const reply = await w.shop.pay({}, { authentication_indicator: 'force_3ds' });
    expect(reply.at('status')).toBe('authentication_declined');
    expect(['320310', '320088']).toContain(reply.code);
    const books = await w.shop.api(`/sandbox/provider/books?order_id=${textAt(reply, 'order_id')}`);
    expect(books.at('entries')).toEqual([]);
    await w.shop.api('/sandbox/scenario', { method: 'DELETE' });
  },
);

test('an authentication whose process died is taken up by the worker', async () => {
  const { tools } = w.service;
  const { order_id, transaction_id, letGo } = await left(w, tools.chance.bytes(32).toString('hex'));
  const read = await until(async () => {
    const seen = await w.shop.read(order_id);
    return seen.at('status') === 'capture_successful' ? seen : undefined;
  });
  expect([read.at('is_authenticated'), read.at('transactions.0.id')]).toEqual([true, transaction_id]);
  // the process was only very slow: what it thinks it learnt changes nothing any more
  letGo();
  await tools.running.drain();
  expect((await w.shop.read(order_id)).at('order_version')).toBe(read.at('order_version'));
});

test('the message of the bank may come twice, and a second payer’s window changes nothing', async () => {
  await arm({ fault: 'callback_twice', times: 1 });
  const reply = await w.shop.pay(CHALLENGE, ASK);
  const bank = await toBank(redirectOf(reply));
  await Promise.all(
    [actAt(bank, { code: '1234' }), actAt(bank, { code: '1234' }), actAt(bank, { code: '1111' })].map((act) =>
      act.catch(String),
    ),
  );
  const order_id = textAt(reply, 'order_id');
  const read = await until(async () => {
    const seen = await w.shop.read(order_id);
    return seen.at('status') === 'authentication_requested' ? undefined : seen;
  });
  const books = await w.shop.api(`/sandbox/provider/books?order_id=${order_id}`);
  const effects = (books.at('entries') as readonly { effects: number }[]).map((entry) => entry.effects);
  expect([read.at('status'), effects.every((count) => count === 1)]).toEqual(['capture_successful', true]);
});

test('a message that never comes is asked for when the payer comes back', async () => {
  await arm({ fault: 'callback_never', times: 1 });
  const reply = await w.shop.pay(CHALLENGE, ASK);
  await authenticates(reply);
  expect((await w.shop.decided(textAt(reply, 'order_id'))).at('status')).toBe('capture_successful');
});

test('an order that reached a provider meanwhile takes the place of one whose payer comes late', async () => {
  const fields = { ...ASK, order_merchant_id: `late-${randomUUID()}` };
  const reply = await w.shop.pay(CHALLENGE, fields);
  const bank = await toBank(redirectOf(reply));
  const order_id = textAt(reply, 'order_id');
  // as if another order of the reference had been accepted in the same moment
  await w.sql(
    `INSERT INTO payment.operations (id, order_id, transaction_id, merchant_account_id, provider, kind, amount_minor, currency, order_merchant_id, created_at, due_at, waits_for)
     SELECT decode($2, 'hex'), decode($3, 'hex'), decode($2, 'hex'), merchant_account_id, 'simulator', 'authorize', 100, 'EUR', order_merchant_id, payment.now(), payment.now() + interval '1 hour', 'call'
     FROM payment.orders WHERE id = decode($1, 'hex')`,
    [order_id, 'ab'.repeat(12), 'cd'.repeat(12)],
  );
  await actAt(bank, { code: '1234' });
  const read = await w.shop.read(order_id);
  expect([read.at('status'), read.code]).toEqual(['authentication_declined', '361000']);
  await w.sql(`DELETE FROM payment.operations WHERE id = decode($1, 'hex')`, ['ab'.repeat(12)]);
});

/** An order that was accepted and whose directory was never asked: its process died right after the commit. */
async function left({ service: { tools }, shop, sql }: World, handle: string) {
  const { forward } = tools.vault;
  let cut = true;
  const { promise, resolve } = Promise.withResolvers<{ outcome: 'unknown'; reason: 'closed' }>();
  tools.vault.forward = (asked) => (cut && asked.destination === 'three_ds' ? promise : forward(asked));
  const token = await shop.token();
  const own = { operation_type: 'direct_capture', amount: '25.00', currency: 'EUR', order_merchant_id: handle };
  void shop.order({ token, ...own, ...ASK }, { prefer: 'wait=1' }).catch(String);
  const row = await until(async () => {
    const [found] = await sql<{ order_id: string; transaction_id: string; id: string }>(
      `SELECT encode(a.order_id, 'hex') AS order_id, encode(a.transaction_id, 'hex') AS transaction_id, encode(a.id, 'hex') AS id
       FROM payment.authentications a WHERE a.order_merchant_id = $1`,
      [handle],
    );
    return found;
  });
  cut = false;
  // another process knows nothing of what this one was doing
  tools.running.has = () => false;
  await sql(`UPDATE payment.authentications SET due_at = payment.now() WHERE order_merchant_id = $1`, [handle]);
  return { ...row, letGo: () => resolve({ outcome: 'unknown', reason: 'closed' }) };
}
