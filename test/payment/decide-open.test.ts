// decide(), case by case: what proves nothing, or only that nothing happened, and what it means for an operation in
// each state.
import { describe, expect, test } from 'vitest';
import type { Seen } from '../../src/payment/order/decide/decision.ts';
import { AUTHORIZE, EARLY, FOR_REVIEW, LATE, POLICIES } from './decide/facts.ts';
import { ALL, FOLLOW_UPS, IGNORED, OPEN, see, stand, yes } from './decide/stand.ts';

const NOT_SENT: Seen = { kind: 'not_sent', result: 'provider_unreachable' };
const UNKNOWN: Seen = { kind: 'unknown', why: 'timeout' };
const NOT_FOUND: Seen = { kind: 'not_found' };
const PENDING: Seen = { kind: 'pending', reference: null };

describe('pending', () => {
  test.each(ALL)('a %s stays, and is waited for', (kind) => {
    for (const state of OPEN)
      expect(see(stand(kind, state), PENDING)).toEqual({ kind: 'note', state, waits_for: 'provider' });
  });

  test('what is being undone or has ended is not touched', () => {
    expect(see(stand('authorize', 'reversing'), PENDING)).toEqual(IGNORED);
    for (const kind of ALL) expect(see(stand(kind, 'successful'), PENDING)).toEqual(IGNORED);
  });
});

describe('not found', () => {
  test('an authorization is in doubt while it may still come, then it is undone', () => {
    for (const state of ['requested', 'in_doubt'] as const) {
      expect(see(stand('authorize', state), NOT_FOUND)).toMatchObject({ kind: 'note', state: 'in_doubt' });
      expect(see(stand('authorize', state), NOT_FOUND, LATE)).toMatchObject({
        state: 'reversing',
        follow: { kind: 'reversal' },
      });
    }
  });

  test.each(FOLLOW_UPS)('a %s is never ended by it: it is sent again, at last under another key', (kind) => {
    const note = { kind: 'note', state: 'in_doubt', waits_for: 'call' };
    expect(see(stand(kind, 'requested'), NOT_FOUND)).toEqual(note);
    expect(see(stand(kind, 'requested'), NOT_FOUND, LATE)).toEqual({ ...note, new_key: true });
    expect(see(stand(kind, 'review'), NOT_FOUND, LATE)).toMatchObject({ kind: 'note', state: 'review' });
  });

  test('a reversal whose message is overdue goes under another key', () => {
    const at = stand('reversal', 'in_doubt');
    const waiting = { ...at, operation: { ...at.operation, waits_for: 'provider' as const } };
    const note = { kind: 'note', state: 'in_doubt', waits_for: 'call', new_key: true };
    expect(see(waiting, UNKNOWN, { ...EARLY, message_overdue: true })).toEqual(note);
    expect(see(waiting, UNKNOWN)).not.toHaveProperty('new_key');
  });

  test('a reversal is acknowledged by it once nothing can come any more, not before', () => {
    expect(see(stand('reversal', 'in_doubt'), NOT_FOUND)).toMatchObject({ kind: 'note', state: 'in_doubt' });
    expect(see(stand('reversal', 'in_doubt'), NOT_FOUND, LATE)).toMatchObject({
      kind: 'settle',
      state: 'successful',
      status: 'authorization_declined',
      others: [{ id: AUTHORIZE, state: 'declined', code: '420410', reason: 'reversed' }],
    });
  });

  test('what is being undone or has ended is not touched', () => {
    expect(see(stand('authorize', 'reversing'), NOT_FOUND, LATE)).toEqual(IGNORED);
    for (const kind of ALL) expect(see(stand(kind, 'successful'), NOT_FOUND, LATE)).toEqual(IGNORED);
  });
});

describe('proved never sent', () => {
  test.each(OPEN)('an authorization that is %s ends so', (state) => {
    expect(see(stand('authorize', state), NOT_SENT)).toMatchObject({
      kind: 'settle',
      state: 'not_sent',
      code: '420410',
      status: 'authorization_declined',
      attempt_dead: true,
      postings: [],
    });
  });

  test('an authorization that waits to be undone has nothing to undo', () => {
    expect(see(stand('authorize', 'reversing'), NOT_SENT)).toMatchObject({
      state: 'declined',
      status: 'authorization_declined',
      others: [{ id: 'undo', state: 'declined' }],
    });
  });

  test.each(['capture', 'refund', 'cancel', 'reversal'] as const)('a %s is sent again later', (kind) => {
    for (const state of OPEN)
      expect(see(stand(kind, state), NOT_SENT)).toEqual({ kind: 'note', state, waits_for: 'call' });
  });
});

describe('unknown', () => {
  test.each(ALL)('a %s is in doubt; after a day a person decides', (kind) => {
    for (const why of ['timeout', 'closed', 'unreadable', 'provider_error'] as const) {
      const seen: Seen = { kind: 'unknown', why };
      for (const policy of [EARLY, LATE])
        expect(see(stand(kind, 'requested'), seen, policy)).toMatchObject({ kind: 'note', state: 'in_doubt' });
      expect(see(stand(kind, 'in_doubt'), seen, FOR_REVIEW)).toMatchObject({ kind: 'note', state: 'review' });
      expect(see(stand(kind, 'review'), seen)).toMatchObject({ kind: 'note', state: 'review' });
    }
  });

  test.each(ALL)('a %s that has ended is not touched', (kind) => {
    for (const state of ['successful', 'declined'] as const)
      for (const policy of POLICIES) expect(see(stand(kind, state), UNKNOWN, policy)).toEqual(IGNORED);
  });
});

describe('a cancel wants the authorization undone', () => {
  test.each(OPEN)('an authorization that is %s is undone', (state) => {
    expect(see(stand('authorize', state, { cancel_pending: true }), { kind: 'cancel_wanted' })).toMatchObject({
      state: 'reversing',
      cancel_pending: true,
      events: [],
      follow: { kind: 'reversal', origin: 'recovery' },
    });
  });

  test.each(OPEN)('an approval of one that is %s is undone, never booked', (state) => {
    const at = stand('authorize', state, { cancel_pending: true });
    expect(see(at, yes(at))).toMatchObject({
      state: 'reversing',
      wins: false,
      postings: [],
      follow: { kind: 'reversal' },
    });
  });

  test.each([...FOLLOW_UPS, 'reversal'] as const)('a %s does not hear it', (kind) => {
    expect(see(stand(kind, 'requested'), { kind: 'cancel_wanted' })).toEqual(IGNORED);
  });
});
