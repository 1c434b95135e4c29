// What a provider's word on a dispute means, and what a word that opens none does not.
import { expect, test } from 'vitest';
import { decideDispute } from '../../src/payment/dispute/decide.ts';
import type { DisputeFacts } from '../../src/payment/order/facts/order-facts.ts';
import type { Dispute } from '../../src/provider/notices.ts';

const told = (given: Partial<Dispute> = {}): Dispute => ({
  kind: 'dispute',
  state: 'opened',
  amount_minor: 1000n,
  currency: 'EUR',
  reason: 'Fraud',
  reason_code: '10.4',
  at: '2026-03-02T10:00:00.000Z',
  ...given,
});
const known = (state: DisputeFacts['state']): DisputeFacts => ({
  id: 'd'.repeat(24),
  operation_id: 'c'.repeat(24),
  round: 1,
  reference: null,
  state,
  amount_minor: 1000n,
  reason: 'Fraud',
  reason_code: '10.4',
  opened_at: '2026-03-01T10:00:00.000Z',
  told_at: '2026-03-01T10:00:00.000Z',
});

test.each(['opened', 'won', 'lost'] as const)(
  'a word that opens none takes no money where none is disputed, says it %s or not',
  (state) => {
    expect(decideDispute([], told({ state, opens_none: true }))).toEqual({ kind: 'nothing' });
    for (const before of ['won', 'lost'] as const)
      expect(decideDispute([known(before)], told({ state, opens_none: true }))).toEqual({ kind: 'nothing' });
  },
);

test('the message ends the open dispute, and takes no money a second time', () => {
  expect(decideDispute([known('opened')], told({ state: 'lost', opens_none: true }))).toMatchObject({
    kind: 'move',
    event: 'dispute.lost',
    book: false,
    unbook: false,
  });
  expect(decideDispute([known('opened')], told({ opens_none: true, reason: '', reason_code: '' }))).toEqual({
    kind: 'nothing',
  });
  expect(decideDispute([known('opened')], told({ opens_none: true, reason: 'Not received' }))).toMatchObject({
    event: 'dispute.updated',
  });
});

test('without that, the same words take money: a dispute that is new, and one that comes after it was won', () => {
  expect(decideDispute([], told())).toMatchObject({ book: true });
  expect(decideDispute([known('won')], told({ state: 'lost' }))).toMatchObject({ round: 2, book: true });
});

test('an end that is told late, from before the dispute was opened again, gives no money back', () => {
  const again = { ...known('opened'), round: 2, told_at: '2026-03-05T10:00:00.000Z' };
  const first = { ...known('won'), told_at: '2026-03-02T10:00:00.000Z' };
  for (const state of ['won', 'lost'] as const) {
    expect(decideDispute([first, again], told({ state, at: '2026-03-03T10:00:00.000Z' }))).toEqual({ kind: 'nothing' });
    // in the same second it may be the end
    expect(decideDispute([first, again], told({ state, at: again.told_at }))).toMatchObject({ round: 2, state });
  }
});
