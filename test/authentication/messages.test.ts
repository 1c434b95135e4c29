// What we write to directory and bank: the forms of the standard, the payer's browser converted, wishes and exemptions;
// and what of their answers is believed.
import { existsSync, readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { beforeAll, describe, expect, test } from 'vitest';
import { CURRENCIES } from '../../src/core/money.ts';
import { colourDepthOf, languageOf, timeZoneOf } from '../../src/provider/three-ds/browser.ts';
import { readAuthentication, readResult, shiftsLiability } from '../../src/provider/three-ds/answers.ts';
import { type AuthenticationFacts, VERSIONS, type Version } from '../../src/provider/three-ds/contract.ts';
import { requestBody } from '../../src/provider/three-ds/request.ts';
import { simulatedServer } from '../../src/provider/three-ds/server.ts';
import { decideAuthentication } from '../../src/payment/order/authentication/verdict.ts';

const FOLDER = new URL('../../../shared/data/providers/emv3ds/', import.meta.url);
const WINTER = new Date('2026-01-15T12:00:00Z');
const SUMMER = new Date('2026-07-15T12:00:00Z');
const SERVER_ID = '0a1b2c3d-4e5f-4a6b-8c7d-0e1f2a3b4c5d';

const BROWSER = {
  customer_browser_info_js_enabled: true,
  customer_browser_info_java_enabled: false,
  customer_browser_info_color_depth: '30',
  customer_browser_info_screen_height: 900,
  customer_browser_info_screen_width: 1440,
  customer_browser_info_time_zone: 'Europe/Paris',
  customer_browser_info_language: 'zh-Hans-CN',
  customer_browser_info_user_agent: 'Mozilla/5.0',
  customer_browser_info_accept_header: 'text/html',
  customer_ip: '203.0.113.7',
};

/**
 * What the script of the API's documentation gives in any case: no java_enabled, and a time zone only where there is
 * one.
 */
const SCRIPT = {
  customer_browser_info_js_enabled: true,
  customer_browser_info_color_depth: '24',
  customer_browser_info_screen_height: 900,
  customer_browser_info_screen_width: 1440,
  customer_browser_info_language: 'fr-FR',
  customer_browser_info_user_agent: 'Mozilla/5.0',
};

/** Each a good website_url. */
const ADDRESSES = [
  'https://shop.example/a|b?c={d}&e="f"#^g',
  'https://shop.example/[x]`y`<z>\\w%zz',
  'http://shop.example:8080/',
  'https://[2001:db8::1]/',
  'https://s{h}o"p`.example/',
  `https://${'{'.repeat(2040)}`,
];

function facts(given: Partial<AuthenticationFacts> = {}): AuthenticationFacts {
  return {
    authentication_id: '66bf18d25d1c9a0e47b2f318',
    merchant_account_id: '66bf18d25d1c9a0e47b2f319',
    merchant_name: 'Lamps & Söhne with a name that is longer than forty characters',
    order_id: '66bf18d25d1c9a0e47b2f317',
    order_merchant_id: 'cart-1881',
    amount_minor: 4250n,
    currency: 'EUR',
    scheme: 'visa',
    demand: 'ask_3ds',
    stored_card: false,
    at: WINTER,
    notification_url: `https://vault.example/pay/${'a'.repeat(64)}/back`,
    requestor_url: 'https://shop.example',
    body: BROWSER,
    ...given,
  };
}

type Message = Readonly<Record<string, unknown>>;

function areq(given: Partial<AuthenticationFacts>, version: Version): Message {
  const parts = requestBody(facts(given), { server_id: SERVER_ID, version, method: 'U' });
  const message: Message = JSON.parse(
    parts.map((part) => (typeof part === 'string' ? part : '"4242424242424242"')).join(''),
  );
  return message;
}

describe.skipIf(!existsSync(FOLDER))('by the schemas (skipped without the specification)', () => {
  const ajv = new Ajv2020({ strict: false });
  formats.default(ajv);
  const validate = (name: string) =>
    ajv.compile(JSON.parse(readFileSync(new URL(`${name}.schema.json`, FOLDER), 'utf8')));
  let checks: Readonly<Record<Version, ReturnType<typeof validate>>>;
  beforeAll(() => {
    checks = { '2.2.0': validate('AReq-2.2.0'), '2.3.1': validate('AReq-2.3.1') };
  });
  const cases: readonly (readonly [string, Partial<AuthenticationFacts>])[] = [
    ['a whole browser', {}],
    ['no browser data', { body: {} }],
    ['what the suggested script says', { body: SCRIPT }],
    ...ADDRESSES.map((requestor_url) => [`the shop ${requestor_url.slice(0, 60)}`, { requestor_url }] as const),
    ['a browser without scripts', { body: { ...BROWSER, customer_browser_info_js_enabled: false } }],
    ['half a browser', { body: { customer_browser_info_js_enabled: true, customer_browser_info_language: 'fr' } }],
    [
      'long texts',
      { body: { ...BROWSER, customer_browser_info_user_agent: 'é'.repeat(3000), customer_first_name: 'Ä'.repeat(80) } },
    ],
    ['a saved card', { stored_card: true }],
    [
      'an address',
      { body: { ...BROWSER, customer_billing_street_name: 'x'.repeat(99), customer_email: 'ada@example.com' } },
    ],
    ['three decimals', { currency: 'KWD', amount_minor: 12_345n }],
    ['no decimals', { currency: 'JPY', amount_minor: 1n }],
  ];
  test.each(cases)('%s', (_, given) => {
    for (const version of VERSIONS)
      expect([version, checks[version](areq(given, version)), checks[version].errors]).toEqual([version, true, null]);
  });

  test('every currency', () => {
    for (const currency of CURRENCIES.keys()) {
      const message = areq({ currency }, '2.2.0');
      expect([currency, checks['2.2.0'](message)]).toEqual([currency, true]);
      expect(message['purchaseExponent']).toBe(String(CURRENCIES.get(currency)));
    }
  });

  test('the CReq that the payer brings to the bank', () => {
    const creq = simulatedServer(10).challengeRequest({
      server_id: SERVER_ID,
      acs_transaction_id: SERVER_ID,
      version: '2.2.0',
    });
    expect(creq).not.toContain('=');
    expect(validate('CReq-2.2.0')(JSON.parse(Buffer.from(creq, 'base64url').toString()))).toBe(true);
  });
});

describe('the browser', () => {
  test('Paris is -60 in winter and -120 in summer, by the day of the payment', () => {
    expect([timeZoneOf('Europe/Paris', WINTER), timeZoneOf('Europe/Paris', SUMMER)]).toEqual(['-60', '-120']);
    expect(areq({ at: SUMMER }, '2.2.0')['browserTZ']).toBe('-120');
  });

  test.each([
    ['Asia/Kolkata', '-330'],
    ['America/New_York', '300'],
    ['UTC', '0'],
    ['+01:00', '-60'],
    ['-05:30', '330'],
    ['+00:00', '0'],
    ['Nowhere/At_All', undefined],
  ])('%s is %s', (zone, minutes) => {
    expect(timeZoneOf(zone, WINTER)).toBe(minutes);
  });

  test.each([
    ['30', '24'],
    [48, '48'],
    ['64', '48'],
    ['31', '24'],
    ['2', '1'],
    [undefined, undefined],
  ])('colour depth %s goes down to %s', (said, told) => {
    expect(colourDepthOf(said)).toBe(told);
  });

  test.each([
    ['zh-Hans-CN', 'zh-Hans'],
    ['en_GB', 'en-GB'],
    ['sr-Latn-RS', 'sr-Latn'],
    ['x'.repeat(20), 'x'.repeat(8)],
  ])('language %s is cut at a subtag: %s', (said, told) => {
    expect(languageOf(said)).toBe(told);
  });

  test('2.3.1 is told of the language twice: by the header always, by a script only where there is one', () => {
    const acceptLanguage = ['zh-Hans-CN'];
    expect(areq({}, '2.3.1')).toMatchObject({ acceptLanguage, browserLanguage: 'zh-Hans', browserTZ: '-60' });
    const quiet = areq({ body: { ...BROWSER, customer_browser_info_js_enabled: false } }, '2.3.1');
    expect(quiet).toMatchObject({ acceptLanguage, browserJavascriptEnabled: false });
    expect(quiet).not.toHaveProperty('browserLanguage');
    expect(areq({}, '2.2.0')).not.toHaveProperty('acceptLanguage');
  });

  test('2.3.1 names the country of the acquirer, and says of a saved card that amount and time vary', () => {
    expect(areq({ stored_card: true }, '2.3.1')).toMatchObject({
      acquirerCountryCode: '250',
      acquirerCountryCodeSource: '01',
      recurringInd: { amountInd: '02', frequencyInd: '02' },
    });
    expect(areq({ stored_card: true }, '2.2.0')).toMatchObject({ recurringFrequency: '1' });
  });

  test('what only a script can tell is told only with browserJavascriptEnabled', () => {
    expect(areq({}, '2.2.0')).toMatchObject({
      browserJavascriptEnabled: true,
      browserScreenHeight: '900',
      browserColorDepth: '24',
    });
    expect(areq({ body: {} }, '2.2.0')).toMatchObject({ browserJavascriptEnabled: false });
    expect(areq({ body: {} }, '2.2.0')).not.toHaveProperty('browserTZ');
    expect(areq({ body: SCRIPT }, '2.2.0')).toMatchObject({
      browserJavascriptEnabled: true,
      browserJavaEnabled: false,
      browserTZ: '0',
    });
    const { customer_browser_info_screen_width: _, ...half } = SCRIPT;
    expect(areq({ body: half }, '2.2.0')).toMatchObject({ browserJavascriptEnabled: false });
  });

  test.each(['10.1.2.3', '192.168.0.1', '172.20.1.1', '127.0.0.1', '::1', 'fd00::1', 'fe80::1'])(
    '%s says nothing',
    (customer_ip) => {
      expect(areq({ body: { customer_ip } }, '2.2.0')).not.toHaveProperty('browserIP');
    },
  );
});

test('the bank is told of the shop, not of a page in it', () => {
  expect(ADDRESSES.slice(0, 4).map((requestor_url) => areq({ requestor_url }, '2.2.0')['threeDSRequestorURL'])).toEqual(
    ['https://shop.example', 'https://shop.example', 'http://shop.example:8080', 'https://[2001:db8::1]'],
  );
});

test.each([
  [{}, '01', '01'],
  [{ demand: 'force_3ds' }, '03', '03'],
  [{ demand: 'soft_decline', body: { sca_exemption_reason: 'low_value' } }, '04', '04'],
  [{ body: { sca_exemption_reason: 'risk_analysis' } }, '05', '05'],
  [{ body: { sca_exemption_reason: 'trusted_beneficiary' } }, '08', '08'],
  [{ body: { sca_exemption_reason: 'low_value' } }, '02', '10'],
  [{ body: { sca_exemption_reason: 'corporate' } }, '02', '11'],
  [{ body: { challenge_preference: 'challenge_requested' } }, '03', '03'],
  [{ body: { challenge_preference: 'challenge_mandatory' } }, '04', '04'],
  [{ body: { challenge_preference: 'no_challenge' } }, '02', '02'],
] as const)('what we wish of the bank: %j', (given, older, newer) => {
  const wishes = (['2.2.0', '2.3.1'] as const).map((version) => areq(given, version)['threeDSRequestorChallengeInd']);
  expect(wishes).toEqual([older, [newer]]);
});

describe('answers', () => {
  const about = { server_id: SERVER_ID, version: '2.2.0', method: 'U' } as const;
  const ARES = {
    messageType: 'ARes',
    messageVersion: '2.2.0',
    threeDSServerTransID: SERVER_ID,
    acsTransID: SERVER_ID,
    dsTransID: SERVER_ID,
    transStatus: 'Y',
    eci: '05',
    authenticationValue: 'AAABBEg0VhI0VniQEjRWAAAAAAA=',
  };
  const read = (message: unknown, status = 200) =>
    readAuthentication({ status, body: Buffer.from(JSON.stringify(message)) }, about).kind;

  test('a success is one only with all its evidence, of this authentication', () => {
    expect(read(ARES)).toBe('authenticated');
    for (const name of Object.keys(ARES)) {
      const { [name as 'eci']: _, ...without } = ARES;
      expect([name, read(without)]).toEqual([name, 'broken']);
      expect([name, read({ ...ARES, [name]: 'X' })]).toEqual([name, 'broken']);
    }
    expect(read({ ...ARES, threeDSServerTransID: SERVER_ID.replace('0', '1') })).toBe('broken');
  });

  test.each([
    [{ ...ARES, transStatus: 'N' }, 'rejected'],
    [{ ...ARES, transStatus: 'R' }, 'rejected'],
    [{ ...ARES, transStatus: 'U' }, 'unreachable'],
    [{ ...ARES, transStatus: 'I' }, 'information'],
    [{ ...ARES, transStatus: 'D' }, 'challenge'],
    [{ ...ARES, transStatus: 'C', acsURL: 'https://bank.example/acs' }, 'challenge'],
    [{ ...ARES, transStatus: 'C', acsURL: 'javascript:alert(1)' }, 'broken'],
    [{ ...ARES, transStatus: 'C' }, 'broken'],
    [{ declined: true }, 'declined'],
    [{ messageType: 'Erro', errorCode: '403' }, 'unreachable'],
    [{ messageType: 'Erro', errorCode: '203' }, 'broken'],
    [[], 'broken'],
    ['x', 'broken'],
  ])('%j is %s', (message, kind) => {
    expect(read(message)).toBe(kind);
  });

  test('a server that fails was not reached', () => {
    expect(read(ARES, 500)).toBe('unreachable');
    expect(read(ARES, 302)).toBe('broken');
  });

  test('a result of another authentication is none', () => {
    const rreq = new Map(Object.entries({ ...ARES, messageType: 'RReq' }));
    expect(readResult(rreq, SERVER_ID)?.kind).toBe('authenticated');
    expect(readResult(rreq, 'another')).toBeUndefined();
    expect(readResult(new Map([...rreq, ['challengeCancel', '01']]), SERVER_ID)?.kind).toBe('left');
    expect(readResult(new Map([...rreq, ['messageType', 'CRes']]), SERVER_ID)).toBeUndefined();
  });

  test('06 is an attempt at Visa and an exemption at Mastercard', () => {
    expect([shiftsLiability('visa', 'A', '06'), shiftsLiability('mastercard', 'A', '06')]).toEqual([true, false]);
    expect([shiftsLiability('mastercard', 'Y', '02'), shiftsLiability('visa', 'Y', '02')]).toEqual([true, false]);
    expect([
      shiftsLiability('amex', 'Y', '05'),
      shiftsLiability('visa', 'Y', '07'),
      shiftsLiability('visa', 'N', '05'),
    ]).toEqual([true, false, false]);
  });
});

/** What was seen → under ask_3ds, force_3ds and after a soft decline. */
test.each([
  ['information', 'goes on', 'authentication_failed', 'issuer_soft_decline'],
  ['not_enrolled', 'goes on', 'card_not_enrolled', 'issuer_soft_decline'],
  ['unreachable', 'goes on', 'acs_unreachable', 'issuer_soft_decline'],
  ['broken', 'goes on', 'authentication_failed', 'issuer_soft_decline'],
  ['rejected', 'authentication_incorrect', 'authentication_incorrect', 'authentication_incorrect'],
  ['declined', 'authentication_declined', 'authentication_declined', 'authentication_declined'],
  ['left', 'payer_left_authentication', 'payer_left_authentication', 'payer_left_authentication'],
  ['timed_out', 'authentication_timed_out', 'authentication_timed_out', 'authentication_timed_out'],
] as const)('%s', (kind, ...expected) => {
  const verdicts = (['ask_3ds', 'force_3ds', 'soft_decline'] as const).map((demand) => {
    const verdict = decideAuthentication({ kind }, { demand, asked_payer: false });
    return verdict.kind === 'ends' ? verdict.result : 'goes on';
  });
  expect(verdicts).toEqual(expected);
  const after = decideAuthentication({ kind }, { demand: 'soft_decline', asked_payer: true });
  expect(after).toMatchObject({ kind: 'ends', status: 'authentication_declined' });
});
