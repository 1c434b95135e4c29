// Orders over lines of ISO 8583 on walks that are drawn at random: answers and reversals that are lost, repeated, late
// or garbled, lines that are dropped, echoes and sign-ons that are not answered, one work asked for while another is in
// doubt. At the end of each walk both books are the same.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { controlOf } from '../conformance/at/by-control.ts';
import { iso8583 } from '../conformance/at/iso8583.ts';
import { type Bench, type Stand, openStand } from '../conformance/stand.ts';
import { textAt, until } from '../client.ts';
import { type Random, pick, seeded } from '../seeded.ts';
import { sizeOf } from '../sizes.ts';

let stand: Stand;
let bench: Bench;
beforeAll(async () => {
  stand = await openStand();
  bench = stand.bench(iso8583);
  await bench.drive.clear();
});
afterAll(() => stand[Symbol.asyncDispose]());

const WALKS = sizeOf('FLORIN_TEST_WALKS', { usual: 20, full: 200 });
const FIRST = Number(process.env['FLORIN_TEST_SEED'] ?? 1);

const FAULTS = [
  'late_answer',
  'drop_answer',
  'ignore',
  'close_before_commit',
  'close_after_commit',
  'answer_twice',
  'out_of_order',
  'wrong_trace',
  'wrong_amount',
  'wrong_currency',
  'wrong_reference',
  'garbage',
] as const;
const FAMILIES = { authorize: '0100', sale: '0200', capture: '0220', refund: '0200', cancel: '0400' } as const;

const control = (path: string, body: object) => controlOf(stand.w, 'iso8583')('POST', path, body);

/** What goes wrong with the next message of this family, with what undoes it, and with the line. */
async function trouble(draw: Random, type: string, story: string[]): Promise<void> {
  const arm = async (fault: object) => {
    story.push(JSON.stringify(fault));
    await control('/faults', fault);
  };
  if (draw() < 0.6) await arm({ kind: pick(draw, FAULTS), type, times: 1 + Math.floor(draw() * 2), ms: 1200 });
  // a hold that is made behind its reversal
  else if (draw() < 0.2 && type === '0100') await arm({ kind: 'late_commit', type, ms: 1200 });
  if (draw() < 0.5)
    for (let times = 1 + Math.floor(draw() * 2); times > 0; times--)
      await arm({ kind: pick(draw, FAULTS), type: '0420', ms: 1200 });
  if (draw() < 0.15) await arm({ kind: pick(draw, ['refuse_sign_on', 'ignore_network'] as const) });
  if (draw() < 0.15) {
    story.push('the line is dropped');
    await control('/lines/drop', {});
  }
}

/** A hold that comes late has come, before what is healed is taken for old; where it never left, it has ended. */
async function arrived(order_id: string, story: readonly string[]): Promise<void> {
  if (!story.some((one) => one.includes('late_commit'))) return;
  await until(async () => {
    const open = await stand.w.sql(
      `SELECT 1 FROM payment.operations WHERE order_id = decode($1, 'hex') AND kind = 'authorize'
       AND state NOT IN ('successful', 'declined', 'not_sent')`,
      [order_id],
    );
    return open.length === 0 || (await bench.drive.books(order_id)).length > 0 || undefined;
  });
}

test.each(Array.from({ length: WALKS }, (_, n) => FIRST + n))('walk %i ends with equal books', async (seed) => {
  const draw = seeded(seed);
  const story: string[] = [];
  const first = pick(draw, ['authorize', 'authorize', 'sale'] as const);
  await trouble(draw, FAMILIES[first], story);
  const operation_type = first === 'sale' ? 'direct_capture' : 'authorize';
  const prefer = () => ({ prefer: `wait=${pick(draw, [0, 1, 2])}` });
  const order_id = textAt(await bench.pay({ operation_type }, undefined, prefer()), 'order_id');
  story.push(first);
  for (let works = Math.floor(draw() * 4); works > 0; works--) {
    if (draw() < 0.6) {
      await arrived(order_id, story);
      await stand.heal(order_id);
    }
    const work = pick(draw, ['capture', 'capture', 'refund', 'cancel'] as const);
    await trouble(draw, FAMILIES[work], story);
    const amount = pick(draw, ['5.00', '10.00', '25.00']);
    const body = work === 'cancel' ? undefined : { amount, ...(work === 'capture' && draw() < 0.3 && { final: true }) };
    const reply = await bench.maintain(work, order_id, body, prefer());
    story.push(`${work} ${amount}: ${reply.status} ${JSON.stringify(reply.code)}`);
  }
  await bench.drive.clear();
  await arrived(order_id, story);
  await stand.heal(order_id);
  expect([story, await stand.differences(order_id)]).toEqual([story, []]);
});
