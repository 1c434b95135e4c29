// What the clients do: each order sent twice at once under one key, then captured, refunded and cancelled, in races and alone.
import { toDecimal } from '../../src/core/money.ts';
import { type Driver, type Reply, ask, pause, readOrder } from './ask.ts';
import { actAsPayer } from './payer.ts';
import type { Chance } from './chance.ts';
import { BANK_CURRENCIES, VENDORS, VENDOR_CURRENCY } from './vendors/vendors.ts';

type Kind = 'capture' | 'refund' | 'cancel';

type Order = {
  readonly order_id: string;
  readonly minor: bigint;
  readonly currency: string;
};

/** Currencies of 0, 2 and 3 decimals. */
const CARDS = {
  good: ['4242424242424242', '5555555555554444', '378282246310005'],
  declined: ['4000000000000002', '4000000000009995', '4000000000009987'],
  // the provider refuses the first capture, refund, cancel
  capture_declined: ['4000009995212886'],
  refund_declined: ['4000009996212885'],
  cancel_declined: ['4000009997212884'],
  // the bank wants to see the payer, and the issuer declines softly without
  asking: '4000002760003184',
} as const;

/** One client: story after story until the run says stop. */
export async function beClient(driver: Driver, chance: Chance, { stories, pace_ms }: Habits): Promise<void> {
  const told = stories.flatMap((name) => Array.from({ length: Math.ceil(OFTEN[name] ?? 1) }, () => name));
  while (driver.isGoing()) {
    const name = chance.pick(told);
    if ((OFTEN[name] ?? 1) < 1 && !chance.isLucky(OFTEN[name] ?? 1)) continue;
    await STORIES[name](driver, chance);
    await pause(chance.between(0, pace_ms));
  }
}

export type Habits = {
  readonly stories: readonly StoryName[];
  /** Longest pause between two stories. */
  readonly pace_ms: number;
};

type Story = (driver: Driver, chance: Chance) => Promise<void>;

const STORIES = {
  sale,
  racing,
  partial,
  cancelling,
  undecided,
  race,
  refusing,
  asked,
  hurrying,
  elsewhere,
} as const satisfies Record<string, Story>;
const OFTEN: Readonly<Partial<Record<StoryName, number>>> = {
  sale: 2,
  racing: 2,
  partial: 2,
  undecided: 2,
  asked: 3,
  elsewhere: 5,
  hurrying: 0.2,
};

export type StoryName = keyof typeof STORIES;
export const ALL_STORIES = [
  ...(['sale', 'racing', 'partial', 'cancelling', 'undecided', 'race', 'refusing', 'asked', 'hurrying'] as const),
] as const;
/** Without moves of the clock: they make an operation old, and what is old is asked for less often. */
export const UNHURRIED = ALL_STORIES.filter((name) => name !== 'hurrying');

/** A direct capture, then refunds. */
async function sale(driver: Driver, chance: Chance): Promise<void> {
  const order = await pay(driver, chance, { type: 'direct_capture', wait_s: chance.between(0, 5) });
  if (order && (await reached(driver, chance, order, CAPTURED))) await refunds(driver, chance, order, order.minor);
}

/** Three captures of 60 % at once: one at most. */
async function racing(driver: Driver, chance: Chance): Promise<void> {
  const order = await authorized(driver, chance);
  if (!order) return;
  const minor = part(order, 60n);
  await Promise.all([1, 2, 3].map((n) => operate(driver, chance, { order, kind: 'capture', minor, own: n === 3 })));
  if (await reached(driver, chance, order, CAPTURED)) await refunds(driver, chance, order, minor);
}

/** Captures one after the other, each sent twice at once, the last one final; then refunds, one of them of a capture by its name. */
async function partial(driver: Driver, chance: Chance): Promise<void> {
  const order = await authorized(driver, chance);
  if (!order) return;
  let capture_id = '';
  for (const share of [30n, 20n]) {
    const capture = { order, kind: 'capture', minor: part(order, share), alone: true } as const;
    capture_id = await operate(driver, chance, capture);
    if (!(await reached(driver, chance, order, CAPTURED))) return;
  }
  const named = { order, kind: 'refund', minor: part(order, 5n), own: true, capture_id } as const;
  if (capture_id !== '' && chance.isLucky(0.5)) await operate(driver, chance, named);
  if (chance.isLucky(0.5)) {
    await operate(driver, chance, { order, kind: 'capture', minor: part(order, 10n), alone: true, final: true });
    if (!(await reached(driver, chance, order, CAPTURED))) return;
  }
  await refunds(driver, chance, order, part(order, 30n));
}

async function cancelling(driver: Driver, chance: Chance): Promise<void> {
  const order = await authorized(driver, chance);
  if (order) await operate(driver, chance, { order, kind: 'cancel', minor: 0n, alone: true });
}

/** Cancelled before anybody knows whether it is authorized. */
async function undecided(driver: Driver, chance: Chance): Promise<void> {
  const type = chance.pick(['authorize', 'direct_capture'] as const);
  const order = await pay(driver, chance, { type, wait_s: 0 });
  if (!order) return;
  await pause(chance.between(0, 300));
  await operate(driver, chance, { order, kind: 'cancel', minor: 0n });
}

/** A capture against a cancel. */
async function race(driver: Driver, chance: Chance): Promise<void> {
  const order = await authorized(driver, chance);
  if (!order) return;
  await Promise.all([
    operate(driver, chance, { order, kind: 'capture', minor: part(order, 50n) }),
    operate(driver, chance, { order, kind: 'cancel', minor: 0n }),
  ]);
}

/**
 * The payer is asked: before, or because the issuer wants it. They type a code, leave, or do nothing; the merchant may cancel
 * meanwhile. What is captured is refunded.
 */
async function asked(driver: Driver, chance: Chance): Promise<void> {
  const authentication_indicator = chance.pick(['ask_3ds', 'force_3ds', 'no_3ds'] as const);
  const type = chance.pick(['authorize', 'direct_capture'] as const);
  const card = chance.pick([CARDS.asking, CARDS.asking, CARDS.good[0]] as const);
  const order = await pay(driver, chance, {
    type,
    wait_s: chance.between(0, 3),
    card,
    fields: { authentication_indicator },
  });
  if (!order) return;
  const act = chance.pick(['1234', '1234', '1234', '7777', '1111', '3333', 'cancel', 'nothing'] as const);
  const cancels = chance.isLucky(0.15);
  const acting = actAsPayer(driver, chance, { order_id: order.order_id, act });
  if (cancels) await operate(driver, chance, { order, kind: 'cancel', minor: 0n });
  await acting;
  if (act === 'nothing' || cancels) return;
  if (type === 'authorize') {
    if (await reached(driver, chance, order, AUTHORIZED))
      await operate(driver, chance, { order, kind: 'capture', minor: order.minor, alone: true });
  } else if (await reached(driver, chance, order, CAPTURED)) await refunds(driver, chance, order, order.minor);
}

/**
 * The clock of the sandbox moves on, in the middle of it all: timers, retries and late answers come at once, in their order. In one
 * minute of three: what is in doubt grows old by it, and what is old is asked about less often, which is not what is measured at the
 * end.
 */
async function hurrying(driver: Driver, chance: Chance): Promise<void> {
  const minute = Math.floor((performance.now() - driver.began) / 60_000);
  if (minute % 3 !== 0) return cancelling(driver, chance);
  const body = { seconds: chance.between(1, 45) };
  await ask(driver, chance, { path: '/sandbox/clock/advance', body, key: `clock-${chance.hex(20)}`, wait_s: 0 });
}

/** At one of the real providers: held or sold, then captured and refunded, or cancelled. What it cannot take goes to another one. */
async function elsewhere(driver: Driver, chance: Chance): Promise<void> {
  const at = chance.pick(VENDORS);
  const { name, cards } = at;
  const inTrouble = async () => {
    if (driver.isGoing()) await driver.vendors?.trouble(at, chance);
  };
  await inTrouble();
  const type = chance.pick(['authorize', 'direct_capture'] as const);
  // whole pounds: parts of one mean something to two of them
  const minor = BigInt(chance.between(2, 900)) * 100n;
  const fields = { merchant_contract: name, payment_channel: 'e-commerce' };
  const of = { currency: VENDOR_CURRENCY, minor };
  const order = await pay(driver, chance, { type, wait_s: chance.between(0, 3), card: cards.good, fields, of });
  if (!order) return;
  await inTrouble();
  if (type === 'authorize') {
    if (chance.isLucky(0.1)) await operate(driver, chance, { order, kind: 'cancel', minor: 0n });
    if (!(await reached(driver, chance, order, AUTHORIZED))) return;
    const kind = chance.pick(['capture', 'capture', 'cancel'] as const);
    const amount = kind === 'cancel' ? 0n : chance.pick([minor, part(order, 50n)]);
    await operate(driver, chance, { order, kind, minor: amount, alone: true });
    if (kind === 'cancel') return;
    if (await reached(driver, chance, order, CAPTURED)) await refunds(driver, chance, order, amount);
  } else if (await reached(driver, chance, order, CAPTURED)) await refunds(driver, chance, order, minor);
}

/** The provider says no. */
async function refusing(driver: Driver, chance: Chance): Promise<void> {
  const which = chance.pick(['declined', 'capture_declined', 'refund_declined', 'cancel_declined'] as const);
  const type = which === 'refund_declined' ? 'direct_capture' : 'authorize';
  const order = await pay(driver, chance, { type, wait_s: 3, card: chance.pick(CARDS[which]) });
  if (!order || which === 'declined') return;
  if (!(await reached(driver, chance, order, which === 'refund_declined' ? CAPTURED : AUTHORIZED))) return;
  const kind = which === 'capture_declined' ? 'capture' : which === 'refund_declined' ? 'refund' : 'cancel';
  await operate(driver, chance, { order, kind, minor: kind === 'cancel' ? 0n : order.minor, alone: true });
}

async function authorized(driver: Driver, chance: Chance): Promise<Order | undefined> {
  const order = await pay(driver, chance, { type: 'authorize', wait_s: chance.between(0, 5) });
  return order && (await reached(driver, chance, order, AUTHORIZED)) ? order : undefined;
}

/** A few refunds at once, in sum perhaps more than there is; then the whole rest. */
async function refunds(driver: Driver, chance: Chance, order: Order, captured: bigint): Promise<void> {
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

const part = ({ minor }: Order, percent: bigint): bigint => (minor * percent) / 100n || 1n;

type Paying = {
  readonly type: 'authorize' | 'direct_capture';
  readonly wait_s: number;
  readonly card?: string;
  readonly fields?: object;
  /** Drawn, unless it is said. */
  readonly of?: { readonly currency: string; readonly minor: bigint };
};

/** Tokenizes and orders, the order twice at once; both must name the same one. */
async function pay(driver: Driver, chance: Chance, paying: Paying): Promise<Order | undefined> {
  const drawn = { currency: chance.pick(BANK_CURRENCIES), minor: BigInt(chance.between(100, 200_000)) };
  const { currency, minor } = paying.of ?? drawn;
  const token = await tokenize(driver, chance, paying.card ?? chance.pick(CARDS.good));
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
  return order_id === undefined || order_id === '' ? undefined : { order_id, minor, currency };
}

async function tokenize(driver: Driver, chance: Chance, card_number: string): Promise<string | undefined> {
  const body = {
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
  /** Of a refund: the capture that it is of. */
  readonly capture_id?: string;
};

/** Answers the id that the operation was given; empty: none was told. */
async function operate(driver: Driver, chance: Chance, operating: Operating): Promise<string> {
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

/** What a second request under a key is never told: that another one, which is itself, is in the way. */
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

const AUTHORIZED: ReadonlySet<string> = new Set(['authorization_successful']);
const CAPTURED: ReadonlySet<string> = new Set(['capture_successful']);
const MOVING =
  /^(?:created|authorization_requested|authorization_cancel_requested|capture_requested|refund_requested)$/;
const LOOK_MS = 150;
const LOOKS = 60;

/** Waits until the order stands there; false when it ends elsewhere, or when it takes too long for a customer to wait. */
async function reached(driver: Driver, chance: Chance, order: Order, there: ReadonlySet<string>): Promise<boolean> {
  for (let looks = 0; looks < LOOKS; looks++) {
    const status = (await readOrder(driver, chance, order.order_id))?.body['status'];
    if (typeof status === 'string' && !MOVING.test(status)) return there.has(status);
    await pause(LOOK_MS);
  }
  return false;
}
