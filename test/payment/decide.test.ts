// What an observation may do to an open authorization, as a pure function: approved only when everything is ours, declined
// only when the provider says so, and nothing guessed.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  type Observation,
  type OpenAuthorization,
  decideAuthorization,
  postingLines,
} from '../../src/payment/order/decide.ts';
import type { Outcome } from '../../src/provider/contract.ts';

const OPEN: OpenAuthorization = {
  id: 'a'.repeat(24),
  transaction_id: 'a'.repeat(24),
  amount_minor: 4250n,
  currency: 'EUR',
  with_capture: false,
};
const SALE = { ...OPEN, with_capture: true };

function approved(change: Partial<Extract<Outcome, { kind: 'approved' }>> = {}): Observation {
  const outcome = {
    kind: 'approved',
    reference: 'pay_1',
    our_reference: OPEN.id,
    amount_minor: 4250n,
    currency: 'EUR',
    authorization_code: 'ABC123',
    captured: false,
    provider_code: '944444',
    provider_text: 'ok',
    ...change,
  } as const;
  return { source: 'answer', outcome };
}

const seen = (outcome: Observation['outcome']): Observation => ({ source: 'answer', outcome });

test('an approval that is ours settles the authorization and books the hold', () => {
  const decision = decideAuthorization(OPEN, approved());
  expect(decision).toMatchObject({
    kind: 'settle',
    state: 'successful',
    status: 'authorization_successful',
    wins: true,
    d_authorized: 4250n,
    d_captured: 0n,
  });
  if (decision.kind !== 'settle') throw new Error('it settles');
  expect(postingLines(decision, { operation: 'o', capture: null })).toEqual([
    { source: 'o', line: 1, debit: 'authorized_hold', credit: 'authorized_contra', amount_minor: 4250n },
  ]);
});

test.each([
  ['another amount', { amount_minor: 4249n }],
  ['a larger amount', { amount_minor: 4251n }],
  ['another currency', { currency: 'USD' }],
  ['another reference', { our_reference: 'b'.repeat(24) }],
  ['a capture that nobody asked for', { captured: true }],
])('an approval with %s is in doubt and changes no money', (_, change) => {
  expect(decideAuthorization(OPEN, approved(change))).toEqual({ kind: 'note', state: 'in_doubt', waits_for: 'call' });
});

test('silence, garbage and "not found" are in doubt, never a decline', () => {
  for (const why of ['timeout', 'closed', 'unreadable', 'provider_error'] as const)
    expect(decideAuthorization(OPEN, seen({ kind: 'unknown', why }))).toMatchObject({
      kind: 'note',
      state: 'in_doubt',
    });
  expect(decideAuthorization(OPEN, seen({ kind: 'not_found' }))).toMatchObject({ kind: 'note', state: 'in_doubt' });
});

test('a provider that will tell later is waited for', () => {
  expect(decideAuthorization(OPEN, seen({ kind: 'pending', reference: 'pay_1' }))).toEqual({
    kind: 'note',
    state: 'requested',
    waits_for: 'provider',
  });
});

test('a decline, and proof that nothing was sent, end the attempt without money', () => {
  const declined = {
    kind: 'declined',
    result: 'funds_insufficient',
    reference: 'pay_1',
    provider_code: '51',
    provider_text: 'no',
  } as const;
  const ends = {
    kind: 'settle',
    status: 'authorization_declined',
    live: false,
    attempt_dead: true,
    wins: false,
    d_authorized: 0n,
    d_capturing: 0n,
    d_captured: 0n,
    postings: [],
  };
  expect(decideAuthorization(SALE, seen(declined))).toMatchObject({ ...ends, state: 'declined', code: '420100' });
  expect(decideAuthorization(SALE, seen({ kind: 'not_sent', result: 'provider_unreachable' }))).toMatchObject({
    ...ends,
    state: 'not_sent',
    code: '420410',
  });
});

test('a sale settles authorization and capture in one commit; one that is not captured yet waits for it', () => {
  expect(decideAuthorization(SALE, approved({ captured: true }))).toMatchObject({
    status: 'capture_successful',
    d_authorized: 4250n,
    d_captured: 4250n,
    d_capturing: 0n,
    capture: { state: 'successful', amount_minor: 4250n },
    events: [{ code: '944444' }, { code: '955555' }],
  });
  expect(decideAuthorization(SALE, approved())).toMatchObject({
    status: 'capture_requested',
    d_authorized: 4250n,
    d_captured: 0n,
    d_capturing: 4250n,
    capture: { state: 'requested', waits_for: 'provider' },
    events: [{ code: '944444' }, { code: '521080' }],
  });
});

test('whatever is seen: what is captured or being captured never exceeds what is authorized, and only an approval moves money', () => {
  const amount = fc.bigInt({ min: 1n, max: 10n ** 12n });
  fc.assert(
    fc.property(amount, amount, fc.boolean(), fc.boolean(), (asked, told, with_capture, captured) => {
      const decision = decideAuthorization(
        { ...OPEN, amount_minor: asked, with_capture },
        approved({ amount_minor: told, captured }),
      );
      if (decision.kind === 'note') return asked !== told || (captured && !with_capture);
      return (
        decision.d_capturing + decision.d_captured <= decision.d_authorized &&
        decision.d_authorized === asked &&
        asked === told
      );
    }),
    { numRuns: 5000 },
  );
});
