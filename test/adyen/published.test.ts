// Witnesses from outside: Adyen's published examples through `read` and `open`, its official library against the
// simulator, its checker of signatures against ours, and the vector that it publishes.
import { createHmac } from 'node:crypto';
import AdyenLibrary from '@adyen/api-library';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { adyen } from '../../src/provider/adyen/adyen.ts';
import { open } from '../../src/provider/adyen/messages.ts';
import { referenceOf } from '../../src/provider/adyen/reference.ts';
import type { StepName } from '../../src/provider/adyen/steps.ts';
import type { Facts } from '../../src/provider/contract.ts';
import { factsOf } from './facts.ts';
import { forward } from './library.ts';
import { HERE, answerProblems, examplesOf, messageProblems, requestProblems } from './specification.ts';
import { ACCOUNT, type World, isProved, openWorld, problems } from './wire.ts';

const { CheckoutAPI, Client, EnvironmentEnum, hmacValidator: HmacValidator } = AdyenLibrary;
const bytes = (value: unknown) => Buffer.from(JSON.stringify(value));

/** An example repeats the reference that it was asked with: here it is the reference of our operation. */
const underOurs = (value: unknown, facts: Facts): unknown =>
  typeof value === 'object' && value !== null && 'reference' in value
    ? { ...value, reference: referenceOf(facts, facts.operation_id) }
    : value;

describe.skipIf(!HERE)('the published examples (skipped without the specification)', () => {
  const checkout = HERE ? examplesOf('checkout') : [];
  const messages = HERE ? examplesOf('webhooks') : [];

  test('there are as many as were counted, and each is as its own schema has it', () => {
    expect([checkout.length, messages.length]).toEqual([107, 21]);
    const wrong = checkout
      .filter(({ path }) => path in STEP_OF)
      .flatMap(({ name, path, status, value }) => {
        const found = status === null ? requestProblems(path, value) : answerProblems(path, status, value);
        return found.map((one) => `${name}: ${one}`);
      });
    expect(wrong).toEqual([]);
    expect(messages.flatMap(({ value }) => messageProblems(value))).toEqual([]);
  });

  test('none is misread: each answer says what it says', () => {
    const read = checkout
      .filter(({ path, status }) => path in STEP_OF && status !== null)
      .map(({ name, path, status, value }) => {
        const [step, kind] = STEP_OF[path] ?? ['payments', 'authorize'];
        const facts = factsOf(kind);
        const ours = underOurs(value, facts);
        const outcome = adyen.read(step, { status: status ?? 0, body: bytes(ours) }, facts, {});
        return `${path} ${name} ${status}: ${outcome.kind}${outcome.kind === 'declined' ? ` ${outcome.result}` : ''}`;
      });
    expect(read.toSorted()).toMatchInlineSnapshot(`
      [
        "/cancels cancel-with-own-reference 201: pending",
        "/cancels generic 400: unknown",
        "/cancels generic 401: unknown",
        "/cancels generic 403: unknown",
        "/cancels generic 422: unknown",
        "/cancels generic 500: unknown",
        "/payments card-3d-secure-2-web 200: pending",
        "/payments card-3d-secure-redirect 200: payer_must_act",
        "/payments card-direct 200: approved",
        "/payments card-securedfields 200: approved",
        "/payments enableOneClick-SF 200: approved",
        "/payments generic 400: declined integration_error",
        "/payments generic 401: declined provider_credentials_invalid",
        "/payments generic 403: declined provider_rights_missing",
        "/payments generic 422: declined integration_error",
        "/payments generic 500: unknown",
        "/payments ideal 200: payer_must_act",
        "/payments on-demand-top-up-from-transfer-instrument 200: approved",
        "/payments on-demand-top-up-visa 200: approved",
        "/payments split-balanceplatform 200: approved",
        "/payments subscription-first-transaction 200: approved",
        "/payments/details 00.redirect 200: unknown",
        "/payments/details generic 400: unknown",
        "/payments/details generic 401: unknown",
        "/payments/details generic 403: unknown",
        "/payments/details generic 422: unknown",
        "/payments/details generic 500: unknown",
        "/payments/{paymentPspReference}/cancels cancel-with-psp-reference 201: pending",
        "/payments/{paymentPspReference}/cancels generic 400: declined cancel_declined",
        "/payments/{paymentPspReference}/cancels generic 401: declined provider_credentials_invalid",
        "/payments/{paymentPspReference}/cancels generic 403: declined provider_rights_missing",
        "/payments/{paymentPspReference}/cancels generic 422: declined cancel_declined",
        "/payments/{paymentPspReference}/cancels generic 500: unknown",
        "/payments/{paymentPspReference}/captures capture 201: pending",
        "/payments/{paymentPspReference}/captures generic 400: declined capture_declined",
        "/payments/{paymentPspReference}/captures generic 401: declined provider_credentials_invalid",
        "/payments/{paymentPspReference}/captures generic 403: declined provider_rights_missing",
        "/payments/{paymentPspReference}/captures generic 422: declined capture_declined",
        "/payments/{paymentPspReference}/captures generic 500: unknown",
        "/payments/{paymentPspReference}/captures split-balanceplatform 201: pending",
        "/payments/{paymentPspReference}/captures split-classic 201: pending",
        "/payments/{paymentPspReference}/refunds generic 400: declined refund_declined",
        "/payments/{paymentPspReference}/refunds generic 401: declined provider_credentials_invalid",
        "/payments/{paymentPspReference}/refunds generic 403: declined provider_rights_missing",
        "/payments/{paymentPspReference}/refunds generic 422: declined refund_declined",
        "/payments/{paymentPspReference}/refunds generic 500: unknown",
        "/payments/{paymentPspReference}/refunds refund 201: pending",
      ]
    `);
  });

  test('every answer is read at every step without a throw, and a request is no approval', () => {
    for (const { value, status } of checkout) {
      for (const step of Object.keys(adyen.steps)) {
        for (const kind of ['authorize', 'capture', 'refund', 'cancel', 'reversal'] as const) {
          const outcome = adyen.read(step, { status: status ?? 200, body: bytes(value) }, factsOf(kind), {});
          if (status === null) expect(outcome.kind).toBe('unknown');
        }
      }
    }
  });

  test('every message is opened as it is meant', () => {
    const news = messages.map(({ path, value }) => {
      const [notice] = open(bytes(value));
      const kind = notice?.news.kind;
      return `${path} ${notice?.match?.kind ?? 'nothing'}: ${kind}`;
    });
    expect(news).toMatchInlineSnapshot(`
      [
        "/AUTHORISATION authorize: approved",
        "/AUTHORISATION_ADJUSTMENT nothing: not_understood",
        "/CANCELLATION cancel: approved",
        "/CANCEL_OR_REFUND cancel: not_understood",
        "/CAPTURE capture: approved",
        "/CAPTURE_FAILED capture: corrected",
        "/CHARGEBACK capture: dispute",
        "/CHARGEBACK_REVERSED capture: dispute",
        "/EXPIRE authorize: lapsed",
        "/NOTIFICATION_OF_CHARGEBACK capture: nothing",
        "/NOTIFICATION_OF_FRAUD nothing: not_understood",
        "/RECURRING_CONTRACT nothing: nothing",
        "/REFUND refund: declined",
        "/REFUND_FAILED refund: corrected",
        "/REFUNDED_REVERSED refund: corrected",
        "/REPORT_AVAILABLE nothing: nothing",
        "/REQUEST_FOR_INFORMATION nothing: not_understood",
        "/SECOND_CHARGEBACK capture: dispute",
        "/TECHNICAL_CANCEL reversal: reversed",
        "/MANUAL_REVIEW_ACCEPT nothing: not_understood",
        "/MANUAL_REVIEW_REJECT nothing: not_understood",
      ]
    `);
  });
});

/** Steps of ours by the paths of theirs. */
const STEP_OF: Readonly<
  Record<string, readonly [StepName, 'authorize' | 'capture' | 'refund' | 'cancel' | 'reversal']>
> = {
  '/payments': ['payments', 'authorize'],
  '/payments/details': ['details', 'authorize'],
  '/payments/{paymentPspReference}/captures': ['captures', 'capture'],
  '/payments/{paymentPspReference}/refunds': ['refunds', 'refund'],
  '/payments/{paymentPspReference}/cancels': ['cancels', 'cancel'],
  '/cancels': ['cancel_by_reference', 'reversal'],
};

describe('signatures', () => {
  const vector = {
    pspReference: '7914073381342284',
    merchantAccountCode: 'TestMerchant',
    merchantReference: 'TestPayment-1407325143704',
    amount: { value: 1130, currency: 'EUR' },
    eventCode: 'AUTHORISATION',
    success: 'true',
    additionalData: { hmacSignature: 'coqCmt/IZ4E3CzPvMY8zTjQVL5hYJUiBRg8UU+iCWo0=' },
  };
  const messageOf = (item: object) => bytes({ live: 'false', notificationItems: [{ NotificationRequestItem: item }] });
  const proofOf = (item: object) => {
    const [notice] = open(messageOf(item));
    if (notice === undefined) throw new Error('no notice');
    return notice.proof;
  };

  test('the published vector is proved, and nothing near it', () => {
    expect(isProved(proofOf(vector), ACCOUNT.hmac_key)).toBe(true);
    expect(isProved(proofOf(vector), 'ff'.repeat(32))).toBe(false);
    const spoilt = [
      { ...vector, pspReference: '7914073381342285' },
      { ...vector, originalReference: '7914073381342285' },
      { ...vector, merchantAccountCode: 'OtherMerchant' },
      { ...vector, merchantReference: 'TestPayment-1407325143705' },
      { ...vector, amount: { value: 1131, currency: 'EUR' } },
      { ...vector, amount: { value: 1130, currency: 'USD' } },
      { ...vector, eventCode: 'CAPTURE' },
      { ...vector, success: 'false' },
      { ...vector, additionalData: {} },
      { ...vector, additionalData: { hmacSignature: 'doqCmt/IZ4E3CzPvMY8zTjQVL5hYJUiBRg8UU+iCWo0=' } },
    ];
    expect(spoilt.map((item) => isProved(proofOf(item), ACCOUNT.hmac_key))).toEqual(spoilt.map(() => false));
  });

  test('what the official library signs is proved, and it takes what the recipe signs', () => {
    const validator = new HmacValidator();
    const item = { ...vector, originalReference: '8313547924770610', merchantReference: 'ä:b-c', additionalData: {} };
    const signed = validator.calculateHmac(item as never, ACCOUNT.hmac_key);
    const proof = proofOf({ ...item, additionalData: { hmacSignature: signed } });
    expect(isProved(proof, ACCOUNT.hmac_key)).toBe(true);
    const own = createHmac('sha256', Buffer.from(ACCOUNT.hmac_key, 'hex'))
      .update(proof.kind === 'hmac' ? proof.over : '')
      .digest('base64');
    expect(validator.validateHMAC({ ...item, additionalData: { hmacSignature: own } } as never, ACCOUNT.hmac_key)).toBe(
      true,
    );
  });
});

describe('the official library drives the simulator', () => {
  let world: World;
  let api: InstanceType<typeof CheckoutAPI>;
  beforeAll(async () => {
    world = await openWorld();
    const client = new Client({ apiKey: ACCOUNT.api_key, environment: EnvironmentEnum.TEST });
    client.httpClient = { request: forward(world) };
    api = new CheckoutAPI(client);
  });
  afterAll(() => world.close());

  const { merchant_account: merchantAccount } = ACCOUNT;
  const amount = { currency: 'EUR', value: 1000 };
  const card = { type: 'scheme', number: '4111111111111111', expiryMonth: '03', expiryYear: '2030', cvc: '737' };
  const asked = (given: object = {}) =>
    ({
      merchantAccount,
      amount,
      reference: 'library-1',
      returnUrl: 'https://shop.example/',
      paymentMethod: card,
      additionalData: { manualCapture: 'true' },
      ...given,
    }) as never;

  test('a payment, its captures, refunds and cancellations, and what is told of them', async () => {
    const paid = await api.PaymentsApi.payments(asked());
    expect(paid).toMatchObject({ resultCode: 'Authorised', merchantReference: 'library-1', amount });
    const of = paid.pspReference ?? '';
    const change = { merchantAccount, amount, reference: 'change' };
    const capture = await api.ModificationsApi.captureAuthorisedPayment(of, change);
    expect(capture).toMatchObject({ status: 'received', paymentPspReference: of, amount });
    expect((await world.books()).payments.at(-1)).toMatchObject({ captured: 0 });
    await world.control('work');
    expect((await world.books()).payments.at(-1)).toMatchObject({ captured: 1000 });
    expect(await api.ModificationsApi.refundCapturedPayment(of, change)).toMatchObject({ status: 'received' });
    expect(await api.ModificationsApi.cancelAuthorisedPaymentByPspReference(of, { merchantAccount })).toMatchObject({
      status: 'received',
    });
    expect(await api.ModificationsApi.refundOrCancelPayment(of, { merchantAccount })).toMatchObject({
      status: 'received',
    });
    const undone = await api.ModificationsApi.cancelAuthorisedPayment({
      merchantAccount,
      paymentReference: 'library-1',
    });
    expect(undone).toMatchObject({ status: 'received', paymentReference: 'library-1' });
    await world.control('work');
    await world.control('deliver');
    const validator = new HmacValidator();
    const items = world.bodies.flatMap(
      (body) => (JSON.parse(body) as { notificationItems: { NotificationRequestItem: never }[] }).notificationItems,
    );
    expect(items.map(({ NotificationRequestItem: item }) => validator.validateHMAC(item, ACCOUNT.hmac_key))).toEqual(
      items.map(() => true),
    );
    expect(world.notices.map(({ news, match }) => `${match?.kind} ${news.kind}`)).toEqual([
      'authorize approved',
      'capture approved',
      'refund approved',
      'cancel declined',
      'cancel not_understood',
      'reversal not_found',
    ]);
    expect(problems).toEqual([]);
  });

  test('the payer goes to the bank and comes back', async () => {
    const paid = await api.PaymentsApi.payments(
      asked({
        reference: 'library-2',
        shopperInteraction: 'Ecommerce',
        paymentMethod: { ...card, number: '4212345678910006' },
      }),
    );
    expect(paid).toMatchObject({ resultCode: 'RedirectShopper', action: { type: 'redirect', method: 'GET' } });
    const url = (paid.action as { readonly url: string }).url;
    expect(await (await fetch(url)).text()).toContain('Authenticate');
    const back = await fetch(`${url}/answer`, {
      method: 'POST',
      body: new URLSearchParams({ said: 'passed' }),
      redirect: 'manual',
    });
    const redirectResult = new URL(back.headers.get('location') ?? '').searchParams.get('redirectResult') ?? '';
    expect(await api.PaymentsApi.paymentsDetails({ details: { redirectResult } })).toMatchObject({
      resultCode: 'Authorised',
    });
  });

  test('a key stands for one request: repeated it is answered as before, with another body it is refused', async () => {
    const options = { idempotencyKey: 'one-key' };
    const first = await api.PaymentsApi.payments(asked({ reference: 'library-3' }), options);
    expect(await api.PaymentsApi.payments(asked({ reference: 'library-3' }), options)).toEqual(first);
    await expect(api.PaymentsApi.payments(asked({ reference: 'library-4' }), options)).rejects.toThrow('704');
    expect((await world.books()).payments.filter(({ reference }) => /library-[34]/.test(reference))).toHaveLength(1);
  });

  test('wrong credentials and a foreign account are turned away', async () => {
    await expect(api.PaymentsApi.payments(asked({ merchantAccount: 'Other' }))).rejects.toThrow('901');
    const client = new Client({ apiKey: 'wrong', environment: EnvironmentEnum.TEST });
    client.httpClient = { request: forward(world) };
    await expect(new CheckoutAPI(client).PaymentsApi.payments(asked())).rejects.toThrow('401');
  });
});
