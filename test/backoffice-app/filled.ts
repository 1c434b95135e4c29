// Something to see on every page of the back office, and where it stands.
import { textAt, until } from '../client.ts';
import type { Person } from '../backoffice/person.ts';
import type { World } from '../world.ts';

/** Makes it; answers the address of a page in which ORDER, LINK or DISPUTE stands. */
export async function filled(w: World, owner: Person): Promise<(path: string) => string> {
  const fields = { customer_id: 'grace', customer_email: 'grace@mail.example', operation_type: 'direct_capture' };
  const first = await w.shop.pay({}, { ...fields, amount: '193.00', order_merchant_id: 'cart-shown' });
  const shown = first.text.match(/"order_id":"([0-9a-f]{24})"/)?.[1] ?? '';
  await w.shop.decided(shown);
  await w.shop.api(`/payment/maintenance/refund/${shown}`, { body: { amount: '20.00' } });
  const body = { usage: 'many', amount: '12.00', currency: 'EUR', order_merchant_id: 'stand' };
  const shared = textAt(await w.shop.api('/payment/link', { body }), 'link.link_id');
  for (const [i, card_number] of [
    '4000000000000002',
    '4000000000009995',
    '5555555555554444',
    '4242424242424242',
  ].entries())
    await w.shop.pay({ card_number }, { ...fields, amount: `${i + 1}0.00`, order_merchant_id: `cart-${i}` });
  // captured, and a day later disputed
  const taken = await w.shop.pay(
    { card_number: '4000000000000259' },
    { ...fields, amount: '25.00', order_merchant_id: 'cart-disputed' },
  );
  await w.shop.decided(textAt(taken, 'order_id'));
  await w.shop.api('/sandbox/clock/advance', { body: { seconds: 86_460 } });
  const disputed = await until(
    async () => (await owner.get('/api/disputes')).text.match(/"id":"([0-9a-f]{24})"/)?.[1],
    20,
  );
  return (path) => path.replace('ORDER', shown).replace('DISPUTE', disputed).replace('LINK', shared);
}
