// docs/going-live.md, from an empty folder to payments that were authorized, captured and refunded at Stripe, Adyen,
// PayPal and an acquirer, simulators behind TLS: hosts of production, real certificate checks, a durable database. And
// what stops it.
import { spawnSync } from 'node:child_process';
import { X509Certificate, createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import pg from 'pg';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type Embedded, startEmbedded } from '../../src/kit/embedded.ts';
import { Client, type Json, textAt, until } from '../client.ts';
import { dataIn, hostedCheckout, nonceIn, open, sendForm } from '../hosted-page/payer.ts';
import { ownPort } from '../ports.ts';
import { demoAppleAuthority } from '../../src/vault/wallet/sandbox/demo-keys.ts';
import { DEMO_ROOT, GOOGLE_ID, googlePayload } from '../vault/wallets/google.ts';
import { newFolder } from '../start/child.ts';
import { type Apple, MERCHANT_ID, SESSION, applePayload, newPayloadKey, openApple } from '../vault/wallets/apple.ts';
import {
  type Machine,
  PAGE,
  type Running,
  fileOf,
  linesOf,
  memberOf,
  newAuthority,
  openMachine,
  put,
  settingsOf,
  signUp,
} from './going-live.ts';
import { useInternet } from './internet.ts';
import { CREDENTIALS, ELSEWHERE, type Elsewhere, type OutThere, openOutThere } from './out-there.ts';

vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 });

const has_tools = ['curl', 'sha256sum', 'sed'].every((name) => spawnSync(name, ['--version']).status === 0);
const KEY = 'sk_live_ourshop';
const SECRET = 'whsec_ofourendpoint';
// production takes no number that is known as a test number
const CARD = '4539578763621486';
const reason = 'going live';
const HOSTS = ['vault', 'payment', 'worker'] as const;
type Host = (typeof HOSTS)[number];

const folder = newFolder('florin-live-');
const authority = newAuthority('A public authority');
const hosts = new Map<Host, Running>();
let [server, out_there, machine, apple]: [Embedded?, OutThere?, Machine?, Apple?] = [];
let places: Readonly<Record<Host, Record<string, string>>>;

const the = <T>(one: T | undefined): T => {
  if (one === undefined) throw new Error('it is not there yet');
  return one;
};
const run = (lines: string, variables?: Readonly<Record<string, string>>) => the(machine).run(lines, variables);
const done = async (lines: string, variables?: Readonly<Record<string, string>>) => {
  const { code, out, err } = await run(lines, variables);
  expect([lines, code, err]).toEqual([lines, 0, '']);
  return out;
};
const addresses = { base_url: 'https://pay.shop.example', vault_url: 'https://vault.shop.example' };
const backoffice_url = 'https://office.shop.example';

beforeAll(async () => {
  if (!has_tools) return;
  setDefaultCACertificates([...getCACertificates('default'), authority.pem]);
  server = await startEmbedded({ data_dir: join(folder.path, 'database') });
  const admin = new pg.Client({ host: server.socket_dir, user: server.user, database: 'postgres' });
  await admin.connect();
  for (const name of ['vault', 'payment']) await admin.query(`CREATE DATABASE ${name}`);
  await admin.end();
  out_there = await openOutThere(authority);
  apple = await openApple(folder.path, authority.issue('apple-pay-gateway.apple.com'));
  const ports = await Promise.all(Array.from({ length: 5 }, () => ownPort()));
  const [api = 0, office = 0, vault = 0, vault_link = 0, payment_link = 0] = ports;
  const internet = {
    ...out_there.internet,
    'apple-pay-gateway.apple.com': { address: '17.171.78.7', port: apple.port },
    'pay.shop.example': { address: '93.184.215.10', port: api },
    'office.shop.example': { address: '93.184.215.11', port: office },
    'vault.shop.example': { address: '93.184.215.12', port: vault },
    'wallet.shop.example': { address: '93.184.215.12', port: vault },
  };
  useInternet(internet);
  machine = openMachine(folder.path, internet, authority);
  const money = {
    FLORIN_DATABASE_URL: databaseUrl('payment_app', 'payment'),
    FLORIN_VAULT_LINK_URL: `https://127.0.0.1:${vault_link}`,
  };
  const here = { FLORIN_HOST: '127.0.0.1', FLORIN_LINK_HOST: '127.0.0.1' };
  places = {
    vault: {
      ...here,
      FLORIN_VAULT_DATABASE_URL: databaseUrl('vault_app', 'vault'),
      FLORIN_VAULT_PORT: String(vault),
      FLORIN_VAULT_LINK_PORT: String(vault_link),
      FLORIN_PAYMENT_LINK_URL: `https://127.0.0.1:${payment_link}`,
    },
    payment: {
      ...here,
      ...money,
      FLORIN_API_PORT: String(api),
      FLORIN_BACKOFFICE_PORT: String(office),
      FLORIN_PAYMENT_LINK_PORT: String(payment_link),
    },
    worker: money,
  };
});
afterAll(async () => {
  await machine?.[Symbol.asyncDispose]();
  await out_there?.[Symbol.asyncDispose]();
  await apple?.[Symbol.asyncDispose]();
  await server?.stop();
  folder[Symbol.dispose]();
});

function databaseUrl(login: string, database: string): string {
  return `postgres://${login}@/${database}?host=${encodeURIComponent(the(server).socket_dir)}`;
}

async function sql<T extends pg.QueryResultRow>(statement: string): Promise<readonly T[]> {
  const client = new pg.Client({ host: the(server).socket_dir, user: the(server).user, database: 'payment' });
  await client.connect();
  try {
    return (await client.query<T>(statement)).rows;
  } finally {
    await client.end();
  }
}

async function books(): Promise<{
  intents: readonly Record<string, Json>[];
  refunds: readonly Record<string, Json>[];
}> {
  return (await (await fetch(`${the(out_there).stripe_control}/control/books`)).json()) as Awaited<
    ReturnType<typeof books>
  >;
}

/** The operator's file with a member for each provider of the page, and the texts that the page leaves open. */
function destinations(change: (text: string) => string = (text) => text): string {
  return change(
    fileOf('live/destinations.json')
      .replace('<the hash that show printed>', table_hash)
      .replace('<the SHA-256 of your key>', key_hash)
      .replace(/\n {4}\}\n {2}\}\n\}/, () => `\n    },\n${the(out_there).members(hashes)}\n  }\n}`),
  );
}
let [table_hash, key_hash] = ['', ''];
const hashes: Record<Elsewhere, string> = { adyen: '', paypal: '', iso8583: '' };

/** Signs the file and carries it to the hosts, by the lines of the page. */
async function signed(text: string): Promise<void> {
  put(folder.path, 'live/destinations.json', text);
  await done((linesOf(6)[1] ?? '').replace(/^.* destinations check .*$/m, ''));
}

const start = async (host: Host) => hosts.set(host, await the(machine).start(`on ${host} ${host}`));
const stop = async (host: Host) => the(machine).stop(the(hosts.get(host)));
const doctor = (host: Host) => run(`on ${host} doctor --production ${host}`);

test.skipIf(!has_tools)(
  'certificates, settings, keys, databases and destinations are made by the lines of the page (skipped without curl)',
  async () => {
    for (const lines of linesOf(2)) await done(lines);
    for (const [host, name] of [
      ['vault', 'vault.shop.example'],
      ['payment', '*.shop.example'],
    ] as const) {
      const { cert, key } = authority.issue(name);
      put(folder.path, `live/${host}/public.pem`, cert);
      put(folder.path, `live/${host}/public.key`, key);
    }
    for (const host of HOSTS)
      put(folder.path, `live/${host}/settings.env`, settingsOf(`live/${host}/settings.env`, places[host]));
    const early = await doctor('payment');
    expect(early.code).toBe(1);
    for (const says of [
      'there is no live/payment/data/keys/payment-key.json',
      'role "payment_app" does not exist',
      'FLORIN_DESTINATIONS_FILE must be a file',
    ])
      expect(early.out).toContain(says);
    for (const lines of linesOf(4)) await done(lines);
    const { user } = the(server);
    for (const lines of linesOf(5))
      await done(lines, {
        VAULT_OWNER_URL: databaseUrl(user, 'vault'),
        PAYMENT_OWNER_URL: databaseUrl(user, 'payment'),
      });
    const [look = ''] = linesOf(6);
    const shown = await done(look, { STRIPE_KEY: KEY });
    table_hash = /^stripe: ([0-9a-f]{64})$/m.exec(shown)?.[1] ?? '';
    key_hash = /^([0-9a-f]{64}) {2}-$/m.exec(shown)?.[1] ?? '';
    expect(key_hash).toBe(createHash('sha256').update(KEY).digest('hex'));
    for (const name of ELSEWHERE) {
      const [show = ''] = /^.*destinations show.*$/m.exec(look) ?? [];
      const table = await done(show.replace('stripe', name));
      hashes[name] = new RegExp(`^${name}: ([0-9a-f]{64})$`, 'm').exec(table)?.[1] ?? '';
    }
    put(folder.path, 'live/destinations.json', destinations());
    expect(await done(linesOf(6)[1] ?? '')).toContain('is signed and right: stripe, adyen, paypal, iso8583');
  },
);

test.skipIf(!has_tools)('the doctor finds each host well (skipped without curl)', async () => {
  const lines = (linesOf(7)[0] ?? '').trim().split('\n');
  expect(lines).toEqual(HOSTS.map((host) => `on ${host} doctor --production ${host}`));
  for (const line of lines) {
    const out = await done(line);
    expect(out).toMatch(/\n0 problems, /);
    for (const name of [
      'api.stripe.com',
      'files.stripe.com',
      'checkout-live.adyenpayments.com',
      'ca-live.adyen.com',
      'api-m.paypal.com',
      'api.paypal.com',
    ])
      expect(out).toContain(`${name} is there`);
    expect(out.includes('payloads are taken of: none')).toBe(line.endsWith('vault'));
  }
  const lost = await run('on vault doctor --production vault', { FLORIN_GOOGLE_PAY_KEYS_FILE: 'not-there.json' });
  expect([lost.code, lost.out]).toEqual([1, expect.stringContaining('not-there.json')]);
});

test.skipIf(!has_tools)('the hosts start (skipped without curl)', async () => {
  const lines = (linesOf(8)[0] ?? '').trim().split('\n');
  expect(lines).toEqual(HOSTS.map((host) => `on ${host} ${host}`));
  for (const host of HOSTS) await start(host);
  for (const url of [addresses.base_url, addresses.vault_url, backoffice_url])
    expect([url, (await fetch(`${url}/ready`)).status]).toEqual([url, 200]);
});

type Merchant = { readonly shop: Client; readonly contract_id: string; readonly messages_to: string | null };
let merchant: Merchant | undefined;

/** An account, its owner, a contract and keys, as the page says. */
async function newMerchant(name: string, email: string, secret_key: string): Promise<Merchant> {
  return merchantAt('stripe', { name, email, values: { secret_key, webhook_secret: SECRET } });
}

type Wanted = { readonly name: string; readonly email: string; readonly values: Readonly<Record<string, string>> };

const stringOrNull = (value: unknown): string | null => (typeof value === 'string' ? value : null);

async function merchantAt(provider: string, { name, email, values }: Wanted): Promise<Merchant> {
  const [create = '', invite = ''] = (linesOf(9)[0] ?? '').trim().split('\n');
  const account = /account ([0-9a-f]{24})/.exec(await done(create.replace('Our shop', name)))?.[1] ?? '';
  const invited = await done(invite.replace('ada@shop.example', email), { ACCOUNT: account });
  const link = new RegExp(`${backoffice_url}(/welcome/\\S+)`).exec(invited)?.[1] ?? '';
  const owner = await signUp({ ...addresses, backoffice_url }, link);
  const contract_id = (await owner.post('/api/providers', { name: provider, provider, reason })).say('id');
  const contract = await owner.post(`/api/providers/${contract_id}/credentials`, { values, reason });
  const key = async (kind: string) => (await owner.post('/api/keys', { kind, label: 'shop' })).say('text');
  const keys = { private_key: await key('private'), public_key: await key('public') };
  return { shop: new Client(addresses, keys), contract_id, messages_to: stringOrNull(contract.at('messages_to')) };
}

test.skipIf(!has_tools)(
  'a merchant pays: authorized, captured, refunded, and the provider’s messages are proved (skipped without curl)',
  async () => {
    merchant = await newMerchant('Our shop', 'ada@shop.example', KEY);
    const { shop, contract_id } = merchant;
    const messages_to = the(merchant.messages_to ?? undefined);
    expect(messages_to).toBe(`${addresses.base_url}/provider/stripe/${contract_id}/events`);
    await fetch(`${the(out_there).stripe_control}/control/endpoints`, {
      method: 'POST',
      body: JSON.stringify({ url: messages_to, secrets: [SECRET] }),
    });
    const [lines = ''] = linesOf(10);
    const said = await done(lines, {
      PRIVATE_KEY: shop.keys.private_key,
      PUBLIC_KEY: shop.keys.public_key,
      CARD,
    });
    const codes = [...said.matchAll(/"result":\{"code":"(\d+)"/g)].map(([, code]) => code);
    expect([codes, said]).toEqual([['011111', '999999', '944444', '955555', '966666'], said]);
    const { intents, refunds } = await books();
    expect(intents.map(({ status, amount_received }) => [status, amount_received])).toEqual([['succeeded', 100]]);
    expect(refunds.map(({ status, amount }) => [status, amount])).toEqual([['succeeded', 100]]);
    const states = () =>
      sql<{ state: string; n: number }>('SELECT state, count(*)::int AS n FROM payment.provider_events GROUP BY state');
    await until(async () => {
      const rows = await states();
      return (rows.length > 0 && rows.every(({ state }) => state !== 'received')) || undefined;
    });
    expect((await states()).filter(({ state }) => state === 'parked')).toEqual([]);
    const forged = await fetch(messages_to, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'stripe-signature': `t=${Math.trunc(Date.now() / 1000)},v1=${'0'.repeat(64)}`,
      },
      body: '{"id":"evt_1","type":"payment_intent.succeeded","data":{"object":{}}}',
    });
    expect(forged.status).toBe(403);
    const well = await doctor('payment');
    expect([well.code, well.out]).toEqual([0, expect.stringContaining(`are taken at ${messages_to}`)]);
    // its bars go to standard error
    expect((await run('on payment ledger verify')).code).toBe(0);
  },
);

let at_adyen: Merchant | undefined;

for (const provider of ELSEWHERE)
  test.skipIf(!has_tools)(
    `at ${provider} a merchant pays too: authorized, captured, refunded (skipped without curl)`,
    async () => {
      const wanted = { name: `At ${provider}`, email: `${provider}@shop.example`, values: CREDENTIALS[provider] };
      const made = await merchantAt(provider, wanted);
      const { shop, messages_to } = made;
      if (provider === 'adyen') at_adyen = made;
      if (messages_to !== null) await the(out_there).tell(provider, messages_to);
      const fields = { operation_type: 'authorize', payment_channel: 'e-commerce' };
      const paid = await shop.pay({ card_number: CARD }, fields);
      const order_id = textAt(paid, 'order_id');
      const becomes = async (status: string) => {
        const is_so = async () => (await shop.read(order_id)).at('status') === status || undefined;
        await until(is_so).catch(async () => expect((await shop.read(order_id)).text).toBe(status));
      };
      await becomes('authorization_successful');
      for (const verb of ['capture', 'refund']) {
        const reply = await shop.api(`/payment/maintenance/${verb}/${order_id}`, { body: {} });
        expect([reply.status < 300, reply.text]).toEqual([true, reply.text]);
        await becomes(`${verb}_successful`);
      }
      expect(await the(out_there).taken(provider)).toEqual({ captured: 2500, refunded: 2500 });
      const parked = `SELECT event_ref FROM payment.provider_events WHERE state = 'parked' AND provider = '${provider}'`;
      expect(await sql(parked)).toEqual([]);
    },
  );

test.skipIf(!has_tools)(
  'with Apple Pay set up as the page says a payer of that account pays with it (skipped without curl)',
  async () => {
    const [account = { id: '' }] = await sql<{ id: string }>(
      `SELECT encode(merchant_account_id, 'hex') AS id FROM payment.merchant_accounts WHERE name = 'At adyen'`,
    );
    await sql(
      `UPDATE payment.merchant_accounts SET settings = settings || '{"page_wallets":["apple_pay"]}' WHERE name = 'At adyen'`,
    );
    const issued = the(apple).issuer.issue();
    const payload_key = newPayloadKey();
    put(folder.path, 'payment.key', String(payload_key.export({ type: 'pkcs8', format: 'pem' })));
    put(folder.path, 'merchant_id.key', issued.key);
    // as Apple gives it: DER
    writeFileSync(join(folder.path, 'merchant_id.cer'), new X509Certificate(issued.cert).raw);
    put(folder.path, 'live/vault/root.pem', demoAppleAuthority().root.toString());
    put(folder.path, 'live/vault/association', 'of Apple');
    const settings = settingsOf('live/vault/settings.env', places.vault);
    const files = { ROOT: 'live/vault/root.pem', ASSOCIATION: 'live/vault/association' };
    const more = Object.entries(files).map(([name, file]) => `FLORIN_APPLE_PAY_${name}_FILE=${file}\n`);
    put(folder.path, 'live/vault/settings.env', settings + more.join(''));
    const table = await done('node bin/florin.mjs destinations show apple-pay');
    const hash = /^apple-pay: ([0-9a-f]{64})$/m.exec(table)?.[1] ?? '';
    const member = memberOf('With Apple Pay')
      .replace('<the hash that show printed>', hash)
      .replace('<your merchant id>', MERCHANT_ID);
    for (const host of HOSTS) await stop(host);
    await signed(destinations((text) => text.replace(/\s*\}\s*\}\s*$/, () => `,\n${member}\n  }\n}`)));
    for (const host of HOSTS) await start(host);
    const [lines = ''] = linesOf('all').filter((one) => one.includes('apple_pay_identity'));
    expect(await done(lines, { ACCOUNT: account.id })).toContain(MERCHANT_ID);
    const well = await doctor('vault');
    for (const says of [
      `Apple Pay of ${account.id}`,
      `is served by ${addresses.vault_url}`,
      'apple-pay-gateway.apple.com is there',
      'payloads are taken of: Apple Pay',
    ])
      expect([says, well.out]).toEqual([says, expect.stringContaining(says)]);
    expect(well.code).toBe(0);
    const { shop } = the(at_adyen);
    const { url, checkout_id } = await hostedCheckout(shop, { amount: '5.00', operation_type: 'authorize' });
    const page = await open(url);
    expect([page.html.includes('id="apple-pay"'), page.html.includes('data-name="')]).toEqual([true, false]);
    const session = await sendForm(`${url}/wallet-session`, {});
    expect([session.status, JSON.parse(session.html)]).toEqual([200, SESSION]);
    expect(
      the(apple)
        .heard.map(({ body }) => body)
        .join(''),
    ).toContain('"initiativeContext":"vault.shop.example"');
    const wallet_payload = applePayload({ number: CARD, minor: 500n, currency: 'EUR', key: payload_key });
    const token = await shop.vault('/token', {
      key: String(dataIn(page).element['publicapikey']),
      body: { token_kind: 'apple_pay', wallet_payload, checkout_id },
      headers: { origin: addresses.vault_url },
    });
    await sendForm(url, { token: textAt(token, 'token'), token_type: 'oneshot', nonce: nonceIn(page) });
    const paid = await until(async () => {
      const checkout = await shop.api(`/payment/checkout/${checkout_id}`);
      return checkout.at('checkout.orders.0.status') === 'authorization_successful' ? checkout : undefined;
    });
    expect(paid.at('checkout.orders.0.status')).toBe('authorization_successful');
  },
);

test.skipIf(!has_tools)(
  'with Google Pay set up as the page says a payer of that account pays with it (skipped without curl)',
  async () => {
    const [account = { id: '' }] = await sql<{ id: string }>(
      `UPDATE payment.merchant_accounts SET settings = settings || '{"page_wallets":["apple_pay","google_pay"]}'
       WHERE name = 'At adyen' RETURNING encode(merchant_account_id, 'hex') AS id`,
    );
    put(folder.path, 'google.key', String(newPayloadKey().export({ type: 'pkcs8', format: 'pem' })));
    put(folder.path, 'live/vault/google.json', JSON.stringify({ keys: [DEMO_ROOT] }));
    const { cert, key } = authority.issue('*.shop.example');
    put(folder.path, 'live/vault/public.pem', cert);
    put(folder.path, 'live/vault/public.key', key);
    const settings = readFileSync(join(folder.path, 'live/vault/settings.env'), 'utf8');
    const [, named = ''] = /`(FLORIN_WALLET_URL=\S+)`/.exec(PAGE) ?? [];
    const more = `${named}\nFLORIN_GOOGLE_PAY_KEYS_FILE=live/vault/google.json\n`;
    put(folder.path, 'live/vault/settings.env', settings + more);
    await stop('vault');
    await start('vault');
    const [lines = ''] = linesOf('all').filter((one) => one.includes('wallet-keys google_pay'));
    expect(await done(lines, { ACCOUNT: account.id })).toContain(`google_pay of ${account.id}: set`);
    const wallet_url = named.replace('FLORIN_WALLET_URL=', '');
    const well = await doctor('vault');
    for (const says of [
      `Google Pay of ${account.id}`,
      `merchant ${GOOGLE_ID}: what the hosted page needs is there`,
      `is served by ${wallet_url}, and nothing else is`,
      'is of vault.shop.example, wallet.shop.example',
      'payloads are taken of: Google Pay and Apple Pay',
    ])
      expect([says, well.out]).toEqual([says, expect.stringContaining(says)]);
    expect(well.code).toBe(0);
    const frame = await fetch(`${wallet_url}/google-pay`);
    expect(await frame.text()).toContain('data-environment="PRODUCTION" data-script="https://pay.google.com/');
    for (const place of [`${wallet_url}/ready`, `${wallet_url}/scripts.json`, `${addresses.vault_url}/google-pay`])
      expect([place, (await fetch(place)).status]).toEqual([place, 404]);
    const { shop } = the(at_adyen);
    const { url, checkout_id } = await hostedCheckout(shop, { amount: '6.00', operation_type: 'authorize' });
    const page = await open(url);
    expect([page.html.includes('id="google-pay"'), page.html.includes('data-name="')]).toEqual([true, false]);
    expect(page.headers.get('content-security-policy')).toContain(`frame-src 'self' ${wallet_url};`);
    const [, public_key = ''] = /"publicKey":"([^"]+)"/.exec(page.html) ?? [];
    const token = await shop.vault('/token', {
      key: String(dataIn(page).element['publicapikey']),
      body: { token_kind: 'google_pay', wallet_payload: googlePayload({ number: CARD, public_key }), checkout_id },
      headers: { origin: addresses.vault_url },
    });
    await sendForm(url, { token: textAt(token, 'token'), token_type: 'oneshot', nonce: nonceIn(page) });
    const paid = await until(async () => {
      const checkout = await shop.api(`/payment/checkout/${checkout_id}`);
      return checkout.at('checkout.orders.0.status') === 'authorization_successful' ? checkout : undefined;
    });
    expect(paid.at('checkout.orders.0.status')).toBe('authorization_successful');
  },
);

test.skipIf(!has_tools)(
  'an account at the provider that the operator did not allow is not paid to (skipped without curl)',
  async () => {
    const before = (await books()).intents.length;
    const { shop } = await newMerchant('Other shop', 'bob@shop.example', 'sk_live_thief');
    expect((await shop.pay({ card_number: CARD })).code).toBe('151021');
    expect((await books()).intents).toHaveLength(before);
    expect(the(hosts.get('payment')).err()).toContain('a credential is not one that is allowed');
  },
);

test.skipIf(!has_tools)('behind a certificate of another authority nobody is paid (skipped without curl)', async () => {
  const { shop } = the(merchant);
  const before = (await books()).intents.length;
  the(out_there).stripe_front.show(newAuthority('Another authority').issue('api.stripe.com'));
  const order = await shop.pay({ card_number: CARD });
  expect([order.at('status'), (await books()).intents.length]).toEqual(['authorization_declined', before]);
  const found = await doctor('vault');
  expect([found.code, found.out]).toEqual([1, expect.stringContaining('api.stripe.com is not there as it is pinned')]);
  the(out_there).stripe_front.show(authority.issue('api.stripe.com'));
});

test.skipIf(!has_tools)(
  'with a table that is not the one that was signed no host starts, and the doctor says so (skipped without curl)',
  async () => {
    for (const host of HOSTS) await stop(host);
    await signed(destinations((text) => text.replace(table_hash, '0'.repeat(64))));
    for (const host of HOSTS) {
      const says = `of this build has the hash ${table_hash}`;
      const { code, err } = await run(`on ${host} ${host}`);
      expect([host, code, err]).toEqual([host, 1, expect.stringContaining(says)]);
      const found = await doctor(host);
      expect([host, found.code, found.out]).toEqual([host, 1, expect.stringContaining(says)]);
    }
    put(folder.path, 'live/vault/destinations.json', destinations());
    expect((await run('on vault vault')).err).toContain('is not what was signed with the key of');
  },
);

test.skipIf(!has_tools)('without an allow list the doctor is not content (skipped without curl)', async () => {
  await signed(destinations((text) => text.replace(/ *"allow": .*\n/g, '')));
  const { code, out } = await doctor('payment');
  expect([code, out]).toEqual([1, expect.stringContaining('pins none of secret_key')]);
});
