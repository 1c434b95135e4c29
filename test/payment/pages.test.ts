// What needs no key costs nothing: openapi.json took a processor longer than twenty payments, for whoever asked.
import { expect, test } from 'vitest';
import { type PageOptions, paymentPages } from '../../src/payment/pages.ts';

test('openapi.json is made once, and again where the hosts have another address', async () => {
  const addresses = { base_url: 'http://a', vault_url: 'http://v' };
  const options: PageOptions = {
    addresses,
    version: '1',
    environment: 'sandbox',
    brand: 'florin',
    told: [],
    routes: [],
    vault_routes: () => [],
  };
  const path = paymentPages(options).find((one) => one.path === '/openapi.json');
  const request = { request_id: '', client_ip: '', headers: {}, query: {}, body: Buffer.alloc(0) };
  const read = async () => path?.answer({}, request);
  const first = await read();
  expect(await read()).toBe(first);
  addresses.base_url = 'http://b';
  const second = await read();
  expect([String(first?.body).includes('http://a'), String(second?.body).includes('http://b')]).toEqual([true, true]);
});
