// A capture that is said to have failed, and a dispute of its money: in whatever order the news comes, the same money
// never goes away twice without a word.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { verifyLedger } from '../../src/payment/ledger/verify/verify.ts';
import { operationsOf, says } from '../doubt/said.ts';
import { textAt } from '../client.ts';
import { type World, world } from '../world.ts';

let w: World;
beforeAll(async () => {
  w = await world();
});
afterAll(() => w[Symbol.asyncDispose]());

const NEWS = ['opened', 'failed', 'won', 'lost'] as const;
type News = (typeof NEWS)[number];

function ordersOf(news: readonly News[]): readonly (readonly News[])[] {
  if (news.length < 2) return [news];
  return news.flatMap((first) => ordersOf(news.filter((one) => one !== first)).map((rest) => [first, ...rest]));
}

type Standing = { readonly owed: number; readonly captured: number; readonly away: number; readonly state: string };

test.each(ordersOf(NEWS).map((one) => [one.join(', '), one] as const))('%s', async (_, history) => {
  const paid = await w.shop.pay({}, { operation_type: 'authorize' });
  const order_id = textAt(paid, 'order_id');
  await w.shop.api(`/payment/maintenance/capture/${order_id}`, { body: {}, headers: { prefer: 'wait=10' } });
  const [capture = ''] = await operationsOf(w, order_id, 'capture');
  const [known] = await w.sql<{ ref: string }>(
    `SELECT provider_ref AS ref FROM payment.operations WHERE id = decode($1, 'hex')`,
    [capture],
  );
  for (const [second, status] of history.entries()) {
    const at = new Date(w.service.tools.clock.now().getTime() + 1000 * second).toISOString();
    const kind = status === 'failed' ? 'capture' : 'dispute';
    await says(w, { order_id, reference: capture, kind, status, at, provider_ref: known?.ref });
    const [stands] = await w.sql<Standing>(
      `SELECT o.captured_minor::int AS captured, p.state,
         (SELECT coalesce(sum(amount_minor), 0)::int FROM payment.disputes d WHERE d.order_id = o.id AND d.state <> 'won') AS away,
         (SELECT sum(CASE 'provider_receivable' WHEN debit THEN amount_minor WHEN credit THEN -amount_minor ELSE 0 END)::int
          FROM payment.ledger_entries e WHERE e.order_id = o.id) AS owed
       FROM payment.orders o JOIN payment.operations p ON p.order_id = o.id AND p.id = decode($2, 'hex')
       WHERE o.id = decode($1, 'hex')`,
      [order_id, capture],
    );
    if (!stands) throw new Error('the order is there');
    const { owed, captured, away, state } = stands;
    expect(owed).toBe(captured - away);
    const in_doubt = (await w.shop.read(order_id)).at('is_in_doubt');
    if (state !== 'successful' && away > 0) expect(in_doubt, `after ${status}`).toBe(true);
  }
  // one of the two was not so, unless the money was back when the capture failed
  const came_back = history.slice(-2).join() === 'won,failed';
  expect((await w.shop.read(order_id)).at('is_in_doubt')).toBe(!came_back);
  expect((await verifyLedger({ db: w.service.tools.db, progress: () => undefined })).first).toBeUndefined();
});
