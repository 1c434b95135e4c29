// The books say that a refund in doubt was not done, while another process sends it once more: what is on its way then
// may be done all the same.
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Parameters, Row } from '../../src/kit/database.ts';
import { compareLine } from '../../src/payment/ledger/reconcile/compare.ts';
import { findNow, findOwnOrders } from '../../src/payment/ledger/reconcile/store.ts';
import { applyDifference } from '../../src/payment/order/review/apply.ts';
import type { Tools } from '../../src/payment/tools.ts';
import { looked, stall } from '../conformance/interrupt.ts';
import { lostRefund } from '../doubt/lost-refund.ts';
import { type Till, openTill } from '../maintenance/till.ts';

let till: Till;
beforeAll(async () => {
  till = await openTill();
});
afterAll(() => till[Symbol.asyncDispose]());

/** A refund that is lost, and a line of the bank's books by which it was refused. */
async function refusedThere() {
  const { order_id, operation_id } = await lostRefund(till);
  const { tools, demo } = till.w.service;
  const merchant_account_id = demo?.merchant_account_id ?? '';
  const [order] = await findOwnOrders(tools.db.tenant(merchant_account_id), {
    ids: [order_id],
    now: await findNow(tools.db),
  });
  const own = order?.operations.find(({ id }) => id === operation_id);
  const line = {
    provider: 'simulator',
    kind: 'refund',
    state: 'declined',
    reference: operation_id,
    order_id,
    merchant_account_id,
    amount_minor: BigInt(own?.amount_minor ?? 0),
    currency: 'EUR',
    effects: 0,
    provider_ref: null,
  } as const;
  const [difference] = compareLine(line, order, { in_flight: new Map() });
  if (difference === undefined || typeof difference === 'string') throw new Error('the books agree');
  return { order_id, difference };
}

/** Between the reading of an order and what is made of it, this is done. */
function meanwhile(tools: Tools, work: () => Promise<void>): Tools {
  let is_first = true;
  const tenant = (id: string) => {
    const runner = tools.db.tenant(id);
    const batchRead: typeof runner.batchRead = async <R extends Row>(
      name: string,
      text: string,
      values?: Parameters,
    ) => {
      const rows = await runner.batchRead<R>(name, text, values);
      if (is_first) {
        is_first = false;
        await work();
      }
      return rows;
    };
    return Object.assign(Object.create(runner) as typeof runner, { batchRead });
  };
  return { ...tools, db: Object.assign(Object.create(tools.db) as typeof tools.db, { tenant }) };
}

test.each(['before', 'while'] as const)(
  'where it was sent again %s the order is read, the line moves nothing',
  async (when) => {
    const { tools } = till.w.service;
    const { order_id, difference } = await refusedThere();
    using still = stall(till.w, 'refund');
    let recovery = Promise.resolve();
    const send = async () => {
      recovery = looked(till.w, order_id);
      await still.reached;
    };
    if (when === 'before') await send();
    const applied = await applyDifference(when === 'before' ? tools : meanwhile(tools, send), difference);
    expect(applied).toMatchObject({ kind: 'parked' });
    still.goOn();
    await recovery;
    const read = await till.shop.read(order_id);
    expect([read.at('status'), read.at('is_in_doubt')]).toEqual(['refund_successful', false]);
  },
);

test('where nobody sends it any more, the line is believed', async () => {
  const { order_id, difference } = await refusedThere();
  expect(await applyDifference(till.w.service.tools, difference)).toEqual({ kind: 'applied', state: 'declined' });
  expect((await till.shop.read(order_id)).at('status')).toBe('refund_declined');
});
