// The stories of the clients: each order is sent twice at once under one key, then captured, refunded and cancelled, in
// races and alone.
import { AUTHORIZED, CAPTURED, CARDS, authorized, operate, part, pay, reached, refunds } from './acts.ts';
import { type Driver, ask, pause } from './ask.ts';
import { actAsPayer } from './payer.ts';
import type { Chance } from './chance.ts';
import { VENDORS, VENDOR_CURRENCY } from './vendors/vendors.ts';

/** A client plays story after story until the run says stop. */
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
  renewing,
} as const satisfies Record<string, Story>;
const OFTEN: Readonly<Partial<Record<StoryName, number>>> = {
  sale: 2,
  racing: 2,
  partial: 2,
  undecided: 2,
  asked: 3,
  elsewhere: 5,
  renewing: 4,
  hurrying: 0.2,
};

export type StoryName = keyof typeof STORIES;
export const ALL_STORIES = [
  ...([
    'sale',
    'racing',
    'partial',
    'cancelling',
    'undecided',
    'race',
    'refusing',
    'asked',
    'hurrying',
    'renewing',
  ] as const),
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

/**
 * Captures one after the other, each sent twice at once, the last one final; then refunds, one of them of a capture by
 * its name.
 */
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
 * The payer is asked: before, or because the issuer wants it. They type a code, leave, or do nothing; the merchant may
 * cancel meanwhile. What is captured is refunded.
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
 * The clock of the sandbox moves on, in the middle of it all: timers, retries and late answers come at once, in their
 * order. In one minute of three: what is in doubt grows old by it, and what is old is asked about less often, which is
 * not what is measured at the end.
 */
async function hurrying(driver: Driver, chance: Chance): Promise<void> {
  const minute = Math.floor((performance.now() - driver.began) / 60_000);
  if (minute % 3 !== 0) return cancelling(driver, chance);
  const body = { seconds: chance.between(1, 45) };
  await ask(driver, chance, { path: '/sandbox/clock/advance', body, key: `clock-${chance.hex(20)}`, wait_s: 0 });
}

/**
 * At one of the real providers: held or sold, then captured and refunded, or cancelled. What it cannot take goes to
 * another one.
 */
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
  // by its name, or where rules send it
  const named = !driver.routed || chance.isLucky(0.7);
  const fields = { ...(named && { merchant_contract: name }), payment_channel: 'e-commerce' };
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

/**
 * A renewal without the payer: tried again later where its card or bad luck declines it, at any provider. Its merchant
 * may stop that or try again themselves, in the moment when its time has come.
 */
async function renewing(driver: Driver, chance: Chance): Promise<void> {
  const type = chance.pick(['authorize', 'direct_capture'] as const);
  const card = chance.pick(chance.isLucky(0.5) ? CARDS.poor : CARDS.good);
  const minor = BigInt(chance.between(2, 900)) * 100n;
  const order = await pay(driver, chance, {
    type,
    wait_s: chance.between(0, 3),
    card,
    saved: true,
    fields: { payment_channel: 'recurring', retry_policy: 'default' },
    ...(driver.vendors && chance.isLucky(0.3) && { of: { currency: VENDOR_CURRENCY, minor } }),
  });
  if (!order || !chance.isLucky(0.3)) return;
  await pause(chance.between(0, 1_500));
  const path = `/payment/order/${order.order_id}`;
  const stop = { method: 'DELETE', path: `${path}/retry`, body: {}, key: '', wait_s: 0 } as const;
  const key = `again-${chance.hex(20)}`;
  const again = { method: 'PUT', path, body: { token: order.token }, key, wait_s: 0 } as const;
  await ask(driver, chance, chance.pick([stop, again]));
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
