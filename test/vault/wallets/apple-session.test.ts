// Apple Pay on the hosted page without a browser: who is given a session and who is not, what an account lacks, the
// association file, what the doctor says, and that nothing secret is in an answer or a log.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { lookAtApplePay } from '../../../src/commands/doctor/apple-pay.ts';
import { systemClock } from '../../../src/kit/clock.ts';
import { StartError } from '../../../src/kit/start-error.ts';
import { changeSettings } from '../../../src/payment/merchant/change-settings.ts';
import { loadPage } from '../../../src/payment/page/load.ts';
import { walletsOf } from '../../../src/payment/page/wallets.ts';
import { readDestinations } from '../../../src/provider/send/signed.ts';
import { loadTable } from '../../../src/provider/send/tables.ts';
import { readConfig } from '../../../src/settings/config.ts';
import { contractCache } from '../../../src/vault/contracts/contracts.ts';
import { readAssociation } from '../../../src/vault/wallet/apple/association.ts';
import { appleSession } from '../../../src/vault/wallet/apple/session.ts';
import { demoAppleAuthority } from '../../../src/vault/wallet/sandbox/demo-keys.ts';
import { until } from '../../client.ts';
import { memberOf } from '../../hosts/going-live.ts';
import { hostedCheckout, nonceIn, open, sendForm } from '../../hosted-page/payer.ts';
import { newFolder } from '../../start/child.ts';
import { type World, world } from '../../world.ts';
import { insideOf, settingsOf } from '../inside.ts';
import { signedFile } from '../provider.ts';
import {
  type Apple,
  MERCHANT_ID,
  SESSION,
  answerSession,
  filesOf,
  newIssuer,
  newPayloadKey,
  openApple,
  setIdentity,
  setWalletKeys,
} from './apple.ts';

const folder = newFolder('florin-apple-');
const key = newPayloadKey();
let [w, apple]: [World, Apple] = [] as never;
beforeAll(async () => {
  apple = await openApple(folder.path);
  w = await world(apple.settings);
  await changeSettings(w.service.tools, w.account, { page_wallets: ['google_pay', 'apple_pay'] });
});
afterAll(async () => {
  await w[Symbol.asyncDispose]();
  await apple[Symbol.asyncDispose]();
  folder[Symbol.dispose]();
});
beforeEach(() => {
  apple.answer = answerSession;
  apple.heard.length = 0;
});

const asked = () => w.service.tools.vault.wallets({ merchant_account_id: w.account });
const session = () => w.service.tools.vault.walletSession({ merchant_account_id: w.account, display_name: 'Any' });

/** As the page's script asks. */
const sessionOf = (url: string, headers: Readonly<Record<string, string>> = {}) =>
  sendForm(
    `${url}/wallet-session`,
    { merchantIdentifier: 'merchant.of.somebody', validationURL: 'https://x' },
    headers,
  );

const findings = async (change: Readonly<Record<string, string>> = {}) => {
  const config = readConfig({
    ...settingsOf(w),
    ...apple.settings,
    FLORIN_DATABASE_DURABLE: 'unchecked',
    FLORIN_VAULT_URL: w.service.addresses.vault_url,
    ...change,
  });
  return (await lookAtApplePay(config, systemClock())).map(({ level, check, says }) => `${level} ${check}: ${says}`);
};

test('without an identity Apple is not asked, and a sandbox has the simulated sheet; with all of it Apple Pay itself', async () => {
  const { url } = await hostedCheckout(w.shop);
  expect(await asked()).toEqual({});
  expect((await sessionOf(url)).status).toBe(404);
  expect((await open(url)).html).toContain('value="apple_pay"');
  await setWalletKeys(w, 'apple_pay', {
    name: MERCHANT_ID,
    ...filesOf(w, 'payload', { key: String(key.export({ type: 'pkcs8', format: 'pem' })) }),
  });
  expect([await asked(), await session()]).toEqual([{}, null]);
  expect(await findings()).toEqual(['ok Apple Pay: association file: is served by ' + w.service.addresses.vault_url]);
  expect(await setIdentity(w, apple.issuer.issue())).toContain(`It is ${MERCHANT_ID}`);
  await until(async () => (await asked()).apple_pay);
  const { html, headers } = await open(url);
  expect([html.includes('value="apple_pay"'), html.includes('id="apple-pay"')]).toEqual([false, true]);
  expect(html).toContain('value="google_pay"');
  expect(headers.get('permissions-policy')).toContain('payment=(self)');
  expect(apple.heard).toEqual([]);
  const { tools } = w.service;
  const page = await loadPage(tools, url.split('/').at(-1) ?? '');
  if (!page) throw new Error('the page is there');
  // production shows what the vault has everything for, and simulates nothing
  const production = { ...tools, environment: 'production' as const };
  expect(await walletsOf(production, page)).toMatchObject({ simulated: [], apple_pay: { countryCode: 'FR' } });
  const none = { ...tools.vault, wallets: async () => ({}) };
  expect(await walletsOf({ ...production, vault: none }, page)).toEqual({ simulated: [], apple_pay: undefined });
  const away = { ...tools.vault, wallets: () => Promise.reject(new Error('the vault did not answer: 404')) };
  expect(await walletsOf({ ...production, vault: away }, page)).toEqual({ simulated: [], apple_pay: undefined });
});

test('a session goes to an open page of ours and to nothing else; of what a browser sends nothing counts', async () => {
  const { url } = await hostedCheckout(w.shop);
  const given = await sessionOf(url);
  expect([given.status, JSON.parse(given.html)]).toEqual([200, SESSION]);
  expect(given.headers.get('cache-control')).toBe('no-store');
  expect(JSON.parse(apple.heard[0]?.body ?? '{}')).toMatchObject({ merchantIdentifier: MERCHANT_ID });
  expect(apple.heard).toHaveLength(1);
  expect((await sessionOf(url, { origin: 'https://shop.example' })).status).toBe(403);
  expect((await sessionOf(url.replace(/[0-9a-f]{64}$/, 'ab'.repeat(32)))).status).toBe(404);
  await sendForm(`${url}/cancel`, { nonce: nonceIn(await open(url)) });
  expect((await sessionOf(url)).status).toBe(409);
  expect(apple.heard).toHaveLength(1);
});

test('an answer of Apple that is none is no session, and neither key nor certificate stands in an answer', async () => {
  const { url } = await hostedCheckout(w.shop);
  for (const body of ['[]', '"x"', '', '<html>']) {
    apple.answer = (response) => response.end(body);
    const { status, html } = await sessionOf(url);
    expect([status, html]).toEqual([502, '{"problem":"no session"}']);
  }
  const rows = await w.sql<{ row: string }>('SELECT c::text AS row FROM vault.contracts c');
  const stored = rows.map(({ row }) => row).join('\n');
  for (const word of ['PRIVATE KEY', 'BEGIN CERTIFICATE', MERCHANT_ID])
    expect([word, stored.includes(Buffer.from(word).toString('hex'))]).toEqual([word, false]);
});

test('the log of a session that Apple refused names the account and the reason, and nothing that is secret', async () => {
  await using inside = insideOf(w);
  const lines: string[] = [];
  const note = (fields: object, message: string) => void lines.push(JSON.stringify([fields, message]));
  const log = { debug: note, info: note, warn: note, error: note };
  const { FLORIN_DESTINATIONS_FILE: file = '', FLORIN_DESTINATIONS_KEY_FILE: key_file = '' } = apple.settings;
  const tools = {
    ...inside,
    log,
    contracts: contractCache(systemClock()),
    destinations: new Map(await readDestinations({ file, key_file, environment: 'sandbox' })),
    wallet_roots: { google_pay: undefined, apple_pay: demoAppleAuthority().root },
    association: Buffer.from('any'),
    addresses: w.service.addresses,
  };
  const ask = () => appleSession(tools, { merchant_account_id: w.account, display_name: 'Any' });
  expect(JSON.parse((await ask()) ?? '')).toEqual(SESSION);
  expect(lines).toEqual([]);
  apple.answer = (response) => response.writeHead(417).end('{"statusMessage":"secret words"}');
  expect(await ask()).toBe(null);
  apple.answer = () => undefined;
  expect(await ask()).toBe(null);
  expect(lines.map((line) => line.replace(w.account, 'ACCOUNT'))).toEqual([
    '[{"merchant_account_id":"ACCOUNT","problem":"it answered 417"},"no session of Apple Pay was had"]',
    '[{"merchant_account_id":"ACCOUNT","problem":"timeout"},"no session of Apple Pay was had"]',
  ]);
  // a merchant id that the operator did not sign is not asked for
  const [[name, destination] = []] = tools.destinations;
  if (name === undefined || !destination) throw new Error('there is one destination');
  tools.destinations.set(name, { ...destination, allow: new Map([['merchant_id', ['merchant.of.somebody']]]) });
  apple.heard.length = 0;
  expect([await ask(), apple.heard]).toEqual([null, []]);
  expect(lines.at(-1)).toContain('the merchant id is not one that is allowed');
});

test('the association file is served where Apple looks for it, and a host without one answers 404', async () => {
  const paths = ['', '.txt'].map((end) => `/.well-known/apple-developer-merchantid-domain-association${end}`);
  await using other = await world();
  for (const path of paths) {
    const served = await fetch(w.service.addresses.vault_url + path);
    expect([served.status, await served.text()]).toEqual([200, '7B227073704964223A2239373943394538']);
    expect((await fetch(other.service.addresses.vault_url + path)).status).toBe(404);
  }
  const empty = join(folder.path, 'empty');
  writeFileSync(empty, '');
  for (const file of [empty, join(folder.path, 'nowhere')]) expect(() => readAssociation(file)).toThrow(StartError);
});

test('what an account lacks keeps the button away, and the doctor says it with what to do', async () => {
  const says = async (text: string) => expect((await findings()).join('\n')).toContain(text);
  await says(`ok Apple Pay of ${w.account}: ${MERCHANT_ID}`);
  await says('ok destination apple_pay_session.api: localhost');
  const hidden = () => until(async () => (await asked()).apple_pay === undefined || undefined);
  await setIdentity(w, apple.issuer.issue({ days: 20 }));
  await says(`warning Apple Pay of ${w.account}: ${MERCHANT_ID}: the merchant identity ends on`);
  await setIdentity(w, apple.issuer.issue({ merchant_id: 'merchant.example.other' }));
  await says('the merchant identity is merchant.example.other, and payloads are sealed for merchant.example.shop');
  await hidden();
  expect(await session()).toBe(null);
  await setIdentity(w, apple.issuer.issue());
  await until(async () => (await asked()).apple_pay);
  for (const [change, text] of [
    [{ FLORIN_APPLE_PAY_ASSOCIATION_FILE: '' }, 'is not shown: there is no association file'],
    [
      { FLORIN_APPLE_PAY_ASSOCIATION_FILE: join(folder.path, 'operator.pem') },
      'problem Apple Pay: association file: is not',
    ],
    [
      { FLORIN_VAULT_URL: 'https://127.0.0.1:1' },
      'warning Apple Pay: association file: https://127.0.0.1:1 does not answer',
    ],
  ] as const)
    expect((await findings(change)).join('\n')).toContain(text);
  await using elsewhere = newFolderOf();
  const none = signedFile(elsewhere.path, {});
  expect((await findings(none)).join('\n')).toContain('is not shown: the destinations do not name apple_pay_session');
});

function newFolderOf() {
  const made = newFolder('florin-apple-none-');
  return { path: made.path, [Symbol.asyncDispose]: async () => made[Symbol.dispose]() };
}

test.each([
  [{ country: 'FRA' }, /two letters/],
  [{ certificate: 'nowhere' }, /cannot be used/],
  [{ key: 'other' }, /the key is not that of the certificate/],
  [{ certificate: 'ended' }, /ended on/],
  [{ name: 'merchant.of.somebody' }, /is that of merchant\.example\.shop/],
])('wallet-keys apple_pay_identity %j says what is wrong', async (change, words) => {
  const [good, ended, other] = [apple.issuer.issue(), apple.issuer.issue({ days: -1 }), newIssuer('x').issue()];
  const files = { ...filesOf(w, 'good', good), ...filesOf(w, 'old', { ended: ended.cert, other: other.key }) };
  const given = { country: 'FR', certificate: files['cert'] ?? '', key: files['key'] ?? '', ...change };
  const named = Object.fromEntries(Object.entries(given).map(([name, text]) => [name, files[text] ?? text]));
  if ('certificate' in change && change.certificate === 'ended')
    named['key'] = filesOf(w, 'old', { endedkey: ended.key })['endedkey'] ?? '';
  await expect(setWalletKeys(w, 'apple_pay_identity', named)).rejects.toThrow(words);
});

test('sessions count against the openings of a network', async () => {
  const { url } = await hostedCheckout(w.shop);
  expect((await sessionOf(url)).status).toBe(200);
  // at once: all of them in the minute that is counted, however slow the machine is, and whoever opens the sessions
  const answers = await Promise.all(Array.from({ length: 31 }, () => sessionOf(url)));
  expect(answers.map(({ status }) => status)).toContain(429);
});

test('the destination that docs/going-live.md prints is one that a production host reads', async () => {
  const { hash } = await loadTable('apple-pay');
  const text = memberOf('With Apple Pay').replace('<the hash that show printed>', hash);
  const member = JSON.parse(`{${text.replace('<your merchant id>', MERCHANT_ID)}}`) as object;
  const { FLORIN_DESTINATIONS_FILE: file, FLORIN_DESTINATIONS_KEY_FILE: key_file } = signedFile(
    folder.path,
    member,
    'production',
  );
  const [[name, { hosts, allow }] = ['', { hosts: {}, allow: new Map() }]] = await readDestinations({
    file,
    key_file,
    environment: 'production',
  });
  const api = { origin: 'https://apple-pay-gateway.apple.com', prefix: '' };
  expect([name, hosts]).toMatchObject(['apple_pay_session', { api }]);
  expect(allow.get('merchant_id')).toEqual([MERCHANT_ID]);
});
