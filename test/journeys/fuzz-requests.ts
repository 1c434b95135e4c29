// Requests out of dice: good ones spoilt a little, good ones with real ids in bad order, and bytes that are hardly
// HTTP.
import { CHECKOUT, GOOD_CARD } from '../client.ts';
import type { Visit } from './door.ts';
import { CHECKOUT_FIELDS, GROUPS, ORDER_FIELDS, PRODUCT } from './field-table.ts';
import { Raw, jsonOf } from './field-types.ts';
import { type Random, seeded } from '../seeded.ts';

/** Stands in every value that is made up here: an error that holds it has repeated a value. */
export const MARK = 'zebra';

/** Numbers by chance that come again with the same seed. */
export class Dice {
  readonly next: Random;
  constructor(seed: number) {
    this.next = seeded(seed);
  }

  int(below: number): number {
    return Math.floor(this.next() * below);
  }

  chance(of: number): boolean {
    return this.next() < of;
  }

  pick<T>(list: readonly T[]): T {
    if (list.length === 0) throw new Error('an empty list was asked for an item');
    return list[this.int(list.length)] as T;
  }
}

/** What earlier requests made: later ones use it. */
export type Pool = { readonly checkouts: string[]; readonly tokens: string[]; readonly orders: string[] };

export type Keys = { readonly private_key: string; readonly public_key: string; readonly foreign_key: string };

const ODD_TEXTS = [
  '\u0000',
  '\ud800',
  '\udfff',
  '\u202e',
  '\n',
  '\r\n',
  '"',
  '\\',
  "'; --",
  '😀',
  '%s',
  '${x}',
  '<b>',
  '🏳️‍🌈',
];
const ODD_NAMES = [
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  'then',
  '',
  ' ',
  MARK,
  'é',
  '\u0000',
  '42424242424242',
];

function hostile(dice: Dice, depth = 0): unknown {
  const text = () => `${MARK}-${dice.int(1e9).toString(36)}`;
  const kinds: (() => unknown)[] = [
    text,
    () => text() + dice.pick(ODD_TEXTS) + text(),
    () => text().repeat(1 + dice.int(400)),
    () => dice.pick([0, -1, 1, 1.5, 1e21, -1e-9, 2 ** 53, 12_345_678_901]),
    () => new Raw(dice.pick(['1e400', '-0', '1E-400', '0.1000000000000000055', '9'.repeat(1 + dice.int(300)), '-1e5'])),
    () => new Raw(`"\\u${dice.pick(['d800', 'dfff', '0000', '0022', 'ffff', 'zzzz'])}${MARK}"`),
    () => dice.pick([true, false, null, '']),
    () => dice.pick(['2024-02-30', '9999-12-31T23:59:59-18:00', '0000-00-00', '1000-01-01T00:00:00+18:00']),
    () => dice.pick(['10000000000', '0.01', '20.00', '1e2', '00', '.5', `0.${'0'.repeat(50)}`]),
    () => Array.from({ length: dice.int(5) }, () => (depth < 5 ? hostile(dice, depth + 1) : text())),
    () =>
      Object.fromEntries(
        Array.from({ length: dice.int(4) }, () => [dice.pick(ODD_NAMES), depth < 5 ? hostile(dice, depth + 1) : 1]),
      ),
  ];
  return dice.pick(kinds)();
}

const KNOWN = new Map([...GROUPS, ...CHECKOUT_FIELDS, ...ORDER_FIELDS.filter(([name]) => !name.includes('.'))]);
const KNOWN_NAMES = [...KNOWN.keys(), 'amount', 'currency', 'expiration_date', 'merchant_data', 'basket_content'];
const OTHER_NAMES = ['token', 'checkout_id', '3ds_data', 'airline_data', 'giftcard_amount', 'giftcard_currency'];
const CARD_NAMES = ['card_number', 'card_validity_month', 'card_validity_year', 'cvc', 'cardholder_name', 'token_kind'];

function valueOf(dice: Dice, name: string): unknown {
  const type = KNOWN.get(name);
  if (name === 'basket_content' || name === 'merchant_data' || name === '3ds_data') return listOf(dice, name);
  if (!type || dice.chance(0.3)) return hostile(dice);
  return dice.chance(0.7) ? dice.pick(type.taken)[0] : dice.pick(type.refused);
}

function listOf(dice: Dice, name: string): unknown {
  if (dice.chance(0.2)) return hostile(dice);
  const names =
    name === 'basket_content' ? PRODUCT.map(([product]) => product) : ['key', 'value', 'type', 'cavv', 'eci'];
  const item = () => Object.fromEntries(Array.from({ length: dice.int(4) }, () => [dice.pick(names), hostile(dice)]));
  return name === '3ds_data' ? item() : Array.from({ length: dice.pick([0, 1, 2, 50, 51, 200, 201]) }, item);
}

let references = 0;

/** A body that would be taken. */
function goodBody(dice: Dice, path: string, pool: Pool): Record<string, unknown> {
  const order_merchant_id = dice.chance(0.2) ? 'the same' : `fuzz-${references++}`;
  if (path === '/token')
    return {
      ...GOOD_CARD,
      card_number: dice.pick(['4242424242424242', '5555 5555 5555 4444', '378282246310005', '4000000000000002']),
      ...(dice.chance(0.3) && { token_type: 'recurring' }),
      ...(dice.chance(0.3) && pool.checkouts.length > 0 && { checkout_id: dice.pick(pool.checkouts) }),
    };
  const checkout = { ...CHECKOUT, operation_type: dice.pick(['authorize', 'direct_capture']), order_merchant_id };
  if (path === '/payment/checkout') return checkout;
  const token = pool.tokens.length > 0 ? dice.pick(pool.tokens) : '0'.repeat(64);
  if (dice.chance(0.5) && pool.checkouts.length > 0) return { token, checkout_id: dice.pick(pool.checkouts) };
  return { ...checkout, token, ...(dice.chance(0.3) && { type: 'hosted_fields' }) };
}

const PATHS = ['/payment/checkout', '/payment/order', '/order/create', '/token'] as const;
const hostOf = (path: string) => (path.startsWith('/token') ? 'vault' : 'api');

/** Headers that may be good or bad; what a client library refuses to send is left to the raw bytes. */
function headersOf(dice: Dice, host: 'api' | 'vault', keys: Keys): Record<string, string | undefined> {
  const good = host === 'api' ? keys.private_key : dice.pick([keys.public_key, keys.private_key]);
  const bad = () =>
    dice.pick([undefined, '', MARK, keys.public_key, keys.foreign_key, `${good}x`, 'é', MARK.repeat(999)]);
  return {
    'x-api-key': dice.chance(0.95) ? good : bad(),
    ...(dice.chance(0.2) && { version: dice.pick(['1', '2.3', '2.3.0', '', '9', MARK, '2.3.0.0']) }),
    ...(dice.chance(0.3) && { prefer: dice.pick(['wait=1', 'respond-async', 'wait=0', MARK, 'wait=99', 'wait=-1']) }),
    ...(dice.chance(0.3) && { 'idempotency-key': dice.pick(['a', 'b', 'c', `k${dice.int(200)}`, '', `${MARK} x`]) }),
    ...(dice.chance(0.05) && { 'content-type': dice.pick(['text/xml', MARK, 'application/json; charset=x', '']) }),
    ...(dice.chance(0.05) && { origin: dice.pick(['https://shop.example', 'null', MARK]) }),
    ...(dice.chance(0.05) && { accept: MARK, 'accept-encoding': 'gzip', cookie: MARK, 'x-forwarded-for': MARK }),
    ...(dice.chance(0.02) && { 'content-encoding': 'gzip' }),
  };
}

/** 70 %: a good body, spoilt in a few places. */
function mutated(dice: Dice, pool: Pool, keys: Keys): Visit {
  const path = dice.pick(PATHS);
  const host = hostOf(path);
  const body = goodBody(dice, path, pool);
  const names = path === '/token' ? [...CARD_NAMES, ...CARD_NAMES, ...KNOWN_NAMES] : [...KNOWN_NAMES, ...OTHER_NAMES];
  for (let i = dice.int(6); i > 0; i--) {
    const name = dice.chance(0.85) ? dice.pick(names) : dice.pick([...ODD_NAMES, ...CARD_NAMES]);
    if (dice.chance(0.1)) delete body[dice.pick(Object.keys(body).concat('none'))];
    else Object.defineProperty(body, name, { value: valueOf(dice, name), enumerable: true, configurable: true });
  }
  let text = jsonOf(body);
  if (dice.chance(0.1)) {
    const at = dice.int(text.length);
    text = text.slice(0, at) + dice.pick([...'{}[]",:\\0', '\u0000', 'é', '']) + text.slice(at + dice.int(3));
  }
  const bytes = dice.chance(0.02) ? Buffer.concat([Buffer.from(text), Buffer.from([0xff, 0xfe])]) : text;
  const query = dice.chance(0.05) ? `?${MARK}=${MARK}&__proto__=1&a[]=2` : '';
  return { host, method: 'POST', path: path + query, body: bytes, headers: headersOf(dice, host, keys) };
}

/** 20 %: what exists, used in any order: read, paid again, bound, paid by others. */
function stateful(dice: Dice, pool: Pool, keys: Keys): Visit {
  if (dice.chance(0.5)) {
    const path = dice.pick(PATHS);
    const host = hostOf(path);
    const headers = headersOf(dice, host, keys);
    if (host === 'api' && dice.chance(0.1)) headers['x-api-key'] = keys.foreign_key;
    return { host, method: 'POST', path, body: goodBody(dice, path, pool), headers };
  }
  const [folder, ids] = dice.pick([
    ['checkout', pool.checkouts],
    ['order', pool.orders],
    ['order', pool.checkouts],
    ['nothing', pool.orders],
  ] as const);
  const known =
    ids.length > 0 && dice.chance(0.8)
      ? dice.pick(ids)
      : dice.pick([MARK, '', '%', `%zz${MARK}`, '%00', 'x'.repeat(1200), '..']);
  const method = dice.chance(0.8) ? 'GET' : dice.pick(['HEAD', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'TRACE', 'POST']);
  const headers = { 'x-api-key': dice.chance(0.9) ? keys.private_key : keys.foreign_key };
  return { host: 'api', method, path: `/payment/${folder}/${known}`, headers };
}

/** 70 % mutated, 20 % stateful; the other 10 % are bytes. */
export function httpRequest(dice: Dice, pool: Pool, keys: Keys): Visit {
  return dice.chance(7 / 9) ? mutated(dice, pool, keys) : stateful(dice, pool, keys);
}

/** Bytes for a plain socket: a good request that was damaged, or noise. */
export function rawBytes(dice: Dice, keys: Keys): { readonly host: 'api' | 'vault'; readonly bytes: Buffer } {
  const path = dice.pick(PATHS);
  const body = jsonOf(goodBody(dice, path, { checkouts: [], tokens: [], orders: [] }));
  const key = hostOf(path) === 'api' ? keys.private_key : keys.public_key;
  const head = `POST ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\nx-api-key: ${key}\r\ncontent-type: application/json\r\n`;
  const length = `content-length: ${Buffer.byteLength(body)}\r\n`;
  const noise = () => Buffer.from(Array.from({ length: dice.int(500) }, () => dice.int(256)));
  const whole = Buffer.from(`${head}${length}\r\n${body}`);
  const damaged = Buffer.from(whole);
  for (let i = 0; i < 1 + dice.int(4); i++) damaged[dice.int(damaged.length)] = dice.int(256);
  const bytes = dice.pick([
    noise,
    () => damaged,
    () => whole.subarray(0, dice.int(whole.length)),
    () =>
      Buffer.from(
        `${head}content-length: ${dice.pick(['-1', '1e9', '99999999999999999999', '5, 6', MARK])}\r\n\r\n${body}`,
      ),
    () =>
      Buffer.from(
        `${head}${length}transfer-encoding: chunked\r\n\r\n5\r\n{"a":\r\n0\r\n\r\nGET /${MARK} HTTP/1.1\r\n\r\n`,
      ),
    () =>
      Buffer.from(`${head}transfer-encoding: chunked\r\n\r\n${dice.pick(['zz', '-5', 'ffffffffff', '5'])}\r\n${body}`),
    () => Buffer.from(`${head}${MARK}: ${'x'.repeat(20_000)}\r\n${length}\r\n${body}`),
    () => Buffer.from(`${head}${MARK}${dice.pick(ODD_TEXTS)}: ${dice.pick(ODD_TEXTS)}\r\n${length}\r\n${body}`),
    () =>
      Buffer.from(
        `${dice.pick(['get', 'POST', MARK, ''])} ${dice.pick(['/', '*', '//', `/%${MARK}`, 'http://x/'])} HTTP/${dice.pick(['1.0', '1.1', '2.0', '9'])}\r\nhost: 127.0.0.1\r\n\r\n`,
      ),
    () => Buffer.concat([whole, whole, damaged]),
    () => Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'),
    () => Buffer.concat([Buffer.from([0x16, 0x03, 0x01, 0x02, 0x00]), noise()]),
  ])();
  return { host: hostOf(path), bytes };
}
