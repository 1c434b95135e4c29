// decide(), case by case: what ends an operation without its money, and what it means for an operation in each state.
import { describe, expect, test } from 'vitest';
import type { Seen } from '../../src/payment/order/decide/decision.ts';
import type { DisputeFacts } from '../../src/payment/order/facts/order-facts.ts';
import { AUTHORIZE, operationFacts, refusalCode, reversed, LATE } from './decide/facts.ts';
import { type Kind, FOLLOW_UPS, IGNORED, OPEN, linesOf, no, see, stand } from './decide/stand.ts';

const ALERT = { kind: 'ignore', alert: expect.any(String) };

describe('declined', () => {
  test.each([...OPEN, 'reversing'] as const)('an authorization that is %s is declined with its own code', (state) => {
    const at = stand('authorize', state);
    expect(see(at, no(at))).toMatchObject({
      kind: 'settle',
      state: 'declined',
      code: '420100',
      status: 'authorization_declined',
      live: false,
      attempt_dead: true,
      wins: false,
      postings: [],
      follow: undefined,
      events: [{ type: 'authorization_declined', code: '420100' }],
      others: state === 'reversing' ? [{ id: 'undo', state: 'declined' }] : [],
    });
  });

  test.each(FOLLOW_UPS)('a %s is declined: what it reserved is free, and nothing else moves', (kind) => {
    for (const state of OPEN) {
      const at = stand(kind, state);
      const freed = { capture: { capturing: -1000n }, refund: { refunding: -1000n }, cancel: {} }[kind];
      expect(see(at, no(at))).toMatchObject({
        kind: 'settle',
        state: 'declined',
        code: refusalCode(kind),
        live: true,
        postings: [],
        follow: undefined,
        counters: { authorized: 0n, released: 0n, capturing: 0n, captured: 0n, refunding: 0n, refunded: 0n, ...freed },
        status: { capture: 'capture_declined', refund: 'refund_declined', cancel: 'authorization_cancel_declined' }[
          kind
        ],
        cancel_pending: false,
      });
    }
  });

  test('a lapse that is refused is nobody’s event', () => {
    const at = stand('cancel', 'requested', { status: 'authorization_successful' });
    const decision = see({ ...at, operation: { ...at.operation, origin: 'schedule' } }, no(at));
    expect(decision).toMatchObject({
      state: 'declined',
      status: 'authorization_successful',
      events: [],
      cancel_pending: false,
    });
  });

  test('a reversal is tried again, and it is said', () => {
    const at = stand('reversal', 'requested');
    expect(see(at, no(at))).toMatchObject({ kind: 'note', state: 'in_doubt', alert: expect.any(String) });
  });

  test.each(['authorize', ...FOLLOW_UPS] as const)('a %s that was successful contradicts it', (kind) => {
    const at = stand(kind, 'successful');
    expect(see(at, no(at))).toMatchObject({ kind: 'contradict', said: 'declined' });
    const again = stand(kind, 'declined');
    expect(see(again, no(again))).toEqual(IGNORED);
  });
});

describe('reversed', () => {
  const pendingCancel = operationFacts({ id: 'stop', kind: 'cancel', amount_minor: 4250n, waits_for: 'provider' });

  test.each([...OPEN, 'reversing'] as const)('an authorization that is %s is declined, reversed', (state) => {
    const at = stand('authorize', state);
    expect(see(at, reversed(at.operation))).toMatchObject({
      state: 'declined',
      reason: 'reversed',
      code: '420410',
      status: 'authorization_declined',
      attempt_dead: true,
      postings: [],
    });
  });

  test('with a cancel that waited, the order is cancelled, and the cancel is done', () => {
    const at = stand('authorize', 'reversing', { cancel_pending: true });
    const order = { ...at.order, operations: [...at.order.operations, pendingCancel] };
    expect(see({ ...at, order }, reversed(at.operation))).toMatchObject({
      state: 'declined',
      reason: 'reversed',
      status: 'authorization_cancelled',
      live: false,
      cancel_pending: false,
      others: [
        { id: 'undo', state: 'successful' },
        { id: 'stop', state: 'successful', code: '977777' },
      ],
    });
  });

  test('with a cancel that waited, an authorization that was declined leaves nothing to cancel', () => {
    const at = stand('authorize', 'reversing', { cancel_pending: true });
    const order = { ...at.order, operations: [...at.order.operations, pendingCancel] };
    expect(see({ ...at, order }, no(at))).toMatchObject({
      state: 'declined',
      status: 'authorization_declined',
      cancel_pending: false,
      others: [
        { id: 'undo', state: 'declined' },
        { id: 'stop', state: 'declined', code: '720010' },
      ],
    });
  });

  test('a reversal is acknowledged, and ends the authorization with it', () => {
    for (const state of OPEN) {
      const at = stand('reversal', state);
      // a reversal may have overtaken the authorization that it undoes: early, it is no proof
      expect(see(at, reversed(at.operation))).toMatchObject({ kind: 'note' });
      expect(see(at, reversed(at.operation), LATE)).toMatchObject({
        state: 'successful',
        status: 'authorization_declined',
        attempt_dead: true,
        postings: [],
        others: [{ id: AUTHORIZE, state: 'declined', code: '420410', reason: 'reversed' }],
      });
    }
  });

  test('a capture or a refund is not: it is said', () => {
    for (const kind of ['capture', 'refund'] as const) {
      const at = stand(kind, 'requested');
      expect(see(at, reversed(at.operation))).toEqual(ALERT);
    }
  });

  test.each(['cancel', 'reversal'] as const)('a %s that was successful is told nothing new', (kind) => {
    const at = stand(kind, 'successful');
    expect(see(at, reversed(at.operation))).toEqual(IGNORED);
  });

  test.each(['authorize', 'capture', 'refund'] as const)('a %s that was successful contradicts it', (kind) => {
    const at = stand(kind, 'successful');
    expect(see(at, reversed(at.operation))).toMatchObject({ kind: 'contradict', said: 'reversed' });
  });
});

/** Of the capture that stands. */
const DISPUTE: DisputeFacts = {
  id: 'dispute',
  operation_id: 'own',
  round: 1,
  state: 'opened',
  amount_minor: 400n,
  reason: 'fraudulent',
  reason_code: '10.4',
  opened_at: '2024-08-16T09:20:00.000Z',
  told_at: '2024-08-16T09:20:00.000Z',
  reference: null,
};

describe('corrected by the provider', () => {
  const corrected = (kind: Kind): Seen => ({
    kind: 'corrected',
    result: `${kind as 'capture'}_declined`,
    reference: null,
  });

  test.each([
    ['capture', 'captured', ['authorized_hold <- authorized_contra', 'merchant_payable <- provider_receivable']],
    ['refund', 'refunded', ['provider_receivable <- refunds']],
  ] as const)('a %s that was successful is declined, and unbooked', (kind, counter, lines) => {
    const decision = see(stand(kind, 'successful'), corrected(kind));
    expect(decision).toMatchObject({
      state: 'declined',
      status: `${kind}_declined`,
      reason: 'corrected by the provider',
      counters: { capturing: 0n, refunding: 0n, authorized: 0n, released: 0n, [counter]: -1000n },
    });
    expect(linesOf(decision)).toEqual(lines.map((line, i) => `op unbook ${i + 1}: ${line} 1000`));
  });

  test('a capture whose money was refunded is not: it is contradicted', () => {
    for (const change of [{ refunded_minor: 1n }, { refunding_minor: 1n }]) {
      const at = stand('capture', 'successful', change);
      expect(see(at, corrected('capture'))).toMatchObject({ kind: 'contradict', said: 'corrected' });
    }
  });

  test.each(['opened', 'lost', 'won'] as const)(
    "a capture whose money the payer's bank took back is contradicted, unless that is won: %s",
    (state) => {
      const at = stand('capture', 'successful', { disputes: [{ ...DISPUTE, state }] });
      const expected =
        state === 'won' ? { kind: 'settle', state: 'declined' } : { kind: 'contradict', said: 'corrected' };
      expect(see(at, corrected('capture'))).toMatchObject(expected);
      // of another capture's money it says nothing
      const beside = stand('capture', 'successful', { disputes: [{ ...DISPUTE, state, operation_id: 'another' }] });
      expect(see(beside, corrected('capture'))).toMatchObject({ kind: 'settle', state: 'declined' });
    },
  );

  test('one that is open is declined; one that was declined is not touched', () => {
    for (const kind of ['capture', 'refund'] as const) {
      for (const state of OPEN)
        expect(see(stand(kind, state), corrected(kind))).toMatchObject({ state: 'declined', postings: [] });
      expect(see(stand(kind, 'declined'), corrected(kind))).toEqual(IGNORED);
    }
  });

  test('an authorization, a cancel or a reversal is never corrected by itself: it is contradicted', () => {
    for (const kind of ['authorize', 'cancel', 'reversal'] as const)
      expect(see(stand(kind, 'successful'), corrected(kind))).toMatchObject({ kind: 'contradict', said: 'corrected' });
  });
});
