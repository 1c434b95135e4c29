// An address that an account gave to a person of its own before its true owner came: in another account, who reads the
// mails of the address gets in all the same, and the other one gets in nowhere.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { inviteFirstOwner } from '../../src/backoffice/people/invite.ts';
import { verifyChain } from '../../src/backoffice/audit/audit.ts';
import { takeAddress } from '../../src/backoffice/people/address.ts';
import { findAccounts } from '../../src/backoffice/session/person-store.ts';
import { findKeyOwner } from '../../src/payment/merchant/store.ts';
import { sha256 } from '../../src/kit/crypto.ts';
import { PASSWORD, Person, firstOwner } from '../backoffice/person.ts';
import { florin } from '../command.ts';
import { until } from '../client.ts';
import { type World, world } from '../world.ts';
import { type MailServer, mailServer, plainOf, settingsOf } from './server.ts';

let server: MailServer;
let w: World;
/** The owner of the account that the true person is invited to. */
let owner: Person;
/** The owner of another account, who takes addresses. */
let taker: Person;
let taking: string;
beforeAll(async () => {
  server = await mailServer();
  w = await world(settingsOf(server));
  owner = await firstOwner(w);
  const found = await findKeyOwner(w.service.tools.db, sha256((await w.otherShop()).keys.public_key));
  taking = found?.merchant_account_id ?? '';
  taker = new Person(w);
  const path = await inviteFirstOwner(w.service.tools, taking);
  await taker.post(`/api${path}`, { name: 'Eve', email: 'eve@other.example', password: PASSWORD });
});
afterAll(async () => {
  await w[Symbol.asyncDispose]();
  await server[Symbol.asyncDispose]();
});

const TRUE_PASSWORD = 'quite another long password';
const reason = 'a test of addresses';

/** Somebody in the taker's account with this address, and a password that the taker knows. */
async function take(email: string): Promise<Person> {
  const link = (await taker.post('/api/team/invitations', { email, role: 'administrator', by: 'link' })).say('link');
  const person = new Person(w);
  const path = `/api/welcome/${link.split('/').at(-1)}`;
  expect((await person.post(path, { name: 'Not them', password: PASSWORD })).at('next')).toBe('done');
  return person;
}

async function mailedPath(by: Person, email: string): Promise<string> {
  const before = server.taken.length;
  expect((await by.post('/api/team/invitations', { email, role: 'reader', by: 'mail' })).at('link')).toBe(null);
  const mail = () => plainOf(server.taken.slice(before).find(({ to }) => to.includes(email))?.raw ?? '');
  return `/api/welcome/${await until(() => /\/welcome\/([\w-]{43})/.exec(mail())?.[1])}`;
}

test('who gets the mails of an address makes a login of their own, and who had it before gets in nowhere by it', async () => {
  const email = 'bob@victim.example';
  const false_bob = await take(email);
  const false_id = (await false_bob.get('/api/me')).say('person.id');
  const friend = await false_bob.post('/api/team/invitations', { email: 'f@b.example', role: 'reader', by: 'link' });
  const path = await mailedPath(owner, email);
  const bob = new Person(w);
  expect((await bob.get(path)).body).toMatchObject({ email, known: true, anew: true });
  // their password would be asked for, which the true one does not have
  const form = { name: 'Bob', password: TRUE_PASSWORD };
  expect((await bob.post(path, form)).at('errors.0.field')).toBe('password');
  expect((await bob.post(path, { ...form, anew: true })).at('next')).toBe('done');
  const me = await bob.get('/api/me');
  expect([me.at('person.email'), me.at('person.id') === false_id]).toEqual([email, false]);
  expect((await bob.get('/api/session')).text).not.toContain(taking);

  expect((await new Person(w).logIn(email, PASSWORD)).status).toBe(401);
  expect((await new Person(w).logIn(email, TRUE_PASSWORD)).at('next')).toBe('done');
  const team = JSON.stringify((await owner.get('/api/team')).at('members'));
  expect(team).toMatch(new RegExp(`"email":"${email}"[^}]*"address_proved":true`));
  expect(team).not.toContain(false_id);

  // the account that gave it still has its person, under another name, and what they gave goes with them
  const theirs = await taker.get('/api/team');
  expect(theirs.text).toContain(`"email":"${false_id} was ${email}"`);
  expect(JSON.stringify((await taker.get('/api/audit')).at('records'))).toContain('"action":"address taken"');
  expect(await verifyChain(w.service.tools.db, taking)).toMatchObject({ whole: true });
  expect((await taker.post(`/api/team/${false_id}/remove`, { reason })).status).toBe(200);
  expect((await new Person(w).get(`/api/welcome/${friend.say('link').split('/').at(-1)}`)).status).toBe(404);
});

test('a link that was handed over takes no address, and neither does a mail from who has proved theirs', async () => {
  const email = 'cleo@victim.example';
  await take(email);
  const handed = await owner.post('/api/team/invitations', { email, role: 'reader', by: 'link' });
  const by_hand = `/api/welcome/${handed.say('link').split('/').at(-1)}`;
  const form = { name: 'Cleo', password: TRUE_PASSWORD, anew: true };
  expect((await new Person(w).get(by_hand)).at('anew')).toBe(undefined);
  expect((await new Person(w).post(by_hand, form)).at('errors.0.field')).toBe('anew');

  const cleo = new Person(w);
  expect((await cleo.post(await mailedPath(owner, email), form)).at('next')).toBe('done');
  const back = await mailedPath(taker, email);
  expect((await new Person(w).get(back)).at('anew')).toBe(undefined);
  expect((await new Person(w).post(back, { ...form, password: PASSWORD })).at('errors.0.field')).toBe('anew');
  expect((await new Person(w).logIn(email, TRUE_PASSWORD)).at('next')).toBe('done');
});

test('where no mail can tell, the operator frees an address that nobody proved', async () => {
  const email = 'dan@victim.example';
  await take(email);
  const handed = await owner.post('/api/team/invitations', { email, role: 'reader', by: 'link' });
  const path = `/api/welcome/${handed.say('link').split('/').at(-1)}`;
  expect((await new Person(w).get(path)).at('known')).toBe(true);
  expect(await florin(w, 'person', 'free-address', email)).toMatch(/^0\n.*dan@victim.example is free/s);
  expect(await florin(w, 'person', 'free-address', email)).toMatch(/^1\n.*Nobody/s);
  const dan = new Person(w);
  expect((await dan.post(path, { name: 'Dan', password: TRUE_PASSWORD })).at('next')).toBe('done');
  expect((await taker.get('/api/audit')).text).toContain('"actor":"command line"');
  expect(await florin(w, 'person', 'free-address', 'cleo@victim.example')).toMatch(/^1\n.*proved/s);
  expect((await new Person(w).logIn('cleo@victim.example', TRUE_PASSWORD)).at('next')).toBe('done');
});

test('what ends early leaves the address with its holder, and is done again for all their accounts', async () => {
  const email = 'fay@victim.example';
  const { db } = w.service.tools;
  const id = (await (await take(email)).get('/api/me')).say('person.id');
  const handed = await owner.post('/api/team/invitations', { email, role: 'reader', by: 'link' });
  const path = `/api/welcome/${handed.say('link').split('/').at(-1)}`;
  expect((await new Person(w).post(path, { password: PASSWORD })).at('next')).toBe('done');
  const accounts = await findAccounts(db, id);
  expect(accounts).toHaveLength(2);
  await w.sql(`CREATE FUNCTION public.refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'no'; END $$`);
  await w.sql(
    `CREATE TRIGGER refuse BEFORE INSERT ON payment.audit FOR EACH ROW
     WHEN (NEW.merchant_account_id = '\\x${accounts.at(-1)?.merchant_account_id}') EXECUTE FUNCTION public.refuse()`,
  );
  const by = { actor: 'a test', source: 'here' };
  await expect(takeAddress(db, { id, email }, by)).rejects.toThrow('no');
  await w.sql('DROP FUNCTION public.refuse() CASCADE');
  expect((await new Person(w).logIn(email, PASSWORD)).at('next')).toBe('done');

  expect(await takeAddress(db, { id, email }, by)).toBe(true);
  expect((await new Person(w).logIn(email, PASSWORD)).status).toBe(401);
  for (const person of [owner, taker]) {
    const records = (await person.get('/api/audit')).at('records');
    expect(records).toContainEqual(expect.objectContaining({ action: 'address taken', object: id }));
  }
});
