// Whatever is sent, the service answers, in its own words, and lives on. FLORIN_FUZZ_SEED replays a run,
// FLORIN_FUZZ_COUNT makes it longer.
import { connect } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sizeOf } from '../sizes.ts';
import { type World, world } from '../world.ts';
import { type Answer, type Visit, goodRequests, member, visit } from './door.ts';
import { Dice, type Keys, MARK, type Pool, httpRequest, rawBytes } from './fuzz-requests.ts';

const SEED = Number(process.env['FLORIN_FUZZ_SEED'] ?? Date.now() % 1_000_000_000);
const COUNT = sizeOf('FLORIN_FUZZ_COUNT', { usual: 1000, full: 3000 });
const AT_ONCE = 16;
const HANG_MS = 60_000;
/** Memory may rise by this much between the first fifth of a run and its end: caches fill, they do not leak. */
const GROWTH_MB = 160;

let w: World;
beforeAll(async () => {
  w = await world({ FLORIN_FAILED_KEYS_PER_MINUTE: '1000000' });
});
afterAll(() => w[Symbol.asyncDispose]());

/** What is wrong with an answer; nothing, mostly. */
function wrongWith(sent: Visit, answer: Answer): string | undefined {
  const { status, text, headers } = answer;
  if (status >= 500) return 'a status of 500 or more';
  if (!/^[0-9a-f]{24}$/.test(String(headers['x-request-id']))) return 'no request id';
  if (sent.method === 'HEAD' || status === 204) return undefined;
  if (typeof answer.code !== 'string') return 'no result.code';
  if (status < 400) return undefined;
  if (text.includes(MARK)) return 'an error that repeats a value';
  if (member(answer.body, 'instance') !== headers['x-request-id']) return 'an instance that is not the request id';
  return undefined;
}

function learn(pool: Pool, { body }: Answer): void {
  const texts: [string[], unknown][] = [
    [pool.checkouts, member(member(body, 'checkout'), 'checkout_id')],
    [pool.tokens, member(body, 'token')],
    [pool.orders, member(body, 'order_id')],
  ];
  for (const [list, value] of texts) {
    if (typeof value !== 'string') continue;
    list.push(value);
    if (list.length > 200) list.shift();
  }
}

async function withinTime<T>(work: Promise<T>): Promise<T> {
  const clock = new AbortController();
  const late = new Promise<never>((_, reject) => {
    const timer = setTimeout(() => reject(new Error(`no answer within ${HANG_MS} ms`)), HANG_MS);
    clock.signal.addEventListener('abort', () => clearTimeout(timer));
  });
  return Promise.race([work, late]).finally(() => clock.abort());
}

const shownBody = (body: Visit['body']) =>
  (Buffer.isBuffer(body) ? body.toString('latin1') : typeof body === 'string' ? body : '').slice(0, 600);

async function tryHttp(dice: Dice, pool: Pool, keys: Keys): Promise<string | undefined> {
  const sent = httpRequest(dice, pool, keys);
  const said = () => `${sent.method} ${sent.path} ${JSON.stringify(sent.headers)} ${shownBody(sent.body)}`;
  try {
    const answer = await withinTime(visit(w, asLatin(sent)));
    learn(pool, answer);
    const wrong = wrongWith(sent, answer);
    return wrong && `${wrong}: ${said()} -> ${answer.status} ${answer.text.slice(0, 600)}`;
  } catch (error) {
    return `${String(error)}: ${said()}`;
  }
}

/** Headers and paths as a client library sends them: bytes. */
function asLatin(sent: Visit): Visit {
  const latin = (text: string) => Buffer.from(text).toString('latin1');
  const headers = Object.entries(sent.headers ?? {}).map(([name, value]) => [name, value && latin(String(value))]);
  return { ...sent, path: encodeURI(sent.path).replaceAll('%25', '%'), headers: Object.fromEntries(headers) };
}

/** Sends bytes, closes its own side, and takes what comes back. */
async function tryBytes(dice: Dice, keys: Keys): Promise<string | undefined> {
  const { host, bytes } = rawBytes(dice, keys);
  const { hostname, port } = new URL(host === 'api' ? w.service.addresses.base_url : w.service.addresses.vault_url);
  const answered = new Promise<string>((resolve) => {
    let text = '';
    const socket = connect(Number(port), hostname, () => socket.end(bytes));
    socket.on('data', (part) => (text += part.toString('latin1')));
    // a reset is an answer too: what was sent made no sense
    socket.on('error', () => socket.destroy());
    socket.on('close', () => resolve(text));
  });
  const said = () => JSON.stringify(bytes.toString('latin1').slice(0, 600));
  try {
    const text = await withinTime(answered);
    const status = /^HTTP\/1\.1 (\d{3})/.exec(text)?.[1];
    if (text !== '' && (status === undefined || Number(status) >= 500))
      return `bytes ${said()} -> ${text.slice(0, 600)}`;
    if (Number(status) >= 400 && text.includes(MARK)) return `bytes repeated: ${said()} -> ${text.slice(0, 600)}`;
    return undefined;
  } catch (error) {
    return `${String(error)}: bytes ${said()}`;
  }
}

test(
  `${COUNT} requests that no client would send do no harm (seed ${SEED})`,
  { timeout: 120_000 + COUNT * 100 },
  async () => {
    process.stdout.write(`fuzz: FLORIN_FUZZ_SEED=${SEED} FLORIN_FUZZ_COUNT=${COUNT}\n`);
    const other = await w.otherShop();
    const keys: Keys = { ...w.keys, foreign_key: other.keys.private_key };
    const pool: Pool = { checkouts: [], tokens: [], orders: [] };
    const before = Object.getOwnPropertyNames(Object.prototype).toSorted().join();
    /** The first request of each kind of wrong. */
    const wrong = new Map<string, string>();
    let [next, early_mb] = [0, 0];
    const memory_mb = () => process.memoryUsage().rss / 2 ** 20;
    const worker = async () => {
      while (next < COUNT) {
        const dice = new Dice(SEED + 7919 * next++);
        if (next > COUNT / 5) early_mb ||= memory_mb();
        const found = await (dice.chance(0.1) ? tryBytes(dice, keys) : tryHttp(dice, pool, keys));
        const kind = found?.replace(/:.*/s, '');
        if (found !== undefined && !wrong.has(kind ?? '')) wrong.set(kind ?? '', found);
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, worker));
    expect([...wrong.values()]).toEqual([]);
    expect(Object.getOwnPropertyNames(Object.prototype).toSorted().join()).toBe(before);
    expect(Object.keys({})).toEqual([]);
    for (const list of Object.values(pool)) expect(list.length).toBeGreaterThan(10);
    for (const route of await goodRequests(w))
      expect([route.path, (await visit(w, route)).status]).toEqual([route.path, 200]);
    expect((await visit(w, { host: 'api', method: 'GET', path: '/ready' })).status).toBe(200);
    expect(memory_mb() - early_mb).toBeLessThan(GROWTH_MB);
  },
);
