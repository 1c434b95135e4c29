// One of every statement on declines, for the test that looks at each.
import { guardOfOwn } from '../../src/payment/declines/guard.ts';
import {
  findCardOf,
  findDeclines,
  findHeld,
  findHeldBack,
  forgetDeclines,
  updateAcceptor,
  countDataDeclines,
} from '../../src/payment/declines/store.ts';
import { SHIPPED } from '../../src/core/retries/caps.ts';
import { insertCaps } from '../../src/payment/declines/caps-store.ts';
import { findAcceptors, insertPastDeclines, liftPastStops } from '../../src/payment/declines/import/store.ts';
import { textAt } from '../client.ts';
import type { World } from '../world.ts';

export async function everyDeclinesStatement({ service: { tools, demo }, shop }: World): Promise<void> {
  const merchant_account_id = demo?.merchant_account_id ?? '';
  const db = tools.db.tenant(merchant_account_id);
  const declined = { card_number: '4000000000009995', token_type: 'recurring' };
  const order = textAt(await shop.pay(declined, { payment_channel: 'recurring' }), 'order_id');
  const body = { token: await shop.token(declined) };
  await shop.api(`/payment/order/${order}`, { method: 'PUT', body, headers: { prefer: 'wait=10' } });
  // the issuer wants to see the payer: another try of the same attempt, which asks for no guard
  await shop.pay({ card_number: '4000000000003220' });
  // a capture that its provider declines
  const held = await shop.pay({ card_number: '4000009902000010' }, { operation_type: 'authorize' });
  await shop.api(`/payment/maintenance/capture/${textAt(held, 'order_id')}`, { body: {} });
  const card = (await findCardOf(db, { merchant_account_id, id: order })) ?? '';
  await findDeclines(db, card);
  await findHeldBack(db, { since: new Date(0), room: 1 });
  await countDataDeclines(tools.db, 60);
  await forgetDeclines(tools.db, 1);
  await findAcceptors(db);
  await insertCaps(tools.db, { ...SHIPPED, version: 1, by_name: 'ada', note: 'x' });
  await tools.caps.look(tools.db);
  await insertPastDeclines(db, []);
  await liftPastStops(db, []);
  await updateAcceptor(db, merchant_account_id, 'nobody');
  const trying = { scheme: 'visa', exp_month: null, exp_year: null, amount_minor: 1n, currency: 'EUR' };
  const guard = guardOfOwn({ ...trying, card, initiator: 'm', limitsOn: tools.caps.limitsOn });
  if (!guard) throw new Error('a card is counted');
  await findHeld(db, { merchant_account_id, contract_id: null }, { guard, at: new Date() });
}
