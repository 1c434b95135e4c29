// The money rules of the simulated provider, seen from outside: its answers and its books.
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Row, clientOf, common, payment } from './providers/client.ts';
import { type SimulatorProcess, newId, startProcess } from './providers/wire.ts';

let simulator: SimulatorProcess;
beforeAll(async () => {
  simulator = await startProcess();
});
afterAll(() => simulator.stop());
const { authorize, books, follow, get, post } = clientOf(() => simulator.url);

describe('money', () => {
  test('a hold is captured in parts until it is used up, and never above', async () => {
    const { id } = await authorize('4242424242424242');
    expect((await follow(`/payments/${id}/captures`, { amount: 600 })).code).toBe('955555');
    expect((await follow(`/payments/${id}/captures`, { amount: 401 })).code).toBe('521270');
    expect((await follow(`/payments/${id}/captures`, { amount: 400 })).code).toBe('955555');
    expect((await follow(`/payments/${id}/captures`, { amount: 1 })).code).toBe('521271');
    expect((await follow(`/payments/${id}/captures`, { amount: 1, currency: 'USD' })).code).toBe('521260');
  });

  test('a capture is refunded in parts until it is used up, and never above', async () => {
    const { id } = await authorize('4242424242424242');
    const captured = await follow(`/payments/${id}/captures`, { amount: 600 });
    expect((await follow(`/captures/${captured.id}/refunds`, { amount: 500 })).code).toBe('966666');
    expect((await follow(`/captures/${captured.id}/refunds`, { amount: 101 })).code).toBe('621261');
    expect((await follow(`/captures/${captured.id}/refunds`, { amount: 100 })).code).toBe('966666');
    expect((await follow(`/captures/${captured.id}/refunds`, { amount: 1 })).code).toBe('621270');
    expect((await follow(`/captures/${captured.id}/refunds`, { amount: 1, currency: 'USD' })).code).toBe('621260');
    expect((await follow(`/captures/${id}/refunds`, { amount: 1 })).code).toBe('620210');
  });

  test('a payment captured in one step is its own capture, and the books show both', async () => {
    const { id, reference } = await authorize('4242424242424242', { capture: 'now' });
    expect((await follow(`/payments/${id}/captures`)).code).toBe('521271');
    expect((await follow(`/captures/${id}/refunds`)).code).toBe('966666');
    expect(await books(`reference=${reference}`)).toMatchObject([
      { kind: 'authorize', state: 'captured' },
      { kind: 'capture', state: 'refunded', amount: 1000, effects: 1 },
    ]);
  });

  test('a cancel releases what is still open, once; afterwards nothing can be captured', async () => {
    const { id, reference } = await authorize('4242424242424242');
    await follow(`/payments/${id}/captures`, { amount: 300 });
    const asked = common();
    expect((await post(`/simulator/payments/${id}/cancel`, asked)).said).toMatchObject({ code: '977777', amount: 700 });
    expect((await post(`/simulator/payments/${id}/cancel`, asked)).said).toMatchObject({ code: '977777', amount: 700 });
    expect((await follow(`/payments/${id}/cancel`)).code).toBe('721172');
    expect((await follow(`/payments/${id}/captures`, { amount: 1 })).code).toBe('520220');
    expect(await books(`reference=${asked.reference}`)).toMatchObject([{ effects: 1, calls: 2, state: 'released' }]);
    expect(await books(`reference=${reference}`)).toMatchObject([{ state: 'captured' }]);
  });

  test('what was captured whole, declined, or is unknown cannot be cancelled', async () => {
    const { id } = await authorize('4242424242424242', { capture: 'now' });
    expect((await follow(`/payments/${id}/cancel`)).code).toBe('721171');
    const declined = await authorize('4000000000000002');
    expect((await follow(`/payments/${declined.id}/cancel`)).code).toBe('720010');
    expect((await follow('/payments/pay_nobody/cancel')).code).toBe('720010');
    expect((await follow('/payments/pay_nobody/captures')).code).toBe('520220');
    expect((await follow('/captures/cap_nobody/refunds')).code).toBe('620210');
  });
});

describe('asked again', () => {
  test('a repeated payment, capture or refund takes effect again, and the books say so', async () => {
    const body = payment('4242424242424242');
    await post('/simulator/payments', body);
    const { said } = await post('/simulator/payments', body);
    expect(await books(`reference=${body.reference}`)).toMatchObject([{ effects: 2, calls: 2, state: 'held' }]);
    const asked = common({ amount: 400 });
    for (const code of ['955555', '955555', '521270']) {
      expect((await post(`/simulator/payments/${said.id}/captures`, asked)).said.code).toBe(code);
    }
    expect(await books(`reference=${asked.reference}`)).toMatchObject([{ effects: 2, calls: 3, state: 'captured' }]);
    const back = common({ amount: 400 });
    for (const code of ['966666', '966666', '621270']) {
      expect((await post(`/simulator/captures/cap_${asked.reference}/refunds`, back)).said.code).toBe(code);
    }
    expect(await books(`reference=${back.reference}`)).toMatchObject([{ effects: 2, calls: 3, state: 'refunded' }]);
  });

  test('a declined reference stays declined, without effect', async () => {
    const body = payment('4000000000000002');
    for (const calls of [1, 2]) {
      expect((await post('/simulator/payments', body)).said.code).toBe('420188');
      expect(await books(`reference=${body.reference}`)).toMatchObject([{ effects: 0, calls, state: 'declined' }]);
    }
  });

  test('a reference that stands for something else is refused', async () => {
    const body = payment('4242424242424242');
    await post('/simulator/payments', body);
    const again = [
      { ...body, amount: 999 },
      { ...body, currency: 'USD' },
    ];
    for (const other of again) expect((await post('/simulator/payments', other)).status).toBe(400);
    const { status } = await post(`/simulator/payments/pay_${body.reference}/captures`, body);
    expect(status).toBe(400);
    const [other, asked] = [await authorize('4242424242424242'), common({ amount: 100 })];
    expect((await post(`/simulator/payments/pay_${body.reference}/captures`, asked)).status).toBe(200);
    expect((await post(`/simulator/payments/${other.id}/captures`, asked)).status).toBe(400);
    expect(await books(`reference=${asked.reference}`)).toMatchObject([{ effects: 1, calls: 1 }]);
    expect(await books(`reference=${body.reference}`)).toMatchObject([{ effects: 1, calls: 1 }]);
  });

  test('a reversal is acknowledged always, undoes once, and a later authorization is taken all the same', async () => {
    const body = payment('4242424242424242', { capture: 'now' });
    const reversal = { ...common(), reference: body.reference };
    const seen = async () => books(`reference=${body.reference}`);
    expect((await post('/simulator/reversals', reversal)).said.code).toBe('977777');
    expect(await seen()).toMatchObject([{ kind: 'reversal', effects: 0, calls: 1 }]);
    expect((await post('/simulator/payments', body)).said.code).toBe('955555');
    expect(await seen()).toMatchObject([{ state: 'captured' }, { state: 'captured' }, { effects: 0 }]);
    for (const calls of [2, 3]) {
      expect((await post('/simulator/reversals', reversal)).said.code).toBe('977777');
      const reversed = { kind: 'reversal', effects: 1, calls };
      expect(await seen()).toMatchObject([{ kind: 'authorize', state: 'refunded' }, { state: 'refunded' }, reversed]);
    }
    expect((await follow(`/captures/pay_${body.reference}/refunds`)).code).toBe('620210');
    const inquiry = await get(`/simulator/payments?reference=${body.reference}`);
    expect(inquiry).toMatchObject({ status: 'declined', code: '420410' });
  });
});

test('no order of calls captures above a hold or refunds above a capture', async () => {
  const steps = fc.array(
    fc.record({
      verb: fc.constantFrom('capture', 'refund', 'cancel', 'reverse', 'authorize'),
      amount: fc.integer({ min: 1, max: 1200 }),
      target: fc.nat(3),
      again: fc.boolean(),
    }),
    { maxLength: 12 },
  );
  await fc.assert(
    fc.asyncProperty(fc.boolean(), steps, async (sale, moves) => {
      const body = payment('4242424242424242', { capture: sale ? 'now' : 'later' });
      const { order_id, reference } = body;
      const captures = sale ? [`pay_${reference}`] : ['cap_none'];
      await post('/simulator/payments', body);
      let last = newId();
      for (const { verb, amount, target, again } of moves) {
        const asked = common({ order_id, amount, ...(again ? { reference: last } : {}) });
        last = asked.reference;
        if (verb === 'capture')
          captures.push((await post(`/simulator/payments/pay_${reference}/captures`, asked)).said.id);
        if (verb === 'refund') await post(`/simulator/captures/${captures[target % captures.length]}/refunds`, asked);
        if (verb === 'cancel') await post(`/simulator/payments/pay_${reference}/cancel`, asked);
        if (verb === 'reverse') await post('/simulator/reversals', { ...asked, reference });
        if (verb === 'authorize') await post('/simulator/payments', body);
      }
      const entries = await books(`order_id=${order_id}`);
      const total = (...kinds: string[]) =>
        entries
          .filter(({ kind }) => kinds.includes(kind))
          .reduce((sum: number, { amount, effects }: Row) => sum + amount * effects, 0);
      const holds = entries.find(({ kind }) => kind === 'authorize')?.effects ?? 0;
      expect(total('capture')).toBeLessThanOrEqual(1000 * holds);
      expect(total('refund')).toBeLessThanOrEqual(total('capture'));
      expect(total('capture') + total('cancel')).toBeLessThanOrEqual(1000 * holds);
    }),
    { numRuns: 150 },
  );
});
