// No access across accounts: every route of the API (from openapi.json) and of the back office (from its own table) is asked with every
// kind of id of another account, in its path and in its fields. The answer is that to an id that nobody has, and nothing moves.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { backofficeRoutes } from '../../src/backoffice/host.ts';
import { inviteFirstOwner } from '../../src/backoffice/people/invite.ts';
import { type Client, type Json, textAt } from '../client.ts';
import { type World, world } from '../world.ts';
import { PASSWORD, Person, firstOwner, invited } from './person.ts';

const UNKNOWN = 'f'.repeat(24);
const REASON = 'looks at what is not theirs';

let w: World;
let other: Client;
let mine: Person;
let theirs: Person;
let foreign_account: string;
/** Every kind of id there is, of the other account. */
const ids = new Map<string, string>();

beforeAll(async () => {
  w = await world();
  other = await w.otherShop();
  mine = await firstOwner(w);
  const [key] = await w.sql<{ account: string; id: string }>(
    `SELECT encode(merchant_account_id, 'hex') AS account, encode(id, 'hex') AS id FROM payment.api_keys ORDER BY id DESC LIMIT 1`,
  );
  foreign_account = key?.account ?? '';
  const path = (await inviteFirstOwner(w.service.tools, foreign_account)) ?? '';
  theirs = new Person(w);
  await theirs.post(`/api${path}`, { name: 'Eve', email: 'eve@other.example', password: PASSWORD });
  await collect();
});
afterAll(() => w[Symbol.asyncDispose]());

async function collect(): Promise<void> {
  const checkout_id = await other.checkout({ customer_id: 'their-customer' });
  const token = await other.token();
  const paid = await other.order({ checkout_id, token }, { prefer: 'wait=20' });
  const order_id = textAt(paid, 'order_id');
  const sale = await other.pay({}, { customer_id: 'their-customer', token_type: 'recurring' });
  const one = async (sql: string) => {
    const [row] = await w.sql<{ id: string }>(sql, [foreign_account]);
    return row?.id ?? '';
  };
  const of = (table: string, where = '') =>
    one(
      `SELECT encode(id, 'hex') AS id FROM payment.${table} WHERE merchant_account_id = decode($1, 'hex') ${where} LIMIT 1`,
    );
  ids.set('account', foreign_account);
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
  ids.set('invitation', await of('invitations', `AND email IS NOT NULL`));
  await theirs.ask('PUT', '/api/views', { name: 'theirs', filters: {}, shared: true });
  ids.set('view', await of('saved_views'));
  await theirs.post('/api/notifications/endpoints', { url: 'https://hooks.other.example/florin' });
  ids.set('endpoint', await of('endpoints'));
  await theirs.post('/api/risk/lists', { list: 'block', subject: 'email', value: 'x@y.example', reason: REASON });
  ids.set('risk entry', await of('risk_entries'));
  await theirs.ask('POST', `/api/notifications/endpoints/${ids.get('endpoint')}/test`, {});
  ids.set('notification', await of('notifications'));
  expect([...ids].filter(([, id]) => !/^[0-9a-f]{24}$/.test(id))).toEqual([]);
}

/** What of an answer may differ between two requests: ids of requests and moments. */
const shape = (status: number, text: string, id: string): string =>
  `${status} ${text
    .replaceAll(id, '#')
    .replace(/"(?:instance|request_id)":"\w+"/g, '')
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '@')}`;

/** Everything the other account has, and nothing that time moves by itself. */
async function theirRows(): Promise<string> {
  const tables = ['orders', 'operations', 'checkouts', 'customers', 'api_keys', 'contracts', 'members', 'invitations'];
  const parts = [...tables, 'saved_views', 'audit', 'merchant_accounts'].map(
    (table) =>
      `(SELECT coalesce(string_agg(md5((to_jsonb(x) - 'last_used_at' - 'due_at' - 'tries')::text), ',' ORDER BY x::text), '') FROM payment.${table} x WHERE merchant_account_id = decode($1, 'hex'))`,
  );
  const [row] = await w.sql<{ all: string }>(`SELECT concat_ws(';', ${parts.join(', ')}) AS all`, [foreign_account]);
  return row?.all ?? '';
}

describe('the back office', () => {
  /** A body that is right but for the id. */
  const BODIES: Readonly<Record<string, object>> = {
    'PUT /api/team/:id': { role: 'reader', reason: REASON },
    'POST /api/keys/:id/roll': { overlap_hours: 1, reason: REASON },
    'PUT /api/providers/:id': { enabled: false, reason: REASON },
    'POST /api/notifications/endpoints/:endpoint_id/secret': { overlap_hours: 1 },
    'POST /api/in-doubt/:id/rule': { as: 'done', reason: REASON, provider_ref: 'x1' },
  };
  /** Ids that stand in the body or the query. */
  const FIELDS: readonly (readonly [method: string, path: string, body: (id: string) => object | undefined])[] = [
    ['POST', '/api/session/account', (id) => ({ account_id: id })],
    ['POST', '/api/notifications/replay', (id) => ({ endpoint_id: id })],
    ['PUT', '/api/views', (id) => ({ id, name: 'x', filters: {}, shared: false })],
    ['DELETE', '/api/customers/card', (id) => ({ customer_id: 'their-customer', id, reason: REASON })],
  ];

  test('answers an id of another account as one that nobody has, on every route that takes one', async () => {
    const desk = { tools: w.service.tools, brand: 'florin', two_people_above: 0n, secure: false };
    const routes = backofficeRoutes(desk).filter(({ path }) =>
      /:(?:id|order_id|endpoint_id|notification_id)\b/.test(path),
    );
    expect(routes.length).toBeGreaterThan(14);
    const before = await theirRows();
    const wrong: string[] = [];
    let asked = 0;
    for (const { method, path } of routes) {
      const route = `${method} ${path}`;
      const ask = (id: string) =>
        mine.ask(
          method,
          path.replace(/:\w+/, id),
          method === 'GET' ? undefined : (BODIES[route] ?? { reason: REASON }),
        );
      const nobody = await ask(UNKNOWN);
      if (nobody.status !== 404) wrong.push(`${route} unknown: ${nobody.status} ${nobody.text}`);
      for (const [kind, id] of ids) {
        const answer = await ask(id);
        asked++;
        if (shape(answer.status, answer.text, id) !== shape(nobody.status, nobody.text, UNKNOWN))
          wrong.push(`${route} with a foreign ${kind}: ${answer.status} ${answer.text}`);
      }
    }
    for (const [method, path, body] of FIELDS) {
      const nobody = await mine.ask(method, path, body(UNKNOWN));
      for (const [kind, id] of ids) {
        const answer = await mine.ask(method, path, body(id));
        asked++;
        if (shape(answer.status, answer.text, id) !== shape(nobody.status, nobody.text, UNKNOWN))
          wrong.push(`${method} ${path} with a foreign ${kind}: ${answer.status} ${answer.text}`);
      }
    }
    expect(wrong).toEqual([]);
    expect(asked).toBeGreaterThan(200);
    expect(await theirRows()).toBe(before);
  });

  test('finds nothing of another account by any reference, and lists none of it', async () => {
    const words = [...ids.values(), 'their-customer', 'cart-1881', '4242', '42.50'];
    for (const word of words)
      expect([word, (await mine.get(`/api/orders?search=${word}`)).at('orders')]).toEqual([word, []]);
    expect((await mine.get('/api/customers/one?customer_id=their-customer')).status).toBe(404);
    const pages = ['orders', 'customers', 'keys', 'team', 'providers', 'in-doubt', 'audit', 'views', 'settings', 'me'];
    for (const page of pages) {
      const { text } = await mine.get(`/api/${page}`);
      for (const [kind, id] of ids) expect([page, kind, text.includes(id)]).toEqual([page, kind, false]);
    }
  });

  test('shows a person of two accounts the one they look at, with the role they have there', async () => {
    const both = await invited(w, mine, 'reader', 'both@shop.example');
    const offer = await theirs.post('/api/team/invitations', { email: 'both@shop.example', role: 'developer' });
    const token = offer.say('link').split('/').at(-1) ?? '';
    const wrong = await new Person(w).post(`/api/welcome/${token}`, { password: 'not the password at all' });
    expect(wrong.status).toBe(400);
    expect((await new Person(w).post(`/api/welcome/${token}`, { password: PASSWORD })).status).toBe(200);
    expect((await both.get('/api/orders')).at('orders')).toEqual([]);
    expect((await both.get('/api/keys')).status).toBe(403);
    const there = await both.post('/api/session/account', { account_id: foreign_account });
    expect([there.status, there.at('session.account.role')]).toEqual([200, 'developer']);
    expect((await both.get('/api/orders')).at('orders.0.id')).toBeTypeOf('string');
    expect((await both.get('/api/keys')).status).toBe(200);
  });
});

describe('the API', () => {
  type Route = {
    readonly method: string;
    readonly path: string;
    readonly example: Json;
    readonly fields: readonly string[];
  };

  /** Every route that takes an id in its path or in a field, with the example of its own description. */
  async function routesOf(): Promise<readonly Route[]> {
    const document = (await w.shop.api('/openapi.json')).body;
    const routes: Route[] = [];
    for (const [path, methods] of entries(member(document, 'paths')))
      for (const [method, route] of entries(methods)) {
        const body = member(route, 'requestBody', 'content', 'application/json');
        const query = list(member(route, 'parameters')).filter((one) => member(one, 'in') === 'query');
        const names = [
          ...Object.keys(Object.fromEntries(entries(member(body, 'schema', 'properties')))),
          ...query.map((one) => JSON.stringify(member(one, 'name')).replaceAll('"', '')),
        ];
        const fields = names.filter(
          (name) => /(?:^|_)id$|^cursor$|^merchant_contract$/.test(name) && name !== 'customer_id',
        );
        const examples = member(body, 'example') ?? member(list(member(body, 'examples'))[0]) ?? {};
        if (!path.startsWith('/token')) routes.push({ method: method.toUpperCase(), path, example: examples, fields });
      }
    return routes;
  }

  test('answers an id of another account as one that nobody has, on every route and field that takes one', async () => {
    const before = await theirRows();
    const wrong: string[] = [];
    let asked = 0;
    for (const { method, path, example, fields } of await routesOf()) {
      const ask = async (where: string | undefined, id: string) => {
        const filled = path.replace(/\{\w+\}|:\w+/, where === undefined ? id : UNKNOWN);
        const query = method === 'GET' && where !== undefined ? `?${where}=${id}` : '';
        const fields_sent = where === undefined ? {} : { [where]: id };
        const body = method === 'GET' ? undefined : { ...Object.fromEntries(entries(example)), ...fields_sent };
        const reply = await w.shop.api(filled + query, { method, ...(body && { body }) });
        asked++;
        return shape(reply.status, reply.text, id);
      };
      const places = [...(/[{:]/.test(path) ? [undefined] : []), ...fields];
      for (const where of places) {
        // what is made anew each time cannot be compared; that it moved nothing is seen at the end
        const nobody = await ask(where, UNKNOWN);
        if (nobody.startsWith('200') && method !== 'GET') continue;
        for (const [kind, id] of ids) {
          const answer = await ask(where, id);
          if (answer !== nobody)
            wrong.push(`${method} ${path} ${where ?? 'path'} with a foreign ${kind}: ${answer} / ${nobody}`);
        }
      }
    }
    expect(wrong).toEqual([]);
    expect(asked).toBeGreaterThan(150);
    expect(await theirRows()).toBe(before);
  });
});

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
