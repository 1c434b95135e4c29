// The dispatcher: sends notifications that are due, each on its own, so that a slow endpoint does not delay the others.
// If a process dies while it sends, the lease expires and another one sends the same id and bytes again.
import { toDecimal } from '../../core/money.ts';
import type { Database } from '../../kit/database.ts';
import type { Exchange } from '../../kit/egress.ts';
import { makePlaces } from '../../kit/places.ts';
import type { Tools } from '../tools.ts';
import { entryOfNotification } from '../request-log/entry.ts';
import { bodyOf } from './body.ts';
import { sawTry } from './metrics.ts';
import { type Claimed, claimNotifications, endWaiting, findWaitingEndpoints, keepBody } from './queue-store.ts';
import { LEASE_S, type Room, delayAfter, planClaims, verdictOf } from './schedule.ts';
import { openSecret } from './secret.ts';
import { signatureHeaders } from './sign.ts';
import { endDelivered, endFailed, switchOff } from './try-store.ts';

export type DispatcherOptions = {
  /** Under way at once, over all endpoints. */
  readonly most?: number;
  /** Told when one has ended: there may be room, and the next of an order may go. */
  ended(): void;
  /** The fault that a sandbox has armed for this try (contract 15.4); undefined: none. */
  faultOf?(merchant_account_id: string, facts: SendingFacts): Promise<SendingFault | undefined>;
};

/**
 * `…_not_taken`, `…_before` and `refuse_connection`: nothing leaves us; the others reach the endpoint, and we get no
 * good answer.
 */
export type SendingFault =
  | 'refuse_connection'
  | 'timeout_not_taken'
  | 'timeout_taken'
  | 'http_500_before'
  | 'http_500_after';

/** The facts of a notification that a scenario may ask for; null: it has none. */
export type SendingFacts = {
  readonly order_id: string | null;
  readonly order_merchant_id: string | null;
  /** Major units, as decimal text. */
  readonly amount: string | null;
  readonly card_4_digits: string | null;
};

export type Dispatcher = {
  /** Takes what is due and begins to send it. Answers whether there may be more at once. */
  look(): Promise<boolean>;
  /** Done when nothing is under way. */
  drain(): Promise<void>;
  /** Gives what is under way a moment, and breaks off the rest, which is sent again when its lease ends. */
  stop(): Promise<void>;
};

const MOST = 256;
export const DEADLINE_MS = 15_000;
const ANSWER_BYTES = 4096;
/** At shutdown. */
const GRACE_MS = 2000;

export function makeDispatcher(tools: Tools, options: DispatcherOptions): Dispatcher {
  const { most = MOST, ended } = options;
  const under_way = new Set<string>();
  const places = makePlaces(most, ended);
  let broken_off = false;
  return {
    look: async () => {
      if (places.free() === 0) return false;
      // the limit of an account leaves out what other accounts get in the same look
      const at_once = places.half();
      const claimed = await claimDue(tools.db, { room: places, at_once, lease_s: LEASE_S });
      // a lease may end while we are still at it: what we hold is not sent a second time beside itself
      for (const one of claimed.filter(({ id }) => !under_way.has(id))) {
        under_way.add(one.id);
        const work = deliver(tools, one, { ...options, brokenOff: () => broken_off })
          .catch((error: unknown) =>
            tools.log.warn({ notification_id: one.id, error: String(error) }, 'a notification is tried again later'),
          )
          .finally(() => under_way.delete(one.id));
        places.hold(one.merchant_account_id, work);
      }
      return claimed.length === at_once;
    },
    drain: () => places.drain(),
    stop: async () => {
      const grace = tools.clock.timer(GRACE_MS);
      await Promise.race([places.drain(), grace.done]);
      grace.end();
      broken_off = true;
      await tools.outside.destroy();
      await places.drain();
    },
  };
}

/**
 * Looks, decides, leases: one round trip where nothing is due, two where something is, one more for each endpoint that
 * has ended.
 */
export async function claimDue(
  db: Pick<Database, 'run' | 'looks'>,
  { room, at_once = room.free(), lease_s }: { room: Room; at_once?: number; lease_s: number },
) {
  const { claims, ended } = planClaims(await findWaitingEndpoints(db.looks), room);
  for (const endpoint_id of ended) await endWaiting(db, endpoint_id);
  return claims.length === 0 ? [] : claimNotifications(db, { claims, room: at_once, lease_s });
}

type DeliverOptions = Pick<DispatcherOptions, 'faultOf'> & { brokenOff(): boolean };

async function deliver(tools: Tools, claimed: Claimed, options: DeliverOptions): Promise<void> {
  const db = tools.db.tenant(claimed.merchant_account_id);
  const { id, endpoint_id, subject_id, sequence, scheduled, tries } = claimed;
  const body = claimed.body ?? (await keepBody(db, id, bodyOf(claimed, tools)));
  // its endpoint was deleted, and it with it
  if (body === undefined) return;
  const since = tools.clock.ticks();
  const secrets = [claimed.secret_sealed, claimed.old_secret_sealed].flatMap((sealed) =>
    sealed === null ? [] : [openSecret(tools, claimed, sealed)],
  );
  const fault = await options.faultOf?.(claimed.merchant_account_id, matchOf(claimed));
  const { merchant_account_id, order_id } = claimed;
  const of_try = { id, endpoint_id, merchant_account_id, order_id };
  const exchange = await meeting(fault, () => post(tools, { ...of_try, url: claimed.url, secrets, body }));
  const verdict = verdictOf(exchange, tools.outside.clock.now());
  const duration_ms = Math.round(tools.clock.ticks() - since);
  const ended = { id, endpoint_id, subject_id, sequence, status: verdict.status, duration_ms };
  if (verdict.kind !== 'failed') sawTry(verdict.kind, duration_ms);
  if (verdict.kind === 'delivered') return endDelivered(db, ended);
  if (verdict.kind === 'gone') return switchOff(db, ended);
  // our own doing: it says nothing about the endpoint
  if (options.brokenOff()) return;
  const { error, wish_s } = verdict;
  const delay_s = delayAfter(tries + 1, wish_s) ?? null;
  sawTry(scheduled && delay_s === null ? 'parked' : 'failed', duration_ms);
  return endFailed(db, { ...ended, error, wish_s, scheduled, tries, delay_s });
}

/** An armed fault of a sandbox (contract 15.4): what is sent nevertheless, and the answer that we see. */
async function meeting(fault: SendingFault | undefined, send: () => Promise<Exchange>): Promise<Exchange> {
  switch (fault) {
    case undefined:
      return send();
    case 'refuse_connection':
      return { kind: 'not_sent' };
    case 'timeout_taken':
    case 'timeout_not_taken':
      if (fault === 'timeout_taken') await send();
      return TIMEOUT;
    case 'http_500_after':
    case 'http_500_before':
      if (fault === 'http_500_after') await send();
      return FAILED;
  }
}

const TIMEOUT: Exchange = { kind: 'unknown', why: 'timeout' };
const FAILED: Exchange = { kind: 'answered', status: 500, body: Buffer.alloc(0) };

function matchOf({ event, facts, order_id }: Claimed): SendingFacts {
  // a test that is sent again: it came with its body, and with no facts at all
  const told = event === 'test' ? null : facts.told;
  const of_order = told && 'authorized_minor' in told ? told : undefined;
  return {
    order_id,
    order_merchant_id: told?.order_merchant_id ?? null,
    amount: told ? toDecimal(BigInt(told.amount_minor), told.currency) : null,
    card_4_digits: of_order?.last4 ?? null,
  };
}

export type Posting = {
  readonly id: string;
  readonly merchant_account_id: string;
  readonly order_id: string | null;
  readonly endpoint_id: string;
  readonly url: string;
  /** The newest first. */
  readonly secrets: readonly string[];
  readonly body: string;
};

/** Makes one try, with a timestamp of its own, and notes it in the request log. */
export async function post(
  { outside, request_log, clock }: Pick<Tools, 'outside' | 'request_log' | 'clock'>,
  { secrets, ...posting }: Posting,
): Promise<Exchange> {
  const { id, endpoint_id, url, body } = posting;
  const { brand } = outside;
  const { origin, pathname, search } = new URL(url);
  const since = clock.ticks();
  const timestamp = String(Math.floor(outside.clock.now().getTime() / 1000));
  const exchange = await outside.exchange({
    method: 'POST',
    origin,
    // each endpoint has its own connection pool
    pool: endpoint_id,
    path: pathname + search,
    headers: {
      'content-type': 'application/json',
      'user-agent': brand,
      ...signatureHeaders(brand, secrets, { id, timestamp, body }),
    },
    body: Buffer.from(body),
    deadline_ms: outside.deadline_ms,
    max_answer_bytes: ANSWER_BYTES,
    status_is_enough: true,
  });
  const tried = { ...posting, exchange, ms: clock.ticks() - since };
  request_log.note(() => entryOfNotification(tried, outside.clock.now()));
  return exchange;
}
