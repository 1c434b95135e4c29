// Contract 1.4, 2.5, 4.1, 4.2, 15.4: every route, field and value that the contract names is taken, and what it does
// not name is refused as its table says. The rows come from the contract itself.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { CHECKOUT, GOOD_CARD, type Json, type Reply, send, textAt } from '../client.ts';
import { type World, world } from '../world.ts';
import { type Fields, newReference, pay, problemFinding } from './answers.ts';
import { type Row, play, rows } from './document.ts';

let w: World;
let document: Json;
beforeAll(async () => {
  w = await world({ FLORIN_TRUSTED_PROXIES: '127.0.0.1' });
  document = (await w.shop.api('/openapi.json')).body;
});
afterAll(() => w[Symbol.asyncDispose]());

const ID = '0123456789abcdef01234567';

/** The routes of the index: host, method, path. */
function routesOfIndex() {
  return rows('1.4').flatMap(([call = '', host = '', key = '']) => {
    const [method = '', template = ''] = call.split(' ');
    const path = template.replace(/\{[^}]+\}/g, ID);
    return key.includes('private') ? [{ host, method, template, path }] : [];
  });
}

function routeRows(): readonly Row[] {
  return routesOfIndex().flatMap(({ host, method, template, path }, i) => {
    // there are more routes than failed keys a minute from one address (contract 2.10)
    const elsewhere = { 'x-forwarded-for': `198.51.100.${i}` };
    const at = (host === 'vault' ? w.service.addresses.vault_url : w.service.addresses.base_url) + path;
    const good = host === 'vault' ? w.keys.public_key : w.keys.private_key;
    const ask = (key: string | null, more: object = {}) => {
      const body = method === 'GET' ? {} : { body: '{}' };
      return send(at, { method, key, ...body, ...more });
    };
    const published = Object(document).paths[template][method.toLowerCase()].responses;
    const row = (what: string, expected: readonly [number, string], reply: () => Promise<Reply>): Row => ({
      row: `1.4/2.5 ${method} ${path} ${what}`,
      check: async () => {
        const [status] = expected;
        // 405 is of the path, and no operation has it
        if (status !== 405 && !(status in published)) return `openapi.json has no ${status} for it`;
        return problemFinding(await reply(), expected, document);
      },
    });
    return [
      row('without a key', [401, '111022'], () => ask(null)),
      row('with an unknown key', [403, '111022'], () => ask('x'.repeat(40), { headers: elsewhere })),
      ...(host === 'vault' ? [] : [row('with a public key', [403, '111023'], () => ask(w.keys.public_key))]),
      row('with a version that is none', [400, '111012'], () => ask(good, { headers: { version: '3.0.0' } })),
      row('with a method that is none', [405, '404000'], () => send(at, { method: 'PATCH', key: good })),
      ...(method === 'GET'
        ? []
        : [
            row('as plain text', [415, '111012'], () => ask(good, { headers: { 'content-type': 'text/plain' } })),
            row('with no JSON', [400, '111012'], () => ask(good, { body: '{' })),
            row('with a large body', [413, '111012'], () => ask(good, { body: `{"a":"${'x'.repeat(70_000)}"}` })),
            row('with a bad key of repetition', [400, '111012'], () =>
              ask(good, { headers: { 'idempotency-key': 'ä' } }),
            ),
          ]),
    ];
  });
}

/** Where a value of an enumeration is sent. */
const SENT: Readonly<Record<string, (name: string, value: string) => Promise<Reply>>> = {
  refund_reason: async (name, value) => {
    const order_id = textAt(await pay(w.shop, '4242424242424242', { operation_type: 'direct_capture' }), 'order_id');
    return w.shop.api(`/payment/maintenance/refund/${order_id}`, { body: { [name]: value } });
  },
  product_type: (name, value) => checkout({ basket_content: [{ [name]: value }] }),
  customer_scheme_name: (name, value) => w.shop.vault('/token', { body: { ...GOOD_CARD, [name]: value } }),
};
const checkout = (fields: Fields) => w.shop.api('/payment/checkout', { body: { ...CHECKOUT, ...fields } });

function enumerationRows(): readonly Row[] {
  return rows('4.1').flatMap(([fields = '', cell = '']) => {
    if (fields.includes('(answer)') || fields === 'token_kind') return [];
    const lists = cell.split(' / ');
    const named = fields
      .split(' / ')
      .flatMap((group, i) => group.split(', ').map((name) => [name, lists[i] ?? ''] as const));
    return named.flatMap(([short, list]) => {
      const name = short.replace(/^card /, '').replace(/^_/, 'shipping_delivery_');
      const values = list
        .replace(/\([^()]*\)/g, '')
        .split(',')
        .map((value) => value.trim());
      const ask = SENT[name] ?? ((field: string, value: string) => checkout({ [field]: value }));
      const taken = values.map((value) => ({
        row: `4.1 ${name} ${value}`,
        check: async () => {
          const reply = await ask(name, value);
          const ignored = reply.headers.get('x-ignored-fields');
          return reply.status === 200 && ignored === null ? undefined : `${reply.status} ${reply.text} ${ignored}`;
        },
      }));
      if (name === 'payment_method_name') return taken;
      const refused = [`${values[0]}x`, String(values[0]).toUpperCase()].map((value) => ({
        row: `4.1 ${name} not ${value}`,
        check: async () => problemFinding(await ask(name, value), [400, '111012'], document),
      }));
      return [...taken, ...refused];
    });
  });
}

/** Names of a group, `_last_name` and `…_order_year` completed by the name before. */
function fieldNames(cell: string, known: ReadonlySet<string>): readonly string[] {
  const plain = cell
    .replace(/the nine customer_browser_info_\* fields.*/, BROWSER)
    .replace(/basket_content list of .*/, 'basket_content')
    .replace(/merchant_data list of .*/, 'merchant_data');
  const words = plain.match(/(?:…|\b)_?[a-z0-9_]*_[a-z0-9_]+|\blocale\b/g) ?? [];
  let base: readonly string[] = [];
  return words.map((word) => {
    if (!/^[…_]/.test(word)) {
      base = word.split('_');
      return word;
    }
    const tail = word.replace(/^…?_/, '');
    const ways = base.map((_, i) => [...base.slice(0, base.length - i), tail].join('_'));
    return ways.find((way) => known.has(way)) ?? `${base.join('_')} ${word}`;
  });
}

const BROWSER = ['js_enabled', 'java_enabled', 'screen_height', 'screen_width', 'color_depth', 'time_zone']
  .concat('language', 'user_agent', 'accept_header')
  .map((name) => `customer_browser_info_${name}`)
  .join(', ');

/** A good value of a field: the example that openapi.json publishes, or a plain one of its type. */
const EXAMPLES: Readonly<Record<string, unknown>> = {
  basket_content: [{ product_name: 'Lamp' }],
  merchant_data: [{ key: 'a', type: 'string', value: 'b' }],
};

function fieldRows(): readonly Row[] {
  const schema = Object(document).components.schemas.CheckoutRequest ?? requestSchema('/payment/checkout');
  const properties: Readonly<Record<string, unknown>> = schema.properties;
  const known = new Set(Object.keys(properties));
  return rows('4.2').flatMap(([group = '', cell = '']) =>
    fieldNames(cell, known).flatMap((name) => {
      const value = EXAMPLES[name] ?? goodValue(name, Object(properties[name]));
      const on = (what: string, ask: () => Promise<Reply>): Row => ({
        row: `4.2 ${group}: ${name} on ${what}`,
        check: async () => {
          const reply = await ask();
          const ignored = reply.headers.get('x-ignored-fields');
          if (ignored !== null) return `ignored: ${ignored}`;
          const unknown_subscription = name === 'subscription_id' && reply.status === 400 && what === 'an order';
          return reply.status === 200 || unknown_subscription ? undefined : `${reply.status} ${reply.text}`;
        },
      });
      return [
        on('a checkout', () => checkout({ [name]: value })),
        on('an order', async () =>
          pay(w.shop, '4242424242424242', { [name]: value, order_merchant_id: newReference() }),
        ),
      ];
    }),
  );
}

function requestSchema(path: string) {
  return Object(document).paths[path].post.requestBody.content['application/json'].schema;
}

function goodValue(name: string, schema: Readonly<Record<string, unknown>>): unknown {
  const { examples, enum: values, type, minimum, format, pattern } = schema;
  if (name.endsWith('_country')) return 'FR';
  if (name.endsWith('email')) return 'a@b.example';
  if (name.endsWith('_url')) return 'https://shop.example/';
  if (Array.isArray(examples)) return examples[0];
  if (Array.isArray(values)) return values.find((one) => one !== null);
  const types: readonly unknown[] = Array.isArray(type) ? type : [type];
  if (types.includes('integer') || types.includes('number'))
    return typeof minimum === 'number' ? Math.max(1, minimum) : 1;
  if (typeof format === 'string' && format.includes('date')) return '2026-01-15';
  if (typeof pattern === 'string' && pattern.includes('24')) return ID;
  return '1';
}

function scenarioRows(): readonly Row[] {
  const [, body = ''] = rows('15.4').find(([call = '']) => call.startsWith('POST /sandbox/scenario')) ?? [];
  const operations = (/operation \(([^)]*)\)/.exec(body)?.[1] ?? '').split(', ');
  const arm = (scenario: Fields) => async () => {
    const reply = await w.shop.api('/sandbox/scenario', { body: { match: { order_id: ID }, ...scenario } });
    return reply.status === 200 && reply.code === '911111' ? undefined : `${reply.status} ${reply.text}`;
  };
  return operations.map((operation) => ({
    row: `15.4 scenario for ${operation}`,
    check: arm({ operation, fault: operation === 'notification' ? 'http_500_before' : 'refuse_connection' }),
  }));
}

const few = (wrong: readonly string[]) => wrong.slice(0, 12);

test('every route of the index refuses what no request may be, as the table of refusals says', async () => {
  const checks = routeRows();
  expect(checks.length).toBeGreaterThan(150);
  expect(few(await play(checks))).toEqual([]);
});

test('every value of the enumerations is taken where it belongs, and no other', async () => {
  const checks = enumerationRows();
  expect(checks.length).toBeGreaterThan(90);
  expect(few(await play(checks))).toEqual([]);
});

test('every field of the groups is taken on checkout and order', async () => {
  const checks = fieldRows();
  expect(checks.length).toBeGreaterThan(180);
  expect(few(await play(checks))).toEqual([]);
});

test('every operation of a scenario can be armed', async () => {
  expect(few(await play(scenarioRows()))).toEqual([]);
});
