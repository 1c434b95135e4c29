// A database that has no room for a write, or that ends in the middle: 503 says that nothing was accepted and no token
// spent (contract 2.5), and it is said where that is proved, at every route that writes, however far it came. What is
// not proved is 500.
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { CHECKOUT, GOOD_CARD, type Reply, send, textAt, until } from '../client.ts';
import { type Person, firstOwner } from '../backoffice/person.ts';
import { type World, world } from '../world.ts';
import { Room } from './room.ts';

let w: World;
let owner: Person;
let room: Room;
beforeAll(async () => {
  w = await world({ FLORIN_NOTIFICATION_PRIVATE_TARGETS: 'yes' });
  owner = await firstOwner(w);
  room = await Room.open(w);
});
afterAll(() => w[Symbol.asyncDispose]());

afterEach(() => room.clear());

const FULL = 0;

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
    await room.leave(FULL);
    const before = await room.stored();
    const refused = await ask();
    const after = await room.stored();
    await room.clear();
    expect([refused.status, refused.at('result.code')]).toEqual([503, '111013']);
    expect(refused.headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
    expect(after.filter((sum) => !before.includes(sum))).toEqual([]);
    expect((await ask()).status).toBe(200);
  });

  test('is never 503 when something was stored, however far it came', async () => {
    for (let writes = 1, whole = false; !whole; writes++) {
      const ask = await prepare();
      await room.leave(FULL);
      const before = await room.made();
      await room.leave(writes);
      const answer = await ask();
      await room.leave(FULL);
      const after = await room.made();
      await room.clear();
      expect([writes, answer.status]).toEqual([writes, expect.toBeOneOf([200, 500, 503])]);
      whole = answer.status === 200;
      if (answer.status === 503) {
        expect([writes, after]).toEqual([writes, before]);
        expect([writes, (await ask()).status]).toEqual([writes, 200]);
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
