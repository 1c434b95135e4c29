// Looks while the run goes on: the invariants every 250 ms, and orders that came to rest against the provider's books.
import type { Arena } from './arena.ts';
import { pause } from './ask.ts';
import { compareBooks } from './books.ts';
import { type Alarm, OF_ORDERS, ORDER_MONEY, type OrderMoney } from './invariants.ts';

export type Watch = { readonly polls: number; readonly compared: number; stop(): Promise<void> };

const POLL_MS = 250;
const COMPARE_MS = 600;
/** An order is at rest when nothing is open and nothing moved for so long. */
const REST_S = 2.5;
/** A difference must last: between two looks something may have moved. */
const SECOND_LOOK_MS = 2_500;
const ROOM = 60;
const SEARCH_MS = 1_500;

export function watch(arena: Arena, violated: (order_id: string, what: string) => void): Watch {
  let going = true;
  const tally = { polls: 0, compared: 0 };
  const poll = async () => {
    let since: Date | null = null;
    while (going) {
      const looked = await look(arena, since);
      for (const { order_id, wrong, shown } of looked?.alarms ?? []) violated(order_id, `${wrong} (${shown})`);
      if (looked) {
        tally.polls++;
        since = looked.at;
      }
      await pause(POLL_MS);
    }
  };
  const compared = new Map<string, string>();
  const compare = async () => {
    while (going) {
      const orders = (await restingOrders(arena, ROOM, compared)) ?? [];
      for (const order of orders) {
        const wrong = await differences(arena, order);
        if (wrong === 'moved') continue;
        compared.set(order.order_id, seenAs(order));
        tally.compared++;
        if (wrong.length > 0) violated(order.order_id, wrong.join('; '));
      }
      await pause(COMPARE_MS);
    }
  };
  const search = async () => {
    const from = new Map<string, number>();
    while (going) {
      for (const order_id of await unknownOrders(arena, from))
        violated(
          order_id,
          'the provider has an order that is not here: it was called before the intent was committed, or the intent is lost',
        );
      await pause(SEARCH_MS);
    }
  };
  const ended = Promise.all([poll(), compare(), search()]);
  return {
    get polls() {
      return tally.polls;
    },
    get compared() {
      return tally.compared;
    },
    stop: async () => {
      going = false;
      await ended;
    },
  };
}

/** Checks one statement after the other; changes in between are seen the next time. Undefined: the database is away. */
async function look(
  { postgres }: Arena,
  since: Date | null,
): Promise<{ at: Date; alarms: readonly Alarm[] } | undefined> {
  // a commit that began before the last look may be seen only now: statements last five seconds at most
  const [now] = (await postgres.look<{ at: Date }>(`SELECT payment.now() - interval '6 s' AS at`)) ?? [];
  if (!now) return undefined;
  const alarms: Alarm[] = [];
  for (const statement of OF_ORDERS) {
    const seen = await postgres.look<Alarm>(statement, [since]);
    if (!seen) return undefined;
    alarms.push(...seen);
  }
  return { at: now.at, alarms };
}

/** Once when it has just come to rest, and once more when nothing is in flight any longer. */
const seenAs = ({ version, rests_s }: Resting): string => `${version} ${rests_s > IN_FLIGHT_S ? 'long' : 'just'}`;

type Resting = OrderMoney & { readonly rests_s: number };

/** Longer than the bank takes for anything. */
const IN_FLIGHT_S = 10;

async function restingOrders({ postgres }: Arena, room: number, compared: ReadonlyMap<string, string>) {
  const rows = await postgres.look<Resting>(
    `SELECT m.*, extract(epoch FROM payment.now() - x.updated_at)::float AS rests_s FROM (${ORDER_MONEY} WHERE o.updated_at < payment.now() - make_interval(secs => ${REST_S}) AND o.updated_at > payment.now() - interval '25 s'
      AND NOT EXISTS (SELECT 1 FROM payment.operations p WHERE p.order_id = o.id AND p.state IN ('requested','in_doubt','reversing','review'))
      ORDER BY o.updated_at DESC LIMIT 250) m JOIN payment.orders x ON x.id = decode(m.order_id, 'hex')`,
  );
  return rows?.filter((order) => compared.get(order.order_id) !== seenAs(order)).slice(0, room);
}

async function differences(arena: Arena, order: OrderMoney): Promise<readonly string[] | 'moved'> {
  const { order_id } = order;
  const first = compareBooks(order, await arena.bank.books({ order_id }));
  if (first.length === 0) return first;
  await pause(SECOND_LOOK_MS);
  const [again] = await arena.postgres.sql<OrderMoney>(`${ORDER_MONEY} WHERE o.id = decode($1, 'hex')`, [order_id]);
  if (again?.version !== order.version) return 'moved';
  return compareBooks(again, await arena.bank.books({ order_id }));
}

/**
 * Orders of which the provider has done something and we know nothing. `from`: how far each provider's books were
 * looked at.
 */
async function unknownOrders({ bank, postgres }: Arena, from: Map<string, number>): Promise<readonly string[]> {
  const found: string[] = [];
  for (const provider of ['simulator', 'simulator_b']) {
    const page = await bank.page({ provider }, from.get(provider) ?? 0);
    if (page.next !== null) from.set(provider, page.next);
    found.push(...page.rows.filter((row) => row.effects > 0).map((row) => row.order_id));
  }
  const rows = await postgres.look<{ order_id: string }>(
    `SELECT x AS order_id FROM unnest($1::text[]) x WHERE NOT EXISTS (SELECT 1 FROM payment.orders o WHERE o.id = decode(x, 'hex'))`,
    [[...new Set(found)]],
  );
  return rows?.map(({ order_id }) => order_id) ?? [];
}
