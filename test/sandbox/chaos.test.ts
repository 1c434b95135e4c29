// The seeded table of misbehaviour: how much of it there is, that it comes from the seed and the calls alone, and that
// the books hold what was acknowledged, whatever is killed on the way.
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { sandboxEgress } from '../../src/sandbox/egress.ts';
import { type Exchange, openEgress } from '../../src/kit/egress.ts';
import { type Chaos, draw } from '../../src/sandbox/faults/chaos.ts';
import { CALLED, type Called, FAULTS } from '../../src/sandbox/faults/fault.ts';
import { type Row, clientOf, payment } from '../providers/client.ts';
import { type SimulatorProcess, newId, startProcess } from '../providers/wire.ts';
import { controlOf } from './control.ts';

const folder = mkdtempSync(join(tmpdir(), 'florin-chaos-'));
afterAll(() => rmSync(folder, { recursive: true }));
const CARD = '4242424242424242';
const table: Chaos = { seed: 'a seed', rate: 0.35, late_ms: 400, pending_ms: 200 };

describe('lots', () => {
  const DRAWS = 4_000;
  const drawn = (called: Called, chaos = table) =>
    Array.from({ length: DRAWS }, (_, i) => draw(chaos, { called, reference: `r${i}`, nth: 1 }).fault);

  test.each(['authorize', 'direct_capture', 'capture', 'refund', 'cancel'] as const)(
    'at least 30 %% of the calls to %s misbehave, in every way there is',
    (called) => {
      const faults = drawn(called).filter((fault) => fault !== undefined);
      expect(faults.length / DRAWS).toBeGreaterThan(0.3);
      expect(faults.length / DRAWS).toBeLessThan(0.4);
      const not_drawn = called === 'capture' || called === 'refund' ? [] : ['pending'];
      const expected = Object.keys(FAULTS).filter((name) => !['decline', 'provider_down', ...not_drawn].includes(name));
      expect([...new Set<string>(faults)].toSorted()).toEqual(expected.toSorted());
    },
  );

  test.each(['inquiry', 'reversal'] as const)('of %s, a tenth is lost and a tenth stays unanswered', (called) => {
    const faults = drawn(called).filter((fault) => fault !== undefined);
    const never = faults.filter((fault) => FAULTS[fault].effect === 'never').length / DRAWS;
    expect(never).toBeGreaterThan(0.08);
    expect(never).toBeLessThan(0.12);
    expect(faults.length / DRAWS - never).toBeGreaterThan(0.08);
    expect(faults.length / DRAWS - never).toBeLessThan(0.12);
  });

  test('another seed, reference, operation or repeat draws another lot; the same draws the same', () => {
    for (const called of CALLED) expect(drawn(called)).toEqual(drawn(called));
    expect(drawn('capture', { ...table, seed: 'b' })).not.toEqual(drawn('capture'));
    expect(drawn('authorize')).not.toEqual(drawn('cancel'));
    const repeats = Array.from({ length: 50 }, (_, i) =>
      draw(table, { called: 'authorize', reference: 'r', nth: i + 1 }),
    );
    expect(new Set(repeats.map(({ fault }) => fault)).size).toBeGreaterThan(3);
  });
});

async function started(name: string): Promise<SimulatorProcess> {
  const process = await startProcess(join(folder, name));
  onTestFinished(async () => void (await process.stop()));
  return process;
}

function sender(url: () => string) {
  const egress = sandboxEgress(openEgress());
  onTestFinished(() => egress.close());
  return (path: string, body: object | null): Promise<Exchange> =>
    egress.exchange({
      method: body === null ? 'GET' : 'POST',
      origin: url(),
      path: `/simulator${path}`,
      headers: { 'idempotency-key': 'key-1' },
      body: body === null ? null : Buffer.from(JSON.stringify(body)),
      deadline_ms: 5_000,
      max_answer_bytes: 65_536,
    });
}

/** What was learnt, without what the clock says. */
const learnt = (exchange: Exchange): string =>
  exchange.kind === 'answered' ? `${exchange.status} ${exchange.body.toString()}` : JSON.stringify(exchange);

test('the same seed and the same calls give the same outcomes and the same books, whatever their order', async () => {
  const payments = Array.from({ length: 60 }, () => payment(CARD, { capture: 'now' }));
  const runs: { outcomes: Record<string, string[]>; books: Row[] }[] = [];
  for (const order of [payments, payments.toReversed()]) {
    const process = await startProcess();
    const { control } = controlOf(() => process.url);
    await control.set({ chaos: { ...table, late_ms: 60_000 }, hang_ms: 20 });
    const call = sender(() => process.url);
    const outcomes: Record<string, string[]> = {};
    const one = async (body: (typeof payments)[number]) => {
      const own: string[] = (outcomes[body.reference] = []);
      for (let times = 0; times < 2; times++) own.push(learnt(await call('/payments', body)));
      own.push(learnt(await call(`/payments?reference=${body.reference}`, null)));
    };
    // The deadline is long and the wait for late answers longer: those are told by the books alone.
    const late = (body: (typeof payments)[number]) =>
      [1, 2].some((nth) => {
        const { fault } = draw(table, { called: 'direct_capture', reference: body.reference, nth });
        return fault === 'late_answer' || fault === 'callback_never';
      });
    await Promise.all(order.filter((body) => !late(body)).map(one));
    const entries = await clientOf(() => process.url).books('');
    const bare = entries.map(({ reference, kind, state, effects, calls }) => ({
      reference,
      kind,
      state,
      effects,
      calls,
    }));
    const sorted = bare.toSorted((a, b) => (a.reference + a.kind < b.reference + b.kind ? -1 : 1));
    runs.push({ outcomes, books: sorted as Row[] });
    await process.stop();
  }
  expect(runs[1]).toEqual(runs[0]);
  const told = Object.values(runs[0]?.outcomes ?? {}).flat();
  expect(told.filter((text) => !text.startsWith('200')).length).toBeGreaterThan(20);
});

test('an acknowledged call is in the books after every kill, once, and a message that was sent stays sent', async () => {
  let simulator = await started('killed');
  const call = sender(() => simulator.url);
  const { control, arm } = controlOf(() => simulator.url);
  await control.set({ chaos: table, hang_ms: 10, callbacks: 'all', deduplicates: ['simulator_b'] });
  await control.advance(86_400);
  const merchant_account_id = newId();
  await arm({ operation: 'refund', fault: 'garbage', times: 7, merchant_account_id });
  const acknowledged = new Map<string, number>();
  for (let kills = 0; kills < 5; kills++) {
    let running = true;
    const load = Array.from({ length: 8 }, async () => {
      while (running) {
        const body = payment(CARD, { capture: 'now' });
        const exchange = await call('/payments', body);
        const text = learnt(exchange);
        if (text.startsWith('200 {"id"') && text.includes(`"reference":"${body.reference}"`))
          acknowledged.set(body.reference, text.includes('"status":"approved"') ? 1 : 0);
      }
    });
    const enough = acknowledged.size + 100;
    while (acknowledged.size < enough) await new Promise((resolve) => setImmediate(resolve));
    simulator.child.kill('SIGKILL');
    await once(simulator.child, 'exit');
    running = false;
    await Promise.all(load);
    simulator = await started('killed');
  }
  const { books } = clientOf(() => simulator.url);
  const entries: Row[] = [];
  for (let offset = 0; ; offset += 1000) {
    const page = await books(`offset=${offset}`);
    entries.push(...page);
    if (page.length === 0) break;
  }
  const known = new Map(entries.filter(({ kind }) => kind === 'authorize').map((entry) => [entry.reference, entry]));
  for (const reference of acknowledged.keys()) expect(known.get(reference)?.effects, reference).toBeLessThanOrEqual(1);
  expect([...acknowledged.keys()].filter((reference) => !known.has(reference))).toEqual([]);
  const kept = await control.state();
  expect(kept).toMatchObject({ chaos: table, hang_ms: 10, callbacks: 'all', deduplicates: ['simulator_b'] });
  expect(await control.scenarios(merchant_account_id)).toMatchObject([{ fault: 'garbage', remaining: 7 }]);
  expect(Number((await control.clock())['shift_ms'])).toBeGreaterThan(86_399_000);
});

test('a kill sets no lot back: a repeated inquiry draws its next one, and meets the same fault no second time', async () => {
  // the first inquiry about it is lost, the second is not
  const isLost = (reference: string, nth: number) =>
    draw(table, { called: 'inquiry', reference, nth }).fault === 'http_500_before';
  let body = payment(CARD);
  while (!isLost(body.reference, 1) || draw(table, { called: 'inquiry', reference: body.reference, nth: 2 }).fault)
    body = payment(CARD);
  const first = await started('lots');
  await controlOf(() => first.url).control.set({ chaos: table });
  const path = `/payments?reference=${body.reference}`;
  expect(learnt(await sender(() => first.url)(path, null))).toMatch(/^500 /);
  first.child.kill('SIGKILL');
  await once(first.child, 'exit');
  const second = await started('lots');
  expect(learnt(await sender(() => second.url)(path, null))).toMatch(/^404 /);
});

test('a change that waits for the clock happens after a kill as well', async () => {
  const first = await started('waiting');
  const body = payment('4000009901000110');
  await sender(() => first.url)('/payments', body);
  first.child.kill('SIGKILL');
  await once(first.child, 'exit');
  const second = await started('waiting');
  const { control } = controlOf(() => second.url);
  const [before] = await clientOf(() => second.url).books(`reference=${body.reference}`);
  expect(before).toMatchObject({ state: 'pending', effects: 0 });
  expect((await control.clock())['next_due']).not.toBeNull();
  await control.advance(60);
  const [after] = await clientOf(() => second.url).books(`reference=${body.reference}`);
  expect(after).toMatchObject({ state: 'held', effects: 1 });
  expect((await control.clock())['next_due']).toBeNull();
});
