// Whole processes on one database, and more than a hundred tries of one card at once over them.
import { chmodSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, vi } from 'vitest';
import { type Arena, openArena } from '../chaos/arena.ts';
import { chanceOf } from '../chaos/chance.ts';
import type { Patch } from '../chaos/patch.ts';
import { makeTemplate } from '../chaos/postgres.ts';
import { Client, textAt, until } from '../client.ts';

vi.setConfig({ testTimeout: 900_000, hookTimeout: 300_000 });

export const PROCESSES = 4;
export const AT_ONCE = 120;
/** By heart: 10 in a day stopped two before, and 20 in a month. */
export const MOST = { '5555555555554444': 8, '4242424242424242': 18 } as const;
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

type Raced = {
  /** By their answers. */
  readonly begun: number;
  /** Of these, those that count for the limit in the end. */
  readonly counted: number;
  /** Declined by the bank's own books: its scheme has seen them. */
  readonly sent: number;
};

/** How many of the tries were not held back. */
export async function race(patches: readonly Patch[], card_number: keyof typeof MOST): Promise<Raced> {
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

async function raced({ services, bank, postgres }: Arena, card_number: keyof typeof MOST): Promise<Raced> {
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
  const books = await bank.books();
  const there = new Set(books.map(({ order_id }) => order_id));
  // one that was begun may not have reached the bank; none reached it that was not
  expect([...there].filter((order_id) => !begun.includes(order_id))).toEqual([]);
  // on a machine that does much else some are not sent in time, or undone: each leaves its place to another one
  const [row] = await postgres.sql<{ counted: number }>('SELECT count(*)::int AS counted FROM payment.declines');
  return {
    begun: begun.length,
    counted: row?.counted ?? 0,
    sent: new Set(books.filter(({ state }) => state === 'declined').map(({ order_id }) => order_id)).size,
  };
}
