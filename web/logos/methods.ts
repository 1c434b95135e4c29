// What tells one payment method from the other in the drawings: its short mark and its two colours. The names come from
// core/card.ts. The palette is ours, none of it taken from a scheme: every hue once dark and once light, all darks equally
// dark and all lights equally light.
import { SCHEMES, SCHEME_NAMES, type Scheme } from '../../src/core/card.ts';

/** `mark` stands for the name where there is no room for it; white must be readable on `deep`, `deep` on `bright`. */
export type Method = {
  readonly display_name: string;
  readonly mark: string;
  readonly deep: string;
  readonly bright: string;
};

const LOOKS: Readonly<Record<Scheme, Omit<Method, 'display_name'>>> = {
  visa: { mark: 'V', deep: '#3e316d', bright: '#bcb2ff' },
  mastercard: { mark: 'Mc', deep: '#622344', bright: '#f4a0c8' },
  amex: { mark: 'AE', deep: '#004a56', bright: '#56d2df' },
  diners: { mark: 'DC', deep: '#334155', bright: '#b6c4d6' },
  discover: { mark: 'Di', deep: '#5b3300', bright: '#e7b369' },
  jcb: { mark: 'JCB', deep: '#414000', bright: '#c2c46e' },
  unionpay: { mark: 'UP', deep: '#1b4827', bright: '#89d298' },
  cb: { mark: 'CB', deep: '#02435f', bright: '#71c9fa' },
  maestro: { mark: 'Ma', deep: '#53295d', bright: '#dda7ea' },
  bancontact: { mark: 'Bc', deep: '#662703', bright: '#f9a782' },
};

export const METHODS: readonly { readonly scheme: Scheme; readonly method: Method }[] = SCHEME_NAMES.map((scheme) => ({
  scheme,
  method: { display_name: SCHEMES[scheme].display_name, ...LOOKS[scheme] },
}));
