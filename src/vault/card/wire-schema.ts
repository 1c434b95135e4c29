// The request and the answer of POST /token (contract 6.1), as schemas for the reference.
import { SCHEME_NAMES } from '../../core/card.ts';
import { type JsonSchema, shapeSchema } from '../../core/shape.ts';
import {
  exampleOf,
  id,
  isoDate,
  object,
  propertiesOf,
  resultOf,
  text,
  withExample,
  withNotes,
  word,
} from '../../kit/http/schema.ts';
import { PSP_TOKEN_FIELDS } from '../saved/psp-token-request.ts';
import { TOKEN_SCHEMA } from './request.ts';

const CARD = {
  card_number: {
    type: 'string',
    pattern: '^[0-9](?:[ -]*[0-9]){13,18}$',
    description:
      'Required but for the last two groups. 14 to 19 digits; spaces and hyphens between them are dropped. Never a JSON number: it would lose digits',
  },
  card_validity_month: {
    type: ['string', 'integer'],
    pattern: '^(?:0?[1-9]|1[0-2])$',
    minimum: 1,
    maximum: 12,
    description: 'Required with a card number. Month, one or two digits',
  },
  card_validity_year: {
    type: ['string', 'integer'],
    pattern: '^[0-9]{2}(?:[0-9]{2})?$',
    description: 'Required with a card number. Year, two or four digits, at most 20 years ahead',
  },
  cvc: {
    type: ['string', 'null'],
    pattern: '^[0-9]{3,4}$',
    description:
      'Three digits, four for amex. Required with a public key, except for maestro and bancontact; never stored durably',
  },
  cardholder_name: 'Name on the card',
};

const TOKEN = {
  customer_scheme_name: "The payer's choice on a co-badged card; a brand the card does not carry is replaced",
  token_type: 'oneshot pays one order within 15 minutes; recurring is a saved card. Default oneshot',
  token_kind:
    'Default card; psp_token: a token of a partner, in place of a card; google_pay, apple_pay: what a wallet gave; network_token: a token of a scheme with its cryptogram',
  checkout_id: 'Binds the token, or the cvc entered again, to this checkout',
};

const SAVED = {
  token: {
    type: ['string', 'null'],
    pattern: '^[0-9a-f]{64}$',
    description:
      'A recurring token, in place of card_number: its cvc is entered again, for one payment within 15 minutes. Needs cvc',
  },
};

const WALLET = {
  wallet_payload: {
    type: ['string', 'null'],
    maxLength: 8000,
    description:
      'With token_kind google_pay: the token that Google Pay gave, as it is. With apple_pay: its payment data as JSON text. Pays once, and is taken once',
  },
};

/** Private key only. */
const NETWORK_TOKEN = {
  cryptogram: {
    type: ['string', 'null'],
    pattern: '^[A-Za-z0-9+/]{6,64}={0,2}$',
    description:
      'With token_kind network_token, where card_number is the token: the cryptogram for this one payment, base64. Kept no longer than a cvc',
  },
  eci: { type: ['string', 'null'], pattern: '^0[0-7]$', description: 'What came with the cryptogram, two digits' },
};

/** Private key only; psp_token, partner and one of the two names are required. */
const PARTNER = {
  psp_token: "The partner's own token, with token_kind psp_token. Needs a private key",
  partner: 'The partner it is of: one that is configured for the account',
  payment_method_name: 'Brand of the card behind it; this or customer_scheme_name is required',
  psp_customer_id: "The partner's own id of the customer",
  card_6_digits: 'First six digits, where they are known',
  card_4_digits: 'Last four digits, where they are known',
};

export const TOKEN_BODY: JsonSchema = withNotes(
  {
    ...TOKEN_SCHEMA,
    properties: {
      ...propertiesOf(TOKEN_SCHEMA),
      ...propertiesOf(shapeSchema(PSP_TOKEN_FIELDS)),
    },
  },
  {
    Card: CARD,
    Token: TOKEN,
    'Saved card': SAVED,
    Wallet: WALLET,
    'Network token': NETWORK_TOKEN,
    'Token of a partner': PARTNER,
  },
  {
    title: 'TokenRequest',
    anyOf: [
      { required: ['card_number', 'card_validity_month', 'card_validity_year'] },
      { required: ['token', 'cvc'] },
      { required: ['token_kind', 'psp_token', 'partner'] },
      { required: ['token_kind', 'wallet_payload'] },
    ],
    examples: [
      { card_number: '4242 4242 4242 4242', card_validity_month: '12', card_validity_year: '2030', cvc: '123' },
    ],
  },
);

/** What an answer shows of a card: of a card it is always there; of a partner's token, what that came with. */
const SHOWN = {
  card_6_digits: text('First six digits', '424242'),
  card_4_digits: text('Last four digits', '4242'),
  card_validity_month: text('Two digits', '12'),
  card_validity_year: text('Two digits', '30'),
  card_unique_id: {
    ...text('The same for the same card within an account', '3f0a5c8e-6d1b-4b7a-9a52-0c4e7d2b91f6'),
    format: 'uuid',
  },
};

const MADE = object(
  {
    result: resultOf('tokenization_successful'),
    created_date: isoDate('When it was made', '2024-08-16T09:15:58.204Z'),
    token: {
      ...text(
        'The token: pass it to POST /payment/order',
        'cf9fc0cc860214a8bb1bce449086112addf5cac7648fd2f1f3b381a8f47c8125',
      ),
      pattern: '^[0-9a-f]{64}$',
    },
    token_type: word('As asked', ['oneshot', 'recurring']),
    token_kind: word('Kind of token', ['card', 'psp_token', 'network_token', 'google_pay', 'apple_pay']),
    customer_scheme_name: word('Scheme the payer chose, else that of the number', SCHEME_NAMES),
    bin_scheme_name: word('Scheme of the number', SCHEME_NAMES),
  },
  {
    title: 'TokenAnswer',
    optional: {
      ...SHOWN,
      checkout_id: id('Only when it was sent', '66bf18a35d1c9a0e47b2f301'),
      subscription_id: id("Only of a partner's token: its later payments name it", '66bf18a35d1c9a0e47b2f302'),
    },
  },
);

/** The example is the answer to that of the request, a card. */
export const TOKEN_ANSWER: JsonSchema = withExample(MADE, Object.assign({}, exampleOf(object(SHOWN))));
