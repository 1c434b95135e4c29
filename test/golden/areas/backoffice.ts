// The back office as a person works with it: orders, refunds by two, what is in doubt, customers, notifications, risk,
// sandbox, audit.
import { until } from '../../client.ts';
import { type Person, colleague, firstOwner } from '../../backoffice/person.ts';
import { type Area, type Stage, parts } from '../stage.ts';

const reason = 'the customer asked for it';

export const backoffice: Area = {
  name: 'backoffice',
  settings: { FLORIN_SIMULATOR_DEADLINE_S: '5' },
  play: async (stage) => {
    const { w, scene } = stage;
    const owner = await scene.aside(() => firstOwner(w));
    const ben = await scene.aside(() => colleague(w, 'operator', 'ben@shop.example'));
    await w.sql(`UPDATE payment.members SET since = since - interval '2 days'`);
    scene.stable.name(owner.cookie, 'owner');
    scene.stable.name(ben.cookie, 'ben, an operator');
    await orders(stage, owner);
    await twoPeople(stage, { owner, ben });
    await inDoubt(stage, { owner, ben });
    await customersAndViews(stage, { owner, ben });
    await finance(stage, owner);
    await events(stage, owner);
    await rules(stage, owner);
    await theSandbox(stage, owner);
    await theAudit(stage, owner);
  },
};

const NOBODY = 'f'.repeat(24);

/** What disputes, reports and a person's data answer where nothing is there. */
async function finance({ title }: Stage, owner: Person): Promise<void> {
  title("Disputes, reports, a person's data");
  for (const path of ['/api/disputes', '/api/disputes/due', '/api/reports', '/api/customers/erasures'])
    await owner.get(path);
  const dispute = `/api/disputes/${NOBODY}`;
  await owner.get(dispute);
  await owner.ask('PUT', `${dispute}/evidence`, { texts: { product_description: 'a book' } });
  await owner.ask('PUT', `${dispute}/files`, { field: 'receipt', name: 'a.pdf', content: 'JVBERi0=' });
  await owner.get(`${dispute}/files/receipt`);
  await owner.ask('DELETE', `${dispute}/files/receipt`);
  for (const way of ['submit', 'accept', 'answered']) await owner.post(`${dispute}/${way}`, { reason });
  await owner.post('/api/reports', { name: 'x', kind: 'fees', format: 'pdf', every: 'hourly', zone: 'UTC' });
  await owner.get(`/api/reports/${NOBODY}/file`);
  await owner.ask('DELETE', `/api/reports/${NOBODY}`);
  await owner.get('/api/customers/data?customer_id=nobody');
  await owner.post('/api/customers/erase', { customer_id: 'nobody', reason });
}

async function orders({ title, paid, scene, pass }: Stage, owner: Person): Promise<void> {
  title('Orders');
  await owner.get('/api/overview');
  await owner.get('/api/orders');
  const payer = {
    customer_id: 'grace',
    customer_email: 'grace@mail.example',
    customer_first_name: 'Grace',
    customer_last_name: 'Hopper',
  };
  const held = await paid('bo-held', {}, { operation_type: 'authorize', amount: '60.00', ...payer });
  const sale = await paid('bo-sale', '5555555555554444', { ...payer, amount: '1234.56' });
  await paid('bo-declined', '4000000000009995', payer);
  await paid('bo-yen', {}, { amount: '2500', currency: 'JPY' });
  await paid('bo-marked', '4000000000004954', { customer_ip: '203.0.113.7' });
  await paid('=bo-formula', {}, { order_description: '@SUM(1)', merchant_data: [{ key: 'k', value: '-1' }] });
  const soft = await paid('bo-second-card', '4000009901000052');
  await pass(3600);
  await scene.aside(async () => {
    await counted(owner, { orders: 6, released: 0 });
    await until(async () =>
      (await owner.get('/api/orders?search=grace')).at('orders.2') === undefined ? undefined : true,
    );
  });
  const page = await owner.get('/api/orders?limit=3');
  await owner.get(`/api/orders?limit=3&cursor=${page.say('next_cursor')}`);
  for (const query of [
    'search=grace',
    'search=hop',
    'search=bo-sale',
    'search=424242',
    `search=${sale}`,
    'search=nobody',
  ])
    await owner.get(`/api/orders?limit=2&${query}`);
  for (const query of [
    'status=authorization_successful,capture_successful',
    'currency=JPY',
    'provider=simulator_b',
    'method=MASTERCARD',
    'amount_from=1000&amount_to=2000&currency=EUR',
    'suspicious=true',
    'in_doubt=true',
    'disputed=true',
    'created_to=2020-01-01T00:00:00Z',
  ])
    await owner.get(`/api/orders?limit=1&${query}`);
  await owner.get('/api/orders?limit=500&cursor=x&in_doubt=perhaps&amount_from=much');
  await owner.get('/api/currencies');
  await owner.get('/api/orders/export');
  await owner.get('/api/orders/export?format=jsonl&currency=EUR');
  await owner.get('/api/orders/export?format=xml');
  await owner.get(`/api/orders/${held}`);
  await owner.get(`/api/orders/${soft}`);
  await owner.get('/api/orders/ffffffffffffffffffffffff');

  title('Captured, refunded and cancelled by a person');
  const act = (id: string, kind: string, body: object, headers: Record<string, string> = {}) =>
    owner.ask('POST', `/api/orders/${id}/${kind}`, body, headers);
  await act(held, 'capture', { amount: '10.00', reason }, { 'idempotency-key': 'bo-1' });
  await act(held, 'capture', { amount: '10.00', reason }, { 'idempotency-key': 'bo-1' });
  await act(held, 'capture', { amount: '11.00', reason }, { 'idempotency-key': 'bo-1' });
  await act(held, 'capture', { amount: '20.00', final: true, reason });
  await act(held, 'refund', { amount: '5.00', reason });
  await act(held, 'refund', { amount: '500.00', reason });
  await act(held, 'cancel', { reason });
  await act(held, 'refund', { amount: '1.001', reason: 'no' });
  await act(held, 'refund', { reason: 'card 4242424242424242' });
  const undone = await paid('bo-undone', {}, { operation_type: 'authorize' });
  await act(undone, 'cancel', { reason });
  await act('f'.repeat(24), 'cancel', { reason });
  await scene.aside(() => counted(owner, { orders: 7, released: 1 }));
  await owner.get('/api/overview');
  await owner.get('/api/overview?from=nonsense');
  await owner.get('/api/needs');
}

/**
 * What is searched and counted follows the orders a moment later: waits until so many of today are there, as they
 * ended.
 */
async function counted(owner: Person, { orders: of_today, released }: Counted): Promise<void> {
  const ended = `[^}]*"released":${released},[^}]*"open":0`;
  const wanted = new RegExp(`"currency":"EUR","now":\\{"orders":${of_today},"outcomes":\\{${ended}\\}`);
  await until(async () => (wanted.test((await owner.get('/api/overview?currency=EUR')).text) ? true : undefined));
}

type Counted = { readonly orders: number; readonly released: number };

type Two = { readonly owner: Person; readonly ben: Person };

async function twoPeople({ title, paid }: Stage, { owner, ben }: Two): Promise<void> {
  title('Large refunds take two people');
  await owner.ask('PUT', '/api/settings', { refunds_two_people_above: ['EUR=50'] });
  await ben.ask('PUT', '/api/settings', { refunds_two_people_above: [] });
  const first = await paid('two-1', {}, { amount: '60.00' });
  const second = await paid('two-2', {}, { amount: '60.00' });
  for (const id of [first, second]) await owner.post(`/api/orders/${id}/refund`, { reason });
  const waiting = await ben.get('/api/refund-requests');
  const [one, other] = [waiting.say('requests.0.id'), waiting.say('requests.1.id')];
  await owner.post(`/api/refund-requests/${one}/approve`, { reason });
  await ben.post(`/api/refund-requests/${one}/approve`, { reason });
  await ben.post(`/api/refund-requests/${one}/approve`, { reason });
  await ben.post(`/api/refund-requests/${other}/decline`, { reason });
  await ben.get(`/api/orders/${first}`);
  await owner.ask('PUT', '/api/settings', { refunds_two_people_above: null });
}

async function inDoubt({ w, shop, title, paid, scene, pass }: Stage, { owner, ben }: Two): Promise<void> {
  title('What is in doubt is looked at, and ruled on');
  const doubtful = async (reference: string, amount: string) => {
    const order_id = await paid(reference, {}, { operation_type: 'authorize', amount });
    await scene.aside(async () => {
      const match = { order_merchant_id: reference };
      for (const operation of ['capture', 'inquiry'])
        await shop.api('/sandbox/scenario', { body: { operation, fault: 'http_500_before', times: 100, match } });
      await shop.api(`/payment/maintenance/capture/${order_id}`, { body: {}, headers: { prefer: 'wait=1' } });
      await until(async () => ((await owner.get('/api/in-doubt')).text.includes(order_id) ? true : undefined));
    });
    return order_id;
  };
  const small = await doubtful('doubt-small', '25.00');
  const large = await doubtful('doubt-large', '2000.00');
  const operation = async (order_id: string) => {
    const [row] = await w.sql<{ id: string }>(
      `SELECT encode(id, 'hex') AS id FROM payment.operations WHERE order_id = decode($1, 'hex') AND kind = 'capture'`,
      [order_id],
    );
    return row?.id ?? '';
  };
  await scene.aside(async () => {
    const list = await owner.get('/api/in-doubt');
    const kinds = ['kind', 'state', 'provider', 'amount_minor', 'doing', 'two_people'];
    for (const n of [0, 1])
      scene.note(
        `in doubt: ${parts(
          list,
          kinds.map((name) => `operations.${n}.${name}`),
        )}`,
      );
  });
  await owner.post(`/api/in-doubt/${await operation(small)}/look`);
  await owner.post(`/api/in-doubt/ffffffffffffffffffffffff/look`);
  const ruling = { as: 'done', reason: 'seen in the file of the bank', provider_ref: 'ref-1' };
  await owner.post(`/api/in-doubt/${await operation(small)}/rule`, { as: 'perhaps', reason: 'x', provider_ref: 'a b' });
  await owner.post(`/api/in-doubt/${await operation(small)}/rule`, ruling);
  await owner.post(`/api/in-doubt/${await operation(small)}/rule`, ruling);
  await owner.post(`/api/in-doubt/${await operation(large)}/rule`, ruling);
  await owner.post(`/api/in-doubt/${await operation(large)}/rule`, ruling);
  await pass(600);
  await ben.post(`/api/in-doubt/${await operation(large)}/rule`, { ...ruling, as: 'not-done' });
  await owner.post(`/api/in-doubt/${await operation(large)}/rule`, { ...ruling, as: 'not-done' });
  await shop.read(small);
  await shop.read(large);
  await scene.aside(() => shop.api('/sandbox/scenario', { method: 'DELETE' }));
}

async function customersAndViews({ shop, title, scene, paid }: Stage, { owner, ben }: Two): Promise<void> {
  title('Customers and their cards');
  const token = await scene.aside(() => shop.token({ token_type: 'recurring' }));
  await paid('saves', {}, { token, customer_id: 'ada', token_type: 'recurring', payment_channel: 'e-commerce' });
  await owner.get('/api/customers');
  await owner.get('/api/customers?search=gra');
  const ada = await owner.get('/api/customers/one?customer_id=ada');
  await owner.get('/api/customers/one?customer_id=nobody');
  await owner.get('/api/customers/one');
  const card = { customer_id: 'ada', id: ada.say('cards.0.id'), reason };
  await ben.ask('DELETE', '/api/customers/card', card);
  await ben.ask('DELETE', '/api/customers/card', card);

  title('Saved views');
  await owner.ask('PUT', '/api/views', { name: 'large', filters: { amount_from: '1000' }, shared: true });
  const own = await ben.ask('PUT', '/api/views', { name: 'mine', filters: {}, shared: false });
  await owner.get('/api/views');
  const id = own.say('views.0.name') === 'mine' ? own.say('views.0.id') : own.say('views.1.id');
  await ben.ask('PUT', '/api/views', { id, name: 'mine, renamed', filters: { status: 'created' }, shared: false });
  await owner.ask('DELETE', `/api/views/${id}`);
  await ben.ask('DELETE', `/api/views/${id}`);
  await ben.ask('PUT', '/api/views', { name: '', filters: [1], shared: 'x' });
}

async function events({ title, paid, scene, server }: Stage, owner: Person): Promise<void> {
  title('Notifications');
  const at = '/api/notifications';
  await owner.get(at);
  const made = await owner.post(`${at}/endpoints`, {
    url: server.url,
    events: ['capture_successful'],
    description: 'the shop',
  });
  const id = made.say('id');
  await owner.post(`${at}/endpoints`, { url: 'ftp://x', events: [] });
  await owner.post(`${at}/endpoints/${id}/test`);
  await scene.hears(server, 1);
  const order = await paid('told');
  await scene.hears(server, 1);
  await scene.aside(() =>
    until(async () =>
      (await owner.get(`${at}/deliveries?order_id=${order}`)).text.includes('"state":"delivered"') ? true : undefined,
    ),
  );
  const sent = await owner.get(`${at}/deliveries?order_id=${order}`);
  await owner.get(`${at}/deliveries?endpoint_id=${id}&state=delivered&limit=1`);
  await owner.post(`${at}/deliveries/${sent.say('deliveries.0.id')}/replay`);
  await scene.hears(server, 1);
  await owner.post(`${at}/replay`, { endpoint_id: id });
  await owner.post(`${at}/replay`, { endpoint_id: 'x' });
  await owner.post(`${at}/endpoints/${id}/secret`, { overlap_hours: 1 });
  await owner.post(`${at}/endpoints/${id}/activate`);
  await owner.ask('DELETE', `${at}/endpoints/${id}`);
  await owner.ask('DELETE', `${at}/endpoints/${id}`);
}

async function rules({ title }: Stage, owner: Person): Promise<void> {
  title('Risk');
  const list = [{ name: 'large', kind: 'amount', above: '500.00', currency: 'EUR' }];
  await owner.get('/api/risk');
  await owner.post('/api/risk/test', { rules: list });
  await owner.post('/api/risk/test', { rules: [{ name: 'x', kind: 'no_such' }] });
  const first = await owner.post('/api/risk/publish', { base_version: 0, rules: list, reason });
  await owner.post('/api/risk/publish', { base_version: 0, rules: list, reason });
  await owner.post('/api/risk/publish', { base_version: Number(first.say('version')), rules: [], reason });
  await owner.post('/api/risk/roll-back', { version: Number(first.say('version')), reason });
  await owner.post('/api/risk/roll-back', { version: 99, reason });
  await owner.get('/api/risk/versions');
  const put = await owner.post('/api/risk/lists', {
    list: 'block',
    subject: 'email',
    value: 'eve@mail.example',
    note: 'fraud',
    reason,
  });
  await owner.post('/api/risk/lists', { list: 'allow', subject: 'no_such', value: 'x', reason });
  await owner.post('/api/risk/lists', {
    list: 'block',
    subject: 'card',
    value: '4242424242424242',
    until: '2090-01-01T00:00:00Z',
    reason,
  });
  await owner.get('/api/risk/lists');
  await owner.ask('DELETE', `/api/risk/lists/${put.say('entries.0.id')}`, { reason });
  await owner.ask('DELETE', `/api/risk/lists/${put.say('entries.0.id')}`, { reason });
}

async function theSandbox({ title, scene, shop }: Stage, owner: Person): Promise<void> {
  title('The sandbox');
  await owner.get('/api/sandbox');
  await owner.post('/api/sandbox/scenarios', { operation: 'capture', fault: 'decline', times: 1 });
  await owner.post('/api/sandbox/scenarios', { operation: 'capture', fault: 'no_such' });
  await owner.ask('DELETE', '/api/sandbox/scenarios');
  await owner.post('/api/sandbox/clock', { advance_s: 3600 });
  await owner.post('/api/sandbox/clock', { advance_s: 0 });
  await owner.post('/api/sandbox/orders', { count: 51 });
  const made = await owner.post('/api/sandbox/orders', { count: 1 });
  if (made.status !== 200) throw new Error(made.text);
  await scene.aside(() => shop.api('/payment/order?limit=1'));
}

async function theAudit({ title }: Stage, owner: Person): Promise<void> {
  title('The audit');
  const page = await owner.get('/api/audit');
  await owner.get(`/api/audit?cursor=${page.at('next_cursor') === null ? '5' : page.say('next_cursor')}`);
  await owner.get('/api/audit?action=settings%20changed&actor=ada@shop.example');
  await owner.get('/api/audit?cursor=x');
  await owner.get('/api/audit/verify');
  await owner.get('/api/audit/export');
  await owner.get('/api/audit/export?format=jsonl');
}
