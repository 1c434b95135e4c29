// Passkeys at the back office: what an authenticator's answer opens, and what a made-up one does not.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { insertPasskey } from '../../src/backoffice/session/passkeys/store.ts';
import { withTransaction } from '../../src/kit/database.ts';
import { passkeySite } from '../../src/kit/person/passkey.ts';
import { totpCode, totpStep } from '../../src/kit/person/totp.ts';
import { until } from '../client.ts';
import { lockWaits } from '../lock-waits.ts';
import { type World, world } from '../world.ts';
import { Authenticator, type Lies } from './authenticator.ts';
import { PASSWORD, Person, type Seen, firstOwner, invited } from './person.ts';
import { fromBase32 } from '../base32.ts';

let w: World;
let owner: Person;
let origin: string;
beforeAll(async () => {
  w = await world({ FLORIN_TRUSTED_PROXIES: '127.0.0.1' });
  owner = await firstOwner(w);
  origin = (await owner.get('/api/session')).say('passkey_origin');
});
afterAll(() => w[Symbol.asyncDispose]());

/** Turns the second factor on; gives the recovery codes. */
async function withCodes(person: Person): Promise<readonly string[]> {
  const offer = await person.post('/api/me/totp', { password: PASSWORD });
  const [row] = await w.sql<{ s: number }>('SELECT extract(epoch FROM clock_timestamp())::float8 AS s');
  const code = totpCode(fromBase32(offer.say('secret')), totpStep(row?.s ?? 0));
  const codes = (await person.post('/api/me/totp/confirm', { code })).at('codes');
  return Array.isArray(codes) ? codes.map(String) : [];
}

type Holder = {
  readonly person: Person;
  readonly key: Authenticator;
  readonly email: string;
  readonly codes: readonly string[];
};

async function holder(name: string): Promise<Holder> {
  const email = `${name}@shop.example`;
  const person = await invited(w, owner, 'operator', email);
  const codes = await withCodes(person);
  const key = new Authenticator(origin);
  const asked = await person.post('/api/me/passkeys/options');
  const added = await person.post('/api/me/passkeys', { name, response: key.register(asked) });
  expect(added.status).toBe(200);
  return { person, key, email, codes };
}

/** Each from a network of its own: what one may ask and get wrong in a minute is not what is tried here. */
let network = 0;
const from = () => ({ 'x-forwarded-for': `198.18.${network >> 8}.${network++ & 255}` });
const question = (body: object = {}) => new Person(w).ask('POST', '/api/session/passkey/options', body, from());
const enter = (response: object, more: object = {}) =>
  new Person(w).ask('POST', '/api/session/passkey', { response, ...more }, from());

/** What a wrong answer leaves behind would lock the person out of the rest of the test. */
const unlock = () =>
  w
    .sql(`UPDATE payment.known_networks SET locked_until = NULL, failures = 0`)
    .then(() => w.sql(`UPDATE payment.people SET locked_until = NULL, failures = 0`));

test('the name they are made for follows from the address of the back office', () => {
  expect(passkeySite('https://office.shop.example')).toEqual({
    rp_id: 'office.shop.example',
    origin: 'https://office.shop.example',
  });
  expect(passkeySite('http://127.0.0.1:8082')).toEqual({ rp_id: 'localhost', origin: 'http://localhost:8082' });
  expect(passkeySite('http://[::1]:8082')?.rp_id).toBe('localhost');
  expect(passkeySite('https://192.0.2.7')).toBe(undefined);
  expect(passkeySite('http://office.shop.example')).toBe(undefined);
  expect(passkeySite('')).toBe(undefined);
});

describe('a new passkey', () => {
  test('needs the codes of a second factor first, and a proof of the last minutes', async () => {
    const person = await invited(w, owner, 'reader', 'early@shop.example');
    expect((await person.post('/api/me/passkeys/options')).say('detail')).toContain('set up two-factor authentication');
    await withCodes(person);
    await w.sql(`UPDATE payment.sessions SET proved_at = proved_at - interval '11 minutes'`);
    const late = await person.post('/api/me/passkeys/options');
    expect([late.status, JSON.stringify(late.at('errors'))]).toEqual([400, expect.stringContaining('"proof"')]);
    await w.sql(`UPDATE payment.sessions SET proved_at = clock_timestamp()`);
    const asked = await person.post('/api/me/passkeys/options');
    expect(asked.at('options.authenticatorSelection')).toMatchObject({
      residentKey: 'required',
      userVerification: 'required',
    });
    const response = new Authenticator(origin).register(asked);
    await w.sql(`UPDATE payment.sessions SET proved_at = proved_at - interval '11 minutes'`);
    expect((await person.post('/api/me/passkeys', { name: 'late', response })).status).toBe(400);
  });

  test('is refused for another origin or name, without a look at the person, twice, and from another session', async () => {
    const person = await invited(w, owner, 'reader', 'hostile@shop.example');
    await withCodes(person);
    const ask = () => person.post('/api/me/passkeys/options');
    const add = (response: object) => person.post('/api/me/passkeys', { name: 'x', response });
    const lies: readonly Lies[] = [
      { origin: 'https://evil.example' },
      { rp_id: 'evil.example' },
      { verified: false },
      { type: 'webauthn.get' },
    ];
    for (const lie of lies) {
      const answer = await add(new Authenticator(origin).register(await ask(), lie));
      expect([lie, answer.status]).toEqual([lie, 400]);
    }
    for (const nonsense of [{}, [], { id: 1, response: { clientDataJSON: 7 } }, { response: 'x' }])
      expect((await add(nonsense)).status).toBe(400);
    const other = await invited(w, owner, 'reader', 'other-hostile@shop.example');
    await withCodes(other);
    const stolen = new Authenticator(origin).register(await ask());
    expect((await other.post('/api/me/passkeys', { name: 'x', response: stolen })).status).toBe(400);
    const key = new Authenticator(origin);
    const response = key.register(await ask());
    expect((await add(response)).status).toBe(200);
    expect((await add(response)).status).toBe(400);
    // the same key for somebody else
    const again = key.register(await other.post('/api/me/passkeys/options'));
    expect((await other.post('/api/me/passkeys', { name: 'x', response: again })).status).toBe(409);
    expect((await person.get('/api/me')).at('passkeys')).toHaveLength(1);
  });

  test('that is being added while its person takes the second factor away keeps it on, and no code is lost', async () => {
    const person = await invited(w, owner, 'operator', 'adding@shop.example');
    const codes = await withCodes(person);
    const { say } = await person.get('/api/session');
    const going = await withTransaction(w.service.tools.db, say('session.account.id'), async (tx) => {
      const passkey = { credential_id: 'aa', public_key: 'bb', counter: 0n, synced: false, name: 'Phone' };
      const added = await insertPasskey(tx, { ...passkey, id: 'c'.repeat(24), person_id: say('session.person.id') });
      expect(added).toBe(true);
      const off = person.ask('DELETE', '/api/me/totp', { password: PASSWORD, code: codes[0] });
      await until(async () => (await lockWaits(w)) > 0 || undefined);
      return { off };
    });
    const off = await going.off;
    expect([off.status, off.text]).toEqual([409, expect.stringContaining('remove them first')]);
    const { at } = await person.get('/api/me');
    expect([at('totp'), at('recovery_codes_left')]).toEqual([true, 10]);
  });

  test('keeps the second factor on, is removed by its person alone, and is in the audit', async () => {
    const { person, key, codes } = await holder('tidy');
    const off = await person.ask('DELETE', '/api/me/totp', { password: PASSWORD, code: codes[0] });
    expect([off.status, off.say('detail')]).toEqual([409, expect.stringContaining('remove them first')]);
    const id = (await person.get('/api/me')).say('passkeys.0.id');
    await w.sql(`UPDATE payment.sessions SET proved_at = proved_at - interval '11 minutes'`);
    expect((await person.ask('DELETE', `/api/me/passkeys/${id}`)).status).toBe(400);
    await w.sql(`UPDATE payment.sessions SET proved_at = clock_timestamp()`);
    expect((await owner.ask('DELETE', `/api/me/passkeys/${id}`)).status).toBe(404);
    expect((await person.ask('DELETE', `/api/me/passkeys/${id}`)).at('passkeys')).toEqual([]);
    expect((await enter(key.sign(await question()))).status).toBe(401);
    const said = (await owner.get(`/api/audit?object=${id}`)).text;
    expect(said).toContain('passkey added');
    expect(said).toContain('passkey removed');
  });
});

describe('signing in', () => {
  test('takes a passkey alone, and a recovery code goes on working beside it', async () => {
    const { key, email, codes } = await holder('alone');
    const asked = await question();
    expect(asked.at('options')).toMatchObject({ userVerification: 'required', rpId: 'localhost' });
    expect(asked.at('options.allowCredentials')).toEqual([]);
    const entered = await enter(key.sign(asked));
    expect(entered.at('state.session.person.email')).toBe(email);
    expect(entered.headers.get('set-cookie')).toMatch(/^florin_session=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict$/);
    const audit = (await owner.get(`/api/audit?actor=${encodeURIComponent(email)}`)).text;
    expect(audit).toContain('"by":"passkey"');
    const ticket = (await new Person(w).logIn(email)).say('ticket');
    expect((await new Person(w).post('/api/session/totp', { ticket, code: codes[0] })).at('next')).toBe('done');
  });

  test('is refused when the answer was made for another page, is used twice, is too old, or names somebody else', async () => {
    const { key, person } = await holder('refused');
    const other = await holder('somebody');
    const refused = async (made: (asked: Seen) => object) => {
      const answer = await enter(made(await question()));
      await unlock();
      return [answer.status, answer.at('detail')];
    };
    const REFUSED = [401, expect.stringContaining('the passkey is not known here any more, or it was not accepted')];
    const lies: readonly Lies[] = [
      { origin: 'https://evil.example' },
      { origin: w.service.addresses.backoffice_url },
      { rp_id: 'evil.example' },
      { verified: false },
      { type: 'webauthn.create' },
      { user_handle: other.key.user_handle },
      { user_handle: null },
    ];
    for (const lie of lies) expect([lie, await refused((asked) => key.sign(asked, lie))]).toEqual([lie, REFUSED]);
    // signed by one key under the name of another
    expect(await refused((asked) => ({ ...other.key.sign(asked), ...named(key) }))).toEqual(REFUSED);
    expect(await refused((asked) => new Authenticator(origin).sign(asked))).toEqual(REFUSED);
    for (const nonsense of [
      { x: 1 },
      { id: 'AA', response: { clientDataJSON: 'e30' } },
      { ...named(key), response: { userHandle: 3 } },
    ])
      expect((await refused(() => nonsense))[0]).toBe(401);
    const asked = await question();
    const once = key.sign(asked);
    expect((await enter(once)).status).toBe(200);
    expect((await enter(once)).status).toBe(401);
    expect((await enter(key.sign(asked))).status).toBe(401);
    await unlock();
    const old = await question();
    await w.sql(`UPDATE payment.passkey_challenges SET created_at = created_at - interval '5 minutes'`);
    expect((await enter(key.sign(old))).status).toBe(401);
    await unlock();
    // what was asked within a session is no sign-in
    expect((await enter(key.sign(await person.post('/api/me/prove/options')))).status).toBe(401);
    await unlock();
    expect((await enter(key.sign(await question()))).status).toBe(200);
  });

  test('is refused for a counter that stands or goes back: the key may have been copied', async () => {
    const { key } = await holder('copied');
    expect((await enter(key.sign(await question(), { counter: 7 }))).status).toBe(200);
    expect((await enter(key.sign(await question(), { counter: 7 }))).status).toBe(401);
    expect((await enter(key.sign(await question(), { counter: 3 }))).status).toBe(401);
    expect((await enter(key.sign(await question(), { counter: 0 }))).status).toBe(401);
    await unlock();
    expect((await enter(key.sign(await question(), { counter: 8 }))).status).toBe(200);
    // two answers with one count that come at the same moment are one's
    const both = [await question(), await question()].map((asked) => enter(key.sign(asked, { counter: 9 })));
    const statuses = (await Promise.all(both)).map(({ status }) => status);
    expect(statuses.toSorted((one, other) => one - other)).toEqual([200, 401]);
  });

  test('takes a passkey in the place of the code, of the person whose password it was, and counts tries', async () => {
    const { key, email } = await holder('second');
    const other = await holder('third');
    const begun = await new Person(w).logIn(email);
    expect(begun.at('passkeys')).toBe(true);
    const ticket = begun.say('ticket');
    const asked = await question({ ticket });
    expect(asked.at('options.allowCredentials')).toHaveLength(1);
    expect((await enter(other.key.sign(asked), { ticket })).status).toBe(401);
    // asked for nobody, or for a ticket, and given to the other
    expect((await enter(key.sign(await question()), { ticket })).status).toBe(401);
    expect((await enter(key.sign(await question({ ticket })))).status).toBe(401);
    await unlock();
    const right = key.sign(await question({ ticket }), { user_handle: null });
    expect((await enter(right, { ticket })).at('next')).toBe('done');
    expect((await enter(key.sign(await question({ ticket })), { ticket })).status).toBe(401);
    await unlock();
    const tried = (await new Person(w).logIn(email)).say('ticket');
    const body = () => question({ ticket: tried });
    for (let i = 0; i < 5; i++)
      await enter(key.sign(await body(), { origin: 'https://evil.example' }), { ticket: tried });
    await unlock();
    expect((await enter(key.sign(await body()), { ticket: tried })).status).toBe(401);
    await unlock();
  });

  test('is refused to who is locked, and from a page of another site', async () => {
    const { key, email } = await holder('locked');
    const at = from();
    const wrong = { email, password: 'wrong wrong wrong' };
    for (let i = 0; i < 5; i++) await new Person(w).ask('POST', '/api/session', wrong, at);
    expect((await enter(key.sign(await question()))).status).toBe(401);
    await unlock();
    expect((await enter(key.sign(await question()))).status).toBe(200);
    const evil = { origin: 'https://evil.example' };
    const asked = await question();
    const body = { response: key.sign(asked) };
    expect((await new Person(w).ask('POST', '/api/session/passkey', body, evil)).status).toBe(403);
    expect((await new Person(w).ask('POST', '/api/session/passkey/options', {}, evil)).status).toBe(403);
  });
});

test('a passkey proves who one is within a session, its own person and session alone', async () => {
  const { person, key } = await holder('proof');
  const other = await holder('no-proof');
  await w.sql(`UPDATE payment.sessions SET proved_at = proved_at - interval '11 minutes'`);
  expect((await person.post('/api/me/command-secret')).status).toBe(400);
  const prove = (response: object) => person.post('/api/me/prove/passkey', { response });
  const ask = () => person.post('/api/me/prove/options');
  expect((await prove(other.key.sign(await ask()))).status).toBe(400);
  expect((await prove(key.sign(await other.person.post('/api/me/prove/options')))).status).toBe(400);
  expect((await prove(key.sign(await question()))).status).toBe(400);
  expect((await person.post('/api/me/command-secret')).status).toBe(400);
  expect((await prove(key.sign(await ask()))).status).toBe(200);
  expect((await person.post('/api/me/command-secret')).status).toBe(200);
  await unlock();
});

const named = (key: Authenticator) => {
  const id = key.id.toString('base64url');
  return { id, rawId: id, type: 'public-key', clientExtensionResults: {} };
};
