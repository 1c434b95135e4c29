// What a provider is told of an authorization beside card and amount: what it has a place for, and who pays.
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Facts } from '../../src/provider/contract.ts';
import type { Capabilities } from '../../src/provider/capabilities.ts';
import { type World, world } from '../world.ts';

let w: World;
let told: Facts[] = [];
let able: Partial<Capabilities> = {};
beforeAll(async () => {
  w = await world();
  const { tools } = w.service;
  const providers = new Map(
    [...tools.providers].map(([name, one]) => [
      name,
      {
        ...one,
        get can() {
          return { ...one.can, ...able };
        },
        write: (...given: Parameters<typeof one.write>) => {
          told.push(given[1]);
          return one.write(...given);
        },
      },
    ]),
  );
  Object.assign(tools, { providers });
});
afterAll(() => w[Symbol.asyncDispose]());

const CO_BADGED = { card_number: '4000002500001001' };

async function toldOf(fields: object): Promise<Facts> {
  told = [];
  const paid = await w.shop.pay(CO_BADGED, { operation_type: 'authorize', ...fields });
  expect(paid.code, paid.text).toBe('944444');
  const [facts] = told;
  if (!facts) throw new Error('nobody was told anything');
  return facts;
}

test.each([true, false])(
  'the chosen scheme and an exemption are told where there is a place for them (%s)',
  async (has) => {
    able = { scheme_choice: has, exemptions: has };
    const facts = await toldOf({ payment_method_name: 'cb', sca_exemption_reason: 'low_value' });
    expect([facts.scheme, facts.evidence?.sca_exemption]).toEqual(has ? ['cb', 'low_value'] : [null, undefined]);
  },
);

test.each([
  ['e-commerce', { payer: true, unseen: undefined }],
  ['moto', { payer: false, unseen: 'moto' }],
  ['pos', { payer: false, unseen: 'pos' }],
])('of the channel %s it is told who pays', async (payment_channel, expected) => {
  able = {};
  const { payer, unseen_payer: unseen } = await toldOf({ payment_channel });
  expect({ payer: payer !== undefined, unseen }).toEqual(expected);
});

test('a later recurring payment is the merchant’s alone', async () => {
  const token = await w.shop.token({ token_type: 'recurring' });
  told = [];
  const order = { operation_type: 'authorize', amount: '9.00', currency: 'EUR', order_merchant_id: 'later' };
  const paid = await w.shop.order({ token, ...order, payment_channel: 'recurring' }, { prefer: 'wait=10' });
  expect(paid.code, paid.text).toBe('944444');
  expect([told[0]?.payer, told[0]?.unseen_payer, told[0]?.evidence?.stored_card]).toEqual([undefined, undefined, true]);
});
