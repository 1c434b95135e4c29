// A team: who may give and take which invitation, what is left of who leaves, and passwords that are asked for again.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { invite as inviteBeside } from '../../src/backoffice/people/invite.ts';
import { withTransaction } from '../../src/kit/database.ts';
import { type World, world } from '../world.ts';
import { PASSWORD, Person, firstOwner, invited } from './person.ts';

let w: World;
let owner: Person;
beforeAll(async () => {
  w = await world();
  owner = await firstOwner(w);
});
afterAll(() => w[Symbol.asyncDispose]());

const reason = 'a test of the team';
const idOf = async (person: Person) => (await person.get('/api/me')).say('person.id');

const invite = async (by: Person, email: string, role: string) =>
  (await by.post('/api/team/invitations', { email, role })).say('link').split('/').at(-1) ?? '';

const isOpen = async (token: string) => (await new Person(w).get(`/api/welcome/${token}`)).status === 200;

test('nobody voids an invitation they could not have given', async () => {
  const admin = await invited(w, owner, 'administrator');
  const token = await invite(owner, 'next@shop.example', 'owner');
  const id = (await owner.get('/api/team')).say('invitations.0.id');
  expect((await admin.ask('DELETE', `/api/team/invitations/${id}`)).status).toBe(403);
  expect((await admin.post('/api/team/invitations', { email: 'next@shop.example', role: 'reader' })).status).toBe(403);
  expect(await isOpen(token)).toBe(true);
  expect((await owner.ask('DELETE', `/api/team/invitations/${id}`)).status).toBe(200);
  expect(await isOpen(token)).toBe(false);
});

test('a role that is taken away takes the open invitations it gave along, and a person who is removed has no way back', async () => {
  const second = await invited(w, owner, 'owner', 'second@shop.example');
  const [owners, readers] = [
    await invite(second, 'friend@shop.example', 'owner'),
    await invite(second, 'reader@shop.example', 'reader'),
  ];
  const others = await invite(owner, 'other@shop.example', 'owner');
  const id = await idOf(second);
  expect((await owner.ask('PUT', `/api/team/${id}`, { role: 'administrator', reason })).status).toBe(200);
  expect([await isOpen(owners), await isOpen(readers), await isOpen(others)]).toEqual([false, true, true]);
  // an invitation from before they were in the team
  const back = await invite(owner, 'later@shop.example', 'administrator');
  await w.sql(`UPDATE payment.invitations SET email = 'second@shop.example' WHERE email = 'later@shop.example'`);
  expect((await owner.post(`/api/team/${id}/remove`, { reason })).status).toBe(200);
  expect([await isOpen(readers), await isOpen(back), await isOpen(others)]).toEqual([false, false, true]);
  const [row] = await w.sql<{ detail: { withdrawn: string[] } }>(
    `SELECT detail FROM payment.audit WHERE action = 'member removed' ORDER BY seq DESC LIMIT 1`,
  );
  expect(row?.detail.withdrawn).toHaveLength(2);
});

test('an invited person who is in the team already keeps their role, and the audit does not say otherwise', async () => {
  const email = 'twice@shop.example';
  const reader = await invited(w, owner, 'reader', email);
  const account = (await owner.get('/api/session')).say('session.account.id');
  const { tools } = w.service;
  const by = { actor: 'command line', source: 'this machine' };
  const path = await withTransaction(tools.db, account, (tx) => inviteBeside(tools, tx, { email, role: 'owner', by }));
  expect((await new Person(w).post(`/api${path}`, { password: PASSWORD })).at('next')).toBe('done');
  expect((await reader.get('/api/session')).at('session.account.role')).toBe('reader');
  const rows = await w.sql<{ detail: object }>(
    `SELECT detail FROM payment.audit WHERE action = 'invitation accepted' AND actor = $1 ORDER BY seq`,
    [email],
  );
  expect(rows).toMatchObject([{ detail: { role: 'reader' } }, { detail: { role: null } }]);
});

const failuresOf = async (email: string) =>
  (
    await w.sql<{ failures: number }>(
      `SELECT k.failures FROM payment.known_networks k JOIN payment.people p ON p.id = k.person_id WHERE p.email = $1`,
      [email],
    )
  )[0]?.failures;

test('a wrong code for taking the second factor away counts as one at the sign-in, and five lock', async () => {
  const email = 'codes@shop.example';
  const person = await invited(w, owner, 'operator', email);
  await person.post('/api/me/totp', { password: PASSWORD });
  await w.sql(`UPDATE payment.people SET totp_confirmed_at = clock_timestamp() WHERE email = $1`, [email]);
  const remove = () => person.ask('DELETE', '/api/me/totp', { password: PASSWORD, code: '000000' });
  for (let i = 1; i <= 5; i++) {
    expect((await remove()).at('errors.0.field')).toBe('code');
    expect(await failuresOf(email)).toBe(i);
  }
  // locked: not even the password is looked at any more
  expect((await remove()).at('errors.0.field')).toBe('password');
});

test('sessions are ended for the account that asks alone: in others the person stays signed in, and comes back by signing in', async () => {
  const account = w.account;
  const email = 'both@shop.example';
  const both = await invited(w, owner, 'reader', email);
  const [only, only_id] = [await invited(w, owner, 'reader', 'only@shop.example'), await idOf(both)];
  await w.otherShop();
  const [other] = await w.sql<{ id: string }>(
    `INSERT INTO payment.members (merchant_account_id, person_id, role)
     SELECT a.merchant_account_id, p.id, 'reader' FROM payment.merchant_accounts a, payment.people p
     WHERE p.email = $1 AND a.merchant_account_id <> decode($2, 'hex')
     RETURNING encode(merchant_account_id, 'hex') AS id`,
    [email, account],
  );
  const accountsOf = async (person: Person) =>
    (await person.get('/api/session')).text.match(/"id":"[0-9a-f]{24}"(?=,"name":"[^"]*","role)/g);
  expect(await accountsOf(both)).toHaveLength(3);
  const phone = new Person(w);
  await phone.logIn(email);
  for (const id of [only_id, await idOf(only)])
    expect((await owner.ask('DELETE', `/api/team/${id}/sessions`)).status).toBe(200);
  // the one it is at, and the one it may go to
  for (const person of [both, phone]) {
    expect(new Set(await accountsOf(person))).toEqual(new Set([`"id":"${other?.id}"`]));
    expect((await person.post('/api/session/account', { account_id: account })).status).toBe(404);
  }
  expect((await only.get('/api/session')).at('session')).toBe(null);
  const shown = (await owner.get('/api/team')).text.match(/"email":"both@[^}]*"sessions":(\d+)/)?.[1];
  expect(shown).toBe('0');
  await phone.logIn(email);
  expect(await accountsOf(phone)).toHaveLength(3);
});

test('the right password of somebody without any account is answered and counted as a wrong one', async () => {
  const email = 'gone@shop.example';
  const person = await invited(w, owner, 'reader', email);
  await owner.post(`/api/team/${await idOf(person)}/remove`, { reason });
  const tries = [await new Person(w).logIn(email), await new Person(w).logIn(email, 'wrong wrong wrong')];
  expect(tries.map(({ status }) => status)).toEqual([401, 401]);
  expect(await failuresOf(email)).toBe(2);
});

test("the limits of the sign-in stop a person who tries passwords with another person's session", async () => {
  const person = await invited(w, owner, 'reader', 'taken@shop.example');
  using _ = sameMinute();
  const answers = new Set<number>();
  for (let i = 0; i < 31; i++)
    answers.add((await person.post('/api/me/totp', { password: `wrong wrong wrong ${i}` })).status);
  expect([...answers]).toEqual([400, 429]);
  const elsewhere = { password: PASSWORD, new_password: 'another long password' };
  expect((await person.post('/api/me/password', elsewhere)).status).toBe(429);
});

/** The minute in which tries are counted does not end meanwhile, however long they take. */
function sameMinute(): Disposable {
  const { clock } = w.service.tools;
  const { ticks } = clock;
  const now = ticks();
  Object.assign(clock, { ticks: () => now });
  return { [Symbol.dispose]: () => void Object.assign(clock, { ticks }) };
}
