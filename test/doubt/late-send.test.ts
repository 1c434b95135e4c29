// A process that stood still between the record that an operation is sent and the sending itself sends nothing any
// more: another one may have sent it meanwhile, under another key. That holds while it reads the credentials, too.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { textAt, until } from '../client.ts';
import { type World, world } from '../world.ts';
import { operationsOf } from './said.ts';

let w: World;
beforeAll(async () => {
  w = await world({ FLORIN_WITH: 'stripe' });
});
afterAll(() => w[Symbol.asyncDispose]());

const AT_STRIPE = { merchant_contract: 'stripe', payment_channel: 'e-commerce', operation_type: 'direct_capture' };

async function refundsThere(): Promise<number> {
  const answer = await fetch(`${w.service.simulators?.get('stripe')?.control_url ?? ''}/control/books`);
  const { refunds } = (await answer.json()) as { refunds: readonly object[] };
  return refunds.length;
}

/** Each reading of credentials takes that long, by the clock that measures durations. */
function slowCredentials(ms: number): Disposable {
  const { tools } = w.service;
  const { db, clock } = tools;
  const { ticks } = clock;
  let passed = 0;
  Object.assign(clock, { ticks: () => ticks() + passed });
  const tenant = (id: string) => {
    const own = db.tenant(id);
    const batchRead: typeof own.batchRead = (name, ...rest) => {
      if (name === 'find_credentials') passed += ms;
      return own.batchRead(name, ...rest);
    };
    return { ...own, batchRead };
  };
  Object.assign(tools, { db: { ...db, tenant } });
  return { [Symbol.dispose]: () => void Object.assign(tools, { db }) };
}

test('a process that took too long to read the credentials sends nothing; recovery sends the operation, once', async () => {
  const order_id = textAt(
    await w.shop.pay({}, { ...AT_STRIPE, amount: '42.00', order_merchant_id: 'late-1' }),
    'order_id',
  );
  await w.shop.decided(order_id);
  {
    using _ = slowCredentials(4000);
    const reply = await w.shop.api(`/payment/maintenance/refund/${order_id}`, {
      method: 'POST',
      headers: { prefer: 'wait=1' },
    });
    expect(reply.at('status')).toBe('refund_requested');
    const [operation_id = ''] = await operationsOf(w, order_id, 'refund');
    await until(() => Promise.resolve(!w.service.tools.running.has(operation_id) || undefined));
    expect(await refundsThere()).toBe(0);
  }
  await w.sql(`UPDATE payment.operations SET due_at = payment.now() WHERE order_id = decode($1, 'hex')`, [order_id]);
  await until(async () => (await w.shop.read(order_id)).at('status') === 'refund_successful' || undefined);
  expect(await refundsThere()).toBe(1);
});
