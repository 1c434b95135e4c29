// Contract 2.5: an unknown route names the nearest right one, of this host or of another; and `void` is another word
// for cancel (8).
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { send, textAt } from '../client.ts';
import { type World, world } from '../world.ts';
import { UNKNOWN_ID, expectProblem, member, visit } from './door.ts';

let w: World;
beforeAll(async () => {
  w = await world();
});
afterAll(() => w[Symbol.asyncDispose]());

const ID = UNKNOWN_ID;

describe('what is not there names what was meant', () => {
  test.each([
    ['api', 'POST', '/payment/maintenance', ['/capture/{order_id}', '/refund/{order_id}', '/cancel/{order_id}']],
    ['api', 'POST', `/payment/maintenance/${ID}`, ['POST /payment/maintenance/capture/{order_id}']],
    ['api', 'POST', '/payment/maintenance/capture', ['POST /payment/maintenance/capture/{order_id}?']],
    ['api', 'POST', '/payment/maintenance/void', ['POST /payment/maintenance/void/{order_id}?']],
    ['api', 'POST', `/payment/maintenance/captures/${ID}`, ['mean POST /payment/maintenance/capture/{order_id}?']],
    ['api', 'POST', `/maintenance/refund/${ID}`, ['mean POST /payment/maintenance/refund/{order_id}?']],
    ['api', 'POST', '/payment/Checkout', ['mean POST /payment/checkout?']],
    ['api', 'POST', '/payment/checkouts', ['mean POST /payment/checkout?']],
    ['api', 'POST', '/payment//order', ['mean POST /payment/order?']],
    ['api', 'POST', '/checkout', ['mean POST /payment/checkout?']],
    ['api', 'GET', `/payment/orders/${ID}`, ['mean GET /payment/order/{order_id}?']],
    ['api', 'POST', '/payment', ['POST /payment/checkout', 'POST /payment/order']],
    ['api', 'GET', '/notification/endpoints', ['mean GET /notification/endpoint?']],
    ['api', 'POST', '/token', ['mean POST {vault_url}/token (vault)?']],
    ['api', 'POST', '/tokens', ['mean POST {vault_url}/token (vault)?']],
    ['vault', 'POST', '/payment/checkout', ['mean POST {base_url}/payment/checkout (payment API)?']],
    ['vault', 'GET', `/payment/checkout/${ID}`, ['mean GET {base_url}/payment/checkout/{checkout_id} (payment API)?']],
    ['vault', 'POST', '/token/x', ['mean POST /token?']],
    ['vault', 'GET', '/sandbox/cards', ['mean GET {base_url}/sandbox/cards (payment API)?']],
  ] as const)('%s: %s %s', async (host, method, path, meant) => {
    const answer = await visit(w, { host, method, path, body: method === 'GET' ? undefined : '{}' });
    expectProblem(answer, 404, '404000');
    const { base_url, vault_url } = w.service.addresses;
    for (const text of meant)
      expect(member(answer.body, 'detail')).toContain(
        text.replace('{vault_url}', vault_url).replace('{base_url}', base_url),
      );
  });

  test.each([
    ['DELETE', '/payment/information/customer-1', 'mean DELETE /payment/information/id?'],
    ['DELETE', '/notification/endpoint', 'mean DELETE /notification/endpoint/{endpoint_id}?'],
    ['GET', `/payment/maintenance/capture/${ID}`, 'this path takes POST'],
    ['PUT', '/payment/order', 'mean PUT /payment/order/{order_id}?'],
  ])('%s is not a method of %s, and is one of another path', async (method, path, meant) => {
    const answer = await visit(w, { host: 'api', method, path, body: method === 'GET' ? undefined : '{}' });
    expectProblem(answer, 405, '404000');
    expect(answer.headers['allow']).toBeDefined();
    expect(member(answer.body, 'detail')).toContain(meant);
  });

  test.each([
    ['POST', '/payment/information/customer-1', 'this path takes GET, HEAD'],
    ['PUT', '/payment/information/customer-1', 'this path takes GET, HEAD'],
    ['DELETE', '/payment/checkout', 'this path takes POST'],
    ['PUT', '/payment/checkout', 'this path takes POST'],
    ['DELETE', `/payment/link/${ID}`, 'this path takes POST, GET, HEAD'],
  ])('%s is not a method of %s, and no path of another object is named in its place', async (method, path, whole) => {
    const answer = await visit(w, { host: 'api', method, path, body: '{}' });
    expectProblem(answer, 405, '404000');
    expect(member(answer.body, 'detail')).toBe(whole);
  });

  // hosts of their own tell a test no address of the back office
  const alone = process.env['FLORIN_TEST_SHAPE'] === 'processes';
  test.skipIf(alone)('at the back office it is the API or the vault (skipped over processes)', async () => {
    const { backoffice_url, base_url } = w.service.addresses;
    const answer = await send(`${backoffice_url}/payment/checkout`, { body: {} });
    expect([answer.status, answer.at('detail')]).toEqual([
      404,
      expect.stringContaining(`${base_url}/payment/checkout`),
    ]);
  });

  test.each(['/.env', '/nothing', '/wp-login.php', '/', '/a/b/c/d', '//', `/${'x'.repeat(3000)}`, '/%ff'])(
    'and nothing where nothing is near: %s',
    async (path) => {
      for (const host of ['api', 'vault'] as const) {
        const answer = await visit(w, { host, method: 'POST', path, body: '{}' });
        expect([answer.status, member(answer.body, 'detail')]).not.toEqual([404, expect.stringContaining('mean')]);
      }
    },
  );

  test('what was asked is never repeated', async () => {
    const answer = await visit(w, {
      host: 'api',
      method: 'POST',
      path: '/payment/maintenance/capture/4111111111111111/x',
    });
    expect(answer.text).not.toContain('41111111');
  });
});

describe('void', () => {
  const authorized = async () => textAt(await w.shop.pay({}, { operation_type: 'authorize' }), 'order_id');

  test('cancels as cancel does, with a body and without', async () => {
    for (const request of [{ method: 'POST' }, { body: { operation_merchant_id: 'void-1' } }]) {
      const order_id = await authorized();
      const answer = await w.shop.api(`/payment/maintenance/void/${order_id}`, request);
      expect([answer.status, answer.at('result.code')]).toEqual([200, '977777']);
      expect((await w.shop.read(order_id)).at('status')).toBe('authorization_cancelled');
      const again = await w.shop.api(`/payment/maintenance/cancel/${order_id}`, { method: 'POST' });
      expect([again.status, again.at('result.code')]).toEqual([409, '711032']);
    }
  });

  test('with an Idempotency-Key is repeated as it was answered, and its key is its path’s own', async () => {
    const order_id = await authorized();
    const headers = { 'idempotency-key': `void-${order_id}` };
    const ask = () => w.shop.api(`/payment/maintenance/void/${order_id}`, { method: 'POST', headers });
    expect((await ask()).status).toBe(200);
    const again = await ask();
    expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([200, 'true']);
  });
});
