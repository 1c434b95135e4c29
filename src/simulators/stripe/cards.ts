// Test cards as Stripe publishes them: https://docs.stripe.com/testing. Any other number that passes Luhn is approved.

/** How a payment with the card ends, unless the payer fails to authenticate. */
export type Behaviour = {
  /**
   * `required`: the bank asks for authentication, unless the card is set up. `supported`: only if the request asks for
   * it.
   */
  readonly three_ds: 'required' | 'supported' | 'not_supported' | 'failing';
  /** The bank declines with it, after the authentication if there is one. */
  readonly declined?: Decline;
  /** The card was authenticated when it was saved, so the merchant may charge it without the payer. */
  readonly set_up?: true;
  readonly refund?: 'pending_first' | 'fails_later';
  readonly dispute?: { readonly reason: string; readonly status: string };
  readonly brand: string;
  readonly networks?: readonly string[];
  readonly country: string;
  readonly funding: 'credit' | 'debit' | 'prepaid';
};
export type Decline = { readonly code: string; readonly decline_code?: string; readonly message: string };

const PLAIN = { three_ds: 'supported', country: 'US', funding: 'credit' } as const;

const MESSAGES: Readonly<Record<string, string>> = {
  expired_card: 'Your card has expired.',
  incorrect_cvc: "Your card's security code is incorrect.",
  insufficient_funds: 'Your card has insufficient funds.',
  processing_error: 'An error occurred while processing your card. Try again in a little bit.',
};
const MESSAGE = 'Your card was declined.';

/** Some reasons are codes themselves; the others have the code card_declined, with the reason beside it. */
export function declineBy(reason: string): Decline {
  const message = MESSAGES[reason] ?? MESSAGE;
  if (reason === 'authentication_required')
    return {
      code: reason,
      decline_code: reason,
      message: 'Your card was declined. This transaction requires authentication.',
    };
  if (reason === 'expired_card' || reason === 'incorrect_cvc' || reason === 'processing_error')
    return { code: reason, message };
  return { code: 'card_declined', decline_code: reason, message };
}

const declined = (reason: string, more: Partial<Behaviour> = {}) => ({ declined: declineBy(reason), ...more });
const CO_BADGED = { country: 'FR', networks: ['cartes_bancaires'] } as const;

const ROWS: Readonly<Record<string, Partial<Behaviour>>> = {
  '4242424242424242': {},
  '4000056655665556': { funding: 'debit' },
  '5555555555554444': {},
  '2223003122003222': {},
  '5200828282828210': { funding: 'debit' },
  '5105105105105100': { funding: 'prepaid' },
  '378282246310005': { three_ds: 'not_supported' },
  '371449635398431': { three_ds: 'not_supported' },
  '6011111111111117': {},
  '30569309025904': {},
  '36227206271667': {},
  '3566002020360505': { country: 'JP' },
  '3530111333300000': { country: 'JP' },
  '6200000000000005': { country: 'CN' },
  '6205500000000000004': { country: 'CN' },
  '4000002500001001': CO_BADGED,
  '5555552500001001': CO_BADGED,
  '4000000000000002': declined('generic_decline'),
  '4000000000009995': declined('insufficient_funds'),
  '4000000000009987': declined('lost_card'),
  '4000000000009979': declined('stolen_card'),
  '4000000000000069': declined('expired_card'),
  '4000000000000127': declined('incorrect_cvc'),
  '4000000000000119': declined('processing_error'),
  '4000000000006975': declined('card_velocity_exceeded'),
  '4000000000000341': declined('generic_decline'),
  '4100000000000019': declined('fraudulent'),
  '4000000000003220': { three_ds: 'required' },
  '4000002760003184': { three_ds: 'required', country: 'DE' },
  '4000002500003155': { three_ds: 'required', country: 'FR' },
  '4000003800000446': { three_ds: 'required', country: 'GB', set_up: true },
  '4000000000003055': {},
  '4000008400001629': declined('generic_decline', { three_ds: 'required' }),
  '4000008260003178': declined('insufficient_funds', { three_ds: 'required', country: 'GB' }),
  '4000008400001280': { three_ds: 'failing' },
  '4000000000007726': { refund: 'pending_first' },
  '4000000000005126': { refund: 'fails_later' },
  '4000000000000259': { dispute: { reason: 'fraudulent', status: 'needs_response' } },
  '4000000000002685': { dispute: { reason: 'product_not_received', status: 'needs_response' } },
  '4000000000001976': { dispute: { reason: 'general', status: 'warning_needs_response' } },
};

export const TEST_CARDS: readonly string[] = Object.keys(ROWS);

export function behaviourOf(number: string): Behaviour {
  const brand = brandOf(number);
  const row = ROWS[number];
  const networks = row?.networks === undefined ? {} : { networks: [...row.networks, brand] };
  return { ...PLAIN, brand, ...row, ...networks };
}

const BRANDS: readonly (readonly [RegExp, string])[] = [
  [/^4/, 'visa'],
  [/^(?:5[1-5]|2[2-7])/, 'mastercard'],
  [/^3[47]/, 'amex'],
  [/^3(?:0|6|8)/, 'diners'],
  [/^35/, 'jcb'],
  [/^6(?:011|4|5)/, 'discover'],
  [/^62/, 'unionpay'],
];
const brandOf = (number: string): string => BRANDS.find(([prefix]) => prefix.test(number))?.[1] ?? 'unknown';

/** ISO/IEC 7812-1, annex B. */
export function passesLuhn(number: string): boolean {
  const digits = number.split('').map(Number).toReversed();
  const sum = digits.reduce((total, digit, i) => total + (i % 2 === 0 ? digit : (digit * 2) % 9 || (digit && 9)), 0);
  return /^\d{12,19}$/.test(number) && sum % 10 === 0;
}

/** Stripe's names for test cards, in place of an id. */
export const NAMED: ReadonlyMap<string, string> = new Map([
  ['pm_card_visa', '4242424242424242'],
  ['pm_card_mastercard', '5555555555554444'],
  ['pm_card_chargeDeclined', '4000000000000002'],
  ['pm_card_chargeDeclinedInsufficientFunds', '4000000000009995'],
  ['pm_card_threeDSecure2Required', '4000000000003220'],
  ['pm_card_authenticationRequired', '4000002760003184'],
]);
