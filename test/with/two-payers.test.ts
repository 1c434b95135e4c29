// Two orders of one order_merchant_id whose payers are at a provider's own page: one is paid, and the other one ends
// with nothing held there (docs/contract.md 7.3).
import { afterAll, beforeAll, expect, test } from 'vitest';
import { authenticates, open, redirectOf } from '../authentication/payer.ts';
import type { Parameters as Values, TenantRunner } from '../../src/kit/database.ts';
import { updateSettings } from '../../src/payment/merchant/store.ts';
import { payerIsBack } from '../../src/payment/order/engine/back.ts';
import { findOrder } from '../../src/payment/order/facts/order-store.ts';
import { type Reply, textAt, until } from '../client.ts';
import { stripe as at } from '../conformance/at/stripe.ts';
import { slowCard } from '../slow-card.ts';
import { lockWaits } from '../lock-waits.ts';
import { type World, world } from '../world.ts';

let w: World;
beforeAll(async () => {
  w = await world({ FLORIN_WITH: 'stripe' });
});
afterAll(() => w[Symbol.asyncDispose]());

const AT_STRIPE = {
  merchant_contract: 'stripe',
  payment_channel: 'e-commerce',
  authentication_indicator: 'ask_3ds',
};
const idOf = (order: Reply) => textAt(order, 'order_id');

async function asked(order_merchant_id: string, operation_type: string): Promise<Reply> {
  const fields = { ...AT_STRIPE, order_merchant_id, operation_type };
  const order = await w.shop.pay({ card_number: at.cards.challenge ?? '' }, fields);
  expect(order.at('status'), order.text).toBe('authentication_requested');
  return order;
}

/** The payer opens the provider's page and says yes there. */
async function payerPays(order: Reply): Promise<void> {
  await open((await at.payer?.acts(await open(redirectOf(order)), 'complete')) ?? '');
}

/** As if both had been accepted in the same moment: neither saw the other. */
async function renamed(order: Reply, like: Reply): Promise<void> {
  const ids = [idOf(order), like.at('order_merchant_id')];
  await w.sql(
    `UPDATE payment.orders SET order_merchant_id = $2, version = version + 1 WHERE id = decode($1, 'hex')`,
    ids,
  );
  for (const table of ['operations', 'authentications'])
    await w.sql(`UPDATE payment.${table} SET order_merchant_id = $2 WHERE order_id = decode($1, 'hex')`, ids);
}

const ended = async (order: Reply) =>
  until(async () => {
    await w.shop.api('/sandbox/clock/advance', { body: { seconds: 60 } });
    const open_ones = await w.sql(
      `SELECT 1 FROM payment.operations WHERE order_id = decode($1, 'hex')
       AND state NOT IN ('successful', 'declined', 'not_sent')`,
      [idOf(order)],
    );
    return open_ones.length === 0 || undefined;
  }, 60);

const takenThere = async (order: Reply) =>
  (await at.drive(w).books(idOf(order))).reduce((sum, one) => sum + one.held + one.captured - one.refunded, 0n);

test.each([
  ['authorize', 'authorization_successful'],
  ['direct_capture', 'capture_successful'],
])('the second payer says yes there after the first order was paid: that is undone (%s)', async (type, paid) => {
  const [first, second] = [await asked(type, type), await asked(`${type}, another`, type)];
  await renamed(second, first);
  await payerPays(first);
  await until(async () => (await w.shop.read(idOf(first))).at('status') === paid || undefined);
  await payerPays(second);
  await ended(second);
  expect((await w.shop.read(idOf(second))).at('status')).toMatch(/declined$/);
  expect([await takenThere(first), await takenThere(second)]).toEqual([2500n, 0n]);
});

test('a payer who comes back is noted in no batch: it may wait for another order, and its neighbours would too', async () => {
  const order = await asked('alone', 'authorize');
  const { tools } = w.service;
  const { db } = tools;
  const account = w.account;
  const facts = await findOrder(db.tenant(account), idOf(order));
  const sent: string[] = [];
  const tenant = (id: string): TenantRunner => {
    const own = db.tenant(id);
    const note = (way: string, name: string, parameters: Values = {}) =>
      name === 'note_step' && parameters['taken_up'] === 1 && sent.push(way);
    return {
      ...own,
      run: (name, text, parameters) => (note('alone', name, parameters), own.run(name, text, parameters)),
      batch: (name, text, parameters, rows) => (
        note('in a batch', name, parameters),
        own.batch(name, text, parameters, rows)
      ),
    };
  };
  if (facts) await payerIsBack({ ...tools, db: { ...db, tenant } }, facts, {});
  expect(sent).toEqual(['alone']);
});

test('the payer began again and has paid before the first order is undone: it ends all the same', async () => {
  const first = await asked('begun-again-there', 'authorize');
  const { tools } = w.service;
  const { direct } = tools;
  const gate = Promise.withResolvers<void>();
  Object.assign(tools, {
    direct: async (call: Parameters<typeof direct>[0]) => {
      if (at.undoes.includes(call.step)) await gate.promise;
      return direct(call);
    },
  });
  const second = await w.shop.pay(
    {},
    { ...AT_STRIPE, order_merchant_id: 'begun-again-there', operation_type: 'authorize' },
  );
  expect(second.at('status'), second.text).toBe('authorization_successful');
  Object.assign(tools, { direct });
  gate.resolve();
  await ended(first);
  const left = await w.shop.read(idOf(first));
  expect([left.at('status'), left.code]).toEqual(['authentication_declined', '361000']);
  expect([await takenThere(first), await takenThere(second)]).toEqual([0n, 2500n]);
});

test('whose payers come back at once, one is paid', async () => {
  for (let round = 0; round < 5; round++) {
    const [first, second] = [await asked(`once ${round}`, 'authorize'), await asked(`once ${round} b`, 'authorize')];
    await renamed(second, first);
    const orders = [first, second];
    const backs = await Promise.all(
      orders.map(async (order) => (await at.payer?.acts(await open(redirectOf(order)), 'complete')) ?? ''),
    );
    const seen = await Promise.all(backs.map((back) => open(back)));
    expect(seen.map(({ status }) => status).filter((status) => status >= 500)).toEqual([]);
    for (const order of orders) await ended(order);
    const taken = await Promise.all(orders.map(takenThere));
    expect(taken.toSorted((a, b) => Number(a - b))).toEqual([0n, 2500n]);
  }
});

const GATE = 4712;
/** Backends that wait for a lock. */
const waiting = () => lockWaits(w);

test('of which the provider tells in one moment that both are paid, one is undone', async () => {
  const [first, second] = [await asked('told at once', 'authorize'), await asked('told at once, too', 'authorize')];
  await renamed(second, first);
  const letGo = await holdEnd(first);
  for (const order of [first, second]) await at.payer?.acts(await open(redirectOf(order)), 'complete');
  await at.drive(w).tellWaiting();
  await waitsBeside(second);
  await letGo();
  for (const order of [first, second]) await ended(order);
  const taken = await Promise.all([first, second].map(takenThere));
  expect(taken.toSorted((a, b) => Number(a - b))).toEqual([0n, 2500n]);
});

/**
 * The commit that has written the end of this order's visit waits until it is let go, as for a standby that is slow to
 * confirm; for some seconds at most, then it is rolled back and tried again later. Answers what lets it go.
 */
async function holdEnd(order: Reply): Promise<() => Promise<void>> {
  await w.sql(
    `CREATE FUNCTION public.gate() RETURNS trigger LANGUAGE plpgsql SET lock_timeout = 0 AS
     $$ BEGIN PERFORM pg_advisory_xact_lock_shared(${GATE}); RETURN NULL; END $$`,
  );
  await w.sql(
    `CREATE TRIGGER z_gate AFTER UPDATE OF state ON payment.authentications
     FOR EACH ROW WHEN (NEW.order_id = '\\x${idOf(order)}') EXECUTE FUNCTION public.gate()`,
  );
  await w.sql(`SELECT pg_advisory_lock(${GATE})`);
  return async () => {
    await w.sql(`SELECT pg_advisory_unlock_all()`);
    await w.sql(`DROP FUNCTION public.gate() CASCADE`);
  };
}

/** The other order waits as well; or the one that was held has given up, and the other one is decided. */
const waitsBeside = (order: Reply) =>
  until(async () => (await waiting()) > 1 || !(await w.sql(WAITS_FOR_PAYER, [idOf(order)]))[0] || undefined);

const WAITS_FOR_PAYER = `SELECT 1 FROM payment.operations
  WHERE order_id = decode($1, 'hex') AND state IN ('requested', 'in_doubt') AND waits_for = 'payer'`;

/** An order at the simulator, whose payer is authenticated by us. */
async function askedByUs(order_merchant_id: string): Promise<Reply> {
  const fields = { amount: '1000.00', authentication_indicator: 'force_3ds', order_merchant_id };
  const order = await w.shop.pay({}, { ...fields, payment_channel: 'e-commerce', operation_type: 'authorize' });
  expect(order.at('status'), order.text).toBe('authentication_requested');
  return order;
}

/** Cards go to providers once `go` was called. */
function heldCards(): { readonly waiting: () => number; go(): void } {
  const { tools } = w.service;
  const { vault } = tools;
  const gate = Promise.withResolvers<void>();
  let count = 0;
  const forward: typeof vault.forward = async (call) => {
    count++;
    await gate.promise;
    return vault.forward(call);
  };
  Object.assign(tools, { vault: { ...vault, forward } });
  return {
    waiting: () => count,
    go: () => {
      Object.assign(tools, { vault });
      gate.resolve();
    },
  };
}

test('a payer says yes there while an order that we authenticated is at its provider: the visit is undone', async () => {
  const [there, ours] = [await asked('mixed', 'authorize'), await askedByUs('mixed, ours')];
  await renamed(ours, there);
  const held = heldCards();
  const back = authenticates(ours);
  await until(() => Promise.resolve(held.waiting() > 0 || undefined));
  await at.payer?.acts(await open(redirectOf(there)), 'complete');
  await at.drive(w).tellWaiting();
  await until(async () => ((await w.sql(WAITS_FOR_PAYER, [idOf(there)]))[0] ? undefined : true));
  held.go();
  await back;
  for (const order of [there, ours]) await ended(order);
  expect((await w.shop.read(idOf(ours))).at('status')).toBe('authorization_successful');
  expect((await w.shop.read(idOf(there))).at('status')).toMatch(/declined$/);
  expect(await takenThere(there)).toBe(0n);
});

test('a payer says yes there in the moment in which we authenticate that of another order: one is paid', async () => {
  const [there, ours] = [await asked('mixed at once', 'authorize'), await askedByUs('mixed at once, ours')];
  await renamed(ours, there);
  const letGo = await holdEnd(ours);
  const back = authenticates(ours);
  await until(async () => (await waiting()) > 0 || undefined);
  await at.payer?.acts(await open(redirectOf(there)), 'complete');
  await at.drive(w).tellWaiting();
  await waitsBeside(there);
  await letGo();
  await back;
  for (const order of [there, ours]) await ended(order);
  // where its commit gave up, the bank is asked later what became of the payer
  await until(async () => {
    await w.shop.api('/sandbox/clock/advance', { body: { seconds: 60 } });
    return (await statusOf(ours)) !== 'authentication_requested' || undefined;
  });
  const statuses = [await statusOf(there), await statusOf(ours)];
  expect(statuses.filter((status) => status === 'authorization_successful')).toHaveLength(1);
  expect(statuses.filter((status) => status.endsWith('declined'))).toHaveLength(1);
  expect((await takenThere(there)) === 2500n).toBe(statuses[0] === 'authorization_successful');
});

const statusOf = async (order: Reply) => textAt(await w.shop.read(idOf(order)), 'status');

test('where one order of a reference may be paid, none begins beside a visit that ends well', async () => {
  const { tools } = w.service;
  await updateSettings(tools.db.tenant(w.account), { unique_order_merchant_id: true });
  // a changed setting is seen within a second
  await until(async () => {
    await w.shop.pay({}, { order_merchant_id: 'seen' });
    return (await w.shop.pay({}, { order_merchant_id: 'seen' })).status === 409 || undefined;
  });
  const there = await asked('there', 'authorize');
  const like = await w.shop.pay({ card_number: '4000000000009995' }, { order_merchant_id: 'unique' });
  const slow = slowCard(w);
  const plain = w.shop.pay({}, { order_merchant_id: 'unique', operation_type: 'authorize' });
  await slow.asked;
  await renamed(there, like);
  const letGo = await holdEnd(there);
  await at.payer?.acts(await open(redirectOf(there)), 'complete');
  await at.drive(w).tellWaiting();
  await until(async () => (await waiting()) > 0 || undefined);
  slow.letGo();
  let answered = false;
  void plain.finally(() => (answered = true));
  await until(async () => answered || (await waiting()) > 1 || undefined);
  await letGo();
  const { status } = await plain;
  await ended(there);
  expect([status, await statusOf(there)]).toEqual(
    status === 409 ? [409, 'authorization_successful'] : [200, expect.stringMatching(/declined$/)],
  );
});
