import { methodText } from './format.ts';

const SCHEMES = ['visa', 'mastercard', 'amex', 'diners', 'discover', 'jcb', 'unionpay', 'cb', 'maestro', 'bancontact'];

/** What a card may be, for a list to choose from. */
export const SCHEME_OPTIONS = SCHEMES.map((value) => ({ value, label: methodText(value) }));
