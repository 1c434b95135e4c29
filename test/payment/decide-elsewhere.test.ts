// What a provider's books show and ours do not: what is booked of it, and what fits nowhere.
import { describe, expect, test } from 'vitest';
import type { Shown, ShownPart } from '../../src/provider/books.ts';
import { compareLine, compareUnseen } from '../../src/payment/ledger/reconcile/compare.ts';
import type { BookLine } from '../../src/payment/ledger/reconcile/line.ts';
import { type Made, adopting, madeElsewhere } from '../../src/payment/order/decide/elsewhere.ts';
import type { OperationFacts, OrderFacts } from '../../src/payment/order/facts/order-facts.ts';
import { newOperation } from '../../src/payment/order/facts/operation-columns.ts';
import { AUTHORIZE, freshOrder } from './decide/facts.ts';

const DONE = { transaction_id: AUTHORIZE, state: 'successful', created_at: '2026-01-01T00:00:00.000Z' } as const;

function orderWith(captured_minor: bigint, more: Partial<OrderFacts> = {}): OrderFacts {
  const fresh = freshOrder({ amount_minor: 2500n, currency: 'EUR', with_capture: false });
  const authorize = { ...fresh.operations[0], state: 'successful', provider_ref: 'pi_1' } as OperationFacts;
  const capture = newOperation({
    ...DONE,
    id: 'capture',
    kind: 'capture',
    amount_minor: captured_minor,
    provider_ref: 'c1',
  });
  return {
    ...fresh,
    winner_id: AUTHORIZE,
    authorized_minor: 2500n,
    captured_minor,
    operations: captured_minor === 0n ? [authorize] : [authorize, capture],
    ...more,
  };
}

const part = (given: Partial<ShownPart>): ShownPart => ({
  kind: 'capture',
  reference: 'c2',
  ours: null,
  amount_minor: 1000n,
  state: 'done',
  of: null,
  ...given,
});
const kindOf = ({ kind }: Made) => kind;
const shown = (hold: Shown['hold'], ...parts: readonly ShownPart[]): Shown => ({ kind: 'shown', hold, parts });

describe('what is not known here', () => {
  test('what is ours by our id or by theirs is known, and what is open or failed there is nothing yet', () => {
    const order = orderWith(1000n);
    const open = part({ reference: 'c3', state: 'open' });
    const failed = part({ reference: 'c4', state: 'failed' });
    const ours = part({ reference: 'c5', ours: 'capture' });
    expect(madeElsewhere(order, shown('held', part({ reference: 'c1' }), open, failed, ours))).toEqual([]);
  });

  test('captures first, then the release of what is left, then refunds', () => {
    const refund = part({ kind: 'refund', reference: 'r1', amount_minor: 500n, of: 'c2' });
    expect(madeElsewhere(orderWith(0n), shown('gone', refund, part({}))).map(({ kind }) => kind)).toEqual([
      'capture',
      'release',
      'refund',
    ]);
    expect(madeElsewhere(orderWith(0n), shown('held', part({}))).map(({ kind }) => kind)).toEqual(['capture']);
  });

  test('no release while a capture that was made there is still open there; one of ours is not in its way', () => {
    const open = part({ state: 'open' });
    expect(madeElsewhere(orderWith(0n), shown('gone', open))).toEqual([]);
    expect(madeElsewhere(orderWith(0n), shown('gone', open, part({ reference: 'c3' }))).map(kindOf)).toEqual([
      'capture',
    ]);
    expect(madeElsewhere(orderWith(1000n), shown('gone', { ...open, reference: 'c1' })).map(kindOf)).toEqual([
      'release',
    ]);
    const refund = part({ kind: 'refund', reference: 'r1', state: 'open' });
    expect(madeElsewhere(orderWith(1000n), shown('gone', refund)).map(kindOf)).toEqual(['release']);
  });

  test('nothing, while the authorization does not stand', () => {
    expect(madeElsewhere(orderWith(0n, { winner_id: null }), shown('gone'))).toEqual([]);
  });

  test('a capture without a name may be one of ours that was given up: its own news tells', () => {
    const order = orderWith(0n);
    const given_up = newOperation({ ...DONE, id: 'ours', kind: 'capture', state: 'declined', amount_minor: 2500n });
    const with_it = (provider_code: string | null) => ({
      ...order,
      operations: [...order.operations, { ...given_up, provider_code }],
    });
    const all = shown('gone', part({ reference: 'pi_1', amount_minor: 2500n }));
    expect(madeElsewhere(with_it(null), all)).toEqual([]);
    expect(madeElsewhere(with_it('refused'), all)).toHaveLength(1);
  });
});

describe('what fits', () => {
  test.each([
    [2500n, true],
    [2501n, false],
  ])('a capture of %s of 2500 that are held: %s', (amount_minor, fits) => {
    expect(adopting(orderWith(0n), { kind: 'capture', amount_minor, reference: 'c2' }) !== undefined).toBe(fits);
  });

  const disputed = { operation_id: 'capture', state: 'opened', amount_minor: 600n } as OrderFacts['disputes'][number];
  test.each([
    [1000n, [], true],
    [1001n, [], false],
    [400n, [disputed], true],
    [401n, [disputed], false],
    [1000n, [{ ...disputed, state: 'won' } as const], true],
  ])('a refund of %s of 1000 that are captured', (amount_minor, disputes, fits) => {
    const made = { kind: 'refund', amount_minor, reference: 'r1', of: 'c1' } as const;
    expect(adopting(orderWith(1000n, { disputes }), made) !== undefined).toBe(fits);
  });
});

test('a reconciliation knows what was made there by the provider’s own id, and does not miss it', () => {
  const of = { transaction_id: AUTHORIZE, provider: 'paypal', contract_id: null, currency: 'EUR', with_capture: false };
  const done = { ...of, state: 'successful', taken_back: false, quiet_s: 1e6, age_s: 1e6 };
  const id = (digit: string) => digit.repeat(24);
  const authorize = { ...done, id: id('a'), target_id: null, kind: 'authorize', origin: 'merchant' } as const;
  const refund = { ...done, id: id('c'), target_id: id('b'), kind: 'refund', origin: 'provider' } as const;
  const operations = [
    { ...authorize, amount_minor: '2500', provider_ref: 'A1' },
    { ...refund, amount_minor: '1000', provider_ref: 'R1' },
  ];
  const money = { authorized_minor: 2500n, released_minor: 0n, captured_minor: 2500n };
  const order = { id: id('d'), winner_id: id('a'), ...money, operations };
  const line: BookLine = {
    provider: 'paypal',
    kind: 'refund',
    state: 'done',
    currency: 'EUR',
    effects: 1,
    reference: id('a'),
    merchant_account_id: id('e'),
    order_id: id('d'),
    amount_minor: 1000n,
    provider_ref: 'R1',
  };
  const in_flight = new Map();
  expect(compareLine(line, order, { in_flight })).toBe('agrees');
  expect(compareLine({ ...line, amount_minor: 999n }, order, { in_flight })).toMatchObject([{ kind: 'amount' }]);
  expect(compareLine({ ...line, provider_ref: 'R2' }, order, { in_flight })).toMatchObject([{ kind: 'missing here' }]);
  const made = { order, operations: operations.slice(1), merchant_account_id: id('e') };
  expect(compareUnseen(made, { seen: () => false, in_flight })).toEqual([]);
});
