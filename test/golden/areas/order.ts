// Orders: paid at once and through a checkout, declined, tried again, repeated, refused, listed and read.
import { GOOD_CARD } from '../../client.ts';
import { UNDECIDED } from '../../maintenance/till.ts';
import { type Area, said } from '../stage.ts';

const SALE = { operation_type: 'direct_capture', amount: '25.00', currency: 'EUR', order_merchant_id: 'order' };

export const order: Area = {
  name: 'order',
  play: async ({ shop, title, pay, paid, scene, settled, pass }) => {
    const token = (card?: object) => scene.aside(() => shop.token(card));
    const retry = (id: string, body: object, headers = {}) =>
      shop.api(`/payment/order/${id}`, { method: 'PUT', body, headers: { prefer: 'wait=20', ...headers } });

    title('A sale and an authorization');
    const sale = await pay('sale');
    await shop.read(said(sale, 'order_id'));
    const held = await pay('hold', {}, { operation_type: 'authorize', amount: 1881, currency: 'JPY' });
    await shop.read(said(held, 'order_id'));

    title('Without waiting for the bank');
    const soon = await shop.order({ token: await token(), ...SALE, order_merchant_id: 'soon' }, { prefer: 'wait=0' });
    await settled(said(soon, 'order_id'), (read) => read.at('status') === 'capture_successful');

    title('The older path, and a body with everything');
    await shop.api('/order/create', {
      body: { token: await token(), ...SALE, order_merchant_id: 'older' },
      headers: { prefer: 'wait=20' },
    });
    const full = await pay('full', '5555555555554444', {
      customer_id: 'grace',
      customer_email: 'grace@mail.example',
      customer_first_name: 'Grace',
      customer_last_name: 'Hopper',
      customer_ip: '203.0.113.7',
      customer_country: 'FR',
      shipping_address_country: 'DE',
      payment_channel: 'moto',
      merchant_data: [{ key: 'campaign', value: 7 }],
      airline_data: { passenger: 'Hopper', legs: [{ from: 'CDG', to: 'JFK' }] },
      giftcard_used: true,
      giftcard_amount: '5.00',
      giftcard_number: 'gift-1',
    });
    await shop.read(said(full, 'order_id'));

    title('Declined, and tried again with other cards until no attempt is left');
    const declined = await pay('declined', '4000000000009995');
    const id = said(declined, 'order_id');
    await shop.read(id);
    await retry(id, { token: await token({ card_number: '4000000000000002' }) });
    await retry(id, { token: await token(), amount: '1.00' });
    await retry(id, { token: await token({ card_number: '4000000000000069' }) });
    await retry(id, { token: await token() });
    await shop.read(id);
    const second = said(await pay('second-card', '4000000000000127'), 'order_id');
    const again = { 'idempotency-key': 'retry-1' };
    const other = await token();
    await retry(second, { token: other }, again);
    await retry(second, { token: other }, again);
    await retry(second, { token: await token() }, again);
    await retry(second, { token: await token() });
    await shop.read(second);
    await retry('ffffffffffffffffffffffff', { token: await token() });
    await retry(second, {});
    await retry(second, { token: 'x', amount: 'much', currency: 'EURO' });

    title('The same key, the same token');
    const key = { 'idempotency-key': 'order-1', prefer: 'wait=20' };
    const once = await token();
    await shop.order({ token: once, ...SALE, order_merchant_id: 'once' }, key);
    await shop.order({ token: once, ...SALE, order_merchant_id: 'once' }, key);
    await shop.order({ token: once, ...SALE, order_merchant_id: 'other' }, key);
    await shop.order({ token: once, ...SALE, order_merchant_id: 'once' }, { prefer: 'wait=20' });
    await shop.order({ token: once, ...SALE, order_merchant_id: 'once', amount: '26.00' });

    title('Through a checkout, which takes one payment that succeeds');
    const checkout_id = await scene.aside(() => shop.checkout({ max_attempts: 2 }));
    const bound = await token({ checkout_id, card_number: '4000000000009987' });
    await shop.order({ checkout_id, token: bound }, { prefer: 'wait=20' });
    await shop.order({ checkout_id, token: await token({ checkout_id }) }, { prefer: 'wait=20' });
    await shop.vault('/token', { body: { ...GOOD_CARD, checkout_id } });
    await shop.order({ checkout_id, token: await token() }, { prefer: 'wait=20' });
    await shop.api(`/payment/checkout/${checkout_id}`);
    const elsewhere = await scene.aside(() => shop.checkout());
    await shop.order({ checkout_id, token: await token({ checkout_id: elsewhere }) });
    await shop.order({ checkout_id: elsewhere, token: await token(), amount: '1.00', currency: 'USD' });

    title('While one is under way');
    const busy_id = await scene.aside(() => shop.checkout());
    const busy = await shop.order(
      { checkout_id: busy_id, token: await token({ card_number: UNDECIDED.authorize }) },
      { prefer: 'wait=0' },
    );
    await shop.order({ checkout_id: busy_id, token: await token() });
    await retry(said(busy, 'order_id'), { token: await token() });
    await pass(120);
    await settled(said(busy, 'order_id'), (read) => read.at('status') !== 'authorization_requested');

    title('Refused');
    await shop.order({});
    await shop.order({ token: 'f'.repeat(64), ...SALE });
    await shop.order({
      token: 'nonsense',
      operation_type: 'gift',
      amount: '-1',
      currency: 'EUR',
      order_merchant_id: 'x'.repeat(300),
    });
    await shop.order({ token: await token(), ...SALE, amount: '0.001', giftcard_amount: '1.005' });
    await shop.order({ checkout_id: 'ffffffffffffffffffffffff', token: await token() });
    await shop.order({ token: await token(), ...SALE, payment_method_name: 'cheque' });
    await shop.order({ token: await token(), ...SALE, merchant_contract: 'nobody' });
    await shop.order({ token: await token(), ...SALE, '3ds_data': { cavv: 'x'.repeat(65) }, airline_data: 'none' });
    const old = await token();
    await pass(16 * 60);
    await shop.order({ token: old, ...SALE });

    title('Later tries of an order that has none');
    // those that are planned depend on the day on which this is played
    await shop.api(`/payment/order/${id}/retry`, { method: 'DELETE' });

    title('Unknown');
    await shop.read('ffffffffffffffffffffffff');
    await shop.read('nonsense');
    await shop.api('/payment/order/ffffffffffffffffffffffff/retry', { method: 'DELETE' });

    title('Listed');
    for (let n = 1; n <= 3; n++) await paid(`listed-${n}`, {}, { customer_id: 'ada', currency: 'USD' });
    const page = await shop.api('/payment/order?currency=USD&limit=2');
    await shop.api(`/payment/order?currency=USD&limit=2&cursor=${said(page, 'next_cursor')}`);
    await shop.api('/payment/order?order_merchant_id=listed-2');
    await shop.api('/payment/order?customer_id=ada&status=capture_successful&limit=1');
    await shop.api(`/payment/order?checkout_id=${checkout_id}`);
    await shop.api('/payment/order?payin_partner=simulator_b');
    await shop.api('/payment/order?created_from=2020-01-01T00:00:00Z&created_to=2020-01-02T00:00:00Z');
    await shop.api('/payment/order?limit=0&status=lost&cursor=none&currency=EURO');
    await shop.api('/payment/order?cursor=AAAA');
  },
};
