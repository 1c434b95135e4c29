// Signing in to the back office: passwords, second factor, lock-out, the ends of a session, and what a page of another
// site can do.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { provedMember } from '../../src/backoffice/people/second/second.ts';
import { totpCode, totpStep } from '../../src/kit/person/totp.ts';
import { type World, world } from '../world.ts';
import { PASSWORD, Person, firstOwner, invited } from './person.ts';
import { fromBase32 } from '../base32.ts';

let w: World;
let owner: Person;
beforeAll(async () => {
  w = await world();
  owner = await firstOwner(w);
});
afterAll(() => w[Symbol.asyncDispose]());

const stepNow = async () => {
  const [row] = await w.sql<{ s: number }>('SELECT extract(epoch FROM clock_timestamp())::float8 AS s');
  return totpStep(row?.s ?? 0);
};

test('the first link makes one owner, once, and then is as unknown as any other', async () => {
  const token = w.service.first_link?.split('/').at(-1) ?? '';
  const again = await new Person(w).get(`/api/welcome/${token}`);
  const never = await new Person(w).get(`/api/welcome/${'A'.repeat(43)}`);
  expect([again.status, never.status]).toEqual([404, 404]);
  expect(again.at('detail')).toBe(never.at('detail'));
  const state = await owner.get('/api/session');
  expect(state.at('session.account.role')).toBe('owner');
  expect(state.at('session.person.email')).toBe('ada@shop.example');
});

test('the cookie is unseen by scripts, for this site alone, and holds nothing that the database has', async () => {
  const person = new Person(w);
  const answer = await person.logIn('ada@shop.example');
  expect(answer.headers.get('set-cookie')).toMatch(/^florin_session=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict$/);
  const rows = await w.sql<{ all: string }>(
    `SELECT s::text || p::text AS all FROM payment.sessions s, payment.people p`,
  );
  const secret = person.cookie.split('=')[1] ?? '';
  for (const row of rows) expect(row.all).not.toContain(secret);
  for (const row of rows) expect(row.all).toContain('$argon2id$v=19$m=19456,t=2,p=1$');
});

test('an unknown person and a wrong password are answered alike', async () => {
  const wrong = await new Person(w).logIn('ada@shop.example', 'not the password');
  const unknown = await new Person(w).logIn('eve@shop.example', 'not the password');
  expect([wrong.status, unknown.status]).toEqual([401, 401]);
  const shown = ({ body }: { body: unknown }) => JSON.stringify(body).replace(/"instance":"\w+"/, '');
  expect(shown(wrong)).toBe(shown(unknown));
});

test('after five failures the right password is refused as a wrong one is, and after the pause it is taken', async () => {
  await invited(w, owner, 'reader', 'locked@shop.example');
  for (let i = 0; i < 5; i++) await new Person(w).logIn('locked@shop.example', 'wrong wrong wrong');
  expect((await new Person(w).logIn('locked@shop.example')).status).toBe(401);
  const team = await owner.get('/api/team');
  expect(JSON.stringify(team.body)).toMatch(/"locked_until":"20/);
  await w.sql(`UPDATE payment.known_networks SET locked_until = clock_timestamp()`);
  expect((await new Person(w).logIn('locked@shop.example')).at('next')).toBe('done');
});

describe('a second factor', () => {
  test('is asked for, each code is good once, and a recovery code stands in for it once', async () => {
    const person = await invited(w, owner, 'operator', 'totp@shop.example');
    const offer = await person.post('/api/me/totp', { password: PASSWORD });
    const secret = fromBase32(offer.say('secret'));
    expect(offer.at('uri')).toMatch(/^otpauth:\/\/totp\/florin%20sandbox:totp%40shop\.example\?secret=[A-Z2-7]{32}&/);
    expect((await person.post('/api/me/totp/confirm', { code: '000000' })).status).toBe(400);
    // offered, but not in force before it is confirmed
    expect((await new Person(w).logIn('totp@shop.example')).at('next')).toBe('done');
    const now = await stepNow();
    const confirmed = await person.post('/api/me/totp/confirm', { code: totpCode(secret, now) });
    const codes = confirmed.at('codes');
    expect(codes).toHaveLength(10);
    const step = async () => (await new Person(w).logIn('totp@shop.example')).say('ticket');
    const by = async (code: string) => new Person(w).post('/api/session/totp', { ticket: await step(), code });
    expect((await by(totpCode(secret, now))).status).toBe(401);
    expect((await by(totpCode(secret, now + 1))).at('next')).toBe('done');
    expect((await by(totpCode(secret, now + 1))).status).toBe(401);
    // a code that two send at the same moment is one's
    await w.sql(`UPDATE payment.people SET totp_step = 0 WHERE email = 'totp@shop.example'`);
    const at_once = await Promise.all([by(totpCode(secret, now)), by(totpCode(secret, now))]);
    expect(at_once.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([200, 401]);
    const first = Array.isArray(codes) ? String(codes[0]) : '';
    expect((await by(first)).at('next')).toBe('done');
    expect((await by(first)).status).toBe(401);
  });

  test('is set up again beside the one in force: by its code, and with new recovery codes', async () => {
    const person = await invited(w, owner, 'operator', 'again@shop.example');
    const old = fromBase32((await person.post('/api/me/totp', { password: PASSWORD })).say('secret'));
    const now = await stepNow();
    const before = await person.post('/api/me/totp/confirm', { code: totpCode(old, now - 1) });
    const recovery = (seen: typeof before, n: number) => seen.say(`codes.${n}`);
    const offer = (code?: string) =>
      person.post('/api/me/totp', { password: PASSWORD, ...(code !== undefined && { code }) });
    expect((await offer()).at('errors.0')).toMatchObject({
      field: 'code',
      message: 'is required: there is a second factor',
    });
    expect((await offer('000000')).at('errors.0.field')).toBe('code');
    const first = fromBase32((await offer(totpCode(old, now))).say('secret'));
    // a lost device is replaced by a recovery code
    const next = fromBase32((await offer(recovery(before, 0))).say('secret'));
    const ticket = async () => (await new Person(w).logIn('again@shop.example')).say('ticket');
    const by = async (code: string) =>
      (await new Person(w).post('/api/session/totp', { ticket: await ticket(), code })).status;
    expect(await by(totpCode(old, now + 1))).toBe(200);
    const confirm = (code: string) => person.post('/api/me/totp/confirm', { code });
    for (const wrong of ['000000', totpCode(first, now), totpCode(old, now), recovery(before, 1)])
      expect((await confirm(wrong)).status).toBe(400);
    const after = await confirm(totpCode(next, now));
    expect([after.status, (await person.get('/api/me')).at('totp')]).toEqual([200, true]);
    await w.sql(`UPDATE payment.known_networks SET locked_until = NULL, failures = 0`);
    expect(await by(totpCode(next, now))).toBe(401);
    expect(await by(totpCode(next, now + 1))).toBe(200);
    expect(await by(recovery(before, 1))).toBe(401);
    expect(await by(recovery(after, 1))).toBe(200);
    expect((await confirm(totpCode(next, now + 1))).status).toBe(409);
    const audit = await w.sql<{ detail: object }>(
      `SELECT detail FROM payment.audit WHERE action = 'MFA changed' ORDER BY seq DESC LIMIT 1`,
    );
    expect(audit[0]?.detail).toEqual({ second_factor: 'set up again' });
  });

  test('has a ticket that is good for five tries and five minutes', async () => {
    const ticket = (await new Person(w).logIn('totp@shop.example')).say('ticket');
    for (let i = 0; i < 5; i++) await new Person(w).post('/api/session/totp', { ticket, code: '000000' });
    await w.sql(`UPDATE payment.known_networks SET locked_until = NULL, failures = 0`);
    const rows = await w.sql<{ tries: number }>(`SELECT tries FROM payment.sessions WHERE stage = 'totp' ORDER BY id`);
    expect(rows.at(-1)?.tries).toBe(5);
    const visit = await new Person(w).ask('GET', '/api/me', undefined, { cookie: `florin_session=${ticket}` });
    expect(visit.status).toBe(401);
  });
});

test('a session ends after 15 minutes without use, after 12 hours in any case, and when its person signs out', async () => {
  const enter = async () => {
    const person = new Person(w);
    await person.logIn('ada@shop.example');
    return person;
  };
  const [idle, old, out] = [await enter(), await enter(), await enter()];
  const move = (column: string, by: string, offset: number) =>
    w.sql(
      `UPDATE payment.sessions SET ${column} = clock_timestamp() - interval '${by}' WHERE id = (SELECT id FROM payment.sessions WHERE stage = 'in' ORDER BY created_at DESC OFFSET ${offset} LIMIT 1)`,
    );
  await move('seen_at', '15 minutes', 2);
  await move('created_at', '12 hours', 1);
  expect([(await idle.get('/api/me')).status, (await old.get('/api/me')).status]).toEqual([401, 401]);
  const cookie = out.cookie;
  expect((await out.ask('DELETE', '/api/session')).status).toBe(200);
  out.cookie = cookie;
  expect((await out.get('/api/me')).status).toBe(401);
  expect((await owner.get('/api/me')).status).toBe(200);
});

test('a change without the token, or from a page of another origin, is refused and changes nothing', async () => {
  const body = { email: 'csrf@shop.example', role: 'reader' };
  const tries: Record<string, string>[] = [
    { 'x-csrf-token': '' },
    { 'x-csrf-token': 'f'.repeat(64) },
    { origin: 'https://evil.example' },
    { origin: 'null' },
    { 'sec-fetch-site': 'cross-site' },
  ];
  for (const headers of tries)
    expect([headers, (await owner.ask('POST', '/api/team/invitations', body, headers)).status]).toEqual([headers, 403]);
  expect((await owner.get('/api/team')).text).not.toContain('csrf@shop.example');
  const login = await new Person(w).ask(
    'POST',
    '/api/session',
    { email: 'ada@shop.example', password: PASSWORD },
    { origin: 'https://evil.example' },
  );
  expect(login.status).toBe(403);
});

test('behind a proxy that changes the header host, the refusal of a change says so', async () => {
  const body = { email: 'ada@shop.example', password: PASSWORD };
  const behind = { origin: 'https://office.shop.example', 'sec-fetch-site': 'same-origin' };
  const refused = await new Person(w).ask('POST', '/api/session', body, behind);
  expect([refused.status, refused.say('detail')]).toEqual([
    403,
    `the page is at office.shop.example, and this host was asked as ${new URL(owner.url).host}: the proxy between them must hand on the header host as it came`,
  ]);
});

test('a session is told by its browser and its place, and any of one’s own can be ended', async () => {
  const person = await invited(w, owner, 'reader', 'places@shop.example');
  const other = new Person(w);
  await other.ask(
    'POST',
    '/api/session',
    { email: 'places@shop.example', password: PASSWORD },
    { 'user-agent': 'Phone' },
  );
  // 203.0.113.0/24 is a network of documentation, of which a sandbox knows the country
  await w.sql(`UPDATE payment.sessions SET source = '203.0.113.7' WHERE browser = 'Phone'`);
  const sessions = (await person.get('/api/me')).at('sessions');
  const [far] = Array.isArray(sessions) ? sessions.filter((one) => JSON.stringify(one).includes('Phone')) : [];
  expect(far).toMatchObject({ from: '203.0.113.7', country: 'US', browser: 'Phone', current: false });
  expect(Array.isArray(sessions) && sessions.some((one) => JSON.stringify(one).includes('"country":null'))).toBe(true);
  const id = JSON.stringify(far).match(/"id":"([0-9a-f]{24})"/)?.[1];
  expect((await owner.ask('DELETE', `/api/me/sessions/${id}`)).status).toBe(404);
  expect((await other.get('/api/me')).status).toBe(200);
  expect((await person.ask('DELETE', `/api/me/sessions/${id}`)).status).toBe(200);
  expect((await other.get('/api/me')).status).toBe(401);
});

test('a new password ends the other sessions; short, long and monotonous ones are refused', async () => {
  const person = await invited(w, owner, 'developer', 'dev@shop.example');
  const other = new Person(w);
  await other.logIn('dev@shop.example');
  for (const new_password of ['short', 'a'.repeat(20), 'xy'.repeat(101)])
    expect((await person.post('/api/me/password', { password: PASSWORD, new_password })).status).toBe(400);
  const done = await person.post('/api/me/password', { password: PASSWORD, new_password: 'another long password' });
  expect(done.status).toBe(200);
  expect((await other.get('/api/me')).status).toBe(401);
  expect((await person.get('/api/me')).status).toBe(200);
  expect((await new Person(w).logIn('dev@shop.example')).status).toBe(401);
  expect((await new Person(w).logIn('dev@shop.example', 'another long password')).at('next')).toBe('done');
});

test('the password that one has is no new one, in whichever form a keyboard sends it, and no change is recorded', async () => {
  const person = await invited(w, owner, 'developer', 'same@shop.example');
  const accented = 'four caf\u00e9 tables outside';
  expect((await person.post('/api/me/password', { password: PASSWORD, new_password: accented })).status).toBe(200);
  const changes = async () =>
    ((await owner.get('/api/audit?action=password+changed')).text.match(/"seq"/g) ?? []).length;
  const before = await changes();
  expect(before).toBeGreaterThan(0);
  for (const new_password of [accented, accented.normalize('NFD')]) {
    const same = await person.post('/api/me/password', { password: accented, new_password });
    expect([same.status, same.at('errors.0.field')]).toEqual([400, 'new_password']);
  }
  expect(await changes()).toBe(before);
});

test('a secret for the command line that was made with an old password, or without the second factor, is void', async () => {
  const person = await invited(w, owner, 'operator', 'hedy@shop.example');
  const account = w.account;
  const make = async () => (await person.post('/api/me/command-secret')).say('secret');
  const isGood = async (secret: string) =>
    (await provedMember(w.service.tools.db.tenant(account), { email: 'hedy@shop.example', secret, right: 'rule' })) !==
    undefined;
  await person.post('/api/me/prove', { password: PASSWORD });
  const first = await make();
  expect(await isGood(first)).toBe(true);
  const new_password = 'another long password';
  expect((await person.post('/api/me/password', { password: PASSWORD, new_password })).status).toBe(200);
  expect(await isGood(first)).toBe(false);
  const second = await make();
  expect(await isGood(second)).toBe(true);
  const offer = await person.post('/api/me/totp', { password: new_password });
  const code = totpCode(fromBase32(offer.say('secret')), await stepNow());
  expect((await person.post('/api/me/totp/confirm', { code })).status).toBe(200);
  expect(await isGood(second)).toBe(false);
});

test('the last owner stays; who leaves the team is out at once', async () => {
  const me = (await owner.get('/api/me')).say('person.id');
  const reason = 'a test of the last owner';
  expect((await owner.ask('PUT', `/api/team/${me}`, { role: 'reader', reason })).status).toBe(409);
  expect((await owner.post(`/api/team/${me}/remove`, { reason })).status).toBe(409);
  const admin = await invited(w, owner, 'administrator', 'admin@shop.example');
  expect((await admin.post(`/api/team/${me}/remove`, { reason })).status).toBe(403);
  expect((await admin.post('/api/team/invitations', { email: 'x@shop.example', role: 'owner' })).status).toBe(403);
  const id = (await admin.get('/api/me')).say('person.id');
  expect((await owner.post(`/api/team/${id}/remove`, { reason })).status).toBe(200);
  expect((await admin.get('/api/me')).status).toBe(401);
});
