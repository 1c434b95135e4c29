// The drawing of each payment method: the mark that payers know, if we may use it, else its name in two colours of
// ours.
import { SCHEMES, SCHEME_NAMES, type Scheme } from '../../src/core/card.ts';

/** `mark`: a drawing in web/logos/marks, with its own background colour (docs/decisions/0100). */
type Marked = { readonly mark: string; readonly ground: string };
/** White must be readable on `deep`, and `deep` on `bright`. */
type Named = { readonly deep: string; readonly bright: string };

export type Method = { readonly display_name: string } & (Marked | Named);

const WHITE = '#fff';

const LOOKS: Readonly<Record<Scheme, Marked | Named>> = {
  visa: { mark: 'visa', ground: WHITE },
  mastercard: { mark: 'mastercard', ground: WHITE },
  amex: { mark: 'amex', ground: '#006fcf' },
  diners: { mark: 'diners', ground: WHITE },
  discover: { mark: 'discover', ground: WHITE },
  jcb: { mark: 'jcb', ground: WHITE },
  unionpay: { mark: 'unionpay', ground: WHITE },
  maestro: { mark: 'maestro', ground: WHITE },
  cb: { deep: '#02435f', bright: '#71c9fa' },
  bancontact: { deep: '#662703', bright: '#f9a782' },
};

export const METHODS: readonly { readonly scheme: Scheme; readonly method: Method }[] = SCHEME_NAMES.map((scheme) => ({
  scheme,
  method: { display_name: SCHEMES[scheme].display_name, ...LOOKS[scheme] },
}));
