// The inputs that decide an answer of the simulated Adyen: the holder's name, as in Adyen's own test environment
// (docs.adyen.com/development-resources/testing/result-codes), the card's number, or the last three digits of the
// amount.
export type Cause = {
  readonly result: 'Authorised' | 'Refused' | 'Error' | 'Received' | 'Cancelled' | 'PartiallyAuthorised';
  /** `refusalReasonCode`; empty for an approval. */
  readonly code: string;
  readonly reason: string;
  /** The issuer's own words. */
  readonly raw: string;
  /** `merchantAdviceCode` of a card scheme. */
  readonly advice?: string;
  /** The modification of this kind is done, and fails days later. */
  readonly fails?: 'capture' | 'refund';
};

type Row = readonly [holder: string, code: string, reason: string, result?: Cause['result']];

const HOLDERS: readonly Row[] = [
  ['UNKNOWN', '0', 'Unknown', 'Error'],
  ['DECLINED', '2', 'Refused'],
  ['REFERRAL', '3', 'Referral'],
  ['ERROR', '4', 'Acquirer Error', 'Error'],
  ['BLOCK_CARD', '5', 'Blocked Card'],
  ['CARD_EXPIRED', '6', 'Expired Card'],
  ['INVALID_AMOUNT', '7', 'Invalid Amount'],
  ['INVALID_CARD', '8', 'Invalid Card Number'],
  ['ISSUER_UNAVAILABLE', '9', 'Issuer Unavailable'],
  ['NOT_SUPPORTED', '10', 'Not supported'],
  ['NOT_3D_AUTHENTICATED', '11', '3D Not Authenticated'],
  ['NOT_ENOUGH_BALANCE', '12', 'Not enough balance'],
  ['PENDING', '', '', 'Received'],
  ['ACQUIRER_FRAUD', '14', 'Acquirer Fraud'],
  ['CANCELLED', '15', 'Cancelled'],
  ['SHOPPER_CANCELLED', '16', 'Shopper Cancelled'],
  ['INVALID_PIN', '17', 'Invalid Pin'],
  ['PIN_TRIES_EXCEEDED', '18', 'Pin tries exceeded'],
  ['PIN_VALIDATION_NOT_POSSIBLE', '19', 'Pin validation not possible'],
  ['FRAUD', '20', 'FRAUD'],
  ['NOT_SUBMITTED', '21', 'Not Submitted'],
  ['FRAUD_CANCELLED', '22', 'FRAUD-CANCELLED'],
  ['TRANSACTION_NOT_PERMITTED', '23', 'Transaction Not Permitted'],
  ['CVC_DECLINED', '24', 'CVC Declined'],
  ['RESTRICTED_CARD', '25', 'Restricted Card'],
  ['REVOCATION_OF_AUTH', '26', 'Revocation Of Auth'],
  ['DECLINED_NON_GENERIC', '27', 'Declined Non Generic'],
  ['WITHDRAWAL_AMOUNT_EXCEEDED', '28', 'Withdrawal amount exceeded'],
  ['WITHDRAWAL_COUNT_EXCEEDED', '29', 'Withdrawal count exceeded'],
  ['PARTIALLY_APPROVED', '', '', 'PartiallyAuthorised'],
  ['ISSUER_SUSPECTED_FRAUD', '31', 'Issuer Suspected Fraud'],
  ['AVS_DECLINED', '32', 'AVS Declined'],
  ['PIN_REQUIRED', '33', 'Card requires online pin'],
  ['NO_CHECKING_ACCOUNT', '34', 'No checking account available on Card'],
  ['NO_SAVINGS_ACCOUNT', '35', 'No savings account available on Card'],
  ['MOBILE_PIN_REQUIRED', '36', 'Mobile pin required'],
  ['CONTACTLESS_FALLBACK', '37', 'Contactless fallback'],
  ['AUTHENTICATION_REQUIRED', '38', 'Authentication required'],
  ['RREQ_NOT_RECEIVED', '39', 'RReq not received from DS'],
  ['BANK_UNAVAILABLE', '40', 'Current AID is in Penalty Box'],
  ['CVM_REQUIRED', '41', 'CVM Required Restart Payment'],
  ['AUTHENTICATION_FAILED', '42', '3DS Authentication Error'],
  ['PIN_OFFLINE', '43', 'Online PIN required'],
  ['TRY_ANOTHER_INTERFACE', '44', 'Try another interface'],
  ['CHIP_DOWNGRADE', '45', 'Chip downgrade mode'],
  ['SCHEME_BLOCK', '46', 'Transaction blocked by Adyen to prevent excessive retry fees'],
  ['SCHEME_ADVICE', '50', 'Do not retry'],
];

export const APPROVED: Cause = { result: 'Authorised', code: '', reason: '', raw: 'AUTHORISED' };
const FAILS: Readonly<Record<string, 'capture' | 'refund'>> = {
  'capture failed': 'capture',
  'refund failed': 'refund',
};

const refused = (code: string, reason: string) => ({ result: 'Refused', code, reason, raw: reason }) as const;

const BY_HOLDER: ReadonlyMap<string, Cause> = new Map<string, Cause>([
  ...HOLDERS.map(
    ([holder, code, reason, result = 'Refused']) => [holder, { ...refused(code, reason), result }] as const,
  ),
  // not Adyen's: a code that Adyen does not list, and a scheme's advice never to try this card again
  ['CODE_OF_TOMORROW', refused('777', 'A reason of tomorrow')],
  ['ADVICE_NEVER', { ...refused('4', 'Acquirer Error'), advice: '03' }],
]);

/** Not Adyen's: the last three digits of the amount choose an answer for a merchant whose form asks for no holder. */
const BY_AMOUNT: ReadonlyMap<number, string> = new Map([
  [123, 'NOT_ENOUGH_BALANCE'],
  [124, 'BLOCK_CARD'],
  [125, 'CARD_EXPIRED'],
  [126, 'ISSUER_UNAVAILABLE'],
  [127, 'AUTHENTICATION_REQUIRED'],
]);

const BY_NUMBER: ReadonlyMap<string, string> = new Map([['4444333322221111', 'DECLINED']]);

/**
 * How the payer's bank authenticates: on its own page (reached by an address or by a form), or without asking the
 * payer.
 */
const BANKS: ReadonlyMap<string, 'GET' | 'POST' | 'unseen'> = new Map([
  ['4212345678910006', 'GET'],
  ['4917610000000000', 'GET'],
  ['5000550000000029', 'POST'],
  ['5201281505129736', 'unseen'],
]);

export const bankOf = (number: string): 'GET' | 'POST' | 'unseen' | undefined => BANKS.get(number);

/** `HOLDER : RAW` also sets the issuer's own words. */
export function causeOf(asked: { readonly number: string; readonly holder: string; readonly value: number }): Cause {
  const [holder = '', ...raw] = asked.holder.split(' : ');
  const fails = FAILS[holder];
  if (fails !== undefined) return { ...APPROVED, fails };
  const named = BY_HOLDER.has(holder) ? holder : (BY_NUMBER.get(asked.number) ?? BY_AMOUNT.get(asked.value % 1000));
  const cause = named === undefined ? APPROVED : (BY_HOLDER.get(named) ?? APPROVED);
  return raw.length > 0 ? { ...cause, raw: raw.join(' : ') } : cause;
}

/** Shown on the page of the books. */
export const KNOWN_CARDS: readonly (readonly [string, string])[] = [
  ['4111111111111111', 'approved'],
  ['4444333322221111', 'refused'],
  ['4212345678910006', "the bank's page, by an address"],
  ['5000550000000029', "the bank's page, by a form"],
  ['5201281505129736', 'authenticated without a page'],
];

/** The brand, as Adyen names it. */
export function brandOf(number: string): string {
  if (number.startsWith('4')) return 'visa';
  if (/^(?:5[1-5]|2[2-7])/.test(number)) return 'mc';
  if (/^3[47]/.test(number)) return 'amex';
  return /^(?:50|5[6-9]|6)/.test(number) ? 'maestro' : 'card';
}

export function passesLuhn(number: string): boolean {
  const sum = [...number].toReversed().reduce((total, digit, index) => {
    const value = (digit.charCodeAt(0) - 48) * (index % 2 === 1 ? 2 : 1);
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return /^\d{12,19}$/.test(number) && sum % 10 === 0;
}
