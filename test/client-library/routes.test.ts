// One method for every route that merchants call: each is called once, and what it sends is compared with the route
// tables.
import { expect, test } from 'vitest';
import { Florin } from '../../client/src/florin.ts';
import { openVault } from '../../client/src/vault.ts';
import { ROUTES, VAULT_ROUTES } from '../../client/src/wire/routes.ts';
import { paymentRoutes } from '../../src/payment/routes.ts';
import { vaultRoutes } from '../../src/vault/routes.ts';
import { wirePath } from '../../src/kit/http/reference/openapi.ts';

const ID = 'an-id';

test('every route with a key of the account has a method, and every method such a route', async () => {
  const sent: string[] = [];
  const fetch = async (url: string, init: RequestInit) => {
    sent.push(`${init.method} ${new URL(url).pathname}`);
    const lists = { orders: [], links: [], notifications: [], entries: [], next_cursor: null };
    return Response.json({ result: { code: '911111', description: '' }, order_id: ID, status: 'created', ...lists });
  };
  const options = { key: 'k', fetch };
  const florin = new Florin({ base_url: 'https://api.example', ...options });
  const vault = openVault({ vault_url: 'https://vault.example', ...options });
  for (const group of [
    florin.checkouts,
    florin.orders,
    florin.customers,
    florin.links,
    florin.endpoints,
    florin.notifications,
    florin.sandbox,
    vault,
  ]) {
    for (const [name, method] of Object.entries(group)) {
      // these ask by other methods
      if (name === 'waitUntilDecided' || name === 'outcome') continue;
      const answer: unknown = Reflect.apply(method, group, [name === 'list' || name === 'books' ? {} : ID, {}]);
      if (isRows(answer)) for await (const row of answer) expect(row).toBeUndefined();
      else await answer;
    }
  }
  const described = [...paymentRoutes({ environment: 'sandbox' }), ...vaultRoutes()].filter(
    (route) => route.scope !== undefined,
  );
  const wanted = described.map((route) => `${route.method} ${wirePath(route.path).replace(/\{\w+\}/g, ID)}`);
  expect(sent.toSorted()).toEqual(wanted.toSorted());
  expect(Object.keys(ROUTES).length + Object.keys(VAULT_ROUTES).length).toBe(wanted.length);
});

function isRows(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value;
}
