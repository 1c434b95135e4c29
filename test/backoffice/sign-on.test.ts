// Single sign-on against a real provider that runs here: who comes in, as whom, and what answers of a provider do not
// hold.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { signOnDoor } from '../../src/backoffice/sign-on/door.ts';
import { invite } from '../../src/backoffice/people/invite.ts';
import { withTransaction } from '../../src/kit/database.ts';
import { type World, world } from '../world.ts';
import { type Company, openCompany, signInAtCompany } from './company.ts';
import { PASSWORD, Person, firstOwner, invited } from './person.ts';

let w: World;
let owner: Person;
let company: Company;
let account_id: string;
const reason = 'the company wants it';
beforeAll(async () => {
  w = await world({ FLORIN_NOTIFICATION_PRIVATE_TARGETS: 'yes', FLORIN_TRUSTED_PROXIES: '127.0.0.1' });
  company = await openCompany(w);
  owner = await firstOwner(w);
  account_id = w.account;
  for (const name of ['ada', 'ben', 'cem', 'dan', 'eve', 'fay'])
    company.people.set(name, { sub: name, email: `${name}@shop.example`, email_verified: true, name: `${name} of it` });
  const done = await set({});
  if (done.status !== 200) throw new Error(done.text);
});
afterAll(async () => {
  await company[Symbol.asyncDispose]();
  await w[Symbol.asyncDispose]();
});
beforeEach(() => {
  company.change = undefined;
  company.away = false;
});

const form = () => ({ ...company.client, issuer: company.issuer, domains: ['Shop.example'], passwords: true, reason });
const set = (more: object, by = owner) => by.ask('PUT', '/api/sign-on', { ...form(), ...more });

async function begin(email: string): Promise<{ readonly person: Person; readonly url: string }> {
  const person = new Person(w);
  const url = (await person.post('/api/session/sign-on', { email })).say('url');
  return { person, url };
}

const queryOf = (address: string) => new URL(address).search.slice(1);
/** Each from a network of its own: how many of one may fail in a minute is not what is tried here. */
let network = 0;
const finish = (person: Person, query: string, account = account_id) => {
  const from = { 'x-forwarded-for': `198.18.0.${network++}` };
  return person.ask('POST', '/api/session/sign-on/finish', { account_id: account, query }, from);
};

/** Asks a route of the door as it is where the back office speaks https. */
async function behindTls(
  path: string,
  { body, cookie }: { readonly body: Readonly<Record<string, string>>; readonly cookie: string },
) {
  const two_people = { above: () => 0n, member_hours: 0 };
  const door = signOnDoor({ tools: w.service.tools, brand: '', two_people, secure: true });
  const route = door.find((one) => one.path === path);
  if (!route) throw new Error(`there is no ${path}`);
  return route.run({
    caller: undefined,
    raw: Buffer.alloc(0),
    checkHeaders: () => undefined,
    object: new Map(Object.entries(body)),
    query_object: new Map(),
    production: false,
    now: new Date(),
    ignored: [],
    params: {},
    headers: { origin: owner.url, host: new URL(owner.url).host, cookie },
    path,
    idempotency_key: undefined,
    wait_s: undefined,
    request_id: 'a'.repeat(24),
    client_ip: '127.0.0.1',
  });
}

/** The whole way, as a browser goes it. */
async function signOn(name: string, change?: (query: string) => string) {
  const { person, url } = await begin(`${name}@shop.example`);
  const query = queryOf(await signInAtCompany(url, name));
  return { person, query, answer: await finish(person, change?.(query) ?? query) };
}

const changed = (query: string, name: string, value: string) => {
  const all = new URLSearchParams(query);
  all.set(name, value);
  return all.toString();
};

test('is set by an owner who has just proved who they are, names what is wrong, and never shows its secret', async () => {
  const admin = await invited(w, owner, 'administrator', 'admin@elsewhere.example');
  expect((await set({}, admin)).status).toBe(403);
  expect((await admin.get('/api/sign-on')).text).not.toContain('a secret of the company');
  await w.sql(`UPDATE payment.sessions SET proved_at = proved_at - interval '11 minutes'`);
  expect((await set({})).text).toContain('"field":"proof"');
  await w.sql(`UPDATE payment.sessions SET proved_at = clock_timestamp()`);
  const bad = await set({ issuer: 'no address', domains: ['not a domain'], passwords: 'maybe', new_role: 'owner' });
  for (const field of ['issuer', 'domains[0]', 'passwords', 'new_role'])
    expect(bad.text).toContain(`"field":"${field}"`);
  expect((await set({ issuer: `${company.issuer}/else` })).text).toContain('"field":"issuer"');
  expect((await set({ passwords: false })).text).toContain('two-factor authentication');
  expect((await owner.get('/api/sign-on')).say('redirect_uri')).toBe(`${owner.url}/signed-on/${account_id}`);
  const kept = await owner.ask('PUT', '/api/sign-on', { ...form(), client_secret: undefined });
  expect(kept.at('settings.domains')).toEqual(['shop.example']);
  const [row] = await w.sql<{ all: string }>(`SELECT s::text AS all FROM payment.sign_on s`);
  expect(row?.all).not.toContain(Buffer.from('a secret of the company').toString('hex'));
  expect((await owner.get('/api/audit')).text).toContain('single sign-on changed');
});

test('is offered by the domain of the address, and nowhere else', async () => {
  const find = (email: string) => new Person(w).post('/api/session/sign-on/find', { email });
  expect((await find('whoever@SHOP.example')).at('host')).toBe(new URL(company.issuer).host);
  expect((await find('whoever@other.example')).at('host')).toBe(null);
  expect((await find('shop.example@')).at('host')).toBe(null);
  expect((await new Person(w).post('/api/session/sign-on', { email: 'x@other.example' })).status).toBe(401);
});

test('lets in a member, for this account alone and without a proof of who they are', async () => {
  const { person, answer } = await signOn('ada');
  expect(answer.at('state.session.person.email')).toBe('ada@shop.example');
  expect(answer.at('state.session.account.role')).toBe('owner');
  // what the provider says is worth a session, and no second person and no new passkey
  expect((await person.post('/api/me/command-secret')).text).toContain('"field":"proof"');
  expect((await set({}, person)).text).toContain('"field":"proof"');
  await w.otherShop();
  await w.sql(
    `INSERT INTO payment.members (merchant_account_id, person_id, role)
     SELECT a.merchant_account_id, p.id, 'owner' FROM payment.merchant_accounts a, payment.people p
     WHERE p.email = 'ada@shop.example' ON CONFLICT DO NOTHING`,
  );
  expect((await person.get('/api/session')).at('session.accounts')).toHaveLength(1);
  const all = (await owner.get('/api/session')).at('session.accounts');
  const ids = Array.isArray(all) ? all.map((one) => JSON.stringify(one).match(/"id":"(\w+)"/)?.[1] ?? '') : [];
  const other = ids.find((id) => id !== account_id);
  expect((await person.post('/api/session/account', { account_id: other })).status).toBe(404);
  expect((await owner.get('/api/audit')).text).toContain('"by":"single sign-on"');
  const out = await person.ask('DELETE', '/api/session');
  expect(out.say('provider_url')).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/session\/end\?/);
  await w.sql(`DELETE FROM payment.members WHERE merchant_account_id <> decode($1, 'hex')`, [account_id]);
});

test('says nothing about a password: where one was tried too often it stays locked, and no network becomes known', async () => {
  await w.sql(`DELETE FROM payment.known_networks`);
  await w.sql(
    `UPDATE payment.people SET failures = 10, locked_until = clock_timestamp() + interval '30 minutes' WHERE email = 'ada@shop.example'`,
  );
  expect((await signOn('ada')).answer.status).toBe(200);
  expect((await new Person(w).logIn('ada@shop.example')).status).toBe(401);
  expect(await w.sql(`SELECT 1 FROM payment.known_networks`)).toEqual([]);
  await w.sql(`UPDATE payment.people SET failures = 0, locked_until = NULL`);
});

test('a person of another account is drawn into none: they give their password to the invitation', async () => {
  const [row] = await w.sql<{ id: string }>(
    `SELECT encode(merchant_account_id, 'hex') AS id FROM payment.merchant_accounts WHERE merchant_account_id <> decode($1, 'hex')`,
    [account_id],
  );
  const { tools } = w.service;
  const by = { actor: 'command line', source: 'this machine' };
  const path = await withTransaction(tools.db, row?.id ?? '', (tx) =>
    invite(tools, tx, { email: 'gil@shop.example', role: 'owner', by }),
  );
  const gil = new Person(w);
  expect((await gil.post(`/api${path}`, { name: 'Gil', password: PASSWORD })).status).toBe(200);
  company.people.set('gil', { sub: 'gil', email: 'gil@shop.example', email_verified: true });
  const offer = await owner.post('/api/team/invitations', { email: 'gil@shop.example', role: 'reader' });
  const refused = (await signOn('gil')).answer;
  expect([refused.status, refused.say('detail')]).toEqual([401, expect.stringContaining('give your password')]);
  expect((await gil.get('/api/session')).at('session.accounts')).toHaveLength(1);
  const token = offer.say('link').split('/').at(-1) ?? '';
  expect((await gil.post(`/api/welcome/${token}`, { password: PASSWORD })).at('next')).toBe('done');
  expect((await signOn('gil')).answer.at('state.session.account.role')).toBe('reader');
  // a session for one account alone is none of the other's
  const there = new Person(w);
  await there.logIn('gil@shop.example');
  await there.post('/api/session/account', { account_id: row?.id });
  const by_password = 3;
  const member = await there.get('/api/team');
  expect(member.at('members.0.sessions')).toBe(by_password);
  expect((await there.ask('DELETE', `/api/team/${member.say('members.0.id')}/sessions`)).status).toBe(200);
  const [ended] = await w.sql<{ ended: number }>(
    `SELECT (detail ->> 'ended')::int AS ended FROM payment.audit WHERE action = 'session ended' ORDER BY seq DESC LIMIT 1`,
  );
  expect(ended).toEqual({ ended: by_password });
});

test('makes an invited person a member with the role of the invitation, and refuses who was not invited', async () => {
  await owner.post('/api/team/invitations', { email: 'ben@shop.example', role: 'operator' });
  const { answer } = await signOn('ben');
  expect(answer.at('state.session.account.role')).toBe('operator');
  expect((await owner.get('/api/team')).text).not.toContain('"invitations":[{');
  const refused = await signOn('cem');
  expect([refused.answer.status, refused.answer.say('detail')]).toEqual([
    401,
    'you are not invited to this account yet: ask an owner or administrator',
  ]);
  expect((await owner.get('/api/team')).text).not.toContain('cem@shop.example');
  expect((await set({ new_role: 'reader' })).status).toBe(200);
  expect((await signOn('cem')).answer.at('state.session.account.role')).toBe('reader');
  // no password opens what a provider made
  expect((await new Person(w).logIn('cem@shop.example')).status).toBe(401);
  expect((await set({})).status).toBe(200);
});

test('who was removed from the team comes back by an invitation alone, also where the account takes newcomers', async () => {
  const joined = (name: string, email = `${name}@shop.example`) =>
    company.people.set(name, { sub: name, email, email_verified: true });
  expect((await set({ new_role: 'reader' })).status).toBe(200);
  joined('jon');
  joined('kim');
  expect((await signOn('jon')).answer.status).toBe(200);
  // one who came with a password, and never by the provider
  await invited(w, owner, 'operator', 'kim@shop.example');
  for (const email of ['jon@shop.example', 'kim@shop.example']) {
    const [row] = await w.sql<{ id: string }>(`SELECT encode(id, 'hex') AS id FROM payment.people WHERE email = $1`, [
      email,
    ]);
    expect((await owner.post(`/api/team/${row?.id}/remove`, { reason })).status).toBe(200);
  }
  // another address at the provider makes no other person
  joined('jon', 'jonathan@shop.example');
  for (const name of ['jon', 'kim']) {
    const { answer } = await signOn(name);
    expect([name, answer.status, answer.text]).toEqual([name, 401, expect.stringContaining('removed from this team')]);
    await owner.post('/api/team/invitations', { email: `${name}@shop.example`, role: 'operator' });
    joined(name);
    expect((await signOn(name)).answer.at('state.session.account.role')).toBe('operator');
  }
  expect((await set({})).status).toBe(200);
});

test('proves no address beyond the account, and the audit does not say that it did', async () => {
  const [joined] = await w.sql<{ detail: object; proved: boolean }>(
    `SELECT a.detail, p.address_proved_at IS NOT NULL AS proved
       FROM payment.audit a JOIN payment.people p ON p.email = a.actor
      WHERE a.action = 'joined by single sign-on' AND p.email = 'cem@shop.example'`,
  );
  expect(joined).toEqual({ detail: { role: 'reader', invited_by: null, address: 'not proved' }, proved: false });
});

test('knows people by what the provider calls them, not by an address that may be another one’s later', async () => {
  company.people.set('ben', { sub: 'ben', email: 'benjamin@shop.example', email_verified: true });
  expect((await signOn('ben')).answer.at('state.session.person.email')).toBe('ben@shop.example');
  company.people.set('impostor', { sub: 'impostor', email: 'ben@shop.example', email_verified: true });
  const { person, url } = await begin('ben@shop.example');
  const answer = await finish(person, queryOf(await signInAtCompany(url, 'impostor')));
  expect([answer.status, answer.say('detail')]).toEqual([401, expect.stringContaining('somebody else signed in')]);
});

test('refuses an address of another domain, one that is not proved, and none at all', async () => {
  const tell = async (more: object) => {
    company.people.set('eve', { sub: 'eve', ...more });
    return (await signOn('eve')).answer.say('detail');
  };
  await owner.post('/api/team/invitations', { email: 'eve@shop.example', role: 'reader' });
  expect(await tell({ email: 'eve@other.example', email_verified: true })).toContain('does not take');
  // some providers write it as a text
  for (const email_verified of [false, 'false', 'no'])
    expect(await tell({ email: 'eve@shop.example', email_verified })).toContain('proved to be yours');
  expect(await tell({})).toContain('proved to be yours');
});

test('a name that cannot be kept, or holds a card number, is not kept', async () => {
  expect((await set({ new_role: 'reader' })).status).toBe(200);
  for (const [login, name, kept] of [
    ['gus', 'Gus\u0000 of\ud800 it', 'Gus of\ufffd it'],
    ['hal', 'Hal 4242 4242 4242 4242', 'hal@shop.example'],
  ] as const) {
    company.people.set(login, { sub: login, email: `${login}@shop.example`, email_verified: true, name });
    const { answer } = await signOn(login);
    expect([login, answer.status, answer.at('state.session.person.name')]).toEqual([login, 200, kept]);
  }
  const card = '4242424242424242@shop.example';
  company.people.set('ivy', { sub: 'ivy', email: card, email_verified: true });
  expect((await signOn('ivy')).answer.say('detail')).toContain('card number');
  expect((await set({})).status).toBe(200);
});

test('an answer is good once, in the browser that began, for ten minutes, and for its own account', async () => {
  await owner.post('/api/team/invitations', { email: 'dan@shop.example', role: 'reader' });
  const AGAIN =
    'this sign-in was begun in another browser, was used already, or took longer than ten minutes: begin again';
  const said = async (answer: Promise<{ say(path: string): string }>) => (await answer).say('detail');
  const { person, url } = await begin('dan@shop.example');
  const cookie = person.cookie;
  const query = queryOf(await signInAtCompany(url, 'dan'));
  expect(await said(finish(new Person(w), query))).toBe(AGAIN);
  const other = await begin('dan@shop.example');
  // another browser that began one of its own: state and nonce are not its own
  expect(await said(finish(other.person, query))).toContain('does not hold (invalid_response)');
  expect((await finish(person, query)).status).toBe(200);
  person.cookie = cookie;
  expect(await said(finish(person, query))).toBe(AGAIN);
  const late = await begin('dan@shop.example');
  const back = queryOf(await signInAtCompany(late.url, 'dan'));
  await w.sql(`UPDATE payment.sign_on_attempts SET created_at = created_at - interval '10 minutes'`);
  expect(await said(finish(late.person, back))).toBe(AGAIN);
  const foreign = await begin('dan@shop.example');
  const theirs = queryOf(await signInAtCompany(foreign.url, 'dan'));
  expect(await said(finish(foreign.person, theirs, 'f'.repeat(24)))).toBe(AGAIN);
  const evil = { origin: 'https://evil.example' };
  const body = { account_id, query: theirs };
  expect((await foreign.person.ask('POST', '/api/session/sign-on/finish', body, evil)).status).toBe(403);
});

test('over https its cookie is one that no other host of the domain can set, and no cookie by the plain name is read', async () => {
  const ask = (path: string, body: Readonly<Record<string, string>>, cookie = '') => behindTls(path, { body, cookie });
  const begun = await ask('/api/session/sign-on', { email: 'dan@shop.example' });
  const sent = begun.headers?.['set-cookie'] ?? '';
  // by this prefix a browser takes it from this very host alone, over https, for every path
  expect(sent).toMatch(/^__Host-florin_sign_on=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict; Secure; Max-Age=600$/);
  const { url } = begun.body as { url: string };
  const query = queryOf(await signInAtCompany(url, 'dan'));
  const [, secret = ''] = /=([\w-]{43})/.exec(sent) ?? [];
  const finished = (cookie: string) => ask('/api/session/sign-on/finish', { account_id, query }, cookie);
  await expect(finished(`florin_sign_on=${secret}`)).rejects.toThrow('begin again');
  expect((await finished(`__Host-florin_sign_on=${secret}`)).body).toMatchObject({ next: 'done' });
});

test('a changed state, issuer or code, and a refusal at the company, open nothing', async () => {
  const tries: readonly (readonly [string, (query: string) => string, string])[] = [
    ['state', (query) => changed(query, 'state', 'x'), 'invalid_response'],
    ['issuer', (query) => changed(query, 'iss', 'https://evil.example'), 'invalid_response'],
    ['code', (query) => changed(query, 'code', 'x'), 'invalid_grant'],
    ['nothing', () => 'x=1', 'invalid_response'],
  ];
  for (const [what, change, code] of tries)
    expect([what, (await signOn('ada', change)).answer.say('detail')]).toEqual([
      what,
      expect.stringContaining(`(${code})`),
    ]);
  const refusal = (query: string) => {
    const { state = '', iss = '' } = Object.fromEntries(new URLSearchParams(query));
    return new URLSearchParams({ error: 'access_denied', state, iss }).toString();
  };
  expect((await signOn('ada', refusal)).answer.say('detail')).toContain('did not let you in');
});

/** The token's claims changed, its signature as it was. */
function claims(answer: string, more: object): string {
  const { id_token, ...rest }: { id_token: string } = JSON.parse(answer);
  const [head, body = '', signature] = id_token.split('.');
  const told: object = JSON.parse(Buffer.from(body, 'base64url').toString());
  const other = Buffer.from(JSON.stringify({ ...told, ...more })).toString('base64url');
  return JSON.stringify({ ...rest, id_token: [head, other, signature].join('.') });
}

test('an id token of another issuer or audience, one that is over, one for another sign-in, and a forged one open nothing', async () => {
  const forged: readonly (readonly [object, string])[] = [
    [{ iss: 'https://evil.example' }, 'jwt_claim_comparison_failed'],
    [{ aud: 'somebody else' }, 'jwt_claim_comparison_failed'],
    [{ nonce: 'of another sign-in' }, 'jwt_claim_comparison_failed'],
    [{ exp: 1 }, 'jwt_timestamp_check_failed'],
    [{ sub: 'ben' }, 'invalid_response'],
  ];
  for (const [more, code] of forged) {
    company.change = (path, answer) => (path === '/token' ? claims(answer, more) : undefined);
    expect([more, (await signOn('ada')).answer.say('detail')]).toEqual([more, expect.stringContaining(`(${code})`)]);
  }
  expect((await owner.get('/api/audit')).text).toContain('"at":"single sign-on"');
});

test('a provider that is away or names itself otherwise is said so, and an owner comes in by password', async () => {
  company.change = (path, answer) =>
    path.startsWith('/.well-known') ? answer.replaceAll(company.issuer, 'https://evil.example') : undefined;
  const named = await new Person(w).post('/api/session/sign-on', { email: 'ada@shop.example' });
  expect(named.say('detail')).toContain('does not answer');
  company.away = true;
  const away = await new Person(w).post('/api/session/sign-on', { email: 'ada@shop.example' });
  expect([away.status, away.say('detail')]).toEqual([401, expect.stringContaining('an owner can come in by password')]);
  expect((await new Person(w).logIn('ada@shop.example')).at('next')).toBe('done');
});

test('without passwords people come in by single sign-on alone, and owners always by password, too', async () => {
  const fay = await invited(w, owner, 'operator', 'fay@shop.example');
  expect((await new Person(w).logIn('fay@shop.example')).at('next')).toBe('done');
  // as an owner with two-factor authentication sets it
  await w.sql(`UPDATE payment.sign_on SET passwords = false`);
  expect((await fay.get('/api/me')).status).toBe(401);
  const out = await new Person(w).logIn('fay@shop.example');
  expect([out.status, out.say('detail')]).toEqual([
    401,
    expect.stringContaining('your team comes in by single sign-on'),
  ]);
  // who does not know the password learns nothing
  expect((await new Person(w).logIn('fay@shop.example', 'wrong wrong wrong')).say('detail')).toContain('is wrong');
  expect((await signOn('fay')).answer.status).toBe(200);
  expect((await new Person(w).logIn('ada@shop.example', PASSWORD)).at('next')).toBe('done');
  expect((await owner.get('/api/me')).status).toBe(200);
});

test('when it is removed, what was begun by it ends, and passwords open again', async () => {
  const { person } = await signOn('fay');
  expect((await person.get('/api/me')).status).toBe(200);
  expect((await owner.post('/api/sign-on/remove', { reason })).at('settings')).toBe(null);
  expect((await person.get('/api/me')).status).toBe(401);
  expect((await new Person(w).logIn('fay@shop.example')).at('next')).toBe('done');
  expect((await owner.post('/api/sign-on/remove', { reason })).status).toBe(409);
});

test('a domain is one account’s', async () => {
  expect((await set({})).status).toBe(200);
  await w.sql(
    `INSERT INTO payment.sign_on (merchant_account_id, issuer, client_id, secret_sealed, passwords)
     SELECT merchant_account_id, 'https://x.example', 'x', '', true FROM payment.merchant_accounts
     WHERE merchant_account_id <> decode($1, 'hex')`,
    [account_id],
  );
  await w.sql(
    `INSERT INTO payment.sign_on_domains SELECT 'taken.example', merchant_account_id FROM payment.sign_on
     WHERE merchant_account_id <> decode($1, 'hex')`,
    [account_id],
  );
  const taken = await set({ domains: ['shop.example', 'taken.example'] });
  expect(taken.text).toContain('"field":"domains"');
  expect((await owner.get('/api/sign-on')).at('settings.domains')).toEqual(['shop.example']);
});
