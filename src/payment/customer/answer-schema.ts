// The customer record as it is answered (contract 9.2), as a schema.
import type { JsonSchema } from '../../core/shape.ts';
import { id, integer, isoDate, list, object, resultOf, text, textOrNull } from '../../kit/http/schema.ts';
import { SAVED_ITEM } from '../checkout/answer-schema.ts';

const orNull = (type: string, description: string, example: unknown): JsonSchema => ({
  type: [type, 'null'],
  description,
  examples: [example],
});

const USED = object({
  name: text('Method, such as a card scheme in lower case', 'visa'),
  date_last_use: isoDate('Last use'),
  nb_use: integer('How often it was used', 1),
});

export const CUSTOMER_ANSWER: JsonSchema = object(
  {
    result: resultOf('customer_updated'),
    _id: id('Id of the record', '66bf18a35d1c9a0e47b2f302'),
    merchant_account: id('Your account', '66b0c1d2e3f4a5b6c7d8e9f0'),
    customer_id: text('Your own id of the customer', '5512'),
    __v: integer('How often the record has changed', 4),
    browser_info_accept_header: textOrNull('Of the last request that gave it; null before', null),
    browser_info_color_depth: textOrNull('Bits per pixel', null),
    browser_info_js_enabled: orNull('boolean', 'The browser runs scripts', true),
    browser_info_java_enabled: orNull('boolean', 'The browser runs Java', null),
    browser_info_language: textOrNull('Language tag', 'fr-FR'),
    browser_info_screen_height: orNull('integer', 'Pixels', null),
    browser_info_screen_width: orNull('integer', 'Pixels', null),
    browser_info_time_zone: textOrNull('IANA name', null),
    browser_info_user_agent: textOrNull('As the browser says', null),
    ip: textOrNull('Address of the last request that gave one', '203.0.113.7'),
    ip_country: textOrNull('Country of the address; null where it is not known', null),
    createdAt: isoDate('When the customer was first named', '2024-08-16T09:15:15.031Z'),
    updatedAt: isoDate('When the record last changed', '2024-08-16T09:31:44.870Z'),
    payment_methods_saved: list('Saved cards, newest use first', SAVED_ITEM, []),
    payment_methods_used: list('Methods the customer has paid with, the last one first', USED),
    pm_merchant_accounts: list('Always empty', { type: 'string' }, []),
  },
  { title: 'Customer' },
);
