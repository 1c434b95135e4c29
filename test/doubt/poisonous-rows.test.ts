// One row that cannot be worked on, whatever the reason, and very many at once hold up no job for the others.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { endKeys } from '../../src/payment/merchant/keys.ts';
import { keyForgetter } from '../../src/payment/order/expiry/forget-keys.ts';
import { endDue } from '../../src/payment/order/expiry/due.ts';
import { makeBreaker } from '../../src/payment/routing/breaker.ts';
import { applyWaiting } from '../../src/payment/settlement/apply.ts';
import { findOrder } from '../../src/payment/order/facts/order-store.ts';
import { record } from '../../src/payment/order/engine/record.ts';
import { remindOfDisputes } from '../../src/payment/dispute/desk/remind.ts';
import { recordDispute } from '../../src/payment/dispute/record.ts';
import { textAt, until } from '../client.ts';
import { account } from '../notifications/queue.ts';
import { type World, idleWorld, world } from '../world.ts';

let w: World;
let idle: World;
beforeAll(async () => {
  [w, idle] = await Promise.all([world(), idleWorld()]);
});
afterAll(async () => {
  await w[Symbol.asyncDispose]();
  await idle[Symbol.asyncDispose]();
});

const accountOf = (one: World): string => one.account;

type Said = { readonly reference: string; readonly order_id: string; readonly [member: string]: unknown };
let count = 0;
const message = (said: Said): string =>
  JSON.stringify({
    id: `evt_${++count}`,
    provider: 'simulator',
    kind: 'authorize',
    status: 'approved',
    amount: 2500,
    currency: 'EUR',
    code: '944444',
    text: 'authorization successful',
    provider_ref: 'pay_1',
    authorization_code: 'A1B2C3',
    captured: false,
    at: new Date().toISOString(),
    ...said,
  });

const stateOf = async (one: World, event_ref: string) =>
  (await one.sql(`SELECT state, reason FROM payment.provider_events WHERE event_ref = $1`, [event_ref]))[0];

test('messages that cannot be applied hold up none behind them, and come again later', async () => {
  for (let n = 1; n <= 30; n++)
    await idle.sql(
      `INSERT INTO payment.provider_events (provider, event_ref, merchant_account_id, contract_id, body, received_at)
       VALUES ('simulator', $1, decode($2, 'hex'), decode($3, 'hex'), $4, payment.now() - interval '1 hour' + make_interval(secs => $5))`,
      [
        `row_${n}`,
        accountOf(idle),
        '0'.repeat(24),
        Buffer.from(message({ id: `row_${n}`, order_id: '0'.repeat(24), reference: '0'.repeat(24) })),
        n,
      ],
    );
  // whatever is done about one of the first 25 fails
  await idle.sql(
    `CREATE FUNCTION public.fail() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'poison'; END $$`,
  );
  await idle.sql(
    `CREATE TRIGGER fail BEFORE UPDATE OF state ON payment.provider_events FOR EACH ROW WHEN (split_part(NEW.event_ref, '_', 2)::int <= 25) EXECUTE FUNCTION public.fail()`,
  );
  const { tools } = idle.service;
  expect(await applyWaiting(tools, 20, recordDispute)).toBe(20);
  expect(await applyWaiting(tools, 20, recordDispute)).toBe(10);
  expect(await applyWaiting(tools, 20, recordDispute)).toBe(0);
  expect(await stateOf(idle, 'row_30')).toEqual({ state: 'parked', reason: 'no such operation' });
  await idle.sql(`DROP FUNCTION public.fail() CASCADE`);
  await idle.sql(`UPDATE payment.clock SET shift = shift + interval '31 s'`);
  expect(await applyWaiting(tools, 100, recordDispute)).toBe(25);
  expect(await stateOf(idle, 'row_1')).toEqual({ state: 'parked', reason: 'no such operation' });
});

test('an outcome in texts that the database cannot keep is recorded all the same', async () => {
  const token = await w.shop.token({ card_number: '4000009901000110' });
  const asked = { operation_type: 'authorize', amount: '25.00', currency: 'EUR', order_merchant_id: 'nul' };
  const order_id = textAt(await w.shop.order({ ...asked, token }, { prefer: 'wait=1' }), 'order_id');
  const { order, operation } = await factsOf(order_id);
  const outcome = {
    kind: 'approved',
    reference: 'pay\0_1',
    our_reference: operation.id,
    amount_minor: 2500n,
    currency: 'EUR',
    captured: false,
    authorization_code: 'A1B2\0C3',
    provider_code: '9444\u000044',
    provider_text: 'approved\0',
  } as const;
  await record(w.service.tools, order, { operation, observation: { source: 'answer', outcome } });
  expect((await w.shop.read(order_id)).code).toBe('944444');
});

test('a dispute whose moment cannot be read does not fit: it is parked for a person', async () => {
  const sale = { operation_type: 'direct_capture', amount: '25.00', currency: 'EUR', order_merchant_id: 'disputed' };
  const { order } = await factsOf(textAt(await w.shop.pay({}, sale), 'order_id'));
  const operation = order.operations.find(({ kind }) => kind === 'capture');
  if (!operation) throw new Error('a sale has a capture');
  const dispute = {
    kind: 'dispute',
    state: 'opened',
    amount_minor: 2500n,
    currency: 'EUR',
    reason: 'fraud',
    reason_code: '10.4',
    at: 'the day before',
  } as const;
  expect(await recordDispute(w.service.tools, order, { operation, provider: 'simulator', dispute })).toBe(false);
  const told = {
    operation,
    provider: 'simulator',
    dispute: { ...dispute, reason: 'fr\0aud', at: '2030-01-01T00:00:00.000Z' },
  };
  expect(await recordDispute(w.service.tools, order, told)).toBe(true);
});

test('a dispute of which no reminder can be stored holds up those of no other', async () => {
  const disputed = async (order_merchant_id: string) => {
    const sale = { operation_type: 'direct_capture', amount: '25.00', currency: 'EUR', order_merchant_id };
    const order_id = textAt(await w.shop.pay({}, sale), 'order_id');
    await w.sql(
      `INSERT INTO payment.disputes (
         id, merchant_account_id, order_id, operation_id, provider, state, amount_minor, currency, reason, reason_code,
         opened_at, due_at, remind_at)
       VALUES (
         decode($1, 'hex'), decode($2, 'hex'), decode($3, 'hex'), decode($3, 'hex'), 'simulator', 'opened', 2500, 'EUR',
         'fraud', '10.4', payment.now(), payment.now() + interval '2 days', payment.now() + interval '1 day')`,
      [w.service.tools.chance.id(), accountOf(w), order_id],
    );
    return order_id;
  };
  const [bad, good] = [await disputed('not-reminded'), await disputed('reminded')];
  await w.sql(
    `CREATE FUNCTION public.fail() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'poison'; END $$`,
  );
  await w.sql(
    `CREATE TRIGGER fail BEFORE INSERT ON payment.events FOR EACH ROW WHEN (NEW.type = 'dispute.due' AND NEW.subject_id = '\\x${bad}') EXECUTE FUNCTION public.fail()`,
  );
  await w.sql(
    `UPDATE payment.disputes
     SET remind_at = payment.now() - CASE WHEN order_id = decode($1, 'hex') THEN interval '2 s' ELSE interval '1 s' END
     WHERE order_id IN (decode($1, 'hex'), decode($2, 'hex'))`,
    [bad, good],
  );
  await remindOfDisputes(w.service.tools, 20);
  await until(async () => {
    const told = await w.sql(
      `SELECT FROM payment.events WHERE type = 'dispute.due' AND subject_id = decode($1, 'hex')`,
      [good],
    );
    return told.length === 1 || undefined;
  });
  await w.sql(`DROP FUNCTION public.fail() CASCADE`);
});

async function factsOf(order_id: string) {
  const order = await findOrder(w.service.tools.db.tenant(accountOf(w)), order_id);
  const operation = order?.operations[0];
  if (!order || !operation) throw new Error('it was accepted');
  return { order, operation };
}

test('an authorization whose end fails is looked at again, and the job goes on behind it', async () => {
  const pay = async (order_merchant_id: string) =>
    textAt(
      await w.shop.pay({}, { operation_type: 'authorize', amount: '25.00', currency: 'EUR', order_merchant_id }),
      'order_id',
    );
  const [bad, good] = [await pay('cannot-end'), await pay('can-end')];
  await w.sql(
    `CREATE FUNCTION public.fail() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'poison'; END $$`,
  );
  await w.sql(
    `CREATE TRIGGER fail BEFORE INSERT ON payment.operations FOR EACH ROW WHEN (NEW.order_id = '\\x${bad}') EXECUTE FUNCTION public.fail()`,
  );
  for (const id of [bad, good])
    await w.sql(
      `INSERT INTO payment.lapses (merchant_account_id, order_id, due_at) VALUES (decode($1, 'hex'), decode($2, 'hex'), payment.now())`,
      [accountOf(w), id],
    );
  // as old as an authorization becomes
  await w.sql(`UPDATE payment.transactions SET created_at = created_at - interval '31 days'`);
  await endDue(w.service.tools);
  const [later] = await w.sql(
    `SELECT due_at > payment.now() AS later FROM payment.lapses WHERE order_id = decode($1, 'hex')`,
    [bad],
  );
  expect(later).toEqual({ later: true });
  await until(async () => (await w.shop.read(good)).at('status') === 'authorization_expired' || undefined);
  await w.sql(`DROP FUNCTION public.fail() CASCADE`);
});

test('a provider whose probe fails leaves no other one shut', async () => {
  const { db, log, clock, chance } = idle.service.tools;
  await idle.sql(
    `INSERT INTO payment.providers (name, health) VALUES ('a', 'open'), ('b', 'open'), ('c', 'open') ON CONFLICT DO NOTHING`,
  );
  const breaker = makeBreaker({ db, log, clock, chance });
  await breaker.look(async (provider) => {
    if (provider === 'b') throw new Error('poison');
    return true;
  });
  expect(['a', 'b', 'c'].map((name) => breaker.isOpen(name))).toEqual([false, true, false]);
});

test('a rolled key that cannot be revoked now holds up no other', async () => {
  const { tools } = idle.service;
  const [bad, good] = [tools.chance.id(), tools.chance.id()];
  const merchant = await account(idle);
  for (const id of [bad, good])
    await idle.sql(
      `INSERT INTO payment.api_keys (id, merchant_account_id, digest, kind, label, environment, ends_at)
       VALUES (decode($1, 'hex'), decode($2, 'hex'), sha256($1::bytea), 'public', '', 'sandbox', payment.now() - interval '1 s')`,
      [id, merchant],
    );
  const removeApiKey = async ({ id }: { readonly id: string }) => {
    if (id === bad) throw new Error('poison');
  };
  const vault = { ...tools.vault, removeApiKey };
  await expect(endKeys({ ...tools, vault }, 20)).rejects.toThrow('poison');
  const left = await idle.sql(
    `SELECT encode(id, 'hex') AS id FROM payment.api_keys WHERE ends_at IS NOT NULL AND revoked_at IS NULL`,
  );
  expect(left).toEqual([{ id: bad }]);
});

test('checkouts that end at one moment are ended a page after the other, also more than one statement could', async () => {
  await idle.sql(
    `INSERT INTO payment.checkouts (id, merchant_account_id, amount_minor, currency, created_at, expires_at, body)
     SELECT decode(lpad(to_hex(n), 24, '0'), 'hex'), decode($1, 'hex'), 100, 'EUR', payment.now() - interval '2 days', date_trunc('second', payment.now()) - interval '1 s', '{}'
     FROM generate_series(1, 25000) n`,
    [accountOf(idle)],
  );
  // no statement may end more than its share
  await idle.sql(
    `CREATE FUNCTION public.few() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
       IF (SELECT count(*) FROM ended) > 2000 THEN RAISE EXCEPTION 'too many for one statement'; END IF; RETURN NULL; END $$`,
  );
  await idle.sql(
    `CREATE TRIGGER few AFTER UPDATE ON payment.checkouts REFERENCING NEW TABLE AS ended FOR EACH STATEMENT EXECUTE FUNCTION public.few()`,
  );
  await endDue(idle.service.tools);
  expect(await idle.sql(`SELECT status, count(*)::int AS many FROM payment.checkouts GROUP BY 1`)).toEqual([
    { status: 'expired', many: 25_000 },
  ]);
  await idle.sql(`DROP FUNCTION public.few() CASCADE`);
});

test('old Idempotency-Keys go stretch by stretch, and those that are kept for longer are not walked again', async () => {
  const { tools } = idle.service;
  await idle.sql(
    `INSERT INTO payment.idempotency_keys (merchant_account_id, route, key, object_id, fingerprint, created_at)
     SELECT decode($1, 'hex'), r, 'k' || days, decode('000000000000000000000000', 'hex'), sha256('x'), payment.now() - make_interval(days => days)
     FROM unnest(ARRAY['POST /payment/order', 'POST /payment/checkout']) r, unnest(ARRAY[2, 4, 20, 31, 50]) days`,
    [accountOf(idle)],
  );
  const forget = keyForgetter(tools);
  while (await forget());
  expect(await idle.sql(`SELECT route, key FROM payment.idempotency_keys ORDER BY route, key`)).toEqual([
    { route: 'POST /payment/checkout', key: 'k2' },
    { route: 'POST /payment/order', key: 'k2' },
    { route: 'POST /payment/order', key: 'k20' },
    { route: 'POST /payment/order', key: 'k4' },
  ]);
  // what was walked is behind: an hour later only that hour is looked at
  await idle.sql(`UPDATE payment.clock SET shift = shift + interval '1 hour'`);
  expect(await forget()).toBe(false);
});
