// The key gate (contract 2.6, 2.10): keys, requests for each key, running requests, failed keys for each address.
import { Refusal } from '../../core/refusals.ts';
import { hasScope } from '../../core/keys/scopes.ts';
import type { Clock } from '../clock.ts';
import { sha256 } from '../crypto.ts';
import { networkOf } from '../person/few-at-once.ts';
import { type Counts, remember } from './counts.ts';
import type { Caller, Route } from './route.ts';

export type GateLimits = {
  readonly requests_per_second: number;
  readonly requests_running: number;
  readonly failed_keys_per_minute: number;
};

export type GateOptions<C> = {
  readonly limits: GateLimits;
  readonly counts: Counts;
  readonly clock: Clock;
  /** The owner of a key, by its SHA-256; undefined: no such key, or revoked. */
  identify(digest: string): Promise<C | undefined>;
  /** Called with an address that presents one wrong key after the other. */
  suspect?(ip: string): void;
  /** Called with the SHA-256 of a private key that a browser sent. */
  inPage?(digest: string, merchant_account_id: string): void;
};

/** The key that a request brings to the gate. */
type PresentedKey<C> = {
  readonly key: string | undefined;
  readonly ip: string;
  readonly origin: string | undefined;
  /** Told whose key it is, also where the request is refused for another reason. */
  known?(caller: C): unknown;
};

type Bucket = { tokens: number; at: number; running: number };

/** Lets a caller in: checks the key, counts the request. `leave` must be called when its answer is out. */
export class KeyGate<C extends Caller> {
  private readonly options: GateOptions<C>;
  private readonly buckets = new Map<string, Bucket>();

  constructor(options: GateOptions<C>) {
    this.options = options;
  }

  async enter(
    { key, ip, origin, known }: PresentedKey<C>,
    route: Pick<Route<C>, 'key' | 'scope'>,
  ): Promise<{ caller: C; leave: () => void }> {
    if (key === undefined || key === '') {
      throw new Refusal('key_missing', {
        detail: 'send your key in the header x-api-key',
        headers: { 'www-authenticate': 'ApiKey' },
      });
    }
    const digest = sha256(key);
    const caller = await this.options.identify(digest);
    if (!caller) {
      this.countFailure(ip);
      throw new Refusal('key_invalid', {
        detail: 'the key in x-api-key is unknown, revoked or of the other environment',
      });
    }
    known?.(caller);
    // servers send no Origin
    if (origin !== undefined && caller.kind === 'private') this.options.inPage?.(digest, caller.merchant_account_id);
    const leave = this.take(digest);
    if (route.key === 'private' && caller.kind !== 'private') {
      leave();
      throw new Refusal('key_forbidden', { detail: 'this route needs a private key; a public key may only tokenize' });
    }
    if (route.scope !== undefined && !hasScope(caller.scopes, route.scope)) {
      leave();
      throw new Refusal('key_forbidden', {
        detail: `this key does not have the scope ${route.scope}, which this route needs: use a key that has it`,
      });
    }
    return { caller, leave };
  }

  private take(digest: string): () => void {
    const { limits, clock, counts } = this.options;
    const now = clock.ticks();
    const per_second = counts.share(limits.requests_per_second);
    const bucket = this.buckets.get(digest) ?? { tokens: 2 * per_second, at: now, running: 0 };
    remember(this.buckets, digest, bucket);
    bucket.tokens = Math.min(2 * per_second, bucket.tokens + ((now - bucket.at) / 1000) * per_second);
    bucket.at = now;
    const running = counts.share(limits.requests_running);
    if (bucket.running >= running) throw tooManyRunning(running);
    if (bucket.tokens < 1) throw tooMany('key', { quota: per_second, window_s: 1, retry_s: 1 });
    bucket.tokens--;
    bucket.running++;
    let left = false;
    return () => {
      if (!left) bucket.running--;
      left = true;
    };
  }

  private countFailure(ip: string): void {
    const { counts, limits } = this.options;
    const counted = counts.count(`failed key ${networkOf(ip)}`, limits.failed_keys_per_minute);
    if (counted === 'within') return;
    // told once in a minute, however many follow
    if (counted === 'first beyond') this.options.suspect?.(ip);
    throw tooMany('failed-keys', { quota: limits.failed_keys_per_minute, window_s: 60, retry_s: 60 });
  }
}

/** 429 with the headers of contract 2.10: nothing was accepted. */
export function tooMany(
  policy: string,
  { quota, window_s, retry_s }: { quota: number; window_s: number; retry_s: number },
): Refusal {
  return new Refusal('rate_limited', {
    detail: `too many requests: at most ${quota} in ${window_s} s; repeat after ${retry_s} s`,
    headers: {
      'retry-after': String(retry_s),
      ratelimit: `"${policy}";r=0;t=${retry_s}`,
      'ratelimit-policy': `"${policy}";q=${quota};w=${window_s}`,
    },
  });
}

/** 429 of the limit that counts no time: `quota` requests of the key have not been answered yet. */
function tooManyRunning(quota: number): Refusal {
  return new Refusal('rate_limited', {
    detail: `too many requests at once: ${quota} of this key are running, and no more may be; repeat when one is answered`,
    headers: {
      'retry-after': '1',
      ratelimit: '"running";r=0;t=1',
      'ratelimit-policy': `"running";q=${quota};qu="concurrent-requests"`,
    },
  });
}
