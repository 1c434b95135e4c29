// Scopes of private keys, on every route of both hosts that takes a key: the route table says which one is wanted, and
// the published description says the same.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { SCOPE_NAMES, type Scope } from '../../src/core/keys/scopes.ts';
import { addKey, makeKeyText, revokeKey } from '../../src/payment/merchant/keys.ts';
import { paymentRoutes } from '../../src/payment/routes.ts';
import type { Json } from '../client.ts';
import { type World, world } from '../world.ts';
import { TOKEN, type Visit, expectProblem, member, slugOf, visit } from './door.ts';

let w: World;
beforeAll(async () => {
  w = await world();
});
afterAll(() => w[Symbol.asyncDispose]());

const membersOf = (value: Json | undefined): [string, Json][] =>
  typeof value === 'object' && value !== null ? Object.entries(value) : [];

/** Every keyed route, with the scope that openapi.json names; the vault's one beside them. */
async function published(): Promise<readonly (readonly [Visit, unknown])[]> {
  const document = (await w.shop.api('/openapi.json')).body;
  const found: (readonly [Visit, unknown])[] = [[TOKEN, 'tokens']];
  for (const [path, methods] of membersOf(member(document, 'paths')))
    for (const [method, operation] of membersOf(methods)) {
      const own = member(operation, 'servers') !== undefined;
      if (member(operation, 'x-key') === 'none' || own) continue;
      const filled = path.replaceAll(/\{\w+\}/g, 'f'.repeat(24));
      found.push([
        { host: 'api', method: method.toUpperCase(), path: filled, ...(method === 'get' ? {} : { body: '{}' }) },
        member(operation, 'x-scope'),
      ]);
    }
  return found;
}

test('every route that takes a key names its scope, in the table and in the description', async () => {
  const routes = await published();
  expect(routes.length).toBeGreaterThan(25);
  expect(routes.filter(([, scope]) => !SCOPE_NAMES.some((name) => name === scope))).toEqual([]);
  const of_table = paymentRoutes(w.service.tools).map(({ key, scope }) => (key === 'none') === (scope === undefined));
  expect(of_table).not.toContain(false);
  expect(new Set(routes.map(([, scope]) => scope))).toEqual(new Set(SCOPE_NAMES));
});

test.each(SCOPE_NAMES)(
  'a key with the scope %s alone is let in where it is wanted, and refused everywhere else',
  async (own: Scope) => {
    const { tools } = w.service;
    const account = w.account;
    const text = makeKeyText(tools.chance, { letters: 'FL', kind: 'private', environment: 'sandbox' });
    const id = await addKey(tools, account, { text, kind: 'private', label: own, scopes: [own] });
    const wrong: unknown[] = [];
    for (const [route, scope] of await published()) {
      const answer = await visit(w, { ...route, headers: { 'x-api-key': text } });
      const refused = answer.status === 403 && slugOf(answer) === 'forbidden-key';
      if (refused === (scope === own)) wrong.push([route.method, route.path, answer.status]);
      if (!refused) continue;
      expectProblem(answer, 403, '111023');
      expect(answer.text).toContain(`does not have the scope ${String(scope)}`);
    }
    expect(wrong).toEqual([]);
    await revokeKey(tools, account, { id });
  },
);
