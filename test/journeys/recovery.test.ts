// A process that dies between its intent and its outcome leaves an open operation; the worker finds out what became of it
// and never sends an authorization again.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { textAt, until } from '../client.ts';
import { type World, world } from '../world.ts';

let w: World;
beforeAll(async () => {
  w = await world();
});
afterAll(() => w[Symbol.asyncDispose]());

/** Takes the outcome of an order back out of the database, as if the process had died before it was committed. */
async function forgetOutcome(order_id: string): Promise<void> {
  const tables = ['orders', 'operations', 'ledger_entries', 'observations'];
  for (const table of tables) await w.sql(`ALTER TABLE payment.${table} DISABLE TRIGGER USER`);
  const id = [order_id];
  await w.sql(`DELETE FROM payment.ledger_entries WHERE order_id = decode($1, 'hex')`, id);
  await w.sql(`DELETE FROM payment.events WHERE subject_id = decode($1, 'hex') AND seq > 1`, id);
  await w.sql(`DELETE FROM payment.operations WHERE order_id = decode($1, 'hex') AND kind = 'capture'`, id);
  await w.sql(
    `UPDATE payment.orders SET status = 'authorization_requested', live = true, version = 1, next_seq = 2, winner_id = NULL, authorized_minor = 0, captured_minor = 0 WHERE id = decode($1, 'hex')`,
    id,
  );
  await w.sql(`UPDATE payment.transactions SET dead = false WHERE order_id = decode($1, 'hex')`, id);
  for (const table of tables) await w.sql(`ALTER TABLE payment.${table} ENABLE TRIGGER USER`);
}

/** Lets the lease of the order's authorization run out. */
async function release(order_id: string): Promise<void> {
  await w.sql(`ALTER TABLE payment.operations DISABLE TRIGGER forward_only`);
  await w.sql(
    `UPDATE payment.operations SET state = 'requested', settled_at = NULL, code = NULL, due_at = payment.now() - interval '1 s' WHERE order_id = decode($1, 'hex') AND kind = 'authorize'`,
    [order_id],
  );
  await w.sql(`ALTER TABLE payment.operations ENABLE TRIGGER forward_only`);
}

async function paidThenForgotten(card: object = {}): Promise<string> {
  const order_id = textAt(await w.shop.pay(card), 'order_id');
  await until(async () => {
    const [row] = await w.sql<{ state: string }>(
      `SELECT state FROM vault.forwards WHERE order_id = decode($1, 'hex')`,
      [order_id],
    );
    return row?.state === 'answered' ? true : undefined;
  });
  await forgetOutcome(order_id);
  return order_id;
}

async function callsOf(order_id: string): Promise<number> {
  const rows = await w.sql<{ n: number }>(
    `SELECT coalesce(sum(sends), 0)::int AS n FROM vault.forwards WHERE order_id = decode($1, 'hex')`,
    [order_id],
  );
  return rows[0]?.n ?? 0;
}

test('an answer that the vault kept becomes the outcome, with its money booked once', async () => {
  const order_id = await paidThenForgotten();
  await release(order_id);
  const read = await w.shop.decided(order_id);
  expect([read.code, read.at('status'), read.at('transactions.0.captured_amount')]).toEqual([
    '955555',
    'capture_successful',
    25,
  ]);
  const rows = await w.sql(`SELECT 1 FROM payment.ledger_entries WHERE order_id = decode($1, 'hex')`, [order_id]);
  expect(rows).toHaveLength(3);
  expect(await callsOf(order_id)).toBe(1);
});

test('a decline that the vault kept becomes the outcome', async () => {
  const order_id = await paidThenForgotten({ card_number: '4000000000009995' });
  await release(order_id);
  const read = await w.shop.decided(order_id);
  expect([read.code, read.at('status')]).toEqual(['420100', 'authorization_declined']);
});

test('what was sent without an answer is asked of the provider', async () => {
  const order_id = await paidThenForgotten();
  await w.sql(`UPDATE vault.forwards SET state = 'sending', answer_sealed = NULL WHERE order_id = decode($1, 'hex')`, [
    order_id,
  ]);
  await release(order_id);
  const read = await w.shop.decided(order_id);
  expect(read.code).toBe('955555');
  const seen = await w.sql<{ source: string }>(
    `SELECT source FROM payment.observations b JOIN payment.operations p ON p.id = b.operation_id WHERE p.order_id = decode($1, 'hex') ORDER BY b.id DESC LIMIT 1`,
    [order_id],
  );
  expect(seen[0]?.source).toBe('inquiry');
  expect(await callsOf(order_id)).toBe(1);
});

test('what was proved never sent is declined, and can never be sent later', async () => {
  const order_id = await paidThenForgotten();
  const [operation] = await w.sql<{ id: string }>(
    `SELECT encode(id, 'hex') AS id FROM payment.operations WHERE order_id = decode($1, 'hex') AND kind = 'authorize'`,
    [order_id],
  );
  await w.sql(`DELETE FROM vault.forwards WHERE order_id = decode($1, 'hex')`, [order_id]);
  await release(order_id);
  const read = await w.shop.decided(order_id);
  expect([read.code, read.at('status'), read.at('transactions.0.operations.0.state')]).toEqual([
    '420410',
    'authorization_declined',
    'declined',
  ]);
  const [stone] = await w.sql<{ state: string }>(
    `SELECT state FROM vault.forwards WHERE operation_id = decode($1, 'hex')`,
    [operation?.id],
  );
  expect(stone?.state).toBe('tombstone');
});

test('an operation of a provider that knows nothing of it stays in doubt, and is never guessed', async () => {
  const order_id = await paidThenForgotten();
  await w.sql(`UPDATE vault.forwards SET state = 'sending', answer_sealed = NULL WHERE order_id = decode($1, 'hex')`, [
    order_id,
  ]);
  await w.sql(`ALTER TABLE payment.transactions DISABLE TRIGGER USER`);
  await w.sql(`UPDATE payment.operations SET provider = 'simulator_b' WHERE order_id = decode($1, 'hex')`, [order_id]);
  await w.sql(`UPDATE payment.transactions SET provider = 'simulator_b' WHERE order_id = decode($1, 'hex')`, [
    order_id,
  ]);
  await release(order_id);
  const doubtful = await until(async () => {
    const read = await w.shop.read(order_id);
    return read.at('is_in_doubt') === true ? read : undefined;
  });
  expect([doubtful.at('status'), doubtful.code, doubtful.at('transactions.0.operations.0.state')]).toEqual([
    'authorization_requested',
    '421080',
    'in_doubt',
  ]);
});
