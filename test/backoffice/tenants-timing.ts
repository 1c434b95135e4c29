// Can a merchant tell from how long an answer takes that an id is somebody else's (medians within 5 %)? Every route of
// the API and of the back office that takes an id, with every kind of id, between an id that nobody has: npm run
// timing:tenants
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Connection } from '../../bench/connection.ts';
import { type World, world } from '../world.ts';
import { type Foreign, type Place, UNKNOWN, apiPlaces, backofficePlaces, foreign } from './matrix.ts';

/** Of each id at each place; what then lies outside is measured again, more often. */
const ROUNDS = 100;
const AGAIN = 2000;
const LIMIT = 5;
const WARM = 20;

let w: World;
let f: Foreign;
beforeAll(async () => {
  w = await world();
  f = await foreign(w);
});
afterAll(() => w[Symbol.asyncDispose]());

type Host = { readonly connection: Connection; readonly headers: string };

test('no answer tells by its time that an id is of another account', async () => {
  const api = hostOf(w.service.addresses.base_url, { 'x-api-key': w.keys.private_key });
  const { url, cookie, csrf } = f.mine;
  const desk = hostOf(url, { cookie, 'x-csrf-token': csrf, origin: url });
  const tasks = [
    ...(await apiPlaces(w)).map((place) => ({ place, host: api })),
    ...backofficePlaces(w, f).map((place) => ({ place, host: desk })),
  ];
  let pairs = 0;
  let again = 0;
  const differences: { readonly what: string; readonly percent: number }[] = [];
  for (const { place, host } of tasks) {
    const { status } = await ask(host, place, UNKNOWN);
    // what makes something anew each time is not asked for what it knows of an id
    if (status === 200 && place.method !== 'GET') continue;
    const ids = [...f.ids.values()];
    const first = await measure(host, place, { ids, rounds: ROUNDS });
    for (const [kind, id] of f.ids) {
      pairs++;
      let percent = first(id);
      if (Math.abs(percent) > LIMIT) {
        again++;
        percent = (await measure(host, place, { ids: [id], rounds: AGAIN }))(id);
      }
      differences.push({ what: `${place.name}, a foreign ${kind}`, percent });
    }
  }
  const sorted = differences.toSorted((a, b) => Math.abs(b.percent) - Math.abs(a.percent));
  const outside = sorted.filter(({ percent }) => Math.abs(percent) > LIMIT);
  const worst = sorted.slice(0, 10).map(({ what, percent }) => `  ${percent.toFixed(1).padStart(5)} %  ${what}`);
  console.log(
    `T1: ${tasks.length} places, ${pairs} pairs of a foreign id and nobody's, ${again} of them measured again; ${outside.length} medians differ by more than ${LIMIT} %; the most:\n${worst.join('\n')}`,
  );
  expect(pairs).toBeGreaterThan(400);
});

function hostOf(url: string, headers: Readonly<Record<string, string>>): Host {
  const connection = new Connection(url);
  const lines = Object.entries({ host: connection.host, ...headers }).map(([name, value]) => `${name}: ${value}\r\n`);
  return { connection, headers: lines.join('') };
}

async function ask(
  { connection, headers }: Host,
  { method, path, body }: Place,
  id: string,
): Promise<{ ms: number; status: number }> {
  const sent = body(id);
  const text = sent === undefined ? '' : JSON.stringify(sent);
  const type = sent === undefined ? '' : 'content-type: application/json\r\n';
  const request = `${method} ${path(id)} HTTP/1.1\r\n${headers}${type}content-length: ${Buffer.byteLength(text)}\r\n\r\n${text}`;
  const began = performance.now();
  const { status } = await connection.ask(request);
  return { ms: performance.now() - began, status };
}

type Plan = { readonly ids: readonly string[]; readonly rounds: number };

/** By how many percent the median of an id lies above that of nobody's. Each round asks for all in another order. */
async function measure(host: Host, place: Place, { ids, rounds }: Plan): Promise<(id: string) => number> {
  const all = [...new Set([...ids, UNKNOWN])];
  const times = new Map<string, number[]>(all.map((id) => [id, []]));
  for (let n = 0; n < rounds + WARM; n++)
    for (const id of shuffled(all)) {
      const { ms } = await ask(host, place, id);
      if (n >= WARM) times.get(id)?.push(ms);
    }
  const nobody = medianOf(times.get(UNKNOWN) ?? []);
  return (id) => ((medianOf(times.get(id) ?? []) - nobody) / nobody) * 100;
}

function shuffled<T>(all: readonly T[]): readonly T[] {
  return all
    .map((one) => ({ one, at: Math.random() }))
    .toSorted((a, b) => a.at - b.at)
    .map(({ one }) => one);
}

function medianOf(times: readonly number[]): number {
  return times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0;
}
