// Our Stripe against a simulated one over real sockets, and both against what Stripe publishes: everything that was
// said here, by our folder, by the official SDK and by the simulator, is held against the specification at the end.
import { Stripe } from 'stripe';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Outcome } from '../../src/provider/contract.ts';
import { about, after, factsOf, go, run, type Ran } from '../providers/driver.ts';
import { type Exchange, type Played, playStripe } from './played.ts';
import { HAS_SPECIFICATION, readSpecification } from './specification.ts';

let played: Played;
beforeAll(async () => {
  played = await playStripe();
});
afterAll(() => played.close());

const outcomeOf = async (ran: Promise<Ran>): Promise<Outcome | undefined> => (await ran).outcome;
const resultOf = (outcome: Outcome | undefined) => (outcome?.kind === 'declined' ? outcome.result : outcome?.kind);

type Shown = { id: string; status: string; amount: number; [name: string]: unknown };
type Books = Record<'intents' | 'charges' | 'refunds' | 'disputes', Shown[]>;
const booksOf = async ({ facts }: Ran) => (await played.ask('POST books', { order_id: facts.order_id })) as Books;
const intentOf = async (ran: Ran): Promise<Shown> => {
  const found = (await booksOf(ran)).intents.find(({ id }) => id === ran.reference);
  if (found === undefined) throw new Error(`there is no ${ran.reference}`);
  return found;
};

/** What stands of an order at the provider. */
async function standing(ran: Ran): Promise<{ held: number; captured: number; refunded: number; tries: number }> {
  const { intents, charges } = await booksOf(ran);
  const paid = charges.filter((charge) => charge['paid'] === true);
  const sum = (list: Shown[], name: string) => list.reduce((total, one) => total + Number(one[name]), 0);
  return {
    held: sum(intents, 'amount_capturable'),
    captured: sum(intents, 'amount_received'),
    refunded: sum(
      paid.filter(({ captured }) => captured === true),
      'amount_refunded',
    ),
    tries: paid.length,
  };
}

describe('what an operation does', () => {
  test('an authorization makes an empty intent, a payment method by the vault, and confirms: the money is held', async () => {
    const ran = await run(played.wire(), factsOf('authorize'));
    expect(ran.steps).toEqual(['shell', 'card', 'confirm']);
    expect(ran.outcome).toMatchObject({
      kind: 'approved',
      reference: ran.kept['intent'],
      our_reference: ran.facts.operation_id,
      amount_minor: 4250n,
      currency: 'EUR',
      captured: false,
      risk_score: 20,
    });
    expect(await standing(ran)).toEqual({ held: 4250, captured: 0, refunded: 0, tries: 1 });
  });

  test('a sale is captured in the same step', async () => {
    const ran = await run(played.wire(), factsOf('authorize', { with_capture: true }));
    expect(ran.outcome).toMatchObject({ kind: 'approved', captured: true, amount_minor: 4250n });
    expect(await standing(ran)).toMatchObject({ held: 0, captured: 4250 });
  });

  test('a capture of a part releases the rest, and a second one is refused', async () => {
    const paid = await run(played.wire(), factsOf('authorize'));
    const capture = await run(played.wire(), after(paid, 'capture', { amount_minor: 4000n }));
    expect(capture.outcome).toMatchObject({ kind: 'approved', amount_minor: 4000n, our_reference: null });
    expect(await standing(paid)).toMatchObject({ held: 0, captured: 4000 });
    const second = await outcomeOf(run(played.wire(), after(paid, 'capture', { amount_minor: 250n })));
    expect(resultOf(second)).toBe('provider_capture_already_done');
  });

  test('refunds in parts, above what is left, and of nothing that is left', async () => {
    const paid = await run(played.wire(), factsOf('authorize', { with_capture: true }));
    const refund = (amount_minor: bigint) =>
      outcomeOf(run(played.wire(), after(paid, 'refund', { amount_minor, refund_reason: 'duplicate' })));
    expect(await refund(1000n)).toMatchObject({ kind: 'approved', amount_minor: 1000n });
    expect(resultOf(await refund(3251n))).toBe('provider_refund_above_captured');
    expect(await refund(3250n)).toMatchObject({ kind: 'approved' });
    expect(resultOf(await refund(1n))).toBe('provider_refund_already_done');
    expect(await standing(paid)).toMatchObject({ captured: 4250, refunded: 4250 });
  });

  test('a cancel releases; then nothing more can be done', async () => {
    const paid = await run(played.wire(), factsOf('authorize'));
    const cancel = () => outcomeOf(run(played.wire(), after(paid, 'cancel')));
    expect(await cancel()).toMatchObject({ kind: 'approved', amount_minor: 4250n });
    expect(resultOf(await cancel())).toBe('issuer_cancel_already_done');
    expect(resultOf(await outcomeOf(run(played.wire(), after(paid, 'capture'))))).toBe('capture_unavailable');
    expect(resultOf(await outcomeOf(run(played.wire(), after(paid, 'refund'))))).toBe('refund_declined');
  });

  test('captured money is not cancelled', async () => {
    const paid = await run(played.wire(), factsOf('authorize', { with_capture: true }));
    expect(resultOf(await outcomeOf(run(played.wire(), after(paid, 'cancel'))))).toBe('issuer_cancel_after_capture');
  });

  test('more than was held is not captured', async () => {
    const paid = await run(played.wire(), factsOf('authorize'));
    const outcome = await outcomeOf(run(played.wire(), after(paid, 'capture', { amount_minor: 4251n })));
    expect(resultOf(outcome)).toBe('provider_capture_above_authorization');
  });

  test('a reversal releases what is held, pays back what was captured meanwhile, and closes an empty intent', async () => {
    const held = await run(played.wire(), factsOf('authorize'));
    expect(await outcomeOf(run(played.wire(), about(held, 'reversal')))).toMatchObject({
      kind: 'reversed',
      our_reference: held.facts.operation_id,
    });
    const sold = await run(played.wire(), factsOf('authorize', { with_capture: true }));
    const undone = await run(played.wire(), about(sold, 'reversal'));
    expect(undone).toMatchObject({ steps: ['cancel', 'undo'], outcome: { kind: 'reversed' } });
    expect(await standing(sold)).toMatchObject({ captured: 4250, refunded: 4250 });
    expect(await outcomeOf(run(played.wire(), about(sold, 'reversal')))).toMatchObject({ kind: 'reversed' });
    const empty = await run(played.wire(), factsOf('authorize'), { dies: { step: 'card', when: 'before' } });
    expect(await outcomeOf(run(played.wire(), about(empty, 'reversal')))).toMatchObject({ kind: 'reversed' });
    expect((await intentOf(empty)).status).toBe('canceled');
  });

  test('an undo that is only taken is asked for by its own reference', async () => {
    const sold = await run(played.wire('4000000000007726'), factsOf('authorize', { with_capture: true }));
    const undone = await run(played.wire(), about(sold, 'reversal'));
    expect(undone.outcome).toMatchObject({ kind: 'pending' });
    const look = await run(played.wire(), about(undone, 'inquiry'));
    expect(look).toMatchObject({ steps: ['refunds'], outcome: { kind: 'pending' } });
    await played.ask('POST refunds/status', { refund: undone.reference, status: 'succeeded' });
    expect(await outcomeOf(run(played.wire(), about(undone, 'inquiry')))).toMatchObject({ kind: 'reversed' });
  });

  test('a refund that is pending ends later, and is asked for by its id', async () => {
    const sold = await run(played.wire('4000000000007726'), factsOf('authorize', { with_capture: true }));
    const refund = await run(played.wire(), after(sold, 'refund', { amount_minor: 50n }));
    expect(refund.outcome).toMatchObject({ kind: 'pending', reference: expect.stringMatching(/^re_/) });
    const look = () => run(played.wire(), about(refund, 'inquiry'));
    expect(await look()).toMatchObject({ steps: ['refund_by_id'], outcome: { kind: 'pending' } });
    await played.ask('POST refunds/status', { refund: refund.reference, status: 'failed' });
    expect(resultOf((await look()).outcome)).toBe('refund_declined');
  });

  test.each([
    ['JPY', 4250n, 4250],
    ['KWD', 4250n, 4250],
    ['ISK', 42n, 4200],
    ['UGX', 42n, 4200],
    ['MGA', 4200n, 42],
    ['HUF', 4250n, 4250],
  ])('%s is counted as Stripe counts it, and read as we do', async (currency, amount_minor, theirs) => {
    const ran = await run(played.wire(), factsOf('authorize', { currency, amount_minor }));
    expect((await intentOf(ran)).amount).toBe(theirs);
    expect(ran.outcome).toMatchObject({ kind: 'approved', amount_minor, currency });
  });

  test.each([
    ['4000000000000002', 'issuer_declined'],
    ['4000000000009995', 'funds_insufficient'],
    ['4000000000009987', 'card_lost'],
    ['4000000000009979', 'card_stolen'],
    ['4000000000000069', 'card_expired'],
    ['4000000000000127', 'card_data_invalid'],
    ['4000000000000119', 'authorization_declined'],
    ['4000000000006975', 'limit_reached'],
    ['4100000000000019', 'issuer_risk_refused_final'],
  ])('card %s ends %s, in the answer and when it is asked later', async (number, result) => {
    const ran = await run(played.wire(number), factsOf('authorize'));
    expect(resultOf(ran.outcome)).toBe(result);
    expect(resultOf(await outcomeOf(run(played.wire(), about(ran, 'inquiry'))))).toBe(result);
    expect(await standing(ran)).toMatchObject({ held: 0, captured: 0 });
  });

  test('wrong card data are refused before any money step', async () => {
    const ran = await run(played.wire('4242424242424241'), factsOf('authorize'));
    expect(ran).toMatchObject({ steps: ['shell', 'card'], money_sent: false });
    expect(resultOf(ran.outcome)).toBe('card_number_invalid');
    const old = played.wire('4242424242424242', { 'card.expiry_year': '2020' });
    expect(resultOf(await outcomeOf(run(old, factsOf('authorize'))))).toBe('card_data_invalid');
  });

  test('a card without a code or a holder is sent without them', async () => {
    const { 'card.cvc?': _, 'card.holder?': __, ...values } = played.wire().values;
    const ran = await run({ ...played.wire(), values }, factsOf('authorize'));
    expect(ran.outcome).toMatchObject({ kind: 'approved' });
  });

  test('an authorization that is still processed is pending, and is found done later', async () => {
    await played.ask('POST outcomes', { outcome: 'processing' });
    const ran = await run(played.wire(), factsOf('authorize'));
    expect(ran.outcome).toMatchObject({ kind: 'pending', reference: ran.reference });
    await played.ask('POST clock', { advance_s: 60 });
    expect(await outcomeOf(run(played.wire(), about(ran, 'inquiry')))).toMatchObject({ kind: 'approved' });
  });

  test('the payer’s brand is the one that is paid by', async () => {
    const ran = await run(played.wire('4000002500001001'), factsOf('authorize', { scheme: 'cb' }));
    const { charges } = await booksOf(ran);
    const charge = charges.find(({ payment_intent }) => payment_intent === ran.reference);
    expect(charge).toMatchObject({ payment_method_details: { card: { network: 'cartes_bancaires', brand: 'visa' } } });
  });

  test('a hold that nobody captured has lapsed, whoever asks', async () => {
    const paid = await run(played.wire(), factsOf('authorize'));
    await played.ask('POST clock', { advance_s: 7 * 86_400 });
    expect(resultOf(await outcomeOf(run(played.wire(), after(paid, 'capture'))))).toBe('capture_after_lapse');
    expect(resultOf(await outcomeOf(run(played.wire(), after(paid, 'cancel'))))).toBe('issuer_cancel_after_lapse');
    const capture = { ...paid, facts: after(paid, 'capture'), reference: null };
    expect(resultOf(await outcomeOf(run(played.wire(), about(capture, 'inquiry'))))).toBe('capture_after_lapse');
  });
});

/** A person on the bank's page. */
async function click(outcome: Outcome | undefined, button: 'complete' | 'fail'): Promise<string> {
  if (outcome?.kind !== 'payer_must_act') throw new Error('nobody is asked to act');
  const shown = await (await fetch(outcome.go.url)).text();
  expect(shown).toContain('42.50 EUR');
  const body = new URLSearchParams({ outcome: button });
  return (await fetch(outcome.go.url, { method: 'POST', body, redirect: 'manual' })).headers.get('location') ?? '';
}

describe('the payer’s bank', () => {
  test('the payer is sent to the bank, comes back, and the look says approved', async () => {
    const ran = await run(played.wire('4000000000003220'), factsOf('authorize'));
    expect(ran.outcome).toMatchObject({ kind: 'payer_must_act', resume: 'look', finishes: 'there', takes: [] });
    expect(await standing(ran)).toMatchObject({ held: 0, tries: 0 });
    expect((await go(played.wire(), ran, 'look')).outcome).toMatchObject({ kind: 'payer_must_act' });
    const back = await click(ran.outcome, 'complete');
    expect(back).toMatch(/^https:\/\/pay\.example\/back\?id=1&payment_intent=pi_.*redirect_status=succeeded$/);
    const seen = await go(played.wire(), ran, 'look');
    expect(seen.outcome).toMatchObject({
      kind: 'approved',
      liability_shifted: true,
      our_reference: ran.facts.operation_id,
    });
    expect(await standing(ran)).toMatchObject({ held: 4250, tries: 1 });
  });

  test('one who fails there is declined for that', async () => {
    const ran = await run(played.wire('4000002760003184'), factsOf('authorize'));
    await click(ran.outcome, 'fail');
    const seen = await go(played.wire(), ran, 'look');
    expect(resultOf(seen.outcome)).toBe('authentication_incorrect');
    expect(seen.outcome).toMatchObject({ retry: 'with_3ds' });
  });

  test('authenticated, and declined by the bank', async () => {
    const ran = await run(played.wire('4000008260003178'), factsOf('authorize'));
    await click(ran.outcome, 'complete');
    expect(resultOf((await go(played.wire(), ran, 'look')).outcome)).toBe('funds_insufficient');
  });

  test('a payer who does not come back is too late once the intent is cancelled', async () => {
    const ran = await run(played.wire('4000000000003220'), factsOf('authorize'));
    expect(await outcomeOf(run(played.wire(), about(ran, 'reversal')))).toMatchObject({ kind: 'reversed' });
    const url = ran.outcome?.kind === 'payer_must_act' ? ran.outcome.go.url : '';
    await fetch(url, { method: 'POST', body: new URLSearchParams({ outcome: 'complete' }), redirect: 'manual' });
    expect(await standing(ran)).toMatchObject({ held: 0, captured: 0, tries: 0 });
  });

  test('a card that needs no authentication is asked for it where the merchant insists', async () => {
    const payer = { return_url: 'https://pay.example/back', three_ds: 'force' } as const;
    const ran = await run(played.wire(), factsOf('authorize', { payer }));
    expect(ran.outcome).toMatchObject({ kind: 'payer_must_act' });
  });

  test('without the payer the bank’s wish is a decline that asks for the payer', async () => {
    const { payer: _, ...alone } = factsOf('authorize', { evidence: { stored_card: true, previous_reference: 'x' } });
    expect(await outcomeOf(run(played.wire('4000000000003220'), alone))).toMatchObject({
      kind: 'declined',
      result: 'issuer_soft_decline',
      retry: 'with_3ds',
    });
  });
});

const sdkOf = ({ url }: Played, key = 'sk_test_shop') => {
  const { hostname: host, port } = new URL(url);
  return new Stripe(key, {
    host,
    port,
    protocol: 'http',
    apiVersion: '2023-08-16' as typeof Stripe.API_VERSION,
    maxNetworkRetries: 0,
    telemetry: false,
  });
};

describe('a payment method that Stripe keeps', () => {
  test('its customer pays with it, without a card', async () => {
    const sdk = sdkOf(played);
    const customer = await sdk.customers.create({ email: 'a@shop.example', metadata: { ours: '1' } });
    const method = await sdk.paymentMethods.create(CARD_OF_SDK);
    await sdk.paymentMethods.attach(method.id, { customer: customer.id });
    const wire = played.wire('', { 'psp.token': method.id, 'psp.customer?': customer.id });
    const ran = await run(wire, factsOf('authorize', { psp_token: true, scheme: null }));
    expect(ran).toMatchObject({ steps: ['shell', 'token', 'confirm'], outcome: { kind: 'approved' } });
    expect((await intentOf(ran))['customer']).toBe(customer.id);
    const without = played.wire('', { 'psp.token': method.id });
    const refused = await run(without, factsOf('authorize', { psp_token: true }));
    expect(refused).toMatchObject({ money_sent: false, outcome: { kind: 'declined', result: 'integration_error' } });
  });
});

const CARD_OF_SDK = {
  type: 'card',
  card: { number: '4242424242424242', exp_month: 12, exp_year: 2034, cvc: '123' },
} as const;

describe('an answer that is lost, late or strange', () => {
  const LOST = ['close_before', 'close_after', 'silence_before', 'silence_after', 'html_before', 'html_after'];
  const ERRORS = ['error_before', 'error_after', 'half', 'too_many', 'key_in_use'];
  const EVERY = [...LOST, ...ERRORS];
  const EFFECT = new Set(['close_after', 'silence_after', 'html_after', 'error_after', 'half']);

  describe.each(EVERY)('%s', (fault) => {
    test.each([
      ['shell', '/payment_intents'],
      ['card', '/payment_methods'],
    ])(
      'at %s: no money step was sent, so nothing can be held; the intent is closed where its id is known',
      async (_, path) => {
        await played.arm(fault, path);
        const ran = await run(played.wire(), factsOf('authorize'));
        expect(ran.outcome).toMatchObject({ kind: 'unknown' });
        expect(ran.money_sent).toBe(false);
        const reversal = about(ran, 'reversal');
        if (ran.reference === null) expect(played.wire().provider.first(reversal)).toBeUndefined();
        else expect(await outcomeOf(run(played.wire(), reversal))).toMatchObject({ kind: 'reversed' });
        expect(await standing(ran)).toMatchObject({ held: 0, captured: 0, tries: 0 });
      },
    );

    test.each([false, true])('at the confirmation, sale: %s: the inquiry knows', async (with_capture) => {
      await played.arm(fault, '/confirm');
      const ran = await run(played.wire(), factsOf('authorize', { with_capture }));
      expect(ran.outcome).toMatchObject({ kind: 'unknown' });
      const seen = await outcomeOf(run(played.wire(), about(ran, 'inquiry')));
      if (EFFECT.has(fault)) {
        expect(seen).toMatchObject({ kind: 'approved', captured: with_capture, our_reference: ran.facts.operation_id });
        expect(await standing(ran)).toMatchObject(with_capture ? { captured: 4250 } : { held: 4250 });
      } else {
        expect(seen).toEqual({ kind: 'not_found' });
        // it may still be under way: the intent is closed, and what comes later is refused
        expect(await outcomeOf(run(played.wire(), about(ran, 'reversal')))).toMatchObject({ kind: 'reversed' });
        const late = await go(played.wire(), { ...ran }, 'confirm');
        expect(late.outcome?.kind).toBe('unknown');
        expect(await standing(ran)).toMatchObject({ held: 0, captured: 0, tries: 0 });
      }
    });

    test.each(['capture', 'refund', 'cancel'] as const)(
      'at a %s: it is sent again under its key, and there is one',
      async (kind) => {
        const paid = await run(played.wire(), factsOf('authorize', { with_capture: kind === 'refund' }));
        await played.arm(fault, kind === 'refund' ? '/refunds' : `/${kind}`);
        const ran = await run(played.wire(), after(paid, kind, { amount_minor: kind === 'cancel' ? 4250n : 100n }));
        expect(ran.outcome).toMatchObject({ kind: 'unknown' });
        const seen = await outcomeOf(run(played.wire(), about(ran, 'inquiry')));
        expect(seen?.kind).toBe(EFFECT.has(fault) ? 'approved' : 'not_found');
        // what is kept under a key is kept, an error too: then only the inquiry tells
        const again = await go(played.wire(), ran, ran.steps[0] ?? '');
        expect(again.outcome?.kind).toBe(fault.startsWith('error') ? 'unknown' : 'approved');
        const stands = await standing(paid);
        const done = EFFECT.has(fault) || !fault.startsWith('error');
        if (kind === 'capture') expect(stands.captured).toBe(done ? 100 : 0);
        if (kind === 'refund') expect(stands.refunded).toBe(done ? 100 : 0);
        if (kind === 'cancel') expect(stands.held).toBe(done ? 0 : 4250);
      },
    );

    test.each(['cancel', 'undo'] as const)(
      'at the %s of a reversal: again under its key, and all is back once',
      async (step) => {
        const paid = await run(played.wire(), factsOf('authorize', { with_capture: step === 'undo' }));
        await played.arm(fault, step === 'undo' ? '/refunds' : '/cancel');
        const ran = await run(played.wire(), about(paid, 'reversal'));
        expect(ran.outcome).toMatchObject({ kind: 'unknown' });
        const again = await go(played.wire(), ran, step);
        const seen = await outcomeOf(run(played.wire(), about(ran, 'inquiry')));
        const done = EFFECT.has(fault) || !fault.startsWith('error');
        expect(again.outcome?.kind).toBe(fault.startsWith('error') ? 'unknown' : 'reversed');
        // one that is not there is never taken for one that is not needed
        expect(seen?.kind).toBe(done ? 'reversed' : 'unknown');
        expect(await standing(paid)).toMatchObject({
          held: step === 'cancel' && !done ? 4250 : 0,
          refunded: step === 'undo' && done ? 4250 : 0,
        });
      },
    );

    test('at an inquiry: nothing is known', async () => {
      const paid = await run(played.wire(), factsOf('authorize'));
      await played.arm(fault, '/{id}');
      expect(await outcomeOf(run(played.wire(), about(paid, 'inquiry')))).toMatchObject({ kind: 'unknown' });
    });
  });

  test('a key that was answered with an error of theirs is answered so for a day; a new one works', async () => {
    const paid = await run(played.wire(), factsOf('authorize'));
    await played.arm('error_before', '/capture');
    const ran = await run(played.wire(), after(paid, 'capture'));
    expect((await go(played.wire(), ran, 'capture')).outcome).toMatchObject({ kind: 'unknown' });
    await played.ask('POST clock', { advance_s: 86_401 });
    expect((await go(played.wire(), ran, 'capture')).outcome).toMatchObject({ kind: 'approved' });
  });

  test.each([
    ['other_amount', { amount_minor: 14250n }],
    ['other_currency', { currency: 'XAF' }],
    ['other_reference', { our_reference: 'another' }],
  ])('%s in an approval is told as it was said, for the core to compare', async (fault, said) => {
    await played.arm(fault, '/confirm');
    expect((await run(played.wire(), factsOf('authorize'))).outcome).toMatchObject({ kind: 'approved', ...said });
  });

  test.each(['other_amount', 'other_currency', 'other_reference'])(
    'an empty intent with %s is not paid with',
    async (fault) => {
      await played.arm(fault, '/payment_intents');
      const ran = await run(played.wire(), factsOf('authorize'));
      expect(ran).toMatchObject({ steps: ['shell'], money_sent: false, outcome: { kind: 'unknown' } });
    },
  );

  test('an answer about another intent is no answer', async () => {
    await played.arm('other_id', '/confirm');
    expect((await run(played.wire(), factsOf('authorize'))).outcome).toEqual({ kind: 'unknown', why: 'unreadable' });
  });

  test('a refused connection is the sender’s word, and nothing was sent', async () => {
    await played.ask('POST listening', { open: false });
    try {
      const ran = await run(played.wire(), factsOf('authorize'));
      expect(ran).toMatchObject({ reference: null, money_sent: false });
    } finally {
      await played.ask('POST listening', { open: true });
    }
    expect((await run(played.wire(), factsOf('authorize'))).outcome).toMatchObject({ kind: 'approved' });
  });
});

describe('a process that dies', () => {
  const DEATHS = ['shell', 'card', 'confirm'].flatMap((step) => [[step, 'before'] as const, [step, 'after'] as const]);
  test.each(DEATHS)(
    'at %s, %s its answer: what it left is enough to end it, with one effect at most',
    async (step, when) => {
      const ran = await run(played.wire(), factsOf('authorize'), { dies: { step, when } });
      const { provider } = played.wire();
      if (step === 'confirm' && when === 'after') {
        expect(await outcomeOf(run(played.wire(), about(ran, 'inquiry')))).toMatchObject({ kind: 'approved' });
        expect(await standing(ran)).toMatchObject({ held: 4250, tries: 1 });
        return;
      }
      expect(ran.money_sent).toBe(false);
      const knows_intent = step !== 'shell';
      expect(provider.first(about(ran, 'inquiry'))).toBe(knows_intent ? 'look' : undefined);
      if (knows_intent) {
        expect(await outcomeOf(run(played.wire(), about(ran, 'inquiry')))).toEqual({ kind: 'not_found' });
        expect(await outcomeOf(run(played.wire(), about(ran, 'reversal')))).toMatchObject({ kind: 'reversed' });
      }
      expect(await standing(ran)).toMatchObject({ held: 0, captured: 0, tries: 0 });
    },
  );

  test('a stalled process that confirms what was undone meanwhile is refused, and the look says so', async () => {
    const ran = await run(played.wire(), factsOf('authorize'), { dies: { step: 'confirm', when: 'before' } });
    await run(played.wire(), about(ran, 'reversal'));
    const late = await go(played.wire(), ran, 'confirm');
    expect(late.outcome).toMatchObject({ kind: 'unknown' });
    expect(resultOf(await outcomeOf(run(played.wire(), about(ran, 'inquiry'))))).toBe('provider_unreachable');
  });
});

describe('credentials', () => {
  const wireOf = (key: string) => played.wire('4242424242424242', { 'secret.secret_key': key });

  test.each([
    ['sk_test_invalid', 'provider_credentials_invalid'],
    ['rk_test_limited', 'provider_rights_missing'],
  ])('%s is turned away before anything is looked at', async (key, result) => {
    const ran = await run(wireOf(key), factsOf('authorize'));
    expect(ran.outcome).toMatchObject({ kind: 'declined', result, unheard: true });
    const paid = await run(played.wire(), factsOf('authorize'));
    expect(await outcomeOf(run(wireOf(key), after(paid, 'capture')))).toMatchObject({ result, unheard: true });
    expect(await outcomeOf(run(wireOf(key), about(paid, 'reversal')))).toEqual({
      kind: 'unknown',
      why: 'provider_error',
      unheard: true,
    });
  });

  test('a key of another account knows nothing, and that proves nothing', async () => {
    const paid = await run(played.wire(), factsOf('authorize', { with_capture: true }));
    const other = wireOf('sk_test_other');
    const nothing = { kind: 'unknown', why: 'provider_error', unheard: true };
    expect(await outcomeOf(run(other, about(paid, 'inquiry')))).toEqual(nothing);
    expect(await outcomeOf(run(other, about(paid, 'reversal')))).toEqual(nothing);
    const refund = await run(played.wire(), after(paid, 'refund'));
    expect(await outcomeOf(run(other, about({ ...refund, reference: null }, 'inquiry')))).toEqual(nothing);
    expect(await outcomeOf(run(other, after(paid, 'cancel')))).toMatchObject({ kind: 'declined', unheard: true });
  });
});

describe('the official SDK drives the simulator', () => {
  // of the newest version: it does not name what the pinned one wants
  const CARDS = { payment_method_types: ['card'] };
  const make = (more: Partial<Stripe.PaymentIntentCreateParams> = {}, options: Stripe.RequestOptions = {}) =>
    sdkOf(played).paymentIntents.create(
      { amount: 1000, currency: 'eur', ...CARDS, metadata: { order_id: 'sdk' }, ...more },
      options,
    );

  test('an intent, a card, a confirmation, a capture of a part, refunds and their list', async () => {
    const sdk = sdkOf(played);
    const intent = await make({ capture_method: 'manual' });
    expect(intent.status).toBe('requires_payment_method');
    const method = await sdk.paymentMethods.create(CARD_OF_SDK);
    expect(method.card?.last4).toBe('4242');
    const return_url = 'https://pay.example/back';
    const held = await sdk.paymentIntents.confirm(intent.id, {
      payment_method: method.id,
      return_url,
      expand: ['latest_charge'],
    });
    expect([held.status, held.amount_capturable, typeof held.latest_charge]).toEqual([
      'requires_capture',
      1000,
      'object',
    ]);
    const captured = await sdk.paymentIntents.capture(intent.id, { amount_to_capture: 600 });
    expect([captured.status, captured.amount_received]).toEqual(['succeeded', 600]);
    const refund = await sdk.refunds.create({
      payment_intent: intent.id,
      amount: 200,
      reason: 'duplicate',
      metadata: { a: 'b' },
    });
    await sdk.refunds.create({ payment_intent: intent.id, amount: 100 });
    expect((await sdk.refunds.retrieve(refund.id)).status).toBe('succeeded');
    expect((await sdk.refunds.list({ payment_intent: intent.id })).data.map(({ amount }) => amount)).toEqual([
      // the oldest one gives back what was not captured
      100, 200, 400,
    ]);
    const charge = await sdk.charges.retrieve(typeof captured.latest_charge === 'string' ? captured.latest_charge : '');
    expect([charge.amount_captured, charge.amount_refunded]).toEqual([600, 700]);
    const all = await sdk.paymentIntents.list({ limit: 1 });
    expect([all.data[0]?.id, all.has_more]).toEqual([intent.id, true]);
  });

  test('a decline is an error of the card, and the intent keeps it', async () => {
    const intent = await make();
    const declined = sdkOf(played).paymentIntents.confirm(intent.id, {
      payment_method: 'pm_card_chargeDeclinedInsufficientFunds',
    });
    await expect(declined).rejects.toMatchObject({
      type: 'StripeCardError',
      statusCode: 402,
      code: 'card_declined',
      decline_code: 'insufficient_funds',
    });
    const kept = await sdkOf(played).paymentIntents.retrieve(intent.id);
    expect([kept.status, kept.last_payment_error?.decline_code]).toEqual([
      'requires_payment_method',
      'insufficient_funds',
    ]);
  });

  test('3-D Secure redirects', async () => {
    const intent = await make({
      confirm: true,
      payment_method: 'pm_card_authenticationRequired',
      return_url: 'https://pay.example/',
    });
    expect([intent.status, intent.next_action?.type]).toEqual(['requires_action', 'redirect_to_url']);
    const url = intent.next_action?.redirect_to_url?.url ?? '';
    await fetch(url, { method: 'POST', body: new URLSearchParams({ outcome: 'complete' }), redirect: 'manual' });
    expect((await sdkOf(played).paymentIntents.retrieve(intent.id)).status).toBe('succeeded');
  });

  test('a shell is cancelled; a captured intent is not, and the error holds it', async () => {
    const sdk = sdkOf(played);
    const shell = await make();
    expect((await sdk.paymentIntents.cancel(shell.id, { cancellation_reason: 'abandoned' })).status).toBe('canceled');
    const paid = await make({ confirm: true, payment_method: 'pm_card_visa' });
    await expect(sdk.paymentIntents.cancel(paid.id)).rejects.toMatchObject({
      code: 'payment_intent_unexpected_state',
      payment_intent: { id: paid.id, status: 'succeeded' },
    });
  });

  test('a repeat under the key is answered as the first was; with another body it is an error', async () => {
    const idempotencyKey = 'one-and-the-same';
    const first = await make({}, { idempotencyKey });
    const again = await make({}, { idempotencyKey });
    expect(again.id).toBe(first.id);
    expect(again.lastResponse.headers['idempotent-replayed']).toBe('true');
    await expect(make({ amount: 1001 }, { idempotencyKey })).rejects.toMatchObject({ type: 'StripeIdempotencyError' });
    const other_path = sdkOf(played).customers.create({ email: 'b@shop.example' }, { idempotencyKey });
    await expect(other_path).rejects.toMatchObject({ type: 'StripeIdempotencyError' });
  });

  test('what it does not know, it names', async () => {
    const odd = make({ amuont: 1 } as Partial<Stripe.PaymentIntentCreateParams>);
    await expect(odd).rejects.toMatchObject({ code: 'parameter_unknown', param: 'amuont' });
    await expect(sdkOf(played).paymentIntents.retrieve('pi_none')).rejects.toMatchObject({
      statusCode: 404,
      code: 'resource_missing',
    });
    await expect(sdkOf(played, 'sk_test_invalid').customers.list()).rejects.toMatchObject({ statusCode: 401 });
    await played.arm('too_many');
    await expect(sdkOf(played).events.list()).rejects.toMatchObject({ type: 'StripeRateLimitError' });
  });

  test('customers keep methods, and events can be listed', async () => {
    const sdk = sdkOf(played);
    const customer = await sdk.customers.create({ name: 'Ann' });
    const method = await sdk.paymentMethods.create(CARD_OF_SDK);
    await sdk.paymentMethods.attach(method.id, { customer: customer.id });
    expect((await sdk.paymentMethods.list({ customer: customer.id, type: 'card' })).data.map(({ id }) => id)).toEqual([
      method.id,
    ]);
    const intent = await make({ customer: customer.id, payment_method: method.id, confirm: true, off_session: true });
    expect([intent.status, intent.customer]).toEqual(['succeeded', customer.id]);
    expect((await sdk.paymentMethods.detach(method.id)).customer).toBeNull();
    const events = await sdk.events.list({ limit: 3 });
    expect(events.data[0]?.type).toBe('payment_intent.succeeded');
  });
});

test('the books are a page that a person can read', async () => {
  const page = await (await fetch(played.url)).text();
  expect(page).toContain('Simulated Stripe');
  expect(page).toMatch(/<td>pi_Sim\w+<\/td><td>succeeded<\/td><td>42\.50 EUR<\/td>/);
});

describe.skipIf(!HAS_SPECIFICATION)('Stripe’s specification (skipped without ../shared)', () => {
  const named = ({ method, path }: Exchange) => `${method} ${path.replace(/(pi|pm|re|ch|cus)_\w+/, '{id}')}`;

  test('every request and every answer of this file is as it says, closed at every depth', () => {
    const specification = readSpecification();
    const problems = new Set<string>();
    for (const exchange of played.exchanges) {
      const { method, path, form, status, body } = exchange;
      // what was armed: an error in HTML, a parameter that is not known
      if (!body.startsWith('{') || body.includes('parameter_unknown')) continue;
      for (const problem of specification.request(method, path, form))
        problems.add(`${named(exchange)} asks: ${problem}`);
      for (const problem of specification.answer(method, path, status, JSON.parse(body)))
        problems.add(`${named(exchange)} is answered ${status}: ${problem}`);
    }
    expect([...problems]).toEqual([]);
    expect(played.exchanges.length).toBeGreaterThan(500);

    // and it can fail, at every depth
    const card = { type: 'card', 'card[number]': '1', 'card[exp_month]': '1', 'card[exp_year]': '2030' };
    const refuses = (form: Record<string, string>) =>
      specification.request('POST', '/v1/payment_methods', Object.entries(form)).length > 0;
    expect(refuses({ ...card, 'card[cvc]': '1' })).toBe(false);
    expect(refuses({ ...card, 'card[cvv]': '1' })).toBe(true);
    expect(refuses({ ...card, holder: '1' })).toBe(true);
    const intent: unknown = JSON.parse(played.exchanges.find(({ path }) => path.endsWith('/confirm'))?.body ?? '');
    expect(specification.object('payment_intent', intent)).toEqual([]);
    const odd: unknown = JSON.parse(JSON.stringify(intent).replace('"seller_message"', '"seller_massage"'));
    expect(specification.object('payment_intent', odd)).not.toEqual([]);
  });
});
