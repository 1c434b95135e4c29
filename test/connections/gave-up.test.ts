// A statement that gave up: it waited for a lock for too long, waited in a circle, or took too long. The server has
// rolled it back, so the caller hears the 503 that says that nothing was accepted, and may ask again; behind a commit
// it never hears that.
import { afterAll, afterEach, beforeAll, describe, expect, inject, test } from 'vitest';
import pg from 'pg';
import { CHECKOUT, GOOD_CARD, type Reply, textAt } from '../client.ts';
import { type World, world } from '../world.ts';
import { Room } from './room.ts';

let w: World;
let room: Room;
let other: pg.Client;
const unheard: unknown[] = [];
const hear = (error: unknown) => unheard.push(error);
beforeAll(async () => {
  process.on('unhandledRejection', hear);
  w = await world();
  room = await Room.open(w);
  const { socket_dir, user } = inject('server');
  other = new pg.Client({ host: socket_dir, user, database: w.database });
  await other.connect();
});
afterAll(async () => {
  await other.end();
  await w[Symbol.asyncDispose]();
  process.off('unhandledRejection', hear);
});
afterEach(() => room.clear());

type Ask = () => Promise<Reply>;
type Story = readonly [name: string, table: string, prepare: () => Promise<Ask>];

/** Not waited for: what is not stored behind the commit is for recovery. */
const ASYNC = { prefer: 'respond-async' };
let asked = 0;

async function maintenance(kind: string, headers: Readonly<Record<string, string>> = {}): Promise<Ask> {
  const paid = textAt(await w.shop.pay({}, { operation_type: 'authorize' }), 'order_id');
  const body = kind === 'capture' ? { amount: '5.00' } : {};
  const asking = { method: 'POST', body, headers: { ...ASYNC, ...headers } };
  return () => w.shop.api(`/payment/maintenance/${kind}/${paid}`, asking);
}

const STORIES: readonly Story[] = [
  ['a checkout', 'payment.checkouts', async () => () => w.shop.api('/payment/checkout', { body: CHECKOUT })],
  ['a token', 'vault.cards', async () => () => w.shop.vault('/token', { body: GOOD_CARD })],
  [
    'an order',
    'payment.orders',
    async () => {
      const body = { token: await w.shop.token(), operation_type: 'authorize', amount: '25.00', currency: 'EUR' };
      const order_merchant_id = `gave-up-${asked++}`;
      return () => w.shop.order({ ...body, order_merchant_id }, ASYNC);
    },
  ],
  ['a capture', 'payment.operations', () => maintenance('capture')],
  [
    'a capture with an Idempotency-Key',
    'payment.operations',
    () => maintenance('capture', { 'idempotency-key': `gave-up-${asked++}` }),
  ],
  ['a cancel', 'payment.operations', () => maintenance('cancel')],
];

describe.each(STORIES)('%s', (_, table, prepare) => {
  test('is 503 where somebody else holds the lock of its table, and can be had as soon as it is free', async () => {
    const ask = await prepare();
    const before = await room.made();
    await other.query(`BEGIN; LOCK TABLE ${table} IN EXCLUSIVE MODE`);
    const refused = await ask();
    await other.query('ROLLBACK');
    expect([refused.status, refused.at('result.code')]).toEqual([503, '111013']);
    expect(refused.headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
    expect(await room.made()).toEqual(before);
    expect((await ask()).status).toBe(200);
  });

  test.each([
    ['waited too long for a lock', '55P03'],
    ['waited in a circle', '40P01'],
    ['took too long', '57014'],
  ])('is 503 where its statement %s, and never when something was stored', async (_why, code) => {
    for (let writes = 0, whole = false; !whole; writes++) {
      const ask = await prepare();
      await room.leave(0, code);
      const before = await room.made();
      await room.leave(writes, code);
      const answer = await ask();
      await room.leave(0, code);
      const after = await room.made();
      await room.clear();
      expect([writes, answer.status]).toEqual([writes, expect.toBeOneOf(writes === 0 ? [503] : [200, 500, 503])]);
      whole = answer.status === 200;
      if (answer.status !== 503) continue;
      expect([writes, after]).toEqual([writes, before]);
      expect([writes, (await ask()).status]).toEqual([writes, 200]);
    }
  });
});

test('nothing of it was left for nobody to hear', () => {
  expect(unheard).toEqual([]);
});
