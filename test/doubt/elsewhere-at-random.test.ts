// Whatever a merchant does with one payment through us and at the provider's own site, one after the other or at once,
// with the messages of it late, twice and out of order: in the end the provider's books are ours, and the ledger's, or
// the order is in doubt and a person looks (the same done at once here and there can end so).
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { PROVIDERS } from '../conformance/providers.ts';
import { type Bench, type Stand, openStand } from '../conformance/stand.ts';
import { textAt, until } from '../client.ts';
import { type Random, pick, seeded } from '../seeded.ts';
import { type Does, SITES } from './at-their-site.ts';

vi.setConfig({ testTimeout: 300_000 });

const FIRST = Number(process.env['FLORIN_TEST_SEED'] ?? 1);
const ORDERS = Number(process.env['FLORIN_TEST_ORDERS'] ?? 12);
const MOST_ACTS = 4;

type Act = { readonly who: 'we' | 'they' | 'both'; readonly does: Does; readonly minor: number | undefined };
type Play = { readonly sale: boolean; readonly held_back: boolean; readonly acts: readonly Act[] };

function playOf(draw: Random): Play {
  const sale = draw() < 0.3;
  const acts = Array.from({ length: 1 + Math.floor(draw() * MOST_ACTS) }, () => ({
    who: pick(draw, ['we', 'they', 'they', 'both'] as const),
    does: pick(draw, sale ? (['refund'] as const) : (['capture', 'capture', 'refund', 'cancel'] as const)),
    minor: pick(draw, [undefined, 2500, 1000, 500]),
  }));
  return { sale, held_back: draw() < 0.4, acts };
}

let stand: Stand;
beforeAll(async () => {
  stand = await openStand();
});
afterAll(() => stand[Symbol.asyncDispose]());

/** The messages that wait are looked at now, and not in half a minute. */
async function lookSoon(): Promise<void> {
  await stand.w.sql(
    `UPDATE payment.provider_events SET received_at = received_at - interval '1 min', looked_at = NULL
     WHERE state = 'received'`,
  );
  stand.w.service.tools.wake_up.wake();
}

/** What was told of one of ours that was refused, because the same was done there: the provider has been asked. */
const ENDED = /^a contradiction: (?:ours|theirs)$/;

/** What is apart, once nothing is or time is over. */
async function apartAtLast(order_id: string): Promise<readonly string[]> {
  let apart: readonly string[] = [];
  await until(async () => {
    await lookSoon();
    apart = (await stand.differences(order_id)).filter((one) => !ENDED.test(one));
    return apart.length === 0 || undefined;
  }).catch(() => undefined);
  return apart;
}

describe.each(PROVIDERS.filter(({ name }) => name in SITES))('$name', (at) => {
  let bench: Bench;
  beforeAll(() => {
    bench = stand.bench(at);
  });

  async function does(order_id: string, { who, does: what, minor }: Act): Promise<void> {
    const amount = minor === undefined || what === 'cancel' ? {} : { amount: (minor / 100).toFixed(2) };
    const ours = () => bench.maintain(what, order_id, amount);
    // the provider's own site refuses what does not fit there
    const theirs = () =>
      SITES[at.name]?.(stand.w, order_id, what, what === 'cancel' ? undefined : minor).catch(() => '');
    await Promise.all([who === 'they' ? undefined : ours(), who === 'we' ? undefined : theirs()]);
  }

  test.each(Array.from({ length: ORDERS }, (_, n) => FIRST + n))(
    'the books agree in the end, or the order is in doubt, seed %i',
    async (seed) => {
      const { sale, held_back, acts } = playOf(seeded(seed));
      const order_id = textAt(await bench.pay(sale ? { operation_type: 'direct_capture' } : {}), 'order_id');
      await stand.heal(order_id);
      if (held_back) await bench.quiet(true);
      for (const act of acts) await does(order_id, act);
      await bench.quiet(false);
      await bench.drive.tellWaiting();
      await stand.heal(order_id);
      await bench.drive.retell();
      const apart = await apartAtLast(order_id);
      const parked = await stand.w.sql(
        `SELECT reason FROM payment.provider_events WHERE order_id = decode($1, 'hex') AND state = 'parked'`,
        [order_id],
      );
      const is_in_doubt = (await stand.w.shop.read(order_id)).at('is_in_doubt') === true;
      const unseen = is_in_doubt ? [] : apart;
      expect({ acts, unseen, parked }).toEqual({ acts, unseen: [], parked: [] });
    },
  );
});
