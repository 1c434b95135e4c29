// PayPal's own library drives our simulator: its types, its tokens, its reading of answers. It knows two addresses
// only, so its agent is given a way of its own.
import { Agent } from 'node:https';
import { connect } from 'node:net';
import {
  ApiError,
  CheckoutPaymentIntent,
  Client,
  Environment,
  OrdersController,
  PaymentsController,
} from '@paypal/paypal-server-sdk';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CHALLENGE, type Played, playPaypal } from './played.ts';

let played: Played;
beforeAll(async () => {
  played = await playPaypal();
});
afterAll(() => played.close());

/** Whatever host it means, the simulator answers. */
class Way extends Agent {
  override createConnection() {
    return connect(Number(new URL(played.url).port), '127.0.0.1');
  }
}

function sdkOf(account = 'sdk') {
  const client = new Client({
    environment: Environment.Sandbox,
    clientCredentialsAuthCredentials: { oAuthClientId: `client_${account}`, oAuthClientSecret: `secret_${account}` },
    httpClientOptions: { httpsAgent: new Way() },
  });
  return { orders: new OrdersController(client), payments: new PaymentsController(client) };
}

const FULL = { prefer: 'return=representation' } as const;
const GOOD = '4032037064388131';
const euros = (value: string) => ({ currencyCode: 'EUR', value });

/** An order with a card on it. */
async function ordered(number: string, intent = CheckoutPaymentIntent.Authorize, paypalRequestId?: string) {
  const { orders } = sdkOf();
  const purchaseUnits = [{ customId: 'cart-1', amount: euros('25.00') }];
  const made = await orders.createOrder({
    ...FULL,
    ...(paypalRequestId !== undefined && { paypalRequestId }),
    body: { intent, purchaseUnits },
  });
  const id = made.result.id ?? '';
  const card = { number, expiry: '2034-12', securityCode: '123', name: 'Zoë' };
  const experienceContext = { returnUrl: 'https://pay.example/', cancelUrl: 'https://pay.example/' };
  const paymentSource = { card: { ...card, experienceContext } };
  const confirmed = await orders.confirmOrder({ ...FULL, id, body: { paymentSource } });
  return { id, created: made.result.status, confirmed: confirmed.result };
}

async function held(number = GOOD): Promise<{ readonly id: string; readonly authorization: string }> {
  const { id } = await ordered(number);
  const { result } = await sdkOf().orders.authorizeOrder({ ...FULL, id, body: {} });
  return { id, authorization: result.purchaseUnits?.[0]?.payments?.authorizations?.[0]?.id ?? '' };
}

/** What it throws of a refusal: the status, and the issue that the body names. */
async function refusalOf(call: Promise<unknown>): Promise<readonly [number, string | undefined]> {
  const error: unknown = await call.catch((thrown: unknown) => thrown);
  if (!(error instanceof ApiError)) throw new Error(`it was not refused: ${String(error)}`);
  const body = typeof error.body === 'string' ? error.body : '';
  return [error.statusCode, /"issue":"(\w+)"/.exec(body)?.[1]];
}

describe('what PayPal’s library does with our simulator', () => {
  test('an empty order, a card on it, a hold, a capture of a part, a refund, and the rest is voided', async () => {
    const { orders, payments } = sdkOf();
    const { id, created, confirmed } = await ordered(GOOD);
    expect([created, confirmed.status]).toEqual(['CREATED', 'APPROVED']);
    const { result } = await orders.authorizeOrder({ ...FULL, id, body: {} });
    const hold = result.purchaseUnits?.[0]?.payments?.authorizations?.[0];
    expect([result.status, hold?.status, hold?.amount]).toMatchObject(['COMPLETED', 'CREATED', euros('25.00')]);
    const authorizationId = hold?.id ?? '';
    const part = { amount: euros('10.00'), finalCapture: false, invoiceId: 'i-1' };
    const { result: capture } = await payments.captureAuthorizedPayment({ ...FULL, authorizationId, body: part });
    expect(capture).toMatchObject({ status: 'COMPLETED', amount: euros('10.00'), invoiceId: 'i-1' });
    const captureId = capture.id ?? '';
    const back = { amount: euros('4.00'), customId: 'r-1' };
    const { result: refund } = await payments.refundCapturedPayment({ ...FULL, captureId, body: back });
    expect(refund).toMatchObject({ status: 'COMPLETED', amount: euros('4.00'), customId: 'r-1' });
    const looks = await Promise.all([
      orders.getOrder({ id }),
      payments.getAuthorizedPayment({ authorizationId }),
      payments.getCapturedPayment({ captureId }),
      payments.getRefund({ refundId: refund.id ?? '' }),
    ]);
    expect(looks.map(({ result: { status } }) => status)).toEqual([
      'COMPLETED',
      'PARTIALLY_CAPTURED',
      'PARTIALLY_REFUNDED',
      'COMPLETED',
    ]);
    const voided = await payments.voidPayment({ ...FULL, authorizationId });
    expect(voided.result?.status).toBe('VOIDED');
  });

  test('a sale is captured at once', async () => {
    const { id } = await ordered(GOOD, CheckoutPaymentIntent.Capture);
    const { result } = await sdkOf().orders.captureOrder({ ...FULL, id, body: {} });
    expect(result.purchaseUnits?.[0]?.payments?.captures?.[0]).toMatchObject({ status: 'COMPLETED' });
  });

  test('the payer is asked for where the bank wants to see the payer', async () => {
    const { confirmed } = await ordered(CHALLENGE);
    const rels = confirmed.links?.map(({ rel }) => rel);
    expect([confirmed.status, rels]).toEqual(['PAYER_ACTION_REQUIRED', expect.arrayContaining(['payer-action'])]);
  });

  test('a refusal is an error of its own, with the issue', async () => {
    const { payments } = sdkOf();
    const { authorization: authorizationId } = await held();
    const body = { amount: euros('25.01') };
    expect(await refusalOf(payments.captureAuthorizedPayment({ authorizationId, body }))).toEqual([
      422,
      'MAX_CAPTURE_AMOUNT_EXCEEDED',
    ]);
    await payments.voidPayment({ authorizationId });
    expect(await refusalOf(payments.captureAuthorizedPayment({ authorizationId }))).toEqual([
      422,
      'AUTHORIZATION_VOIDED',
    ]);
    // of another account nothing is there
    expect((await refusalOf(sdkOf('other').payments.getAuthorizedPayment({ authorizationId })))[0]).toBe(404);
  });

  test('a repeat under the request id is the same order', async () => {
    const first = await ordered(GOOD, CheckoutPaymentIntent.Authorize, 'one-and-the-same');
    const { orders } = sdkOf();
    const purchaseUnits = [{ customId: 'cart-1', amount: euros('25.00') }];
    const body = { intent: CheckoutPaymentIntent.Authorize, purchaseUnits };
    const again = await orders.createOrder({ ...FULL, paypalRequestId: 'one-and-the-same', body });
    expect(again.result.id).toBe(first.id);
  });

  test('a client that is not known gets no token', async () => {
    await expect(sdkOf('invalid').orders.getOrder({ id: 'ANY' })).rejects.toMatchObject({ statusCode: 401 });
  });
});
