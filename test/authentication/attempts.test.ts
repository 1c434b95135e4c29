// An order that was tried again (contract 7.4): what was said of the payer belongs to the attempt it was said of.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Reply, textAt } from '../client.ts';
import { type World, world } from '../world.ts';

let w: World;
beforeAll(async () => {
  w = await world();
});
afterAll(() => w[Symbol.asyncDispose]());

const CHALLENGE = { card_number: '4000002760003184' };
const DECLINED = { card_number: '4000000000000341' };
const FORCE = { authentication_indicator: 'force_3ds' };
const OUTSIDE = { eci: '05', cavv: 'AAABBEg0VhI0VniQEjRWAAAAAAA=', pares_status: 'Y', version: '2.2.0', x_id: 'x1' };

/** Another attempt of an order, with another card. */
async function retry(order: Reply, card: object, fields: object = {}): Promise<Reply> {
  return w.shop.api(`/payment/order/${textAt(order, 'order_id')}`, {
    ...{ method: 'PUT', body: { token: await w.shop.token(card), ...fields } },
    headers: { prefer: 'wait=10' },
  });
}

describe('an authentication made elsewhere', () => {
  test('is of the card it came with: another card is authenticated anew', async () => {
    const declined = await w.shop.pay(DECLINED, { ...FORCE, '3ds_data': OUTSIDE });
    expect([declined.code, declined.at('authentication_result')]).toEqual(['420188', 'success']);
    const again = await retry(declined, CHALLENGE);
    expect([again.at('status'), again.at('is_authenticated'), again.at('authentication_result')]).toEqual([
      'authentication_requested',
      false,
      '',
    ]);
  });

  test('is never claimed for an attempt without it', async () => {
    const declined = await w.shop.pay(DECLINED, { '3ds_data': OUTSIDE });
    const again = await retry(declined, {}, { authentication_indicator: 'no_3ds' });
    expect([again.code, again.at('is_authenticated'), again.at('authentication_result')]).toEqual([
      '955555',
      false,
      '',
    ]);
  });

  test('that comes with the new card is said of that attempt alone', async () => {
    const declined = await w.shop.pay(DECLINED);
    const again = await retry(declined, CHALLENGE, { ...FORCE, '3ds_data': OUTSIDE });
    expect([again.code, again.at('is_authenticated'), again.at('authentication_result')]).toEqual([
      '955555',
      true,
      'success',
    ]);
    const read = await w.shop.read(textAt(again, 'order_id'));
    expect(read.at('transactions')).toMatchObject([
      { authentication_result: null, is_authenticated: false },
      { authentication_result: 'success', is_authenticated: true },
    ]);
  });
});

test('an exemption is accepted by the issuer that approved, not by the one that declined', async () => {
  const declined = await w.shop.pay(DECLINED, { sca_exemption_reason: 'low_value' });
  const read = await w.shop.read(textAt(await retry(declined, {}), 'order_id'));
  expect(read.at('transactions')).toMatchObject([
    { authentication_result: null },
    { authentication_result: 'accepted' },
  ]);
});
