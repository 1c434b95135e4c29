// A refund as Stripe shows it, in answers and in messages. Of a reversal it is the second step, which gives all back.
import type { JsonValue } from '../../core/json.ts';
import { UNREADABLE, minorAt, textAt } from '../answer.ts';
import { type Outcome, VALUE } from '../contract.ts';
import { oursOf } from './exponents.ts';
import { type Asked, declinedFor } from './words.ts';

export function refundSays(said: JsonValue, asked: Asked): Outcome {
  const [reference, status] = [textAt(said, 'id'), textAt(said, 'status')];
  const name = textAt(said, 'metadata', 'operation_id');
  const is_nameless = name === '' && asked.nameless === true;
  const our_reference = is_nameless ? asked.operation_id : name;
  if (textAt(said, 'object') !== 'refund' || !VALUE.test(reference)) return UNREADABLE;
  if (our_reference === '' && !is_nameless) return UNREADABLE;
  const is_reversal = asked.kind === 'reversal';
  // its own reference is that of the reversal; what is undone has another one. That another refund waits or failed says
  // nothing of ours; an approval is shown as it is, and refused by the core
  if (our_reference !== asked.operation_id && (is_reversal || status !== 'succeeded')) return UNREADABLE;
  switch (status) {
    case 'pending':
    case 'requires_action':
      return { kind: 'pending', reference };
    case 'failed':
    case 'canceled':
      return declinedFor(asked.kind, said, reference);
    case 'succeeded': {
      if (is_reversal) return { kind: 'reversed', reference, our_reference: null };
      const currency = textAt(said, 'currency').toUpperCase();
      const amount_minor = oursOf(minorAt(said, 'amount'), currency);
      if (amount_minor === undefined) return UNREADABLE;
      return {
        kind: 'approved',
        reference,
        our_reference,
        amount_minor,
        currency,
        authorization_code: '',
        captured: false,
        provider_code: status,
        provider_text: '',
      };
    }
    default:
      return UNREADABLE;
  }
}
