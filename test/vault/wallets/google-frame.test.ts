// Google Pay on the hosted page without a browser: the name at which its frame is and nothing else, the policies, what
// an account or a deployment lacks, and what the doctor says.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { lookAtGooglePay } from '../../../src/commands/doctor/google-pay.ts';
import { systemClock } from '../../../src/kit/clock.ts';
import { changeSettings } from '../../../src/payment/merchant/change-settings.ts';
import { loadPage } from '../../../src/payment/page/load.ts';
import { walletsOf } from '../../../src/payment/page/wallets.ts';
import { readConfig } from '../../../src/settings/config.ts';
import { framePolicy, frameScripts, googleFrameOf } from '../../../src/vault/wallet/google/frame.ts';
import { until } from '../../client.ts';
import { hostedCheckout, open } from '../../hosted-page/payer.ts';
import { type World, world } from '../../world.ts';
import { settingsOf } from '../inside.ts';
import { filesOf, newPayloadKey, setWalletKeys } from './apple.ts';
import { DEMO_ROOT, GOOGLE_ID, type Google, openGoogle, setGooglePay } from './google.ts';

let [w, google]: [World, Google] = [] as never;
beforeAll(async () => {
  google = await openGoogle();
  w = await world(google.settings);
  await changeSettings(w.service.tools, w.account, { page_wallets: ['google_pay', 'apple_pay'] });
});
afterAll(async () => {
  await w[Symbol.asyncDispose]();
  await google[Symbol.asyncDispose]();
});

const vaultUrl = () => w.service.addresses.vault_url;
const asked = () => w.service.tools.vault.wallets({ merchant_account_id: w.account });
const isOffered = (yes: boolean) => until(async () => ((await asked()).google_pay === undefined) !== yes || undefined);

const configWith = (change: Readonly<Record<string, string>> = {}) =>
  readConfig({
    ...settingsOf(w),
    ...google.settings,
    FLORIN_DATABASE_DURABLE: 'unchecked',
    FLORIN_VAULT_URL: vaultUrl(),
    ...change,
  });
const findings = async (change: Readonly<Record<string, string>> = {}) =>
  (await lookAtGooglePay(configWith(change), systemClock())).map(
    ({ level, check, says }) => `${level} ${check}: ${says}`,
  );

test('without keys or a country there is the simulated sheet; with all of it Google Pay itself, in a frame that the page names', async () => {
  const { url } = await hostedCheckout(w.shop);
  const before = await open(url);
  expect([before.html.includes('value="google_pay"'), before.html.includes('id="google-pay"')]).toEqual([true, false]);
  expect(before.headers.get('content-security-policy')).not.toContain(google.wallet_url);
  expect(before.headers.get('cross-origin-opener-policy')).toBe('same-origin');
  expect(await findings()).toEqual([`ok Google Pay: frame: is served by ${google.wallet_url}, and nothing else is`]);
  const key = String(newPayloadKey().export({ type: 'pkcs8', format: 'pem' }));
  const own = { name: `merchant:${GOOGLE_ID}`, ...filesOf(w, 'google', { key }) };
  expect(await setWalletKeys(w, 'google_pay', own)).toContain('google_pay of');
  expect(await findings()).toContain(
    `ok Google Pay of ${w.account}: payloads are taken; it is not on the hosted page, as no country is set`,
  );
  expect(await asked()).toEqual({});
  await setGooglePay(w);
  await isOffered(true);
  const { html, headers } = await open(url);
  expect([html.includes('value="google_pay"'), html.includes('id="google-pay"')]).toEqual([false, true]);
  // Apple Pay, which is not set up, has the simulated sheet still
  expect(html).toContain('value="apple_pay"');
  const policy = headers.get('content-security-policy') ?? '';
  expect(policy).toContain(`frame-src 'self' ${google.wallet_url};`);
  expect([policy.includes(google.url), html.includes(google.url), html.includes('pay.js')]).toEqual([
    false,
    false,
    false,
  ]);
  expect(headers.get('permissions-policy')).toContain(`payment=("${google.wallet_url}")`);
  expect(headers.get('cross-origin-opener-policy')).toBe('same-origin-allow-popups');
  expect(await findings()).toContain(
    `ok Google Pay of ${w.account}: merchant ${GOOGLE_ID}: what the hosted page needs is there`,
  );
});

test('a production shows what the vault has everything for, and simulates nothing; a price of three decimals is not for Google', async () => {
  const { tools } = w.service;
  const pageOf = async (fields: object) => {
    const { url } = await hostedCheckout(w.shop, fields);
    const page = await loadPage(tools, url.split('/').at(-1) ?? '');
    if (!page) throw new Error('the page is there');
    return page;
  };
  const production = { ...tools, environment: 'production' as const };
  expect(await walletsOf(production, await pageOf({}))).toMatchObject({
    simulated: [],
    apple_pay: undefined,
    google_pay: { frame_url: `${google.wallet_url}/google-pay` },
  });
  const none = { ...tools.vault, wallets: async () => ({}) };
  const nothing = { simulated: [], apple_pay: undefined, google_pay: undefined };
  expect(await walletsOf({ ...production, vault: none }, await pageOf({}))).toEqual(nothing);
  const priceOf = async (amount: string, currency: string) =>
    (await walletsOf(production, await pageOf({ amount, currency }))).google_pay?.request.transactionInfo.totalPrice;
  expect([await priceOf('7', 'JPY'), await priceOf('7.5', 'EUR'), await priceOf('7.5', 'KWD')]).toEqual([
    '7',
    '7.50',
    undefined,
  ]);
});

test('at the name of the frame there is the frame and nothing else, and the frame is at no other name', async () => {
  const { url } = await hostedCheckout(w.shop);
  const served = await fetch(`${google.wallet_url}/google-pay`);
  expect([served.status, served.headers.get('set-cookie')]).toEqual([200, null]);
  expect(served.headers.get('content-security-policy')).toContain(`frame-ancestors ${vaultUrl()}`);
  expect(await served.text()).not.toMatch(/<input|<form|card/i);
  const paths = [
    '/',
    '/health',
    '/ready',
    '/scripts.json',
    '/fields/en/-',
    '/google-pay/',
    '/javascript/2.3/florin-client.min.js',
    '/image/logo/visa.svg',
    new URL(url).pathname,
    '/nothing',
  ];
  for (const path of paths) {
    const { status } = await fetch(google.wallet_url + path);
    expect([path, status]).toEqual([path, 404]);
  }
  for (const [method, path] of [
    ['POST', '/token'],
    ['OPTIONS', '/token'],
    ['GET', '/token'],
    ['POST', '/sandbox/wallet'],
    ['POST', new URL(url).pathname],
    ['POST', '/google-pay'],
  ] as const) {
    const { status } = await fetch(google.wallet_url + path, { method });
    expect([method, path, status]).toEqual([method, path, 404]);
  }
  for (const place of [vaultUrl(), w.service.addresses.base_url])
    expect([place, (await fetch(`${place}/google-pay`)).status]).toEqual([place, 404]);
});

test('the frame may load what is Google’s, speak to Google, and be framed by the payment page; it is in the manifest of scripts', async () => {
  const frame = googleFrameOf({
    environment: 'production',
    wallet_url: 'https://wallet.shop.example',
    sandbox_google_pay_url: '',
  });
  if (!frame) throw new Error('there is a frame');
  const { own, ...beside } = frameScripts(frame);
  const policy = framePolicy(frame, 'https://vault.shop.example');
  expect(policy.split('; ').map((line) => line.replace(/'sha256-[^']{44}'/, 'HASH'))).toEqual([
    "default-src 'none'",
    'script-src HASH https://pay.google.com',
    "style-src 'unsafe-inline' https://pay.google.com https://fonts.googleapis.com",
    'font-src https://pay.google.com https://fonts.gstatic.com',
    'img-src data: https://pay.google.com https://www.gstatic.com',
    'connect-src https://pay.google.com https://google.com/pay https://www.google.com/pay',
    'frame-src https://pay.google.com',
    'form-action https://pay.google.com',
    "base-uri 'none'",
    'frame-ancestors https://vault.shop.example',
  ]);
  expect(beside.scripts.map(({ url, owner }) => [url, owner])).toEqual([
    ['https://pay.google.com/gp/p/js/pay.js', 'Google'],
  ]);
  const listed = (await (await fetch(`${vaultUrl()}/scripts.json`)).json()) as {
    scripts: { name: string; sha256?: string }[];
    policies: Record<string, string>;
  };
  const named = (name: string) => listed.scripts.find((one) => one.name === name);
  expect(named('Google Pay frame')?.sha256).toMatch(/^[0-9a-f]{64}$/);
  expect(named('Google Pay')).toMatchObject({ url: `${google.url}/gp/p/js/pay.js` });
  expect(listed.policies['/google-pay']).toContain('frame-ancestors {vault_url}');
  expect(own.map(({ name }) => name)).toEqual(['Google Pay frame']);
});

test('without a name for the frame there is none, whatever else is set; the script is Google’s in production, and of this machine in a sandbox', async () => {
  const set = { wallet_url: 'https://wallet.shop.example', sandbox_google_pay_url: '' };
  expect(googleFrameOf({ ...set, environment: 'production', wallet_url: '' })).toBe(undefined);
  expect(googleFrameOf({ ...set, environment: 'sandbox' })).toBe(undefined);
  expect(googleFrameOf({ ...set, environment: 'production' })).toMatchObject({
    google: 'https://pay.google.com',
    environment: 'PRODUCTION',
  });
  const said = (change: Readonly<Record<string, string>>) => {
    try {
      configWith(change);
      return '';
    } catch (error) {
      return String(error);
    }
  };
  const live = { FLORIN_ENVIRONMENT: 'production' };
  expect(said({ ...live })).toContain('FLORIN_SANDBOX_GOOGLE_PAY_URL is for a sandbox only');
  expect(said({ ...live })).toContain('FLORIN_WALLET_URL must be an https address in production');
  expect(said({ FLORIN_SANDBOX_GOOGLE_PAY_URL: 'https://pay.google.com' })).toContain('must be on this machine');
  for (const taken of ['FLORIN_BASE_URL', 'FLORIN_VAULT_URL', 'FLORIN_BACKOFFICE_URL'])
    expect(said({ [taken]: 'https://localhost' })).toContain('FLORIN_WALLET_URL must have a name that no other');
});

test('what an account or a deployment lacks keeps the button away, and the doctor says it with what to do', async () => {
  const lacks = async (text: string, change: Readonly<Record<string, string>> = {}) =>
    expect((await findings(change)).join('\n')).toContain(text);
  await lacks(`problem Google Pay of ${w.account}: is not shown: Google's script has no name to run at`, {
    FLORIN_WALLET_URL: '',
  });
  await lacks('warning Google Pay: frame: http://localhost:1 does not answer', {
    FLORIN_WALLET_URL: 'http://localhost:1',
  });
  await lacks('problem Google Pay: frame: is not what', { FLORIN_VAULT_URL: 'http://127.0.0.2' });
  const old = join(w.data_dir, 'old-keys.json');
  writeFileSync(old, JSON.stringify({ keys: [{ ...DEMO_ROOT, keyExpiration: '1500000000000' }] }));
  await lacks("is not shown: Google's root keys have ended", { FLORIN_GOOGLE_PAY_KEYS_FILE: old });
});

test.each([
  [{ name: 'gateway:example', country: 'fr' }, /of merchant:ID and of no gateway/],
  [{ country: 'FRA' }, /two letters/],
  [{ name: '123' }, /--name must be merchant:ID/],
])('wallet-keys google_pay %j says what is wrong', async (change, words) => {
  await expect(setGooglePay(w, change)).rejects.toThrow(words);
});
