// A person asks for their data, and then to be erased: everything is in the file, and afterwards nothing of them is in
// clear in any table of either zone, nor found, while money and books stand as they did. Somebody else is left alone.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { GROUPS } from '../../src/payment/checkout/groups.ts';
import { verifyLedger } from '../../src/payment/ledger/verify/verify.ts';
import type { Row, TenantRunner } from '../../src/kit/database.ts';
import { dataOf } from '../../src/payment/privacy/gather.ts';
import { PERSONAL } from '../../src/payment/privacy/personal.ts';
import { PASSWORD, type Person, firstOwner, invited } from '../backoffice/person.ts';
import { textAt, until } from '../client.ts';
import { type Receiver, receiver } from '../notifications/receiver.ts';
import { type World, world } from '../world.ts';

const CUSTOMER = 'customer-zebulon-77';
/** Each of them stands nowhere else. */
const PERSON = {
  customer_email: 'zebulon.quux@mail-of-zebulon.example',
  customer_first_name: 'Zebulon',
  customer_last_name: 'Quuxworthy',
  customer_phone_number: '+33612987654',
  customer_street_name: '77 Xylophone Alley',
  customer_city: 'Zwolleville',
  customer_ip: '203.0.113.77',
  shipping_address_street_name_line1: '9 Wolpertinger Court',
  shipping_email: 'zq@parcels.example',
  customer_browser_info_user_agent: 'Zebrowser/7.7',
};
/** The merchant's own data; the first is marked as personal. */
const DATA = [
  { key: 'passport', value: 'zebulon-passport-4711', is_personal_data: true },
  { key: 'shelf', value: 'shelf-of-the-shop-9' },
];
const MARKS = [CUSTOMER, ...Object.values(PERSON), 'zebulon-passport-4711'];
const reason = 'the customer wrote to us';

let w: World;
let server: Receiver;
let ada: Person;
const orders: string[] = [];
beforeAll(async () => {
  w = await world({ FLORIN_NOTIFICATION_PRIVATE_TARGETS: 'yes' });
  server = await receiver();
  ada = await firstOwner(w);
  await ada.ask('PUT', '/api/settings', { mail_receipts: true });
  await w.shop.api('/notification/endpoint', {
    body: { url: server.url, events: ['customer.updated', 'capture_successful'] },
  });
  const sale = { operation_type: 'direct_capture', amount: '31.00', token_type: 'recurring' };
  const fields = { ...PERSON, ...sale, customer_id: CUSTOMER, merchant_data: DATA };
  for (const reference of ['cart-z1', 'cart-z2']) {
    const paid = await w.shop.pay({ token_type: 'recurring' }, { ...fields, order_merchant_id: reference });
    orders.push(textAt(paid, 'order_id'));
    await w.shop.decided(textAt(paid, 'order_id'));
  }
  await w.shop.api(`/payment/maintenance/refund/${orders[0]}`, { body: { amount: '1.00' } });
  await w.shop.checkout({ ...PERSON, customer_id: CUSTOMER, merchant_data: DATA, order_merchant_id: 'cart-z-unpaid' });
  const other = {
    customer_id: 'customer-other',
    customer_email: 'other@mail.example',
    customer_last_name: 'Othersson',
  };
  await w.shop.pay({}, { ...sale, ...other, token_type: 'oneshot', order_merchant_id: 'cart-other' });
  await w.shop.api(`/payment/information/${CUSTOMER}`);
  const text = `${PERSON.customer_last_name} called twice`;
  if ((await ada.post(`/api/orders/${orders[0]}/notes`, { text })).status !== 200) throw new Error('it is noted');
  // people look for them, keep that as a view, and take it out
  for (const search of [CUSTOMER, PERSON.customer_email.toUpperCase()]) {
    const view = { name: search, filters: { search, currency: 'EUR' }, shared: false };
    if ((await ada.ask('PUT', '/api/views', view)).status !== 200) throw new Error('it is kept');
    const file = await ada.get(`/api/orders/export?search=${encodeURIComponent(search)}`);
    if (file.status !== 200) throw new Error('it is taken out');
  }
  await ada.ask('PUT', '/api/views', { name: 'Francs', filters: { currency: 'CHF' }, shared: false });
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await w[Symbol.asyncDispose]();
});

/** Tables, with what of a person they hold in clear: texts, JSON, and bytes that are the text itself. */
async function whereIs(marks: readonly string[]): Promise<readonly string[]> {
  const tables = await w.sql<{ name: string }>(
    `SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables WHERE schemaname IN ('payment', 'vault') ORDER BY 1`,
  );
  expect(tables.length).toBeGreaterThan(50);
  const found: string[] = [];
  for (const { name } of tables)
    for (const mark of marks) {
      const hex = Buffer.from(mark).toString('hex');
      const [row] = await w.sql<{ there: string }>(
        `SELECT count(*) AS there FROM ${name} x WHERE position(lower($1) IN lower(x::text)) > 0 OR position($2 IN x::text) > 0`,
        [mark, hex],
      );
      if (row?.there !== '0') found.push(`${name}: ${mark}`);
    }
  return found;
}

/** The newest erasure is done. */
const erased = () =>
  until(async () => {
    const seen = await ada.get('/api/customers/erasures');
    return seen.at('erasures.0.state') === 'done' ? seen : undefined;
  });

const searched = async (words: string) =>
  ((await ada.get(`/api/orders?search=${encodeURIComponent(words)}`)).at('orders') ?? []) as readonly object[];

test('every field of a person is one, by its name', () => {
  const { basket_content: _, ...groups } = GROUPS;
  const names = Object.keys(groups).filter((name) =>
    /customer|browser|address|email|phone|_name|birth|shipping/.test(name),
  );
  const kept = names.filter((name) => !new RegExp(PERSONAL).test(name));
  expect(names.length).toBeGreaterThan(40);
  expect(kept.toSorted()).toEqual(
    [
      'merchant_customer_name',
      'payment_method_name',
      'shipping_carrier_name',
      'shipping_delivery_method',
      'shipping_delivery_range',
      'shipping_price',
      'shipping_tax',
      'shipping_tax_rate',
    ].filter((name) => names.includes(name)),
  );
});

test('all that is stored of them is in one file, with what would be kept, and no token', async () => {
  expect((await whereIs(MARKS)).length).toBeGreaterThan(MARKS.length);
  const file = await ada.get(`/api/customers/data?customer_id=${CUSTOMER}`);
  expect(file.status).toBe(200);
  const data = JSON.parse(file.text) as {
    orders: readonly { order_merchant_id: string; given: object; operations: readonly object[] }[];
    checkouts: readonly object[];
    record: { saved_cards: readonly object[]; ip_address: string };
    kept_after_an_erasure: readonly object[];
  };
  expect(data.orders.map((order) => order.order_merchant_id).toSorted()).toEqual(['cart-z1', 'cart-z2']);
  expect(file.text).toContain('Quuxworthy called twice');
  expect(data.orders[0]?.given).toMatchObject({ customer_last_name: 'Quuxworthy' });
  expect(data.checkouts.length).toBeGreaterThanOrEqual(1);
  expect([data.record.saved_cards.length, data.record.ip_address]).toEqual([1, '203.0.113.77']);
  for (const mark of MARKS) expect([mark, file.text.includes(mark)]).toEqual([mark, true]);
  expect(file.text).not.toMatch(/"token"|token_sealed|Othersson/);
  expect((await ada.get('/api/customers/data?customer_id=nobody-here')).status).toBe(404);
});

test('their data is read page by page, by the connections that only read', async () => {
  const customer_id = 'customer-many';
  const account = w.account;
  await w.shop.checkout({ customer_id, order_merchant_id: 'cart-many' });
  await w.sql(
    `INSERT INTO payment.checkouts (id, merchant_account_id, amount_minor, currency, created_at, expires_at, body)
     SELECT decode('00000000' || lpad(to_hex(n), 16, '0'), 'hex'), merchant_account_id, amount_minor, currency,
       created_at, expires_at, body
     FROM generate_series(1, 1500) n,
       (SELECT * FROM payment.checkouts WHERE body ->> 'customer_id' = $1) c`,
    [customer_id],
  );
  const { tools } = w.service;
  const asked: string[] = [];
  const most = new Map<string, number>();
  const told =
    (from: string, db: TenantRunner) =>
    <R extends Row>(...[name, ...others]: Parameters<TenantRunner['run']>) =>
      db.run<R>(name, ...others).then((rows) => {
        asked.push(`${from}: ${name}`);
        most.set(name, Math.max(most.get(name) ?? 0, rows.length));
        return rows;
      });
  const seen = (from: 'tenant' | 'reading') => (id: string) => {
    const db = tools.db[from](id);
    return { ...db, run: told(from, db), batch: told(from, db), batchRead: told(from, db) };
  };
  const db = { ...tools.db, tenant: seen('tenant'), reading: seen('reading') };
  const data = await dataOf({ ...tools, db }, account, { customer_id, email: null });
  let pieces = 0;
  for await (const piece of data ?? []) pieces += piece.includes('"checkout_id"') ? 1 : 0;
  expect(pieces).toBe(1501);
  // the record itself may have to be brought up to date first
  expect(new Set(asked.filter((one) => one.startsWith('tenant')))).toEqual(new Set(['tenant: find_customer']));
  expect(most.get('read_bodies_of_checkouts')).toBeLessThanOrEqual(50);
  await w.sql(`DELETE FROM payment.checkouts WHERE body ->> 'customer_id' = $1`, [customer_id]);
});

test('only an owner who proves it erases, and not while an order is under way', async () => {
  const operator = await invited(w, ada, 'operator');
  expect((await operator.post('/api/customers/erase', { customer_id: CUSTOMER, reason })).status).toBe(403);
  await w.sql(`UPDATE payment.sessions SET proved_at = proved_at - interval '11 minutes'`);
  const unproved = await ada.post('/api/customers/erase', { customer_id: CUSTOMER, reason });
  expect(unproved.at('errors.0.field')).toBe('proof');
  await ada.post('/api/me/prove', { password: PASSWORD });
  const waiting = { customer_id: CUSTOMER, order_merchant_id: 'cart-z-pending', operation_type: 'authorize' };
  const pending = await w.shop.pay({ card_number: '4000009901000110' }, waiting);
  const refused = await ada.post('/api/customers/erase', { customer_id: CUSTOMER, reason });
  expect([refused.status, refused.text]).toEqual([409, expect.stringContaining('cart-z-pending is still under way')]);
  await w.shop.api('/sandbox/clock/advance', { body: { seconds: 120 } });
  await w.shop.decided(textAt(pending, 'order_id'));
});

test('afterwards nothing of them stands in clear anywhere, and money, books and others are as before', async () => {
  const before = await w.sql(`SELECT id, status, captured_minor, refunded_minor FROM payment.orders ORDER BY id`);
  const asked = await ada.post('/api/customers/erase', { customer_id: CUSTOMER, reason });
  expect(asked.status, asked.text).toBe(200);
  const done = await erased();
  expect(done.at('erasures.0')).toMatchObject({ orders: 3, cards: 1, checkouts: 1 });
  // what the vault is told, and the search follows, a moment later
  await expect
    .poll(async () => (await w.sql<{ n: string }>(`SELECT count(*) AS n FROM payment.card_removals`))[0]?.n)
    .toBe('0');
  expect(await whereIs(MARKS)).toEqual([]);
  expect(await whereIs(['shelf-of-the-shop-9'])).not.toEqual([]);
  for (const words of ['Zebulon', 'quuxworthy', 'zebulon.quux@mail-of-zebulon.example', CUSTOMER])
    expect([words, await searched(words)]).toEqual([words, []]);
  expect((await w.shop.api(`/payment/information/${CUSTOMER}`)).status).toBe(404);
  const log = await ada.get('/api/requests?limit=100');
  for (const mark of MARKS) expect([mark, log.text.includes(mark)]).toEqual([mark, false]);

  expect(await w.sql(`SELECT id, status, captured_minor, refunded_minor FROM payment.orders ORDER BY id`)).toEqual(
    before,
  );
  const verdict = await verifyLedger({ db: w.service.tools.db, progress: () => undefined });
  expect(verdict.first).toBeUndefined();
  const read = await w.shop.read(orders[0] ?? '');
  expect([read.at('status'), read.at('order_merchant_id')]).toEqual(['refund_successful', 'cart-z1']);
  const back = await w.shop.api(`/payment/maintenance/refund/${orders[1]}`, { body: { amount: '31.00' } });
  expect(back.status, back.text).toBeLessThan(300);
  expect((await searched('othersson')).length).toBe(1);
  expect((await ada.get('/api/views')).at('views')).toMatchObject([{ name: 'Francs' }]);
  expect((await ada.get('/api/customers/one?customer_id=customer-other')).status).toBe(200);
});

test('a customer whose id differs in capitals alone is somebody else: neither in the file, nor erased', async () => {
  const sale = { operation_type: 'direct_capture' };
  await w.shop.pay(
    {},
    { ...sale, customer_id: 'Bob-8', customer_last_name: 'Capitalson', order_merchant_id: 'cart-B' },
  );
  await w.shop.pay({}, { ...sale, customer_id: 'bob-8', customer_last_name: 'Smallson', order_merchant_id: 'cart-b' });
  const file = await ada.get('/api/customers/data?customer_id=bob-8');
  expect([file.text.includes('Smallson'), file.text.includes('Capitalson')]).toEqual([true, false]);
  expect((await ada.post('/api/customers/erase', { customer_id: 'bob-8', reason })).status).toBe(200);
  await erased();
  expect(await whereIs(['Smallson'])).toEqual([]);
  expect((await whereIs(['Capitalson'])).length).toBeGreaterThan(0);
});

test('a guest is erased by their e-mail, with checkouts never paid; a customer with the same one is left', async () => {
  const customer_email = 'Guestina@mail-of-guests.example';
  const sale = { operation_type: 'direct_capture', customer_email };
  const guest = { ...sale, customer_last_name: 'Guestersson', order_merchant_id: 'cart-g1' };
  const order_id = textAt(await w.shop.pay({}, guest), 'order_id');
  await w.shop.checkout({ customer_email, customer_last_name: 'Guestersson', order_merchant_id: 'cart-g2' });
  const known = {
    ...sale,
    customer_id: 'customer-known-4',
    order_merchant_id: 'cart-g3',
    customer_last_name: 'Knownsson',
  };
  await w.shop.pay({}, known);
  const kept = await w.shop.checkout({ customer_email, customer_id: 'customer-known-4', order_merchant_id: 'cart-g4' });
  const of = (email: string) => `/api/guests/data?customer_email=${encodeURIComponent(email)}`;
  const file = await ada.get(of(customer_email));
  const data = JSON.parse(file.text) as { orders: readonly object[]; checkouts: readonly object[] };
  expect([file.status, data]).toMatchObject([
    200,
    {
      customer_email,
      record: null,
      orders: [{ order_merchant_id: 'cart-g1' }],
      checkouts: [{ given: { order_merchant_id: 'cart-g2' } }],
    },
  ]);
  expect(file.text).not.toContain('Knownsson');
  expect(JSON.parse((await ada.get(of('nobody@mail-of-guests.example'))).text)).toMatchObject({
    orders: [],
    checkouts: [],
  });

  const asked = await ada.post('/api/guests/erase', { customer_email: customer_email.toLowerCase(), reason });
  expect(asked.status, asked.text).toBe(200);
  const done = await erased();
  expect(done.at('erasures.0')).toMatchObject({ orders: 1, checkouts: 1, cards: 0 });
  expect(await whereIs(['Guestersson'])).toEqual([]);
  const left = await w.sql(`SELECT 1 FROM payment.orders WHERE body ->> 'customer_email' = $1`, [customer_email]);
  expect(left).toHaveLength(1);
  const [checkout] = await w.sql<{ status: string; email: string }>(
    `SELECT status, body ->> 'customer_email' AS email FROM payment.checkouts WHERE id = decode($1, 'hex')`,
    [kept],
  );
  expect(checkout).toEqual({ status: 'created', email: customer_email });
  expect((await searched(customer_email)).length).toBe(1);
  expect((await searched('Knownsson')).length).toBe(1);
  expect((await w.shop.read(order_id)).at('status')).toBe('capture_successful');
  const [record] = await w.sql<{ object: string }>(
    `SELECT object FROM payment.audit WHERE action = 'customer erased' ORDER BY at DESC, seq DESC LIMIT 1`,
  );
  expect(record?.object).toBe('a guest');
});

test('who is erased is not charged any more by a later try that was planned before, and the merchant is told', async () => {
  const customer_id = 'customer-declined-9';
  const fields = { payment_channel: 'recurring', retry_policy: 'default', order_merchant_id: 'cart-later' };
  // not enough funds today, and from the third day on there are
  const card = { card_number: '4000009908000048', token_type: 'recurring' };
  const declined = await w.shop.pay(card, { ...fields, customer_id, customer_email: 'later@mail.example' });
  expect(declined.at('retry.state')).toBe('waiting');
  const order_id = textAt(declined, 'order_id');
  expect((await ada.post('/api/customers/erase', { customer_id, reason })).status).toBe(200);
  await erased();
  await w.shop.api('/sandbox/clock/advance', { body: { seconds: 6 * 86_400 } });
  const now = await w.shop.read(order_id);
  expect([now.at('status'), (now.at('transactions') as readonly object[]).length]).toEqual([
    'authorization_declined',
    1,
  ]);
  expect([now.at('retry.state'), now.at('retry.reason')]).toEqual(['ended', 'stopped_by_person']);
  const [told] = await w.sql<{ n: string }>(
    `SELECT count(*) AS n FROM payment.events WHERE subject_id = decode($1, 'hex') AND type = 'order.retries_ended'`,
    [order_id],
  );
  expect(told?.n).toBe('1');
});

test('an e-mail that only an earlier attempt was sent with is erased, too', async () => {
  const customer_id = 'customer-moved-3';
  const followed = (email: string) =>
    until(async () => {
      const words = await w.sql(`SELECT FROM payment.search_words WHERE word = $1`, [email]);
      return words.length === 1 ? true : undefined;
    });
  const earlier = 'quagmire@mail-of-before.example';
  const declined = await w.shop.pay({ card_number: '4000000000000002' }, { customer_id, customer_email: earlier });
  const order_id = textAt(declined, 'order_id');
  await followed(earlier);
  const next = { token: await w.shop.token(), customer_id, customer_email: 'newer@mail-of-now.example' };
  const again = {
    ...next,
    operation_type: 'direct_capture',
    amount: '25.00',
    currency: 'EUR',
    order_merchant_id: 'cart-moved',
  };
  const paid = await w.shop.api(`/payment/order/${order_id}`, {
    method: 'PUT',
    body: again,
    headers: { prefer: 'wait=10' },
  });
  expect([paid.status, paid.at('status')], paid.text).toEqual([200, 'capture_successful']);
  await followed(next.customer_email);
  await w.shop.api('/sandbox/clock/advance', { body: { seconds: 60 } });
  expect((await ada.post('/api/customers/erase', { customer_id, reason })).status).toBe(200);
  await erased();
  expect(await whereIs([earlier, next.customer_email, 'quagmire', 'mail-of-before'])).toEqual([]);
});

test('texts that people typed about a person stay on lists, in reasons and in the audit, and the list of what stays says so', async () => {
  const customer_id = 'customer-noted-5';
  const customer_email = 'wobble@mail-of-noted.example';
  await ada.ask('PUT', '/api/settings', { refunds_two_people_above: ['EUR=10'] });
  const sale = { operation_type: 'direct_capture', customer_id, customer_email, order_merchant_id: 'cart-noted' };
  const order_id = textAt(await w.shop.pay({}, sale), 'order_id');
  await w.shop.decided(order_id);
  const refund = await ada.post(`/api/orders/${order_id}/refund`, { reason: 'Wobblethwaite sent it back' });
  expect(refund.at('state')).toBe('waits');
  const entry = { list: 'block', subject: 'email', value: customer_email, note: 'Wobblethwaite again', reason };
  expect((await ada.post('/api/risk/lists', entry)).status).toBe(200);
  const asked = await ada.post('/api/customers/erase', { customer_id, reason });
  expect(asked.status, asked.text).toBe(200);
  await erased();
  const kept = (await whereIs(['wobble'])).map((found) => found.split(':')[0]);
  expect(kept).toEqual(['payment.audit', 'payment.refund_requests', 'payment.risk_entries']);
  const stays = JSON.stringify(asked.at('stays'));
  for (const words of ['Block and allow lists', 'Reasons that people here typed']) expect(stays).toContain(words);
});

test('the card behind a recurring token that a guest paid with goes with them, unless others, a record or a subscription need it', async () => {
  const recurring = () => w.shop.token({ token_type: 'recurring' });
  const by = (token: string, fields: object) =>
    w.shop.api('/payment/order', {
      body: { token, operation_type: 'direct_capture', amount: '5.00', currency: 'EUR', ...fields },
    });
  const [own, shared, subscribed, listed] = [
    await recurring(),
    await recurring(),
    await recurring(),
    await recurring(),
  ];
  const tokens = { own, shared, subscribed, listed };
  const customer_email = 'tokens@mail-of-tokens.example';
  for (const [name, token] of Object.entries(tokens))
    for (const nth of [1, 2])
      expect((await by(token, { customer_email, order_merchant_id: `cart-t-${name}-${nth}` })).code).toBe('955555');
  await by(tokens.shared, { customer_email: 'else@mail-of-tokens.example', order_merchant_id: 'cart-t-else' });
  // as an import of saved cards lists one
  await w.sql(
    `INSERT INTO payment.saved_card_tokens (merchant_account_id, token_hash, customer_id, card_digest)
     SELECT t.merchant_account_id, t.token_hash, 'customer-of-listed', sha256('listed')
     FROM payment.transactions t JOIN payment.orders o ON o.id = t.order_id
     WHERE o.order_merchant_id = 'cart-t-listed-1'`,
  );
  const channel = { payment_channel: 'recurring', order_merchant_id: 'cart-t-month' };
  expect((await by(tokens.subscribed, channel)).code).toBe('955555');
  expect((await ada.post('/api/guests/erase', { customer_email, reason })).status).toBe(200);
  expect((await erased()).at('erasures.0')).toMatchObject({ orders: 8, cards: 1 });
  await until(async () => ((await w.sql('SELECT FROM payment.card_removals')).length === 0 ? true : undefined));
  const codes: Record<string, unknown> = {};
  for (const [name, token] of Object.entries(tokens))
    codes[name] = (await by(token, { order_merchant_id: `cart-t-${name}-later` })).code;
  expect(codes).toEqual({ own: '241021', shared: '955555', subscribed: '955555', listed: '955555' });
});

test('words of a guest stay in the search only while more than a hundred orders that stay have the e-mail, and that is said', async () => {
  const customer_email = 'desk@mail-of-many.example';
  const sale = { operation_type: 'authorize', customer_email };
  const desk = { ...sale, customer_id: 'customer-desk-6', customer_last_name: 'Deskerson' };
  const carts = Array.from({ length: 101 }, (_, nth) => `cart-desk-${nth}`);
  await Promise.all(carts.map((order_merchant_id) => w.shop.pay({}, { ...desk, order_merchant_id })));
  await w.shop.pay({}, { ...sale, customer_last_name: 'Guestnameson', order_merchant_id: 'cart-desk-guest' });
  const asked = await ada.post('/api/guests/erase', { customer_email, reason });
  await erased();
  expect(await whereIs(['guestnameson'])).toEqual(['payment.search_words: guestnameson']);
  expect(JSON.stringify(asked.at('stays'))).toContain('more than a hundred orders that stay');
  const other = { ...sale, customer_last_name: 'Othernameson', order_merchant_id: 'cart-desk-other' };
  await w.shop.pay({}, other);
  expect((await ada.post('/api/customers/erase', { customer_id: 'customer-desk-6', reason })).status).toBe(200);
  await erased();
  expect(await whereIs(['guestnameson', 'Deskerson'])).toEqual([]);
  expect((await searched('Othernameson')).length).toBe(1);
});
