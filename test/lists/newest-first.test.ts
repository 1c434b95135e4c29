// Every list that comes in pages, walked while more arrives: newest first, nothing twice, nothing left out.
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { momentOf } from '../../src/core/ids.ts';
import { logPage } from '../../src/payment/request-log/list.ts';
import { textAt } from '../client.ts';
import { dataIn, nonceIn, open, sendForm } from '../hosted-page/payer.ts';
import { receiver } from '../notifications/receiver.ts';
import { accountOf, rowsOf } from '../request-log/played.ts';
import { publish } from '../risk/till.ts';
import { type World, world } from '../world.ts';

const PAYMENTS = 30;
/** Few: one network may open a link 30 times a minute. */
const BY_LINK = 8;

let w: World;
/** Paid by many. */
let link: { readonly id: string; readonly url: string };
let shop: Awaited<ReturnType<typeof receiver>>;
beforeAll(async () => {
  w = await world({ FLORIN_NOTIFICATION_PRIVATE_TARGETS: 'yes' });
  shop = await receiver();
  const made = await w.shop.api('/notification/endpoint', { body: { url: shop.url } });
  const endpoint_id = textAt(made, 'endpoint._id');
  // an order is stored a moment behind its request
  await publish(w, [{ name: 'many', kind: 'velocity', subject: 'all', window_s: 3600, limit: 1000 }]);
  // many in one millisecond, and of each sale two events in one commit
  await payMany(PAYMENTS);
  for (let tests = 0; tests < 2; tests++) await w.shop.api(`/notification/endpoint/${endpoint_id}/test`, { body: {} });
  await makeLinks(PAYMENTS);
  const first = await makeLink();
  link = { id: textAt(first, 'link.link_id'), url: textAt(first, 'link.url') };
  await payByLink(BY_LINK);
});
afterAll(async () => {
  await shop[Symbol.asyncDispose]();
  await w[Symbol.asyncDispose]();
});

async function payMany(count: number): Promise<void> {
  const made = await Promise.all(Array.from({ length: count }, () => w.shop.pay()));
  expect(made.map(({ code }) => code)).toEqual(made.map(() => '955555'));
}

function makeLink() {
  const body = { usage: 'many', amount: '25', currency: 'EUR', order_merchant_id: 'stand' };
  return w.shop.api('/payment/link', { body });
}

const makeLinks = (count: number) => Promise.all(Array.from({ length: count }, makeLink));

/** So many payers open it, and each pays the checkout that this made. */
async function payByLink(count: number): Promise<void> {
  const pay = async () => {
    const opened = await sendForm(link.url, { nonce: nonceIn(await open(link.url)) });
    const page = await open(new URL(opened.location ?? '', link.url).href.replace('?sent', ''));
    const checkout_id = String(dataIn(page).element['checkoutId']);
    return w.shop.order({ checkout_id, token: await w.shop.token({ checkout_id }) }, { prefer: 'wait=20' });
  };
  const made = await Promise.all(Array.from({ length: count }, pay));
  expect(made.map(({ code }) => code)).toEqual(made.map(() => '955555'));
}

type Row = {
  readonly name: string;
  readonly at_ms: number;
  /** Rows of one subject are numbered in the order in which they happened. */
  readonly place?: { readonly of: string; readonly number: number };
};
type Page = { readonly rows: readonly Row[]; readonly next: string | null };
type List = {
  readonly path: string;
  /** So much a row may be younger than the one above it, by the rounding of its dates. */
  readonly rounded_ms: number;
  /** So many more of its rows, at least. */
  arrive(count: number): Promise<unknown>;
  page(limit: number, cursor: string | undefined): Promise<Page>;
};

const ms = (date: unknown) => Date.parse(String(date));

type Rows = {
  readonly member: string;
  row(one: Record<string, unknown>): Row;
  /** Absent: payments. */
  arrive?(count: number): Promise<unknown>;
};

/** The lists of the API, and what a row of each is. */
const ROWS: Readonly<Record<string, Rows>> = {
  '/payment/order': { member: 'orders', row: (one) => ({ name: String(one['_id']), at_ms: ms(one['createdAt']) }) },
  '/notification': {
    member: 'notifications',
    row: ({ _id, createdAt, order_id, endpoint_id, sequence }) => ({
      name: String(_id),
      at_ms: ms(createdAt),
      place: { of: `${String(endpoint_id)} ${String(order_id)}`, number: Number(sequence) },
    }),
  },
  '/payment/link': {
    member: 'links',
    row: (one) => ({ name: String(one['link_id']), at_ms: ms(one['createdAt']) }),
    arrive: makeLinks,
  },
  // those of the checkout that was opened last come first
  '/payment/link/{link_id}/order': {
    member: 'orders',
    row: (one) => ({ name: String(one['order_id']), at_ms: momentOf(String(one['checkout_id'])).getTime() }),
    arrive: payByLink,
  },
  '/sandbox/provider/books': {
    member: 'entries',
    row: ({ reference, kind, createdAt }) => ({ name: `${String(reference)} ${String(kind)}`, at_ms: ms(createdAt) }),
  },
};

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

const ofApi = ([path, { member, row, arrive = payMany }]: [string, Rows]): List => ({
  path,
  rounded_ms: 0,
  arrive,
  page: async (limit, cursor) => {
    const asked = new URLSearchParams({ limit: String(limit), ...(cursor !== undefined && { cursor }) });
    const reply = await w.shop.api(`${path.replace('{link_id}', link.id)}?${asked.toString()}`);
    const rows = reply.at(member);
    const next = reply.at('next_cursor');
    return {
      rows: Array.isArray(rows) ? rows.filter(isObject).map(row) : [],
      next: typeof next === 'string' ? next : null,
    };
  },
});

/** In the order of the answers: a request that waited long stands where it was answered. Times are rounded twice. */
const REQUEST_LOG: List = {
  path: 'the request log',
  // it is in the order in which answers were noted, a turn of the event loop behind them: on a busy machine more than a
  // moment
  rounded_ms: 100,
  arrive: payMany,
  page: async (limit, cursor) => {
    const query = { limit, ...(cursor !== undefined && { cursor }) };
    const { rows, next_cursor } = await logPage(w.service.tools.db.tenant(accountOf(w)), query);
    const row = ({ id, kind, at, duration_ms }: (typeof rows)[number]): Row => ({
      name: `${kind} ${id} ${at.getTime()}`,
      at_ms: at.getTime() + duration_ms,
    });
    return { rows: rows.map(row), next: next_cursor };
  },
};

const LISTS: readonly List[] = [...Object.entries(ROWS).map(ofApi), REQUEST_LOG];

test('every list with a cursor is walked here', async () => {
  const { body } = await w.shop.api('/openapi.json', { key: null });
  const paths = isObject(body) && isObject(body['paths']) ? body['paths'] : {};
  const listed = Object.entries(paths).filter(
    ([, of]) => isObject(of) && /"name":"cursor"/.test(JSON.stringify(of['get'])),
  );
  expect(listed.map(([path]) => path).toSorted()).toEqual(Object.keys(ROWS).toSorted());
});

test('an order is as old as its id says, however long its payment took to begin', async () => {
  const made = await Promise.all(Array.from({ length: 20 }, () => w.shop.pay()));
  for (const reply of made) {
    const order_id = textAt(reply, 'order_id');
    const read = await w.shop.read(order_id);
    expect([order_id, read.at('createdAt')]).toEqual([order_id, momentOf(order_id).toISOString()]);
  }
});

/** All pages from the newest on; between two of them so many more arrive. */
async function walk({ page, arrive }: List, limit: number, arriving: readonly number[]): Promise<readonly Row[]> {
  const rows: Row[] = [];
  let cursor: string | undefined;
  for (let i = 0; ; i++) {
    const { rows: found, next } = await page(limit, cursor);
    expect(found.length).toBeLessThanOrEqual(limit);
    rows.push(...found);
    if (next === null) return rows;
    cursor = next;
    await arrive(arriving[i] ?? 0);
  }
}

function expectNewestFirst({ rounded_ms }: List, rows: readonly Row[]): void {
  const last = new Map<string, number>();
  rows.forEach(({ name, at_ms, place }, i) => {
    expect(at_ms, `${name} stands below an older one`).toBeLessThanOrEqual(
      (rows[i - 1]?.at_ms ?? Infinity) + rounded_ms,
    );
    if (!place) return;
    expect(place.number, `${name} stands below an earlier one of ${place.of}`).toBeLessThan(
      last.get(place.of) ?? Infinity,
    );
    last.set(place.of, place.number);
  });
}

test.each(LISTS)('$path: newest first, nothing twice, nothing left out, while more arrives', async (list) => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 3, max: 100 }),
      fc.array(fc.nat(3), { maxLength: 6 }),
      async (limit, arriving) => {
        // what is there before the walk: the log is written a moment behind the answers
        if (list === REQUEST_LOG) await settled();
        const before = (await walk(list, 100, [])).map(({ name }) => name);
        const rows = await walk(list, limit, arriving);
        const names = rows.map(({ name }) => name);
        expect(names).toHaveLength(new Set(names).size);
        expect(before.filter((name) => !names.includes(name))).toEqual([]);
        expectNewestFirst(list, rows);
      },
    ),
    { numRuns: 2 },
  );
});

/** Until the last request of all is in the log. */
async function settled(): Promise<void> {
  const reply = await w.shop.api('/payment/order?limit=1');
  const id = reply.headers.get('x-request-id') ?? '';
  await expect.poll(async () => (await rowsOf(w, { id })).length).toBe(1);
}
