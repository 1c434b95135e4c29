// Accounts and people from the command line, and a sign-in at a service that was started as an operator starts it.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { command } from '../command.ts';
import { verifyChain } from '../../src/backoffice/audit/audit.ts';
import { type World, world } from '../world.ts';
import { PASSWORD, Person } from './person.ts';

let w: World;
beforeAll(async () => {
  w = await world();
});
afterAll(() => w[Symbol.asyncDispose]());

const florin = (...args: readonly string[]) => command(w, args);

test('an account is made, its owner invited and signed in, all of it audited', async () => {
  const made = await florin('account', 'create', 'Second shop');
  const id = /[0-9a-f]{24}/.exec(made.out)?.[0] ?? '';
  expect([made.code, id.length]).toEqual([0, 24]);
  const invited = await florin('person', 'invite', 'Boss@second.example', '--account', id);
  const token = /\/welcome\/([\w-]{43})/.exec(invited.out)?.[1] ?? '';
  const boss = new Person(w);
  const welcome = await boss.get(`/api/welcome/${token}`);
  expect([welcome.at('email'), welcome.at('role'), welcome.at('account.name')]).toEqual([
    'boss@second.example',
    'owner',
    'Second shop',
  ]);
  expect((await boss.post(`/api/welcome/${token}`, { name: 'Boss', password: PASSWORD })).at('next')).toBe('done');
  expect((await boss.get('/api/providers')).at('contracts.0.name')).toBe('simulator');
  const own = { name: 'Night desk', rights: ['read', 'money'], reason: 'a test' };
  expect((await boss.post('/api/team/roles', own)).status).toBe(200);
  const desk = await florin('person', 'invite', 'desk@second.example', '--account', id, '--role', 'night desk');
  const desk_token = /\/welcome\/([\w-]{43})/.exec(desk.out)?.[1] ?? '';
  expect((await new Person(w).get(`/api/welcome/${desk_token}`)).at('role_name')).toBe('Night desk');
  const actions = JSON.stringify((await boss.get('/api/audit')).at('records'));
  for (const action of ['account created', 'person invited', 'invitation accepted', 'operator login'])
    expect(actions).toContain(`"action":"${action}"`);
  expect(await verifyChain(w.service.tools.db, id)).toMatchObject({ whole: true, records: 6 });
});

test('an account of a name that is there is made with --another alone', async () => {
  const made = await florin('account', 'create', 'Twice');
  const id = /[0-9a-f]{24}/.exec(made.out)?.[0] ?? '';
  const again = await florin('account', 'create', ' Twice ');
  expect([again.code, again.err]).toEqual([1, expect.stringContaining(`There is an account of this name, ${id}`)]);
  const another = await florin('account', 'create', 'Twice', '--another');
  expect([another.code, another.out.includes(id)]).toEqual([0, false]);
  expect(await w.sql(`SELECT 1 FROM payment.merchant_accounts WHERE name = 'Twice'`)).toHaveLength(2);
});

test('a wrong command names its mistake, and makes nothing', async () => {
  for (const args of [
    ['account', 'create'],
    ['account', 'drop', 'x'],
    ['person', 'invite', 'nobody', '--account', 'f'.repeat(24)],
    ['person', 'invite', 'a@b.example', '--account', 'f'.repeat(24), '--role', 'king'],
    ['person', 'invite', 'a@b.example', '--account', 'f'.repeat(24)],
  ]) {
    const { code, err } = await florin(...args);
    expect([args, code, err.trim() === '']).toEqual([args, 1, false]);
  }
});
