// Roles that an account makes: what each lets do on every route, and that nobody comes by a right they were not given.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { backofficeRoutes } from '../../src/backoffice/host.ts';
import { RIGHTS, ROLES, builtIn, mayGive, needsTotp } from '../../src/backoffice/rights.ts';
import type { Right } from '../../src/backoffice/wire/session.ts';
import { until } from '../client.ts';
import { waitsForOurs } from '../lock-waits.ts';
import { type World, world } from '../world.ts';
import { Person, firstOwner, invited } from './person.ts';

let w: World;
let owner: Person;
beforeAll(async () => {
  w = await world();
  owner = await firstOwner(w);
});
afterAll(() => w[Symbol.asyncDispose]());

const reason = 'a test of roles';
const idOf = async (person: Person) => (await person.get('/api/me')).say('person.id');

/** Makes a role and gives its id. */
async function makeRole(name: string, rights: readonly Right[], by = owner): Promise<string> {
  const { status, text } = await by.post('/api/team/roles', { name, rights, reason });
  if (status !== 200) throw new Error(text);
  const [row] = await w.sql<{ id: string }>(`SELECT encode(id, 'hex') AS id FROM payment.roles WHERE name = $1`, [
    name,
  ]);
  return row?.id ?? '';
}

async function audited(action: string): Promise<{ object: string; reason: string; detail: unknown } | undefined> {
  const [row] = await w.sql<{ object: string; reason: string; detail: unknown }>(
    `SELECT object, reason, detail FROM payment.audit WHERE action = $1 ORDER BY seq DESC LIMIT 1`,
    [action],
  );
  return row;
}

const SEED = 18_007;
const rightSets = fc.subarray(RIGHTS.filter((right) => right !== 'read')).map((some): Right[] => ['read', ...some]);

test('a form that was opened before somebody took a right away does not give it back', async () => {
  const id = await makeRole('Desk', ['read', 'money', 'notes']);
  const opened = { was: ['notes', 'money', 'read'], reason };
  const put = (body: object) => owner.ask('PUT', `/api/team/roles/${id}`, { name: 'Desk', ...opened, ...body });
  expect((await put({ rights: ['read', 'notes'] })).status).toBe(200);
  const stale = await put({ name: 'Front desk', rights: ['read', 'money', 'notes'] });
  expect([stale.status, stale.say('detail')]).toEqual([409, expect.stringContaining('meanwhile')]);
  const [row] = await w.sql<{ name: string; rights: string[] }>(
    `SELECT name, rights FROM payment.roles WHERE id = decode($1, 'hex')`,
    [id],
  );
  expect(row).toEqual({ name: 'Desk', rights: ['read', 'notes'] });
});

test('settings of owners and administrators are changed by no role that may do less than they, whatever it may do of the team', async () => {
  const less = await makeRole('Office', ['read', 'settings', 'team']);
  const all = await makeRole('Vice', builtIn('administrator').rights);
  const change = (by: Person, body: object) => by.ask('PUT', '/api/settings', body);
  const [office, vice] = [
    await invited(w, owner, less, 'office@shop.example'),
    await invited(w, owner, all, 'vice@shop.example'),
  ];
  for (const setting of [{ page_inputs: true }, { refunds_two_people_above: ['EUR=9999'] }]) {
    expect([setting, (await change(office, setting)).status]).toEqual([setting, 403]);
    expect([setting, (await change(vice, setting)).status]).toEqual([setting, 200]);
  }
  expect((await change(office, { page_note: 'hello' })).status).toBe(200);
  await change(owner, { page_inputs: null, refunds_two_people_above: null, page_note: null });
});

test('where large refunds wait for a second person, no role comes by a key that refunds alone but an administrator’s', async () => {
  const both = await makeRole('Desk with keys', ['read', 'money', 'keys', 'cards', 'notifications', 'sandbox']);
  const desk = await invited(w, owner, both, 'desk-with-keys@shop.example');
  const [first = ''] = (
    await w.sql<{ id: string }>(
      `SELECT encode(id, 'hex') AS id FROM payment.api_keys WHERE kind = 'private' AND scopes IS NULL ORDER BY id`,
    )
  ).map(({ id }) => id);
  await owner.ask('PUT', '/api/settings', { refunds_two_people_above: ['EUR=10'] });
  const form = { kind: 'private', label: 'alone', scopes: ['refunds'] };
  for (const by of [
    await desk.post('/api/keys', form),
    await desk.post(`/api/keys/${first}/roll`, { overlap_hours: 1, reason }),
  ])
    expect([by.status, by.text]).toEqual([403, expect.stringContaining('scope refunds')]);
  expect((await desk.post('/api/keys', { ...form, scopes: ['read'] })).status).not.toBe(403);
  await owner.ask('PUT', '/api/settings', { refunds_two_people_above: null });
  expect((await desk.post('/api/keys', form)).status).not.toBe(403);
});

describe('with any role', () => {
  const routes = () =>
    backofficeRoutes({
      tools: w.service.tools,
      brand: 'florin',
      two_people: { above: () => 0n, member_hours: 24 },
      secure: false,
    });
  const sets = fc.sample(rightSets, { numRuns: 6, seed: SEED });

  test.each(sets.map((rights, i) => ({ rights, name: `Random ${i}` })))(
    'every route answers as its right says: $rights',
    async ({ rights, name }) => {
      const person = await invited(w, owner, await makeRole(name, rights), `${name.replace(' ', '')}@shop.example`);
      const session = await person.get('/api/session');
      expect([session.at('session.account.role_name'), session.at('session.rights')]).toEqual([
        name,
        RIGHTS.filter((right) => rights.includes(right)),
      ]);
      const wrong: string[] = [];
      for (const { method, path, right } of routes()) {
        if (right === 'open' || right === 'me') continue;
        const body = method === 'GET' ? undefined : {};
        const { status } = await person.ask(method, path.replace(/:\w+/g, 'f'.repeat(24)), body);
        if (rights.includes(right) !== (status !== 403) || status === 401 || status >= 500)
          wrong.push(`${method} ${path} (${right}): ${status}`);
      }
      expect(wrong).toEqual([]);
    },
  );

  test('a role is made, given and taken only by who has each of its rights', async () => {
    const makers = fc.sample(rightSets, { numRuns: 4, seed: SEED + 1 });
    const made = fc.sample(rightSets, { numRuns: 4, seed: SEED + 2 });
    const given = await Promise.all(made.map((rights, i) => makeRole(`Given ${i}`, rights)));
    for (const [i, some] of makers.entries()) {
      const own: Right[] = [...new Set<Right>([...some, 'team'])];
      const maker = await invited(w, owner, await makeRole(`Maker ${i}`, own), `maker${i}@shop.example`);
      for (const [j, rights] of made.entries()) {
        const within = rights.every((right) => own.includes(right));
        const asked = { name: `Of ${i} ${j}`, rights, reason };
        expect([own, rights, (await maker.post('/api/team/roles', asked)).status]).toEqual([
          own,
          rights,
          within ? 200 : 403,
        ]);
        const to = { email: `of${i}${j}@shop.example`, role: given[j] };
        expect((await maker.post('/api/team/invitations', to)).status).toBe(within ? 200 : 403);
        const changed = { name: `Given ${j}`, rights: ['read'], reason };
        if (!within) expect((await maker.ask('PUT', `/api/team/roles/${given[j]}`, changed)).status).toBe(403);
      }
    }
  });

  test('what one may give is never more than what one has, and owners are made by owners alone', () => {
    const held = fc.oneof(
      fc.constantFrom(...ROLES).map(builtIn),
      rightSets.map((rights) => ({ role: 'a'.repeat(24), role_name: 'a role', rights })),
    );
    fc.assert(
      fc.property(held, held, (own, other) => {
        if (!mayGive(own, other)) return true;
        const within = other.rights.every((right) => own.rights.includes(right));
        return within && own.rights.includes('team') && (other.role !== 'owner' || own.role === 'owner');
      }),
      { seed: SEED },
    );
  });

  test('every right stands on the page of roles once, in words', () => {
    // read as text: the page is compiled for browsers, and this test is not
    const page = readFileSync(join(import.meta.dirname, '../../web/backoffice/pages/team/role-words.ts'), 'utf8');
    const words = [...page.matchAll(/\[\s*'([a-z_]+)',/g)].map(([, right = '']) => right);
    expect(words.toSorted()).toEqual(RIGHTS.toSorted());
  });

  test('production asks whoever can do what only owners and administrators can for a second factor', () => {
    expect(ROLES.filter((role) => needsTotp(builtIn(role)))).toEqual(['owner', 'administrator']);
    expect(needsTotp({ rights: ['read', 'audit'] })).toBe(true);
    expect(needsTotp({ rights: ['read', 'money', 'keys'] })).toBe(false);
  });
});

describe('a role of one’s own', () => {
  test('that is changed holds from the next request, takes invitations along that went beyond it, and is audited with before and after', async () => {
    const role = await makeRole('Night desk', ['read', 'money', 'team']);
    const person = await invited(w, owner, role, 'night@shop.example');
    const offer = await person.post('/api/team/invitations', { email: 'friend@shop.example', role });
    const token = offer.say('link').split('/').at(-1);
    expect((await person.get('/api/keys')).status).toBe(403);
    const change = { name: 'Day desk', rights: ['read', 'keys'], reason };
    expect((await owner.ask('PUT', `/api/team/roles/${role}`, change)).status).toBe(200);
    expect((await person.get('/api/keys')).status).toBe(200);
    expect((await person.get('/api/team')).status).toBe(403);
    expect((await person.get('/api/session')).at('session.account.role_name')).toBe('Day desk');
    expect((await new Person(w).get(`/api/welcome/${token}`)).status).toBe(404);
    expect(await audited('role changed')).toMatchObject({
      object: role,
      reason,
      detail: {
        was: { name: 'Night desk', rights: ['read', 'money', 'team'] },
        becomes: { name: 'Day desk', rights: ['read', 'keys'] },
      },
    });
  });

  test('cannot be changed by who has it, and nobody gives themselves another one', async () => {
    const role = await makeRole('Leads', ['read', 'money', 'team']);
    const person = await invited(w, owner, role, 'lead@shop.example');
    const change = { name: 'Leads', rights: ['read', 'money'], reason };
    expect((await person.ask('PUT', `/api/team/roles/${role}`, change)).status).toBe(403);
    expect((await person.post(`/api/team/roles/${role}/remove`, { becomes: 'reader', reason })).status).toBe(403);
    const own = await idOf(person);
    expect((await person.ask('PUT', `/api/team/${own}`, { role: 'reader', reason })).status).toBe(403);
    expect((await person.get('/api/session')).at('session.account.role')).toBe(role);
  });

  test('that people have is removed only with the role they get, and its invitations go', async () => {
    const role = await makeRole('Helpers', ['read', 'notes']);
    const person = await invited(w, owner, role, 'helper@shop.example');
    const offer = await owner.post('/api/team/invitations', { email: 'next@shop.example', role });
    const token = offer.say('link').split('/').at(-1);
    expect((await new Person(w).get(`/api/welcome/${token}`)).at('role_name')).toBe('Helpers');
    const remove = (body: object) => owner.post(`/api/team/roles/${role}/remove`, { reason, ...body });
    const refused = await remove({});
    expect([refused.status, refused.at('errors.0.field')]).toEqual([400, 'becomes']);
    for (const becomes of ['king', role, 'f'.repeat(24)])
      expect((await remove({ becomes })).at('errors.0.field')).toBe('becomes');
    expect((await remove({ becomes: 'developer' })).status).toBe(200);
    expect((await person.get('/api/session')).at('session.account.role')).toBe('developer');
    expect((await person.get('/api/keys')).status).toBe(200);
    expect((await new Person(w).get(`/api/welcome/${token}`)).status).toBe(404);
    expect((await remove({})).status).toBe(404);
    expect(await audited('role removed')).toMatchObject({
      object: role,
      detail: { was: { name: 'Helpers', rights: ['read', 'notes'] }, becomes: 'developer' },
    });
    const id = await idOf(person);
    expect(await audited('role or right changed')).toMatchObject({ object: id, detail: { becomes: 'developer' } });
  });

  test('has a name of its own and known rights, and every problem is said', async () => {
    await makeRole('Taken', ['read']);
    for (const name of ['taken', 'Owner', 'viewer', ' ', 'x'.repeat(41)])
      expect([
        name,
        (await owner.post('/api/team/roles', { name, rights: ['read'], reason })).at('errors.0.field'),
      ]).toEqual([name, 'name']);
    for (const rights of [[], ['money'], ['read', 'king'], 'read', ['read', 1]])
      expect([
        rights,
        (await owner.post('/api/team/roles', { name: 'Some', rights, reason })).at('errors.0.field'),
      ]).toEqual([rights, 'rights']);
    const all = await owner.post('/api/team/roles', { name: 'x'.repeat(41), rights: ['king'], reason: '' });
    expect(['errors.0.field', 'errors.1.field', 'errors.2.field'].map((path) => all.say(path)).toSorted()).toEqual([
      'name',
      'reason',
      'rights',
    ]);
  });

  test('with all rights makes no owner and is none: the last owner stays', async () => {
    const deputy = await invited(w, owner, await makeRole('Deputy', RIGHTS), 'deputy@shop.example');
    expect((await deputy.post('/api/team/invitations', { email: 'x@shop.example', role: 'owner' })).status).toBe(403);
    const ada = await idOf(owner);
    expect((await deputy.ask('PUT', `/api/team/${ada}`, { role: 'reader', reason })).status).toBe(403);
    expect((await owner.post(`/api/team/${ada}/remove`, { reason })).status).toBe(409);
  });

  test('that is changed while somebody waits to give it is given as it is by then', async () => {
    const role = await makeRole('Moving', ['read']);
    const maker = await invited(w, owner, await makeRole('Small', ['read', 'team']), 'small@shop.example');
    const asked = { email: 'moved@shop.example', role };
    await w.sql('BEGIN');
    await w.sql('SELECT FROM payment.members FOR UPDATE');
    const offered = maker.post('/api/team/invitations', asked);
    await until(async () => (await waitsForOurs(w)) > 0 || undefined);
    await w.sql(`UPDATE payment.roles SET rights = '{read,money}' WHERE id = decode($1, 'hex')`, [role]);
    await w.sql('COMMIT');
    expect((await offered).status).toBe(403);
  });
});
