// The bodies that go to PayPal, with slots for the card.
import type { Facts, Template } from '../contract.ts';
import { jsonTemplate } from '../template.ts';
import { moneyOf } from './money.ts';
import { customOf } from './names.ts';
import { STEPS, type StepName } from './steps.ts';

type Members = Readonly<Record<string, unknown>>;
const MOST_TEXT = 127;

/** Undefined: an amount that PayPal does not know. */
export function bodyOf(step: StepName, facts: Facts): Template | undefined {
  const { operation_id } = facts;
  switch (step) {
    case 'shell':
      return ofAmount(facts, (amount) => ({
        intent: facts.with_capture ? 'CAPTURE' : 'AUTHORIZE',
        purchase_units: [
          {
            reference_id: operation_id,
            custom_id: customOf(facts, operation_id),
            ...descriptionOf(facts),
            amount,
          },
        ],
      }));
    case 'card':
      return jsonTemplate(STEPS.card.slots, { payment_source: { card: cardOf(facts) } });
    case 'authorize':
    case 'sell':
      return ['{}'];
    case 'capture':
      return ofAmount(facts, (amount) => ({ amount, final_capture: facts.final === true, invoice_id: operation_id }));
    case 'refund':
      return ofAmount(facts, (amount) => ({ amount, custom_id: customOf(facts, operation_id) }));
    case 'undo':
      // without an amount: all of it
      return [JSON.stringify({ custom_id: customOf(facts, operation_id) })];
    case 'void':
    case 'back':
    case 'look':
    case 'find':
    case 'authorization':
    case 'capture_by_id':
    case 'refund_by_id':
      return [];
  }
}

/** The merchant's own name of the order, as the payer sees it at PayPal. By characters, so that none is cut in two. */
function descriptionOf({ order_merchant_id }: Facts): Members {
  const text = [...order_merchant_id.toWellFormed()].slice(0, MOST_TEXT).join('').slice(0, MOST_TEXT).toWellFormed();
  return text === '' ? {} : { description: text };
}

function cardOf(facts: Facts): Members {
  const { payer } = facts;
  const stored = storedOf(facts);
  return {
    ...(stored && { stored_credential: stored }),
    // left out, PayPal asks for the payer where the law does
    ...(payer?.three_ds === 'force' && { attributes: { verification: { method: 'SCA_ALWAYS' } } }),
    ...(payer && { experience_context: { return_url: payer.return_url, cancel_url: payer.return_url } }),
  };
}

/** Who started the payment, if a card is saved for later payments. */
function storedOf({ payer, unseen_payer, evidence }: Facts): Members | undefined {
  const previous = evidence?.previous_reference;
  const by = previous === undefined ? {} : { previous_network_transaction_reference: { id: previous } };
  // what the merchant initiates is refused with a cvc, and by telephone the payer says one
  if (!payer && !unseen_payer) {
    const payment_type = previous === undefined ? 'UNSCHEDULED' : 'RECURRING';
    return { payment_initiator: 'MERCHANT', payment_type, usage: 'SUBSEQUENT', ...by };
  }
  if (evidence?.stored_card !== true) return undefined;
  const usage = previous === undefined ? 'FIRST' : 'SUBSEQUENT';
  return { payment_initiator: 'CUSTOMER', payment_type: 'UNSCHEDULED', usage, ...by };
}

function ofAmount(facts: Facts, members: (amount: Members) => Members): Template | undefined {
  const amount = moneyOf(facts);
  return amount && [JSON.stringify(members(amount))];
}
