// Card digits have one home: after payments of every kind they are searched for everywhere else.
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { luhn } from '../../src/core/card.ts';
import { GOOD_CARD, type Reply, send, textAt, until } from '../client.ts';
import { type World, world } from '../world.ts';

const CVC = '739';
let w: World;
const said: string[] = [];

beforeAll(async () => {
  w = await world();
});
afterAll(() => w[Symbol.asyncDispose]());

/** Marked numbers: valid, of a supported range, and nowhere else in the world. */
function canary(n: number): string {
  const head = `44993${String(7_100_000 + n * 137).padStart(7, '0')}${String(100 + n).padStart(3, '0')}`;
  for (let digit = 0; digit < 10; digit++) if (luhn(Buffer.from(`${head}${digit}`))) return `${head}${digit}`;
  throw new Error('one of ten digits fits');
}

/** What must not stand anywhere: the number, in several spellings, and its middle digits alone. */
function spellings(number: string): readonly string[] {
  const bytes = Buffer.from(number);
  return [
    number,
    number.replace(/(.{4})/g, '$1 ').trim(),
    number.replace(/(.{4})/g, '$1-').slice(0, -1),
    bytes.toString('base64').slice(0, 20),
    bytes.toString('hex'),
    number.slice(5, 13),
  ];
}

function found(text: string, numbers: readonly string[]): readonly string[] {
  return numbers.filter((number) => spellings(number).some((spelling) => text.includes(spelling)));
}

async function keep(reply: Promise<Reply>): Promise<Reply> {
  const answer = await reply;
  said.push(answer.text, JSON.stringify([...answer.headers]));
  return answer;
}

const NUMBERS = Array.from({ length: 8 }, (_, n) => canary(n));

async function everyFlow(): Promise<void> {
  for (const card_number of NUMBERS) {
    const card = { ...GOOD_CARD, card_number, cvc: CVC, cardholder_name: 'Ada Martin' };
    const checkout_id = await w.shop.checkout();
    const token = textAt(await keep(w.shop.vault('/token', { body: { ...card, checkout_id } })), 'token');
    const order = await keep(w.shop.order({ token, checkout_id }));
    await keep(w.shop.decided(textAt(order, 'order_id')));
    const sale = textAt(await keep(w.shop.vault('/token', { body: card })), 'token');
    await keep(
      w.shop.order({
        token: sale,
        operation_type: 'direct_capture',
        amount: 5,
        currency: 'EUR',
        order_merchant_id: `s-${card_number.slice(-4)}`,
      }),
    );
    // the same digits where they do not belong: refused or ignored, and repeated by nobody
    await keep(w.shop.vault('/token', { body: { ...card, card_number: `${card_number}1` } }));
    await keep(w.shop.vault('/token', { body: { ...card, cardholder_name: card_number } }));
    await keep(w.shop.vault('/token', { body: { ...card, [card_number]: card_number, cvc: card_number } }));
    await keep(
      w.shop.api('/payment/checkout', { body: { type: card_number, card_number, cvc: CVC, [`x${card_number}`]: 1 } }),
    );
    await keep(w.shop.order({ token, card_number, cvc: CVC }));
    await typedIntoWords(card_number);
    await keep(send(`${w.service.addresses.base_url}/payment/order/${card_number}`, { key: w.keys.private_key }));
  }
}

const WORDS =
  'order_description subscription_description customer_first_name customer_last_name customer_street_name customer_city ' +
  'customer_zip_code customer_billing_first_name customer_billing_last_name customer_billing_street_name ' +
  'customer_billing_city customer_billing_zip_code shipping_first_name shipping_last_name shipping_address_city ' +
  'shipping_address_street_name_line1 shipping_address_street_name_line2 shipping_address_state shipping_address_zip_code';

/** A payer's number in a name or an address, where payers and their browsers write it by mistake: it is paid. */
async function typedIntoWords(card_number: string): Promise<void> {
  const order_description = `at ${'#'.repeat(card_number.length)} here`;
  const words = Object.fromEntries(WORDS.split(' ').map((name) => [name, `at ${card_number} here`]));
  const names = Object.fromEntries(
    ['product_name', 'seller_name', 'product_description'].map((name) => [name, card_number]),
  );
  const fields = { ...words, basket_content: [names] };
  const checkout_id = await w.shop.checkout(fields);
  const token = textAt(await keep(w.shop.vault('/token', { body: { ...GOOD_CARD, checkout_id } })), 'token');
  const order = await keep(w.shop.order({ token, checkout_id, ...fields }));
  const decided = await keep(w.shop.decided(textAt(order, 'order_id')));
  expect(decided.body).toMatchObject({ status: 'authorization_successful', order_description });
}

test('no card number and no cvc is outside the vault: not in answers, the payment schema, the books of the bank or its journal', async () => {
  await everyFlow();
  expect(found(said.join('\n'), NUMBERS)).toEqual([]);
  const dump = await dumpSchema('payment');
  expect(dump.length).toBeGreaterThan(10_000);
  expect(found(dump, NUMBERS)).toEqual([]);
  expect(dump).not.toContain(`"${CVC}"`);
  const journal = await until(() => {
    const text = readFileSync(join(w.data_dir, 'simulator.journal'), 'utf8');
    return text.length > 0 ? text : undefined;
  });
  expect(found(journal, NUMBERS)).toEqual([]);
});

test('the vault keeps no card number in clear and no cvc at all', async () => {
  const dump = await dumpSchema('vault');
  expect(found(dump, NUMBERS)).toEqual([]);
  const rows = await w.sql<{ sealed: string }>(`SELECT encode(sealed, 'hex') AS sealed FROM vault.cards`);
  expect(rows.length).toBeGreaterThan(NUMBERS.length);
  const lengths = new Set(rows.map((row) => row.sealed.length));
  expect(lengths.size).toBe(1);
  for (const { sealed } of rows)
    for (const number of NUMBERS) expect(sealed).not.toContain(Buffer.from(number).toString('hex'));
});

test('the search itself finds a number that is planted', () => {
  const [number = ''] = NUMBERS;
  for (const planted of spellings(number)) expect(found(`some text ${planted} and more`, NUMBERS)).toEqual([number]);
});

test('the data folder of the deployment holds no card number outside the database files', () => {
  for (const entry of readdirSync(w.data_dir, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    expect(found(readFileSync(join(entry.parentPath, entry.name), 'latin1'), NUMBERS)).toEqual([]);
  }
});

/** Every row of every table of a schema, as text; bytes as hex and as latin1, so that both are searched. */
async function dumpSchema(schema: string): Promise<string> {
  const tables = await w.sql<{ name: string }>(
    `SELECT table_name AS name FROM information_schema.tables WHERE table_schema = $1`,
    [schema],
  );
  const parts: string[] = [];
  for (const { name } of tables) {
    const rows = await w.sql<{ row: string }>(`SELECT t::text AS row FROM ${schema}.${name} t`);
    for (const { row } of rows)
      parts.push(
        row,
        ...[...row.matchAll(/\\x([0-9a-f]{8,})/g)].map(([, hex = '']) => Buffer.from(hex, 'hex').toString('latin1')),
      );
  }
  return parts.join('\n');
}

test.each([
  ['as it is', (number: string) => number],
  ['among other things', (number: string) => `tokenize_${number}_v2`],
  ['in groups', (number: string) => number.replace(/.{4}(?=.)/g, '$&-')],
  ['as base64', (number: string) => Buffer.from(`card:${number}`).toString('base64')],
])('an Idempotency-Key that holds the card number is refused, and kept nowhere: %s', async (_, made) => {
  const card_number = canary(20);
  for (const more of [{}, { token_kind: 'network_token', cryptogram: 'AAAAAAAAAAAAAAAAAAAAAAAAAAA=' }]) {
    const body = { ...GOOD_CARD, card_number, ...more };
    const key = w.keys.private_key;
    const reply = await w.shop.vault('/token', { body, key, headers: { 'idempotency-key': made(card_number) } });
    expect([reply.status, reply.code, reply.at('errors.0.field')]).toEqual([400, '111012', 'Idempotency-Key']);
    expect(found(reply.text, [card_number])).toEqual([]);
  }
  expect(found(await dumpSchema('vault'), [card_number])).toEqual([]);
});

test('an Idempotency-Key of other digits is good, even of those of another card', async () => {
  for (const key of [`1723800615123${canary(21)}`, '20240816093015123', canary(22)]) {
    const made = () => w.shop.vault('/token', { body: GOOD_CARD, headers: { 'idempotency-key': key } });
    const token = textAt(await made(), 'token');
    expect((await made()).at('token')).toBe(token);
  }
});
