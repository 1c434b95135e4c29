// Who tries passwords: it keeps nobody out who comes from where they signed in before, it is seen by the owner, and
// what is guessed first is no password.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { invite as inviteAnybody } from '../../src/backoffice/people/invite.ts';
import { withTransaction } from '../../src/kit/database.ts';
import { type World, world } from '../world.ts';
import { PASSWORD, Person, firstOwner, invited } from './person.ts';

let w: World;
let owner: Person;
beforeAll(async () => {
  w = await world({ FLORIN_TRUSTED_PROXIES: '127.0.0.1' });
  owner = await firstOwner(w);
});
afterAll(() => w[Symbol.asyncDispose]());

const logInFrom = (ip: string, email: string, password: string = PASSWORD) =>
  new Person(w).ask('POST', '/api/session', { email, password }, { 'x-forwarded-for': ip });

/** As if so many minutes had passed for the locks. */
async function later(minutes: number): Promise<void> {
  await w.sql(`UPDATE payment.people SET locked_until = locked_until - make_interval(mins => $1)`, [minutes]);
}

test('a wrong password every half hour from elsewhere does not keep out a person who comes from a known address', async () => {
  const email = 'target@shop.example';
  await invited(w, owner, 'operator', email);
  expect((await logInFrom('198.51.100.7', email)).status).toBe(200);
  for (let i = 0; i < 12; i++) {
    expect((await logInFrom(`203.0.113.${i}`, email, 'wrong wrong wrong')).status).toBe(401);
    await later(31);
  }
  await logInFrom('203.0.113.99', email, 'wrong wrong wrong');
  // elsewhere the right password is refused too, or the pause would be none
  expect((await logInFrom('203.0.113.98', email)).status).toBe(401);
  expect((await logInFrom('198.51.100.7', email)).at('next')).toBe('done');
  // that sign-in gives those elsewhere no new tries
  expect((await logInFrom('203.0.113.98', email)).status).toBe(401);
});

test('guesses from many addresses count together: after ten there are two an hour', async () => {
  const email = 'sprayed@shop.example';
  await invited(w, owner, 'operator', email);
  for (let i = 0; i < 10; i++) {
    await logInFrom(`192.0.2.${i}`, email, 'wrong wrong wrong');
    await later(20);
  }
  expect((await logInFrom('192.0.2.200', email)).status).toBe(401);
  await later(10);
  expect((await logInFrom('192.0.2.200', email)).at('next')).toBe('done');
});

test('a known address that tries passwords is locked as any other, and for itself', async () => {
  const email = 'colleague@shop.example';
  await invited(w, owner, 'operator', email);
  for (const ip of ['198.51.100.21', '198.51.100.22']) expect((await logInFrom(ip, email)).status).toBe(200);
  for (let i = 0; i < 5; i++) await logInFrom('198.51.100.21', email, 'wrong wrong wrong');
  expect((await logInFrom('198.51.100.21', email)).status).toBe(401);
  expect((await logInFrom('198.51.100.22', email)).at('next')).toBe('done');
});

test('the owner sees who is locked, since when it is recorded, and lets them in again', async () => {
  const email = 'kept-out@shop.example';
  const person = await invited(w, owner, 'operator', email);
  for (let i = 0; i < 5; i++) await logInFrom('203.0.113.5', email, 'wrong wrong wrong');
  const seen = JSON.stringify((await owner.get('/api/team')).at('members'));
  expect(seen).toMatch(new RegExp(`"email":"${email}"[^}]*"locked_until":"20`));
  const [record] = await w.sql<{ detail: { locked_until: string | null } }>(
    `SELECT detail FROM payment.audit WHERE action = 'failed operator login' AND actor = $1 ORDER BY seq DESC LIMIT 1`,
    [email],
  );
  expect(record?.detail.locked_until).toMatch(/^20/);
  const id = (await person.get('/api/me')).say('person.id');
  expect((await person.post(`/api/team/${id}/unlock`)).status).toBe(403);
  expect((await owner.post(`/api/team/${id}/unlock`)).status).toBe(200);
  expect((await logInFrom('203.0.113.6', email)).at('next')).toBe('done');
  // who may not give a role does not let its holders in again either
  const administrator = await invited(w, owner, 'administrator', 'lets-in@shop.example');
  const owner_id = (await owner.get('/api/me')).say('person.id');
  expect((await administrator.post(`/api/team/${owner_id}/unlock`)).status).toBe(403);
});

test('a password that is guessed first is refused: at the welcome, at a change, and with the own name in it', async () => {
  const email = 'grace.hopper@shop.example';
  const link = (await owner.post('/api/team/invitations', { email, role: 'reader' })).say('link');
  const person = new Person(w);
  const accept = (password: string) =>
    person.post(`/api/welcome/${link.split('/').at(-1) ?? ''}`, { name: 'Grace Hopper', password });
  for (const password of ['password1234', 'P@ssw0rd2026!', email, 'grace-hopper-1', 'florin florin', '123456789012'])
    expect([password, (await accept(password)).at('errors.0.field')]).toEqual([password, 'password']);
  expect((await accept(PASSWORD)).status).toBe(200);
  for (const new_password of ['password1234', 'GraceHopper2026', 'qwertyuiop12'])
    expect((await person.post('/api/me/password', { password: PASSWORD, new_password })).at('errors.0.field')).toBe(
      'new_password',
    );
});

test('a new login is told everything that is missing at once, and who has one what they lack', async () => {
  const wrongOf = async (path: string, form: object) => {
    const answer = await new Person(w).post(path, form);
    const errors = answer.at('errors');
    return [answer.status, Array.isArray(errors) ? errors.map((one) => Object(one).field) : answer.say('detail')];
  };
  const invite = async (email: string) => {
    const offer = await owner.post('/api/team/invitations', { email, role: 'reader' });
    return `/api/welcome/${offer.say('link').split('/').at(-1)}`;
  };
  const path = await invite('newcomer@shop.example');
  expect(await wrongOf(path, {})).toEqual([400, ['name', 'password']]);
  expect(await wrongOf(path, { name: ' ', password: 'too short' })).toEqual([400, ['name', 'password']]);
  expect(await wrongOf(path, { name: 'New' })).toEqual([400, ['password']]);
  expect(await wrongOf(path, { password: PASSWORD })).toEqual([400, ['name']]);
  const { tools } = w.service;
  const by = { actor: 'command line', source: 'this machine' };
  const first = await withTransaction(tools.db, w.account, (tx) =>
    inviteAnybody(tools, tx, { email: null, role: 'owner', by }),
  );
  expect(await wrongOf(`/api${first}`, {})).toEqual([400, ['email', 'name', 'password']]);
  expect(await wrongOf(`/api${first}`, { email: 'no address', name: 'x', password: 'short' })).toEqual([
    400,
    ['email', 'password'],
  ]);
  // who has a login needs no name, and an empty password is no try of one
  expect(await wrongOf(`/api${first}`, { email: 'ada@shop.example' })).toEqual([400, ['password']]);
  expect(await wrongOf(`/api/welcome/${'A'.repeat(43)}`, {})).toEqual([404, expect.stringContaining('no such link')]);
});

test('an address that somebody claimed is said to be unproved, and once they are removed its real owner makes a login of their own', async () => {
  const email = 'ceo@bank.example';
  const claimer = await invited(w, owner, 'reader', email);
  const seen = JSON.stringify((await owner.get('/api/team')).at('members'));
  expect(seen).toMatch(new RegExp(`"email":"${email}"[^}]*"invited_by":"ada@shop.example"`));
  const [record] = await w.sql<{ detail: object }>(
    `SELECT detail FROM payment.audit WHERE action = 'invitation accepted' AND actor = $1`,
    [email],
  );
  expect(record?.detail).toMatchObject({ invited_as: email, invited_by: 'ada@shop.example', address: 'not proved' });
  const again = await owner.post('/api/team/invitations', { email, role: 'operator' });
  expect([again.status, again.at('detail')]).toEqual([409, expect.stringContaining('remove them first')]);
  const id = (await claimer.get('/api/me')).say('person.id');
  expect((await owner.post(`/api/team/${id}/remove`, { reason: 'not their address' })).status).toBe(200);
  const link = (await owner.post('/api/team/invitations', { email, role: 'operator' })).say('link');
  const path = `/api/welcome/${link.split('/').at(-1) ?? ''}`;
  expect((await new Person(w).get(path)).at('known')).toBe(false);
  const real = new Person(w);
  const password = 'quite another long password';
  expect((await real.post(path, { name: 'The real one', password })).at('next')).toBe('done');
  expect((await real.get('/api/me')).say('person.id')).not.toBe(id);
  expect((await new Person(w).logIn(email)).status).toBe(401);
  expect((await new Person(w).logIn(email, password)).at('next')).toBe('done');
});
