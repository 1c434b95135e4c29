// A process that dies between its intent and its outcome leaves an open operation; the worker finds out what became of
// it and never sends an authorization again.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findOrder } from '../../src/payment/order/facts/order-store.ts';
import { record } from '../../src/payment/order/engine/record.ts';
import { textAt, until } from '../client.ts';
import { type World, world } from '../world.ts';

let w: World;
beforeAll(async () => {
  w = await world();
});
afterAll(() => w[Symbol.asyncDispose]());

/**
 * Pays while the database refuses every outcome: the provider has answered, and the order is left as its process left
 * it. Answers the order once the vault has kept the provider's answer.
 */
async function paidWithoutOutcome(card: object = {}): Promise<string> {
  await w.sql(
    `CREATE FUNCTION public.no_outcome() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'no outcome'; END $$`,
  );
  await w.sql(
    `CREATE TRIGGER no_outcome BEFORE UPDATE ON payment.orders FOR EACH ROW EXECUTE FUNCTION public.no_outcome()`,
  );
  const token = await w.shop.token(card);
  const sale = {
    operation_type: 'direct_capture',
    amount: 25,
    currency: 'EUR',
    order_merchant_id: `r-${token.slice(0, 8)}`,
  };
  const reply = await w.shop.order({ token, ...sale }, { prefer: 'wait=1' });
  expect([reply.code, reply.at('status')]).toEqual(['421080', 'authorization_requested']);
  const order_id = textAt(reply, 'order_id');
  await until(async () => {
    const [row] = await w.sql<{ state: string }>(
      `SELECT state FROM vault.forwards WHERE order_id = decode($1, 'hex')`,
      [order_id],
    );
    return row?.state === 'answered' ? true : undefined;
  });
  await w.sql(`DROP FUNCTION public.no_outcome() CASCADE`);
  return order_id;
}

/** Lets the lease of the order's authorization run out. */
async function release(order_id: string): Promise<void> {
  await w.sql(
    `UPDATE payment.operations SET due_at = payment.now() - interval '1 s' WHERE order_id = decode($1, 'hex')`,
    [order_id],
  );
}

async function callsOf(order_id: string): Promise<number> {
  const rows = await w.sql<{ n: number }>(
    `SELECT coalesce(sum(sends), 0)::int AS n FROM vault.forwards WHERE order_id = decode($1, 'hex')`,
    [order_id],
  );
  return rows[0]?.n ?? 0;
}

test('an answer that the vault kept becomes the outcome, with its money booked once', async () => {
  const order_id = await paidWithoutOutcome();
  await release(order_id);
  const read = await w.shop.decided(order_id);
  expect([read.code, read.at('status'), read.at('transactions.0.captured_amount')]).toEqual([
    '955555',
    'capture_successful',
    25,
  ]);
  const rows = await w.sql(`SELECT 1 FROM payment.ledger_entries WHERE order_id = decode($1, 'hex')`, [order_id]);
  expect(rows).toHaveLength(1);
  expect(await callsOf(order_id)).toBe(1);
});

test('a decline that the vault kept becomes the outcome', async () => {
  const order_id = await paidWithoutOutcome({ card_number: '4000000000009995' });
  await release(order_id);
  const read = await w.shop.decided(order_id);
  expect([read.code, read.at('status')]).toEqual(['420100', 'authorization_declined']);
});

test('a call that was sent and not answered is asked of the provider', async () => {
  const order_id = await paidWithoutOutcome();
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

test('a call that was proved never sent is declined, and can never be sent later', async () => {
  const order_id = await paidWithoutOutcome();
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
  const order_id = await paidWithoutOutcome();
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

test('ten processes that learn the same outcome at once commit it once, and none of them fails', async () => {
  const order_id = await paidWithoutOutcome();
  const { tools } = w.service;
  const order = await findOrder(tools.db.tenant(w.account), order_id);
  const operation = order?.operations[0];
  if (!order || !operation) throw new Error('the order is there');
  const approved = {
    kind: 'approved',
    reference: 'pay_1',
    our_reference: operation.id,
    amount_minor: operation.amount_minor,
    currency: 'EUR',
    authorization_code: 'ABC123',
    captured: true,
    provider_code: '955555',
    provider_text: 'ok',
  } as const;
  const told = await Promise.all(
    Array.from({ length: 10 }, () =>
      record(tools, order, { operation, observation: { source: 'inquiry', outcome: approved } }),
    ),
  );
  expect(new Set(told.map(({ status, version }) => `${status} ${version}`))).toEqual(new Set(['capture_successful 4']));
  const rows = await w.sql(`SELECT 1 FROM payment.ledger_entries WHERE order_id = decode($1, 'hex')`, [order_id]);
  const events = await w.sql(`SELECT 1 FROM payment.events WHERE subject_id = decode($1, 'hex')`, [order_id]);
  expect([rows.length, events.length]).toEqual([1, 3]);
});

test('a caller who waits hears of an outcome that came only by recovery', async () => {
  await w.sql(
    `CREATE FUNCTION public.no_outcome() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'no outcome'; END $$`,
  );
  await w.sql(
    `CREATE TRIGGER no_outcome BEFORE UPDATE ON payment.orders FOR EACH ROW EXECUTE FUNCTION public.no_outcome()`,
  );
  const sale = {
    token: await w.shop.token(),
    operation_type: 'direct_capture',
    amount: 25,
    currency: 'EUR',
    order_merchant_id: 'patient',
  };
  const waiting = w.shop.order(sale, { prefer: 'wait=20' });
  const order_id = await until(async () => {
    const [row] = await w.sql<{ id: string }>(
      `SELECT encode(f.order_id, 'hex') AS id FROM vault.forwards f JOIN payment.orders o ON o.id = f.order_id WHERE o.order_merchant_id = 'patient' AND f.state = 'answered'`,
    );
    return row?.id;
  });
  await w.sql(`DROP FUNCTION public.no_outcome() CASCADE`);
  await release(order_id);
  const reply = await waiting;
  expect([reply.code, reply.at('order_id')]).toEqual(['955555', order_id]);
});

test('an operation that stays in doubt is looked at less and less often', async () => {
  const order_id = await paidWithoutOutcome();
  await w.sql(`UPDATE vault.forwards SET state = 'sending', answer_sealed = NULL WHERE order_id = decode($1, 'hex')`, [
    order_id,
  ]);
  for (const table of ['operations', 'transactions'])
    await w.sql(`UPDATE payment.${table} SET provider = 'simulator_b' WHERE order_id = decode($1, 'hex')`, [order_id]);
  const waitAfter = async ({ tries, sent_s }: { tries: number; sent_s: number }) => {
    // a look that is under way would be taken for the next one
    await until(() => w.service.tools.running.find(order_id) === undefined || undefined);
    const [before] = await w.sql<{ n: number }>(`SELECT count(*)::int AS n FROM payment.observations`);
    await w.sql(
      `UPDATE payment.operations SET tries = $2, sent_at = payment.now() - make_interval(secs => $3), due_at = payment.now() - interval '1 s' WHERE order_id = decode($1, 'hex')`,
      [order_id, tries, sent_s],
    );
    return until(async () => {
      const [row] = await w.sql<{ n: number; s: number; after_sent_s: number }>(
        `SELECT (SELECT count(*)::int FROM payment.observations) AS n, extract(epoch FROM due_at - (SELECT max(at) FROM payment.observations))::float AS s, extract(epoch FROM due_at - sent_at)::float AS after_sent_s FROM payment.operations WHERE order_id = decode($1, 'hex')`,
        [order_id],
      );
      return row && before && row.n > before.n && row.s > 0 ? row : undefined;
    });
  };
  expect((await waitAfter({ tries: 1, sent_s: 0 })).s).toBeLessThan(3);
  // 15 s after it was sent, what is not found never arrives: the look is then, if it would be later
  const arriving = await waitAfter({ tries: 20, sent_s: 3 });
  expect(arriving.after_sent_s).toBeGreaterThanOrEqual(15);
  expect(arriving.s).toBeLessThan(12.1);
  // later, and while nobody answers, as long as it is young, never longer than 20 s, a quarter more or less
  const silent = { operation: 'inquiry', fault: 'http_500_before', times: 100 };
  expect((await w.shop.api('/sandbox/scenario', { body: silent })).status).toBe(200);
  const { s: late } = await waitAfter({ tries: 20, sent_s: 30 });
  expect(late).toBeGreaterThan(14);
  expect(late).toBeLessThan(26);
  await w.shop.api('/sandbox/scenario', { method: 'DELETE' });
});
