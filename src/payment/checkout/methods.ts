// The payment methods a checkout can be paid with (contract 5.1): the brands the account's contracts take, narrowed by
// what the checkout says; and among them the saved cards of the customer and what the customer used before. An empty
// list is a success.
import { type Scheme, SCHEMES, SCHEME_NAMES, logoFiles } from '../../core/card.ts';
import { twoDigits } from '../../core/dates.ts';
import type { Account, Contract } from '../merchant/account.ts';
import { type RoutingRequest, fits } from '../routing/choose.ts';

export type SavedCard = {
  readonly id: string;
  readonly token: string;
  readonly scheme: string;
  readonly first6: string;
  readonly last4: string;
  readonly exp_month: number;
  readonly exp_year: number;
  readonly uses: number;
  readonly last_used_at: string | null;
};

type UsedMethod = { readonly name: string; readonly uses: number; readonly last_used_at: string };

/** The facts of a customer: cards, the newest use first, and methods, the last used first. */
export type Known = { readonly saved: readonly SavedCard[]; readonly used: readonly UsedMethod[] };

/**
 * Asks for the customer that the fields of a checkout name. `new`: the checkout is being made, and makes the customer
 * known.
 */
export type CustomerMethods = (
  account: Pick<Account, 'merchant_account_id' | 'settings'>,
  body: Readonly<Record<string, unknown>>,
  purpose: 'new' | 'read',
) => Promise<Known>;

/**
 * Lists made so far, by the contracts they were made from: an account's contracts are loaded anew when they may have
 * changed.
 */
const LISTS = new WeakMap<readonly Contract[], Map<string, Available>>();

type Available = {
  readonly items: ReadonlyMap<string, MethodItem>;
  readonly json: Buffer;
  /** The whole member, for the many checkouts without a customer. */
  readonly alone: Buffer;
};

type Contracted = Pick<Account, 'contracts'>;

/** The `payment_methods` member of a checkout answer, as bytes of JSON: it is long, and the same for many checkouts. */
export function paymentMethodsJson(account: Contracted, wanted: RoutingRequest, known: Known): Buffer {
  const { items, json, alone } = availableMethods(account, wanted);
  if (known.saved.length === 0 && known.used.length === 0) return alone;
  const saved = known.saved.flatMap((card) => {
    const item = items.get(card.scheme);
    return item ? [savedItem(item, card)] : [];
  });
  const used = known.used.flatMap(({ name, uses, last_used_at }) => {
    const item = items.get(name);
    return item ? [{ ...item, nb_use: uses, date_last_use: last_used_at }] : [];
  });
  const head = `{"payment_methods_saved":${JSON.stringify(saved)},"payment_methods_used":${JSON.stringify(used)},"payment_methods_available":`;
  return Buffer.concat([Buffer.from(head), json, Buffer.from('}')]);
}

function availableMethods({ contracts }: Contracted, wanted: RoutingRequest): Available {
  const lists = LISTS.get(contracts) ?? new Map<string, Available>();
  LISTS.set(contracts, lists);
  const key = JSON.stringify(wanted);
  const made = lists.get(key);
  if (made) return made;
  const items = new Map<string, MethodItem>();
  for (const name of SCHEME_NAMES) {
    if (wanted.payment_method_name !== undefined && wanted.payment_method_name !== name) continue;
    const contract = contracts.find((candidate) => fits(candidate, { ...wanted, payment_method_name: name }));
    if (contract) items.set(name, methodItem(name, contract));
  }
  const json = JSON.stringify([...items.values()]);
  const alone = `{"payment_methods_saved":[],"payment_methods_used":[],"payment_methods_available":${json}}`;
  const available = { items, json: Buffer.from(json), alone: Buffer.from(alone) };
  if (lists.size < MAX_LISTS) lists.set(key, available);
  return available;
}

/** Callers choose what is wanted, so the number of lists has a bound. */
const MAX_LISTS = 1000;

type MethodItem = ReturnType<typeof methodItem>;

/** An item of payment_methods_available. */
function methodItem(name: Scheme, contract: Contract | undefined) {
  return {
    name,
    display_name: SCHEMES[name].display_name,
    component_type: 'card',
    partner: contract?.provider ?? '',
    required_fields: ['payment_method_name', 'token', 'amount', 'currency'],
    countries: contract === undefined || contract.countries.length === 0 ? ['all'] : contract.countries,
    form_fields: formFields(name),
    ...logoFiles(name),
  };
}

/** A saved card outside of any checkout: with the first contract that takes its brand, or none. */
export function savedItemOf({ contracts }: Account, card: SavedCard) {
  const name = SCHEME_NAMES.find((scheme) => scheme === card.scheme);
  if (!name) throw new Error('a saved card has a known scheme');
  const contract = contracts.find(({ methods }) => methods.length === 0 || methods.includes(name));
  return savedItem(methodItem(name, contract), card);
}

function savedItem(item: MethodItem, card: SavedCard) {
  return {
    ...item,
    id: card.id,
    token: card.token,
    nb_use: card.uses,
    date_last_use: card.last_used_at,
    payment_details: [
      { key: 'last_4_digits', value: card.last4 },
      { key: 'first_6_digits', value: card.first6 },
      { key: 'card_validity_month', value: twoDigits(card.exp_month) },
      { key: 'card_validity_year', value: twoDigits(card.exp_year) },
    ],
  };
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
