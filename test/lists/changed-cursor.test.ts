// Contract 7.6: a cursor that is not as it was answered is refused by its name, together with whatever else is wrong in
// the query: else a list would go on at another place, or seem to be at its end.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Client, type Reply, textAt } from '../client.ts';
import { receiver } from '../notifications/receiver.ts';
import { type World, world } from '../world.ts';

let w: World;
let other: Client;
beforeAll(async () => {
  w = await world({ FLORIN_NOTIFICATION_PRIVATE_TARGETS: 'yes' });
  other = await w.otherShop();
  await using to = await receiver();
  await w.shop.api('/notification/endpoint', { body: { url: to.url } });
  for (const shop of [w.shop, other])
    for (let i = 0; i < 2; i++) {
      await shop.pay();
      await shop.api('/payment/link', { body: { amount: 5, currency: 'EUR', order_merchant_id: `link-${i}` } });
    }
  await to.until((got) => got.length > 1);
});
afterAll(() => w?.[Symbol.asyncDispose]());

const PATHS = ['/payment/order', '/payment/link', '/notification', '/sandbox/provider/books'] as const;
const NOT_OURS = 'is not one of ours: send next_cursor of the answer before';

const page = (path: string, query: Readonly<Record<string, string>>, shop = w.shop) =>
  shop.api(`${path}?${new URLSearchParams({ limit: '1', ...query }).toString()}`);
const cursorOf = async (path: string, shop = w.shop) => textAt(await page(path, {}, shop), 'next_cursor');
const errors = (reply: Reply) => [reply.status, Object(reply.body).errors];

test.each(PATHS)('%s refuses what was put to a cursor, or cut off', async (path) => {
  const cursor = await cursorOf(path);
  expect((await page(path, { cursor })).status).toBe(200);
  for (const changed of [`${cursor}A`, `${cursor}=`, ` ${cursor}`, `${cursor}\n`, cursor.slice(0, -1), `${cursor}/+`])
    expect([changed, ...errors(await page(path, { cursor: changed }))]).toEqual([
      changed,
      400,
      [{ field: 'cursor', code: '111012', message: NOT_OURS }],
    ]);
});

test.each(PATHS)('%s names a wrong cursor together with the rest of the query', async (path) => {
  const reply = await page(path, { limit: '0', cursor: 'x' });
  expect(errors(reply)).toMatchObject([400, [{ field: 'limit' }, { field: 'cursor', message: NOT_OURS }]]);
});

test('a list of orders never seems to end because its cursor was changed, or is of another account', async () => {
  const cursor = await cursorOf('/payment/order');
  // one bit of the id that is in it
  const id = Buffer.from(cursor, 'base64url');
  id[11] = (id[11] ?? 0) ^ 1;
  for (const changed of [id.toString('base64url'), 'A'.repeat(16), await cursorOf('/payment/order', other)])
    expect(errors(await page('/payment/order', { cursor: changed }))).toEqual([
      400,
      [{ field: 'cursor', code: '111012', message: NOT_OURS }],
    ]);
  const next = await page('/payment/order', { cursor });
  expect([next.status, Object(next.at('orders')).length, next.at('has_more')]).toEqual([200, 1, false]);
});

test.each(PATHS)('%s shows under a cursor of another account nothing of that account', async (path) => {
  const whole = await w.shop.api(`${path}?limit=100`);
  const reply = await page(path, { limit: '100', cursor: await cursorOf(path) }, other);
  if (path === '/payment/order') expect(reply.status).toBe(400);
  for (const id of whole.text.match(/"(?:order_id|link_id|_id)":"[0-9a-f]{24}"/g) ?? [])
    expect(reply.text).not.toContain(id);
});
