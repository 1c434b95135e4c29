// Lines of a provider that names another operation than the one it did: the hold of a capture, the reversal that was a
// refund.
import { expect, test } from 'vitest';
import { compareLine, compareUnseen, keyOf } from '../../src/payment/ledger/reconcile/compare.ts';
import type { BookLine } from '../../src/payment/ledger/reconcile/line.ts';
import type { OwnOperation, OwnOrder } from '../../src/payment/ledger/reconcile/store.ts';

const hold = 'a'.repeat(24);
const merchant_account_id = '6'.repeat(24);
const one = (id: string, kind: OwnOperation['kind'], more: Partial<OwnOperation> = {}): OwnOperation => ({
  id: id.repeat(24),
  transaction_id: hold,
  target_id: null,
  provider: 'stripe',
  contract_id: null,
  kind,
  origin: 'merchant',
  state: 'successful',
  amount_minor: '1000',
  currency: 'EUR',
  with_capture: false,
  provider_ref: null,
  taken_back: false,
  quiet_s: 1000,
  age_s: 1000,
  ...more,
});
const orderOf = (...operations: readonly OwnOperation[]): OwnOrder => ({
  id: 'b'.repeat(24),
  winner_id: hold,
  authorized_minor: 1000n,
  released_minor: 0n,
  captured_minor: 1000n,
  operations: [one('a', 'authorize'), ...operations],
});
const line = (kind: BookLine['kind'], reference: string): BookLine => ({
  provider: 'stripe',
  kind,
  reference,
  merchant_account_id,
  order_id: 'b'.repeat(24),
  amount_minor: 1000n,
  currency: 'EUR',
  effects: 1,
  state: 'done',
  provider_ref: 'ch_1',
});
const kinds = (found: ReturnType<typeof compareLine>) => (typeof found === 'string' ? found : found.map((o) => o.kind));
const compared = (...operations: readonly OwnOperation[]) =>
  kinds(compareLine(line('capture', hold), orderOf(...operations), { in_flight: new Map() }));

test('a capture that is named by its hold is the only one that was not refused', () => {
  expect(compared(one('c', 'capture'))).toBe('agrees');
  expect(compared(one('c', 'capture', { amount_minor: '999' }))).toEqual(['amount']);
  expect(compared(one('c', 'capture', { state: 'declined' }), one('d', 'capture'))).toBe('agrees');
  expect(compared(one('c', 'capture'), one('d', 'capture'))).toEqual(['missing here']);
  expect(compared(one('c', 'capture', { transaction_id: 'f'.repeat(24) }))).toEqual(['missing here']);
  expect(compared()).toEqual(['missing here']);
});

test('a capture that was seen under its hold is not missing; one of two is', () => {
  const missed = (...captures: readonly OwnOperation[]) => {
    const order = orderOf(...captures);
    const keys = new Set([keyOf(line('capture', hold))]);
    const asked = { seen: (key: string) => keys.has(key), in_flight: new Map() };
    return compareUnseen({ order, operations: captures, merchant_account_id }, asked).length;
  };
  expect(missed(one('c', 'capture'))).toBe(0);
  expect(missed(one('c', 'capture'), one('d', 'capture'))).toBe(2);
});

test('a sale that is not done here, and was captured there, is told by the line of its authorization, or else by that of its capture', () => {
  const sale = (state: string, ...more: readonly OwnOperation[]) => {
    const order = { ...orderOf(), operations: [one('a', 'authorize', { state, with_capture: true }), ...more] };
    const told = (lists_authorizations: boolean) =>
      kinds(compareLine(line('capture', hold), order, { in_flight: new Map(), lists_authorizations }));
    return [told(true), told(false)];
  };
  for (const state of ['declined', 'not_sent', 'in_doubt', 'review'])
    expect(sale(state)).toEqual(['agrees', ['state']]);
  // what is undone by giving it back was captured before
  const reversal = one('e', 'reversal', { target_id: hold });
  expect(sale('declined', reversal)).toEqual(['agrees', 'agrees']);
  expect(sale('reversing')).toEqual(['agrees', 'agrees']);
  expect(sale('successful')).toEqual([['missing here'], ['missing here']]);
});

test('a refund that names a reversal is spoken for, and tells of one that is open', () => {
  const reversal = (state: string) => {
    const order = orderOf(one('e', 'reversal', { state, target_id: hold }));
    return kinds(compareLine(line('refund', 'e'.repeat(24)), order, { in_flight: new Map() }));
  };
  expect(reversal('successful')).toBe('agrees');
  expect(reversal('requested')).toEqual(['state']);
});

test('a reversal of which the money came back is told, under its own reference or that of what it reverses; one that another followed is not', () => {
  const came = (
    kind: 'refund' | 'reversal',
    provider_ref: string | null,
    state = 'successful',
    ...behind: readonly OwnOperation[]
  ) => {
    const order = orderOf(one('e', 'reversal', { state, target_id: hold, provider_ref }), ...behind);
    const back = {
      ...line(kind, kind === 'refund' ? 'e'.repeat(24) : hold),
      state: 'undone',
      provider_ref: 're_1',
    } as const;
    const found = compareLine(back, order, { in_flight: new Map() });
    return typeof found === 'string' ? found : found.map((o) => [o.kind, o.ours, o.theirs, o.tells]);
  };
  for (const kind of ['refund', 'reversal'] as const) {
    expect(came(kind, 're_1')).toEqual([['state', 'successful', 'undone', 'corrected']]);
    expect(came(kind, null)).toEqual([['state', 'successful', 'undone', undefined]]);
    expect(came(kind, 're_2')).toBe('agrees');
    expect(came(kind, 're_1', 'requested')).toBe('agrees');
    // it was undone once more
    expect(came(kind, 're_1', 'successful', one('f', 'reversal', { target_id: hold, provider_ref: 're_2' }))).toBe(
      'agrees',
    );
  }
});

test('a list without an open operation proves something only about authorizations, and only if the list is complete', () => {
  const tells = (kind: OwnOperation['kind'], is_whole: boolean) => {
    const operation = one('c', kind, { state: 'in_doubt' });
    const asked = { seen: () => false, in_flight: new Map(), proves: () => is_whole };
    const found = compareUnseen({ order: orderOf(operation), operations: [operation], merchant_account_id }, asked);
    return found.map((difference) => difference !== 'young' && difference.tells);
  };
  expect(tells('authorize', true)).toEqual(['not_found']);
  expect(tells('authorize', false)).toEqual([undefined]);
  for (const kind of ['capture', 'refund', 'cancel'] as const) expect(tells(kind, true)).toEqual([undefined]);
});

test('a refund that was given back is no refund, and what was done before a correction was true then', () => {
  const refund = (state: string, taken_back = false) =>
    one('c', 'refund', { state, taken_back, provider_ref: 're_1', target_id: hold });
  const told = (operation: OwnOperation, state: BookLine['state'], is_live?: true) => {
    const said = { ...line('refund', operation.id), state, provider_ref: 're_1' };
    const found = compareLine(said, orderOf(operation), { in_flight: new Map(), is_live });
    return typeof found === 'string' ? found : found.map((difference) => difference.tells);
  };
  expect(told(refund('successful'), 'done')).toBe('agrees');
  expect(told(refund('successful'), 'undone')).toEqual(['corrected']);
  expect(told(refund('in_doubt'), 'undone')).toEqual(['corrected']);
  expect(told(refund('declined', true), 'undone')).toBe('agrees');
  expect(told(refund('declined', true), 'done')).toBe('agrees');
  expect(told(refund('declined', true), 'done', true)).toEqual(['approved']);
  expect(told(refund('declined'), 'done')).toEqual(['approved']);
});
