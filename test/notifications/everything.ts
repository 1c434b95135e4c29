// One of everything that notifications and disputes ask of the database: for the test of all statements.
import { insertOrMoveDispute } from '../../src/payment/dispute/store.ts';
import { endWaiting } from '../../src/payment/notification/queue-store.ts';
import { endFailed, switchOff } from '../../src/payment/notification/try-store.ts';
import { textAt, until } from '../client.ts';
import type { World } from '../world.ts';
import { receiver } from './receiver.ts';

export async function everyNotificationStatement(w: World): Promise<void> {
  const { tools } = w.service;
  const db = tools.db.tenant(w.account);
  await using server = await receiver();
  const path = '/notification/endpoint';
  const headers = { 'idempotency-key': 'of-the-endpoint' };
  for (let times = 0; times < 2; times++) await w.shop.api(path, { body: { url: server.url }, headers });
  const made = await w.shop.api(path, { body: { url: server.url }, headers });
  const id = textAt(made, 'endpoint._id');
  await w.shop.api(`${path}/${id}/test`, { method: 'POST', headers });
  await w.shop.api(`${path}/${id}/test`, { method: 'POST', headers });
  await w.shop.api(`${path}/${id}/secret`, { method: 'POST' });
  await w.shop.api(`${path}/${id}/activate`, { method: 'POST', headers });
  await w.shop.api(path);
  await w.shop.pay();
  await server.until(({ length }) => length === 3);
  const delivered = await until(async () => {
    const found = await w.shop.api('/notification?state=delivered');
    return found.at('notifications.1') ? found : undefined;
  });
  await w.shop.api(`/notification/${textAt(delivered, 'notifications.0._id')}/replay`, { method: 'POST' });
  for (const state of ['parked', 'delivered'])
    await w.shop.api('/notification/replay', { body: { endpoint_id: id, state } });
  for (const filter of [`order_id=${id}`, 'state=parked', 'event=test', `endpoint_id=${id}`])
    await w.shop.api(`/notification?${filter}`);
  const ended = { id, endpoint_id: id, subject_id: id, sequence: 1, status: 500, duration_ms: 1 };
  await endFailed(db, { ...ended, error: 'a test', scheduled: true, tries: 0, delay_s: 5, wish_s: 0 });
  await switchOff(db, ended);
  await w.shop.api(`${path}/${id}`, { method: 'DELETE' });
  await endWaiting(tools.db, id);
  await insertOrMoveDispute(db, {
    id,
    order_id: id,
    operation_id: id,
    provider: 'simulator',
    state: 'opened',
    amount_minor: 1n,
    amount: '0.01',
    version: 1,
    round: 1,
    event: 'dispute.opened',
    currency: 'EUR',
    reason: '',
    reason_code: '',
    opened_at: '2026-01-01T00:00:00.000Z',
    reference: null,
    due_at: null,
    due_reckoned: false,
    remind_at: null,
    book: [],
    unbook: [],
  });
}
