// Lines to an acquirer, over real sockets: L1, L2, L4, L5 and L6 of what must hold. The clock of the lines is moved by
// hand.
import { expect, test } from 'vitest';
import { systemClock } from '../../src/kit/clock.ts';
import { parseJson } from '../../src/core/json.ts';
import { pack } from '../../src/provider/send/iso8583/codec.ts';
import { DIALECT } from '../../src/provider/send/iso8583/dialect.ts';
import type { LineExchange } from '../../src/provider/send/iso8583/outside.ts';
import { openAcquirer } from '../../src/simulators/iso8583/acquirer.ts';
import { sizeOf } from '../sizes.ts';
import { handClock, until } from './hand-clock.ts';
import { type TestLines, linesTo, openProxy } from './lines.ts';

const acquirer = () => openAcquirer({ port: 0, control_port: 0, clock: systemClock() });
type Opened = Awaited<ReturnType<typeof acquirer>>;

/** An authorization with this number. */
function authorization(trace: number, more: Readonly<Record<number, string>> = {}): Buffer {
  const texts = {
    2: '4242424242424242',
    3: '000000',
    4: '000000001000',
    7: '1123165200',
    11: String(trace).padStart(6, '0'),
    14: '3412',
    37: `26327Q${String(trace).padStart(6, '0')}`,
    41: 'TERM01  ',
    42: 'SHOP-1         ',
    49: '978',
    ...more,
  };
  const fields = Object.entries(texts).map(([field, text]) => [Number(field), Buffer.from(text)] as const);
  return pack({ type: '0100', fields: new Map(fields) }, DIALECT);
}

const ask = (lines: TestLines, trace: number) =>
  lines.send('acquirer', { body: authorization(trace), deadline_ms: 15_000 });

const typesAt = ({ world }: Opened) => world.seen.messages.map(({ type }) => type);
const moneyAt = (opened: Opened) => typesAt(opened).filter((type) => !type.startsWith('08')).length;
const texts = (lines: TestLines) => lines.log.map(({ text }) => text);

function traceIn(exchange: LineExchange): string {
  if (exchange.kind !== 'answered') return exchange.kind;
  const said = parseJson(exchange.body.toString());
  return said instanceof Map ? String(said.get('11')) : '';
}

test('a line signs on before anything else, and signs off at its end (L1)', async () => {
  await using at = await acquirer();
  const lines = linesTo([at.port], { clock: handClock() });
  // asked at once: it waits for the sign-on
  expect(traceIn(await ask(lines, 7))).toBe('000007');
  await lines.close();
  expect(typesAt(at)).toEqual(['0800', '0100', '0800']);
  expect(at.world.seen.before_sign_on).toBe(0);
  expect(await ask(lines, 8)).toEqual({ kind: 'not_sent' });
});

test('a message that waited for its line longer than it may, because the process stood still, is not sent', async () => {
  await using at = await acquirer();
  const clock = handClock();
  const lines = linesTo([at.port], { clock });
  const asked = ask(lines, 7);
  clock.standStill(2001);
  expect(await asked).toEqual({ kind: 'not_sent' });
  expect(moneyAt(at)).toBe(0);
  expect(traceIn(await ask(lines, 8))).toBe('000008');
  await lines.close();
});

test('without an accepted sign-on nothing is sent, and that is said (L1)', async () => {
  await using at = await acquirer();
  at.world.faults.arm({ kind: 'refuse_sign_on', times: 2 });
  const clock = handClock();
  const lines = linesTo([at.port], { clock });
  expect(await ask(lines, 1)).toEqual({ kind: 'not_sent' });
  // the line waits before it tries again
  expect(await ask(lines, 1)).toEqual({ kind: 'not_sent' });
  expect(moneyAt(at)).toBe(0);
  await until('a pause', () => clock.next() === 1000);
  await clock.advance(1000);
  await until('the second sign-on refused', () => texts(lines).filter((text) => /is down/.test(text)).length === 2);
  await until('a longer pause', () => clock.next() === 2000);
  await clock.advance(1999);
  expect(typesAt(at)).toEqual(['0800', '0800']);
  await clock.advance(1);
  await until('ready', () => lines.states.length === 1);
  expect(traceIn(await ask(lines, 1))).toBe('000001');
  await lines.close();
});

test('a sign-on that is not answered ends the try after its time; a message waits no longer than it has patience (L1)', async () => {
  await using at = await acquirer();
  at.world.faults.arm({ kind: 'ignore_network' });
  const clock = handClock();
  const lines = linesTo([at.port], { clock });
  const waiting = ask(lines, 1);
  await until('the sign-on', () => typesAt(at).length === 1);
  await until('its timer, and the patience', () => clock.timers() === 2);
  await clock.advance(2000);
  expect(await waiting).toEqual({ kind: 'not_sent' });
  await clock.advance(13_000);
  await until('given up', () => texts(lines).some((text) => /is down/.test(text)));
  expect(moneyAt(at)).toBe(0);
  await lines.close();
});

test('after a minute of silence the line is tried; one that does not answer is down at 75 seconds (L2)', async () => {
  await using at = await acquirer();
  await using proxy = await openProxy(at.port);
  const clock = handClock();
  const lines = linesTo([proxy.port], { clock });
  await until('ready', () => clock.next() === 60_000);
  const from = clock.ticks();
  await clock.advance(59_999);
  expect(typesAt(at)).toHaveLength(1);
  await clock.advance(1);
  await until('the echo', () => typesAt(at).length === 2);
  // answered: a minute more
  await until('its answer', () => clock.next() === 60_000);
  proxy.blackHole();
  await clock.advance(60_000);
  await until('the second echo', () => clock.next() === 15_000);
  await clock.advance(14_999);
  expect(lines.states).toEqual(['acquirer 1 ready']);
  await clock.advance(1);
  await until('down', () => lines.states.length === 2);
  expect(lines.states[1]).toBe('acquirer 1 not ready');
  expect(clock.ticks() - from).toBe(60_000 + 75_000);
  proxy.heal();
  await until('the pause', () => clock.next() === 500);
  await clock.advance(500);
  await until('ready again', () => lines.states.length === 3);
  await lines.close();
});

test('a line that is lost is taken up again, later each time (L2)', async () => {
  const clock = handClock();
  const at = await acquirer();
  const { port } = at;
  const lines = linesTo([port], { clock });
  await until('ready', () => lines.states.length === 1);
  await at.close();
  await until('not ready', () => lines.states.length === 2);
  for (const pause of [500, 1000, 2000, 4000, 8000, 16_000, 30_000, 30_000]) {
    await until('a pause', () => clock.next() === pause);
    const before = lines.log.length;
    await clock.advance(pause - 1);
    expect(lines.log).toHaveLength(before);
    await clock.advance(1);
    await until('a try', () => lines.log.length === before + 1);
    expect(await ask(lines, 1)).toEqual({ kind: 'not_sent' });
  }
  await lines.close();
});

test('1,000 in flight on one line, answered in another order: each answer finds its message (L5)', async () => {
  await using at = await acquirer();
  const lines = linesTo([at.port], { clock: handClock() });
  at.world.faults.arm({ kind: 'shuffle', times: 1000 });
  const traces = Array.from({ length: 1000 }, (_, trace) => trace + 1);
  const answers = await Promise.all(traces.map((trace) => ask(lines, trace)));
  expect(answers.map((answer) => Number(traceIn(answer)))).toEqual(traces);
  expect(at.world.books.list()).toHaveLength(1000);
  await lines.close();
});

test('a second answer does not count, and an answer with a wrong number belongs to nobody (L5)', async () => {
  await using at = await acquirer();
  const clock = handClock();
  const lines = linesTo([at.port], { clock });
  at.world.faults.arm({ kind: 'answer_twice' });
  expect(traceIn(await ask(lines, 1))).toBe('000001');
  await until('the second one', () => texts(lines).includes('an answer that matches no open message'));
  at.world.faults.arm({ kind: 'wrong_trace' });
  const wrong = ask(lines, 2);
  await until('the wrong one', () => texts(lines).filter((text) => /matches no open/.test(text)).length === 2);
  await clock.advance(15_000);
  expect(await wrong).toEqual({ kind: 'unknown', why: 'timeout' });
  at.world.faults.arm({ kind: 'garbage' });
  const garbage = ask(lines, 3);
  await until('the garbage', () => texts(lines).includes('what an acquirer sent is no message'));
  at.world.faults.arm({ kind: 'out_of_order' });
  const behind = ask(lines, 4);
  expect(traceIn(await ask(lines, 5))).toBe('000005');
  expect(traceIn(await behind)).toBe('000004');
  await clock.advance(15_000);
  expect(await garbage).toEqual({ kind: 'unknown', why: 'timeout' });
  await lines.close();
});

test('a late answer is written down and changes nothing (L4)', async () => {
  await using at = await acquirer();
  const clock = handClock();
  const lines = linesTo([at.port], { clock });
  at.world.faults.arm({ kind: 'out_of_order' });
  const late = ask(lines, 1);
  await until('taken', () => at.world.books.list().length === 1);
  await clock.advance(15_000);
  expect(await late).toEqual({ kind: 'unknown', why: 'timeout' });
  expect(traceIn(await ask(lines, 2))).toBe('000002');
  await until('the late one', () => texts(lines).includes('an answer came too late'));
  const [said] = lines.log.filter(({ text }) => text === 'an answer came too late');
  expect(said?.fields).toMatchObject({ type: '0110', trace: '000001', code: '00' });
  expect(JSON.stringify(lines.log)).not.toContain('4242424242424242');
  await lines.close();
});

test('the second line takes a message only if the first wrote no byte of it (L6)', async () => {
  await using first = await acquirer();
  await using second = await acquirer();
  const clock = handClock();
  const lines = linesTo([first.port, second.port], { clock });
  await until('both ready', () => lines.states.length === 2);
  expect(traceIn(await ask(lines, 1))).toBe('000001');
  expect([moneyAt(first), moneyAt(second)]).toEqual([1, 0]);
  first.world.faults.arm({ kind: 'close_before_commit' });
  // a byte was written: nobody knows
  expect(await ask(lines, 2)).toEqual({ kind: 'unknown', why: 'closed' });
  expect(traceIn(await ask(lines, 3))).toBe('000003');
  expect([moneyAt(first), moneyAt(second)]).toEqual([2, 1]);
  await until('the pause', () => clock.next() === 500);
  await clock.advance(500);
  await until('the first again', () => lines.states.length === 4);
  expect(traceIn(await ask(lines, 4))).toBe('000004');
  expect([moneyAt(first), moneyAt(second)]).toEqual([3, 1]);
  await lines.close();
});

test(
  'a line cut at any byte of a message: it takes effect once or not at all, and never on the other line (L6)',
  { timeout: 600_000 },
  async () => {
    await using at = await acquirer();
    await using proxy = await openProxy(at.port);
    const clock = handClock();
    const lines = linesTo([proxy.port, at.port], { clock });
    await until('both ready', () => lines.states.length === 2);
    const size = authorization(1).length + 2;
    const cuts = sizeOf('FLORIN_TEST_LINE_CUTS', { usual: 100, full: 1000 });
    for (let trace = 1; trace <= cuts; trace++) {
      const up = lines.states.length;
      const passes = Math.max(1, (trace * 7) % (size + 1));
      proxy.cutAfter(passes);
      expect(await ask(lines, trace)).toEqual({ kind: 'unknown', why: 'closed' });
      await until('down', () => lines.states.length === up + 1);
      proxy.heal();
      await until('the pause', () => clock.next() === 500);
      await clock.advance(500);
      await until('up again', () => lines.states.length === up + 2);
    }
    const entries = at.world.books.list();
    expect(new Set(entries.map(({ trace }) => trace)).size).toBe(entries.length);
    expect(at.world.seen.duplicates).toBe(0);
    // only where all bytes passed
    expect(entries.length).toBeGreaterThan(0);
    expect(entries.length).toBeLessThan(cuts / 4);
    await lines.close();
  },
);

test('an acquirer may ask whether we are there', async () => {
  await using at = await acquirer();
  const clock = handClock();
  const lines = linesTo([at.port], { clock });
  await until('ready', () => lines.states.length === 1);
  at.echoLines();
  await until('our answer', () => typesAt(at).includes('0810'));
  await lines.close();
});
