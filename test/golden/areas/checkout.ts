// Checkouts: made, read, repeated, refused, expired, paid.
import { CHECKOUT } from '../../client.ts';
import { type Area, said } from '../stage.ts';

const EVERYTHING = {
  ...CHECKOUT,
  type: 'hosted_page',
  operation_type: 'direct_capture',
  amount: 11.3,
  currency: 'eur',
  order_merchant_id: 'cart-full',
  payment_channel: 'e-commerce',
  token_type: 'oneshot',
  accept_url: 'https://shop.example/accept?n=1',
  decline_url: 'https://shop.example/decline',
  pending_url: 'https://shop.example/pending',
  cancel_url: 'https://shop.example/cancel',
  exception_url: 'https://shop.example/exception',
  locale: 'fr_FR',
  customer_id: 'grace',
  customer_email: 'grace@mail.example',
  customer_first_name: 'Grace',
  customer_last_name: 'Hopper',
  customer_ip: '203.0.113.7',
  authentication_indicator: 'ask_3ds',
  max_attempts: 2,
  merchant_data: [{ key: 'campaign', value: true }],
  customer_country: 'fr',
  order_tax_amount: 1.3,
};

export const checkout: Area = {
  name: 'checkout',
  play: async ({ shop, title, pass, scene }) => {
    const make = (body: unknown, headers: Record<string, string> = {}) =>
      shop.api('/payment/checkout', { body, headers });
    title('A checkout is made and read');
    const plain = await make(CHECKOUT);
    const id = said(plain, 'checkout.checkout_id');
    await shop.api(`/payment/checkout/${id}`);
    await make({ ...CHECKOUT, amount: 2500, currency: 'JPY', order_merchant_id: 'yen' });
    await make({ ...CHECKOUT, amount: '1.234', currency: 'KWD', order_merchant_id: 'dinar' });

    title('With every field that a shop usually sends');
    const full = await make(EVERYTHING);
    await shop.api(`/payment/checkout/${said(full, 'checkout.checkout_id')}`);
    for (const type of ['hosted_fields', 'mobile_sdk', 'qrcode', 'mail_to_pay'])
      await make({ ...CHECKOUT, type, order_merchant_id: `of-type-${type}` });
    await make({ ...CHECKOUT, operation_type: 'direct_capture', payment_channel: 'moto', order_merchant_id: 'moto' });
    await make({
      ...CHECKOUT,
      payment_channel: 'recurring',
      token_type: 'recurring',
      order_merchant_id: 'subscription',
    });

    title('The same key: the same checkout, and another body is refused');
    const key = { 'idempotency-key': 'checkout-1' };
    await make({ ...CHECKOUT, order_merchant_id: 'once' }, key);
    await make({ ...CHECKOUT, order_merchant_id: 'once' }, key);
    await make({ ...CHECKOUT, order_merchant_id: 'another' }, key);
    await make({ ...CHECKOUT, order_merchant_id: 'once', amount: -1 }, key);
    await make(CHECKOUT, { 'idempotency-key': ' ' });

    title('Refused: every problem at once');
    await make({});
    await make({ type: 'letter', operation_type: 'gift', amount: '11.305', currency: 'EUR', order_merchant_id: '' });
    await make({ ...CHECKOUT, amount: 0 });
    await make({ ...CHECKOUT, amount: '1e3', currency: 'XXX' });
    await make({ ...CHECKOUT, amount: '2500.5', currency: 'JPY' });
    await make({
      ...CHECKOUT,
      order_merchant_id: 'x'.repeat(256),
      accept_url: 'ftp://shop.example',
      customer_email: 'nobody',
    });
    await make({ ...CHECKOUT, locale: 'klingon', customer_ip: '300.1.1.1', max_attempts: 99 });
    await make({ ...CHECKOUT, expiration_date: '2020-01-01T00:00:00Z' });
    await make({ ...CHECKOUT, expiration_date: 'tomorrow' });
    await make({ ...CHECKOUT, no_such_field: 1 });
    await make([]);
    await make('{"type":"api","type":"api"}');
    await make('{');

    title('Unknown');
    await shop.api('/payment/checkout/ffffffffffffffffffffffff');
    await shop.api('/payment/checkout/nonsense');
    await shop.api('/payment/checkout/');

    title('Paid: it shows its order, and takes no second payment');
    const token = await scene.aside(() => shop.token({ checkout_id: id }));
    await shop.order({ checkout_id: id, token }, { prefer: 'wait=20' });
    await shop.api(`/payment/checkout/${id}`);
    await shop.order({ checkout_id: id, token: await scene.aside(() => shop.token()) });

    title('A payment link: made, listed, read, with its orders, and ended');
    const body = { amount: '5.00', currency: 'EUR', order_merchant_id: 'linked' };
    const made = said(await shop.api('/payment/link', { body }), 'link.link_id');
    await shop.api('/payment/link', { body: { amount: '5.001', min_amount: '1', currency: 'EURO', uses: 'x' } });
    await shop.api('/payment/link?limit=1');
    await shop.api(`/payment/link/${made}`);
    await shop.api(`/payment/link/${made}/order`);
    await shop.api(`/payment/link/${made}`, { body: { status: 'ended' } });
    await shop.api(`/payment/link/${made}`, { body: { status: 'active' } });
    await shop.api(`/payment/link/${'f'.repeat(24)}`);

    title('Expired');
    const short = said(
      await scene.aside(() => make({ ...CHECKOUT, order_merchant_id: 'late' })),
      'checkout.checkout_id',
    );
    await pass(16 * 60);
    await shop.api(`/payment/checkout/${short}`);
    await shop.order({ checkout_id: short, token: await scene.aside(() => shop.token()) });
  },
};
