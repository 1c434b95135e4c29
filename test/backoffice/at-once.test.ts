// Two things at once at the back office: what was looked at a moment ago must still hold when something is done by it.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type TenantRunner, bytes, withTransaction } from '../../src/kit/database.ts';
import { changeSettings } from '../../src/payment/merchant/change-settings.ts';
import { revokeKey } from '../../src/payment/merchant/keys.ts';
import { offerTotp } from '../../src/backoffice/session/person-store.ts';
import { until } from '../client.ts';
import { lockWaits } from '../lock-waits.ts';
import { type World, world } from '../world.ts';
import { Person, firstOwner, invited } from './person.ts';

let w: World;
let owner: Person;
beforeAll(async () => {
  w = await world();
  owner = await firstOwner(w);
});
afterAll(() => w[Symbol.asyncDispose]());

const ownAccount = async () => (await owner.get('/api/session')).say('session.account.id');

async function idOf(email: string): Promise<string> {
  const [row] = await w.sql<{ id: string }>(`SELECT encode(id, 'hex') AS id FROM payment.people WHERE email = $1`, [
    email,
  ]);
  return row?.id ?? '';
}

const waiting = async () => (await lockWaits(w)) > 0;

/** Signs in while `change` of the person is not committed yet: it is when the sign-in waits for it. */
async function signInDuring(email: string, change: string): Promise<Person> {
  const person = new Person(w);
  const id = await idOf(email);
  let going: Promise<unknown> = Promise.resolve();
  await withTransaction(w.service.tools.db, await ownAccount(), async (tx: TenantRunner) => {
    await tx.run('change_person', `-- any account: a test\n${change}`, { id: bytes(id) });
    await tx.run('end_sessions', `-- any account: a test\nDELETE FROM payment.sessions WHERE person_id = :id`, {
      id: bytes(id),
    });
    going = person.logIn(email);
    await until(async () => ((await waiting()) ? true : undefined));
  });
  await going;
  return person;
}

test('a sign-in that meets a new password, a lock or a second factor half way leaves no session behind', async () => {
  const changes = [
    `UPDATE payment.people SET password = password || 'x' WHERE id = :id`,
    `UPDATE payment.people SET locked_until = clock_timestamp() + interval '1 minute' WHERE id = :id`,
    `UPDATE payment.people SET totp_confirmed_at = clock_timestamp() WHERE id = :id`,
  ];
  for (const [i, change] of changes.entries()) {
    const email = `half-way-${i}@shop.example`;
    await invited(w, owner, 'operator', email);
    const person = await signInDuring(email, change);
    expect([change, person.cookie]).toEqual([change, '']);
    expect((await person.get('/api/me')).status).toBe(401);
  }
});

test('nobody takes an authenticator away by offering another at the moment in which it is confirmed', async () => {
  const email = 'confirmed@shop.example';
  await invited(w, owner, 'operator', email);
  const id = await idOf(email);
  const confirmed = async () =>
    (await w.sql(`SELECT 1 FROM payment.people WHERE email = $1 AND totp_confirmed_at IS NOT NULL`, [email])).length;
  await w.sql(`UPDATE payment.people SET totp_confirmed_at = clock_timestamp() WHERE email = $1`, [email]);
  await offerTotp(w.service.tools.db, id, Buffer.from('another'));
  expect(await confirmed()).toBe(1);
  await offerTotp(w.service.tools.db, id, null);
  expect(await confirmed()).toBe(0);
});

test('a page that still shows the account before changes nothing in the one the session went to', async () => {
  await w.otherShop();
  await invited(w, owner, 'owner', 'both@shop.example');
  await w.sql(
    `INSERT INTO payment.members (merchant_account_id, person_id, role)
     SELECT a.merchant_account_id, p.id, 'owner' FROM payment.merchant_accounts a, payment.people p WHERE p.email = 'both@shop.example' ON CONFLICT DO NOTHING`,
  );
  const [old, fresh] = [new Person(w), new Person(w)];
  const state = await old.logIn('both@shop.example');
  const first = state.say('state.session.account.id');
  const accounts = JSON.stringify(state.at('state.session.accounts'));
  const second = /[0-9a-f]{24}/.exec(accounts.replaceAll(first, ''))?.[0] ?? '';
  Object.assign(fresh, { cookie: old.cookie, csrf: old.csrf });
  const body = { kind: 'private', label: 'of the old page' };
  // the same browser, another tab
  expect((await fresh.post('/api/session/account', { account_id: second })).status).toBe(200);
  expect((await old.post('/api/keys', body)).status).toBe(403);
  expect((await fresh.post('/api/keys', body)).status).toBe(200);
  // and where the account is taken away under the page
  await w.sql(
    `DELETE FROM payment.members m USING payment.people p WHERE p.id = m.person_id AND p.email = 'both@shop.example' AND m.merchant_account_id = $1`,
    [Buffer.from(second, 'hex')],
  );
  expect((await fresh.get('/api/keys')).status).toBe(200);
  expect((await fresh.post('/api/keys', body)).status).toBe(403);
});

test('whoever sets credentials and whoever changes their contract do not wait for each other for good', async () => {
  const id = (await owner.get('/api/providers')).say('contracts.0.id');
  const reason = 'at once';
  for (let i = 0; i < 10; i++) {
    const done = await Promise.all([
      ...[1, 2, 3].map(() =>
        owner.post(`/api/providers/${id}/credentials`, { values: { api_key: `key-${i}` }, reason }),
      ),
      ...[1, 2, 3].map((priority) => owner.ask('PUT', `/api/providers/${id}`, { priority, reason })),
    ]);
    expect(done.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 200]);
  }
});

test('two people who change different things of one contract have both changed', async () => {
  const id = (await owner.get('/api/providers')).say('contracts.0.id');
  const change = (body: object) => owner.ask('PUT', `/api/providers/${id}`, { ...body, reason: 'at once' });
  for (let priority = 11; priority <= 30; priority++) {
    const enabled = priority % 2 === 0;
    const done = await Promise.all([change({ enabled }), change({ priority })]);
    expect(done.map(({ status }) => status)).toEqual([200, 200]);
    const now = await owner.get('/api/providers');
    expect(now.at('contracts')).toEqual(expect.arrayContaining([expect.objectContaining({ id, enabled, priority })]));
  }
});

test('contracts of one name that are made at once are one, and the audit has that one alone', async () => {
  const form = { name: 'made-at-once', provider: 'simulator', reason: 'at once' };
  const made = await Promise.all([1, 2, 3, 4].map(() => owner.post('/api/providers', form)));
  expect(made.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([200, 409, 409, 409]);
  const rows = await w.sql<{ object: string }>(
    `SELECT object FROM payment.audit WHERE action = 'contract created' AND detail ->> 'name' = $1`,
    [form.name],
  );
  expect(rows).toEqual([{ object: made.find(({ status }) => status === 200)?.say('id') }]);
});

test('a key that is revoked while somebody changes settings stays revoked at the vault', async () => {
  const account = await ownAccount();
  const made = await owner.post('/api/keys', { kind: 'public', label: 'revoked' });
  const key = made.say('text');
  const asked = async () => (await w.shop.vault('/token', { key, body: {} })).status;
  expect(await asked()).toBe(400);
  // the vault has let go of it, and the commit is still to come
  const also = async () => void (await changeSettings(w.service.tools, account, { challenge_minutes: 11 }));
  await revokeKey(w.service.tools, account, { id: made.say('id'), also });
  await expect.poll(asked).toBe(403);
});

test('a key that the vault was told of again, and could not be taken from it after its end, goes from there all the same', async () => {
  const account = await ownAccount();
  const made = await owner.post('/api/keys', { kind: 'public', label: 'revoked later' });
  const key = made.say('text');
  const asked = async () => (await w.shop.vault('/token', { key, body: {} })).status;
  const { tools } = w.service;
  let removals = 0;
  const removeApiKey = async (wanted: { readonly id: string }) => {
    removals += 1;
    if (removals > 1) throw new Error('the vault is away');
    return tools.vault.removeApiKey(wanted);
  };
  const also = async () => void (await changeSettings(tools, account, { challenge_minutes: 11 }));
  const vault = { ...tools.vault, removeApiKey };
  await expect(revokeKey({ ...tools, vault }, account, { id: made.say('id'), also })).rejects.toThrow('away');
  await expect.poll(asked).toBe(403);
  const rows = () => w.sql(`SELECT 1 FROM payment.api_keys WHERE label = 'revoked later' AND revoked_at IS NOT NULL`);
  await expect.poll(rows).toHaveLength(1);
});

test('a key that the job of ended keys revokes first is revoked for the person who asked, too', async () => {
  const account = await ownAccount();
  const made = await owner.post('/api/keys', { kind: 'public', label: 'revoked by the job' });
  const { tools } = w.service;
  let removals = 0;
  const removeApiKey = async (wanted: { readonly id: string }) => {
    removals += 1;
    await tools.vault.removeApiKey(wanted);
    if (removals === 2)
      await w.sql(`UPDATE payment.api_keys SET revoked_at = now() WHERE label = 'revoked by the job'`);
  };
  expect(await revokeKey({ ...tools, vault: { ...tools.vault, removeApiKey } }, account, { id: made.say('id') })).toBe(
    true,
  );
});

test('what the vault is told of an account is what was set last, whoever was slower', async () => {
  const account = await ownAccount();
  const { tools } = w.service;
  let held = false;
  const vault = {
    ...tools.vault,
    putApiKey: async (key: Parameters<typeof tools.vault.putApiKey>[0]) => {
      if (key.kind === 'public' && !held) {
        held = true;
        // a second person's change, whole, while the first one's is on its way to the vault
        await changeSettings(tools, account, { registered_origins: ['https://second.example'] });
      }
      return tools.vault.putApiKey(key);
    },
  };
  await changeSettings({ ...tools, vault }, account, { registered_origins: ['https://first.example'] });
  const page = `/fields/en/${w.keys.public_key}`;
  const framers = async () =>
    (await fetch(w.service.addresses.vault_url + page)).headers.get('content-security-policy');
  await expect.poll(framers).toContain('https://second.example');
  await changeSettings(tools, account, { registered_origins: [] });
});

test('of two people who change settings at once, each is written down with what they changed, and colours stay readable', async () => {
  const account = await ownAccount();
  const change = (body: object) => owner.ask('PUT', '/api/settings', body);
  expect((await change({ page_panel_colour: '#ffffff' })).status).toBe(200);
  const during = async (others: string, body: object) => {
    let going: ReturnType<typeof change> | undefined;
    await withTransaction(w.service.tools.db, account, async (tx) => {
      await tx.run(
        'set_by_another',
        `UPDATE payment.merchant_accounts SET settings = settings || :others::jsonb WHERE merchant_account_id = :account`,
        { others, account: bytes(account) },
      );
      going = change(body);
      await until(async () => ((await waiting()) ? true : undefined));
    });
    return going;
  };
  expect((await during('{"page_name": "Theirs"}', { challenge_minutes: 12 }))?.status).toBe(200);
  const [row] = await w.sql<{ detail: object }>(
    `SELECT detail FROM payment.audit WHERE action = 'settings changed' ORDER BY seq DESC LIMIT 1`,
  );
  expect(row?.detail).toMatchObject({ is: { challenge_minutes: 12 } });
  expect(JSON.stringify(row?.detail)).not.toContain('page_name');
  const dark = await during('{"page_panel_colour": "#000000"}', { page_panel_text: '#111111' });
  expect([dark?.status, dark?.at('errors.0.field')]).toEqual([400, 'page_panel_text']);
  await change({ page_panel_colour: '', page_name: '' });
});

async function dispute(): Promise<string> {
  const order_id = (await w.shop.pay()).text.match(/"order_id":"([0-9a-f]{24})"/)?.[1] ?? '';
  await w.shop.decided(order_id);
  const id = w.service.tools.chance.id();
  await w.sql(
    `INSERT INTO payment.disputes (id, merchant_account_id, order_id, operation_id, provider, state, amount_minor, currency, reason, reason_code, opened_at)
     SELECT decode($1, 'hex'), merchant_account_id, order_id, id, 'simulator', 'opened', amount_minor, currency, 'fraud', '10.4', now()
     FROM payment.operations WHERE kind = 'capture' AND order_id = decode($2, 'hex')`,
    [id, order_id],
  );
  return id;
}

test('many people who write into one dispute at once are all heard: none waits for a connection that the others hold', async () => {
  const id = await dispute();
  const write = (n: number) =>
    owner.ask('PUT', `/api/disputes/${id}/evidence`, { texts: { customer_name: `Ada ${n}` } });
  const answers = await Promise.all(Array.from({ length: 24 }, (_, n) => write(n)));
  expect(answers.map(({ status, text }) => (status === 200 ? status : text))).toEqual(answers.map(() => 200));
});

const reason = 'looked at it a moment ago';

describe('what somebody has changed meanwhile is not undone unseen', () => {
  const rules = (above: string) => [{ kind: 'amount', name: 'large', currency: 'EUR', above, action: 'refuse' }];
  const route = (n: number) => ({ rules: [{ name: `rule ${n}`, then: { order: ['simulator'] } }] });
  test.each([
    ['risk', (n: number) => ({ rules: rules(`${n}000.00`) })],
    ['routing', (n: number) => ({ document: route(n) })],
  ])('a version of %s rules that was published since', async (kind, draft) => {
    const publish = async (base_version: number) => {
      const done = await owner.post(`/api/${kind}/publish`, { ...draft(base_version + 1), base_version, reason });
      expect(done.status, done.text).toBe(200);
    };
    for (const before of [0, 1, 2]) await publish(before);
    const seen = { version: 1, base_version: 2, reason };
    const refused = await owner.post(`/api/${kind}/roll-back`, seen);
    expect([refused.status, refused.at('detail')]).toEqual([
      409,
      'version 3 was published meanwhile: look at it before you roll back',
    ]);
    expect((await owner.get(`/api/${kind}`)).at('version')).toBe(3);
    expect((await owner.post(`/api/${kind}/roll-back`, { ...seen, base_version: 3 })).at('version')).toBe(4);
  });

  test('an experiment compares with the version that was shown, or does not begin', async () => {
    const how = { share: 5000, subject: 'order', method: 'fixed', days: 7, reason };
    const refused = await owner.post('/api/experiments', { ...how, version: 2, base_version: 3 });
    expect([refused.status, refused.text]).toEqual([400, expect.stringContaining('3 is not in force: version 4 is')]);
    expect((await owner.get('/api/experiments')).at('experiments')).toEqual([]);
    const begun = await owner.post('/api/experiments', { ...how, version: 2, base_version: 4 });
    expect([begun.status, begun.at('experiments.0.groups.0.version')], begun.text).toEqual([200, 4]);
  });

  test('fees of a contract that were stated since', async () => {
    const id = (await owner.get('/api/providers')).say('contracts.0.id');
    const stateFees = (percent: string, base_version: number) =>
      owner.post(`/api/providers/${id}/fees`, { fees: [{ percent }], base_version, reason });
    expect((await stateFees('1', 0)).status).toBe(200);
    const refused = await stateFees('2', 0);
    expect([refused.status, refused.at('detail')]).toEqual([
      409,
      'version 1 of these fees was stated meanwhile: look at it first',
    ]);
    const after = await stateFees('3', 1);
    expect([after.at('fees.0.rows.0.percent'), after.at('fees.0.version')]).toEqual(['3', 2]);
  });

  test('the order of contracts changes in one commit, and only as it was shown', async () => {
    const order = async () =>
      ((await owner.get('/api/providers')).at('contracts') as readonly { id: string; name: string }[]).map(
        ({ id, name }) => ({ id, name }),
      );
    await owner.post('/api/providers', { name: 'third', provider: 'simulator', reason });
    // numbers that are the same have no order of their own
    await w.sql(`UPDATE payment.contracts SET priority = 5`);
    const [a, b, c, ...more] = await order();
    const up = (id: string | undefined, before: string | undefined) =>
      owner.ask('PUT', `/api/providers/${id}`, { before, reason });
    expect((await up(c?.id, b?.id)).status).toBe(200);
    expect(await order()).toEqual([a, c, b, ...more]);
    const refused = await up(c?.id, b?.id);
    expect([refused.status, refused.at('detail')]).toEqual([
      409,
      'the order of contracts has changed meanwhile: look at it again',
    ]);
    expect((await up(c?.id, a?.id)).status).toBe(200);
    expect(await order()).toEqual([c, a, b, ...more]);
    const [audited] = await w.sql(
      `SELECT detail FROM payment.audit WHERE action = 'contract changed' ORDER BY seq DESC LIMIT 1`,
    );
    expect(audited).toEqual({ detail: { before: a?.id } });
  });

  test('a list of a contract that somebody else has changed since', async () => {
    const id = (await owner.get('/api/providers')).say('contracts.0.id');
    const save = (currencies: readonly string[], was: object) =>
      owner.ask('PUT', `/api/providers/${id}`, { currencies, was, reason });
    expect((await save(['EUR'], { currencies: [] })).at('currencies')).toEqual(['EUR']);
    const refused = await save(['USD'], { currencies: [] });
    expect([refused.status, refused.at('detail')]).toEqual([
      409,
      'somebody has changed currencies of this contract meanwhile: look at it again before you save',
    ]);
    // whose answer was lost asks for the same once more
    expect((await save(['EUR'], { currencies: [] })).status).toBe(200);
    // of two at once the second one has not seen what the first one made of it
    const both = await Promise.all([save(['EUR', 'GBP'], { currencies: ['EUR'] }), save([], { currencies: ['EUR'] })]);
    expect(both.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([200, 409]);
    expect((await owner.ask('PUT', `/api/providers/${id}`, { currencies: [], reason })).status).toBe(200);
  });

  test('a text against a dispute that was saved since', async () => {
    const id = await dispute();
    const save = (customer_name: string, was: string) =>
      owner.ask('PUT', `/api/disputes/${id}/evidence`, { texts: { customer_name }, was: { customer_name: was } });
    expect((await save('Ada Byron', '')).status).toBe(200);
    const refused = await save('A. Lovelace', '');
    expect([refused.status, refused.at('detail')]).toEqual([
      409,
      expect.stringMatching(/^somebody has changed “.+” meanwhile: look at it again before you save$/),
    ]);
    expect((await save('Ada Lovelace', 'Ada Byron')).status).toBe(200);
  });
});
