// How many places a waiting endpoint gets, and what the end of a try means (contract 13.3), as pure functions.
import { DAY_S, HOUR_S } from '../../core/durations.ts';
import type { Exchange } from '../../kit/egress.ts';

const MINUTE_S = 60;

/** Seconds from each try to the next: ten tries, 75.6 hours in all. */
export const DELAYS_S: readonly number[] = [
  5,
  5 * MINUTE_S,
  30 * MINUTE_S,
  ...[2, 5, 10, 14, 20, 24].map((hours) => hours * HOUR_S),
];
const LONGEST_WISH_S = DAY_S;

/** Connections to one endpoint, over all processes. */
export const CONNECTIONS = 4;
/** Longer than any try; for so long an endpoint may wait for a worker that died with all its connections. */
export const LEASE_S = 20;
/**
 * An endpoint whose tries have all failed for longer is out: it is given one connection, and its first success brings
 * forward everything that waits.
 */
export const OUTAGE_S = 30;
/** Between two probes of an endpoint that is out, */
export const PROBE_EVERY_S = MINUTE_S;
/** and for how long it is probed beside the schedule. */
export const PROBED_FOR_S = DAY_S;
/**
 * How many waiting notifications of an endpoint that has ended are ended with each look: there may be very many, and
 * all other endpoints wait meanwhile.
 */
export const ENDED_AT_ONCE = 1000;
/**
 * A success brings forward what waits (contract 13.3), but each notification only when so long, or as long as it had
 * waited then, has passed since it was brought forward the last time: one that alone is refused is not sent with every
 * success of the others.
 */
export const FREED_AGAIN_S = 60;

export type Verdict =
  | { readonly kind: 'delivered'; readonly status: number }
  /** The receiver wants no more: its endpoint is switched off. */
  | { readonly kind: 'gone'; readonly status: number }
  /** `wish_s`: how long it asked us to wait, 0 for nothing said. */
  | { readonly kind: 'failed'; readonly status: number | null; readonly error: string; readonly wish_s: number };

export function verdictOf(exchange: Exchange, now: Date): Verdict {
  if (exchange.kind === 'not_sent') {
    const error = exchange.refused ? 'the address is not a public one' : 'no connection';
    return { kind: 'failed', status: null, error, wish_s: 0 };
  }
  if (exchange.kind === 'unknown') {
    const error = exchange.why === 'timeout' ? 'no answer in time' : 'the connection was closed without an answer';
    return { kind: 'failed', status: null, error, wish_s: 0 };
  }
  const { status, retry_after } = exchange;
  if (status >= 200 && status < 300) return { kind: 'delivered', status };
  if (status === 410) return { kind: 'gone', status };
  const error = status >= 300 && status < 400 ? 'a redirect, which is not followed' : `answered ${status}`;
  return { kind: 'failed', status, error, wish_s: wishOf(retry_after, now) };
}

/** Retry-After in seconds or as a date, at most a day. */
function wishOf(text: string | undefined, now: Date): number {
  if (text === undefined) return 0;
  const seconds = /^\d{1,9}$/.test(text) ? Number(text) : (Date.parse(text) - now.getTime()) / 1000;
  return Number.isFinite(seconds) ? Math.min(Math.max(0, Math.ceil(seconds)), LONGEST_WISH_S) : 0;
}

/**
 * Seconds until the next try by the schedule, when `tries` of it have failed; undefined: that was the last one. A wish
 * of the receiver can only make it later, or a receiver that always says "soon" would use up all its tries.
 */
export function delayAfter(tries: number, wish_s: number): number | undefined {
  const delay_s = DELAYS_S[tries - 1];
  return delay_s === undefined ? undefined : Math.max(delay_s, wish_s);
}

export type WaitingEndpoint = {
  readonly endpoint_id: string;
  readonly merchant_account_id: string;
  readonly state: 'on' | 'off' | 'deleted';
  readonly failing_since: Date | null;
  readonly probe_at: Date | number;
  readonly first_due_at: Date;
  /** The database's clock when it was read. */
  readonly now: Date;
};

export type EndpointClaim = {
  readonly endpoint_id: string;
  readonly connections: number;
  /**
   * The endpoint's first notification is sent although it is not due, to find out whether the endpoint is well again.
   */
  readonly probing: boolean;
};

export type ClaimPlan = {
  readonly claims: readonly EndpointClaim[];
  /** Switched off or deleted: what waits for them is ended. */
  readonly ended: readonly string[];
};

/** Places under way at once: of all together, and those that are left for an account. */
export type Room = { free(): number; left(merchant_account_id: string): number };

/** Gives each endpoint its places, in the order of the list, as long as there are any: in all, and for its account. */
export function planClaims(endpoints: readonly WaitingEndpoint[], room: Room): ClaimPlan {
  const ended = endpoints.filter(({ state }) => state !== 'on').map(({ endpoint_id }) => endpoint_id);
  const given = new Map<string, number>();
  const claims = endpoints.flatMap((endpoint) => {
    const { merchant_account_id: account } = endpoint;
    const claim = claimOf(endpoint);
    const left = room.left(account) - (given.get(account) ?? 0);
    if (!claim || left <= 0) return [];
    const connections = Math.min(claim.connections, left);
    given.set(account, (given.get(account) ?? 0) + connections);
    return [{ ...claim, connections }];
  });
  return { claims: claims.slice(0, room.free()), ended };
}

function claimOf({ endpoint_id, state, ...times }: WaitingEndpoint): EndpointClaim | undefined {
  if (state !== 'on') return undefined;
  const { failing_since, probe_at, first_due_at, now } = times;
  if (failing_since === null)
    return first_due_at > now ? undefined : { endpoint_id, connections: CONNECTIONS, probing: false };
  const failing_s = (now.getTime() - failing_since.getTime()) / 1000;
  const probing = failing_s < PROBED_FOR_S && probe_at <= now;
  if (!probing && first_due_at > now) return undefined;
  return { endpoint_id, connections: probing || failing_s > OUTAGE_S ? 1 : CONNECTIONS, probing };
}
