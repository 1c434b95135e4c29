// The process dies between any two steps of an operation, and recovery goes on: nothing is done twice, all of it ends,
// the books agree.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { KillPoint } from '../../src/core/kill-points.ts';
import { applyDifference } from '../../src/payment/order/review/apply.ts';
import { textAt } from '../client.ts';
import type { Work } from './at/contract.ts';
import { PROVIDERS } from './providers.ts';
import { isAble, lacks } from './outcomes.ts';
import { type Bench, type Stand, openStand, orderOf } from './stand.ts';

let stand: Stand;
beforeAll(async () => {
  stand = await openStand();
});
afterAll(() => stand[Symbol.asyncDispose]());

const POINTS: readonly KillPoint[] = ['t1_committed', 'step_committed', 'call_answered', 't2_committed'];
let count = 0;

/** Does the work, cut where `cutting` says; answers its order, and whether the cut was reached. */
async function cutWork(bench: Bench, work: Work, [point, passes]: readonly [KillPoint, number]) {
  const order_merchant_id = `cut-${++count}`;
  const held = work === 'authorize' || work === 'sale';
  const operation_type = work === 'sale' || work === 'refund' ? 'direct_capture' : 'authorize';
  const before = held ? undefined : textAt(await bench.pay({ operation_type }), 'order_id');
  const cutting = stand.cut(point, passes);
  const reply =
    before === undefined
      ? await bench.pay({ operation_type, order_merchant_id })
      : await bench.maintain(work as 'capture', before);
  cutting.restore();
  return { order_id: before ?? (await orderOf(stand.w, reply, order_merchant_id)), hit: cutting.hit };
}

describe.each(PROVIDERS)('$name', (at) => {
  const stories = (Object.keys(at.steps) as Work[]).flatMap((work) =>
    POINTS.flatMap((point) => {
      const times =
        point === 'step_committed' ? at.steps[work].length - 1 : point === 'call_answered' ? at.steps[work].length : 1;
      return Array.from({ length: times }, (_, passes): [Work, KillPoint, number] => [work, point, passes]);
    }),
  );

  test.each(stories)('53 a %s that is cut at %s, passed %i times before, is healed', async (work, point, passes) => {
    const bench = stand.bench(at);
    await bench.quiet(true);
    const { order_id, hit } = await cutWork(bench, work, [point, passes]);
    expect(hit).toBe(true);
    await stand.heal(order_id);
    expect(await stand.differences(order_id)).toEqual([]);
    // and what is told late, in the wrong order, changes nothing of it
    await bench.drive.retell();
    expect(await stand.differences(order_id)).toEqual([]);
    await bench.quiet(false);
  });

  test.each(at.steps.authorize.length > 1 ? [at] : [])(
    '53 who stood still between two steps while another took over holds nothing',
    async () => {
      const bench = stand.bench(at);
      await bench.quiet(true);
      using stalling = stand.stall(at.steps.authorize[0] ?? '');
      const order_id = textAt(await bench.pay(), 'order_id');
      await stalling.reached;
      await stand.takeUp(order_id, 'nothing');
      stalling.goOn();
      await stand.leave(order_id);
      // by its end nothing would stand all the same: a hold that was not needed is counted before that
      expect((await bench.drive.books(order_id)).reduce((sum, { held }) => sum + held, 0n)).toBe(0n);
      await stand.heal(order_id);
      expect(await stand.differences(order_id)).toEqual([]);
      await bench.quiet(false);
    },
  );

  test('53 an approval in the hands of who stood still while another undid it changes nothing', async () => {
    const bench = stand.bench(at);
    await bench.drive.hold(true);
    using stalling = stand.stall(at.steps.authorize.at(-1) ?? '');
    const order_id = textAt(await bench.pay(), 'order_id');
    await stalling.reached;
    await bench.maintain('cancel', order_id, {}, { prefer: 'wait=0' });
    await stand.takeUp(order_id, 'recovery');
    stalling.goOn();
    await bench.drive.hold(false);
    await bench.drive.tellWaiting();
    await stand.heal(order_id);
    expect((await stand.w.shop.read(order_id)).at('status')).toBe('authorization_cancelled');
    expect(await stand.differences(order_id)).toEqual([]);
    // nor was it ever told
    const told = await stand.w.sql(
      `SELECT 1 FROM payment.events WHERE subject_id = decode($1, 'hex') AND type = 'authorization_successful'`,
      [order_id],
    );
    expect(told).toEqual([]);
  });

  test('56 a refund whose answer is lost is given back once, with keys and without', async ({ task }) => {
    if (!isAble(at.name, 'no keys')) lacks(task, 'no keys');
    const bench = stand.bench(at);
    const order_id = textAt(await bench.pay({ operation_type: 'direct_capture' }), 'order_id');
    // whoever tells what became of it does so when we have looked
    await bench.drive.hold(true);
    await bench.drive.arm(
      at.troubles.includes('closed_after') ? 'closed_after' : 'silent_after',
      at.steps.refund[0] ?? '',
    );
    await bench.maintain('refund', order_id, { amount: '10.00' });
    await stand.looked(order_id);
    await bench.drive.hold(false);
    await bench.drive.tellWaiting();
    await stand.heal(order_id);
    await bench.drive.clear();
    expect(await bench.drive.books(order_id)).toMatchObject([{ refunded: 1000n }]);
    expect(await stand.differences(order_id)).toEqual([]);
  });

  /** A paid order whose refund never came to the provider, and is long enough ago for that to be proved by asking. */
  const agedRefund = async (bench: Bench) => {
    await bench.quiet(true);
    const order_id = textAt(await bench.pay({ operation_type: 'direct_capture' }), 'order_id');
    await bench.drive.arm('closed_before', at.steps.refund[0] ?? '');
    await bench.maintain('refund', order_id, { amount: '10.00' }, { prefer: 'wait=0' });
    await stand.leave(order_id);
    await stand.aged(order_id);
    return order_id;
  };

  test.each(at.asks === undefined ? [] : [at.asks])(
    '54 who stood still behind %s asks for no second refund under another key once another has repeated the first',
    async (asks) => {
      const bench = stand.bench(at);
      const order_id = await agedRefund(bench);
      using stalling = stand.stall(asks);
      const late = stand.looked(order_id);
      await stalling.reached;
      // its lease is over; the other hears nothing, repeats what was sent, and hears nothing of that either
      await bench.drive.arm('error_before', asks);
      await bench.drive.arm('closed_after', at.steps.refund[0] ?? '');
      await stand.looked(order_id);
      expect(await bench.drive.books(order_id)).toMatchObject([{ refunded: 1000n }]);
      stalling.goOn();
      await late;
      await bench.drive.clear();
      await stand.heal(order_id);
      expect(await bench.drive.books(order_id)).toMatchObject([{ refunded: 1000n }]);
      expect(await stand.differences(order_id)).toEqual([]);
      await bench.quiet(false);
    },
  );

  test.each(at.asks === undefined ? [] : [at.asks])(
    '54 books that were read before a refund was sent again do not have it sent under another key (%s)',
    async (asks) => {
      const bench = stand.bench(at);
      const order_id = await agedRefund(bench);
      const missing = await stand.missing(order_id);
      await bench.drive.arm('error_before', asks);
      await bench.drive.arm('closed_after', at.steps.refund[0] ?? '');
      await stand.looked(order_id);
      await applyDifference(stand.w.service.tools, missing);
      await stand.looked(order_id);
      await bench.drive.clear();
      await stand.heal(order_id);
      expect(await bench.drive.books(order_id)).toMatchObject([{ refunded: 1000n }]);
      expect(await stand.differences(order_id)).toEqual([]);
      await bench.quiet(false);
    },
  );

  test('54, 55 one key is one effect, and a key that is used for something else is refused', async () => {
    const bench = stand.bench(at);
    const order_id = textAt(await bench.pay({ operation_type: 'direct_capture' }), 'order_id');
    const refund = (amount: string) =>
      stand.w.shop.api(`/payment/maintenance/refund/${order_id}`, {
        method: 'POST',
        body: { amount },
        headers: { prefer: 'wait=2', 'idempotency-key': `again-${at.name}` },
      });
    const [first, second, other] = [await refund('10.00'), await refund('10.00'), await refund('11.00')];
    expect([first.code, second.code]).toEqual(['966666', '966666']);
    expect(other.status).toBe(422);
    expect(await bench.drive.books(order_id)).toMatchObject([{ refunded: 1000n }]);
    expect(await stand.differences(order_id)).toEqual([]);
  });
});
