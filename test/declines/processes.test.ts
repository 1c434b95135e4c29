// Whole processes on one database, which know nothing of each other but what stands there: with more than a hundred
// tries of one card at once they never pass a limit of its scheme. A product whose guard is not in the accepting
// statement does.
import { chmodSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type Arena, openArena } from '../chaos/arena.ts';
import { chanceOf } from '../chaos/chance.ts';
import type { Patch } from '../chaos/patch.ts';
import { makeTemplate } from '../chaos/postgres.ts';
import { Client, textAt, until } from '../client.ts';

vi.setConfig({ testTimeout: 900_000, hookTimeout: 300_000 });

const PROCESSES = 4;
const AT_ONCE = 120;
/** By heart: 10 in a day stopped two before, and 20 in a month. */
const MOST = { '5555555555554444': 8, '4242424242424242': 18 } as const;
/** What a try is answered that is held back. */
const HELD = '421081';

let folder: string;
let template: string;
beforeAll(async () => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'fl-caps-')));
  // PostgreSQL may run as another account, which must be able to walk through
  chmodSync(folder, 0o711);
  template = await makeTemplate(join(folder, 'template'), { migrated: true });
});
afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));

/** How many of the tries were sent, by the bank's own books. */
async function sent(patches: readonly Patch[], card_number: keyof typeof MOST): Promise<number> {
  const arena = await openArena({
    within: folder,
    product: '',
    patches,
    template,
    services: PROCESSES,
    routed: false,
    vendors: null,
    deadline_s: 20,
    chance: chanceOf('caps', 'merchant'),
    violated: () => undefined,
    armed: () => false,
  });
  try {
    return await raced(arena, card_number);
  } finally {
    await arena.close();
  }
}

async function raced({ services, bank }: Arena, card_number: keyof typeof MOST): Promise<number> {
  const shops = services.all.map(
    ({ api_url, vault_url }) => new Client({ base_url: api_url, vault_url }, services.keys),
  );
  // of one it takes a hundred
  for (const id of ['no', 'no again'])
    await bank.arm({ id, operation: 'direct_capture', fault: 'decline', times: 100 });
  const token = (await shops[0]?.token({ card_number, token_type: 'recurring' })) ?? '';
  const money = { operation_type: 'direct_capture', amount: '25.00', currency: 'EUR', payment_channel: 'recurring' };
  const replies = await Promise.all(
    Array.from({ length: AT_ONCE }, (_, n) => {
      const headers = { prefer: 'wait=20', 'idempotency-key': `race-${n}` };
      const order = { ...money, token, order_merchant_id: `race-${n}` };
      const shop = shops[n % shops.length];
      // a machine that does much else may be too slow for so many: what had no definite answer is asked again
      return until(async () => {
        const reply = await shop?.order(order, headers);
        return reply && reply.status < 500 && reply.status !== 429 ? reply : undefined;
      }, 300);
    }),
  );
  const begun = replies.filter(({ code }) => code !== HELD).map((reply) => textAt(reply, 'order_id'));
  const there = new Set((await bank.books()).map(({ order_id }) => order_id));
  expect(there).toEqual(new Set(begun));
  return there.size;
}

test.each(Object.entries(MOST))(
  `of ${AT_ONCE} at once over ${PROCESSES} processes with %s, %i are sent`,
  async (card, most) => {
    expect(await sent([], card as keyof typeof MOST)).toBe(most);
  },
);

/** Asked before, in a statement of its own; and the accepting statement begins whatever it finds. */
const ASKED_BEFORE: readonly Patch[] = [
  {
    in: { function: 'acceptOrder', below: 'src/payment' },
    find: `return withMore(db, { ...order, merchant_account_id }, accept);`,
    put: `return import('../../declines/store.ts')
    .then(({ findHeld }) => order.guard && findHeld(db.tenant(merchant_account_id), { ...order, merchant_account_id }, { guard: order.guard, at: order.now }))
    .then((held) => (held ? { held } : withMore(db, { ...order, merchant_account_id }, accept)));`,
  },
  {
    in: { constant: 'IS_FREE', below: 'src/payment' },
    find: `NOT EXISTS (SELECT FROM held WHERE why IS NOT NULL)`,
    put: `true`,
  },
  {
    in: { function: 'begunOf', below: 'src/payment' },
    find: `const held = rows.find((row) => row.held !== null)?.held;`,
    put: `const held = undefined;`,
  },
];

const NO_LOCK: readonly Patch[] = [
  {
    in: { function: 'withMore', below: 'src/payment' },
    find: `if (guard?.opens === true) await lockCard(tx, merchant_account_id, guard.card);`,
    put: ``,
  },
];

test.each([
  ['is asked before the accepting statement', ASKED_BEFORE],
  ['is there, and no try waits for another one of its card', NO_LOCK],
])('where the guard %s, more are sent', async (_, patches) => {
  expect(await sent(patches, '5555555555554444')).toBeGreaterThan(MOST['5555555555554444']);
});
