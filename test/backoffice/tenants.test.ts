// No access across accounts: every route of the API (from openapi.json) and of the back office (from its own table) is
// asked with every kind of id of another account, in its path and in its fields. The answer is that to an id that
// nobody has, and nothing moves.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type World, world } from '../world.ts';
import { type Foreign, type Place, UNKNOWN, apiPlaces, backofficePlaces, foreign } from './matrix.ts';
import { PASSWORD, Person, invited } from './person.ts';

let w: World;
let f: Foreign;

beforeAll(async () => {
  w = await world();
  f = await foreign(w);
});
afterAll(() => w[Symbol.asyncDispose]());

/** What of an answer may differ between two requests: ids of requests and moments. */
const shape = (status: number, text: string, id: string): string =>
  `${status} ${text
    .replaceAll(id, '#')
    .replace(/"(?:instance|request_id)":"\w+"/g, '')
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '@')}`;

/** Everything the other account has, and nothing that time moves by itself. */
async function theirRows(): Promise<string> {
  const tables = [
    'orders',
    'operations',
    'checkouts',
    'customers',
    'api_keys',
    'contracts',
    'members',
    'invitations',
    'roles',
  ];
  const newer = [
    'order_notes',
    'payment_links',
    'reports',
    'refund_requests',
    'disputes',
    'dispute_answers',
    'retries',
    'reconcile_findings',
  ];
  const parts = [...tables, ...newer, 'saved_views', 'audit', 'merchant_accounts'].map(
    (table) =>
      `(SELECT coalesce(string_agg(md5((to_jsonb(x) - 'last_used_at' - 'due_at' - 'next_at' - 'tries')::text), ',' ORDER BY x::text), '') FROM payment.${table} x WHERE merchant_account_id = decode($1, 'hex'))`,
  );
  const [row] = await w.sql<{ all: string }>(`SELECT concat_ws(';', ${parts.join(', ')}) AS all`, [f.account]);
  return row?.all ?? '';
}

type Ask = (place: Place, id: string) => Promise<{ readonly status: number; readonly text: string }>;

/** Asks at every place with every kind of id; gives what was answered otherwise than to an id that nobody has. */
async function compare(places: readonly Place[], ask: Ask) {
  const before = await theirRows();
  const wrong: string[] = [];
  let asked = 0;
  for (const place of places) {
    const nobody = await ask(place, UNKNOWN);
    // what is made anew each time cannot be compared; that it moved nothing is seen at the end
    if (nobody.status === 200 && place.method !== 'GET') continue;
    // all at once: what waits for another request of the same kind is seen as well
    const answers = await Promise.all([...f.ids].map(async ([kind, id]) => ({ kind, id, ...(await ask(place, id)) })));
    asked += answers.length;
    for (const { kind, id, status, text } of answers)
      if (shape(status, text, id) !== shape(nobody.status, nobody.text, UNKNOWN))
        wrong.push(`${place.name} with a foreign ${kind}: ${status} ${text} / ${nobody.status} ${nobody.text}`);
  }
  return { wrong, asked, moved: (await theirRows()) !== before };
}

describe('the back office', () => {
  const ask: Ask = ({ method, path, body }, id) => f.mine.ask(method, path(id), body(id));

  test('answers an id of another account as one that nobody has, on every route that takes one', async () => {
    const places = backofficePlaces(w, f);
    const inPaths = places.filter(({ path }) => path('a') !== path('b'));
    expect(inPaths.length).toBeGreaterThan(40);
    for (const place of inPaths) expect([place.name, (await ask(place, UNKNOWN)).status]).toEqual([place.name, 404]);
    for (const place of places) expect([place.name, (await ask(place, UNKNOWN)).status]).not.toEqual([place.name, 200]);
    const { wrong, asked, moved } = await compare(places, ask);
    expect(wrong).toEqual([]);
    expect(asked).toBeGreaterThan(200);
    expect(moved).toBe(false);
  });

  test('finds nothing of another account by any reference, and lists none of it', async () => {
    const words = [...f.ids.values(), 'their-customer', 'cart-1881', '4242', '42.50'];
    for (const word of words)
      expect([word, (await f.mine.get(`/api/orders?search=${word}`)).at('orders')]).toEqual([word, []]);
    expect((await f.mine.get('/api/customers/one?customer_id=their-customer')).status).toBe(404);
    const pages = [
      'orders',
      'customers',
      'keys',
      'team',
      'providers',
      'in-doubt',
      'audit',
      'views',
      'settings',
      'me',
    ].concat(
      [
        'links',
        'reports',
        'refund-requests',
        'disputes?show=all',
        'disputes/due',
        'customers/erasures',
        'routing',
        'retries',
        'findings?show=all',
      ],
      ['notifications', 'notifications/deliveries', 'requests', 'telephone', 'overview', 'needs', 'risk/lists'],
    );
    for (const page of pages) {
      const { status, text } = await f.mine.get(`/api/${page}`);
      expect([page, status]).toEqual([page, 200]);
      for (const [kind, id] of f.ids) expect([page, kind, text.includes(id)]).toEqual([page, kind, false]);
    }
  });

  test('shows a person of two accounts the one they look at, with the role they have there', async () => {
    const both = await invited(w, f.mine, 'reader', 'both@shop.example');
    const offer = await f.theirs.post('/api/team/invitations', { email: 'both@shop.example', role: 'developer' });
    const token = offer.say('link').split('/').at(-1) ?? '';
    const wrong = await new Person(w).post(`/api/welcome/${token}`, { password: 'not the password at all' });
    expect(wrong.status).toBe(400);
    expect((await new Person(w).post(`/api/welcome/${token}`, { password: PASSWORD })).status).toBe(200);
    expect((await both.get('/api/orders')).at('orders')).toEqual([]);
    expect((await both.get('/api/keys')).status).toBe(403);
    const there = await both.post('/api/session/account', { account_id: f.account });
    expect([there.status, there.at('session.account.role')]).toEqual([200, 'developer']);
    expect((await both.get('/api/orders')).at('orders.0.id')).toBeTypeOf('string');
    expect((await both.get('/api/keys')).status).toBe(200);
  });
});

describe('the API', () => {
  test('answers an id of another account as one that nobody has, on every route and field that takes one', async () => {
    const ask: Ask = ({ method, path, body }, id) => {
      const sent = body(id);
      return w.shop.api(path(id), { method, ...(sent && { body: sent }) });
    };
    const { wrong, asked, moved } = await compare(await apiPlaces(w), ask);
    expect(wrong).toEqual([]);
    expect(asked).toBeGreaterThan(150);
    expect(moved).toBe(false);
  });
});
