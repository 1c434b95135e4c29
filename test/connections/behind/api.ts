// Requests of the API that read or write something after what they ask for is committed.
import { systemChance, systemClock } from '../../../src/kit/clock.ts';
import { demoPayload } from '../../../src/vault/wallet/sandbox/demo-payload.ts';
import { GOOD_CARD, textAt } from '../../client.ts';
import { type At, type Change, fresh } from './desk.ts';

export function changesOfApi(at: At): readonly Change[] {
  return [...payments(at), ...tokens(at)];
}

const AUTHORIZED = { operation_type: 'authorize' };

function payments(at: At): readonly Change[] {
  const shop = () => at().w.shop;
  return [
    [
      'an order with 3-D Secure',
      async () => {
        const order = { ...AUTHORIZED, amount: '25.00', currency: 'EUR', order_merchant_id: fresh('order') };
        const body = { ...order, token: await shop().token(), authentication_indicator: 'force_3ds' };
        return () => shop().order(body);
      },
      'accept_plain_order',
    ],
    [
      'a capture',
      async () => {
        const order_id = await at().paid(AUTHORIZED);
        return () => shop().api(`/payment/maintenance/capture/${order_id}`, { body: { amount: '5.00' } });
      },
      'accept_operation',
    ],
    [
      'a test of an endpoint',
      async () => {
        const made = await shop().api('/notification/endpoint', { body: { url: 'http://127.0.0.1:9/x' } });
        const path = `/notification/endpoint/${textAt(made, 'endpoint._id')}/test`;
        return () => shop().api(path, { method: 'POST', body: {} });
      },
      'insert_test_notification',
    ],
    [
      'a move of the clock',
      async () => () => shop().api('/sandbox/clock/advance', { body: { seconds: 1 } }),
      'leave_wheel',
    ],
  ];
}

/** With the digits that are typed only, or the cryptogram, in the database: they are kept behind the card. */
function tokens(at: At): readonly Change[] {
  const chance = systemChance(systemClock());
  const cryptogram = () => chance.bytes(20).toString('base64');
  const of = (what: string, body: () => object, key?: () => string): Change => [
    what,
    async () => {
      const request = { body: body(), ...(key && { key: key() }) };
      return () => at().w.shop.vault('/token', request);
    },
    'store_card',
  ];
  const { card_number: number, cvc: _, ...card } = GOOD_CARD;
  const paid = () => ({ number, cryptogram: cryptogram(), amount_minor: 4250n, currency: 'EUR', now: new Date() });
  return [
    of('a token', () => GOOD_CARD),
    of(
      'a network token',
      () => ({ ...card, card_number: number, token_kind: 'network_token', cryptogram: cryptogram(), eci: '07' }),
      () => at().w.keys.private_key,
    ),
    of('the card of a wallet', () => ({
      token_kind: 'google_pay',
      wallet_payload: demoPayload('google_pay', paid(), chance),
    })),
  ];
}
