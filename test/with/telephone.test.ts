// A card by telephone (channel moto) at every provider, through the public API: it is sent as each protocol names it,
// and not as a payment that the merchant makes alone.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { textAt } from '../client.ts';
import { type World, world } from '../world.ts';

let w: World;
beforeAll(async () => {
  w = await world({ FLORIN_WITH: 'stripe,adyen,iso8583,paypal' });
});
afterAll(() => w[Symbol.asyncDispose]());

type Rows = Readonly<Record<string, readonly Readonly<Record<string, unknown>>[]>>;

async function booksOf(name: string): Promise<Rows> {
  const answer = await fetch(`${w.service.simulators?.get(name)?.control_url}/control/books`);
  return (await answer.json()) as Rows;
}

async function paidAt(
  name: string,
  given: { readonly card?: string; readonly channel?: string } = {},
): Promise<string> {
  const { card = '4111111111111111', channel = 'moto' } = given;
  const reply = await w.shop.pay(
    { card_number: card },
    {
      merchant_contract: name,
      payment_channel: channel,
      operation_type: 'authorize',
      order_merchant_id: `call-${name}`,
    },
  );
  const order_id = textAt(reply, 'order_id');
  const order = await w.shop.decided(order_id);
  expect([order.at('status'), order.at('payin_partner')], order.text).toEqual(['authorization_successful', name]);
  return order_id;
}

test('Stripe learns it with the confirmation', async () => {
  const order_id = await paidAt('stripe', { card: '4242424242424242' });
  const { intents = [], moto = [] } = await booksOf('stripe');
  const intent = intents.find(({ metadata }) => (metadata as { readonly order_id: string }).order_id === order_id);
  expect(moto).toContain(intent?.['id']);
});

test('Adyen learns how the shopper takes part', async () => {
  const order_id = await paidAt('adyen');
  const { payments = [] } = await booksOf('adyen');
  expect(payments.find(({ reference }) => String(reference).startsWith(order_id))).toMatchObject({
    interaction: 'Moto',
  });
});

test('an acquirer learns it by fields 22 and 25, also with what follows', async () => {
  const order_id = await paidAt('iso8583');
  const captured = await w.shop.api(`/payment/maintenance/capture/${order_id}`, { body: {} });
  expect(captured.status, captured.text).toBeLessThan(300);
  const { entries = [] } = await booksOf('iso8583');
  expect(entries.at(-1)).toMatchObject({ entry: '010', condition: '08' });
  await paidAt('iso8583', { channel: 'e-commerce' });
  expect((await booksOf('iso8583'))['entries']?.at(-1)).toMatchObject({ entry: '810', condition: '59' });
});

test('PayPal has no word for it: that the payer said the card follows from what is left out', async () => {
  await paidAt('paypal', { card: '4032037064388131' });
});
