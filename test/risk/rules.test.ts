// Every way in which our own rules refuse: its code, its explanation, and that nothing was sent.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ListKind } from '../../src/core/risk/rules.ts';
import { preparedStatements } from '../../src/kit/database.ts';
import { GOOD_CARD, textAt } from '../client.ts';
import { numberOf } from '../providers/client.ts';
import { ROOT } from '../start/child.ts';
import { type World, world } from '../world.ts';
import { draft, inForce, publish, putOnList, refusal } from './till.ts';

let w: World;
beforeAll(async () => {
  w = await world();
});
afterAll(() => w[Symbol.asyncDispose]());

const twice = (name: string, subject: string, more: object = {}) => ({
  name,
  kind: 'velocity',
  subject,
  limit: 1,
  window_s: 3600,
  ...more,
});
const data = (key: string, value: string) => ({ merchant_data: [{ key, type: 'string', value }] });
const STREET = { customer_street_name: "5, rue de l'Église", customer_zip_code: '75001', customer_city: 'Paris' };
const SAME_STREET = { customer_street_name: '5 RUE DE L EGLISE', customer_zip_code: '75001', customer_city: 'paris' };

const RULES = [
  { name: 'no such country', kind: 'country', of: 'customer_country', refused: ['KP'] },
  { name: 'only here', kind: 'country', of: 'shipping_address_country', allowed: ['FR', 'BE'] },
  { name: 'one country', kind: 'mismatch', one: 'customer_billing_country', other: 'customer_country' },
  { name: 'fraud tool', kind: 'tool', key: 'tool', values: ['block'] },
  { name: 'device check', kind: 'check', key: 'device', values: ['fail', 'unknown'] },
  { name: 'large', kind: 'amount', above: '900', currency: 'EUR' },
  { name: 'watches', kind: 'field', of: 'device_type', values: ['watch'] },
  { name: 'a little large', kind: 'amount', above: '800', currency: 'EUR', action: 'mark' },
  twice('card', 'card'),
  twice('email', 'email'),
  twice('ip', 'ip'),
  twice('id', 'identification'),
  twice('phone', 'phone'),
  twice('bin', 'bin', { limit: 20 }),
  twice('billing', 'billing_address'),
  twice('shipping', 'shipping_address'),
  twice('name', 'name'),
  twice('coupon', 'custom', { key: 'coupon' }),
  twice('customer', 'customer', { measure: 'successes' }),
];

const forget = () => w.sql('DELETE FROM payment.risk_sightings');

test('an account without rules is answered as ever, and its orders show no assessment', async () => {
  const order = await w.shop.pay();
  // no statement of risk was ever sent: a sent one is known by its name
  expect(
    [...preparedStatements().keys()].filter((name) => /risk|sighting/.test(name) && name !== 'forget_sightings'),
  ).toEqual([]);
  expect([order.code, order.at('risk_assessment_partner'), order.at('is_suspicious')]).toEqual(['955555', '', false]);
  const read = await w.shop.read(textAt(order, 'order_id'));
  expect(read.text).not.toContain('risk_assessment"');
  expect(read.at('transactions.0.risk_assessment_result')).toBe(null);
});

test('numbers of the sandbox for risk are refused by us, and no other number of their ends is', async () => {
  const before = (await w.sql('SELECT 1 FROM payment.operations')).length;
  expect(refusal(await w.shop.pay({ card_number: '4100000000000019' }))).toEqual([
    200,
    '131088',
    'risk_assessment_declined',
  ]);
  const codes = ['131010', '131011', '131020', '131030', '131040', '131050', '131051', '131052', '131053', '131054'];
  for (const code of [...codes, '131055', '131056', '131057', '131058', '131059', '131088'])
    expect(refusal(await w.shop.pay({ card_number: numberOf(code) }))).toEqual([200, code, 'risk_assessment_declined']);
  expect((await w.sql('SELECT 1 FROM payment.operations')).length).toBe(before);
  // the same first six and last four digits as the number of 131010
  expect(numberOf('131010')).toBe('4000009991310106');
  expect((await w.shop.pay({ card_number: '4000005000040106' })).code).toBe('955555');
});

/**
 * By code: fields of the second of two payments, the first of which passes; and of a first one that is refused alone.
 */
const ALONE: readonly (readonly [string, string, object, string])[] = [
  ['131040', 'no such country', { customer_country: 'KP' }, 'customer_country is KP'],
  ['131040', 'only here', { shipping_address_country: 'de' }, 'shipping_address_country is DE'],
  ['131020', 'one country', { customer_billing_country: 'FR', customer_country: 'BE' }, 'differ'],
  ['131011', 'fraud tool', data('tool', 'block'), 'merchant_data tool says block'],
  ['131030', 'device check', data('device', 'fail'), 'merchant_data device says fail'],
  ['131088', 'large', { amount: '900.01' }, '900.01 EUR is above 900 EUR'],
  ['131088', 'watches', { device_type: 'watch' }, 'device_type is one that is refused'],
];
const AGAIN: readonly (readonly [string, string, object, object])[] = [
  ['131052', 'email', { customer_email: 'Ada+1@Shop.example' }, { customer_email: 'ada@shop.example' }],
  ['131053', 'ip', { customer_ip: '203.0.113.7' }, { customer_ip: '203.0.113.7' }],
  ['131053', 'ip', { customer_ip: '198.51.100.4' }, { customer_ip: '::ffff:198.51.100.4' }],
  ['131053', 'ip', { customer_ip: '2001:db8::1' }, { customer_ip: '2001:db8:0:0:ffff::2' }],
  ['131054', 'id', { customer_identification_number: 'ab-12' }, { customer_identification_number: 'AB 12' }],
  ['131054', 'phone', { customer_phone_number: '+33 1 02' }, { customer_phone_number: '0033102' }],
  ['131056', 'billing', STREET, SAME_STREET],
  [
    '131057',
    'shipping',
    { shipping_address_street_name_line1: 'Hoogstraat 1', shipping_address_city: 'Gent' },
    { shipping_address_street_name_line1: 'HOOGSTRAAT, 1', shipping_address_city: 'gent' },
  ],
  [
    '131058',
    'name',
    { customer_first_name: 'Zoë', customer_last_name: 'Lü' },
    { customer_first_name: 'zoe', customer_last_name: 'LU' },
  ],
  ['131059', 'coupon', data('coupon', 'X1'), data('coupon', 'X1')],
  ['131050', 'customer', { customer_id: 'c-1' }, { customer_id: 'c-1' }],
];

test('every rule refuses with its code and says why; an attempt that is let through is counted', async () => {
  const version = await publish(w, RULES);
  // another number each time, so that the rule on the card is out of the way
  let at = 0;
  const cards = ['4111111111111111', '5555555555554444', '5105105105105100', '378282246310005', '3530111333300000'];
  const card = () => ({
    card_number: cards[at++ % cards.length],
    cvc: cards[(at - 1) % cards.length]?.startsWith('37') ? '1234' : '123',
  });
  const calls = async () => (await w.sql('SELECT 1 FROM payment.operations')).length;
  for (const [code, rule, fields, why] of ALONE) {
    const before = await calls();
    const reply = await w.shop.pay(card(), fields);
    expect([rule, ...refusal(reply)]).toEqual([rule, 200, code, 'risk_assessment_declined']);
    expect([reply.at('risk_assessment_result'), reply.at('risk_assessment_reason_code')]).toEqual(['refused', code]);
    expect(textAt(reply, 'risk_assessment_reason')).toContain(`${rule}: `);
    expect(textAt(reply, 'risk_assessment_reason')).toContain(why);
    expect(textAt(reply, 'risk_assessment_reason')).toContain(`version ${version}`);
    expect(await calls()).toBe(before);
  }
  await forget();
  for (const [code, rule, first, second] of AGAIN) {
    await w.sql(
      `DELETE FROM payment.risk_sightings WHERE subject NOT IN (SELECT subject FROM payment.risk_sightings WHERE false)`,
    );
    expect([rule, (await w.shop.pay(card(), first)).code]).toEqual([rule, '955555']);
    const reply = await w.shop.pay(card(), second);
    expect([rule, ...refusal(reply)]).toEqual([rule, 200, code, 'risk_assessment_declined']);
    expect(textAt(reply, 'risk_assessment_reason')).toContain('the limit is 1');
  }
  await forget();
  expect((await w.shop.pay()).code).toBe('955555');
  expect(refusal(await w.shop.pay())).toEqual([200, '131051', 'risk_assessment_declined']);
  const marked = await w.shop.pay(card(), { amount: '850' });
  expect([marked.code, marked.at('is_suspicious'), marked.at('risk_assessment_result')]).toEqual([
    '955555',
    true,
    'accepted',
  ]);
});

test('cards of one issuer range are counted together', async () => {
  await publish(w, [twice('bin', 'bin')]);
  await forget();
  expect((await w.shop.pay({ card_number: '4000000000003055' })).code).toBe('955555');
  expect((await w.shop.pay({ card_number: '4000000000000259' })).code).toBe('131055');
  expect((await w.shop.pay({ card_number: '4111111111111111' })).code).toBe('955555');
});

test('an order that was refused is tried again with another card, and both attempts are told', async () => {
  const refused = await w.shop.pay({ card_number: '4100000000000019' });
  const order_id = textAt(refused, 'order_id');
  const again = await w.shop.api(`/payment/order/${order_id}`, {
    method: 'PUT',
    body: { token: await w.shop.token() },
  });
  expect(again.code).toBe('955555');
  const read = await w.shop.read(order_id);
  const told = (path: string) => read.at(`transactions.${path}`);
  expect([told('0.status'), told('1.status')]).toEqual(['risk_assessment_declined', 'capture_successful']);
  expect(told('0.operations.0.partner_result_code')).toBe('131088');
  expect([told('0.operations.0.type'), told('0.operations.0.state')]).toEqual(['risk_assessment', 'declined']);
  expect([told('1.operations.0.type'), told('1.operations.0.partner_result_code')]).toEqual([
    'risk_assessment',
    '133333',
  ]);
  const history = [0, 1, 2, 3, 4].map((i) => told(`1.status_history.${i}.status`));
  expect(history).toEqual([
    'created',
    'risk_assessment_declined',
    'created',
    'risk_assessment_approved',
    'authorization_requested',
  ]);
  expect(textAt(read, 'transactions.1.operations.0.result_response')).toMatch(
    /^no rule objects \(rules version \d+\)$/,
  );
});

test('a spent token stays spent, and the same request answers the same order', async () => {
  const token = await w.shop.token({ card_number: '4100000000000019' });
  const body = { token, operation_type: 'authorize', amount: 3, currency: 'EUR', order_merchant_id: 'spent' };
  const first = await w.shop.order(body);
  const second = await w.shop.order(body);
  expect([first.code, second.at('order_id')]).toEqual(['131088', textAt(first, 'order_id')]);
  expect((await w.shop.order({ ...body, amount: 4 })).code).toBe('241021');
});

test('a draft is refused with every problem at once, and what is unknown in it too', () => {
  const wrong = [
    { name: 'a', kind: 'velocity', subject: 'card', limit: 0, window_s: 10 },
    { name: 'b', kind: 'country', of: 'customer_country' },
    { name: 'b', kind: 'amount', above: '1.234', currency: 'EUR', colour: 1 },
    { kind: 'guess' },
    { name: 'c', kind: 'velocity', subject: 'custom', limit: 1, window_s: 60 },
    7,
  ];
  const fields = (() => {
    try {
      draft(wrong);
      return [];
    } catch (error) {
      return JSON.stringify(error);
    }
  })();
  for (const field of [
    'rules[0].limit',
    'rules[0].window_s',
    'rules[1].refused',
    'rules[2].above',
    'rules[2].colour',
    'rules[3].kind',
    'rules[4].key',
    'rules[5]',
  ])
    expect(fields).toContain(field);
});

test('a value of every kind is blocked, however it is written', async () => {
  const token = await w.shop.vault('/token', { body: { ...GOOD_CARD, card_number: '5105105105105100' } });
  const address = {
    customer_billing_street_name: 'Rue Haute 1',
    customer_billing_zip_code: '1000',
    customer_billing_city: 'Bruxelles',
  };
  const shipping = { shipping_address_street_name_line1: 'Église 2', shipping_address_city: 'Liège' };
  const listed: readonly (readonly [ListKind, string, object, string?])[] = [
    ['card', textAt(token, 'card_unique_id'), {}, '5105105105105100'],
    ['bin', '555555', {}, '5555555555554444'],
    ['email', 'Bad.Payer@gmail.com', { customer_email: 'badpayer+9@googlemail.com' }],
    ['customer', 'c-9', { customer_id: 'c-9' }],
    ['identification', 'AB 99', { customer_identification_number: 'ab99' }],
    ['phone', '+32 2 555', { customer_phone_number: '00322555' }],
    ['billing_address', 'rue haute 1, 1000 bruxelles', address],
    ['shipping_address', 'Eglise 2, Liege', shipping],
    ['name', 'Zoë Lü', { customer_first_name: 'ZOE', customer_last_name: 'LU' }],
  ];
  for (const [kind, value] of listed) await putOnList(w, { verdict: 'block', kind, value });
  await publish(w, []);
  for (const [kind, , fields, card_number = '4111111111111111'] of listed)
    expect([kind, (await w.shop.pay({ card_number }, fields)).code]).toEqual([kind, '131010']);
  expect((await w.shop.pay({ card_number: '4111111111111111' })).code).toBe('955555');
  await w.sql('DELETE FROM payment.risk_entries');
});

test('the example in the papers is a draft', () => {
  const [, example = ''] = /```json\n([\s\S]*?)```/.exec(readFileSync(join(ROOT, 'docs/risk.md'), 'utf8')) ?? [];
  expect(draft(JSON.parse(example))).toHaveLength(6);
});

test('lists hold networks and values of merchant_data, allow what rules would refuse, and end when they are said to', async () => {
  await publish(w, [{ name: 'nobody', kind: 'amount', above: '0.01', currency: 'EUR' }]);
  expect((await w.shop.pay({}, { customer_email: 'good@shop.example' })).code).toBe('131088');
  await putOnList(w, { verdict: 'allow', kind: 'email_domain', value: '@Shop.example' });
  await inForce(w);
  expect((await w.shop.pay({}, { customer_email: 'good@shop.example' })).code).toBe('955555');
  await putOnList(w, { verdict: 'block', kind: 'ip', value: '203.0.113.0/24' });
  await putOnList(w, { verdict: 'block', kind: 'ip', value: '2001:db8:7::/48' });
  await putOnList(w, { verdict: 'block', kind: 'custom', value: 'coupon=STOLEN' });
  await inForce(w);
  const blocked: readonly object[] = [
    { customer_ip: '203.0.113.250' },
    { customer_ip: '2001:db8:7:1::9' },
    data('coupon', 'STOLEN'),
  ];
  for (const fields of blocked) {
    const reply = await w.shop.pay({}, { customer_email: 'good@shop.example', ...fields });
    expect([JSON.stringify(fields), ...refusal(reply)]).toEqual([
      JSON.stringify(fields),
      200,
      '131010',
      'risk_assessment_declined',
    ]);
    expect(textAt(reply, 'risk_assessment_reason')).toContain('is on the block list');
  }
  expect((await w.shop.pay({}, { customer_email: 'good@shop.example', customer_ip: '203.0.114.1' })).code).toBe(
    '955555',
  );
  await w.sql(`UPDATE payment.risk_entries SET until = payment.now() - interval '1 second'`);
  expect((await w.shop.pay({}, { customer_ip: '203.0.113.250' })).code).toBe('131088');
});
