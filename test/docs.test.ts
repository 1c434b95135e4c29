// What is published is what the code does: derived pages are fresh, openapi.json is valid, and real answers keep to it.
import { readFileSync } from 'node:fs';
import { Validator } from '@seriousme/openapi-schema-validator';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { describe, expect, test } from 'vitest';
import { RESULTS } from '../src/core/results.ts';
import { OPERATION_STATES, ORDER_MOVES, ORDER_STATUSES } from '../src/core/states.ts';
import { derivedDocs } from '../src/commands/docs.ts';
import { SETTINGS } from '../src/settings/settings.ts';
import { EVENTS } from '../src/payment/notification/events.ts';
import { CHECKOUT_NOTES } from '../src/payment/checkout/field-notes.ts';
import { CHECKOUT } from '../src/payment/checkout/request.ts';
import { ORDER_NOTES } from '../src/payment/order/accept/request-notes.ts';
import { ORDER } from '../src/payment/order/accept/request.ts';
import { CHECKOUT as CHECKOUT_BODY, GOOD_CARD, type Reply, textAt } from './client.ts';
import { findings, resolve } from './schema.ts';
import { world } from './world.ts';

const manifest: { version: string } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
const derived = derivedDocs(manifest.version);
const page = (name: string) => derived[name] ?? '';
const document: Record<string, unknown> = JSON.parse(page('openapi.json'));

describe('the derived pages', () => {
  test.each(Object.keys(derived))('docs/%s is what the tables in src say (else: npm run docs)', (name) => {
    expect(readFileSync(new URL(`../docs/${name}`, import.meta.url), 'utf8') === page(name)).toBe(true);
  });

  test('every result code is there', () => {
    expect(RESULTS.filter((row) => !page('codes.md').includes(`| \`${row.code}\` | ${row.description} |`))).toEqual([]);
  });

  test('every status, move, operation state and setting is there', () => {
    const states = page('states.md');
    for (const name of [...Object.keys(ORDER_STATUSES), ...Object.keys(OPERATION_STATES)])
      expect(states).toContain(`| \`${name}\` |`);
    for (const { to, from } of ORDER_MOVES)
      for (const start of from) expect(states).toContain(`${start === 'none' ? '[*]' : start} --> ${to}\n`);
    for (const name of Object.keys(SETTINGS)) expect(page('settings.md')).toContain(`| \`${name}\` |`);
  });

  test('every request field has a meaning, and every meaning a field', () => {
    const named = (notes: Readonly<Record<string, object>>) =>
      new Set(Object.values(notes).flatMap((group) => Object.keys(group)));
    expect(named(CHECKOUT_NOTES)).toEqual(new Set(Object.keys(CHECKOUT)));
    expect(named(ORDER_NOTES)).toEqual(new Set(Object.keys(ORDER)));
  });
});

type Media = { readonly schema: Readonly<Record<string, unknown>>; readonly example: unknown };

/** Schema and example of a route's answer (a status), or of its request. */
function mediaOf(route: string, part: 'request' | number): Media {
  const [method = '', path = ''] = route.split(' ');
  const operation = `#/paths/${path.replaceAll('/', '~1')}/${method.toLowerCase()}`;
  const content = resolve(`${operation}/${part === 'request' ? 'requestBody' : `responses/${part}`}/content`, document);
  const [media] = Object.values(content);
  if (!isMedia(media)) throw new Error(`${route} has no schema`);
  return media;
}

function isMedia(value: unknown): value is Media {
  return typeof value === 'object' && value !== null && 'schema' in value;
}

/** The answer keeps to what is published for the route and the status. */
function keeps(reply: Reply, route: string): void {
  expect([reply.status, findings(reply.body, mediaOf(route, reply.status).schema, document)]).toEqual([
    reply.status,
    [],
  ]);
}

const ROUTES = [
  'POST /payment/checkout',
  'GET /payment/checkout/{checkout_id}',
  'POST /payment/link',
  'GET /payment/link',
  'GET /payment/link/{link_id}',
  'POST /payment/link/{link_id}',
  'GET /payment/link/{link_id}/order',
  'POST /token',
  'GET /sandbox/clock',
  'POST /sandbox/clock/advance',
  'POST /sandbox/scenario',
  'GET /sandbox/scenario',
  'DELETE /sandbox/scenario',
  'GET /sandbox/provider/books',
  'GET /sandbox/cards',
  'POST /payment/order',
  'GET /payment/order/{order_id}',
  'DELETE /payment/order/{order_id}/retry',
  'GET /payment/order',
  'PUT /payment/order/{order_id}',
  'POST /payment/maintenance/capture/{order_id}',
  'POST /payment/maintenance/refund/{order_id}',
  'POST /payment/maintenance/cancel/{order_id}',
  'POST /provider/{provider}/{contract}/events',
  'POST /authentication/{server}/events',
  'GET /payment/information/{customer_id}',
  'DELETE /payment/information/id',
  'POST /notification/endpoint',
  'GET /notification/endpoint',
  'DELETE /notification/endpoint/{endpoint_id}',
  'POST /notification/endpoint/{endpoint_id}/test',
  'POST /notification/endpoint/{endpoint_id}/activate',
  'POST /notification/endpoint/{endpoint_id}/secret',
  'GET /notification',
  'POST /notification/{notification_id}/replay',
  'POST /notification/replay',
];

/** Writes that take no body. */
const BODILESS = [
  'POST /notification/endpoint/{endpoint_id}/activate',
  'POST /notification/endpoint/{endpoint_id}/test',
  'POST /notification/{notification_id}/replay',
];

describe('openapi.json', () => {
  test('is valid OpenAPI 3.1', async () => {
    const { valid, errors } = await new Validator().validate(structuredClone(document));
    expect([valid, errors]).toEqual([true, undefined]);
  });

  test('has every route, each with an example that keeps to its own schema', () => {
    const described = Object.entries(resolve('#/paths', document)).flatMap(([path, operations]) =>
      Object.keys(operations ?? {}).map((method) => `${method.toUpperCase()} ${path}`),
    );
    const aliases = ['POST /order/create', 'POST /payment/maintenance/void/{order_id}', 'GET /payment/information/id'];
    expect(described.toSorted()).toEqual([...ROUTES, ...aliases].toSorted());
    for (const route of ROUTES) {
      const writes = /^(?:POST|PUT)/.test(route) && !BODILESS.includes(route);
      const has_body = writes || route === 'DELETE /payment/information/id';
      const parts = has_body ? (['request', 200] as const) : ([200] as const);
      for (const part of parts) {
        const { schema, example } = mediaOf(route, part);
        expect([route, part, findings(example, schema, document)]).toEqual([route, part, []]);
      }
    }
  });
});

describe('openapi.json lets a client that keeps to it', () => {
  const inPath = (path: string, method: string, name: string) => {
    const { parameters } = resolve(`#/paths/${path.replaceAll('/', '~1')}/${method}`, document);
    const found = (Array.isArray(parameters) ? parameters : []).find((one) => one.in === 'path' && one.name === name);
    return found.schema;
  };

  test.each([
    ['/payment/information/{customer_id}', 'get', 'customer_id', '5512'],
    ['/payment/information/{customer_id}', 'get', 'customer_id', 'ada@shop.example'],
    ['/provider/{provider}/{contract}/events', 'post', 'provider', 'simulator_b'],
    ['/authentication/{server}/events', 'post', 'server', 'gpayments'],
    ['/payment/order/{order_id}', 'get', 'order_id', '66bf18d25d1c9a0e47b2f317'],
  ])('send in the path of %s (%s) a %s such as %s', (path, method, name, value) => {
    expect(findings(value, inPath(path, method, name), document)).toEqual([]);
  });

  test('send no id of ours in a path that is none', () => {
    expect(findings('cart-1881', inPath('/payment/order/{order_id}', 'get', 'order_id'), document)).not.toEqual([]);
  });

  test.each([
    ['/payment/maintenance/capture/{order_id}', false],
    ['/payment/maintenance/refund/{order_id}', false],
    ['/payment/maintenance/cancel/{order_id}', false],
    ['/payment/maintenance/void/{order_id}', false],
    ['/notification/endpoint/{endpoint_id}/secret', false],
    ['/payment/order', true],
    ['/payment/checkout', true],
  ])('ask %s without a body only where that means something', (path, required) => {
    expect(resolve(`#/paths/${path.replaceAll('/', '~1')}/post/requestBody`, document)['required']).toBe(required);
  });

  test.each([
    ['capture', '521088'],
    ['refund', '621088'],
    ['cancel', '721088'],
    ['void', '721088'],
  ])('expect of a refused %s the provider’s %s, and no code of another operation', (kind, code) => {
    const path = `/payment/maintenance/${kind}/{order_id}`.replaceAll('/', '~1');
    const said = String(resolve(`#/paths/${path}/post/responses/422`, document)['description']);
    const codes = [...said.matchAll(/provider-declined: (\d+)/g)].map(([, one]) => one);
    expect(codes).toEqual([code]);
  });
});

describe('an example request of openapi.json', () => {
  test.each([
    'POST /payment/checkout',
    'POST /token',
    'POST /payment/link',
    'POST /notification/endpoint',
    'POST /sandbox/scenario',
    'POST /sandbox/clock/advance',
  ])('of %s, sent as it is, gets the members of the example answer', async (route) => {
    await using w = await world();
    const { example: body } = mediaOf(route, 'request');
    const path = route.replace('POST ', '');
    const reply = path === '/token' ? await w.shop.vault(path, { body }) : await w.shop.api(path, { body });
    expect([reply.status, membersOf(reply.body)]).toEqual([200, membersOf(mediaOf(route, 200).example)]);
  });

  test('of POST /payment/checkout makes a checkout whose read has the members of the example answer', async () => {
    await using w = await world();
    const { example: body } = mediaOf('POST /payment/checkout', 'request');
    const made = await w.shop.api('/payment/checkout', { body });
    const read = await w.shop.api(`/payment/checkout/${textAt(made, 'checkout.checkout_id')}`);
    const { example } = mediaOf('GET /payment/checkout/{checkout_id}', 200);
    expect(membersOf(read.body)).toEqual(membersOf(example));
  });

  /** The paths of all members, sorted; items of a list by their first. */
  function membersOf(value: unknown, path = ''): readonly string[] {
    if (Array.isArray(value)) return value.length === 0 ? [] : membersOf(value[0], `${path}[]`);
    if (typeof value !== 'object' || value === null) return [];
    return Object.entries(value)
      .flatMap(([name, member]) => [`${path}.${name}`, ...membersOf(member, `${path}.${name}`)])
      .toSorted();
  }
});

describe('the notifications of openapi.json', () => {
  const webhooks = resolve('#/webhooks', document);

  test('are all events, each with the headers that sign it', () => {
    expect(Object.keys(webhooks).toSorted()).toEqual([...EVENTS, 'test'].toSorted());
    const signs = ['webhook-id', 'webhook-timestamp', 'webhook-signature', 'florin-timestamp', 'florin-signature'];
    for (const event of Object.keys(webhooks)) {
      const { parameters } = resolve(`#/webhooks/${event}/post`, document);
      expect([event, list(parameters).map(({ name }) => name)]).toEqual([event, signs]);
    }
  });

  test('have examples that keep to their own schemas', () => {
    const media = Object.keys(webhooks).map((event) => told(event));
    const examples = media.filter(({ example }) => example !== undefined);
    expect(examples).toHaveLength(8);
    for (const { schema, example } of examples) expect(findings(example, schema, document)).toEqual([]);
  });

  test('are what is really told', async () => {
    await using w = await world();
    const { shop } = w;
    const endpoint = { url: 'https://receiver.example/', events: EVENTS };
    expect((await shop.api('/notification/endpoint', { body: endpoint })).status).toBe(200);
    const paid = await shop.pay({ card_number: '4242424242424242' });
    const order_id = textAt(paid, 'order_id');
    await shop.decided(order_id);
    await shop.api(`/payment/maintenance/capture/${order_id}`, { body: { amount: '1' } });
    await shop.api(`/payment/maintenance/refund/${order_id}`, { body: {} });
    const { body } = await shop.api('/notification?limit=100');
    const bodies = list(Object(body)['notifications']).map(({ body: sent }) => Object(sent));
    expect(bodies.map(({ event }) => event)).toEqual(
      expect.arrayContaining(['capture_successful', 'refund_successful']),
    );
    for (const sent of bodies) {
      const event = String(sent['event']);
      expect([event, findings(sent, told(event).schema, document)]).toEqual([event, []]);
    }
  });

  function told(event: string): Media {
    const [media] = Object.values(resolve(`#/webhooks/${event}/post/requestBody/content`, document));
    if (!isMedia(media)) throw new Error(`${event} has no schema`);
    return media;
  }

  function list(value: unknown): readonly Readonly<Record<string, unknown>>[] {
    return Array.isArray(value) ? value : [];
  }
});

test('every example of openapi.json is valid by a validator that is not ours', () => {
  const ajv = new Ajv2020({ strict: false, allowUnionTypes: true });
  formats.default(ajv);
  ajv.addSchema({ $id: 'openapi', ...document });
  const wrong: string[] = [];
  let seen = 0;
  const look = (value: unknown, path: string): void => {
    if (typeof value !== 'object' || value === null) return;
    if ('schema' in value && 'example' in value) {
      seen += 1;
      const check = ajv.compile({ $ref: `openapi#${path}/schema` });
      if (!check(value.example)) wrong.push(`${path}: ${ajv.errorsText(check.errors)}`);
    }
    for (const [name, inner] of Object.entries(value))
      look(inner, `${path}/${encodeURIComponent(name.replaceAll('~', '~0').replaceAll('/', '~1'))}`);
  };
  look(document, '');
  expect(wrong).toEqual([]);
  expect(seen).toBeGreaterThan(100);
});

const EVERYTHING = {
  customer_id: 5512,
  customer_first_name: 'Zoë',
  customer_country: 'fr',
  customer_email: 'zoe@shop.example',
  customer_birth_date: '1990-05-01',
  customer_browser_info_color_depth: 24,
  customer_browser_info_js_enabled: 'true',
  customer_account_attempts_order_day: '2',
  order_tax_amount: '1.20',
  order_availability: true,
  max_attempts: '2',
  accept_url: 'https://shop.example/a?b=1',
  shipping_price: 3.5,
  basket_id: 'b-1',
  basket_content: [{ product_name: 'Lamp', product_price: '39.00', product_quantity: 1, product_availability: 'true' }],
  merchant_data: [{ key: 'shelf', value: 7 }],
};

test('real answers keep to the published schemas', async () => {
  await using w = await world();
  const { shop } = w;
  const checkout = await shop.api('/payment/checkout', { body: { ...CHECKOUT_BODY, ...EVERYTHING } });
  keeps(checkout, 'POST /payment/checkout');
  const hosted = await shop.api('/payment/checkout', { body: { ...CHECKOUT_BODY, type: 'hosted_page' } });
  keeps(hosted, 'POST /payment/checkout');
  const checkout_id = textAt(checkout, 'checkout.checkout_id');
  keeps(await shop.api(`/payment/checkout/${checkout_id}`), 'GET /payment/checkout/{checkout_id}');
  const token = await shop.vault('/token', { body: { ...GOOD_CARD, checkout_id } });
  keeps(token, 'POST /token');
  const order = await shop.order({ token: textAt(token, 'token'), checkout_id });
  keeps(order, 'POST /payment/order');
  keeps(await shop.decided(textAt(order, 'order_id')), 'GET /payment/order/{order_id}');
  keeps(await shop.api(`/payment/checkout/${checkout_id}`), 'GET /payment/checkout/{checkout_id}');
});

test('answers about declined, captured and doubtful payments keep to them too', async () => {
  await using w = await world();
  for (const card_number of ['4242424242424242', '4000000000009995', '4000000000004954', '4000009901000052']) {
    const order = await w.shop.pay({ card_number }, { order_description: 'two\nlines', customer_ip: '203.0.113.7' });
    keeps(order, 'POST /payment/order');
    keeps(await w.shop.read(textAt(order, 'order_id')), 'GET /payment/order/{order_id}');
  }
});

test('answers about customers keep to them too', async () => {
  await using w = await world();
  const token = await w.shop.token({ token_type: 'recurring' });
  const customer = { customer_id: 'c', customer_browser_info_js_enabled: true, customer_browser_info_color_depth: 24 };
  for (let times = 0; times < 2; times++) await w.shop.pay({}, { token, ...customer, token_type: 'recurring' });
  keeps(await w.shop.api('/payment/checkout', { body: { ...CHECKOUT_BODY, ...customer } }), 'POST /payment/checkout');
  keeps(await w.shop.api('/payment/information/c'), 'GET /payment/information/{customer_id}');
  keeps(await w.shop.api('/payment/information/d'), 'GET /payment/information/{customer_id}');
  const remove = (body: object) => w.shop.api('/payment/information/id', { method: 'DELETE', body });
  for (const body of [{}, { customer_id: 'd' }, { customer_id: 'c', id: '0'.repeat(24) }, { customer_id: 'c' }])
    keeps(await remove(body), 'DELETE /payment/information/id');
});

test('refusals keep to them, at each status', async () => {
  await using w = await world();
  const { shop } = w;
  const route = 'POST /payment/checkout';
  keeps(await shop.api('/payment/checkout', { body: {} }), route);
  keeps(await shop.api('/payment/checkout', { body: {}, key: null }), route);
  keeps(await shop.api('/payment/checkout', { body: {}, key: shop.keys.public_key }), route);
  keeps(await shop.api('/payment/checkout', { body: '{}', headers: { 'content-type': 'text/plain' } }), route);
  keeps(await shop.api('/payment/checkout', { body: { customer_os_version: 'x'.repeat(70_000) } }), route);
  keeps(await shop.vault('/token', { body: { ...GOOD_CARD, card_number: '4242424242424241' } }), 'POST /token');
  keeps(await shop.order({ ...CHECKOUT_BODY, token: '0'.repeat(64) }), 'POST /payment/order');
  keeps(await shop.read('0'.repeat(24)), 'GET /payment/order/{order_id}');
  const checkout_id = await shop.checkout();
  await shop.order({ token: await shop.token({ checkout_id }), checkout_id });
  const second = await shop.order({ token: await shop.token(), checkout_id });
  expect(second.status).toBe(409);
  keeps(second, 'POST /payment/order');
  for (const body of [{}, { amount: '99' }]) {
    const refused = await shop.api(`/payment/maintenance/refund/${textAt(second, 'order_id')}`, { body });
    expect([refused.status, refused.at('status')]).toEqual([409, 409]);
    keeps(refused, 'POST /payment/maintenance/refund/{order_id}');
  }
});

test.each([
  ['a member that is missing', {}, ['$.a is missing']],
  ['a member that is not described', { a: 1, b: 1 }, ['$.b is not described']],
  ['another type', { a: '1' }, ['$.a is "1", not integer']],
  ['a value that is not listed', { a: 1, list: ['y'] }, ['$.list[0] is "y", not listed']],
  ['a text of another form', { a: 1, id: 'zz' }, ['$.id does not match ^[0-9a-f]$']],
])('%s is found', (_, value, found) => {
  const properties = {
    a: { type: 'integer' },
    id: { type: 'string', pattern: '^[0-9a-f]$' },
    list: { type: 'array', items: { $ref: '#/word' } },
  };
  expect(findings(value, { type: 'object', required: ['a'], properties }, { word: { enum: ['x'] } })).toEqual(found);
});
