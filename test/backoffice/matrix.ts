// Every route of the API (from openapi.json) and of the back office (from its own table) that takes an id, and every
// kind of id there is, of another account. Asked by tenants.test.ts for what is answered and by tenants-timing.ts for
// how long it takes.
import { backofficeRoutes } from '../../src/backoffice/host.ts';
import { inviteFirstOwner } from '../../src/backoffice/people/invite.ts';
import { type Client, type Json, textAt } from '../client.ts';
import type { World } from '../world.ts';
import { PASSWORD, Person, firstOwner } from './person.ts';

export const UNKNOWN = 'f'.repeat(24);
const REASON = 'looks at what is not theirs';

export type Foreign = {
  /** The owner of the demo account. */
  readonly mine: Person;
  /** The owner of the other account. */
  readonly theirs: Person;
  readonly account: string;
  /** Every kind of id there is, of the other account. */
  readonly ids: ReadonlyMap<string, string>;
};

/** A place where a route takes an id. */
export type Place = {
  /** Method, path, and the field; no field: the path's own. */
  readonly name: string;
  readonly method: string;
  readonly path: (id: string) => string;
  readonly body: (id: string) => object | undefined;
};

/** Another account with one of everything, beside the demo account. */
export async function foreign(w: World): Promise<Foreign> {
  const other = await w.otherShop();
  const mine = await firstOwner(w);
  const [key] = await w.sql<{ account: string }>(
    `SELECT encode(merchant_account_id, 'hex') AS account FROM payment.api_keys ORDER BY id DESC LIMIT 1`,
  );
  const account = key?.account ?? '';
  const path = (await inviteFirstOwner(w.service.tools, account)) ?? '';
  const theirs = new Person(w);
  await theirs.post(`/api${path}`, { name: 'Eve', email: 'eve@other.example', password: PASSWORD });
  const ids = await collect(w, { other, theirs, account });
  const wrong = [...ids].filter(([, id]) => !/^[0-9a-f]{24}$/.test(id));
  if (wrong.length > 0) throw new Error(`the other account has no ${wrong.map(([kind]) => kind).join(', ')}`);
  return { mine, theirs, account, ids };
}

type Having = { readonly other: Client; readonly theirs: Person; readonly account: string };

async function collect(w: World, { other, theirs, account }: Having): Promise<ReadonlyMap<string, string>> {
  const ids = new Map<string, string>();
  const checkout_id = await other.checkout({ customer_id: 'their-customer' });
  const token = await other.token();
  const paid = await other.order({ checkout_id, token }, { prefer: 'wait=20' });
  const order_id = textAt(paid, 'order_id');
  const sale = await other.pay({}, { customer_id: 'their-customer', token_type: 'recurring' });
  const one = async (sql: string) => {
    const [row] = await w.sql<{ id: string }>(sql, [account]);
    return row?.id ?? '';
  };
  const of = (table: string, where = '') =>
    one(
      `SELECT encode(id, 'hex') AS id FROM payment.${table} WHERE merchant_account_id = decode($1, 'hex') ${where} LIMIT 1`,
    );
  ids.set('account', account);
  ids.set('order', order_id);
  ids.set('sale', textAt(sale, 'order_id'));
  ids.set('checkout', checkout_id);
  ids.set('transaction', textAt(paid, 'transaction_id'));
  ids.set('capture', await of('operations', `AND kind = 'capture'`));
  ids.set('key', await of('api_keys'));
  ids.set('contract', await of('contracts'));
  ids.set('customer', await of('customers'));
  ids.set('person', (await theirs.get('/api/me')).say('person.id'));
  ids.set('session', (await theirs.get('/api/me')).say('sessions.0.id'));
  await theirs.post('/api/team/invitations', { email: 'new@other.example', role: 'reader' });
  await theirs.post('/api/team/roles', { name: 'theirs', rights: ['read'], reason: REASON });
  ids.set('role', await of('roles'));
  ids.set('invitation', await of('invitations', `AND email IS NOT NULL`));
  await theirs.ask('PUT', '/api/views', { name: 'theirs', filters: {}, shared: true });
  ids.set('view', await of('saved_views'));
  await theirs.post('/api/notifications/endpoints', { url: 'https://hooks.other.example/florin' });
  ids.set('endpoint', await of('endpoints'));
  await theirs.post('/api/risk/lists', { list: 'block', subject: 'email', value: 'x@y.example', reason: REASON });
  ids.set('risk entry', await of('risk_entries'));
  await theirs.ask('POST', `/api/notifications/endpoints/${ids.get('endpoint')}/test`, {});
  ids.set('notification', await of('notifications'));
  await theirs.post(`/api/orders/${order_id}/notes`, { text: REASON });
  ids.set('note', await of('order_notes'));
  const link = { usage: 'many', amount: '5', currency: 'EUR', order_merchant_id: 'their-link' };
  ids.set('link', textAt(await other.api('/payment/link', { body: link }), 'link.link_id'));
  const report = { name: 'theirs', kind: 'orders', format: 'csv', zone: 'UTC' };
  await theirs.post('/api/reports', { ...report, every: 'daily' });
  await theirs.post('/api/reports', { ...report, every: 'once', from: '2026-01-01', to: '2026-01-02' });
  ids.set('report', await of('reports'));
  ids.set('report run', await of('report_runs'));
  await theirs.ask('PUT', '/api/settings', { refunds_two_people_above: ['EUR=0'] });
  await theirs.post(`/api/orders/${ids.get('sale')}/refund`, { reason: REASON });
  ids.set('refund request', await of('refund_requests'));
  await w.sql(
    `INSERT INTO payment.disputes (id, merchant_account_id, order_id, operation_id, provider, state, amount_minor, currency, reason, reason_code, opened_at)
     SELECT decode($2, 'hex'), merchant_account_id, order_id, id, 'simulator', 'opened', amount_minor, currency, 'fraud', '10.4', now()
     FROM payment.operations WHERE merchant_account_id = decode($1, 'hex') AND kind = 'capture' LIMIT 1`,
    [account, w.service.tools.chance.id()],
  );
  ids.set('dispute', await of('disputes'));
  await w.sql(
    `INSERT INTO payment.reconcile_findings (id, merchant_account_id, provider, kind, what, reference, order_id, ours, theirs, amount_minor, currency, source, became, state)
     SELECT decode($2, 'hex'), merchant_account_id, provider, 'amount', kind, id, order_id, '1', '2', 1, currency, 'theirs.csv', '', 'open'
     FROM payment.operations WHERE merchant_account_id = decode($1, 'hex') AND kind = 'capture' LIMIT 1`,
    [account, w.service.tools.chance.id()],
  );
  ids.set('finding', await of('reconcile_findings'));
  return ids;
}

/** A body that is right but for the id. */
const BODIES: Readonly<Record<string, object>> = {
  'POST /api/orders/:order_id/notes': { text: REASON },
  'POST /api/links/:link_id': { status: 'paused' },
  'PUT /api/team/roles/:id': { name: 'x', rights: ['read'], reason: REASON },
  'PUT /api/team/:id': { role: 'reader', reason: REASON },
  'POST /api/keys/:id/roll': { overlap_hours: 1, reason: REASON },
  'PUT /api/providers/:id': { enabled: false, reason: REASON },
  'POST /api/providers/:id/credentials': { values: { api_key: 'theirs' }, reason: REASON },
  'POST /api/providers/:id/fees': { fees: [{ percent: '1' }], reason: REASON },
  'POST /api/providers/:id/hold': { held: 'closed', reason: REASON },
  'POST /api/notifications/endpoints/:endpoint_id/secret': { overlap_hours: 1 },
  'POST /api/findings/:id/settle': { mark: '1 2027-01-01T00:00:00.000Z', reason: REASON },
  'POST /api/orders/:id/stop-retries': { reason: REASON },
  'POST /api/parked-messages/:contract_id/set-aside': { event_ref: 'none', reason: REASON },
  'PUT /api/disputes/:id/evidence': { texts: { receipt: 'x' } },
  'PUT /api/disputes/:id/files': { field: 'receipt', name: 'x.pdf', content: 'JVBERi0=' },
  'POST /api/in-doubt/:id/rule': { as: 'done', reason: REASON, provider_ref: 'x1' },
};
/** Ids that stand in the body or the query. */
const FIELDS: readonly (readonly [method: string, path: string, body: (id: string) => object | undefined])[] = [
  ['POST', '/api/team/invitations', (id) => ({ email: 'new@shop.example', role: id })],
  ['POST', '/api/session/account', (id) => ({ account_id: id })],
  ['POST', '/api/notifications/replay', (id) => ({ endpoint_id: id })],
  ['PUT', '/api/views', (id) => ({ id, name: 'x', filters: {}, shared: false })],
  ['DELETE', '/api/customers/card', (id) => ({ customer_id: 'their-customer', id, reason: REASON })],
];

/**
 * The places of the back office; its routes as the host has them. Where a path has several ids, the others are all
 * right.
 */
export function backofficePlaces(w: World, { ids }: Foreign): readonly Place[] {
  const right: Readonly<Record<string, string>> = {
    ':order_id': ids.get('order') ?? '',
    ':id': ids.get('note') ?? '',
    ':field': 'receipt',
  };
  const desk = {
    tools: w.service.tools,
    brand: 'florin',
    two_people: { above: () => 0n, member_hours: 24 },
    secure: false,
  };
  const named = ({ path }: { readonly path: string }) => path.match(/:(?:\w+_)?id\b/g) ?? [];
  return [
    ...backofficeRoutes(desk).flatMap((route) =>
      named(route).map((one) => {
        const { method, path } = route;
        const name = `${method} ${path}`;
        const body = method === 'GET' ? undefined : (BODIES[name] ?? { reason: REASON });
        const filled = (id: string) => path.replace(/:\w+/g, (all) => (all === one ? id : (right[all] ?? all)));
        return { name: `${name} ${one}`, method, path: filled, body: () => body };
      }),
    ),
    ...FIELDS.map(([method, path, body]) => ({ name: `${method} ${path} body`, method, path: () => path, body })),
  ];
}

/**
 * The places of the API: ids in paths, in queries and in bodies, the rest of which is the example of the route's own
 * description.
 */
export async function apiPlaces(w: World): Promise<readonly Place[]> {
  const document = (await w.shop.api('/openapi.json')).body;
  const places: Place[] = [];
  for (const [path, methods] of entries(member(document, 'paths')))
    for (const [lower, route] of entries(methods))
      if (!path.startsWith('/token')) places.push(...placesOf(path, { lower, route }));
  return places;
}

function placesOf(path: string, { lower, route }: { readonly lower: string; readonly route: Json }): readonly Place[] {
  const method = lower.toUpperCase();
  const content = member(route, 'requestBody', 'content', 'application/json');
  const query = list(member(route, 'parameters')).filter((one) => member(one, 'in') === 'query');
  const names = [
    ...Object.keys(Object.fromEntries(entries(member(content, 'schema', 'properties')))),
    ...query.map((one) => JSON.stringify(member(one, 'name')).replaceAll('"', '')),
  ];
  const fields = names.filter((name) => /(?:^|_)id$|^cursor$|^merchant_contract$/.test(name) && name !== 'customer_id');
  const example = member(content, 'example') ?? member(list(member(content, 'examples'))[0]) ?? {};
  const filled = (id: string) => path.replace(/\{\w+\}|:\w+/, id);
  const inPath = {
    name: `${method} ${path}`,
    method,
    path: filled,
    body: () => (method === 'GET' ? undefined : Object.fromEntries(entries(example))),
  };
  const inFields = fields.map((field) => ({
    name: `${method} ${path} ${field}`,
    method,
    path: (id: string) => filled(UNKNOWN) + (method === 'GET' ? `?${field}=${id}` : ''),
    body: (id: string) => (method === 'GET' ? undefined : { ...Object.fromEntries(entries(example)), [field]: id }),
  }));
  return [...(/[{:]/.test(path) ? [inPath] : []), ...inFields];
}

function member(value: Json | undefined, ...path: readonly string[]): Json | undefined {
  return path.reduce<Json | undefined>(
    (at, name) =>
      typeof at === 'object' && at !== null && !Array.isArray(at)
        ? Object.entries(at).find(([n]) => n === name)?.[1]
        : undefined,
    value,
  );
}

function entries(value: Json | undefined): readonly (readonly [string, Json])[] {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.entries(value) : [];
}

function list(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? value : [];
}
