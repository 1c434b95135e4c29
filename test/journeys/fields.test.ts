// Contract 2.2, 4.2, 5.1, 7.1: every field of checkout and order, lenient in, strict out.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CHECKOUT, type Json, type Reply, textAt } from '../client.ts';
import { type World, world } from '../world.ts';
import { CHECKOUT_FIELDS, GROUPS, ORDER_FIELDS, PRODUCT } from './field-table.ts';
import { type FieldType, jsonOf, shown } from './field-types.ts';

let w: World;
beforeAll(async () => {
  w = await world();
});
afterAll(() => w[Symbol.asyncDispose]());

type Fields = Readonly<Record<string, unknown>>;

const checkout = (fields: Fields) => w.shop.api('/payment/checkout', { body: jsonOf({ ...CHECKOUT, ...fields }) });
/** An order with a token that nobody has: good fields end with token_unusable. */
const order = (fields: Fields) =>
  w.shop.api('/payment/order', { body: jsonOf({ ...ORDER, token: '0'.repeat(64), ...fields }) });
const ORDER = { operation_type: 'authorize', amount: '42.50', currency: 'EUR', order_merchant_id: 'fields' };

const errorsOf = (reply: Reply): Json[] => {
  const errors = reply.at('errors');
  return Array.isArray(errors) ? [...errors] : [];
};
/** Nothing but this field is refused, and its value is not repeated. */
function expectRefused(reply: Reply, field: string, value: unknown): void {
  const said = { field, code: '111012', message: expect.stringMatching(/^\w/) };
  expect([shown(value), reply.status, errorsOf(reply)]).toEqual([shown(value), 400, [said]]);
}
const expectAccepted = (reply: Reply, value: unknown) =>
  expect([shown(value), reply.code, errorsOf(reply).length]).toEqual([shown(value), '241021', 1]);

/** The sent fields of a test: the member itself, or within an object. */
const nest = (name: string, value: unknown): Fields => {
  const [outer = '', inner] = name.split('.');
  return { [outer]: inner === undefined ? value : { [inner]: value } };
};
const all = <T>(values: readonly T[], check: (value: T) => Promise<void>) => Promise.all(values.map(check));
const ON_BOTH = [...GROUPS, ...CHECKOUT_FIELDS];

describe('a checkout', () => {
  test.each(ON_BOTH)('takes %s in every form and answers it in one, also when it is read', async (name, type) => {
    await all(type.taken, async ([sent, answered]) => {
      const reply = await checkout({ [name]: sent });
      expect([shown(sent), reply.status, reply.at(`checkout.${name}`)]).toEqual([shown(sent), 200, answered]);
      expect(reply.headers.get('x-ignored-fields')).toBeNull();
      const read = await w.shop.api(`/payment/checkout/${textAt(reply, 'checkout.checkout_id')}`);
      expect([shown(sent), read.at(`checkout.${name}`)]).toEqual([shown(sent), answered]);
    });
  });

  test.each(ON_BOTH)('refuses %s in any other form, by name', async (name, type) => {
    await all(type.refused, async (value) => expectRefused(await checkout({ [name]: value }), name, value));
  });

  test.each(ON_BOTH)('takes null and nothing for an absent %s', async (name) => {
    const required = Object.hasOwn(CHECKOUT, name);
    const standard: Fields = { payment_channel: 'e-commerce', token_type: 'oneshot' };
    for (const value of [null, '']) {
      const reply = await checkout({ [name]: value });
      expect(reply.status).toBe(required ? 400 : 200);
      expect(reply.at(`checkout.${name}`)).toBe(required ? undefined : standard[name]);
      if (required) expect(errorsOf(reply)).toEqual([{ field: name, code: '111011', message: 'is required' }]);
    }
  });
});

describe('an order', () => {
  const named: readonly (readonly [string, FieldType])[] = [...ON_BOTH, ...ORDER_FIELDS];

  test.each(named)('takes %s in every form', async (name, type) => {
    // a subscription and a lower channel are refused for what they are, not for their form
    const unknown = name.startsWith('subscription_') && name.endsWith('id');
    await all(type.taken, async ([sent]) => {
      const reply = await order(nest(name, sent));
      if (!unknown) expectAccepted(reply, sent);
      expect(reply.headers.get('x-ignored-fields')).toBeNull();
    });
  });

  test.each(named)('refuses %s in any other form, by name', async (name, type) => {
    await all(type.refused, async (value) => expectRefused(await order(nest(name, value)), name, value));
  });

  test.each(named)('takes null and nothing for an absent %s', async (name) => {
    for (const value of [null, '']) {
      const reply = await order(nest(name, value));
      const required = name === 'operation_type' || name === 'order_merchant_id';
      expect(reply.code).toBe(required ? '111011' : '241021');
    }
  });

  test('answers what it echoes as a checkout does', async () => {
    const echoed = ['website_url', 'accept_url', 'decline_url', 'cancel_url', 'pending_url', 'exception_url'];
    const customer = ['customer_id', 'customer_first_name', 'customer_last_name', 'customer_email', 'customer_ip'];
    const address = [
      'customer_street_name',
      'customer_city',
      'customer_zip_code',
      'customer_country',
      'order_description',
    ];
    const types = new Map(ON_BOTH);
    for (let round = 0; round < 9; round++) {
      const pairs = [...echoed, ...customer, ...address].map((name): [string, readonly [unknown, unknown]] => {
        const taken = types.get(name)?.taken ?? [];
        return [name, taken[round % taken.length] ?? ['', '']];
      });
      const reply = await w.shop.pay({}, Object.fromEntries(pairs.map(([name, [sent]]) => [name, sent])));
      expect(reply.status).toBe(200);
      expect(reply.body).toMatchObject(Object.fromEntries(pairs.map(([name, [, answered]]) => [name, answered])));
    }
  });

  test('shows in its transactions the customer, address, billing, browser and account fields that were sent', async () => {
    const inside = GROUPS.filter(([name]) => name.startsWith('customer_') && name !== 'customer_items_reorder');
    const sent = Object.fromEntries(inside.map(([name, type]) => [name, type.taken[0]?.[0]]));
    const order_id = textAt(await w.shop.pay({}, sent), 'order_id');
    const read = await w.shop.read(order_id);
    const shown_there = Object.fromEntries(inside.map(([name]) => [name, read.at(`transactions.0.${name}`)]));
    expect(shown_there).toEqual(Object.fromEntries(inside.map(([name, type]) => [name, type.taken[0]?.[1]])));
  });

  test.each(['airline_data', 'insurance_data', 'car_rental_data', 'lodging_data'])(
    'takes %s as it is',
    async (name) => {
      const good = [{}, [], { a: { b: [1, 'x', null, true] } }, [{ legs: [] }], { __proto__x: 1, é: '😀' }];
      await all(good, async (value) => expectAccepted(await order({ [name]: value }), value));
      await all(['x', 5, true], async (value) => expectRefused(await order({ [name]: value }), name, value));
      for (const value of [good[2], { n: 'a\u0000b' }]) expect((await order({ [name]: value })).status).toBe(400);
    },
  );

  test.each(['x', 5, true, [], [{}]])('takes no 3ds_data that is %j', async (value) => {
    expectRefused(await order({ '3ds_data': value }), '3ds_data', value);
  });
});

describe('the basket', () => {
  test.each(PRODUCT)('takes and answers %s of a product', async (name, type) => {
    const items = type.taken.map(([sent]) => ({ [name]: sent }));
    const reply = await checkout({ basket_content: items });
    expect(reply.status).toBe(200);
    expect(reply.at('checkout.basket_content')).toEqual(type.taken.map(([, answered]) => ({ [name]: answered })));
    expectAccepted(await order({ basket_content: items }), items);
  });

  test.each(PRODUCT)('refuses %s of a product by its place', async (name, type) => {
    await all(type.refused, async (value) => {
      const items = [{ product_id: 'good' }, { [name]: value }];
      for (const send of [checkout, order])
        expectRefused(await send({ basket_content: items }), `basket_content[1].${name}`, value);
    });
  });

  test('may be empty, and may hold 200 products', async () => {
    for (const items of [[], [{}], Array.from({ length: 200 }, (_, i) => ({ product_id: `p${i}` }))]) {
      const reply = await checkout({ basket_content: items });
      expect(reply.at('checkout.basket_content')).toEqual(items);
    }
  });

  test.each(['x', 5, true, {}, { 0: {} }])('is a list, not %j', async (value) => {
    for (const send of [checkout, order]) expectRefused(await send({ basket_content: value }), 'basket_content', value);
  });

  test('takes null and nothing for what a product does not have', async () => {
    const items = [Object.fromEntries(PRODUCT.map(([name], i) => [name, i % 2 ? null : '']))];
    expect((await checkout({ basket_content: items })).at('checkout.basket_content')).toEqual([{}]);
  });
});
