// People are found by the beginnings of their names and of their e-mail addresses.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { searchOrders } from '../../src/payment/order/search/rows.ts';
import { wordsOf } from '../../src/payment/order/search/words.ts';
import { type Client, textAt, until } from '../client.ts';
import { type World, world } from '../world.ts';
import { followed } from './followed.ts';

let w: World;
beforeAll(async () => {
  w = await world();
});
afterAll(() => w[Symbol.asyncDispose]());

async function paidBy(payer: Readonly<Record<string, string>>, shop: Client = w.shop): Promise<string> {
  return textAt(await shop.pay({}, payer), 'order_id');
}

async function found(text: string, of = w.account): Promise<readonly string[]> {
  const { rows } = await searchOrders(w.service.tools.db.tenant(of), { filters: { text }, limit: 100 });
  return rows.map(({ id }) => id);
}

const NOEMIE = {
  customer_email: 'noemie.martin@shop.example',
  customer_first_name: 'Noémie',
  customer_last_name: 'Martin-Łukasiewicz',
};
const WORDS = ['noemie', 'NOEM', 'Noémie', 'mart', 'Martin', 'lukas', 'łukasiewicz', 'noemie.mar', 'noemie.martin@sh'];

test('the beginning of a name or an address finds its orders', async () => {
  const first = await paidBy(NOEMIE);
  const checkout_id = await w.shop.checkout(NOEMIE);
  const token = await w.shop.token({ checkout_id });
  const second = textAt(await w.shop.order({ checkout_id, token }), 'order_id');
  await paidBy({ customer_email: 'sonoemie@other.example' });
  await followed(w);
  for (const text of WORDS) expect([text, await found(text)]).toEqual([text, [second, first]]);
  for (const text of ['oemie', 'artin', 'n', '12']) expect([text, await found(text)]).toEqual([text, []]);
});

test('each word of a search text begins a word of the same person', async () => {
  const anna = await paidBy({
    customer_email: 'a.b@x.example',
    customer_first_name: 'Anna',
    customer_last_name: 'Berg',
  });
  await paidBy({ customer_email: 'c.d@x.example', customer_first_name: 'Anna', customer_last_name: 'Dahl' });
  await paidBy({ customer_email: 'e.f@x.example', customer_first_name: 'Erik', customer_last_name: 'Berg' });
  await followed(w);
  for (const text of ['anna berg', 'Berg, Anna', 'ann b', 'berg a.b@x'])
    expect([text, await found(text)]).toEqual([text, [anna]]);
  expect(await found('anna erik')).toEqual([]);
});

test('a person without an e-mail is found by their customer_id, one with neither is not', async () => {
  const known = await paidBy({ customer_id: 'k-1', customer_first_name: 'Ottokar' });
  const again = await paidBy({ customer_id: 'k-1' });
  await paidBy({ customer_first_name: 'Ottokar' });
  await followed(w);
  expect(await found('ottok')).toEqual([again, known]);
});

test('ids of customers that differ in capitals alone are two customers; the search box finds both', async () => {
  const small = await paidBy({ customer_id: 'xy-7' });
  const capital = await paidBy({ customer_id: 'XY-7' });
  await followed(w);
  for (const [customer_id, order_id] of [
    ['xy-7', small],
    ['XY-7', capital],
  ] as const) {
    const { rows } = await searchOrders(w.service.tools.db.tenant(w.account), { filters: { customer_id }, limit: 10 });
    const listed = await w.shop.api(`/payment/order?customer_id=${customer_id}`);
    const ids = (listed.at('orders') as readonly { readonly order_id: string }[]).map((order) => order.order_id);
    expect([rows.map(({ id }) => id), ids]).toEqual([[order_id], [order_id]]);
  }
  expect(await found('xy-7')).toEqual([capital, small]);
});

test("another account's people are not found", async () => {
  const other = await w.otherShop();
  const theirs = await paidBy({ customer_email: 'wilhelmine@shop.example' }, other);
  await followed(w);
  expect(await found('wilhelmine')).toEqual([]);
  const [row] = await w.sql<{ id: string }>(
    `SELECT encode(merchant_account_id, 'hex') AS id FROM payment.orders WHERE id = decode($1, 'hex')`,
    [theirs],
  );
  expect(await found('wilhelm', row?.id)).toEqual([theirs]);
});

test('an order that the worker has not followed yet is found at once', async () => {
  await followed(w);
  await w.sql('BEGIN');
  await until(async () => {
    const rows = await w.sql('SELECT FROM payment.order_search_state FOR UPDATE SKIP LOCKED');
    return rows.length === 1 ? true : undefined;
  });
  try {
    const order_id = await paidBy({ customer_email: 'fresh@shop.example', customer_last_name: 'Quetzal' });
    for (const text of ['quetz', 'fresh quetzal']) expect([text, await found(text)]).toEqual([text, [order_id]]);
  } finally {
    await w.sql('ROLLBACK');
  }
});

test('if too many people match, the orders of the first ones are shown, and the answer says so', async () => {
  const orders: string[] = [];
  for (let n = 0; n < 21; n++) orders.push(await paidBy({ customer_email: `zz${n}@shop.example` }));
  const exact = await paidBy({ customer_email: 'other@shop.example', customer_last_name: 'ZZ' });
  await followed(w);
  const db = w.service.tools.db.tenant(w.account);
  const search = (text: string) => searchOrders(db, { filters: { text }, limit: 100 });
  const wide = await search('zz');
  expect([wide.rows.length, wide.too_many_people]).toEqual([20, true]);
  expect(wide.rows.map(({ id }) => id)).toContain(exact);
  const narrow = await search('zz20');
  expect([narrow.rows.map(({ id }) => id), narrow.too_many_people]).toEqual([[orders[20]], false]);
});

test('the database and the service part a text into the same words', async () => {
  const texts = Array.from({ length: 0xfffd }, (_, n) => n + 1)
    // surrogates, and a block in which newer versions of Unicode have letters that PostgreSQL does not know yet
    .filter((code) => (code < 0xd800 || code > 0xdfff) && (code < 0xa720 || code > 0xa7ff))
    .map((code) => `a${String.fromCodePoint(code)}b`);
  const rows = await w.sql<{ words: string[] }>(
    'SELECT ARRAY(SELECT payment.search_parts(x)) AS words FROM unnest($1::text[]) WITH ORDINALITY AS u (x, n) ORDER BY n',
    [texts],
  );
  const other = texts.filter((text, n) => wordsOf(text).join() !== [...new Set(rows[n]?.words)].join());
  // the letter @ keeps the beginning of an address whole
  expect(other).toEqual(['a@b', 'a\ufe6bb', 'a\uff20b']);
});

test('the stored words of a person are those that a search for the whole name looks for', async () => {
  const name = { customer_first_name: 'Ýrsa-Ælfgifu O’Brien', customer_last_name: 'Ёлка ΣΊΣΥΦΟΣ Straße' };
  await paidBy({ customer_email: 'Alike@x-y.example', ...name });
  await followed(w);
  const words = await w.sql<{ word: string }>(
    `SELECT word FROM payment.search_words WHERE by_email AND person = payment.search_hash('alike@x-y.example')`,
  );
  const kept = words.map(({ word }) => word).toSorted();
  const names = ['yrsa', 'aelfgifu', 'o', 'brien', 'елка', 'σισυφοσ', 'strasse'];
  expect(kept).toEqual([...names, 'alike', 'x', 'y', 'alike@x-y.example'].toSorted());
  expect(wordsOf(`alike x-y ${Object.values(name).join(' ')} ALIKE@x-y.example`).toSorted()).toEqual(kept);
});
