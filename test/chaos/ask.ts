// A request of a client: it is sent again under the same key until any of the services gives a definite answer. Every
// definite answer is on the disk before it is used.
import type { Acks } from './acks.ts';
import type { Chance } from './chance.ts';
import type { Services } from './services.ts';
import type { Vendors } from './vendors/vendors.ts';

export type Reply = {
  readonly status: number;
  readonly code: string;
  readonly body: Readonly<Record<string, unknown>>;
};

export type Counts = {
  orders: number;
  operations: number;
  requests: number;
  /** Connections lost, 500, 503, 429 and silence: asked again. */
  again: number;
  /** Why, by status; nobody: no answer at all. */
  readonly why: Map<string, number>;
  /** Nobody gave a definite answer in time. */
  unanswered: number;
  readonly codes: Map<string, number>;
};

export type Driver = {
  readonly services: Services;
  readonly acks: Acks;
  readonly counts: Counts;
  readonly vendors: Vendors | undefined;
  readonly began: number;
  /** Routing rules are in force. */
  readonly routed: boolean;
  /** Reports something that must never happen, with its order. */
  violated(order_id: string, what: string): void;
  /** False: no new story is begun. */
  isGoing(): boolean;
  /** Milliseconds since the last fault; 0 while there are faults. */
  peaceMs(): number;
  /** Nobody waits for an answer any more: the run has seen what it wanted to see. */
  isAborted(): boolean;
};

export type Asking = {
  readonly method?: 'POST' | 'PUT' | 'DELETE';
  readonly path: string;
  /** Empty of a DELETE. */
  readonly body: object;
  readonly key: string;
  readonly wait_s: number;
  /** At the vault, with the public key. */
  readonly vault?: true;
};

const ANSWER_MS = 12_000;
/** How long a client waits after the last fault and since its first try; until then it asks again and again. */
const PATIENCE_MS = 45_000;
const AGAIN_MS = 120;
/** Between two looks whether any service is up. */
const UP_MS = 50;
const IN_DOUBT = new Set([429, 500, 502, 503, 504]);

export async function ask(driver: Driver, chance: Chance, asking: Asking): Promise<Reply | undefined> {
  const asked_at = performance.now();
  const isPatient = () => Math.min(driver.peaceMs(), performance.now() - asked_at) <= PATIENCE_MS;
  while (!driver.isAborted() && isPatient()) {
    if (!driver.services.all.some((service) => service.isReady())) {
      await pause(UP_MS);
      continue;
    }
    driver.counts.requests++;
    const reply = await once(driver, chance, asking);
    if (reply !== undefined && !IN_DOUBT.has(reply.status)) {
      const { codes } = driver.counts;
      codes.set(reply.code, (codes.get(reply.code) ?? 0) + 1);
      return reply;
    }
    driver.counts.again++;
    const detail = reply?.body['detail'];
    const why = reply === undefined ? 'nobody' : `${reply.status} ${typeof detail === 'string' ? detail : ''}`;
    driver.counts.why.set(why, (driver.counts.why.get(why) ?? 0) + 1);
    await pause(AGAIN_MS + chance.between(0, AGAIN_MS));
  }
  if (driver.isAborted()) return undefined;
  driver.counts.unanswered++;
  driver.violated('', `no definite answer to ${asking.path} in ${PATIENCE_MS / 1000} s after the last fault`);
  return undefined;
}

/** GET of an order; undefined where nobody answers just now. */
export async function readOrder(driver: Driver, chance: Chance, order_id: string): Promise<Reply | undefined> {
  const reply = await send(`${pickService(driver, chance).api_url}/payment/order/${order_id}`, {
    headers: { 'x-api-key': driver.services.keys.private_key },
  });
  if (reply?.status === 404) driver.violated(order_id, 'an acknowledged order is not found');
  return reply?.status === 200 ? reply : undefined;
}

function pickService({ services }: Driver, chance: Chance) {
  const ready = services.all.filter((service) => service.isReady());
  return chance.pick(ready.length > 0 ? ready : services.all);
}

function once(
  driver: Driver,
  chance: Chance,
  { method = 'POST', path, body, key, wait_s, vault }: Asking,
): Promise<Reply | undefined> {
  const { services } = driver;
  const service = pickService(driver, chance);
  return send((vault ? service.vault_url : service.api_url) + path, {
    method,
    headers: {
      ...(method !== 'DELETE' && { 'content-type': 'application/json' }),
      'x-api-key': vault ? services.keys.public_key : services.keys.private_key,
      ...(key !== '' && { 'idempotency-key': key }),
      prefer: `wait=${wait_s}`,
    },
    ...(method !== 'DELETE' && { body: JSON.stringify(body) }),
  });
}

async function send(url: string, init: RequestInit): Promise<Reply | undefined> {
  try {
    const response = await fetch(url, { ...init, signal: AbortSignal.timeout(ANSWER_MS) });
    const value: unknown = JSON.parse(await response.text());
    if (typeof value !== 'object' || value === null) return undefined;
    const body: Record<string, unknown> = { ...value };
    const { result } = body;
    const code = typeof result === 'object' && result !== null && 'code' in result ? String(result.code) : '';
    return { status: response.status, code, body };
  } catch {
    // nobody there, the line was cut, or the answer was: nothing is known
    return undefined;
  }
}

export const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
