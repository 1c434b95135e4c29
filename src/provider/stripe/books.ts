// What Stripe shows of an intent: how it stands, and, once it is captured, its refunds. For what was done in the
// Dashboard. In our version of the API (2023-08-16) what is not captured is given back as a refund of its own, which no
// money moves by: docs.stripe.com/changelog/basil/2025-03-31.
import type { JsonObject, JsonValue } from '../../core/json.ts';
import { at, minorAt, objectOf, textAt } from '../answer.ts';
import type { PaymentBooks, Shown, ShownPart } from '../books.ts';
import { type Facts, type Kept, type Next, VALUE } from '../contract.ts';
import { oursOf } from './exponents.ts';
import { BY_ITSELF, intentOf } from './words.ts';

export const books: PaymentBooks = {
  first: (facts) => (VALUE.test(intentOf({ facts, kept: {} })) ? 'look' : undefined),
  read: (step, { status, body }, facts, kept) => {
    const said = status === 200 ? objectOf(body) : undefined;
    if (said === undefined) return undefined;
    return step === 'look' ? readIntent(said, { facts, kept }) : readRefunds(said, { facts, kept });
  },
};

type Own = { readonly facts: Facts; readonly kept: Kept };

function readIntent(said: JsonObject, own: Own): Shown | Next | undefined {
  const is_ours = textAt(said, 'object') === 'payment_intent' && textAt(said, 'id') === intentOf(own);
  if (!is_ours || textAt(said, 'currency').toUpperCase() !== own.facts.currency) return undefined;
  switch (textAt(said, 'status')) {
    case 'requires_capture':
      return { kind: 'shown', hold: 'held', parts: [] };
    case 'canceled': {
      const hold = BY_ITSELF.has(textAt(said, 'cancellation_reason')) ? 'lapsed' : 'gone';
      return { kind: 'shown', hold, parts: [] };
    }
    case 'succeeded': {
      const [amount, received] = [minorAt(said, 'amount'), minorAt(said, 'amount_received')];
      if (amount === undefined || received === undefined) return undefined;
      return { kind: 'next', step: 'refunds', keep: { amount: String(amount), received: String(received) } };
    }
    default:
      return undefined;
  }
}

/** The newest come first. */
function readRefunds(said: JsonObject, { facts, kept }: Own): Shown | undefined {
  const list = at(said, 'data');
  if (textAt(said, 'object') !== 'list' || !Array.isArray(list) || at(said, 'has_more') !== false) return undefined;
  const { currency } = facts;
  const [amount, received] = [BigInt(kept['amount'] ?? '0'), BigInt(kept['received'] ?? '0')];
  const [intent, taken] = [intentOf({ facts, kept }), oursOf(received, currency)];
  const uncaptured = list.findLastIndex((one) => nameOf(one) === null && minorAt(one, 'amount') === amount - received);
  const refunds = list.filter((_, index) => index !== uncaptured).map((one) => refundOf(one, { currency, of: intent }));
  if (taken === undefined || refunds.includes(undefined)) return undefined;
  const capture = {
    kind: 'capture',
    reference: intent,
    ours: null,
    amount_minor: taken,
    state: 'done',
    of: null,
  } as const;
  return { kind: 'shown', hold: 'gone', parts: [capture, ...refunds.filter((one) => one !== undefined)] };
}

const nameOf = (said: JsonValue): string | null => textAt(said, 'metadata', 'operation_id') || null;

const STATES: ReadonlyMap<string, ShownPart['state']> = new Map([
  ['pending', 'open'],
  ['requires_action', 'open'],
  ['succeeded', 'done'],
  ['failed', 'failed'],
  ['canceled', 'failed'],
]);

function refundOf(said: JsonValue, { currency, of }: { currency: string; of: string }): ShownPart | undefined {
  const [reference, state] = [textAt(said, 'id'), STATES.get(textAt(said, 'status'))];
  const amount_minor = oursOf(minorAt(said, 'amount'), currency);
  const is_refund = textAt(said, 'object') === 'refund' && VALUE.test(reference);
  if (!is_refund || state === undefined || amount_minor === undefined) return undefined;
  if (textAt(said, 'currency').toUpperCase() !== currency) return undefined;
  return { kind: 'refund', reference, ours: nameOf(said), amount_minor, state, of };
}
