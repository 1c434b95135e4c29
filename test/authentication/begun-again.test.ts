// Two orders of one order_merchant_id, of which both wait for their payer, or one does while the other is tried again:
// at most one is paid, whichever payer is quicker (docs/contract.md 7.3 and 7.4, docs/decisions/0066).
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Reply, textAt } from '../client.ts';
import { type World, world } from '../world.ts';
import { actAt, authenticates, redirectOf, toBank } from './payer.ts';

let w: World;
beforeAll(async () => {
  w = await world();
});
afterAll(() => w[Symbol.asyncDispose]());

const ASK = { authentication_indicator: 'ask_3ds' };
const CHALLENGE = { card_number: '4000002760003184' };
const DECLINED = { card_number: '4000000000009995' };
const LEFT = ['authentication_declined', '361000'];
const PAID = ['capture_successful', '955555'];

let count = 0;
const reference = () => ({ order_merchant_id: `begun-again-${process.pid}-${count++}` });

const waiting = (fields: object) => w.shop.pay(CHALLENGE, { ...ASK, ...fields });
const put = (order: Reply, body: object) =>
  w.shop.api(`/payment/order/${textAt(order, 'order_id')}`, { method: 'PUT', body, headers: { prefer: 'wait=10' } });

async function standing(order: Reply): Promise<unknown[]> {
  const read = await w.shop.read(textAt(order, 'order_id'));
  return [read.at('status'), read.code];
}

async function paid(orders: readonly Reply[]): Promise<number> {
  const read = await Promise.all(orders.map((order) => w.shop.decided(textAt(order, 'order_id'))));
  return read.filter((order) => order.at('status') === 'capture_successful').length;
}

/** As if both had been accepted in the same moment: neither saw the other. */
async function bothWaiting(fields: object = {}): Promise<[Reply, Reply]> {
  const orders: [Reply, Reply] = [await waiting(fields), await waiting({ ...fields, ...reference() })];
  const [first, second] = orders.map((order) => textAt(order, 'order_id'));
  await w.sql(
    `WITH renamed AS (
       UPDATE payment.orders o
       SET order_merchant_id = first.order_merchant_id, version = o.version + 1
       FROM payment.orders first
       WHERE first.id = decode($1, 'hex') AND o.id = decode($2, 'hex')
       RETURNING o.id, o.order_merchant_id
     )
     UPDATE payment.authentications a SET order_merchant_id = renamed.order_merchant_id FROM renamed WHERE a.order_id = renamed.id`,
    [first, second],
  );
  return orders;
}

type Around = { readonly before?: () => Promise<void>; readonly after?: () => Promise<void> };

/** Does something else before or after the next request reads what may be in its way. */
async function aroundContext({ before, after }: Around, act: () => Promise<Reply>): Promise<Reply> {
  const { db } = w.service.tools;
  const { tenant } = db;
  const interrupted: typeof tenant = (merchant_account_id) => {
    const runner = tenant(merchant_account_id);
    return {
      ...runner,
      batchRead: async (name, ...rest) => {
        if (name !== 'find_order_context') return runner.batchRead(name, ...rest);
        Object.assign(db, { tenant });
        await before?.();
        const rows = await runner.batchRead(name, ...rest);
        await after?.();
        return rows as never;
      },
    };
  };
  Object.assign(db, { tenant: interrupted });
  try {
    return await act();
  } finally {
    Object.assign(db, { tenant });
  }
}

describe('an order that is tried again', () => {
  test.each([
    ['and is paid at once', {}, {}],
    ['and waits for its payer too', CHALLENGE, ASK],
  ])('%s ends one of its reference that waits for its payer', async (_, card, fields) => {
    const named = reference();
    const declined = await w.shop.pay(DECLINED, named);
    const first = await waiting(named);
    const bank = await toBank(redirectOf(first));
    const again = await put(declined, { token: await w.shop.token(card), ...fields });
    expect(await standing(first)).toEqual(LEFT);
    await actAt(bank, { code: '1234' });
    if (again.at('redirect_url') !== undefined) await authenticates(again);
    expect([await standing(first), await standing(declined)]).toEqual([LEFT, PAID]);
  });

  // these two act inside the payment host, which is another process there
  const alone = process.env['FLORIN_TEST_SHAPE'] === 'processes';
  const again = async (card: object) => ({ token: await w.shop.token({ ...card, token_type: 'recurring' }), ...ASK });

  test.skipIf(alone)('does not end itself where an equal request is quicker (skipped over processes)', async () => {
    const declined = await w.shop.pay(DECLINED, reference());
    const body = await again(CHALLENGE);
    let begun: Reply | undefined;
    const refused = await aroundContext({ before: async () => void (begun = await put(declined, body)) }, () =>
      put(declined, { ...body, order_description: 'the other one' }),
    );
    expect([begun?.at('status'), refused.status, refused.code]).toEqual(['authentication_requested', 409, '111035']);
    if (begun) await authenticates(begun);
    expect(await standing(declined)).toEqual(PAID);
  });

  test.skipIf(alone)(
    'is refused where the payer of the other was a moment quicker (skipped over processes)',
    async () => {
      const named = reference();
      const declined = await w.shop.pay(DECLINED, named);
      const first = await w.shop.pay({ card_number: '4000009901000110' }, { ...named, ...ASK, amount: '1000' });
      const body = await again(CHALLENGE);
      const refused = await aroundContext({ after: async () => void (await authenticates(first)) }, () =>
        put(declined, body),
      );
      expect([refused.status, refused.code, refused.at('order_id')]).toEqual([409, '111035', first.at('order_id')]);
    },
  );
});

describe('of two that wait for their payers', () => {
  test.each([
    ['the older', 0],
    ['the newer', 1],
  ])('%s is paid first: the other one is ended when its payer comes', async (_, quicker) => {
    const orders = await bothWaiting();
    const [first, second] = quicker === 0 ? orders : orders.toReversed();
    if (!first || !second) throw new Error('there are two');
    const bank = await toBank(redirectOf(second));
    await authenticates(first);
    expect(await standing(first)).toEqual(PAID);
    await actAt(bank, { code: '1234' });
    expect(await standing(second)).toEqual(LEFT);
  });

  test('whose payers come at once, one is paid', async () => {
    for (let round = 0; round < 10; round++) {
      const orders = await bothWaiting();
      const banks = await Promise.all(orders.map((order) => toBank(redirectOf(order))));
      await Promise.all(banks.map((bank) => actAt(bank, { code: '1234' })));
      expect(await paid(orders)).toBe(1);
    }
  });

  test('the other one goes on where the first was paid and cancelled', async () => {
    const [first, second] = await bothWaiting({ operation_type: 'authorize' });
    await authenticates(first);
    const cancel = await w.shop.api(`/payment/maintenance/cancel/${textAt(first, 'order_id')}`, { method: 'POST' });
    expect(cancel.code).toBe('977777');
    await authenticates(second);
    expect(await standing(second)).toEqual(['authorization_successful', '944444']);
  });
});

test('orders of one reference that begin at once are paid once at most', async () => {
  for (let round = 0; round < 10; round++) {
    const named = reference();
    const orders = await Promise.all([waiting(named), waiting(named)]);
    const begun = orders.filter((order) => order.status === 200);
    for (const order of begun) if (order.at('redirect_url') !== undefined) await authenticates(order).catch(String);
    expect(await paid(begun)).toBeLessThanOrEqual(1);
  }
});

test('an order that was paid before another one began is not in its way', async () => {
  const named = reference();
  expect((await w.shop.pay({}, named)).code).toBe('955555');
  const second = await waiting(named);
  await authenticates(second);
  expect(await standing(second)).toEqual(PAID);
});
