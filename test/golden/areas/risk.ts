// Risk: rules of every kind, lists, cards that are refused by themselves; what a merchant reads of it.
import { publish, putOnList } from '../../risk/till.ts';
import { type Area, said } from '../stage.ts';

export const risk: Area = {
  name: 'risk',
  play: async ({ w, shop, title, pay, scene }) => {
    const rules = async (list: readonly object[]) => {
      const version = await scene.aside(() => publish(w, list));
      scene.stable.name(shop.keys.private_key, '{private}');
      scene.note(`\nrules, version ${version}: ${JSON.stringify(list)}`);
    };
    title('Cards that are refused, or marked, by themselves');
    await pay('blocked', '4100000000000019');
    const marked = await pay('marked', '4000000000004954');
    await shop.read(said(marked, 'order_id'));
    await pay('marked-less', '4000000000009235');

    title('Attempts that are counted');
    await rules([
      { name: 'two a card', kind: 'velocity', subject: 'card', limit: 2, window_s: 3600 },
      {
        name: 'much money',
        kind: 'velocity',
        subject: 'email',
        measure: 'amount',
        amount: '100.00',
        currency: 'EUR',
        window_s: 3600,
        action: 'mark',
      },
    ]);
    const by = { customer_email: 'ada@mail.example' };
    await pay('count-1', {}, by);
    await pay('count-2', {}, { ...by, amount: '90.00' });
    const over = await pay('count-3', {}, { ...by, amount: '90.00' });
    await shop.read(said(over, 'order_id'));

    title('What an order says');
    await rules([
      { name: 'large', kind: 'amount', above: '500.00', currency: 'EUR' },
      {
        name: 'elsewhere',
        kind: 'mismatch',
        one: 'customer_country',
        other: 'shipping_address_country',
        action: 'mark',
      },
      { name: 'refused land', kind: 'country', of: 'customer_country', refused: ['US'] },
      { name: 'slow', kind: 'field', of: 'device_type', values: ['watch'] },
      { name: 'own tool', kind: 'tool', key: 'score', values: ['bad'] },
      { name: 'own check', kind: 'check', key: 'stock', values: ['none'] },
    ]);
    await pay('large', {}, { amount: '501.00' });
    const elsewhere = await pay('elsewhere', {}, { customer_country: 'FR', shipping_address_country: 'DE' });
    await shop.read(said(elsewhere, 'order_id'));
    await pay('land', {}, { customer_country: 'US' });
    await pay('slow', {}, { device_type: 'watch' });
    await pay('tool', {}, { merchant_data: [{ key: 'score', value: 'bad' }] });
    await pay('check', {}, { merchant_data: [{ key: 'stock', value: 'none' }] });
    await pay('fine', {}, { customer_country: 'FR', shipping_address_country: 'FR' });

    title('Lists');
    await rules([]);
    for (const [kind, value] of [
      ['email', 'eve@mail.example'],
      ['email_domain', 'bad.example'],
      ['ip', '203.0.113.0/24'],
      ['bin', '555555'],
      ['customer', 'mallory'],
    ] as const)
      await scene.aside(() => putOnList(w, { verdict: 'block', kind, value }));
    await rules([]);
    await pay('list-email', {}, { customer_email: 'eve@mail.example' });
    await pay('list-domain', {}, { customer_email: 'any@bad.example' });
    await pay('list-ip', {}, { customer_ip: '203.0.113.9' });
    await pay('list-bin', '5555555555554444');
    await pay('list-customer', {}, { customer_id: 'mallory' });
    await pay('list-none', {}, { customer_id: 'ada', customer_ip: '192.0.2.1' });
  },
};
