// One request until it is answered: tried again over any failure under one Idempotency-Key, so that it has one effect.
import { FlorinNoAnswer, FlorinRefusal } from '../errors.ts';
import { type Clock, pause } from './clock.ts';
import { type Json, type Read, readAnswer } from './read.ts';

export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/** What a client is made with. */
export type Connection = {
  readonly origin: string;
  readonly key: string;
  readonly fetch: Fetch;
  readonly clock: Clock;
  /** For every request that names no other. */
  readonly defaults: CallOptions;
};

/** What may be said of one call. */
export type CallOptions = {
  /**
   * Yours, to repeat the call after a crash of your own with one effect; made for each call unless given. Store it
   * first.
   */
  readonly idempotency_key?: string | undefined;
  /**
   * How long the API may wait for the outcome before it answers `pending`: 0 to 25. The account's setting unless given.
   */
  readonly wait_seconds?: number | undefined;
  /** How long to go on trying, all tries together: 60 unless given. */
  readonly deadline_seconds?: number | undefined;
  /** How many tries: 6 unless given. */
  readonly attempts?: number | undefined;
  /** Ends the call at once. A request that moves money and may have arrived then ends `in_doubt`. */
  readonly signal?: AbortSignal | undefined;
};

/**
 * How a request is sent again under its key. The signal of the first call does not count: it may be what ended that
 * call, and the payment is still to be found out.
 */
export type RepeatOptions = Pick<CallOptions, 'deadline_seconds' | 'signal'>;

export const repeated = (
  options: CallOptions | undefined,
  idempotency_key: string,
  how: RepeatOptions = {},
): CallOptions => ({ ...options, signal: undefined, ...how, idempotency_key });

export type Call = {
  readonly method: string;
  readonly path: string;
  readonly body?: object | undefined;
  /** Money moves: no answer is doubt, and not an error. */
  readonly money?: boolean;
  /** A call before this one, under the same key, may have done it. */
  readonly again?: boolean;
};

export type Answered = { readonly kind: 'answered'; readonly body: Json; readonly idempotency_key: string };
/** It may have been done. */
export type Unknown = {
  readonly kind: 'unknown';
  readonly attempts: number;
  readonly idempotency_key: string;
  readonly cause: unknown;
};

const DEADLINE_SECONDS = 60;
const ATTEMPTS = 6;
/** No answer of the API takes longer than 28 s (contract 2.8). */
const ATTEMPT_MS = 30_000;
const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 8000;
/**
 * After a try without an answer, only these say what the same key has become; others are given before the key is looked
 * at.
 */
const SETTLES = [400, 404, 409, 413, 415, 422];

export async function send(connection: Connection, call: Call, options: CallOptions = {}): Promise<Answered | Unknown> {
  const { clock } = connection;
  const wanted = { ...connection.defaults, ...given(options) };
  const attempts = wanted.attempts ?? ATTEMPTS;
  const ends_at = clock.now() + (wanted.deadline_seconds ?? DEADLINE_SECONDS) * 1000;
  const idempotency_key = call.method === 'GET' ? '' : (wanted.idempotency_key ?? crypto.randomUUID());
  const init = requestOf(connection, call, { ...wanted, idempotency_key });
  let may_be_done = call.again === true;
  wanted.signal?.throwIfAborted();
  for (let attempt = 1; ; attempt += 1) {
    const time = Math.min(ATTEMPT_MS, ends_at - clock.now());
    const read = await tryOnce(connection, { url: connection.origin + call.path, init, time, signal: wanted.signal });
    if (read.kind === 'answered') return { kind: 'answered', body: read.body, idempotency_key };
    if (read.kind === 'refused' && !read.again) {
      if (may_be_done && call.money === true && !SETTLES.includes(read.refusal.status))
        return { kind: 'unknown', attempts: attempt, idempotency_key, cause: read.refusal };
      throw read.refusal;
    }
    may_be_done ||= read.kind === 'lost';
    const wait = pauseBefore(attempt + 1, read, clock);
    const over = attempt >= attempts || clock.now() + wait >= ends_at;
    if (!over) await pause(clock, wait, wanted.signal);
    const aborted = wanted.signal?.aborted === true;
    if (!over && !aborted) continue;
    const cause: unknown = aborted ? wanted.signal?.reason : read.kind === 'lost' ? read.cause : read.refusal;
    if (may_be_done && call.money === true) return { kind: 'unknown', attempts: attempt, idempotency_key, cause };
    if (aborted || cause instanceof FlorinRefusal) throw cause;
    throw new FlorinNoAnswer({ attempts: attempt, cause, idempotency_key: idempotency_key || undefined });
  }
}

/** Without what is undefined, which must not hide a default. */
function given(options: CallOptions): CallOptions {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
}

type Wanted = CallOptions & { readonly idempotency_key: string };

function requestOf(
  { key }: Connection,
  { method, body }: Call,
  { idempotency_key, wait_seconds }: Wanted,
): RequestInit {
  return {
    method,
    headers: {
      'x-api-key': key,
      accept: 'application/json',
      version: '2.3',
      ...(idempotency_key !== '' && { 'idempotency-key': idempotency_key }),
      ...(wait_seconds !== undefined && { prefer: `wait=${wait_seconds}` }),
      ...(body && { 'content-type': 'application/json' }),
    },
    ...(body && { body: JSON.stringify(body) }),
    // a redirect would carry the key to somewhere else
    redirect: 'manual',
  };
}

type Try = {
  readonly url: string;
  readonly init: RequestInit;
  readonly time: number;
  readonly signal: AbortSignal | undefined;
};

async function tryOnce({ fetch, clock }: Connection, { url, init, time, signal }: Try): Promise<Read> {
  const ending = new AbortController();
  const end = () => ending.abort(signal?.reason);
  signal?.addEventListener('abort', end);
  const stop = clock.after(time, () => ending.abort(new Error('no answer in time')));
  try {
    return await readAnswer(await fetch(url, { ...init, signal: ending.signal }));
  } catch (cause) {
    return { kind: 'lost', cause };
  } finally {
    stop();
    signal?.removeEventListener('abort', end);
  }
}

/**
 * As long as the API asks for; else twice as long each time, and by chance, so that many callers do not come back at
 * once.
 */
function pauseBefore(attempt: number, read: Exclude<Read, { kind: 'answered' }>, clock: Clock): number {
  const asked = read.kind === 'refused' ? read.refusal.retry_after_seconds : undefined;
  const most = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (attempt - 2));
  return (asked ?? 0) * 1000 + most * (0.5 + clock.random() / 2);
}
