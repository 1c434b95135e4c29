// The database is lost in the moment after a cancel was accepted: the caller hears of it, the process goes on, and the
// cancel is done by recovery. (A cancel, since recovery sends that again at once: it does no harm twice.) Found by the
// nightly chaos run: a rejection that nobody heard ended the process.
import { expect, test } from 'vitest';
import { DatabaseUnavailable } from '../../src/kit/database.ts';
import { type Reply, textAt, until } from '../client.ts';
import { type Till, openTill } from './till.ts';

test('a cancel that fails after its commit is left to recovery, and ends no process', async () => {
  await using till = await openTill();
  const order_id = await till.authorize();
  const { tools } = till.w.service;
  const unheard: unknown[] = [];
  const hear = (error: unknown) => unheard.push(error);
  process.on('unhandledRejection', hear);
  const { tenant } = tools.db;
  let accepted = false;
  tools.db.tenant = (account) => {
    const db = tenant(account);
    return {
      ...db,
      // from the commit on, nobody can look
      batchRead: (name, text, parameters) =>
        accepted && name === 'find_order'
          ? Promise.reject(new Error('write EPIPE'))
          : db.batchRead(name, text, parameters),
      run: (name, text, parameters) => {
        if (name === 'accept_operation') accepted = true;
        return db.run(name, text, parameters);
      },
    };
  };
  const reply = await till.maintain('cancel', order_id);
  tools.db.tenant = tenant;
  expect([reply.status, reply.at('title')]).toEqual([500, expect.stringContaining('outcome')]);
  await till.w.sql(`UPDATE payment.operations SET due_at = payment.now() WHERE state = 'requested'`);
  tools.wake_up.wake();
  const read = await until(async () => {
    const seen = await till.shop.read(order_id);
    return seen.at('status') === 'authorization_cancelled' ? seen : undefined;
  });
  expect(read.at('is_cancelled')).toBe(true);
  process.off('unhandledRejection', hear);
  expect(unheard).toEqual([]);
});

/** From a statement with such a name on, no connection can be had to look at an order. */
async function lostAfter(till: Till, accepts: RegExp, ask: () => Promise<Reply>): Promise<Reply> {
  const { tools } = till.w.service;
  const { tenant, begin } = tools.db;
  let accepted = false;
  const watched = <R extends { run: typeof tools.db.run }>(runner: R): R => {
    const run: typeof tools.db.run = (name, text, parameters) => {
      if (accepted && name === 'find_order') return Promise.reject(new DatabaseUnavailable('no connection'));
      if (accepts.test(name)) accepted = true;
      return runner.run(name, text, parameters);
    };
    return { ...runner, run, ...('batch' in runner && { batch: run, batchRead: run }) };
  };
  tools.db.tenant = (account) => watched(tenant(account));
  tools.db.begin = (account, work) => begin(account, (tx) => work(watched(tx)));
  const reply = await ask();
  expect(accepted).toBe(true);
  tools.db.tenant = tenant;
  tools.db.begin = begin;
  return reply;
}

test('no connection can be had behind the commit: the caller never hears that nothing was accepted', async () => {
  await using till = await openTill();
  const { shop } = till;
  const declined = await shop.pay({ card_number: '4000000000009995' });
  const order_id = await till.authorize();
  const captured = await till.authorize();
  await till.maintain('capture', captured);
  const [token, asked] = [await shop.token(), await shop.token({ card_number: '4000002760003184' })];
  const named = { operation_type: 'authorize', amount: '7.00', currency: 'EUR' };
  const stories: readonly (readonly [accepts: RegExp, ask: () => Promise<Reply>])[] = [
    [/^accept_operation$/, () => till.maintain('refund', captured, { amount: '10.00' })],
    [/^accept_operation$/, () => till.maintain('cancel', order_id)],
    [
      /^retry_order$/,
      () => shop.api(`/payment/order/${textAt(declined, 'order_id')}`, { method: 'PUT', body: { token } }),
    ],
    [
      // the client library sends an Idempotency-Key with each order, and then it is the other statement
      /^accept_(?:plain_)?order$/,
      () => shop.order({ token: asked, ...named, order_merchant_id: 'asked', authentication_indicator: 'force_3ds' }),
    ],
  ];
  for (const [accepts, ask] of stories) {
    const reply = await lostAfter(till, accepts, ask);
    expect([reply.status, reply.at('title')], String(accepts)).toEqual([500, expect.stringContaining('outcome')]);
  }
});

test('no connection can be had before anything was accepted: the caller hears that, and may ask again', async () => {
  await using till = await openTill();
  const order_id = await till.authorize();
  const { tools } = till.w.service;
  const { tenant } = tools.db;
  tools.db.tenant = (account) => {
    const gone = () => Promise.reject(new DatabaseUnavailable('no connection'));
    return { ...tenant(account), run: gone, batch: gone, batchRead: gone };
  };
  const reply = await till.maintain('capture', order_id);
  tools.db.tenant = tenant;
  expect([reply.status, reply.headers.get('retry-after')]).toEqual([503, '2']);
  expect((await till.maintain('capture', order_id)).code).toBe('955555');
});
