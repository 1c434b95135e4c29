// What POST /token is asked and answers (contract 6.1), as schemas for the reference.
import { SCHEME_NAMES } from '../../core/card.ts';
import type { JsonSchema } from '../../core/shape.ts';
import { id, isoDate, object, propertiesOf, resultOf, text, withNotes, word } from '../../kit/http/schema.ts';
import { TOKEN_SCHEMA } from './request.ts';

const CARD = {
  card_number: {
    type: 'string',
    pattern: '^[0-9](?:[ -]*[0-9]){13,18}$',
    description:
      '14 to 19 digits; spaces and hyphens between them are dropped. Never a JSON number: it would lose digits',
  },
  card_validity_month: {
    type: ['string', 'integer'],
    pattern: '^(?:0?[1-9]|1[0-2])$',
    minimum: 1,
    maximum: 12,
    description: 'Month, one or two digits',
  },
  card_validity_year: {
    type: ['string', 'integer'],
    pattern: '^[0-9]{2}(?:[0-9]{2})?$',
    description: 'Year, two or four digits, at most 20 years ahead',
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
  token_kind: 'Default card; psp_token is refused while no provider takes foreign tokens',
  checkout_id: 'Binds the token to this checkout',
};

/** A saved token with its cvc entered again (contract 6.3) has no route yet. */
const { token: _, ...fields } = propertiesOf(TOKEN_SCHEMA);

export const TOKEN_BODY: JsonSchema = withNotes(
  { ...TOKEN_SCHEMA, properties: fields },
  { Card: CARD, Token: TOKEN },
  {
    title: 'TokenRequest',
    required: ['card_number', 'card_validity_month', 'card_validity_year'],
    examples: [
      { card_number: '4242 4242 4242 4242', card_validity_month: '12', card_validity_year: '2030', cvc: '123' },
    ],
  },
);

export const TOKEN_ANSWER: JsonSchema = object(
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
    token_kind: word('Kind of token', ['card', 'psp_token']),
    customer_scheme_name: word('Scheme the payer chose, else that of the number', SCHEME_NAMES),
    bin_scheme_name: word('Scheme of the number', SCHEME_NAMES),
    card_6_digits: text('First six digits', '424242'),
    card_4_digits: text('Last four digits', '4242'),
    card_validity_month: text('Two digits', '12'),
    card_validity_year: text('Two digits', '30'),
    card_unique_id: {
      ...text('The same for the same card within an account', '3f0a5c8e-6d1b-4b7a-9a52-0c4e7d2b91f6'),
      format: 'uuid',
    },
  },
  { title: 'TokenAnswer', optional: { checkout_id: id('Only when it was sent', '66bf18a35d1c9a0e47b2f301') } },
);
