// The requests of a shop's server. Node 20 or newer, no packages.
import { setTimeout as sleep } from 'node:timers/promises';

const { API = 'http://127.0.0.1:8080', PRIVATE_KEY = '' } = process.env;
const TRIES = 4;

// region: ask
/**
 * One request. `key` names what the shop wants, such as `pay-cart-1881`: with the same key it has one effect, so it may be
 * repeated after a failure of any kind. Throws when no answer came: then the outcome is unknown, and the shop asks again later.
 */
export async function ask(method, path, { body, key } = {}) {
  for (let tries = 1; ; tries++) {
    const answer = await send(method, path, body, key).catch(() => undefined);
    const failed = answer === undefined || answer.http === 429 || answer.http >= 500;
    if (!failed) return answer;
    if (tries === TRIES) throw new Error(`no answer to ${method} ${path}: in doubt, ask again with the same key`);
    await sleep(1000 * (answer?.retry_after ?? 0) || 200 * 2 ** tries);
  }
}

async function send(method, path, body, key) {
  const response = await fetch(API + path, {
    method,
    headers: {
      'x-api-key': PRIVATE_KEY,
      ...(body && { 'content-type': 'application/json' }),
      ...(key && { 'idempotency-key': key }),
    },
    ...(body && { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(30_000),
  });
  return {
    ...(await response.json()),
    http: response.status,
    retry_after: Number(response.headers.get('retry-after')),
  };
}
// endregion
