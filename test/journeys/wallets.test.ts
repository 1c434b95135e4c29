// Orders paid with Google Pay, Apple Pay and network tokens, from the payload to the simulated provider's books; and
// what is refused.
import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { systemChance, systemClock } from '../../src/kit/clock.ts';
import { type DemoPayment, demoPayload } from '../../src/vault/wallet/sandbox/demo-payload.ts';
import { type Reply, textAt } from '../client.ts';
import { cardsIn } from '../canary/scanner.ts';
import { numberOf } from '../vault/inside.ts';
import { type World, world } from '../world.ts';

const chance = systemChance(systemClock());
let w: World;
beforeAll(async () => {
  w = await world();
});
afterAll(() => w[Symbol.asyncDispose]());

let count = 100;
const newNumber = () => numberOf(count++);
const newCryptogram = () => chance.bytes(20).toString('base64');
const payment = (change: Partial<DemoPayment> = {}): DemoPayment => ({
  number: newNumber(),
  cryptogram: newCryptogram(),
  amount_minor: 4250n,
  currency: 'EUR',
  now: new Date(),
  ...change,
});
type Wallet = Parameters<typeof demoPayload>[0];
const payload = (wallet: Wallet, paid = payment()) => demoPayload(wallet, paid, chance);
const tokenize = (token_kind: string, wallet_payload: string, more: object = {}): Promise<Reply> =>
  w.shop.vault('/token', { body: { token_kind, wallet_payload, ...more } });

async function pay(token: string, more: object = {}): Promise<Reply> {
  const order = { operation_type: 'direct_capture', amount: '42.50', currency: 'EUR' };
  return w.shop.order({ token, ...order, order_merchant_id: `wallet-${count++}`, ...more }, { prefer: 'wait=10' });
}

const books = async (order: Reply) =>
  (await w.shop.api(`/sandbox/provider/books?order_id=${textAt(order, 'order_id')}`)).text;
const digestOf = (cryptogram: string | undefined) =>
  createHash('sha256')
    .update(cryptogram ?? '')
    .digest('hex')
    .slice(0, 16);

/** Everything that any table holds, as text: bytes as hex. */
async function everything(): Promise<string> {
  const tables = await w.sql<{ name: string }>(
    `SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables WHERE schemaname IN ('payment', 'vault')`,
  );
  const texts = await Promise.all(
    tables.map(({ name }) => w.sql<{ row: string }>(`SELECT t::text AS row FROM ${name} t`)),
  );
  return texts
    .flat()
    .map(({ row }) => row)
    .join('\n');
}

const WALLETS: readonly Wallet[] = ['google_pay', 'apple_pay'];

describe.each(WALLETS)('%s', (wallet) => {
  test('an order is paid with the network token and its cryptogram, which nobody but the vault and the provider sees', async () => {
    const paid = payment();
    const { number, cryptogram = '' } = paid;
    const made = await tokenize(wallet, payload(wallet, paid));
    expect([made.status, made.code, made.at('token_kind'), made.at('token_type')]).toEqual([
      200,
      '999999',
      wallet,
      'oneshot',
    ]);
    expect(made.at('card_4_digits')).toBe(number.slice(-4));
    // the wallet has authenticated the payer: no challenge, whatever the order asks
    const order = await pay(textAt(made, 'token'), { authentication_indicator: 'force_3ds' });
    expect([order.status, order.code]).toEqual([200, '955555']);
    const said = await books(order);
    expect(said).toContain(`"cryptogram_digest":"${digestOf(cryptogram)}","eci":"05"`);
    const read = await w.shop.read(textAt(order, 'order_id'));
    const seen = [made.text, order.text, read.text, said, await everything()].join('\n');
    for (const secret of [
      number,
      cryptogram,
      Buffer.from(number).toString('hex'),
      Buffer.from(cryptogram).toString('hex'),
    ])
      expect(seen).not.toContain(secret);
    expect(cardsIn(seen)).toEqual([]);
    expect((await pay(textAt(made, 'token'))).code).toBe('241021');
  });

  test('a payload is taken once', async () => {
    const text = payload(wallet);
    expect((await tokenize(wallet, text)).status).toBe(200);
    const again = await tokenize(wallet, text);
    expect([again.status, again.code]).toEqual([400, '241031']);
    expect(again.text).toContain('was used before');
  });

  test('an Idempotency-Key answers its token again', async () => {
    const body = { token_kind: wallet, wallet_payload: payload(wallet) };
    const headers = { 'idempotency-key': `key-${count++}` };
    const [first, again] = [
      await w.shop.vault('/token', { body, headers }),
      await w.shop.vault('/token', { body, headers }),
    ];
    expect([again.status, again.at('token')]).toEqual([200, first.at('token')]);
    const next = {
      body: { token_kind: wallet, wallet_payload: payload(wallet) },
      headers: { 'idempotency-key': `key-${count++}` },
    };
    const both = await Promise.all([w.shop.vault('/token', next), w.shop.vault('/token', next)]);
    expect(both.map(({ status }) => status)).toEqual([200, 200]);
    expect(both[0]?.at('token')).toBe(both[1]?.at('token'));
  });

  test('a page of the shop may bring it, from its own origin', async () => {
    const headers = { origin: 'https://shop.example' };
    const body = { token_kind: wallet, wallet_payload: payload(wallet) };
    expect((await w.shop.vault('/token', { body, headers })).status).toBe(200);
  });

  test.each<[string, () => Promise<Reply>, string]>([
    ['text that is no payload', () => tokenize(wallet, '{}'), 'send what the wallet gave, unchanged'],
    [
      'the payload of the other wallet',
      () => tokenize(wallet, payload(WALLETS.find((one) => one !== wallet) ?? wallet)),
      'wallet_payload is',
    ],
    [
      'an old one',
      () => tokenize(wallet, payload(wallet, payment({ now: new Date(Date.now() - 2 * 3_600_000) }))),
      'confirm in the wallet again',
    ],
    ['a saved card', () => tokenize(wallet, payload(wallet), { token_type: 'recurring' }), 'must be oneshot'],
    ['no payload', () => tokenize(wallet, ''), 'is required'],
    [
      'a mistyped number',
      () => tokenize(wallet, payload(wallet, payment({ number: '4242424242424241' }))),
      'check digit',
    ],
  ])('%s is refused', async (_, send, words) => {
    const reply = await send();
    expect([reply.status, reply.text]).toEqual([400, expect.stringContaining(words)]);
  });

  test('the token goes to one order, with the checkout it is bound to', async () => {
    const checkout_id = await w.shop.checkout({ amount: '42.50', currency: 'EUR' });
    const token = textAt(await tokenize(wallet, payload(wallet), { checkout_id }), 'token');
    const order = await w.shop.order({ token, checkout_id }, { prefer: 'wait=10' });
    expect(order.code).toBe('944444');
  });
});

test('Apple Pay says what the payer approved, and nothing else is charged', async () => {
  const token = textAt(await tokenize('apple_pay', payload('apple_pay')), 'token');
  const more = await pay(token, { amount: '42.51' });
  expect([more.status, more.code, more.at('errors.0.field')]).toEqual([400, '111012', 'amount']);
  expect((await pay(token, { currency: 'USD' })).at('errors.0.field')).toBe('currency');
  expect((await pay(token)).code).toBe('955555');
});

test('the number of a card itself, from Google Pay, goes through 3-D Secure though the order does not ask for it', async () => {
  const card = payment({ number: '4000002760003184', cryptogram: undefined });
  const token = textAt(await tokenize('google_pay', payload('google_pay', card)), 'token');
  const order = await pay(token, { authentication_indicator: 'no_3ds' });
  expect([order.at('status'), order.code]).toEqual(['authentication_requested', '421080']);
  expect(textAt(order, 'redirect_url')).toContain('/pay/');
});

describe('a network token of the merchant', () => {
  const card = () => ({
    token_kind: 'network_token',
    card_number: newNumber(),
    card_validity_month: '12',
    card_validity_year: '2034',
    cryptogram: newCryptogram(),
    eci: '07',
  });
  const send = (body: object, headers: Readonly<Record<string, string>> = {}) =>
    w.shop.vault('/token', { body, headers, key: w.keys.private_key });

  test('is paid with its cryptogram', async () => {
    const body = card();
    const made = await send(body);
    expect([made.status, made.at('token_kind')]).toEqual([200, 'network_token']);
    const order = await pay(textAt(made, 'token'));
    expect(order.code).toBe('955555');
    expect(await books(order)).toContain(`"cryptogram_digest":"${digestOf(body.cryptogram)}","eci":"07"`);
    const all = await everything();
    expect([all.includes(body.cryptogram), all.includes(body.card_number)]).toEqual([false, false]);
  });

  test('is answered again under its Idempotency-Key, and goes out with the cryptogram all the same', async () => {
    const [body, headers] = [card(), { 'idempotency-key': `key-${count++}` }];
    const [first, again] = [await send(body, headers), await send(body, headers)];
    expect(again.at('token')).toBe(first.at('token'));
    expect((await send({ ...body, cryptogram: newCryptogram() }, headers)).status).toBe(422);
    expect((await pay(textAt(again, 'token'))).code).toBe('955555');
  });

  test.each<[string, object, number, string]>([
    ['no cryptogram', { cryptogram: undefined }, 400, '111011'],
    ['a cryptogram that is no base64', { cryptogram: '!!!!!!!!!!' }, 400, '241031'],
    ['an indicator that is none', { eci: '9' }, 400, '111012'],
    ['a saved card', { token_type: 'recurring' }, 400, '111012'],
    ['a number that is none', { card_number: '4242' }, 400, '240021'],
  ])('%s is refused', async (_, change, status, code) => {
    const reply = await send({ ...card(), ...change });
    expect([reply.status, reply.code]).toEqual([status, code]);
  });

  test('is told everything that is missing or wrong at once, its own fields and those of a card', async () => {
    const fields = async (body: object) => {
      const { text } = await send({ token_kind: 'network_token', ...body });
      return [...text.matchAll(/"field":"(\w+)"/g)].map(([, field]) => field);
    };
    expect(await fields({})).toEqual(['cryptogram', 'card_number', 'card_validity_month', 'card_validity_year']);
    const wrong = {
      cryptogram: '!',
      eci: '9',
      card_number: '4242',
      card_validity_month: '13',
      token_type: 'recurring',
    };
    expect(await fields({ ...wrong, card_validity_year: '2020' })).toEqual([
      'eci',
      'cryptogram',
      'card_number',
      'card_validity_month',
      'card_validity_year',
      'token_type',
    ]);
  });

  test('needs a private key', async () => {
    const reply = await w.shop.vault('/token', { body: card() });
    expect([reply.status, reply.code]).toEqual([403, '111023']);
  });

  test('does not go out without its cryptogram, not even to a fallback', async () => {
    const made = await send({ ...card(), card_number: '4000000000000119' });
    const order = await pay(textAt(made, 'token'));
    expect([order.at('status'), order.code]).toEqual(['authorization_declined', '420410']);
    const forwards = await w.sql<{ destination: string; state: string }>(
      `SELECT destination, state FROM vault.forwards WHERE order_id = decode($1, 'hex') ORDER BY sent_at`,
      [textAt(order, 'order_id')],
    );
    expect(forwards.map(({ destination }) => destination)).toEqual(['simulator', 'simulator_b']);
    expect(forwards.at(-1)?.state).toBe('not_sent');
  });
});
