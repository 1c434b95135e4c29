// A world for the stories of a file, with the simulator of every provider; the state of an order at the provider and
// here, and how it is healed.
import { type Difference, compareUnseen } from '../../src/payment/ledger/reconcile/compare.ts';
import { findNow, findOwnOrders } from '../../src/payment/ledger/reconcile/store.ts';
import { verifyLedger } from '../../src/payment/ledger/verify/verify.ts';
import type { KillPoint } from '../../src/core/kill-points.ts';
import type { Capabilities } from '../../src/provider/capabilities.ts';
import { type Reply, textAt, until } from '../client.ts';
import { type World, world } from '../world.ts';
import type { At, Driver, Work } from './at/contract.ts';
import { type Cut, type Stall, cut, looked, stall, takeUp } from './interrupt.ts';
import { PROVIDERS } from './providers.ts';
import { sentEarlier } from '../undecided.ts';

export type Bench = {
  readonly at: At;
  readonly can: Capabilities;
  readonly drive: Driver;
  /** Makes messages wait, or not any more; messages without which nothing ends are never held back. */
  quiet(quiet: boolean): Promise<void>;
  /** Authorizes, or sells, 25.00 EUR or what is said; answers what the merchant is told. */
  pay(fields?: object, card?: string | object, headers?: object): Promise<Reply>;
  maintain(kind: 'capture' | 'refund' | 'cancel', order_id: string, body?: object, headers?: object): Promise<Reply>;
};

/** Waits as long as a call without an answer takes. */
const PREFER = { prefer: 'wait=2' };

/** For a call that gets no answer, or one that proves nothing: its result is seen at the order. */
const AT_ONCE = { prefer: 'wait=0' };

export type Stand = AsyncDisposable & {
  readonly w: World;
  bench(at: At): Bench;
  /** Works on what is open until nothing is; time goes by where that is needed. */
  heal(order_id: string): Promise<void>;
  /** The first call is over, and nobody looks at what it left open before it is healed. */
  leave(order_id: string): Promise<void>;
  /** Makes open operations so old that they cannot arrive any more. */
  aged(order_id: string): Promise<void>;
  /** The difference that a comparison finds for the open refund, with books that do not have it. */
  missing(order_id: string): Promise<Difference>;
  /** The differences between us, the ledger and the provider; empty: none. */
  differences(order_id: string): Promise<readonly string[]>;
  /** The providers at which this order was tried, in order. */
  triedAt(order_id: string): Promise<readonly string[]>;
  /** The next answer to this step waits: the process stands still meanwhile, with the answer in its hands. */
  stall(step: string): Stall;
  /** Recovery looks at it once. */
  looked(order_id: string): Promise<void>;
  /**
   * Another process takes up the authorization of this order, if it is still open, and does nothing with it yet, or its
   * work.
   */
  takeUp(order_id: string, does: 'nothing' | 'recovery'): Promise<void>;
  /** The next time that this place is passed, after so many others, the work there ends as if the power was cut. */
  cut(point: KillPoint, passes?: number): Cut;
  /** Columns of the money zone that hold one of these. */
  leaks(texts: readonly string[]): Promise<readonly string[]>;
};

export async function openStand(): Promise<Stand> {
  const names = PROVIDERS.flatMap((at) => at.with ?? []);
  const w = await world({ FLORIN_WITH: names.join(',') });
  const { tools } = w.service;
  // nobody waits half a minute for an answer that never comes
  const providers = new Map(
    [...tools.providers].map(([name, one]) => [name, { ...one, can: { ...one.can, answer_deadline_s: 1 } }]),
  );
  // a story is about one call: that the provider was down in the stories before must not matter
  const breaker = { ...tools.breaker, isOpen: () => false, saw: () => undefined };
  Object.assign(tools, { providers, breaker });
  return {
    w,
    bench: (at) => benchOf(w, at),
    heal: (order_id) => heal(w, order_id),
    leave: (order_id) => leave(w, order_id),
    aged: (order_id) => aged(w, order_id),
    missing: (order_id) => missing(w, order_id),
    differences: (order_id) => differences(w, order_id),
    triedAt: (order_id) => triedAt(w, order_id),
    stall: (step) => stall(w, step),
    looked: (order_id) => looked(w, order_id),
    takeUp: (order_id, does) => takeUp(w, order_id, does),
    cut: (point, passes = 0) => cut(w, point, passes),
    leaks: (texts) => leaks(w, texts),
    [Symbol.asyncDispose]: () => w[Symbol.asyncDispose](),
  };
}

let count = 0;

function benchOf(w: World, at: At): Bench {
  const can = w.service.tools.providers.get(at.name)?.can;
  if (!can) throw new Error(`there is no ${at.name} in this world`);
  const drive = at.drive(w);
  return {
    at,
    can,
    drive,
    quiet: (quiet) => drive.hold(quiet && can.ends.capture !== 'notice'),
    pay: async (fields = {}, card = at.cards.good, headers = PREFER) => {
      const given = typeof card === 'string' ? { card_number: card } : { card_number: at.cards.good, ...card };
      const token = await w.shop.token(given);
      const order = {
        operation_type: 'authorize',
        amount: '25.00',
        currency: 'EUR',
        order_merchant_id: `conform-${++count}`,
        merchant_contract: at.name,
        payment_channel: 'e-commerce',
        max_attempts: 1,
      };
      return w.shop.order({ token, ...order, ...fields }, { ...headers });
    },
    maintain: (kind, order_id, body, headers = PREFER) =>
      w.shop.api(`/payment/maintenance/${kind}/${order_id}`, { method: 'POST', body, headers: { ...headers } }),
  };
}

/**
 * Does a work, and before that what it is done to; `arm` stands right before the work itself. Answers the order, when
 * the work has begun.
 */
export async function doing(bench: Bench, work: Work, arm: () => Promise<void>): Promise<string> {
  if (work === 'authorize' || work === 'sale') {
    await arm();
    const operation_type = work === 'sale' ? 'direct_capture' : 'authorize';
    return textAt(await bench.pay({ operation_type }, undefined, AT_ONCE), 'order_id');
  }
  const operation_type = work === 'refund' ? 'direct_capture' : 'authorize';
  const order_id = textAt(await bench.pay({ operation_type }), 'order_id');
  await arm();
  await bench.maintain(work, order_id, undefined, AT_ONCE);
  return order_id;
}

/** The id of an order, also where the work on it ended before its answer. */
export async function orderOf(w: World, reply: Reply, order_merchant_id?: string): Promise<string> {
  if (order_merchant_id === undefined || reply.status < 500) return textAt(reply, 'order_id');
  const [row] = await w.sql<{ id: string }>(
    `SELECT encode(id, 'hex') AS id FROM payment.orders WHERE order_merchant_id = $1`,
    [order_merchant_id],
  );
  if (!row) throw new Error(`no order ${order_merchant_id}`);
  return row.id;
}

type Open = { readonly id: string; readonly tries: number };

async function leave(w: World, order_id: string): Promise<void> {
  await until(async () => w.service.tools.running.find(order_id) === undefined || undefined);
  await w.sql(
    `UPDATE payment.operations
     SET due_at = payment.now() + interval '1 hour'
     WHERE order_id = decode($1, 'hex') AND state NOT IN ('successful', 'declined', 'not_sent')`,
    [order_id],
  );
}

async function aged(w: World, order_id: string): Promise<void> {
  await w.sql(
    `UPDATE payment.operations
     SET created_at = created_at - interval '10 minutes', sent_at = sent_at - interval '10 minutes'
     WHERE order_id = decode($1, 'hex') AND state NOT IN ('successful', 'declined', 'not_sent')`,
    [order_id],
  );
  await sentEarlier(w, order_id, 600);
}

async function missing({ service, sql }: World, order_id: string): Promise<Difference> {
  const merchant_account_id = service.demo?.merchant_account_id ?? '';
  const [order] = await findOwnOrders(service.tools.db.tenant(merchant_account_id), {
    ids: [order_id],
    now: await findNow(service.tools.db),
  });
  const [open] = await sql<Open>(
    `SELECT encode(id, 'hex') AS id, tries FROM payment.operations
     WHERE order_id = decode($1, 'hex') AND kind = 'refund' AND state = 'in_doubt'`,
    [order_id],
  );
  const operations = order?.operations.filter(({ id }) => id === open?.id) ?? [];
  if (!order) throw new Error(`no order ${order_id}`);
  const books = { seen: () => false, in_flight: new Map() };
  const [found] = compareUnseen({ order, operations, merchant_account_id }, books);
  if (found === undefined || found === 'young') throw new Error('nothing is missing there');
  // a comparison tells it of authorizations alone: here of a refund, so that it is seen what would stop it
  return { ...found, tells: 'not_found' };
}

/**
 * At first as it is, then with each look that recovery has taken up so much later that nothing is on its way any more.
 * Before it is taken up no time passes, however slow the machine is.
 */
async function heal(w: World, order_id: string): Promise<void> {
  const { tools } = w.service;
  const later_s = 1 + Math.max(...[...tools.providers.values()].map(({ can }) => can.in_flight_s));
  let [looks, before] = [0, ''];
  await until(async () => {
    const open = await w.sql<Open>(
      `SELECT encode(id, 'hex') AS id, tries FROM payment.operations
       WHERE order_id = decode($1, 'hex') AND state NOT IN ('successful', 'declined', 'not_sent')
       ORDER BY id`,
      [order_id],
    );
    if (tools.running.find(order_id) !== undefined) return undefined;
    if (open.length === 0) return true;
    const now = JSON.stringify(open);
    if (now === before) return undefined;
    before = now;
    const older_s = looks++ < 3 ? 0 : later_s;
    await sentEarlier(w, order_id, older_s);
    await w.sql(
      `UPDATE payment.operations
       SET kept = (kept::jsonb || CASE WHEN kept::jsonb ? 'payer_until' THEN '{"payer_until": "2020-01-01T00:00:00.000Z"}'::jsonb ELSE '{}'::jsonb END)::json,
         due_at = payment.now(), created_at = created_at - make_interval(secs => $2), sent_at = sent_at - make_interval(secs => $2)
       WHERE order_id = decode($1, 'hex') AND state NOT IN ('successful', 'declined', 'not_sent')`,
      [order_id, older_s],
    );
    tools.wake_up.wake();
    return undefined;
  }).catch(async () => {
    throw new Error(`left open: ${JSON.stringify(await historyOf(w, order_id))}`);
  });
}

/** The history, for people who read a failure. */
const historyOf = (w: World, order_id: string) =>
  w.sql(
    `SELECT o.kind, o.state, o.step, o.waits_for, o.code, o.reason, b.source, b.outcome, b.provider_code, b.http_status
     FROM payment.operations o LEFT JOIN payment.observations b ON b.operation_id = o.id
     WHERE o.order_id = decode($1, 'hex')`,
    [order_id],
  );

type Row = { winner: string | null; currency: string; held: string; captured: string; refunded: string };

async function differences(w: World, order_id: string): Promise<readonly string[]> {
  const [ours] = await w.sql<Row>(
    `SELECT encode(winner_id, 'hex') AS winner, currency, authorized_minor - released_minor - captured_minor AS held,
       captured_minor AS captured, refunded_minor AS refunded
     FROM payment.orders WHERE id = decode($1, 'hex')`,
    [order_id],
  );
  if (!ours) return [`no order ${order_id}`];
  // one may have taken the place of another
  const theirs = (await Promise.all(PROVIDERS.map((at) => bookedAt(w, at, order_id)))).flat();
  const said: string[] = [];
  if (ours.winner !== null && theirs.every(({ ours: id }) => id !== ours.winner)) said.push('they know nothing of it');
  // each by itself is what was asked for: only their number says that it was done twice
  const standing = theirs.filter(({ ours: id, held, captured }) => id === ours.winner && held + captured > 0n);
  if (standing.length > 1) said.push(`stands there ${standing.length} times`);
  for (const { ours: id, currency, held, captured, refunded, stays } of theirs) {
    // what is left behind the last capture is no hold of ours any more, and there until it lapses
    const left = stays && captured > 0n && ours.held === '0' ? 0n : held;
    const there = `${currency} held ${left}, captured ${captured}, refunded ${refunded}`;
    const here = `${ours.currency} held ${ours.held}, captured ${ours.captured}, refunded ${ours.refunded}`;
    if (id === ours.winner && here !== there) said.push(`here ${here}; there ${there}`);
    if (id !== ours.winner && (held !== 0n || captured !== refunded)) said.push(`stands there alone: ${there}`);
  }
  const { first } = await verifyLedger({
    db: w.service.tools.db,
    account: w.account,
    progress: () => undefined,
  });
  if (first) said.push(`the ledger: ${JSON.stringify(first)}`);
  const broken = await w.sql<{ state: string }>(
    `SELECT state FROM payment.contradictions WHERE order_id = decode($1, 'hex')`,
    [order_id],
  );
  const visits = await w.sql(
    `SELECT 1 FROM payment.authentications WHERE order_id = decode($1, 'hex') AND settled_at IS NULL`,
    [order_id],
  );
  if (visits.length > 0) said.push('the payer is still waited for');
  return [...said, ...broken.map(({ state }) => `a contradiction: ${state}`)];
}

async function bookedAt(w: World, at: At, order_id: string) {
  const stays = w.service.tools.providers.get(at.name)?.can.rest_after_last_capture === 'stays';
  return (await at.drive(w).books(order_id)).map((payment) => ({ ...payment, stays }));
}

async function triedAt(w: World, order_id: string): Promise<readonly string[]> {
  const tries = await w.sql<{ provider: string }>(
    `SELECT provider FROM payment.transactions WHERE order_id = decode($1, 'hex') ORDER BY id`,
    [order_id],
  );
  return tries.map(({ provider }) => provider);
}

async function leaks(w: World, texts: readonly string[]): Promise<readonly string[]> {
  const tables = await w.sql<{ name: string }>(
    `SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables WHERE schemaname = 'payment'`,
  );
  const either = texts.flatMap((text) => [text, Buffer.from(text).toString('hex')]).join('|');
  const found: string[] = [];
  for (const { name } of tables) {
    const rows = await w.sql(`SELECT 1 FROM ${name} t WHERE t::text ~ $1 LIMIT 1`, [either]);
    if (rows.length > 0) found.push(name);
  }
  return found;
}
