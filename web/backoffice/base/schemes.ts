import { methodText } from './format.ts';

const SCHEMES = ['visa', 'mastercard', 'amex', 'diners', 'discover', 'jcb', 'unionpay', 'cb', 'maestro', 'bancontact'];

/** The card schemes, as choices of a list. */
export const SCHEME_OPTIONS = SCHEMES.map((value) => ({ value, label: methodText(value) }));
