// order_version (contract 7.5): it rises by one with every change of status, also where one commit brings two, and a
// notification carries the version of its own status.
import { expect, test } from 'vitest';
import { textAt } from '../client.ts';
import { world } from '../world.ts';
import { receiver } from './receiver.ts';

test('authorized and captured of one direct_capture are two versions, and each is told with its own', async () => {
  await using w = await world({ FLORIN_NOTIFICATION_PRIVATE_TARGETS: 'yes' });
  await using server = await receiver();
  await w.shop.api('/notification/endpoint', {
    body: { url: server.url, events: ['authorization_requested', 'authorization_successful', 'capture_successful'] },
  });
  const order_id = textAt(await w.shop.pay(), 'order_id');
  const taken = await server.until(({ length }) => length === 3);
  const versions = taken.map(({ body }) => [body['event'], body['order_version']]);
  const read = await w.shop.read(order_id);
  const history = read.at('transactions.0.status_history') as readonly { readonly status: string }[];
  const statuses = history.map(({ status }) => status);
  expect(statuses[0]).toBe('created');
  expect(statuses.slice(-3)).toEqual(['authorization_requested', 'authorization_successful', 'capture_successful']);
  expect(read.at('order_version')).toBe(statuses.length);
  expect(versions).toEqual(statuses.flatMap((status, i) => (i < statuses.length - 3 ? [] : [[status, i + 1]])));
});

test('a retry begins at created again, and a refund is one version more for each of its statuses', async () => {
  await using w = await world();
  const order_id = textAt(await w.shop.pay({ card_number: '4000000000000002' }), 'order_id');
  const body = { token: await w.shop.token() };
  await w.shop.api(`/payment/order/${order_id}`, { method: 'PUT', body, headers: { prefer: 'wait=10' } });
  await w.shop.api(`/payment/maintenance/refund/${order_id}`, { body: {}, headers: { prefer: 'wait=10' } });
  const read = await w.shop.read(order_id);
  const history = read.at('transactions.1.status_history') as readonly { readonly status: string }[];
  const statuses = history.map(({ status }) => status).filter((status) => status !== 'risk_assessment_approved');
  expect(statuses).toEqual([
    'created',
    'authorization_requested',
    'authorization_declined',
    'created',
    'authorization_requested',
    'authorization_successful',
    'capture_successful',
    'refund_requested',
    'refund_successful',
  ]);
  expect(read.at('order_version')).toBe(history.length);
});
