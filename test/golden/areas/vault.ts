// Tokens: what a card becomes, what is refused, saved cards, tokens of partners.
import { GOOD_CARD } from '../../client.ts';
import type { Area } from '../stage.ts';

export const vault: Area = {
  name: 'vault',
  play: async ({ shop, title, scene }) => {
    const token = (body: unknown, more: object = {}) => shop.vault('/token', { body, ...more });
    title('A card becomes a token');
    await token(GOOD_CARD);
    await token({
      ...GOOD_CARD,
      card_number: '5555 5555-5555 4444',
      card_validity_month: 1,
      card_validity_year: '34',
      cardholder_name: 'Zoë',
    });
    await token({ ...GOOD_CARD, card_number: '378282246310005', cvc: '1234' });
    await token({ ...GOOD_CARD, card_number: '4000002500001001', customer_scheme_name: 'cb' });
    await token({ ...GOOD_CARD, card_number: '6759649826438453', cvc: null });
    await token({ ...GOOD_CARD, token_type: 'recurring' });
    await token({ ...GOOD_CARD, token_type: 'recurring' });
    await token({ ...GOOD_CARD, cvc: undefined }, { key: shop.keys.private_key });
    const checkout_id = await scene.aside(() => shop.checkout());
    await token({ ...GOOD_CARD, checkout_id });

    title('A page asks from its own origin');
    await token(GOOD_CARD, { headers: { origin: 'https://shop.example' } });
    await shop.vault('/token', {
      method: 'OPTIONS',
      key: null,
      headers: {
        origin: 'https://shop.example',
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'content-type,x-api-key',
      },
    });

    title('Repeated under one key');
    const headers = { 'idempotency-key': 'token-1' };
    await token(GOOD_CARD, { headers });
    await token(GOOD_CARD, { headers });
    await token({ ...GOOD_CARD, cvc: '321' }, { headers });

    title('Refused');
    await token({});
    await token({ ...GOOD_CARD, card_number: '4242424242424241' });
    await token({ ...GOOD_CARD, card_number: '42424242' });
    await token({ ...GOOD_CARD, card_validity_year: '2020' });
    await token({ ...GOOD_CARD, card_validity_month: '13', cvc: '12', token_type: 'gold' });
    await token({ ...GOOD_CARD, cvc: undefined });
    await token({ ...GOOD_CARD, card_number: 4242424242424242 });
    await token({ ...GOOD_CARD, card_number: '9999999999999995' });
    await token({ ...GOOD_CARD, checkout_id: 'ffffffffffffffffffffffff' });
    await token({ ...GOOD_CARD, no_such: true });
    await token('[');

    title('A saved card gets its security code again');
    const saved = await scene.aside(() => shop.token({ token_type: 'recurring' }));
    await token({ token: saved, cvc: '123' });
    await token({ token: saved, cvc: '123', checkout_id });
    await token({ token: saved });
    await token({ token: 'f'.repeat(64), cvc: '123' });

    title('A token of a partner');
    const partner = {
      token_kind: 'psp_token',
      psp_token: 'tok_1881',
      partner: 'simulator',
      payment_method_name: 'visa',
    };
    const key = shop.keys.private_key;
    await token(partner, { key });
    await token({ ...partner, psp_customer_id: 'cus_1', card_6_digits: '424242', card_4_digits: '4242' }, { key });
    await token(partner);
    await token({ ...partner, partner: 'nobody' }, { key });
    await token({ token_kind: 'psp_token' }, { key });
  },
};
