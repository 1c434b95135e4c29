// @florin/client/notifications: is it from Florin, and does it come in order. Needs Web Crypto alone, which every
// runtime has.
import type {
  CheckoutEvent,
  ContradictionEvent,
  CustomerEvent,
  DisputeEvent,
  EventName,
  Open,
  OrderEvent,
  ProviderEvent,
  RetriesEvent,
  TestEvent,
} from './wire/schemas.ts';

type Any =
  | OrderEvent
  | DisputeEvent
  | ContradictionEvent
  | RetriesEvent
  | CheckoutEvent
  | CustomerEvent
  | ProviderEvent
  | TestEvent;
type NameIn<E> = E extends unknown ? keyof E : never;
type Member<E, Name extends PropertyKey> = E extends unknown ? (Name extends keyof E ? E[Name] : never) : never;

/**
 * What a notification says: every member that any kind of event has. Those that a kind does not have are absent; new
 * ones may come in any release.
 */
export type FlorinEvent = {
  readonly event: Open<EventName | 'test'>;
} & {
  readonly [Name in Exclude<NameIn<Any>, 'event'>]?: Member<Any, Name>;
} & {
  readonly [member: string]: unknown;
};

export type {
  CheckoutEvent,
  ContradictionEvent,
  CustomerEvent,
  DisputeEvent,
  OrderEvent,
  ProviderEvent,
  RetriesEvent,
  TestEvent,
};

/** Headers as a `Headers`, or as Node's `request.headers`. */
export type HeadersLike =
  | { get(name: string): string | null }
  | Readonly<Record<string, string | readonly string[] | undefined>>;

export type Verification = {
  /** The body byte for byte as it came: before any JSON is made of it. */
  readonly body: string | Uint8Array;
  readonly headers: HeadersLike;
  /** The endpoint's secret; while one replaces another, both. */
  readonly secrets: string | readonly string[];
  /** How old or new the signature may be: 300 unless given. */
  readonly tolerance_seconds?: number;
  /** The brand of the deployment, which names two of the headers: florin unless given. */
  readonly brand?: string;
  /** Unix seconds, for tests. */
  readonly now?: number;
};

/** Why it was not believed. Answer 400 or 401, and do nothing else. */
export type Disbelief = 'no_signature' | 'too_old_or_new' | 'wrong_signature' | 'not_json';

const WORDS: Readonly<Record<Disbelief, string>> = {
  no_signature: 'the headers of a signature are missing',
  too_old_or_new: 'the signature is not of now: compare the clocks',
  wrong_signature: 'no secret made this signature: is the body as it came, byte for byte?',
  not_json: 'the body is signed, but it is no JSON object',
};

/** The notification is not to be believed. */
export class NotificationRefused extends Error {
  override readonly name = 'NotificationRefused';
  readonly reason: Disbelief;

  constructor(reason: Disbelief) {
    super(WORDS[reason]);
    this.reason = reason;
  }
}

/**
 * The event, when one of the secrets signed it a short time ago; else throws `NotificationRefused`. Checks
 * `webhook-signature` (Standard Webhooks) where it is there, and `{brand}-signature` where only that is.
 */
export async function verify(given: Verification): Promise<FlorinEvent> {
  const { headers, tolerance_seconds = 300, brand = 'florin', now = Date.now() / 1000 } = given;
  const secrets = [given.secrets].flat().filter((secret) => secret !== '');
  if (secrets.length === 0) throw new TypeError('no secret is given');
  const body = typeof given.body === 'string' ? encode(given.body) : given.body;
  const id = headerOf(headers, 'webhook-id');
  const signature = headerOf(headers, 'webhook-signature');
  const is_standard = signature !== '';
  const timestamp = headerOf(headers, is_standard ? 'webhook-timestamp' : `${brand}-timestamp`);
  const branded = headerOf(headers, `${brand}-signature`);
  if ((is_standard && id === '') || (!is_standard && branded === '') || timestamp === '')
    throw new NotificationRefused('no_signature');
  if (!/^\d{1,12}$/.test(timestamp) || Math.abs(now - Number(timestamp)) > tolerance_seconds)
    throw new NotificationRefused('too_old_or_new');
  const is_theirs = is_standard
    ? await isSigned(secrets.map(webhookKey), join(encode(`${id}.${timestamp}.`), body), webhookValues(signature))
    : await isSigned(secrets.map(encode), join(body, encode(timestamp)), [fromHex(branded)]);
  if (!is_theirs) throw new NotificationRefused('wrong_signature');
  return eventOf(body);
}

function eventOf(body: Uint8Array): FlorinEvent {
  try {
    const event: unknown = JSON.parse(new TextDecoder().decode(body));
    if (typeof event === 'object' && event !== null && 'event' in event) return event as FlorinEvent;
  } catch {
    // as one that is no object
  }
  throw new NotificationRefused('not_json');
}

/** What is kept of an order between its events: store it with what you know of the order, in one transaction. */
export type Seen = { readonly sequence: number; readonly order_version: number };

export type Place = {
  /**
   * next: apply it. after_gap: apply it, and read the order, for events before it were given up. repeated: it came
   * already. late: something newer is known; its status must not be applied.
   */
  readonly kind: 'next' | 'after_gap' | 'repeated' | 'late';
  /** Apply what the event says. */
  readonly apply: boolean;
  /** Keep this in place of what was kept. */
  readonly seen: Seen;
};

/**
 * Where an event stands among those of its order. `seen` is what was kept of the order; undefined: nothing yet. A read
 * of the order tells its `order_version` too: keep that one when it is higher, so that older events do not undo it.
 */
export function inOrder(event: FlorinEvent, seen: Seen = { sequence: 0, order_version: 0 }): Place {
  const sequence = event.sequence ?? 0;
  const order_version = event.order_version ?? seen.order_version;
  if (sequence !== 0 && sequence <= seen.sequence)
    return { kind: sequence === seen.sequence ? 'repeated' : 'late', apply: false, seen };
  const kept = { sequence, order_version: Math.max(order_version, seen.order_version) };
  if (order_version < seen.order_version) return { kind: 'late', apply: false, seen: kept };
  const is_next = (event.previous_sequence ?? 0) <= seen.sequence;
  return { kind: is_next ? 'next' : 'after_gap', apply: true, seen: kept };
}

async function isSigned(
  secrets: readonly Uint8Array[],
  message: Uint8Array,
  signatures: readonly Uint8Array[],
): Promise<boolean> {
  let found = false;
  for (const secret of secrets) {
    const key = await crypto.subtle.importKey('raw', plain(secret), { name: 'HMAC', hash: 'SHA-256' }, false, [
      'verify',
    ]);
    for (const signature of signatures)
      // compares in constant time, whatever is given
      if (await crypto.subtle.verify('HMAC', key, plain(signature), plain(message))) found = true;
  }
  return found;
}

function webhookKey(secret: string): Uint8Array {
  return secret.startsWith('whsec_') ? fromBase64(secret.slice('whsec_'.length)) : encode(secret);
}

/**
 * While a secret is replaced there are several, of which one is enough; of other versions of the format nothing is
 * known.
 */
function webhookValues(header: string): readonly Uint8Array[] {
  return header
    .split(' ')
    .filter((value) => value.startsWith('v1,'))
    .map((value) => fromBase64(value.slice('v1,'.length)));
}

function headerOf(headers: HeadersLike, name: string): string {
  if ('get' in headers && typeof headers.get === 'function') return headers.get(name) ?? '';
  const value = Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1];
  const [first = ''] = [value].flat();
  return typeof first === 'string' ? first : '';
}

function encode(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

function join(first: Uint8Array, second: Uint8Array): Uint8Array {
  const both = new Uint8Array(first.length + second.length);
  both.set(first);
  both.set(second, first.length);
  return both;
}

/** What is not base64 or hex is a signature, or a key, that fits nothing. */
function fromBase64(text: string): Uint8Array {
  return /^[A-Za-z0-9+/]+={0,2}$/.test(text) && text.length % 4 !== 1
    ? Uint8Array.from(atob(text), (char) => char.codePointAt(0) ?? 0)
    : encode('');
}

function fromHex(text: string): Uint8Array {
  const pairs = /^(?:[0-9a-f]{2})+$/.test(text) ? (text.match(/../g) ?? []) : [];
  return Uint8Array.from(pairs, (pair) => Number.parseInt(pair, 16));
}

/** A view of memory that no other code changes, as Web Crypto wants it. */
function plain(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  return new Uint8Array(bytes);
}
