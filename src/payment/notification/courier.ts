// The courier: takes notifications that are due and sends them, each on its own, so that an endpoint that hangs holds up nobody.
// Whoever dies with one in the hand lets it go when the lease ends: it is sent again, with the same id and bytes.
import type { Tools } from '../tools.ts';
import { bodyOf } from './body.ts';
import { delayAfter, verdictOf } from './schedule.ts';
import { openSecret } from './secret.ts';
import { signatureHeaders } from './sign.ts';
import { type Claimed, claimNotifications, endDelivered, endFailed, keepBody, switchOff } from './store.ts';

export type CourierOptions = {
  /** Under way at once, over all endpoints. */
  readonly most?: number;
  /** Told when one has ended: there may be room, and the next of an order may go. */
  ended(): void;
};

export type Courier = {
  /** Takes what is due and begins to send it. Answers whether there may be more at once. */
  look(): Promise<boolean>;
  /** Done when nothing is under way. */
  drain(): Promise<void>;
  /** Gives what is under way a moment, and breaks off the rest, which is sent again when its lease ends. */
  stop(): Promise<void>;
};

/** Connections to one endpoint, over all processes. */
export const CONNECTIONS = 4;
const MOST = 256;
export const DEADLINE_MS = 15_000;
/** Longer than any try; for so long an endpoint may wait for a worker that died with all its connections. */
const LEASE_S = 20;
const ANSWER_BYTES = 4096;
/** At shutdown. */
const GRACE_MS = 2000;

export function makeCourier(tools: Tools, options: CourierOptions): Courier {
  const { most = MOST, ended } = options;
  const under_way = new Map<string, Promise<void>>();
  const drain = async () => {
    await Promise.all(under_way.values());
  };
  let broken_off = false;
  return {
    look: async () => {
      const room = most - under_way.size;
      if (room <= 0) return false;
      const claimed = await claimNotifications(tools.db, { room, lease_s: LEASE_S, connections: CONNECTIONS });
      // a lease may end while we are still at it: what we hold is not sent a second time beside itself
      for (const one of claimed.filter(({ id }) => !under_way.has(id))) {
        const work = carry(tools, one, () => broken_off)
          .catch((error: unknown) =>
            tools.log.warn({ notification_id: one.id, error: String(error) }, 'a notification is tried again later'),
          )
          .finally(() => {
            under_way.delete(one.id);
            ended();
          });
        under_way.set(one.id, work);
      }
      return false;
    },
    drain,
    stop: async () => {
      const grace = tools.clock.timer(GRACE_MS);
      await Promise.race([drain(), grace.done]);
      grace.end();
      broken_off = true;
      await tools.outside.destroy();
      await drain();
    },
  };
}

async function carry(tools: Tools, claimed: Claimed, brokenOff: () => boolean): Promise<void> {
  const db = tools.db.tenant(claimed.merchant_account_id);
  const { id, endpoint_id, subject_id, sequence, scheduled, tries } = claimed;
  const body = claimed.body ?? (await keepBody(db, id, bodyOf(claimed, tools.addresses.backoffice_url)));
  // its endpoint was deleted meanwhile, and it with it
  if (body === undefined) return;
  const since = tools.clock.ticks();
  const secrets = [claimed.secret_sealed, claimed.old_secret_sealed].flatMap((sealed) =>
    sealed === null ? [] : [openSecret(tools, claimed, sealed)],
  );
  const exchange = await post(tools, { id, endpoint_id, url: claimed.url, secrets, body });
  const verdict = verdictOf(exchange, tools.outside.clock.now());
  const duration_ms = Math.round(tools.clock.ticks() - since);
  const ended = { id, endpoint_id, subject_id, sequence, status: verdict.status, duration_ms };
  if (verdict.kind === 'delivered') return endDelivered(db, ended);
  if (verdict.kind === 'gone') return switchOff(db, ended);
  // our own doing: it says nothing about the endpoint
  if (brokenOff()) return;
  const { error, wish_s } = verdict;
  const delay_s = delayAfter(tries + 1, wish_s) ?? null;
  return endFailed(db, { ...ended, error, wish_s, scheduled, delay_s });
}

export type Posting = {
  readonly id: string;
  readonly endpoint_id: string;
  readonly url: string;
  /** The newest first. */
  readonly secrets: readonly string[];
  readonly body: string;
};

/** One try, with a timestamp of its own. */
export function post({ outside }: Pick<Tools, 'outside'>, { id, endpoint_id, url, secrets, body }: Posting) {
  const { brand } = outside;
  const { origin, pathname, search } = new URL(url);
  const timestamp = String(Math.floor(outside.clock.now().getTime() / 1000));
  return outside.exchange({
    method: 'POST',
    origin,
    // connections of one endpoint are nobody else's
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
}
