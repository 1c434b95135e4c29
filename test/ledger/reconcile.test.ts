// florin reconcile: books that are equal agree; 100 seeded differences of every kind are found, and none is invented.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { OPERATION_KINDS } from '../../src/core/states.ts';
import type { Difference } from '../../src/payment/ledger/reconcile/compare.ts';
import { fileBooks } from '../../src/payment/ledger/reconcile/file.ts';
import type { BookLine, BookSource } from '../../src/payment/ledger/reconcile/line.ts';
import { type Reconciled, type Reconciling, reconcile } from '../../src/payment/ledger/reconcile/reconcile.ts';
import { simulatorBooks } from '../../src/payment/ledger/reconcile/simulator.ts';
import { type World, world } from '../world.ts';
import { everyForm, settled } from './till.ts';
import { seeded } from '../seeded.ts';

let w: World;
beforeAll(async () => {
  w = await world();
  for (let times = 0; times < 2; times++) await everyForm(w.shop);
  for (let times = 0; times < 10; times++)
    await Promise.all(Array.from({ length: 4 }, () => w.shop.pay({}, { amount: '19.90' })));
  await (await w.otherShop()).pay();
  await settled(w);
  // nothing is young any more
  await w.sql(`UPDATE payment.clock SET shift = '1 hour'`);
});
afterAll(() => w[Symbol.asyncDispose]());

function books(account?: string): BookSource {
  const { sandbox } = w.service.tools;
  if (!sandbox) throw new Error('a sandbox has simulated providers');
  return simulatorBooks(sandbox, account);
}

async function compared(
  source: BookSource,
  more: Partial<Reconciling> = {},
): Promise<Reconciled & { found: readonly Difference[] }> {
  const found: Difference[] = [];
  const { db, providers } = w.service.tools;
  const done = await reconcile({
    db,
    source,
    in_flight: new Map([...providers].map(([name, { can }]) => [name, can.in_flight_s])),
    page: 7,
    found: async (difference) => void found.push(difference),
    progress: () => undefined,
    ...more,
  });
  return { ...done, found };
}

async function linesOf(source: BookSource): Promise<BookLine[]> {
  const lines: BookLine[] = [];
  for await (const page of source.pages()) lines.push(...page);
  return lines;
}

function fileOf(lines: readonly unknown[], name: string): string {
  const path = join(w.data_dir, name);
  const text = (_: string, value: unknown) => (typeof value === 'bigint' ? Number(value) : value);
  writeFileSync(path, lines.map((line) => `${JSON.stringify(line, text)}\n`).join(''));
  return path;
}

test('a line of another provider or account under the same reference hides nothing', async () => {
  const lines = await linesOf(books());
  const [line] = lines.filter(
    ({ kind, provider, state }) => kind === 'authorize' && provider === 'simulator' && state === 'done',
  );
  if (!line) throw new Error('there is an authorization');
  const strangers: BookLine[] = [
    { ...line, provider: 'simulator_b' },
    { ...line, merchant_account_id: 'f'.repeat(24) },
    { ...line, order_id: 'f'.repeat(24) },
  ];
  const kinds = async (given: readonly BookLine[]) =>
    (await compared(await fileBooks(fileOf(given, 'strangers.jsonl')))).found.map(({ kind }) => kind);
  for (const stranger of strangers) {
    expect(await kinds([stranger, ...lines])).toEqual(['missing here']);
    expect(await kinds([stranger, ...lines.filter((one) => one !== line)])).toEqual(['missing here', 'missing there']);
  }
});

test('the books of both providers and of every account agree, from their port and from a file', async () => {
  const all = await compared(books());
  expect(all.found).toEqual([]);
  expect(all.young).toBe(0);
  const lines = await linesOf(books());
  expect(all.lines).toBe(lines.length);
  expect(all.lines).toBeGreaterThan(100);
  expect((await compared(await fileBooks(fileOf(lines, 'same.jsonl')))).found).toEqual([]);
  const account = w.account;
  const own = await compared(books(account), { account });
  expect(own.found).toEqual([]);
  expect(own.lines).toBe(lines.filter((line) => line.merchant_account_id === account).length);
});

type Spoilt = { readonly lines: readonly BookLine[]; readonly planted: string };
const nameOf = (kind: string, { kind: what, reference }: Pick<BookLine, 'kind' | 'reference'>) =>
  `${kind} ${what} ${reference}`;

/** What becomes of a line, by the kind of difference it makes. */
const SPOILERS: readonly ((line: BookLine, draw: () => number) => Spoilt)[] = [
  (line) => ({ lines: [], planted: nameOf('missing there', line) }),
  (line, draw) => {
    const reference = Array.from({ length: 24 }, () => Math.floor(draw() * 16).toString(16)).join('');
    const stranger = { ...line, reference };
    return { lines: [line, stranger], planted: nameOf('missing here', stranger) };
  },
  (line, draw) => ({
    lines: [{ ...line, amount_minor: line.amount_minor + 1n + BigInt(Math.floor(draw() * 500)) }],
    planted: nameOf('amount', line),
  }),
  (line) => ({
    lines: [{ ...line, currency: line.currency === 'USD' ? 'EUR' : 'USD' }],
    planted: nameOf('currency', line),
  }),
  (line, draw) => ({
    lines: [{ ...line, state: draw() < 0.5 ? 'declined' : 'pending', effects: 0 }],
    planted: nameOf('state', line),
  }),
  (line) => ({ lines: [{ ...line, effects: 2 }], planted: nameOf('double effect', line) }),
  (line) => ({ lines: [line, line], planted: nameOf('double effect', line) }),
];

test('100 seeded differences of every kind are found, and none is invented', async () => {
  const seed = Number(process.env['SEED'] ?? Date.now() % 1_000_000_000);
  console.log(`seed ${seed}`);
  const draw = seeded(seed);
  const lines = await linesOf(books());
  const stands = lines.flatMap(({ state }, i) => (state === 'done' || state === 'undone' ? [i] : []));
  const drawn = stands.map((i) => ({ i, at: draw() })).toSorted((a, b) => a.at - b.at);
  expect(drawn.length).toBeGreaterThanOrEqual(100);
  const spoilt = new Map(
    drawn.slice(0, 100).map(({ i }, n) => {
      const line = lines[i];
      const spoil = SPOILERS[n % SPOILERS.length];
      if (!line || !spoil) throw new Error('drawn from the lines');
      return [i, spoil(line, draw)] as const;
    }),
  );
  const planted = [...spoilt.values()].map((one) => one.planted).toSorted();
  expect(new Set(planted).size, `seed ${seed}`).toBe(100);
  const changed = lines.flatMap((line, i) => spoilt.get(i)?.lines ?? [line]);
  const shuffled = changed.map((line) => ({ line, at: draw() })).toSorted((a, b) => a.at - b.at);
  const path = fileOf(
    shuffled.map(({ line }) => line),
    'spoilt.jsonl',
  );
  const { found } = await compared(await fileBooks(path));
  const names = found.map(({ kind, what, reference }) => nameOf(kind, { kind: what, reference })).toSorted();
  expect(names, `seed ${seed}`).toEqual(planted);
});

test('an operation that is younger than the provider may take is left alone by a reconciliation, and counted', async () => {
  await using other = await world();
  await other.shop.pay();
  await settled(other);
  const { db, providers } = other.service.tools;
  const empty: BookSource = {
    name: 'nothing',
    providers: new Set(providers.keys()),
    kinds: new Set(OPERATION_KINDS),
    pages: async function* () {},
  };
  const all = { db, source: empty, progress: () => undefined };
  const found: Difference[] = [];
  const asked = {
    ...all,
    in_flight: new Map([['simulator', 15]]),
    found: async (one: Difference) => void found.push(one),
  };
  expect(await reconcile(asked)).toMatchObject({ operations: 2, young: 2, differences: 0 });
  await other.sql(`UPDATE payment.clock SET shift = '1 minute'`);
  expect(await reconcile(asked)).toMatchObject({ operations: 2, young: 0, differences: 2 });
  expect(found.map(({ kind, what }) => `${kind} ${what}`)).toEqual([
    'missing there authorize',
    'missing there capture',
  ]);
});

test('a reconciliation misses only what was made while the file was written', async () => {
  const nothing = { ...books(), pages: async function* () {} };
  const moment = (
    await w.sql<{ at: Date }>(`SELECT created_at AS at FROM payment.orders ORDER BY id OFFSET 5 LIMIT 1`)
  )[0]?.at;
  const all = await compared(nothing);
  const before = await compared(nothing, { to: moment });
  const after = await compared(nothing, { from: moment });
  expect(before.differences).toBeGreaterThan(0);
  expect(before.differences + after.differences).toBe(all.differences);
});

test('a file with wrong lines is refused before anything is compared, with every problem of each', async () => {
  const [line] = await linesOf(books());
  const path = fileOf(
    [{ ...line, currency: 'XXZ', effects: -1 }, 'text', { ...line, state: 'captured' }],
    'wrong.jsonl',
  );
  const refusal = await fileBooks(path).catch((error: Error) => error.message);
  expect(refusal).toContain('line 1: currency must be a currency of ISO 4217; effects must be a whole number from 0');
  expect(refusal).toContain('line 2: must be a JSON object');
  expect(refusal).toContain('line 3: state must be one of done, undone, pending, declined');
  expect(await fileBooks(join(w.data_dir, 'none.jsonl')).catch((error: Error) => error.message)).toMatch(
    /cannot be read/,
  );
});
