// An Idempotency-Key (contract 2.9), decided in one way for every route that writes: the same body is answered with
// what the key made, another body is refused. Where keys are kept is each zone's own.
import { timingSafeEqual } from 'node:crypto';
import { type Refusal, refuseField } from '../../core/refusals.ts';
import { sha256 } from '../crypto.ts';
import type { Answer, RouteRequest } from './route.ts';

/** For so long a key is answered with what it made; those of orders are kept for longer. */
export const KEY_HOURS = 72;

/** A key belongs to a route: method and full path. Its fingerprint is that of the body it came with. */
export type Key = { readonly route: string; readonly key: string; readonly fingerprint: string };

/** Undefined: the request has none. */
export function keyOf(
  { idempotency_key: key, canonical }: Pick<RouteRequest<unknown, unknown, unknown>, 'idempotency_key' | 'canonical'>,
  route: string,
): Key | undefined {
  return key === undefined ? undefined : { route, key, fingerprint: sha256(canonical()) };
}

type Used = { readonly fingerprint: string };

/** Whether the key was used with the same body. */
export function isRepeat(used: Used, { fingerprint }: Used): boolean {
  return timingSafeEqual(Buffer.from(used.fingerprint, 'hex'), Buffer.from(fingerprint, 'hex'));
}

/**
 * What an equal request used the key for before; undefined: it was not used. Throws if the earlier request had another
 * body.
 */
export function repeatOf<U extends Used>(used: U | undefined, now: Used | undefined): U | undefined {
  if (used && !(now && isRepeat(used, now))) throw keyMismatch();
  return used;
}

export function keyMismatch(message = 'was used with another body: give each request a key of its own'): Refusal {
  return refuseField('Idempotency-Key', 'idempotency_mismatch', message);
}

export const REPLAYED = { 'idempotent-replayed': 'true' } as const;

/** The answer to a repeat: as it stands now, and marked. */
export function replayed({ body, last }: Answer): Answer {
  return { body, ...(last && { last }), headers: REPLAYED };
}
