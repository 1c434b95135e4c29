// An account whose orders name the contract that alone may take them, and that has no rules.
import { expect, test } from 'vitest';
import { parseJson } from '../../src/core/json.ts';
import { changeSettings } from '../../src/payment/merchant/change-settings.ts';
import { draftRoutes } from '../../src/payment/routing/publish.ts';
import { tryRoutes } from '../../src/payment/routing/try.ts';
import { authenticates } from '../authentication/payer.ts';
import { type Reply, textAt } from '../client.ts';
import { accountOf, inForce } from '../risk/till.ts';
import { world } from '../world.ts';

test('a contract that the request names as the only one is the only one without rules, too: no other provider is tried, and the read says why', async () => {
  await using w = await world();
  const account = await accountOf(w);
  const { tools } = w.service;
  const refuse = { operation: 'direct_capture', fault: 'refuse_connection', times: 1, provider: 'simulator_b' };
  const routing = async (order: Reply) => (await w.shop.read(textAt(order, 'order_id'))).at('transactions.0.routing');
  const named = async (fields: object = {}, card: object = {}) => {
    await w.shop.api('/sandbox/scenario', { body: refuse });
    return w.shop.pay(card, { merchant_contract: 'simulator_b', ...fields });
  };
  const elsewhere = await named();
  expect([elsewhere.code, elsewhere.at('payin_partner')]).toEqual(['955555', 'simulator']);
  await changeSettings(tools, account, { named_contract: 'only' });
  await inForce(w);
  const alone = await named();
  expect([alone.code, alone.at('payin_partner')]).toEqual(['420410', 'simulator_b']);
  const [{ id } = { id: '' }] = await w.sql<{ id: string }>(
    `SELECT encode(id, 'hex') AS id FROM payment.contracts WHERE name = 'simulator_b'`,
  );
  expect(await routing(alone)).toMatchObject({ version: 0, because: 'named', offered: [id] });
  // also where it is sent later, by somebody else: once the payer has authenticated
  const shown = { authentication_indicator: 'force_3ds', accept_url: 'https://shop.example/accept' };
  const asked = await named(shown, { card_number: '4000002760003184' });
  await authenticates(asked);
  const seen = await w.shop.decided(textAt(asked, 'order_id'));
  expect([seen.code, seen.at('payin_partner')]).toEqual(['420410', 'simulator_b']);
  // a name that is none, or none at all, asks for nothing
  const unknown = await w.shop.pay({}, { merchant_contract: 'another' });
  expect([unknown.at('payin_partner'), await routing(unknown)]).toEqual(['simulator', null]);
  // a trial makes the same of it
  const document = { rules: [{ name: 'all to a', then: { order: ['simulator'] } }] };
  const { draft } = await draftRoutes(tools, account, parseJson(JSON.stringify(document)));
  expect((await tryRoutes(tools, account, { draft })).defects).toBe(0);
});
