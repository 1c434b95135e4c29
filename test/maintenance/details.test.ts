// `detail` of a refused capture, refund or cancel (contract 2.5): the reason of this case with its amounts, and what to
// do.
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { textAt } from '../client.ts';
import { type LateApprovals, lateApprovals } from '../doubt/late-approvals.ts';
import { type Kind, type Till, NO_WAIT, UNDECIDED, cardFor, openTill } from './till.ts';

let till: Till;
let late: LateApprovals;
beforeAll(async () => {
  till = await openTill();
  late = lateApprovals(till.w);
});
afterEach(() => late.end());
afterAll(() => till[Symbol.asyncDispose]());

/** The detail of the refusal, of which the answer must be one. */
async function detail(kind: Kind, order_id: string, body: object = {}): Promise<string> {
  const reply = await till.maintain(kind, order_id, body);
  expect([reply.status, reply.at('status')]).toEqual([reply.status, reply.status]);
  expect(reply.status).toBeGreaterThanOrEqual(400);
  return textAt(reply, 'detail');
}

/** An order whose bank has not decided yet. */
async function undecided(operation_type: 'authorize' | 'direct_capture'): Promise<string> {
  const token = await till.shop.token({ card_number: UNDECIDED.authorize });
  const order = { token, operation_type, amount: '42.50', currency: 'EUR', order_merchant_id: `undecided ${token}` };
  return textAt(await till.shop.order(order, NO_WAIT), 'order_id');
}

describe('a capture is refused', () => {
  test('because everything is captured: what is left of what was authorized', async () => {
    expect(await detail('capture', await till.sell())).toBe(
      'everything captured already: 0.00 of 42.50 EUR is left to capture',
    );
    const in_yen = await till.sell({ amount: '4250', currency: 'JPY' });
    expect(await detail('capture', in_yen)).toBe('everything captured already: 0 of 4250 JPY is left to capture');
  });

  test('because the last capture released the rest: what was captured, and that it is not all', async () => {
    const order_id = await till.authorize();
    await till.maintain('capture', order_id, { amount: '27.50', final: true });
    expect(await detail('capture', order_id)).toBe(
      '27.50 of 42.50 EUR is captured, and the rest was released: nothing is left to capture',
    );
  });

  test('because it is above what is left, which is named', async () => {
    const order_id = await till.authorize();
    await till.maintain('capture', order_id, { amount: '12.50' });
    expect(await detail('capture', order_id, { amount: '30.01' })).toBe(
      'amount is above the capturable amount: 30.00 of 42.50 EUR is left to capture',
    );
  });

  test('because the same one is undecided, or its reference was used', async () => {
    const order_id = await till.authorize({}, UNDECIDED.capture);
    await till.maintain('capture', order_id, { amount: '5' }, NO_WAIT);
    expect(await detail('capture', order_id, { amount: '5' })).toBe(
      'an equal capture of 5.00 EUR is undecided: read the order for its outcome, or send an operation_merchant_id of its own',
    );
    expect(await detail('capture', order_id, { amount: '38' })).toBe(
      'amount is above the capturable amount: 37.50 of 42.50 EUR is left to capture, and 5.00 EUR is undecided',
    );
    const other = await till.authorize();
    await till.maintain('capture', other, { amount: '5', operation_merchant_id: 'a' });
    expect(await detail('capture', other, { amount: '6', operation_merchant_id: 'a' })).toBe(
      'this operation_merchant_id was used for an earlier capture of the order: send another one for a new capture',
    );
  });

  test('because an equal one is undecided, and another one of that amount is not left', async () => {
    const order_id = await till.authorize({}, UNDECIDED.capture);
    await till.maintain('capture', order_id, { amount: '40' }, NO_WAIT);
    expect(await detail('capture', order_id, { amount: '40' })).toBe(
      'an equal capture of 40.00 EUR is undecided: read the order for its outcome',
    );
  });

  test('because what is authorized is not known yet, which is not denied', async () => {
    expect(await detail('capture', await undecided('authorize'))).toBe(
      'whether anything is authorized is not known yet: the order is authorization_requested, read it for its outcome',
    );
    const declined = await till.authorize({}, '4000000000000002');
    await late.approvedLate(declined);
    expect(await detail('capture', declined)).toBe(
      'whether anything is authorized is not known yet: the order is authorization_declined, read it until is_in_doubt is false',
    );
  });

  test('because nothing is authorized: why', async () => {
    const declined = await till.authorize({}, '4000000000009995');
    expect(await detail('capture', declined)).toBe(
      'nothing is authorized: the order is authorization_declined, and only an authorized order can be captured',
    );
    const cancelled = await till.authorize();
    await till.maintain('cancel', cancelled);
    expect(await detail('capture', cancelled)).toBe(
      'nothing is authorized: the order is authorization_cancelled, and only an authorized order can be captured',
    );
  });

  test('by the provider: who refused, and what that leaves', async () => {
    const order_id = await till.authorize({}, cardFor('521288'));
    expect(await detail('capture', order_id)).toBe(
      'capture declined by the acquirer; 42.50 of 42.50 EUR is left to capture',
    );
  });
});

describe('a refund is refused', () => {
  test('because nothing is captured', async () => {
    expect(await detail('refund', await till.authorize())).toBe(
      'nothing is captured: the order is authorization_successful, and only captured money can be refunded',
    );
  });

  test('because what is captured is not known yet, which is not denied', async () => {
    const unknown = 'whether anything is captured is not known yet: the order is';
    expect(await detail('refund', await undecided('direct_capture'))).toBe(
      `${unknown} authorization_requested, read it for its outcome`,
    );
    const capturing = await till.authorize({}, UNDECIDED.capture);
    await till.maintain('capture', capturing, { amount: '40' }, NO_WAIT);
    expect(await detail('refund', capturing)).toBe(`${unknown} capture_requested, read it for its outcome`);
    const declined = await till.sell({}, '4000000000000002');
    await late.approvedLate(declined);
    expect(await detail('refund', declined)).toBe(
      `${unknown} authorization_declined, read it until is_in_doubt is false`,
    );
    // without a capture nobody can have captured anything, whatever becomes of the authorization
    expect(await detail('refund', await undecided('authorize'))).toBe(
      'nothing is captured: the order is authorization_requested, and only captured money can be refunded',
    );
  });

  test('because an equal one is undecided: another one is advised only where that much is left', async () => {
    const order_id = await till.sell({}, UNDECIDED.refund);
    await till.maintain('refund', order_id, { amount: '20' }, NO_WAIT);
    expect(await detail('refund', order_id, { amount: '20' })).toBe(
      'an equal refund of 20.00 EUR is undecided: read the order for its outcome, or send an operation_merchant_id of its own',
    );
    expect(await detail('refund', order_id, { amount: '30' })).toBe(
      'amount is above the refundable amount: 22.50 of 42.50 EUR is left to refund, and 20.00 EUR is undecided',
    );
    const whole = await till.sell({}, UNDECIDED.refund);
    await till.maintain('refund', whole, {}, NO_WAIT);
    expect(await detail('refund', whole)).toBe(
      'an equal refund of 42.50 EUR is undecided: read the order for its outcome',
    );
  });

  test('because everything is refunded, or it is above what is left', async () => {
    const order_id = await till.sell();
    await till.maintain('refund', order_id, { amount: '11.30' });
    expect(await detail('refund', order_id, { amount: '31.21' })).toBe(
      'amount is above the refundable amount: 31.20 of 42.50 EUR is left to refund',
    );
    await till.maintain('refund', order_id);
    expect(await detail('refund', order_id)).toBe('everything refunded already: 0.00 of 42.50 EUR is left to refund');
  });

  test('because no single capture covers it: the largest that does', async () => {
    const order_id = await till.authorize();
    await till.maintain('capture', order_id, { amount: '20' });
    await till.maintain('capture', order_id, { amount: '22.50' });
    expect(await detail('refund', order_id, { amount: '30' })).toBe(
      'amount is above the refundable amount of every single capture: at most 22.50 EUR can be refunded at once',
    );
  });
});

describe('a cancel is refused', () => {
  test('because money was captured: refund it', async () => {
    expect(await detail('cancel', await till.sell())).toBe(
      'captured already (42.50 of 42.50 EUR): send a refund instead',
    );
  });

  test('because it is cancelled, or there is nothing to cancel', async () => {
    const order_id = await till.authorize();
    await till.maintain('cancel', order_id);
    expect(await detail('cancel', order_id)).toBe('the authorization is cancelled already: nothing is left to do');
    const declined = await till.authorize({}, '4000000000009995');
    expect(await detail('cancel', declined)).toBe(
      'nothing to cancel: the order is authorization_declined, and no money is held',
    );
  });

  test('because the order is declined, and what its bank holds all the same is being released', async () => {
    const declined = await till.authorize({}, '4000000000000002');
    await late.approvedLate(declined);
    expect(await detail('cancel', declined)).toBe(
      'nothing to cancel: the order is authorization_declined, and what may be held is being released; read it until is_in_doubt is false',
    );
    await late.end();
    expect(await detail('cancel', declined)).toBe(
      'nothing to cancel: the order is authorization_declined, and no money is held',
    );
  });
});
