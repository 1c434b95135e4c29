// What people do with orders: find, look, capture, refund, cancel, take out, rule; each with who and why, once.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { textAt, until } from '../client.ts';
import { type Till, openTill } from '../maintenance/till.ts';
import { type Person, firstOwner, invited, colleague } from './person.ts';

let till: Till;
let owner: Person;
beforeAll(async () => {
  till = await openTill({ FLORIN_REVIEW_TWO_PEOPLE_ABOVE: 'EUR=50' });
  owner = await firstOwner(till.w);
});
afterAll(() => till[Symbol.asyncDispose]());

const recorded = async (object: string): Promise<readonly string[]> => {
  const rows = await till.w.sql<{ action: string }>('SELECT action FROM payment.audit WHERE object = $1 ORDER BY seq', [
    object,
  ]);
  return rows.map(({ action }) => action);
};

test('an order is captured, refunded and shown with who did it and why, in its own money', async () => {
  const id = await till.authorize();
  const captured = await owner.post(`/api/orders/${id}/capture`, { amount: '20.00', reason: 'first parcel sent' });
  expect([captured.status, captured.at('state')]).toEqual([200, 'successful']);
  expect(captured.at('order.money.captured_minor')).toBe(2000);
  const refunded = await owner.post(`/api/orders/${id}/refund`, { amount: '5', reason: 'one piece was broken' });
  expect(refunded.at('order.money.refundable_minor')).toBe(1500);
  const shown = await owner.get(`/api/orders/${id}`);
  const timeline = JSON.stringify(shown.at('timeline'));
  for (const part of ['ada@shop.example', 'first parcel sent', 'one piece was broken', 'capture sent to simulator'])
    expect(timeline).toContain(part);
  expect(timeline).toContain('[card.number]');
  // a person asks first, whichever of the two was written down a moment earlier
  const titles = (shown.at('timeline') as { title: string }[]).map(({ title }) => title);
  for (const kind of ['capture', 'refund'])
    expect(titles.indexOf(`${kind} requested`)).toBe(titles.indexOf(`${kind} sent to simulator`) - 1);
  expect(shown.text).not.toMatch(/(?<![0-9a-z])\d{12,19}(?![0-9a-z])/i);
  expect(await recorded(id)).toEqual(['capture requested', 'refund requested']);
  const books = await till.books(id);
  expect(books.map(({ kind, amount }) => `${kind} ${amount}`)).toEqual([
    'authorize 4250',
    'capture 2000',
    'refund 500',
  ]);
});

test('a capture or refund that is not allowed is refused beside its field, moves nothing and records nothing', async () => {
  const id = await till.authorize();
  const above = await owner.post(`/api/orders/${id}/capture`, { amount: '42.51', reason: 'too much' });
  expect([above.status, above.at('errors.0.field')]).toEqual([422, 'amount']);
  const decimals = await owner.post(`/api/orders/${id}/capture`, { amount: '1.001', reason: 'too fine' });
  expect([decimals.status, decimals.at('errors.0.field')]).toEqual([400, 'amount']);
  const why = await owner.post(`/api/orders/${id}/capture`, { amount: '1' });
  expect([why.status, why.at('errors.0.field')]).toEqual([400, 'reason']);
  expect((await owner.post(`/api/orders/${id}/refund`, { reason: 'nothing captured' })).status).toBe(409);
  expect(await recorded(id)).toEqual([]);
  const done = await owner.post(`/api/orders/${id}/cancel`, { reason: 'the shop has none left' });
  expect([done.status, done.at('order.money.cancellable_minor')]).toEqual([200, 0]);
  expect(await recorded(id)).toEqual(['cancel requested']);
});

test('a click that is sent twice with one Idempotency-Key moves money once and is recorded once', async () => {
  const id = await till.authorize();
  const body = { amount: '10.00', reason: 'sent twice' };
  const send = () => owner.ask('POST', `/api/orders/${id}/capture`, body, { 'idempotency-key': 'click-1' });
  const [one, two] = await Promise.all([send(), send()]);
  expect([one.status, two.status]).toEqual([200, 200]);
  expect(one.at('operation_id')).toBe(two.at('operation_id'));
  expect((await owner.get(`/api/orders/${id}`)).at('money.captured_minor')).toBe(1000);
  expect(await recorded(id)).toEqual(['capture requested']);
});

test('orders are found by what a person has in hand, and taken out as a file with a record of both ends', async () => {
  const id = await till.authorize({ customer_email: 'zoe@payer.example', order_merchant_id: 'bo-find-1' });
  for (const search of [id, 'bo-find-1', 'zoe@payer.example']) {
    const found = await owner.get(`/api/orders?search=${encodeURIComponent(search)}`);
    expect([search, found.at('orders.0.id'), found.at('orders.0.amount_minor')]).toEqual([search, id, 4250]);
  }
  const page = await owner.get('/api/orders?limit=2');
  const next = await owner.get(`/api/orders?limit=2&cursor=${page.say('next_cursor')}`);
  expect(next.at('orders.0.id')).not.toBe(page.at('orders.0.id'));
  const csv = await owner.get('/api/orders/export?format=csv&search=bo-find-1');
  expect(csv.headers.get('content-type')).toMatch(/^text\/csv/);
  expect(csv.text.split('\r\n')[1]).toMatch(new RegExp(`^${id},.*,bo-find-1,.*42.50,EUR`));
  const rows = await owner.get('/api/orders/export?format=jsonl');
  expect(rows.text.trim().split('\n').length).toBeGreaterThan(3);
  await expect
    .poll(() => recorded('orders'))
    .toEqual(['export started', 'export finished', 'export started', 'export finished']);
});

test('views are saved for oneself or shared, and only their maker changes them', async () => {
  const form = { name: 'Big ones', filters: { currency: 'EUR', amount_from: '1000' }, shared: false };
  const own = await owner.ask('PUT', '/api/views', form);
  const id = own.say('views.0.id');
  const reader = await invited(till.w, owner, 'reader');
  expect((await reader.get('/api/views')).at('views')).toEqual([]);
  await owner.ask('PUT', '/api/views', { ...form, id, shared: true });
  expect((await reader.get('/api/views')).at('views.0.name')).toBe('Big ones');
  expect((await reader.ask('PUT', '/api/views', { ...form, id, name: 'Mine now' })).status).toBe(404);
  expect((await reader.ask('DELETE', `/api/views/${id}`)).status).toBe(404);
  expect((await owner.ask('DELETE', `/api/views/${id}`)).at('views')).toEqual([]);
  for (const filters of [[], { a: { b: 1 } }, { a: 'x'.repeat(5000) }])
    expect((await owner.ask('PUT', '/api/views', { ...form, filters })).status).toBe(400);
});

test('a person has at most a hundred views, however many are saved at one moment', async () => {
  const keen = await invited(till.w, owner, 'reader', 'keen@shop.example');
  const save = () => keen.ask('PUT', '/api/views', { name: 'One more', filters: {}, shared: false });
  await save();
  await till.w.sql(
    `INSERT INTO payment.saved_views (id, merchant_account_id, person_id, name, filters, shared)
     SELECT decode(lpad(to_hex(n), 24, '0'), 'hex'), merchant_account_id, person_id, name, filters, shared
     FROM generate_series(1, 97) n, payment.saved_views
     WHERE name = 'One more'`,
  );
  const statuses = (await Promise.all(Array.from({ length: 8 }, save))).map(({ status }) => status);
  expect(statuses.filter((status) => status === 200)).toHaveLength(2);
  expect(statuses.filter((status) => status === 409)).toHaveLength(6);
  await till.w.sql(`DELETE FROM payment.saved_views WHERE name = 'One more'`);
});

test('a view that is shared can be removed by who manages the team, also when its maker has left, and others see that they cannot', async () => {
  const email = 'maker@shop.example';
  const maker = await invited(till.w, owner, 'reader', email);
  const put = (name: string, shared: boolean) => maker.ask('PUT', '/api/views', { name, filters: {}, shared });
  await put('Left behind', true);
  expect((await put('Private', false)).at('views')).toEqual([
    expect.objectContaining({ name: 'Left behind', own: true }),
    expect.objectContaining({ name: 'Private', own: true }),
  ]);
  const developer = await invited(till.w, owner, 'developer', 'looks-on@shop.example');
  const shown = await developer.get('/api/views');
  expect(shown.at('views')).toEqual([expect.objectContaining({ name: 'Left behind', own: false })]);
  const id = shown.say('views.0.id');
  expect((await developer.ask('DELETE', `/api/views/${id}`)).status).toBe(404);
  const ids = (await maker.get('/api/views')).at('views') as readonly { readonly id: string }[];
  const { say } = await maker.get('/api/session');
  await owner.post(`/api/team/${say('session.person.id')}/remove`, { reason: 'has left' });
  // what was for its maker alone is nobody else's
  expect((await owner.ask('DELETE', `/api/views/${ids[1]?.id}`)).status).toBe(404);
  expect((await owner.ask('DELETE', `/api/views/${id}`)).at('views')).toEqual([]);
});

test('views of others, however many, keep nobody from their own', async () => {
  const reader = await invited(till.w, owner, 'reader', 'many-views@shop.example');
  await owner.ask('PUT', '/api/views', { name: 'zzz', filters: {}, shared: false });
  const put = (name: string) => reader.ask('PUT', '/api/views', { name, filters: {}, shared: true });
  for (let i = 0; i < 100; i++) expect((await put(`a${i}`)).status).toBe(200);
  const over = await put('a100');
  expect([over.status, over.say('detail')]).toEqual([409, 'a person has at most 100 views: remove one first']);
  await till.w.sql(
    `INSERT INTO payment.saved_views (id, merchant_account_id, person_id, name, filters, shared)
     SELECT decode(lpad(to_hex(n), 24, '0'), 'hex'), v.merchant_account_id, decode(lpad('1', 24, '0'), 'hex'), 'a' || n, '{}', true
     FROM generate_series(1, 300) n, (SELECT merchant_account_id FROM payment.saved_views WHERE name = 'zzz') v`,
  );
  expect((await owner.get('/api/views')).say('views.0.name')).toBe('zzz');
  await till.w.sql(`DELETE FROM payment.saved_views`);
});

test('a card number that was searched for is in no saved view, and none stands beside a list entry or in a name', async () => {
  const number = '4242 4242 4242 4242';
  const view = { name: 'this payer', filters: { search: number }, shared: false };
  const note = {
    list: 'block',
    subject: 'email',
    value: 'eve@example.org',
    note: `paid with ${number}`,
    reason: 'fraud',
  };
  const report = { name: number, kind: 'orders', format: 'csv', every: 'daily', zone: 'UTC' };
  const refused = [
    await owner.ask('PUT', '/api/views', view),
    await owner.ask('PUT', '/api/views', { ...view, name: number, filters: {} }),
    await owner.post('/api/risk/lists', note),
    await owner.post('/api/keys', { kind: 'public', label: number }),
    await owner.post('/api/team/roles', { name: number, rights: ['read'], reason: 'a try' }),
    await owner.post('/api/reports', report),
  ];
  expect(refused.map(({ status, say }) => [status, say('errors.0.field')])).toEqual(
    ['filters', 'name', 'note', 'label', 'name', 'name'].map((field) => [400, field]),
  );
});

test('an operation in doubt is listed, looked at again, and settled by two people where it is large', async () => {
  const id = await till.authorize({ amount: '60.00' });
  const hold = till.hold();
  const asking = owner.ask('POST', `/api/orders/${id}/capture`, { reason: 'will be in doubt' });
  await expect.poll(() => hold.waiting).toBe(1);
  await till.w.sql(
    `UPDATE payment.operations SET state = 'in_doubt', due_at = now() + interval '1 hour', created_at = created_at - interval '1 day' WHERE kind = 'capture' AND order_id = decode($1, 'hex')`,
    [id],
  );
  const list = await owner.get('/api/in-doubt');
  expect([list.at('operations.0.order_id'), list.at('operations.0.two_people')]).toEqual([id, true]);
  const operation = list.say('operations.0.operation_id');
  const said = { as: 'done', reason: "it is in the provider's file", provider_ref: 'ref-1' };
  const short = await owner.post(`/api/in-doubt/${operation}/rule`, {
    ...said,
    reason: '  seen  ',
    provider_ref: 'ref 1',
  });
  expect([short.status, short.at('errors.0.field'), short.at('errors.1.field')]).toEqual([
    400,
    'reason',
    'provider_ref',
  ]);
  expect(short.text).not.toContain('--');
  await till.w.sql(`UPDATE payment.members SET since = since - interval '2 days'`);
  const first = await owner.post(`/api/in-doubt/${operation}/rule`, said);
  expect(first.at('kind')).toBe('waits');
  // the same person again is one person
  expect((await owner.post(`/api/in-doubt/${operation}/rule`, said)).at('kind')).toBe('waits');
  const second = await colleague(till.w, 'operator', `${'operator'.repeat(25)}@shop.example`);
  expect((await second.post(`/api/in-doubt/${operation}/rule`, said)).at('kind')).toBe('settled');
  const published = await second.post('/api/risk/publish', { rules: [], base_version: 0, reason: 'a long address' });
  expect(published.status).toBe(200);
  expect((await owner.get(`/api/orders/${id}`)).at('money.captured_minor')).toBe(6000);
  hold.letGo();
  await asking;
  const actions = await recorded(id);
  expect(actions.filter((action) => action === 'review settled by an operator')).toHaveLength(1);
  expect(actions.filter((action) => action === 'review ruled')).toHaveLength(3);
  // each in the commit of what it tells: what was said, and what became of the operation
  const commits = await till.w.sql<{ said: boolean; settled: boolean }>(
    `SELECT (SELECT array_agg(xmin::text ORDER BY id) FROM payment.rulings WHERE order_id = decode($1, 'hex')) =
         (SELECT array_agg(xmin::text ORDER BY seq) FROM payment.audit WHERE object = $1 AND action = 'review ruled') AS said,
       (SELECT xmin::text FROM payment.observations WHERE operation_id = decode($2, 'hex') AND source = 'operator') =
         (SELECT xmin::text FROM payment.audit WHERE object = $1 AND action = 'review settled by an operator') AS settled`,
    [id, operation],
  );
  expect(commits).toEqual([{ said: true, settled: true }]);
});

test('a payment that is being undone and whose provider cannot be reached is in the list, as on the overview', async () => {
  const { w } = till;
  const order_merchant_id = 'undone-later';
  const arm = (operation: string, fault: string) =>
    w.shop.api('/sandbox/scenario', { body: { operation, fault, times: 100, match: { order_merchant_id } } });
  // an approval of another amount is undone; a scenario for cancel holds for reversals
  await arm('authorize', 'wrong_amount');
  await arm('cancel', 'refuse_connection');
  const money = { operation_type: 'authorize', amount: '7.00', currency: 'CHF', order_merchant_id };
  const order_id = textAt(await w.shop.order({ token: await w.shop.token(), ...money }), 'order_id');
  await until(async () => {
    const [row] = await w.sql<{ tries: number }>(
      `SELECT tries FROM payment.operations WHERE order_id = decode($1, 'hex') AND kind = 'reversal'`,
      [order_id],
    );
    return (row?.tries ?? 0) > 0 ? true : undefined;
  });
  const [needs, list] = [await owner.get('/api/needs'), await owner.get('/api/in-doubt')];
  type Row = { readonly currency: string; readonly count?: number; readonly kind?: string; readonly state?: string };
  const of = (rows: unknown) => (rows as readonly Row[]).filter(({ currency }) => currency === 'CHF');
  expect(of(needs.at('in_doubt')).map(({ count }) => count)).toEqual([1]);
  expect(of(list.at('operations')).map(({ kind, state }) => [kind, state])).toEqual([['reversal', 'reversing']]);
});

test('notes on an order are seen by the team, removed by their author alone, and audited without their text', async () => {
  const id = await till.authorize();
  const notes = `/api/orders/${id}/notes`;
  const [operator, reader] = [
    await invited(till.w, owner, 'operator', 'notes@shop.example'),
    await invited(till.w, owner, 'reader', 'sees@shop.example'),
  ];
  const written = await owner.post(notes, { text: '  The payer called about the parcel ' });
  expect([written.status, written.at('notes.0.text'), written.at('notes.0.by')]).toEqual([
    200,
    'The payer called about the parcel',
    'Ada',
  ]);
  expect((await operator.post(notes, { text: 'Sent again' })).status).toBe(200);
  const seen = await reader.get(notes);
  expect([seen.at('notes.0.text'), seen.at('notes.1.by'), seen.at('notes.0.own')]).toEqual([
    'Sent again',
    'Ada',
    false,
  ]);
  expect((await reader.post(notes, { text: 'May I?' })).status).toBe(403);
  const [own, others] = [written.say('notes.0.id'), seen.say('notes.0.id')];
  expect((await operator.ask('DELETE', `${notes}/${own}`, {})).status).toBe(404);
  expect((await owner.ask('DELETE', `${notes}/${others}`, {})).status).toBe(404);
  const left = await owner.ask('DELETE', `${notes}/${own}`, {});
  expect([left.status, left.at('notes.0.text'), left.at('notes.1')]).toEqual([200, 'Sent again', undefined]);
  for (const text of ['ab', 'the card is 4242 4242 4242 4242'])
    expect((await owner.post(notes, { text })).at('errors.0.field')).toBe('text');
  expect((await owner.get(`/api/orders/${'f'.repeat(24)}/notes`)).status).toBe(404);
  expect(await recorded(id)).toEqual(['note added', 'note added', 'note removed']);
  const [row] = await till.w.sql<{ n: number }>(
    `SELECT count(*)::int AS n FROM payment.audit WHERE detail::text LIKE '%parcel%' AND object = $1`,
    [id],
  );
  expect(row?.n).toBe(0);
});

test('an order of which more was written down than its page shows has the newest of it', async () => {
  const id = await till.authorize();
  expect((await owner.post(`/api/orders/${id}/capture`, { reason: 'the oldest' })).status).toBe(200);
  await till.w.sql(
    `INSERT INTO payment.audit (merchant_account_id, seq, at, actor, action, object, result, source, reason, detail, hash)
     SELECT a.merchant_account_id, 1000000 + n, now(), a.actor, a.action, a.object, a.result, a.source, 'the newest', a.detail, a.hash
     FROM payment.audit a, generate_series(1, 500) n
     WHERE a.object = $1`,
    [id],
  );
  const timeline = JSON.stringify((await owner.get(`/api/orders/${id}`)).at('timeline'));
  expect([timeline.includes('the newest'), timeline.includes('the oldest')]).toEqual([true, false]);
});
