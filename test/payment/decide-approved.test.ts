// decide(), case by case: an approval, ours or not, and what it means for an operation in each state.
import { describe, expect, test } from 'vitest';
import type { Seen } from '../../src/payment/order/decide/decision.ts';
import { AUTHORIZE, approval, freshOrder, operationFacts, reversed } from './decide/facts.ts';
import { ALL, FOLLOW_UPS, IGNORED, OPEN, linesOf, no, notOurs, see, stand, yes } from './decide/stand.ts';

const ALERT = { kind: 'ignore', alert: expect.any(String) };

describe('approved, with our amount, currency and reference', () => {
  test.each(OPEN)('an authorization that is %s is successful, and its hold is booked', (state) => {
    const at = stand('authorize', state);
    const decision = see(at, yes(at));
    expect(decision).toMatchObject({
      kind: 'settle',
      state: 'successful',
      status: 'authorization_successful',
      live: true,
      wins: true,
      follow: undefined,
      code: '944444',
      events: [{ type: 'authorization_successful', code: '944444' }],
      counters: { authorized: 4250n, released: 0n, capturing: 0n, captured: 0n, refunding: 0n, refunded: 0n },
    });
    expect(linesOf(decision)).toEqual(['op book 1: authorized_hold <- authorized_contra 4250']);
  });

  test.each(OPEN)('a capture that is %s is done', (state) => {
    const at = stand('capture', state);
    const decision = see(at, yes(at));
    expect(decision).toMatchObject({
      kind: 'settle',
      state: 'successful',
      status: 'capture_successful',
      code: '955555',
      follow: undefined,
      counters: { authorized: 0n, released: 0n, capturing: -1000n, captured: 1000n, refunding: 0n, refunded: 0n },
    });
    expect(linesOf(decision)).toEqual([
      'op book 1: authorized_contra <- authorized_hold 1000',
      'op book 2: provider_receivable <- merchant_payable 1000',
    ]);
  });

  test.each(OPEN)('a last capture that is %s releases what is left, but for what is under way', (state) => {
    const at = stand('capture', state, { capturing_minor: 1500n });
    const decision = see({ ...at, operation: { ...at.operation, final: true } }, yes(at));
    expect(decision).toMatchObject({
      counters: { released: 2750n, capturing: -1000n, captured: 1000n },
      follow: { kind: 'cancel', state: 'successful', amount_minor: 2750n },
      status: 'capture_successful',
    });
    expect(linesOf(decision).at(-1)).toBe('follow book 1: authorized_contra <- authorized_hold 2750');
  });

  test.each(OPEN)('a refund that is %s is done', (state) => {
    const at = stand('refund', state);
    const decision = see(at, yes(at));
    expect(decision).toMatchObject({
      kind: 'settle',
      state: 'successful',
      status: 'refund_successful',
      code: '966666',
      counters: { authorized: 0n, released: 0n, capturing: 0n, captured: 0n, refunding: -1000n, refunded: 1000n },
    });
    expect(linesOf(decision)).toEqual(['op book 1: refunds <- provider_receivable 1000']);
  });

  test.each(OPEN)('a cancel that is %s is done, and the order is dead', (state) => {
    const at = stand('cancel', state);
    const decision = see(at, yes(at));
    expect(decision).toMatchObject({
      kind: 'settle',
      state: 'successful',
      status: 'authorization_cancelled',
      live: false,
      code: '977777',
      cancel_pending: false,
      counters: { released: 4250n },
    });
    expect(linesOf(decision)).toEqual(['op book 1: authorized_contra <- authorized_hold 4250']);
  });

  test('a lapse ends the order, or releases only the rest where something was captured', () => {
    const lapse = (captured_minor: bigint) => {
      const at = stand('cancel', 'requested', { captured_minor, status: 'capture_successful' });
      return see(
        { ...at, operation: { ...at.operation, origin: 'schedule', amount_minor: 4250n - captured_minor } },
        {
          ...yes(at),
          amount_minor: 4250n - captured_minor,
        },
      );
    };
    expect(lapse(0n)).toMatchObject({ status: 'authorization_expired', live: false, code: '520120' });
    expect(lapse(250n)).toMatchObject({
      status: 'capture_successful',
      live: true,
      code: '520120',
      events: [],
      counters: { released: 4000n },
    });
  });

  test('an authorization that is being undone stays so', () => {
    const at = stand('authorize', 'reversing');
    expect(see(at, yes(at))).toEqual(IGNORED);
  });

  test.each(ALL)('a %s that was successful already is told nothing new', (kind) => {
    const at = stand(kind, 'successful');
    expect(see(at, yes(at))).toEqual(IGNORED);
  });

  test.each(['declined', 'not_sent'] as const)('an authorization that was %s is undone, and said, once', (state) => {
    const at = stand('authorize', state);
    const decision = see(at, yes(at));
    expect(decision).toMatchObject({
      kind: 'settle',
      state,
      events: [],
      postings: [],
      alert: expect.any(String),
      follow: { kind: 'reversal', state: 'requested', target_id: AUTHORIZE, amount_minor: 4250n },
    });
    const undoing = operationFacts({ id: 'undo', kind: 'reversal', amount_minor: 4250n, target_id: AUTHORIZE });
    expect(see({ ...at, order: { ...at.order, operations: [at.operation, undoing] } }, yes(at))).toEqual(ALERT);
  });

  test.each(FOLLOW_UPS)('a %s that was declined is never applied by itself: it is contradicted', (kind) => {
    const at = stand(kind, 'declined');
    const reference = `at-provider-${at.operation.id}`;
    expect(see(at, yes(at))).toEqual({ kind: 'contradict', said: 'approved', reference, alert: expect.any(String) });
  });
});

describe('approved, and anything differs', () => {
  test.each(['requested', 'in_doubt'] as const)('an authorization that is %s is undone, and said', (state) => {
    const at = stand('authorize', state);
    const captured: Seen = { ...approval(at.order, at.operation), captured: true };
    for (const seen of [...notOurs(at).map(([, other]) => other), captured])
      expect(see(at, seen)).toMatchObject({
        kind: 'settle',
        state: 'reversing',
        status: 'authorization_requested',
        postings: [],
        events: [],
        alert: expect.any(String),
        follow: { kind: 'reversal', target_id: AUTHORIZE },
      });
  });

  test.each(FOLLOW_UPS)('a %s is in doubt, and said', (kind) => {
    for (const state of ['requested', 'in_doubt'] as const) {
      const at = stand(kind, state);
      for (const [, seen] of notOurs(at))
        expect(see(at, seen)).toEqual({
          kind: 'note',
          state: 'in_doubt',
          waits_for: 'call',
          alert: expect.any(String),
        });
    }
  });

  test('a reversal is not acknowledged by it', () => {
    for (const state of OPEN) {
      const at = stand('reversal', state);
      for (const [, seen] of notOurs(at))
        expect(see(at, seen)).toMatchObject({ kind: 'note', alert: expect.any(String) });
      expect(see(at, { ...reversed(at.operation), our_reference: 'somebody' })).toMatchObject({ kind: 'note' });
    }
  });

  test('what is being undone stays, and it is said; what has ended well is contradicted', () => {
    const undone = stand('authorize', 'reversing');
    for (const [name, seen] of notOurs(undone)) expect([name, see(undone, seen)]).toEqual([name, ALERT]);
    for (const kind of ALL) {
      const at = stand(kind, 'successful');
      for (const [name, seen] of notOurs(at))
        expect([kind, name, see(at, seen)]).toMatchObject([kind, name, { kind: 'contradict', said: 'differs' }]);
    }
  });

  test('a cancel that waits for its authorization was never sent: nothing that is seen of it counts', () => {
    const at = stand('cancel', 'requested', { winner_id: null, authorized_minor: 0n });
    const waiting = { ...at, operation: { ...at.operation, waits_for: 'provider' } };
    for (const seen of [yes(at), reversed(at.operation), no(at)])
      expect(see(waiting, seen)).toMatchObject({ kind: 'ignore' });
  });
});

describe('a sale', () => {
  const sale = () => {
    const operation = operationFacts({ id: AUTHORIZE, kind: 'authorize', amount_minor: 4250n, with_capture: true });
    const order = {
      ...freshOrder({ amount_minor: 4250n, currency: 'EUR', with_capture: true }),
      operations: [operation],
    };
    return { order, operation };
  };
  const approvedWith = (change: Partial<Extract<Seen, { kind: 'approved' }>>) => {
    const at = sale();
    return see(at, approval(at.order, at.operation, change));
  };

  test('that is captured is authorized and captured in one commit, and nothing was on hold', () => {
    const decision = approvedWith({ captured: true });
    expect(decision).toMatchObject({
      state: 'successful',
      status: 'capture_successful',
      wins: true,
      events: [{ code: '944444' }, { code: '955555' }],
      counters: { authorized: 4250n, captured: 4250n, capturing: 0n },
      follow: { kind: 'capture', state: 'successful', amount_minor: 4250n, target_id: AUTHORIZE },
    });
    expect(linesOf(decision)).toEqual(['follow book 1: provider_receivable <- merchant_payable 4250']);
  });

  test('that is not captured yet waits for its capture', () => {
    const decision = approvedWith({ captured: false });
    expect(decision).toMatchObject({
      state: 'successful',
      status: 'capture_requested',
      events: [{ code: '944444' }, { code: '521080' }],
      counters: { authorized: 4250n, captured: 0n, capturing: 4250n },
      follow: { kind: 'capture', state: 'requested', waits_for: 'provider', target_id: AUTHORIZE },
    });
    expect(linesOf(decision)).toEqual(['op book 1: authorized_hold <- authorized_contra 4250']);
  });

  test('whose capture is refused is authorized, and may be captured', () => {
    const capture = {
      kind: 'declined',
      result: 'acquirer_capture_declined',
      provider_code: '',
      provider_text: '',
    } as const;
    expect(approvedWith({ captured: false, capture })).toMatchObject({
      state: 'successful',
      status: 'capture_declined',
      live: true,
      counters: { authorized: 4250n, captured: 0n, capturing: 0n },
      follow: { kind: 'capture', state: 'declined', code: '521288' },
    });
  });
});
