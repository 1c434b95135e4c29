// Disputes (contract 13.2, 14.2): told by the provider, shown in the order, booked, and passed on; the status stays.
import { expect, test } from 'vitest';
import { DAY_S } from '../../src/core/durations.ts';
import { verifyLedger } from '../../src/payment/ledger/verify/verify.ts';
import { textAt } from '../client.ts';
import { bankLater } from '../bank-clock.ts';
import { type World, world } from '../world.ts';
import { mail } from '../doubt/mail.ts';
import { receiver } from './receiver.ts';

const SETTINGS = { FLORIN_NOTIFICATION_PRIVATE_TARGETS: 'yes' };

test('a dispute that is won: opened, won, the money away and back, the order never anything but captured', async () => {
  await using florin = await world(SETTINGS);
  await using server = await receiver();
  await florin.shop.api('/notification/endpoint', { body: { url: server.url } });
  const order_id = textAt(await florin.shop.pay({ card_number: '4000009906000024' }), 'order_id');
  const checkout_like = await florin.shop.read(order_id);
  await server.until(({ length }) => length === 2);
  await bankLater(florin, 41 * DAY_S);
  const [, , opened] = await server.until(({ length }) => length === 3);
  expect(opened?.body).toMatchObject({
    event: 'dispute.opened',
    status: 'capture_successful',
    sequence: 4,
    previous_sequence: 3,
    order_id,
    chargeback_amount: 25,
    chargeback_reason_code: '10.4',
    capture_total_amount: 25,
    is_refundable: false,
    capture_id: checkout_like.at('transactions.0.captures.0.capture_id'),
  });
  const disputed = await florin.shop.read(order_id);
  expect(disputed.at('transactions.0')).toMatchObject({
    is_chargebacked: true,
    chargeback_amount: 25,
    chargeback_reason_code: '10.4',
    status: 'capture_successful',
    is_refundable: false,
    refundable_amount: 25,
  });
  const history = disputed.at('transactions.0.status_history') as readonly { readonly status: string }[];
  expect(history.at(-1)?.status).toBe('capture_successful');
  expect(disputed.code).toBe('955555');
  expect(disputed.at('order_version')).toBe(history.length + 1);
  await bankLater(florin, 34 * DAY_S);
  const won = (await server.until(({ length }) => length === 4)).at(-1);
  expect(won?.body).toMatchObject({
    event: 'dispute.won',
    sequence: 5,
    previous_sequence: 4,
    status: 'capture_successful',
    is_refundable: true,
  });
  expect((await florin.shop.read(order_id)).at('transactions.0')).toMatchObject({
    is_chargebacked: false,
    chargeback_amount: 25,
  });
  const lines = await florin.sql(
    `SELECT posting, debit, credit, amount_minor FROM payment.ledger_entries WHERE 'chargebacks' IN (debit, credit) ORDER BY posting`,
  );
  expect(lines).toEqual([
    { posting: 'book', debit: 'chargebacks', credit: 'provider_receivable', amount_minor: '2500' },
    { posting: 'unbook', debit: 'provider_receivable', credit: 'chargebacks', amount_minor: '2500' },
  ]);
  const verdict = await verifyLedger({ db: florin.service.tools.db, progress: () => undefined });
  expect(verdict.first).toBeUndefined();
  // a dispute that was never booked is found
  await florin.sql(
    `INSERT INTO payment.disputes (id, merchant_account_id, order_id, operation_id, provider, state, amount_minor, currency, reason, reason_code, opened_at)
     SELECT payment.new_id(now(), 1), merchant_account_id, order_id, id, provider, 'lost', 1, currency, '', '', now() FROM payment.operations WHERE kind = 'authorize'`,
  );
  const found = await verifyLedger({ db: florin.service.tools.db, progress: () => undefined });
  expect(found.first?.kind).toBe('posting missing');
});

test('a dispute that is lost leaves the money away; a partial capture is disputed by its own amount', async () => {
  await using florin = await world(SETTINGS);
  await using server = await receiver();
  await florin.shop.api('/notification/endpoint', {
    body: { url: server.url, events: ['dispute.opened', 'dispute.lost'] },
  });
  const paid = await florin.shop.pay(
    { card_number: '4000009906000016' },
    { operation_type: 'authorize', amount: '30.00' },
  );
  const order_id = textAt(paid, 'order_id');
  await florin.shop.api(`/payment/maintenance/capture/${order_id}`, { body: { amount: '20.00' } });
  await bankLater(florin, 41 * DAY_S);
  await server.until(({ length }) => length === 1);
  await bankLater(florin, 34 * DAY_S);
  const taken = await server.until(({ length }) => length === 2);
  expect(taken.map(({ body }) => [body['event'], body['chargeback_amount'], body['previous_sequence']])).toEqual([
    ['dispute.opened', 20, null],
    ['dispute.lost', 20, 5],
  ]);
  expect((await florin.shop.read(order_id)).at('transactions.0.is_chargebacked')).toBe(true);
});

test('an open dispute that is told with another reason is updated; what is older, the same, or of another amount moves nothing', async () => {
  await using florin = await world(SETTINGS);
  await using server = await receiver();
  const events = ['dispute.opened', 'dispute.updated', 'dispute.won'];
  await florin.shop.api('/notification/endpoint', { body: { url: server.url, events } });
  const paid = await florin.shop.pay({}, { operation_type: 'authorize' });
  const order_id = textAt(paid, 'order_id');
  await florin.shop.api(`/payment/maintenance/capture/${order_id}`, { method: 'POST' });
  await tells(florin, order_id, { day: 1 });
  await server.until(({ length }) => length === 1);
  await tells(florin, order_id, { day: 3, code: '13.1', text: 'merchandise or services not received' });
  const [opened, updated] = await server.until(({ length }) => length === 2);
  expect(opened?.body).toMatchObject({ event: 'dispute.opened', sequence: 5, chargeback_reason_code: '10.4' });
  expect(updated?.body).toMatchObject({
    event: 'dispute.updated',
    sequence: 6,
    previous_sequence: 5,
    status: 'capture_successful',
    chargeback_amount: 25,
    chargeback_reason: 'merchandise or services not received',
    chargeback_reason_code: '13.1',
    chargeback_date: opened?.body['chargeback_date'],
  });

  await tells(florin, order_id, { day: 2, code: '12.5', text: 'told late' });
  await tells(florin, order_id, { day: 4, code: '13.1', text: 'merchandise or services not received' });
  await tells(florin, order_id, { day: 5, code: '13.3', amount: 2400 });
  await tells(florin, order_id, { day: 6, status: 'won', amount: 2400 });
  const states = () =>
    florin.sql<{ state: string }>(
      "SELECT state FROM payment.provider_events ORDER BY convert_from(body, 'UTF8')::json ->> 'at'",
    );
  await expect
    .poll(async () => (await states()).map(({ state }) => state).slice(-6))
    .toEqual(['applied', 'applied', 'applied', 'applied', 'parked', 'parked']);
  expect((await florin.shop.read(order_id)).at('transactions.0')).toMatchObject({
    is_chargebacked: true,
    chargeback_amount: 25,
    chargeback_reason_code: '13.1',
  });

  await tells(florin, order_id, { day: 7, status: 'won' });
  const [, , won] = await server.until(({ length }) => length === 3);
  expect(won?.body).toMatchObject({ event: 'dispute.won', sequence: 7, chargeback_reason_code: '13.1' });
  const verdict = await verifyLedger({ db: florin.service.tools.db, progress: () => undefined });
  expect(verdict.first).toBeUndefined();
});

type Telling = {
  readonly day: number;
  readonly status?: string;
  readonly code?: string;
  readonly text?: string;
  readonly amount?: number;
};

/** The provider tells of a dispute of the order's capture, signed as its messages are. */
async function tells(florin: World, order_id: string, telling: Telling): Promise<void> {
  const { day, status = 'opened', code = '10.4', text = 'other fraud, card absent', amount = 2500 } = telling;
  const reference = textAt(await florin.shop.read(order_id), 'transactions.0.captures.0.capture_id');
  const body = JSON.stringify({
    id: `evt_of_day_${day}`,
    provider: 'simulator',
    reference,
    order_id,
    kind: 'dispute',
    status,
    amount,
    code,
    text,
    currency: 'EUR',
    provider_ref: 'x',
    authorization_code: '',
    state: 'captured',
    at: `2030-01-0${day}T00:00:00.000Z`,
  });
  expect((await mail(florin, body)).status).toBe(200);
}
