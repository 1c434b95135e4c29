// A database that has no room for a write, or that ends in the middle: 503 says that nothing was accepted and no token
// spent (contract 2.5), and it is said where that is proved, at every route that writes, however far it came. What is
// not proved is 500.
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { CHECKOUT, GOOD_CARD, type Reply, send, textAt, until } from '../client.ts';
import { type Person, firstOwner } from '../backoffice/person.ts';
import { type World, world } from '../world.ts';

let w: World;
let owner: Person;
beforeAll(async () => {
  w = await world({ FLORIN_NOTIFICATION_PRIVATE_TARGETS: 'yes' });
  owner = await firstOwner(w);
  await w.sql(`
    CREATE SCHEMA disk;
    CREATE SEQUENCE disk.writes;
    CREATE TABLE disk.room (writes bigint);
    INSERT INTO disk.room VALUES (1000000000);
    CREATE FUNCTION disk.write() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
    BEGIN
      IF nextval('disk.writes') > (SELECT writes FROM disk.room) THEN
        RAISE EXCEPTION 'could not extend file: No space left on device' USING ERRCODE = 'disk_full';
      END IF;
      RETURN NULL;
    END $$`);
  for (const table of await tables())
    await w.sql(`
      CREATE TRIGGER a_disk BEFORE INSERT OR UPDATE OR DELETE ON ${table} FOR EACH STATEMENT EXECUTE FUNCTION disk.write()`);
});
afterAll(() => w[Symbol.asyncDispose]());

afterEach(() => leaveRoom(EMPTY));

async function tables(): Promise<readonly string[]> {
  const rows = await w.sql<{ name: string }>(`
    SELECT format('%I.%I', n.nspname, c.relname) AS name FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
     WHERE n.nspname IN ('payment', 'vault') AND c.relkind IN ('r', 'p') AND NOT c.relispartition
     ORDER BY 1`);
  return rows.map(({ name }) => name);
}

/** All that is stored, as a sum for each table. */
async function stored(): Promise<readonly string[]> {
  const sums = (await tables()).map(
    (name) =>
      `SELECT '${name} ' || count(*) || ' ' || coalesce(sum(hashtextextended(t::text, 0)), 0) AS sum FROM ${name} t`,
  );
  return (await w.sql<{ sum: string }>(sums.join(' UNION ALL '))).map(({ sum }) => sum);
}

/** How many things there are that callers made. Work behind earlier requests changes them, and makes none. */
async function made(): Promise<readonly string[]> {
  const counts = ['orders', 'transactions', 'operations', 'checkouts', 'idempotency_keys', 'invitations']
    .map((table) => `payment.${table}`)
    .concat('payment.endpoints', 'vault.cards', 'vault.idempotency_keys')
    .map(
      (name) => `SELECT '${name} ' || count(*) AS count FROM ${name} ${name === 'payment.operations' ? ASKED_FOR : ''}`,
    );
  return (await w.sql<{ count: string }>(counts.join(' UNION ALL '))).map(({ count }) => count);
}

/** Not the capture of a sale, which follows its authorization, nor what recovery undoes. */
const ASKED_FOR = "WHERE origin = 'merchant' AND (kind <> 'capture' OR target_id IS NULL)";

const FULL = 0;
const EMPTY = 1_000_000_000;

/** How many statements may still write. */
async function leaveRoom(writes: number): Promise<void> {
  await w.sql(`UPDATE disk.room SET writes = ${writes}`);
  await w.sql(`SELECT setval('disk.writes', 1, false)`);
}

type Ask = () => Promise<Reply>;
/** What a route is asked; made anew for each try, so that each can succeed. */
type Story = readonly [name: string, prepare: () => Promise<Ask>];

const AUTHORIZED = { operation_type: 'authorize' };
let orders = 0;
const order = () => ({ amount: '25.00', currency: 'EUR', order_merchant_id: `room-${orders++}` });
const key = () => ({ 'idempotency-key': `room-${orders++}` });

/** Not waited for: what is stored without room behind the commit is for recovery. */
const ASYNC = { prefer: 'respond-async' };

async function maintenance(kind: string, body: object, more: Record<string, string> = {}): Promise<Ask> {
  const headers = { ...ASYNC, ...more };
  const paid = textAt(await w.shop.pay({}, kind === 'refund' ? {} : AUTHORIZED), 'order_id');
  return () => w.shop.api(`/payment/maintenance/${kind}/${paid}`, { method: 'POST', body, headers });
}

async function ordering(fields: object, headers: Record<string, string> = {}): Promise<Ask> {
  const body = { token: await w.shop.token(), ...AUTHORIZED, ...order(), ...fields };
  return () => w.shop.order(body, { ...ASYNC, ...headers });
}

async function endpoint(): Promise<string> {
  const answer = await w.shop.api('/notification/endpoint', { body: { url: 'http://127.0.0.1:9/x' } });
  return textAt(answer, 'endpoint._id');
}

const STORIES: readonly Story[] = [
  ['a checkout', async () => () => w.shop.api('/payment/checkout', { body: CHECKOUT })],
  ['a token', async () => () => w.shop.vault('/token', { body: GOOD_CARD })],
  [
    'a token with an Idempotency-Key',
    async () => {
      const headers = key();
      return () => w.shop.vault('/token', { body: GOOD_CARD, headers });
    },
  ],
  ['an order', () => ordering({})],
  ['an order with an Idempotency-Key', () => ordering({}, key())],
  ['an order that is captured at once', () => ordering({ operation_type: 'direct_capture' })],
  ['an order with 3-D Secure', () => ordering({ authentication_indicator: 'force_3ds' })],
  [
    'an order of a checkout',
    async () => {
      const checkout_id = await w.shop.checkout({ order_merchant_id: `room-${orders++}` });
      const token = await w.shop.token({ checkout_id });
      return () => w.shop.order({ checkout_id, token });
    },
  ],
  [
    'another try of an order',
    async () => {
      const declined = textAt(await w.shop.pay({ card_number: '4000000000009995' }), 'order_id');
      const token = await w.shop.token();
      return () => w.shop.api(`/payment/order/${declined}`, { method: 'PUT', body: { token } });
    },
  ],
  ['a capture', () => maintenance('capture', { amount: '5.00' })],
  ['a capture with an Idempotency-Key', () => maintenance('capture', { amount: '5.00' }, key())],
  ['a refund', () => maintenance('refund', { amount: '5.00' })],
  ['a cancel', () => maintenance('cancel', {})],
  ['an endpoint', async () => () => w.shop.api('/notification/endpoint', { body: { url: 'http://127.0.0.1:9/x' } })],
  [
    'a new secret of an endpoint',
    async () => {
      const id = await endpoint();
      return () => w.shop.api(`/notification/endpoint/${id}/secret`, { method: 'POST', body: {} });
    },
  ],
  [
    'the end of an endpoint',
    async () => {
      const id = await endpoint();
      return () => w.shop.api(`/notification/endpoint/${id}`, { method: 'DELETE' });
    },
  ],
  [
    'a capture in the back office',
    async () => {
      const paid = textAt(await w.shop.pay({}, AUTHORIZED), 'order_id');
      const body = { amount: '5.00', reason: 'first parcel' };
      const headers = { cookie: owner.cookie, origin: owner.url, 'x-csrf-token': owner.csrf, ...key() };
      return () => send(`${owner.url}/api/orders/${paid}/capture`, { body, headers });
    },
  ],
  [
    'an invitation in the back office',
    async () => {
      const body = { email: `room-${orders++}@shop.example`, role: 'reader' };
      const headers = { cookie: owner.cookie, origin: owner.url, 'x-csrf-token': owner.csrf };
      return () => send(`${owner.url}/api/team/invitations`, { body, headers });
    },
  ],
];

describe.each(STORIES)('%s', (_, prepare) => {
  test('is 503 where the database has no room for it, and can be had as soon as there is room again', async () => {
    const ask = await prepare();
    await leaveRoom(FULL);
    const before = await stored();
    const refused = await ask();
    const after = await stored();
    await leaveRoom(EMPTY);
    expect([refused.status, refused.at('result.code')]).toEqual([503, '111013']);
    expect(refused.headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
    expect(after.filter((sum) => !before.includes(sum))).toEqual([]);
    expect((await ask()).status).toBe(200);
  });

  test('is never 503 when something was stored, however far it came', async () => {
    for (let room = 1, whole = false; !whole; room++) {
      const ask = await prepare();
      await leaveRoom(FULL);
      const before = await made();
      await leaveRoom(room);
      const answer = await ask();
      await leaveRoom(FULL);
      const after = await made();
      await leaveRoom(EMPTY);
      expect([room, answer.status]).toEqual([room, expect.toBeOneOf([200, 500, 503])]);
      whole = answer.status === 200;
      if (answer.status === 503) {
        expect([room, after]).toEqual([room, before]);
        expect([room, (await ask()).status]).toEqual([room, 200]);
      }
    }
  });
});

describe('a database that ends', () => {
  const ask = () => w.shop.api('/payment/checkout', { body: CHECKOUT });

  test('while a statement waits is 503: nothing was committed', async () => {
    await w.sql('BEGIN');
    await w.sql('LOCK TABLE payment.checkouts IN ACCESS EXCLUSIVE MODE');
    let refused: Reply | undefined;
    const asked = ask().then((reply) => (refused = reply));
    // also what the worker looks for there: the checkout may stand behind it
    await until(async () => {
      await w.sql('SELECT pg_stat_clear_snapshot()');
      await w.sql(`
        SELECT pg_terminate_backend(pid) FROM pg_stat_activity
         WHERE datname = current_database() AND wait_event_type = 'Lock'`);
      return refused;
    });
    await w.sql('COMMIT');
    const { status, at } = await asked;
    expect([status, at('result.code')]).toEqual([503, '111013']);
    expect((await ask()).status).toBe(200);
  });

  test.each([
    [503, 'that is refused for want of room', `RAISE EXCEPTION 'no space' USING ERRCODE = 'disk_full'`],
    [500, 'in which the server ends the connection', 'PERFORM pg_terminate_backend(pg_backend_pid()), pg_sleep(5)'],
  ])('is %i during a commit %s', async (status, _, what) => {
    await w.sql(`
      CREATE FUNCTION disk.commit() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
      BEGIN
        ${what};
        RETURN NULL;
      END $$;
      CREATE CONSTRAINT TRIGGER at_commit AFTER INSERT ON payment.checkouts DEFERRABLE INITIALLY DEFERRED
      FOR EACH ROW EXECUTE FUNCTION disk.commit()`);
    const answer = await ask();
    await w.sql('DROP FUNCTION disk.commit() CASCADE');
    expect(answer.status).toBe(status);
    expect((await ask()).status).toBe(200);
  });
});
