// A page of orders is as long as asked for unless it is the last one, also where what is found has yet to be compared.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { firstOwner } from '../backoffice/person.ts';
import { textAt } from '../client.ts';
import { type World, world } from '../world.ts';

let w: World;
const made: { readonly customer_id: string; readonly id: string; readonly createdAt: string }[] = [];
beforeAll(async () => {
  w = await world();
  // to the search both are one customer
  for (const customer_id of ['Ada', 'Ada', 'ada', 'ada', 'ada', 'ada']) {
    const id = textAt(await w.shop.pay({}, { customer_id }), 'order_id');
    const [row] = await w.sql<{ at: Date }>(
      `SELECT created_at AS at FROM payment.orders WHERE id = decode($1, 'hex')`,
      [id],
    );
    made.unshift({ customer_id, id, createdAt: row?.at.toISOString() ?? '' });
  }
});
afterAll(() => w[Symbol.asyncDispose]());

async function pagesOf(query: string): Promise<readonly (readonly string[])[]> {
  const pages: string[][] = [];
  for (let cursor: unknown = ''; typeof cursor === 'string';) {
    const page = await w.shop.api(`/payment/order?${query}${cursor === '' ? '' : `&cursor=${cursor}`}`);
    const orders = page.at('orders') as readonly { order_id: string }[];
    pages.push(orders.map((order) => order.order_id));
    cursor = page.at('next_cursor');
    expect(page.at('has_more')).toBe(cursor !== null);
  }
  return pages;
}

const idsOf = (customer_id: string) => made.filter((one) => one.customer_id === customer_id).map(({ id }) => id);

test('of a customer whose id differs from another in capitals alone', async () => {
  expect(await pagesOf('customer_id=Ada&limit=1')).toEqual(idsOf('Ada').map((id) => [id]));
  expect(await pagesOf('customer_id=Ada&limit=2')).toEqual([idsOf('Ada')]);
  expect(await pagesOf('customer_id=ada&limit=3')).toEqual([idsOf('ada').slice(0, 3), idsOf('ada').slice(3)]);
});

test('of a span of time that ends within a second', async () => {
  for (const [i, { createdAt }] of made.entries()) {
    const before = made.slice(i + 1).map(({ id }) => id);
    const pages = await pagesOf(`created_to=${createdAt}&limit=1`);
    expect(pages).toEqual(before.length === 0 ? [[]] : before.map((id) => [id]));
  }
});

test('in the back office as well', async () => {
  const owner = await firstOwner(w);
  const last = made[0]?.createdAt ?? '';
  const page = await owner.get(`/api/orders?created_to=${last}&limit=1`);
  expect(page.at('orders.0.id')).toBe(made[1]?.id);
});
