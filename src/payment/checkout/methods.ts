// The payment methods a checkout can be paid with (contract 5.1): the brands the account's contracts take, narrowed by what
// the checkout says. An empty list is a success.
import { type Scheme, SCHEMES, SCHEME_NAMES, logoFiles } from '../../core/card.ts';
import type { Account, Contract } from '../merchant/account.ts';
import { type Wanted, fits } from '../routing/choose.ts';

/** Lists made so far, by the contracts they were made from: an account's contracts are loaded anew when they may have changed. */
const LISTS = new WeakMap<readonly Contract[], Map<string, Buffer>>();

/** The `payment_methods` member of a checkout answer, as bytes of JSON: it is long, and the same for many checkouts. */
export function paymentMethodsJson({ contracts }: Account, wanted: Wanted): Buffer {
  const lists = LISTS.get(contracts) ?? new Map<string, Buffer>();
  LISTS.set(contracts, lists);
  const key = JSON.stringify(wanted);
  const known = lists.get(key);
  if (known) return known;
  const items = SCHEME_NAMES.flatMap((name) => {
    if (wanted.payment_method_name !== undefined && wanted.payment_method_name !== name) return [];
    const contract = contracts.find((candidate) => fits(candidate, { ...wanted, payment_method_name: name }));
    return contract ? [itemJson(name, contract)] : [];
  });
  const json = Buffer.from(
    `{"payment_methods_saved":[],"payment_methods_used":[],"payment_methods_available":[${items.join(',')}]}`,
  );
  if (lists.size < MAX_LISTS) lists.set(key, json);
  return json;
}

/** Callers choose what is wanted, so the number of lists has a bound. */
const MAX_LISTS = 1000;

function itemJson(name: Scheme, contract: Contract): string {
  const countries = contract.countries.length === 0 ? ['all'] : contract.countries;
  return JSON.stringify({
    name,
    display_name: SCHEMES[name].display_name,
    component_type: 'card',
    partner: contract.provider,
    required_fields: ['payment_method_name', 'token', 'amount', 'currency'],
    countries,
    form_fields: formFields(name),
    ...logoFiles(name),
  });
}

function formFields(name: Scheme) {
  const cvc = SCHEMES[name].cvc === 4 ? '1234' : '123';
  return [
    formField('card_number', 'integer', {
      label: 'Card number',
      example: '4242424242424242',
      display_name: 'Card number',
    }),
    formField(CVC_FIELD, 'integer', { label: 'Security code', example: cvc, display_name: 'Security code' }),
    formField('card_validity', 'date', { label: 'Expiry', example: '12/30', display_name: 'Expiry date' }),
    formField('cardholder_name', 'name', { label: 'Cardholder', example: 'Ada Martin', display_name: 'Name on card' }),
  ];
}

/** Also the field that is refused when a saved card needs its cvc again (contract 6.3). */
export const CVC_FIELD = 'cvc';

type Texts = { readonly label: string; readonly example: string; readonly display_name: string };

function formField(name: string, data_type: string, { label, example, display_name }: Texts) {
  return { label, name, data_type, enum: [], example, display_name };
}
