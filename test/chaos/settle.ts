// After the last fault: the clients end their stories, open operations are decided, and then everything is compared
// with everything.
import type { Ack, Acks } from './acks.ts';
import type { Arena } from './arena.ts';
import { pause } from './ask.ts';
import type { BookRow } from './bank.ts';
import { compareBooks } from './books.ts';
import {
  ASKING,
  type Alarm,
  OF_ORDERS,
  OPEN,
  ORDER_MONEY,
  type OpenOperation,
  type OrderMoney,
  STRAY_LEDGER,
} from './invariants.ts';
import { compareVendors, isVendor } from './vendors/compare.ts';

export type Violated = (order_id: string, what: string) => void;

const LOOK_MS = 200;

/** `decided`: after so many seconds each was decided that was open at the first look, in rising order. Real time. */
export type Drained = { readonly seconds: number; readonly decided: readonly number[] };

/** Waits until nothing is open; tells what is after that time. */
export async function drain(
  { postgres }: Arena,
  longest_s: number,
  violated: Violated,
  step: Draining = BANK_ALONE,
): Promise<Drained> {
  const began = performance.now();
  let left: ReadonlySet<string> | undefined;
  const decided: number[] = [];
  for (;;) {
    const all = [...(await postgres.sql<OpenOperation>(OPEN)), ...(await postgres.sql<OpenOperation>(ASKING))];
    const open = all.filter(step.waitsFor);
    const seconds = (performance.now() - began) / 1000;
    const still = new Set(open.map(({ id }) => id));
    left ??= still;
    for (const id of left) if (!still.has(id)) decided.push(seconds);
    left = new Set([...left].filter((id) => still.has(id)));
    if (open.length === 0) return { seconds, decided };
    if (seconds > longest_s) {
      for (const one of open)
        violated(one.order_id, `still open ${longest_s} s after the last fault: ${JSON.stringify(one)}`);
      return { seconds, decided };
    }
    await step.between(seconds);
  }
}

export type Draining = {
  /** Only this is waited for. */
  waitsFor(open: OpenOperation): boolean;
  between(seconds: number): Promise<unknown>;
};

export const BANK_ALONE: Draining = { waitsFor: ({ provider }) => !isVendor(provider), between: () => pause(LOOK_MS) };

/** For real providers, whose times are minutes: the clock of the sandbox moves on while the run waits for them. */
export function hurried(advance: (seconds: number) => Promise<unknown>): Draining {
  let [moves_at, looked_at] = [STILL_S, 0];
  return {
    waitsFor: () => true,
    between: async (seconds) => {
      await pause(LOOK_MS);
      // another waiting has begun
      if (seconds < looked_at) moves_at = STILL_S;
      looked_at = seconds;
      if (seconds < moves_at) return;
      moves_at = seconds + MOVE_EVERY_S;
      await advance(MOVE_S);
    },
  };
}

/** At first time goes by as it does. */
const STILL_S = 5;
const MOVE_EVERY_S = 2;
const MOVE_S = 120;

/** The last comparison. Answers how many orders were compared, and how many each real provider won. */
export async function compareAll(
  arena: Arena,
  acks: Acks,
  violated: Violated,
): Promise<{ readonly orders: number; readonly won: ReadonlyMap<string, number> }> {
  const { postgres, bank } = arena;
  for (const statement of OF_ORDERS)
    for (const { order_id, wrong, shown } of await postgres.sql<Alarm>(statement, [null]))
      violated(order_id, `${wrong} (${shown})`);
  for (const { order_id, wrong, shown } of await postgres.sql<Alarm>(STRAY_LEDGER))
    violated(order_id, `${wrong} (${shown})`);
  const orders = new Map((await postgres.sql<OrderMoney>(ORDER_MONEY)).map((order) => [order.order_id, order]));
  const rows = Map.groupBy(await bank.books(), (row) => row.order_id);
  for (const order of orders.values()) {
    const wrong = compareBooks(order, rows.get(order.order_id) ?? []);
    if (wrong.length > 0) violated(order.order_id, wrong.join('; '));
  }
  for (const [order_id, own] of rows)
    if (!orders.has(order_id) && own.some(hasEffect)) violated(order_id, unknownOrder(own));
  const won = arena.vendors && compareVendors(orders, await arena.vendors.books(), violated);
  const keys = await keysOf(arena);
  compareAcks(acks.read(), { orders, keys }, violated);
  return { orders: orders.size, won: won ?? new Map<string, number>() };
}

const hasEffect = ({ effects }: BookRow): boolean => effects > 0;
const unknownOrder = (rows: readonly BookRow[]): string =>
  `the provider has an order that is not here: ${rows.map((row) => `${row.kind} ${row.state} ${row.amount} ${row.currency}`).join(', ')}`;

async function keysOf({ postgres }: Arena): Promise<ReadonlyMap<string, string>> {
  const rows = await postgres.sql<{ key: string; object_id: string }>(
    `SELECT key, encode(object_id, 'hex') AS object_id FROM payment.idempotency_keys`,
  );
  return new Map(rows.map(({ key, object_id }) => [key, object_id]));
}

type Here = { readonly orders: ReadonlyMap<string, OrderMoney>; readonly keys: ReadonlyMap<string, string> };

/** Every acknowledged request is here, as it was acknowledged, and once. */
function compareAcks(acks: readonly Ack[], here: Here, violated: Violated): void {
  for (const ack of acks)
    for (const wrong of ack.did === 'order' ? lostOrder(ack, here) : lostOperation(ack, here))
      violated(ack.order_id, wrong);
  const references = Map.groupBy(here.orders.values(), (order) => order.order_merchant_id);
  for (const [key, made] of references)
    if (made.length > 1)
      violated(made.map(({ order_id }) => order_id).join(), `the key ${key} made ${made.length} orders`);
  for (const kind of ['capture', 'refund', 'cancel'] as const) {
    const asked = Map.groupBy(
      acks.filter((ack) => ack.did === kind),
      (ack) => ack.order_id,
    );
    for (const [order_id, own] of asked) {
      const made =
        here.orders.get(order_id)?.operations.filter((operation) => operation.kind === kind && isAsked(operation))
          .length ?? 0;
      const sent = new Set(own.map(({ key }) => key)).size;
      if (made > sent) violated(order_id, `${sent} keys made ${made} ${kind}s`);
    }
  }
}

/** Not the capture of a sale, nor the release of a rest: those have a target that a request cannot give them. */
const isAsked = ({ kind, origin, target_id }: OrderMoney['operations'][number]): boolean =>
  origin === 'merchant' && (kind === 'refund' || target_id === null);

function lostOrder({ key, status, code, order_id, minor, currency }: Ack, { orders, keys }: Here): string[] {
  if (status !== 200) return [];
  const order = orders.get(order_id);
  if (!order) return [`an acknowledged order (${code}) is lost`];
  const authorized = order.operations.some(
    (operation) => operation.kind === 'authorize' && operation.state === 'successful',
  );
  const captured = order.operations.some(
    (operation) => operation.kind === 'capture' && operation.state === 'successful',
  );
  return [
    ...(order.amount === minor && order.currency === currency && order.order_merchant_id === key
      ? []
      : ['an acknowledged order is another one now']),
    ...(keys.get(key) === order_id ? [] : ['the key of an acknowledged order is lost']),
    ...(code === '944444' && !authorized ? [`acknowledged as authorized, and now ${order.status}`] : []),
    ...(code === '955555' && !captured ? [`acknowledged as captured, and now ${order.status}`] : []),
    // a soft decline says that the payer is asked: the order goes on
    // what is tried again later may be paid in the end
    ...(/^(?:42(?!1080|0150)|24)/.test(code) && authorized && !order.retried
      ? [`acknowledged as declined (${code}), and now ${order.status}`]
      : []),
  ];
}

const ENDED: Readonly<Record<string, string>> = {
  '955555': 'successful',
  '966666': 'successful',
  '977777': 'successful',
};

function lostOperation({ did, key, status, code, order_id, id, minor }: Ack, { orders, keys }: Here): string[] {
  const order = orders.get(order_id);
  if (!order) return [`a ${did} was acknowledged of an order that is not here`];
  const made = keys.get(key);
  if (status !== 200) {
    const operation = order.operations.find((one) => one.id === (id || made));
    return status === 422 && id !== '' && operation?.state !== 'declined'
      ? [`a ${did} was refused with ${code}, and is ${operation?.state ?? 'lost'}`]
      : [];
  }
  if (made === undefined) return [`the key of an acknowledged ${did} is lost`];
  if (id !== '' && id !== made) return [`the key of a ${did} is of ${made}, and it was acknowledged as ${id}`];
  const operation = order.operations.find((one) => one.id === made);
  if (!operation) return [`an acknowledged ${did} (${code}) is lost`];
  return [
    ...(did !== 'cancel' && operation.amount !== minor ? [`a ${did} of ${minor} is one of ${operation.amount}`] : []),
    ...(ENDED[code] !== undefined && operation.state !== ENDED[code]
      ? [`a ${did} was acknowledged with ${code}, and is ${operation.state}`]
      : []),
  ];
}
