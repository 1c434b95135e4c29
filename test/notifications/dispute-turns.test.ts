// A dispute may turn more than once (contract 14.2): won, then lost by arbitration, and a second one after the first
// was won. The last word counts, each turn is booked, and money that is disputed is not refunded by a slip (contract
// 8.2).
import { expect, test } from 'vitest';
import { verifyLedger } from '../../src/payment/ledger/verify/verify.ts';
import { timelineText } from '../../src/commands/order/order.ts';
import { searchOrders } from '../../src/payment/order/search/rows.ts';
import { timelineOf } from '../../src/payment/order/timeline/read-timeline.ts';
import { textAt } from '../client.ts';
import { operationsOf, says } from '../doubt/said.ts';
import { type World, world } from '../world.ts';
import { receiver } from './receiver.ts';

const SETTINGS = { FLORIN_NOTIFICATION_PRIVATE_TARGETS: 'yes' };

/** What is charged back by the ledger, in minor units. */
async function chargedBack(w: World): Promise<number> {
  const [row] = await w.sql<{ sum: string }>(
    `SELECT coalesce(sum(CASE WHEN debit = 'chargebacks' THEN amount_minor ELSE -amount_minor END), 0) AS sum
     FROM payment.ledger_entries WHERE 'chargebacks' IN (debit, credit)`,
  );
  return Number(row?.sum);
}

async function disputed(w: World, order_id: string) {
  const [reference = ''] = await operationsOf(w, order_id, 'capture');
  let day = 0;
  /** The provider tells how its dispute stands now. */
  return async (status: 'opened' | 'won' | 'lost', more: object = {}) => {
    day++;
    const at = `2030-01-${String(day).padStart(2, '0')}T00:00:00.000Z`;
    const text = { code: '10.4', text: 'other fraud, card absent', state: 'captured', at };
    // of a sale the capture has an id of its own, which the dispute names by the capture's
    return says(w, { order_id, reference, kind: 'dispute', status, ...text, ...more });
  };
}

async function soldInTwoSteps(w: World): Promise<string> {
  const order_id = textAt(await w.shop.pay({}, { operation_type: 'authorize' }), 'order_id');
  await maintain(w, 'capture', order_id);
  return order_id;
}

const maintain = (w: World, kind: string, order_id: string, body: object = {}) =>
  w.shop.api(`/payment/maintenance/${kind}/${order_id}`, { body, headers: { prefer: 'wait=10' } });

test('opened, won, lost, won, opened again: the ledger is right at each turn, and each is told', async () => {
  await using w = await world(SETTINGS);
  await using server = await receiver();
  const events = ['dispute.opened', 'dispute.won', 'dispute.lost'];
  await w.shop.api('/notification/endpoint', { body: { url: server.url, events } });
  const order_id = await soldInTwoSteps(w);
  const tell = await disputed(w, order_id);
  const turns = [
    ['opened', true, 2500],
    ['won', false, 0],
    ['lost', true, 2500],
    ['won', false, 0],
    ['opened', true, 2500],
    ['lost', true, 2500],
  ] as const;
  for (const [status, away, minor] of turns) {
    expect(await tell(status)).toMatchObject({ state: 'applied' });
    const read = await w.shop.read(order_id);
    expect([status, read.at('transactions.0.is_chargebacked')]).toEqual([status, away]);
    expect([status, await chargedBack(w)]).toEqual([status, minor]);
    expect((await verifyLedger({ db: w.service.tools.db, progress: () => undefined })).first).toBeUndefined();
  }
  const { moments, order } = (await timelineOf(w.service.tools.db.tenant(w.account), order_id)) ?? {
    moments: [],
  };
  const rows = moments.filter(({ text }) => text.startsWith('dispute.')).map(({ text }) => text.replace(/:.*/s, ''));
  expect(rows).toEqual(turns.map(([status]) => `dispute.${status} 25 EUR`));
  expect(order && timelineText({ order, archives: [], moments })).toContain(
    'dispute    lost   25.00 EUR   10.4 other fraud',
  );
  const filters = { disputed: true } as const;
  const db = w.service.tools.db.tenant(w.account);
  const { rows: found } = await searchOrders(db, { filters, limit: 10 });
  expect(found.map(({ id, dispute, code }) => [id, dispute, code])).toEqual([[order_id, 'lost', '955555']]);
  // an older word that comes late moves nothing
  expect(await tell('won', { at: '2030-01-01T12:00:00.000Z' })).toMatchObject({ state: 'applied' });
  expect(await chargedBack(w)).toBe(2500);
  const told = await server.until(({ length }) => length === turns.length);
  expect(told.map(({ body }) => body['event'])).toEqual(turns.map(([status]) => `dispute.${status}`));
  const versions = told.map(({ body }) => Number(body['order_version']));
  expect(versions).toEqual(versions.toSorted((a, b) => a - b));
  expect(new Set(versions).size).toBe(versions.length);
});

test('a refund of disputed money is refused and names the dispute; said on purpose it is made, and audited', async () => {
  await using w = await world(SETTINGS);
  const order_id = await soldInTwoSteps(w);
  const tell = await disputed(w, order_id);
  await tell('opened');
  for (const body of [{}, { amount: '5.00' }]) {
    const refused = await maintain(w, 'refund', order_id, body);
    expect([refused.status, refused.code]).toEqual([409, '620210']);
    expect(textAt(refused, 'detail')).toMatch(/dispute [0-9a-f]{24} of 25\.?0* EUR, open.*even_if_disputed/);
  }
  await tell('lost');
  expect(textAt(await maintain(w, 'refund', order_id), 'detail')).toContain('lost');
  const made = await maintain(w, 'refund', order_id, { amount: '5.00', even_if_disputed: true });
  expect(made.code).toBe('966666');
  const audit = await w.sql(`SELECT actor, object FROM payment.audit WHERE action = 'disputed money refunded'`);
  expect(audit).toEqual([{ actor: 'merchant', object: order_id }]);
  await tell('won');
  expect((await maintain(w, 'refund', order_id)).code).toBe('966666');
});

test('the undisputed rest of a capture is refunded as ever', async () => {
  await using w = await world(SETTINGS);
  const order_id = await soldInTwoSteps(w);
  const tell = await disputed(w, order_id);
  await tell('opened', { amount: 1000 });
  expect((await maintain(w, 'refund', order_id, { amount: '15.01' })).code).toBe('620210');
  expect((await maintain(w, 'refund', order_id, { amount: '15.00' })).code).toBe('966666');
});

test('a dispute of a capture that was declined contradicts it: the order is in doubt', async () => {
  await using w = await world(SETTINGS);
  const card = { card_number: '4000009902000010' };
  const order_id = textAt(await w.shop.pay(card, { operation_type: 'authorize' }), 'order_id');
  expect((await maintain(w, 'capture', order_id)).status).toBe(422);
  const tell = await disputed(w, order_id);
  expect(await tell('opened')).toMatchObject({ state: 'parked' });
  expect((await w.shop.read(order_id)).at('is_in_doubt')).toBe(true);
});
