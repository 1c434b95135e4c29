// The forms that go to Stripe, with holes where card data, tokens and secrets come in.
import type { Facts, Template } from '../contract.ts';
import { theirsOf } from './exponents.ts';
import type { StepName } from './steps.ts';

/** The brands a card can carry beside its own, as Stripe names them. Other cards have one brand, and no choice. */
const NETWORKS: ReadonlyMap<string, string> = new Map([
  ['cb', 'cartes_bancaires'],
  ['mastercard', 'mastercard'],
  ['visa', 'visa'],
]);
const CARD = 'payment_method_options[card]';
const MOST_METADATA = 500;

/** The ids that earlier steps made; empty if there are none. */
type Made = { readonly intent: string; readonly payment_method: string };

/** Undefined: an amount that Stripe does not know. */
export function bodyOf(step: StepName, facts: Facts, { intent, payment_method }: Made): Template | undefined {
  switch (step) {
    case 'shell':
      return ofAmount(facts, (amount) => ({
        amount,
        currency: facts.currency.toLowerCase(),
        capture_method: facts.with_capture ? 'automatic' : 'manual',
        'payment_method_types[]': 'card',
        ...ours(facts),
        'metadata[merchant_order]': cut(facts.order_merchant_id),
      }));
    case 'card':
      return [
        'type=card&card[number]=',
        { slot: 'card.number' },
        '&card[exp_month]=',
        { slot: 'card.expiry_month' },
        '&card[exp_year]=',
        { slot: 'card.expiry_year' },
        '&card[cvc]=',
        { slot: 'card.cvc?' },
        '&billing_details[name]=',
        { slot: 'card.holder?' },
      ];
    case 'token':
      return ['payment_method=', { slot: 'psp.token' }, '&customer=', { slot: 'psp.customer?' }];
    case 'confirm':
      return form(confirmation(facts, payment_method));
    case 'capture':
      return ofAmount(facts, (amount) => ({ amount_to_capture: amount }));
    case 'refund': {
      const { refund_reason: reason } = facts;
      const why = reason === undefined || reason === 'other' ? {} : { reason };
      return ofAmount(facts, (amount) => ({ payment_intent: intent, amount, ...why, ...ours(facts) }));
    }
    case 'undo':
      return form({ payment_intent: intent, ...ours(facts) });
    case 'cancel':
    case 'look':
    case 'refund_by_id':
    case 'refunds':
      return [];
  }
}

function confirmation(facts: Facts, payment_method: string): Readonly<Record<string, string>> {
  const { payer, unseen_payer, evidence, scheme } = facts;
  const alone = unseen_payer === 'moto' ? { [`${CARD}[moto]`]: 'true' } : { off_session: 'true' };
  const network = facts.psp_token === true ? undefined : NETWORKS.get(scheme ?? '');
  const is_first = evidence?.stored_card === true && evidence.previous_reference === undefined;
  return {
    ...(payment_method !== '' && { payment_method }),
    ...(payer === undefined ? alone : { return_url: payer.return_url }),
    ...(payer !== undefined && is_first && facts.psp_token !== true && { setup_future_usage: 'off_session' }),
    ...(payer?.three_ds === 'force' && { [`${CARD}[request_three_d_secure]`]: 'any' }),
    ...(payer?.three_ds === 'ask' && { [`${CARD}[request_three_d_secure]`]: 'automatic' }),
    ...(network !== undefined && { [`${CARD}[network]`]: network }),
    'expand[]': 'latest_charge',
  };
}

/** Our metadata, which Stripe stores with an object and repeats in every answer about it. */
const ours = ({ order_id, operation_id, kind }: Facts) => ({
  'metadata[order_id]': order_id,
  'metadata[operation_id]': operation_id,
  'metadata[operation]': kind,
});

function ofAmount(facts: Facts, pairs: (amount: string) => Readonly<Record<string, string>>): Template | undefined {
  const amount = theirsOf(facts.amount_minor, facts.currency);
  return amount === undefined ? undefined : form(pairs(String(amount)));
}

const form = (pairs: Readonly<Record<string, string>>): Template => [formText(pairs)];

export const formText = (pairs: Readonly<Record<string, string>>): string =>
  Object.entries(pairs)
    .map(([key, value]) => `${key}=${encodeURIComponent(value.toWellFormed())}`)
    .join('&');

/** Cuts a text by characters, so that none is cut in two. */
const cut = (text: string): string => [...text].slice(0, MOST_METADATA).join('');
