// Customers: what is known of them, their saved cards, payments with those, subscriptions, removal.
import { GOOD_CARD } from '../../client.ts';
import { type Area, said } from '../stage.ts';

const SAVES = { token_type: 'recurring', payment_channel: 'e-commerce' };
const MONTHLY = { payment_channel: 'recurring', token_type: 'recurring', operation_type: 'direct_capture' };

export const customers: Area = {
  name: 'customers',
  play: async ({ shop, title, pay, scene, server, pass }) => {
    const read = (id: string) => shop.api(`/payment/information/${encodeURIComponent(id)}`);
    const remove = (body: unknown, headers = {}) =>
      shop.api('/payment/information/id', { method: 'DELETE', body, headers: { version: '2.3.0', ...headers } });
    const save = async (reference: string, customer_id: string, card: object = {}) => {
      const token = await scene.aside(() => shop.token({ token_type: 'recurring', ...card }));
      await pay(reference, {}, { token, customer_id, ...SAVES });
      return token;
    };
    await shop.api('/notification/endpoint', { body: { url: server.url, events: ['customer.updated'] } });

    title('Known from a checkout');
    await shop.checkout({
      customer_id: 'grace é/?',
      customer_ip: '203.0.113.7',
      customer_browser_info_language: 'fr-FR',
      customer_browser_info_color_depth: 24,
    });
    await read('grace é/?');

    title('Saved cards');
    const first = await save('first', 'ada');
    await save('second', 'ada', { card_number: '5555555555554444', cardholder_name: 'Ada' });
    await save('same card again', 'ada');
    await read('ada');
    await shop.checkout({ customer_id: 'ada' });
    await shop.api('/payment/checkout', {
      body: {
        type: 'api',
        operation_type: 'authorize',
        amount: 5,
        currency: 'EUR',
        order_merchant_id: 'seen',
        customer_id: 'ada',
      },
    });

    title('Paid with a saved card, with and without its code');
    await pay('again', {}, { token: first, customer_id: 'ada' });
    const again = await shop.vault('/token', { body: { token: first, cvc: '123' } });
    await pay('with code', {}, { token: said(again, 'token'), customer_id: 'ada' });
    await pay('of another', {}, { token: first, customer_id: 'grace é/?' });

    title('A subscription');
    const started = await shop.api('/payment/checkout', {
      body: {
        type: 'api',
        amount: '5.00',
        currency: 'EUR',
        order_merchant_id: 'monthly',
        customer_id: 'hedy',
        ...MONTHLY,
      },
    });
    const token = await scene.aside(() => shop.token({ token_type: 'recurring' }));
    const checkout_id = said(started, 'checkout.checkout_id');
    await shop.order({ checkout_id, token }, { prefer: 'wait=20' });
    const subscription_id = said(started, 'checkout.subscription_id');
    for (const month of [1, 2]) {
      await pass(30 * 86_400);
      const paid = await pay(`month ${month}`, {}, { token, subscription_id, payment_channel: 'recurring' });
      await shop.read(said(paid, 'order_id'));
    }
    await pay('first id', {}, { token, subscription_first_id: subscription_id, payment_channel: 'recurring' });
    await pay('no subscription', {}, { token, payment_channel: 'recurring' });
    await pay('unknown subscription', {}, { token, subscription_id: 'f'.repeat(24), payment_channel: 'recurring' });
    await shop.api(`/sandbox/provider/books?order_merchant_id=${encodeURIComponent('month 2')}`);

    title('A card that must be authenticated once');
    const careful = await scene.aside(() => shop.token({ token_type: 'recurring', card_number: '4000002500003155' }));
    await pay('careful', {}, { token: careful, customer_id: 'careful', ...SAVES, authentication_indicator: 'ask_3ds' });

    title('Removed');
    const known = await read('ada');
    await remove({ customer_id: 'ada', id: said(known, 'payment_methods_saved.0.id') });
    await scene.hears(server, 1);
    await remove({ customer_id: 'ada', token: first });
    await remove({ customer_id: 'ada' }, { 'idempotency-key': 'removal-1' });
    await remove({ customer_id: 'ada' }, { 'idempotency-key': 'removal-1' });
    await remove({ customer_id: 'ada', token: 'f'.repeat(64) });
    await read('ada');
    await pay('removed', {}, { token: first, customer_id: 'ada' });

    title('Refused and unknown');
    await read('nobody');
    await remove({ customer_id: 'nobody' });
    await remove({});
    await remove({ customer_id: 'ada', id: 'x', token: 'y' });
    await shop.api('/payment/information/id');
    await shop.api('/payment/information/a%00b');
    await shop.api(`/payment/information/${'x'.repeat(600)}`);
    await shop.vault('/token', { body: { ...GOOD_CARD, token_type: 'recurring' } });
  },
};
