// The answer about a checkout (contract 5.1, 5.2), as a schema.
import { logoFiles } from '../../core/card.ts';
import type { JsonSchema } from '../../core/shape.ts';
import { ORDER_STATUSES } from '../../core/states.ts';
import {
  type Members,
  exampleOf,
  id,
  integer,
  isSchema,
  list,
  number,
  object,
  propertiesOf,
  resultOf,
  text,
  textOrNull,
  withExample,
  word,
} from '../../kit/http/schema.ts';
import { CHECKOUT_EXAMPLE, CHECKOUT_NOTES } from './field-notes.ts';
import { CHECKOUT_FIELDS } from './request.ts';

const CHECKOUT_STATUSES = ['created', 'processing', 'completed', 'declined', 'cancelled', 'expired'];

/** Whole numbers that the base specification answers as texts. */
const TEXTS = new Set(['customer_browser_info_color_depth', 'max_attempts']);

/** A field as it is answered: strict where the request is lenient (contract 2.2). */
export function answered(name: string, request: JsonSchema): JsonSchema {
  const { type, enum: values, items, format } = request;
  if (Array.isArray(values) && values.includes(true)) return { type: 'boolean' };
  if (Array.isArray(values)) return { enum: values.filter((value) => value !== null && value !== '') };
  const [first] = Array.isArray(type) ? type : [type];
  if (first === 'array' && isSchema(items)) {
    const members = Object.entries(propertiesOf(items)).map(([member, schema]) => [member, answered(member, schema)]);
    return { type: 'array', items: { type: 'object', properties: Object.fromEntries(members) } };
  }
  const plain = TEXTS.has(name) ? 'string' : first;
  return { type: plain, ...(typeof format === 'string' && { format }) };
}

const MEANINGS = new Map(Object.values(CHECKOUT_NOTES).flatMap((notes) => Object.entries(notes)));

/** The fields a merchant may have sent, as they come back, for those that `wanted` lets through. */
export function echoedMembers(wanted: (name: string) => boolean): Members {
  return Object.fromEntries(
    Object.entries(CHECKOUT_FIELDS)
      .filter(([name]) => wanted(name))
      .map(([name, field]) => {
        const meaning = MEANINGS.get(name);
        return [
          name,
          { ...answered(name, field.schema), ...(typeof meaning === 'string' && { description: meaning }) },
        ];
      }),
  );
}

const fixed: Members = {
  checkout_id: id('Id of the checkout', '66bf18a35d1c9a0e47b2f301'),
  status: word('Where the checkout stands', CHECKOUT_STATUSES),
  type: text('As sent', 'api'),
  operation_type: text('As sent', 'authorize'),
  payment_channel: text('As sent, or e-commerce', 'e-commerce'),
  token_type: text('As sent, or oneshot', 'oneshot'),
  order_merchant_id: text('As sent', 'cart-1881'),
  amount: number('Amount in major units', 42.5),
  currency: text('ISO 4217 code', 'EUR'),
  expiration_date: text(
    'When the checkout can no longer be paid; a long textual date',
    'Fri Aug 16 2024 09:30:15 GMT+0000 (Coordinated Universal Time)',
  ),
  merchant_data: {
    ...answered('merchant_data', CHECKOUT_FIELDS.merchant_data.schema),
    description: 'Your own data; an empty list when there are none',
    examples: [[]],
  },
  hosted_page_configuration: {
    ...object({ hosted_fields: { type: 'object', description: 'Settings of the hosted fields' } }),
    examples: [{ hosted_fields: {} }],
  },
};

const ORDER_OF_CHECKOUT = object({
  order_id: id('Id of the order'),
  status: word('Its status', Object.keys(ORDER_STATUSES), 'authorization_successful'),
});

const CHECKOUT_OBJECT = object(fixed, {
  title: 'Checkout',
  optional: {
    attempts_remaining: integer('Reads only: how often it can still be paid', 3),
    link_id: id('The payment link that it was opened from', '66bf18a35d1c9a0e47b2f3a1'),
    orders: list('Reads only: orders made from it, newest first', ORDER_OF_CHECKOUT),
    ...echoedMembers((name) => !Object.hasOwn(fixed, name)),
  },
});

/** The checkout that the example of the request makes. */
const EXAMPLE = { ...Object.assign({}, exampleOf(CHECKOUT_OBJECT)), customer_id: CHECKOUT_EXAMPLE.customer_id };

const FORM_FIELD = object({
  label: text('Label of the input', 'Cardholder'),
  name: text('Name of the field', 'cardholder_name'),
  data_type: word('Kind of value', ['integer', 'date', 'name'], 'name'),
  enum: list('Values to choose from; empty: free', { type: 'string' }, []),
  example: text('A value', 'Ada Martin'),
  display_name: text('Name to show', 'Name on card'),
});

const LOGOS: Members = Object.fromEntries(
  Object.entries(logoFiles('visa')).map(([member, file]) => [member, text('File under {vault_url}/image/logo/', file)]),
);

const METHOD: Members = {
  name: text('Identifier of the method, such as a card scheme in lower case', 'visa'),
  display_name: text('Name to show', 'Visa'),
  component_type: word('What the payer fills in', ['card', 'form_redirect', 'no_form_redirect']),
  partner: text('Provider that processes it', 'simulator'),
  required_fields: list('Fields an order with it needs', { type: 'string' }, [
    'payment_method_name',
    'token',
    'amount',
    'currency',
  ]),
  countries: list('Countries it is offered in, or all', { type: 'string' }, ['all']),
  form_fields: list('Inputs of a payment form', FORM_FIELD),
  ...LOGOS,
};

const USE: Members = {
  nb_use: integer('How often it was used', 2),
  date_last_use: textOrNull('Last use, ISO 8601; null before the first', '2024-08-16T09:16:02.118Z'),
};

export const SAVED_ITEM = object({
  ...METHOD,
  ...USE,
  id: id('Id of the saved card'),
  token: text('Token of 64 hexadecimal characters', '478cabe3f0bc7e66d2f06defe94e0ef26190839b3859f2439acea05959d340a4'),
  payment_details: list(
    'last_4_digits, first_6_digits, card_validity_month, card_validity_year',
    object({ key: text('Name', 'last_4_digits'), value: text('Value', '4242') }),
  ),
});

const METHODS = object(
  {
    payment_methods_saved: list('Saved cards of the customer, newest use first', SAVED_ITEM, []),
    payment_methods_used: list('Methods the customer used before', object({ ...METHOD, ...USE }), []),
    payment_methods_available: list(
      'What the checkout can be paid with; an empty list is a success',
      object(METHOD, { title: 'PaymentMethod' }),
    ),
  },
  { title: 'PaymentMethods', description: 'For the types api, hosted_fields and mobile_sdk, while status is created' },
);

const SHAPE = object(
  { result: resultOf('checkout_created'), checkout: CHECKOUT_OBJECT },
  {
    title: 'CheckoutAnswer',
    optional: {
      payment_methods: METHODS,
      redirect_url: text(
        'For the types hosted_page, qrcode and mail_to_pay, while status is created: the page where the payer pays',
        'https://vault.shop-pay.example/pay/478cabe3f0bc7e66d2f06defe94e0ef26190839b3859f2439acea05959d340a4',
      ),
    },
  },
);

const payment_methods = exampleOf(METHODS);

export const CHECKOUT_ANSWER: JsonSchema = withExample(SHAPE, { checkout: EXAMPLE, payment_methods });
export const CHECKOUT_READ: JsonSchema = withExample(SHAPE, {
  checkout: { ...EXAMPLE, attempts_remaining: 3, orders: [] },
  payment_methods,
});
