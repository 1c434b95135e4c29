// What becomes of an operation whose answer is lost, whose line is cut, whose process is killed: L3, L4 and L8 of what
// must hold, with a core in small, real lines and the acquirer simulator. At the end both books are the same.
import { expect, test } from 'vitest';
import { systemClock } from '../../src/kit/clock.ts';
import { type Acquirer, openAcquirer } from '../../src/simulators/iso8583/acquirer.ts';
import type { FaultKind } from '../../src/simulators/iso8583/faults.ts';
import { sizeOf } from '../sizes.ts';
import { type HandClock, handClock, until } from './hand-clock.ts';
import { type TestLines, linesTo, openProxy } from './lines.ts';
import { type Operation, SmallCore, type Store, newStore } from './small-core.ts';

const acquirer = () => openAcquirer({ port: 0, control_port: 0, clock: systemClock() });

type Scene = AsyncDisposable & {
  readonly at: Acquirer;
  readonly clock: HandClock;
  readonly store: Store;
  readonly lines: TestLines;
  readonly core: SmallCore;
};

async function scene(): Promise<Scene> {
  const at = await acquirer();
  const clock = handClock();
  const store = newStore();
  const lines = linesTo([at.port], { clock });
  await until('ready', () => lines.states.length > 0);
  const core = new SmallCore({ store, lines, clock });
  return {
    at,
    clock,
    store,
    lines,
    core,
    [Symbol.asyncDispose]: async () => {
      await lines.close();
      await at.close();
    },
  };
}

/** What stands at the acquirer and what we believe, one line a payment: nothing of the one is taken from the other. */
function books({ at, store }: Pick<Scene, 'at' | 'store'>): { theirs: string[]; ours: string[] } {
  const theirs = at.world.books
    .list()
    .filter(({ state }) => state === 'open')
    .map((entry) => `${entry.their_reference} ${entry.captured} ${entry.refunded}`);
  const all = [...store.operations.values()];
  const sum = (of: Operation, kind: Operation['kind']) =>
    all
      .filter((one) => one.kind === kind && one.about === of.id && one.state === 'approved')
      .reduce(
        (total, { amount_minor }) => total + amount_minor,
        of.with_capture && kind === 'capture' ? of.amount_minor : 0n,
      );
  const ours = all
    .filter(({ kind, state }) => kind === 'authorize' && state === 'approved')
    .filter(({ id }) => !all.some((one) => one.kind === 'cancel' && one.about === id && one.state === 'approved'))
    .map((one) => `${one.id} ${sum(one, 'capture')} ${sum(one, 'refund')}`);
  return { theirs: theirs.toSorted(), ours: ours.toSorted() };
}

function expectEqualBooks(on: Pick<Scene, 'at' | 'store'>): void {
  const { theirs, ours } = books(on);
  expect(theirs).toEqual(ours);
}

const open = ({ store }: Scene) =>
  [...store.operations.values()].filter(({ state }) => state === 'open' || state === 'in_doubt').length;

/** Recovers until nothing is in doubt. */
async function settle(on: Scene): Promise<void> {
  for (let round = 0; round < 10 && open(on) > 0; round++) await recoverOnce(on);
  expect(open(on)).toBe(0);
}

async function recoverOnce(on: Scene): Promise<void> {
  await lineUp(on);
  await passing(on, on.core.recover());
}

async function begin(on: Scene, asked: Parameters<SmallCore['begin']>[0]): Promise<Operation> {
  await lineUp(on);
  return passing(on, on.core.begin(asked));
}

/** A line that was lost is taken up again once the clock is moved past its pause. */
async function lineUp({ clock, lines }: Scene): Promise<void> {
  const lost = () => lines.states.at(-1)?.endsWith('not ready') === true;
  if (!lost()) return;
  await until('its pause', () => clock.next() <= 500);
  await clock.advance(500);
  await until('the line again', () => !lost());
}

/** Moves the clock past the time of each message that the acquirer leaves without its answer. */
async function passing<T>({ clock, at }: Scene, working: Promise<T>): Promise<T> {
  let ended = false;
  const watched = working.finally(() => {
    ended = true;
  });
  let passed = at.world.seen.unanswered;
  while (!ended) {
    await until('an end', () => ended || at.world.seen.unanswered > passed);
    if (ended) break;
    passed++;
    await clock.advance(15_000);
  }
  return watched;
}

const AMOUNT = { amount_minor: 4250n };

test('hold, capture in parts, refund; a sale; a cancel: every answer is final, and the books are the same', async () => {
  await using on = await scene();
  const held = await begin(on, { kind: 'authorize', ...AMOUNT });
  expect(held).toMatchObject({ state: 'approved', reference: '26327Q000001', authorization_code: '000001' });
  const capture = await begin(on, { kind: 'capture', amount_minor: 1000n, about: held.id });
  expect(capture).toMatchObject({ state: 'approved', reference: '26327Q000001-000002' });
  await begin(on, { kind: 'capture', amount_minor: 3250n, about: held.id });
  expect(await begin(on, { kind: 'capture', amount_minor: 1n, about: held.id })).toMatchObject({ state: 'declined' });
  await begin(on, { kind: 'refund', amount_minor: 4000n, about: held.id });
  expect(await begin(on, { kind: 'refund', amount_minor: 251n, about: held.id })).toMatchObject({
    state: 'declined',
    code: '13',
  });
  await begin(on, { kind: 'authorize', ...AMOUNT, with_capture: true });
  const other = await begin(on, { kind: 'authorize', ...AMOUNT });
  expect(await begin(on, { kind: 'cancel', ...AMOUNT, about: other.id })).toMatchObject({ state: 'approved' });
  expect(await begin(on, { kind: 'cancel', ...AMOUNT, about: held.id })).toMatchObject({
    state: 'declined',
    code: '12',
  });
  expectEqualBooks(on);
  expect(books(on).theirs).toHaveLength(2);
});

const LOST: readonly FaultKind[] = [
  'drop_answer',
  'ignore',
  'close_before_commit',
  'close_after_commit',
  'garbage',
  'wrong_trace',
  'wrong_amount',
];

test.each([...LOST.map((kind) => [kind, false] as const), ...LOST.map((kind) => [kind, true] as const)])(
  'an authorization or sale with %s (captured: %s) is reversed until that is acknowledged (L3)',
  async (kind, with_capture) => {
    await using on = await scene();
    on.at.world.faults.arm({ kind });
    // and so is the reversal itself, twice
    on.at.world.faults.arm({ kind: 'drop_answer', type: '0420' });
    on.at.world.faults.arm({ kind: 'close_after_commit', type: '0421' });
    expect(await begin(on, { kind: 'authorize', ...AMOUNT, with_capture })).toMatchObject({ state: 'in_doubt' });
    const taken = on.at.world.books.list().length === 1;
    // an acquirer that never heard of it says so, and nobody can do better: the core asks until nothing can be in
    // flight any more
    if (!taken) {
      expect((await nextReversal(on)).state).toBe('in_doubt');
      return;
    }
    await settle(on);
    const sent = on.at.world.seen.messages.map(({ type }) => type).filter((type) => type.startsWith('04'));
    expect(sent).toEqual(['0420', '0421', '0421']);
    expect(on.at.world.books.list().map(({ state }) => state)).toEqual(['reversed']);
    expectEqualBooks(on);
  },
);

async function nextReversal(on: Scene): Promise<Operation> {
  await recoverOnce(on);
  const found = [...on.store.operations.values()].find(({ kind }) => kind === 'reversal');
  if (!found) throw new Error('there is no reversal');
  return found;
}

test.each(
  (['capture', 'refund', 'cancel'] as const).flatMap((kind) =>
    LOST.filter((fault) => fault !== 'wrong_amount').map((fault) => [kind, fault] as const),
  ),
)('a %s with %s is repeated until it is answered, and takes effect once (L8)', async (kind, fault) => {
  await using on = await scene();
  const held = await begin(on, { kind: 'authorize', ...AMOUNT });
  if (kind === 'refund') await begin(on, { kind: 'capture', ...AMOUNT, about: held.id });
  on.at.world.faults.arm({ kind: fault, times: 3 });
  const followed = await begin(on, { kind, amount_minor: 1000n, about: held.id });
  expect(followed.state).toBe('in_doubt');
  await settle(on);
  expect(followed.state).toBe('approved');
  expectEqualBooks(on);
  const types = on.at.world.seen.messages
    .filter(({ trace }) => trace === followed.kept['trace'])
    .map(({ type }) => type);
  const [first = '', ...repeats] = types.filter((type) => !type.startsWith('08'));
  expect(first).toMatch(/0$/);
  expect(new Set(repeats)).toEqual(new Set([`${first.slice(0, 3)}1`]));
  expect(repeats).toHaveLength(3);
});

test('a message repeated ten times has one effect, and the same again that is no repeat is a duplicate (L8)', async () => {
  await using on = await scene();
  const held = await begin(on, { kind: 'authorize', ...AMOUNT });
  const capture = await begin(on, { kind: 'capture', amount_minor: 1000n, about: held.id });
  for (let times = 0; times < 10; times++) {
    capture.state = 'in_doubt';
    await settle(on);
  }
  expect(on.at.world.seen.duplicates).toBe(10);
  capture.state = 'in_doubt';
  capture.tries = 0;
  capture.kept = { trace: capture.kept['trace'] ?? '', trace_at: capture.kept['trace_at'] ?? '' };
  await on.core.recover();
  // a duplicate says nothing of what became of the first
  expect(capture.state).toBe('in_doubt');
  await settle(on);
  expectEqualBooks(on);
});

test('an approval that comes after its reversal is written down, and the order ends declined (L4)', async () => {
  await using on = await scene();
  on.at.world.faults.arm({ kind: 'out_of_order', type: '0100' });
  const paid = await begin(on, { kind: 'authorize', ...AMOUNT });
  expect(paid.state).toBe('in_doubt');
  // the answer to the reversal brings the late one along
  await settle(on);
  await until('the late one', () => on.lines.log.some(({ text }) => text === 'an answer came too late'));
  expect(paid.state).toBe('declined');
  expectEqualBooks(on);
});

test('a hold that is made after its reversal was refused as unknown is found by the next repeat (L3)', async () => {
  await using on = await scene();
  on.at.world.faults.arm({ kind: 'late_commit', type: '0100', ms: 80 });
  const paid = await begin(on, { kind: 'authorize', ...AMOUNT });
  expect(paid.state).toBe('in_doubt');
  expect((await nextReversal(on)).state).toBe('in_doubt');
  await until('the hold', () => on.at.world.books.list().length === 1);
  await settle(on);
  expect(on.at.world.books.list().map(({ state }) => state)).toEqual(['reversed']);
  expectEqualBooks(on);
});

test(
  'the line is cut before, within and behind a message, and the process is killed: nothing is left held (L3)',
  { timeout: 600_000 },
  async () => {
    const at = await acquirer();
    await using proxy = await openProxy(at.port);
    const store = newStore();
    const clock = handClock();
    const stories = sizeOf('FLORIN_TEST_CUT_STORIES', { usual: 50, full: 1000 });
    for (let story = 0; story < stories; story++) {
      const lines = linesTo([proxy.port], { clock });
      const core = new SmallCore({ store, lines, clock });
      await until('ready', () => lines.states.length > 0);
      // 300 bytes are more than the message has: the answer is lost then, or the process
      proxy.cutAfter(1 + ((story * 37) % 300));
      const kill = story % 3 === 0;
      if (kill) setImmediate(() => core.kill());
      const with_capture = story % 2 === 0;
      const working = core.begin({ kind: 'authorize', amount_minor: BigInt(1000 + story), with_capture });
      if (story % 5 === 0) at.dropLines();
      const first: Scene = { at, clock, store, lines, core, [Symbol.asyncDispose]: () => Promise.resolve() };
      await passing(first, working);
      proxy.heal();
      at.dropLines();
      await lines.close();
      // another process, with nothing but the store
      const again = linesTo([proxy.port], { clock });
      await until('ready again', () => again.states.length > 0);
      const second = { ...first, lines: again, core: new SmallCore({ store, lines: again, clock }) };
      await forgetUnheard(second);
      await again.close();
    }
    expectEqualBooks({ at, store });
    expect(at.world.books.list().some(({ state }) => state === 'reversed')).toBe(true);
    await at.close();
  },
);

/**
 * Recovers; a reversal of what never arrived ends once nothing can be in flight, which the cut line makes sure of here.
 */
async function forgetUnheard(on: Scene): Promise<void> {
  for (let round = 0; round < 2; round++) await recoverOnce(on);
  for (const one of on.store.operations.values()) {
    if (one.kind !== 'reversal' || one.state === 'reversed') continue;
    const target = on.store.operations.get(one.about ?? '');
    expect(on.at.world.books.list().some(({ their_reference }) => their_reference === target?.id)).toBe(false);
    one.state = 'reversed';
    if (target) target.state = 'declined';
  }
}
