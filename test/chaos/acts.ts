// The acts of a client in a story: it pays, captures, refunds and cancels, each sent twice at once under one key; and
// the answers that both must get.
import { toDecimal } from '../../src/core/money.ts';
import { type Driver, type Reply, ask, pause, readOrder } from './ask.ts';
import type { Chance } from './chance.ts';
import { BANK_CURRENCIES } from './vendors/vendors.ts';

type Kind = 'capture' | 'refund' | 'cancel';

export type Order = {
  readonly order_id: string;
  readonly minor: bigint;
  readonly currency: string;
  /** The token that the order was paid with. */
  readonly token: string;
};

export const CARDS = {
  good: ['4242424242424242', '5555555555554444', '378282246310005'],
  declined: ['4000000000000002', '4000000000009995', '4000000000009987'],
  // no money, a limit, no reason: tried again later, as far as the card's scheme allows; of one so many that its limit
  // is met
  poor: [
    '4000000000009995',
    '4000000000009995',
    '4000000000009995',
    '4000009908000048',
    '4000000000006975',
    '4000000000000341',
    '5300000000000204',
  ],
  // the provider refuses the first capture, refund, cancel
  capture_declined: ['4000009995212886'],
  refund_declined: ['4000009996212885'],
  cancel_declined: ['4000009997212884'],
  // the bank wants to see the payer, and the issuer declines softly without
  asking: '4000002760003184',
} as const;

export async function authorized(driver: Driver, chance: Chance): Promise<Order | undefined> {
  const order = await pay(driver, chance, { type: 'authorize', wait_s: chance.between(0, 5) });
  return order && (await reached(driver, chance, order, AUTHORIZED)) ? order : undefined;
}

/** A few refunds at once, in sum perhaps more than there is; then the whole rest. */
export async function refunds(driver: Driver, chance: Chance, order: Order, captured: bigint): Promise<void> {
  if (chance.isLucky(0.3)) return;
  if (chance.isLucky(0.4)) {
    await operate(driver, chance, { order, kind: 'refund', minor: (captured * 40n) / 100n || 1n, alone: true });
    return;
  }
  const shares = chance.pick([[60n, 60n], [50n, 30n, 70n], [100n], [100n, 100n]]);
  await Promise.all(
    shares.map((share) =>
      operate(driver, chance, { order, kind: 'refund', minor: (captured * share) / 100n || 1n, own: true }),
    ),
  );
}

export const part = ({ minor }: Order, percent: bigint): bigint => (minor * percent) / 100n || 1n;

type Paying = {
  readonly type: 'authorize' | 'direct_capture';
  readonly wait_s: number;
  readonly card?: string;
  /** With a token that can pay again. */
  readonly saved?: true;
  readonly fields?: object;
  /** Drawn, unless it is said. */
  readonly of?: { readonly currency: string; readonly minor: bigint };
};

/** Tokenizes and orders, the order twice at once; both must name the same one. */
export async function pay(driver: Driver, chance: Chance, paying: Paying): Promise<Order | undefined> {
  const drawn = { currency: chance.pick(BANK_CURRENCIES), minor: BigInt(chance.between(100, 200_000)) };
  const { currency, minor } = paying.of ?? drawn;
  const token = await tokenize(driver, chance, paying.card ?? chance.pick(CARDS.good), paying.saved);
  if (token === undefined) return undefined;
  const key = `order-${chance.hex(20)}`;
  const body = {
    token,
    operation_type: paying.type,
    amount: toDecimal(minor, currency),
    currency,
    order_merchant_id: key,
    ...paying.fields,
  };
  const asking = { path: '/payment/order', body, key, wait_s: paying.wait_s };
  driver.counts.orders++;
  const replies = await twice(driver, chance, asking);
  for (const reply of replies) {
    const order_id = textOf(reply, 'order_id');
    await keep(driver, reply, { did: 'order', key, order_id, id: '', minor, currency });
    if (reply.status !== 200)
      driver.violated(order_id, `an order that is right was refused: ${reply.status} ${JSON.stringify(reply.body)}`);
  }
  const ids = new Set(replies.map((reply) => textOf(reply, 'order_id')));
  if (ids.size > 1) driver.violated([...ids].join(), `one key made ${ids.size} orders`);
  const [order_id] = ids;
  return order_id === undefined || order_id === '' ? undefined : { order_id, minor, currency, token };
}

async function tokenize(
  driver: Driver,
  chance: Chance,
  card_number: string,
  saved = false,
): Promise<string | undefined> {
  const body = {
    ...(saved && { token_type: 'recurring' }),
    card_number,
    card_validity_month: '12',
    card_validity_year: '2034',
    cvc: card_number.startsWith('37') ? '1234' : '123',
  };
  const reply = await ask(driver, chance, { path: '/token', body, key: '', wait_s: 0, vault: true });
  if (reply && reply.status !== 200) driver.violated('', `a good card was refused: ${reply.status} ${reply.code}`);
  return reply?.status === 200 ? textOf(reply, 'token') : undefined;
}

type Operating = {
  readonly order: Order;
  readonly kind: Kind;
  readonly minor: bigint;
  /** Nothing else works on the order: both of the two must be answered alike. */
  readonly alone?: boolean;
  readonly final?: boolean;
  /** Under a reference of its own. */
  readonly own?: boolean;
  /** For a refund: the capture that is refunded. */
  readonly capture_id?: string;
};

/** Answers the id that the operation was given; empty: none was told. */
export async function operate(driver: Driver, chance: Chance, operating: Operating): Promise<string> {
  const { order, kind, minor, alone = false, final = false, own = false, capture_id } = operating;
  const key = `${kind}-${chance.hex(20)}`;
  const body = {
    ...(kind !== 'cancel' && { amount: toDecimal(minor, order.currency) }),
    ...(final && { final }),
    ...(own && { operation_merchant_id: key }),
    ...(capture_id !== undefined && { capture_id }),
  };
  driver.counts.operations++;
  const path = `/payment/maintenance/${kind}/${order.order_id}`;
  const replies = await twice(driver, chance, { path, body, key, wait_s: chance.pick([0, 0, 1, 3]) });
  for (const reply of replies) {
    const id = kind === 'cancel' ? '' : textOf(reply, `${kind}_id`);
    await keep(driver, reply, { did: kind, key, order_id: order.order_id, id, minor, currency: order.currency });
  }
  const ids = new Set(replies.map((reply) => textOf(reply, `${kind}_id`)).filter(Boolean));
  if (ids.size > 1) driver.violated(order.order_id, `one key made ${ids.size} ${kind}s`);
  if (alone) compareTwins(driver, order, kind, replies);
  return [...ids][0] ?? '';
}

/**
 * Refusals that a second request under a key must never get: that another request, which is its own twin, is in the
 * way.
 */
const IN_ITS_OWN_WAY = new Set([
  '511030',
  '511031',
  '511032',
  '611030',
  '611031',
  '611032',
  '711032',
  '711033',
  '711031',
]);

function compareTwins(driver: Driver, { order_id }: Order, kind: Kind, replies: readonly Reply[]): void {
  const accepted = replies.some((reply) => reply.status === 200);
  for (const { status, code } of replies)
    if (accepted && status !== 200 && IN_ITS_OWN_WAY.has(code))
      driver.violated(order_id, `one key, two answers: a ${kind} was accepted, and refused with ${code}`);
}

async function twice(driver: Driver, chance: Chance, asking: Parameters<typeof ask>[2]): Promise<readonly Reply[]> {
  const replies = await Promise.all([ask(driver, chance, asking), ask(driver, chance, asking)]);
  return replies.filter((reply) => reply !== undefined);
}

type Kept = {
  readonly did: 'order' | Kind;
  readonly key: string;
  readonly order_id: string;
  readonly id: string;
  readonly minor: bigint;
  readonly currency: string;
};

function keep(driver: Driver, { status, code }: Reply, kept: Kept): Promise<void> {
  const at = Math.round(performance.now() - driver.began);
  return driver.acks.keep({ ...kept, status, code, minor: kept.minor.toString(), at });
}

function textOf({ body }: Reply, name: string): string {
  const value = body[name];
  return typeof value === 'string' ? value : '';
}

export const AUTHORIZED: ReadonlySet<string> = new Set(['authorization_successful']);
export const CAPTURED: ReadonlySet<string> = new Set(['capture_successful']);
const MOVING =
  /^(?:created|authorization_requested|authorization_cancel_requested|capture_requested|refund_requested)$/;
const LOOK_MS = 150;
const LOOKS = 60;

/**
 * Waits until the order stands there; false when it ends elsewhere, or when it takes too long for a customer to wait.
 */
export async function reached(
  driver: Driver,
  chance: Chance,
  order: Order,
  there: ReadonlySet<string>,
): Promise<boolean> {
  for (let looks = 0; looks < LOOKS; looks++) {
    const status = (await readOrder(driver, chance, order.order_id))?.body['status'];
    if (typeof status === 'string' && !MOVING.test(status)) return there.has(status);
    await pause(LOOK_MS);
  }
  return false;
}
