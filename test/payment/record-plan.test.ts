// What is to be done with an observation: one of six plans, and for each of them what brings it about. A plan that no
// row here brings about is an error of types.
import { expect, test } from 'vitest';
import type { ResultName } from '../../src/core/results.ts';
import type { Contract } from '../../src/payment/merchant/account.ts';
import type { Seen } from '../../src/payment/order/decide/decision.ts';
import type { OrderFacts } from '../../src/payment/order/facts/order-facts.ts';
import { type Learnt, type Plan, planRecord } from '../../src/payment/order/engine/record-plan.ts';
import { AUTHORIZE, freshOrder } from './decide/facts.ts';

const MEANS = {
  follow_id: 'follow',
  may_authenticate: true,
  captures_itself: false,
  day: '2026-11-23',
  later: { now: new Date('2026-11-20T12:00:00Z'), zone: () => 'UTC' },
};
const SENT = freshOrder({ amount_minor: 4250n, currency: 'EUR', with_capture: false });
const WITH_PAYER: OrderFacts = { ...SENT, body: { payment_channel: 'e-commerce' } };
const MOTO: OrderFacts = { ...SENT, body: { payment_channel: 'moto' } };
const APPROVED: Seen = {
  kind: 'approved',
  reference: 'p1',
  our_reference: AUTHORIZE,
  amount_minor: 4250n,
  currency: 'EUR',
  authorization_code: '123456',
  captured: false,
  provider_code: '00',
  provider_text: 'card 4111111111111111 is fine',
  network_reference: 'scheme-1',
};
const refused = (name: ResultName): Seen => ({
  kind: 'declined',
  result: name,
  reference: 'p1',
  provider_code: '05',
  provider_text: '',
});
const UNREACHED: Seen = { kind: 'not_sent', result: 'provider_unreachable' };
const NEXT: Contract = {
  id: 'next',
  name: 'the next one',
  provider: 'simulator_b',
  methods: [],
  currencies: [],
  channels: [],
  countries: [],
  operations: [],
  token_types: [],
};

function planned(order: OrderFacts, outcome: Seen, more: Partial<Learnt> = {}): Plan {
  const [operation] = order.operations;
  if (!operation) throw new Error('the order has an operation');
  return planRecord(order, { operation, observation: { source: 'answer', outcome }, ...more }, MEANS);
}

const ended = (order: OrderFacts, state: 'successful' | 'declined'): OrderFacts => ({
  ...order,
  operations: order.operations.map((operation) => ({ ...operation, state })),
});

/** An order whose end is spoken against already. */
const contradicted = (order: OrderFacts): OrderFacts => ({
  ...order,
  contradictions: [
    {
      id: 'k',
      operation_id: AUTHORIZE,
      held: 'successful',
      said: 'declined',
      provider_ref: 'p1',
      opened_at: SENT.created_at,
    },
  ],
});

/** One plan of each kind, and what brings it about. */
const EACH: { readonly [K in Plan['kind']]: () => Plan } = {
  nothing: () => planned(ended(SENT, 'declined'), { kind: 'cancel_wanted' }),
  note: () => planned(SENT, { kind: 'pending', reference: 'p1' }),
  contradict: () => planned(ended(SENT, 'successful'), refused('card_expired')),
  settle: () => planned(SENT, APPROVED),
  to_payer: () =>
    planned(SENT, {
      kind: 'payer_must_act',
      reference: 'p1',
      go: { method: 'GET', url: 'https://provider.example/3ds' },
      resume: 'look',
      takes: [],
      finishes: 'there',
    }),
  ask_payer: () => planned(WITH_PAYER, refused('issuer_soft_decline')),
  cascade: () => planned(SENT, UNREACHED, { fallback: NEXT }),
};

test.each(Object.entries(EACH))('a plan of each kind has what brings it about: %s', (kind, plan) => {
  expect(plan().kind).toBe(kind);
  expect(plan().operation.id).toBe(AUTHORIZE);
});

test('a settlement writes what was observed: masked texts, the id of what follows, the scheme’s reference', () => {
  const sale = freshOrder({ amount_minor: 4250n, currency: 'EUR', with_capture: true });
  const subscribed: OrderFacts = { ...sale, body: { subscription_id: 'subscription' } };
  const plan = planned(subscribed, { ...APPROVED, captured: true });
  if (plan.kind !== 'settle') throw new Error(`the plan is ${plan.kind}`);
  expect(plan.facts).toMatchObject({ follow_id: 'follow', outcome: 'approved', authorization_code: '123456' });
  expect(plan.facts.provider_text).toBe('card ################ is fine');
  expect(plan.network_reference).toEqual({ subscription_id: 'subscription', reference: 'scheme-1' });
  const alone = planned(sale, { ...APPROVED, captured: true });
  expect(alone.kind === 'settle' && alone.network_reference).toBeUndefined();
});

test('while a contradiction is open, its own news is evidence and nothing more', () => {
  const open = contradicted(ended(SENT, 'successful'));
  expect(planned(open, refused('card_expired'))).toMatchObject({ kind: 'note', state: 'successful' });
  const other = { ...open, contradictions: open.contradictions.map((one) => ({ ...one, operation_id: 'another' })) };
  expect(planned(other, refused('card_expired')).kind).toBe('contradict');
});

test('the payer is asked before another provider is, and where nobody is there the attempt ends', () => {
  const fallback = NEXT;
  const soft = refused('issuer_soft_decline');
  expect(planned(WITH_PAYER, soft, { fallback }).kind).toBe('ask_payer');
  expect(planned(MOTO, soft, { fallback }).kind).toBe('settle');
  const [operation] = WITH_PAYER.operations;
  if (!operation) throw new Error('the order has an operation');
  const learnt: Learnt = { operation, observation: { source: 'answer', outcome: soft } };
  expect(planRecord(WITH_PAYER, learnt, { ...MEANS, may_authenticate: false }).kind).toBe('settle');
});

test('another provider is tried for trouble of the provider alone, and never after a cancel', () => {
  const fallback = NEXT;
  expect(planned(SENT, refused('card_expired'), { fallback }).kind).toBe('settle');
  expect(planned(SENT, UNREACHED).kind).toBe('settle');
  const acquirer = refused('acquirer_declined');
  expect(planned(SENT, acquirer, { fallback }).kind).toBe('cascade');
  expect(planned({ ...SENT, cancel_pending: true }, acquirer, { fallback }).kind).toBe('settle');
  const advised = Object.assign({}, acquirer, { retry: 'never' as const });
  expect(planned(SENT, advised, { fallback }).kind).toBe('settle');
});

test('an operation of another order is an error, not a plan', () => {
  const [operation] = SENT.operations;
  if (!operation) throw new Error('the order has an operation');
  const learnt: Learnt = { operation: { ...operation, id: 'x' }, observation: { source: 'answer', outcome: APPROVED } };
  expect(() => planRecord(SENT, learnt, MEANS)).toThrow('has no operation x');
});
