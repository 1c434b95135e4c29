// Contract 9.4: countries of addresses, issuers and countries of cards: of test cards and documentation networks in a
// sandbox, of the operator's databases, null where nothing is known.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { NO_ORIGIN } from '../../src/core/origin/origins.ts';
import { openOrigins } from '../../src/kit/origin/origins.ts';
import { textAt } from '../client.ts';
import { receiver } from '../notifications/receiver.ts';
import { type World, world } from '../world.ts';
import { writeMmdb } from './mmdb.ts';

const folder = mkdtempSync(join(tmpdir(), 'florin-origins-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function file(name: string, bytes: Buffer | string): string {
  const path = join(folder, name);
  writeFileSync(path, bytes);
  return path;
}

const COUNTRIES = file(
  'countries.mmdb',
  writeMmdb([
    ['9.0.0.0/8', { country: { iso_code: 'SE' } }],
    ['8.8.8.0/24', { country_code: 'NO' }],
    ['7.7.0.0/16', { country: { iso_code: 'Finland' } }],
  ]),
);
const RANGES = file(
  'ranges.csv',
  `BIN,Brand,Type,Category,Issuer,IssuerPhone,IssuerUrl,isoCode2,isoCode3,CountryName
512345,MASTERCARD,DEBIT,,"Banque ""A"", Paris",,,fr,FRA,France
49010112,VISA,CREDIT,,Bank One,,,SE,SWE,Sweden
49010113,VISA,CREDIT,,Bank Two,,,SE,SWE,Sweden
430000,VISA,,,,,,,,
440000,VISA,DEBIT,PREPAID RELOADABLE,,,,,,
450000,DINERS,CHARGE CARD,,,,,,,
46000012,VISA,CREDIT,,,,,,,
46000013,VISA,DEBIT,,,,,,,
`,
);
const last4 = '0000';

describe("the operator's databases", () => {
  const named = { environment: 'production', address_countries_file: COUNTRIES, card_ranges_file: RANGES } as const;
  const origins = openOrigins(named);

  test('tell the country of an address, in both forms that databases have', () => {
    const asked = ['9.1.2.3', '8.8.8.8', '8.8.9.8', '7.7.7.7', '1.1.1.1', 'no address', ''];
    expect(asked.map((ip) => origins.countryOf(ip))).toEqual(['SE', 'NO', null, null, null, null, null]);
  });

  test("tell issuer and country by a card's first six digits, and nothing that two longer ranges differ in", () => {
    expect(origins.cardOf({ first6: '512345', last4 })).toEqual({
      issuer: 'Banque "A", Paris',
      country: 'FR',
      funding: 'debit',
    });
    expect(origins.cardOf({ first6: '490101', last4 })).toEqual({
      issuer: null,
      country: 'SE',
      funding: 'credit',
    });
    for (const first6 of ['430000', '424242', null]) expect(origins.cardOf({ first6, last4 })).toEqual(NO_ORIGIN);
  });

  test('tell the kind of a card, of which a prepaid one is called so in its category', () => {
    const funding = (first6: string) => origins.cardOf({ first6, last4 }).funding;
    expect(['440000', '450000', '460000'].map(funding)).toEqual(['prepaid', 'credit', null]);
  });

  test('that are not there know nothing, and production has no test cards', () => {
    const none = openOrigins({ environment: 'production', address_countries_file: '', card_ranges_file: '' });
    expect(none.countryOf('192.0.2.1')).toBeNull();
    expect(none.cardOf({ first6: '424242', last4: '4242' })).toEqual(NO_ORIGIN);
  });

  test.each([
    ['address_countries_file', 'no database', 'FLORIN_ADDRESS_COUNTRIES_FILE'],
    ['card_ranges_file', 'a,b,c\n', 'has no column "bin"'],
    ['card_ranges_file', 'bin,issuer,isoCode2\n51,Bank,FR\n', 'in line 2'],
  ] as const)('stop the start where they are not what they should be: %s', (name, text, says) => {
    const broken = { ...named, [name]: file('broken', text) };
    expect(() => openOrigins(broken)).toThrow(says);
    expect(() => openOrigins({ ...named, [name]: join(folder, 'absent') })).toThrow('cannot be read');
  });
});

describe('a sandbox', () => {
  let w: World;
  beforeAll(async () => {
    w = await world({ FLORIN_NOTIFICATION_PRIVATE_TARGETS: 'yes' });
  });
  afterAll(() => w[Symbol.asyncDispose]());

  test('lists issuer and country with each test card, and orders with that card answer them', async () => {
    const listed = await w.shop.api('/sandbox/cards');
    const cards = listed.at('cards');
    if (!Array.isArray(cards)) throw new Error('a list of cards');
    expect(cards.every((card) => /^[A-Z]{2}$/.test(Object(card).country))).toBe(true);
    for (const number of ['4242424242424242', '378282246310005', '4000008260003178', '6703444444444449']) {
      const { country } = Object(cards.find((card) => Object(card).number === number));
      const paid = await w.shop.pay({ card_number: number, cvc: number.startsWith('37') ? '1234' : '123' });
      const read = await w.shop.read(textAt(paid, 'order_id'));
      expect([number, read.at('transactions.0.card_issuer'), read.at('transactions.0.card_country')]).toEqual([
        number,
        'Florin Test Bank',
        country,
      ]);
    }
    const other = await w.shop.pay({ card_number: '4000001234567899' });
    const read = await w.shop.read(textAt(other, 'order_id'));
    expect([read.at('transactions.0.card_issuer'), read.at('transactions.0.card_country')]).toEqual([null, null]);
  });

  test('knows the documentation networks, in orders and customer records, and no other address', async () => {
    for (const [customer_ip, country] of [
      ['192.0.2.9', 'FR'],
      ['198.51.100.255', 'DE'],
      ['203.0.113.7', 'US'],
      ['9.9.9.9', null],
      ['2001:db8::1', null],
    ] as const) {
      const paid = await w.shop.pay({}, { customer_ip, customer_id: customer_ip });
      const read = await w.shop.read(textAt(paid, 'order_id'));
      expect([read.at('transactions.0.customer_ip'), read.at('transactions.0.customer_ip_country')]).toEqual([
        customer_ip,
        country,
      ]);
      const record = await w.shop.api(`/payment/information/${encodeURIComponent(customer_ip)}`);
      expect([record.at('ip'), record.at('ip_country')]).toEqual([customer_ip, country]);
    }
    const without = await w.shop.read(textAt(await w.shop.pay(), 'order_id'));
    expect([without.at('transactions.0.customer_ip'), without.at('transactions.0.customer_ip_country')]).toEqual([
      null,
      null,
    ]);
  });

  test('tells them in notifications', async () => {
    await using to = await receiver();
    await w.shop.api('/notification/endpoint', { body: { url: to.url } });
    const paid = await w.shop.pay({ card_number: '4242424242424242' });
    const order_id = textAt(paid, 'order_id');
    const taken = await to.until((got) => got.some(({ body }) => body['order_id'] === order_id));
    expect(taken[0]?.body).toMatchObject({ card_issuer: 'Florin Test Bank', card_country: 'FR' });
  });
});
