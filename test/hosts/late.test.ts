// Hosts that come in another order than one would like.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { send, until } from '../client.ts';
import { type World, worldOfProcesses } from '../world.ts';
import type { HostName, Processes } from './processes.ts';

// Hosts that start again and again take their time on a busy machine.

let w: World & { readonly service: Processes };
beforeAll(async () => {
  w = await worldOfProcesses({ FLORIN_LOG_LEVEL: 'warn' });
});
afterAll(() => w[Symbol.asyncDispose]());

async function end(name: HostName): Promise<void> {
  const run = w.service.runs.get(name);
  w.service.signal(name, 'SIGTERM');
  expect([name, await run?.ended]).toEqual([name, { code: 0, signal: null }]);
}

test('a payment host that starts without its vault serves what needs no card, and gives it the keys when it comes', async () => {
  await end('vault');
  await end('payment');
  await w.service.start('payment');
  const said = () => w.service.runs.get('payment')?.out() ?? '';
  const checkout_id = await w.shop.checkout();
  expect((await w.shop.api(`/payment/checkout/${checkout_id}`)).status).toBe(200);
  expect(said()).not.toContain('the vault has the demo keys');
  await w.service.start('vault');
  await until(() => said().includes('the vault has the demo keys') || undefined);
  expect((await w.shop.pay()).code).toBe('955555');
});

test('a vault without its payment host makes tokens, bound to a checkout it could not ask about, and the order checks', async () => {
  const checkout_id = await w.shop.checkout();
  await end('payment');
  const token = await w.shop.token({ checkout_id });
  const ready = await send(`${w.service.addresses.vault_url}/ready`, {});
  expect(ready.status).toBe(200);
  await w.service.start('payment');
  const closed = await w.shop.checkout({ expiration_date: undefined });
  expect((await w.shop.order({ checkout_id: closed, token })).code).toBe('241021');
  const reply = await w.shop.order({ checkout_id, token }, { prefer: 'wait=10' });
  expect(reply.at('status')).toBe('authorization_successful');
});

test('without a worker orders are paid as ever; what was left open is settled when one comes', async () => {
  await end('worker');
  expect((await w.shop.pay()).code).toBe('955555');
  await w.service.start('worker');
  expect((await w.shop.pay()).code).toBe('955555');
});
