// Contract 2, 2.5: which check answers first, and what an error says.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { PROBLEM_PAGES } from '../../src/core/refusals.ts';
import { findResult } from '../../src/core/results.ts';
import { CHECKOUT, send } from '../client.ts';
import { type World, world } from '../world.ts';
import {
  type Answer,
  POSTS,
  TOKEN,
  type Visit,
  expectProblem,
  goodRequests,
  member,
  named,
  slugOf,
  visit,
} from './door.ts';

let w: World;
beforeAll(async () => {
  w = await world();
});
afterAll(() => w[Symbol.asyncDispose]());

const CHECKOUTS: Visit = { host: 'api', method: 'POST', path: '/payment/checkout' };
const ORDERS: Visit = { host: 'api', method: 'POST', path: '/payment/order' };

/** field and code of each entry of `errors`. */
const errorsOf = (answer: Answer) => {
  const errors = member(answer.body, 'errors');
  return Array.isArray(errors) ? errors.map((entry) => [member(entry, 'field'), member(entry, 'code')]) : [];
};

/** Everything wrong at once; each step mends one thing, in the order of the checks. */
const STEPS: readonly (readonly [string, number, Partial<Visit>])[] = [
  ['route', 404, { path: '/nowhere', method: 'PATCH' }],
  ['method', 405, { method: 'PATCH' }],
  ['missing key', 401, { headers: { 'x-api-key': undefined } }],
  ['unknown key', 403, { headers: { 'x-api-key': 'unknown' } }],
  ['content type', 415, {}],
  ['size', 413, {}],
  ['JSON', 400, {}],
  ['headers', 400, {}],
  ['fields', 400, {}],
];

describe('the checks', () => {
  test.each(named(POSTS))('answer in the order of the contract: %s', async (_, route) => {
    const seen: unknown[] = [];
    for (const [index, [what, , wrong]] of STEPS.entries()) {
      const beyond = (name: string) => index > STEPS.findIndex(([step]) => step === name);
      const body = beyond('JSON') ? { token_type: 'none' } : beyond('size') ? '{' : '{'.padEnd(70_000, 'x');
      const headers = {
        'content-type': beyond('content type') ? 'application/json' : 'text/xml',
        version: beyond('headers') ? '1' : '9',
        'idempotency-key': beyond('headers') ? 'k' : 'a b',
      };
      const answer = await visit(w, { ...route, body, ...wrong, headers: { ...headers, ...wrong.headers } });
      seen.push([
        what,
        answer.status,
        errorsOf(answer)
          .map(([field]) => field)
          .includes('version'),
      ]);
    }
    expect(seen).toEqual(STEPS.map(([what, status]) => [what, status, what === 'headers']));
  });

  test('of fields come before the question whether the named objects exist', async () => {
    const answer = await visit(w, { ...ORDERS, body: { checkout_id: '0'.repeat(24), locale: 'French' } });
    expect(errorsOf(answer)).toEqual([['locale', '111012']]);
  });
});

describe('errors', () => {
  test('name everything that is missing, and everything that is wrong behind it, in one answer', async () => {
    const wrong = { customer_country: 'France', amount: '1,5', basket_content: [{ product_quantity: -1 }] };
    const answer = await visit(w, {
      ...CHECKOUTS,
      body: { ...wrong, type: 'none', currency: '', order_merchant_id: null },
    });
    expectProblem(answer, 400, '111011');
    expect(errorsOf(answer)).toEqual([
      ...['operation_type', 'currency', 'order_merchant_id'].map((name) => [name, '111011']),
      ...['customer_country', 'amount', 'basket_content[0].product_quantity', 'type'].map((name) => [name, '111012']),
    ]);
    expect(member(answer.body, 'type')).toMatch(/\/missing-parameter$/);
  });

  test('of an order without a checkout name missing and wrong fields together', async () => {
    const answer = await visit(w, { ...ORDERS, body: { customer_country: 'France', amount: '5' } });
    expectProblem(answer, 400, '111011');
    expect(errorsOf(answer)).toHaveLength(5);
    expect(errorsOf(answer)).toEqual(
      expect.arrayContaining([
        ...['currency', 'operation_type', 'order_merchant_id', 'token'].map((name) => [name, '111011']),
        ['customer_country', '111012'],
      ]),
    );
    expect(errorsOf(answer).at(-1)).toEqual(['customer_country', '111012']);
  });

  test('of a card name everything at once, missing first', async () => {
    const answer = await visit(w, {
      ...TOKEN,
      body: { card_number: '4242424242424241', card_validity_month: '13', token_type: 'x' },
    });
    expectProblem(answer, 400, '111011');
    expect(errorsOf(answer)).toEqual([
      ['card_validity_year', '111011'],
      ['cvc', '111011'],
      ['card_number', '240021'],
      ['card_validity_month', '241031'],
      ['token_type', '111012'],
    ]);
  });

  test('with one wrong field carry its code in front', async () => {
    const answer = await visit(w, { ...CHECKOUTS, body: { ...CHECKOUT, type: 'zebra' } });
    expectProblem(answer, 400, '111012');
    expect(errorsOf(answer)).toEqual([['type', '111012']]);
    expect(member(answer.body, 'detail')).toMatch(/^type must be/);
  });

  test('of something in a list that is no object are about its form, not about what it lacks', async () => {
    const answer = await visit(w, { ...CHECKOUTS, body: { ...CHECKOUT, merchant_data: [7, null, 'x', []] } });
    expectProblem(answer, 400, '111012');
    expect(errorsOf(answer)).toEqual([0, 1, 2, 3].map((i) => [`merchant_data[${i}]`, '111012']));
  });

  test('never repeat a value', async () => {
    const zebra = (i: number) => `zebra-${i}-${'z'.repeat(300)}`;
    for (const route of POSTS) {
      const names = Object.keys({ ...CHECKOUT, ...(route.body as object) });
      const more = ['customer_email', 'customer_ip', 'locale', 'accept_url', 'checkout_id', 'token', 'max_attempts'];
      const all = [...names, ...more, 'customer_birth_date', 'customer_country', 'order_tax_amount', 'expiration_date'];
      const body = Object.fromEntries(all.map((name, i) => [name, zebra(i)]));
      for (const headers of [{}, { version: zebra(0), 'idempotency-key': `a ${zebra(1)}` }]) {
        const answer = await visit(w, { ...route, body, headers });
        expect(answer.status).toBe(400);
        expect(answer.text).not.toContain('zebra');
      }
    }
  });

  test('have a type that is a page, and every page is there', async () => {
    const slugs = new Set(Object.keys(PROBLEM_PAGES));
    for (const route of POSTS)
      for (const wrong of [{ body: '{' }, { body: {} }, { headers: { 'x-api-key': undefined } }, { method: 'PATCH' }])
        slugs.add(slugOf(await visit(w, { ...route, ...wrong })));
    for (const slug of slugs) {
      const page = await send(`${w.service.addresses.base_url}/problems/${slug}`, {});
      expect([slug, page.status]).toEqual([slug, 200]);
      expect(page.headers.get('content-type')).toMatch(/^text\/html/);
      expect(page.text).toContain(slug);
    }
    expect(slugs.size).toBe(Object.keys(PROBLEM_PAGES).length);
  });

  test('have titles and texts of the table of codes, and a status equal to that of the answer', async () => {
    const kinds = [{ body: {} }, { body: '{' }, { headers: { 'x-api-key': 'unknown' } }, { body: 'x'.repeat(70_000) }];
    for (const route of POSTS)
      for (const kind of kinds) {
        const answer = await visit(w, { ...route, ...kind });
        expectProblem(answer, answer.status, String(answer.code));
        expect(answer.text).not.toMatch(/\n {2,}at |\.ts:\d|FST_|node_modules|SELECT|payment\./);
      }
  });
});

describe('success', () => {
  test('is 200 with a result whose description is that of the table', async () => {
    for (const [what, route] of named(await goodRequests(w))) {
      const answer = await visit(w, route);
      expect([what, answer.status, answer.headers['content-type']]).toEqual([
        what,
        200,
        'application/json; charset=utf-8',
      ]);
      const description = member(member(answer.body, 'result'), 'description');
      expect(description).toBe(findResult(String(answer.code))?.description);
    }
  });

  test('needs no accept header, whatever it says', async () => {
    for (const accept of ['text/html', 'application/xml', 'image/png;q=0', '*/*', '', 'nonsense'])
      for (const [what, route] of named(await goodRequests(w)))
        expect([what, (await visit(w, { ...route, headers: { accept } })).status]).toEqual([what, 200]);
  });
});
