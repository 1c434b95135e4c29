// What florin review says to run.
import { expect, test } from 'vitest';
import { undecidedText } from '../../src/commands/ledger/review.ts';
import type { Undecided } from '../../src/payment/order/review/list.ts';

const row = (kind: string): Undecided => ({
  id: 'a'.repeat(24),
  order_id: 'b'.repeat(24),
  merchant_account_id: 'c'.repeat(24),
  transaction_id: 'd'.repeat(24),
  provider: 'simulator',
  kind,
  state: 'review',
  amount_minor: 100n,
  currency: 'EUR',
  age_s: 1,
  next_s: 1,
  tries: 1,
  held: null,
  said: null,
  sights: [],
  archives: [],
});

test.each(['authorize', 'capture'])('the line that settles a %s has the reference that it may need', (kind) => {
  const text = undecidedText([row('refund'), row(kind)]);
  expect(text).toContain('--as done|not-done --reason TEXT --by NAME [--reference PROVIDER_ID]\n');
});

test('the line that settles a refund has none', () => {
  expect(undecidedText([row('refund')])).toMatch(/--by NAME\n\nA large amount/);
});
