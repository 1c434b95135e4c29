// Contract 2.2 and openapi.json: what the schema of a request allows is taken, and what is taken the schema allows.
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { CHECKOUT, type Json } from '../client.ts';
import { type World, world } from '../world.ts';

type Schema = Readonly<Record<string, unknown>>;

let w: World;
let document: Schema;
beforeAll(async () => {
  w = await world();
  document = Object((await w.shop.api('/openapi.json')).body);
});
afterAll(() => w?.[Symbol.asyncDispose]());

const schemas = (): Schema => Object(document['components']).schemas;
const ajv = new Ajv2020({ strict: false, validateFormats: false });
/** Whether a strict reader of JSON Schema takes it. */
const allows = (schema: Schema, value: unknown) => ajv.validate(schema, value);
const isPlain = (schema: Schema) => ![schema['type']].flat().some((type) => type === 'array' || type === 'object');
/** The vault reads cards as bytes, and says itself what it takes. */
const requests = () =>
  Object.entries(schemas()).filter(
    ([name]) => /(?:Request|Removal|Range|Change)$/.test(name) && name !== 'TokenRequest',
  );

test('null and "" count as absent: taken of every field that may be absent, and of none that must be there', () => {
  const wrong: string[] = [];
  for (const [name, request] of requests()) {
    const needed = new Set<unknown>(Object(request).required);
    for (const [field, schema] of Object.entries<Schema>(Object(request).properties).filter(([, one]) => isPlain(one)))
      for (const value of ['', null])
        if (allows(schema, value) === needed.has(field)) wrong.push(`${name} ${field} ${JSON.stringify(value)}`);
  }
  expect(requests().length).toBeGreaterThan(8);
  expect(wrong).toEqual([]);
});

const FIELDS = {
  amount: '11.3 "11.30" "0.5" 10 "1080.00" "01" ".5" "5." "1e3" "-1" "+1" "1,5" "0" "0.00" 0 -1 "" null true "x"',
  shipping_price: '0 "0" "0.00" "00" "-0" "1.5" "x" "" null',
  customer_browser_info_screen_height: '1080 1080.0 "1080" "" null 1080.5 "1080.0" "-1" -1 100000 "x" true',
  customer_browser_info_time_zone: '"Europe/Paris" "+02:00" 60 60.0 -60 "" null 60.5 true []',
  customer_id: '5512 5512.0 "5512" "" null 5512.5 true {}',
  customer_browser_info_js_enabled: 'true "true" "" null "yes" 1',
  payment_channel: '"moto" "" null "post"',
  currency: '"eur" "EURO" "" null',
  type: '"api" "" null "letter"',
  accept_url: '"https://shop.example/a" "HTTP://shop.example" "ftp://shop.example" "shop.example" "" null',
};

test.each(Object.entries(FIELDS))('%s is taken by both or by neither', async (field, values) => {
  const verdicts = await Promise.all(
    values.split(' ').map(async (written) => {
      const { [field]: _, ...others } = CHECKOUT as Readonly<Record<string, unknown>>;
      const body = `${JSON.stringify(others).slice(0, -1)},"${field}":${written}}`;
      const reply = await w.shop.api('/payment/checkout', { body });
      const value: Json = JSON.parse(written);
      const taken = allows(Object(schemas()['CheckoutRequest']).properties[field], value);
      return `${written}: schema ${taken ? 200 : 400}, service ${reply.status}`;
    }),
  );
  expect(verdicts.filter((verdict) => !/(\d+), service \1$/.test(verdict))).toEqual([]);
});

test('an integer with zeros behind its point is that integer', async () => {
  const body = `${JSON.stringify(CHECKOUT).slice(0, -1)},"customer_id":5512.0,"max_attempts":2.00,"customer_browser_info_screen_width":1080.0}`;
  expect((await w.shop.api('/payment/checkout', { body })).at('checkout')).toMatchObject({
    customer_id: '5512',
    max_attempts: '2',
    customer_browser_info_screen_width: 1080,
  });
});
