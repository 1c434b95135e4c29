// PayPal over a real socket: the simulator answers, PayPal's own specification says whether both ends speak as PayPal
// does.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { about, after, factsOf, go, run } from '../providers/driver.ts';
import type { Facts, Outcome } from '../../src/provider/contract.ts';
import { CHALLENGE, type Played, playPaypal } from './played.ts';
import { NOON_MS } from '../providers/asked.ts';
import { HERE, type Specification, readSpecification } from './specification.ts';

let paypal: Played;
let specifications: readonly Specification[] = [];
beforeAll(async () => {
  paypal = await playPaypal();
  specifications = HERE ? [readSpecification('orders'), readSpecification('payments')] : [];
});
afterAll(() => paypal.close());

const specificationOf = (path: string) => specifications[path.startsWith('/v2/checkout') ? 0 : 1];
const OWN_HEADERS = /^(?:authorization|accept|content-type|content-length|host|connection)$/;
/**
 * Newer than the specification that is kept:
 * https://developer.paypal.com/docs/checkout/advanced/customize/3d-secure/api/
 */
const withoutNewer = (text: string) => text.replace('"attributes":{"verification":{"method":"SCA_ALWAYS"}},', '');
/** Not in the specification, which says so of itself: too many requests, and what its `default` stands for. */
const UNSPECIFIED = new Set([429, 502, 500]);

function problemsOf({ method, path, text, headers, status, body }: Played['exchanges'][number]): string[] {
  const specification = specificationOf(path);
  if (!specification) return [];
  const sent: unknown = text === '' ? undefined : JSON.parse(withoutNewer(text));
  const names = Object.keys(headers).filter((name) => !OWN_HEADERS.test(name));
  const undocumented =
    UNSPECIFIED.has(status) || specification.answer({ method, path, status }, {})[0]?.endsWith(`answered ${status}`);
  return [
    ...specification.request(method, path, sent),
    ...specification.headers(method, path, names),
    ...(undocumented ? [] : specification.answer({ method, path, status }, JSON.parse(body))),
  ].map((problem) => `${method} ${path} ${status}: ${problem}\n${text}\n${body}`);
}

const wire = (number?: string) => paypal.wire(number);
const pay = (more: Partial<Facts> = {}, number?: string) => run(wire(number), factsOf('authorize', more));
const kindOf = (outcome: Outcome | undefined) => (outcome?.kind === 'declined' ? outcome.result : outcome?.kind);

describe('money, plain', () => {
  test('a hold in three calls: an empty order, the card, and the money, which carries no card', async () => {
    const paid = await pay();
    expect(paid.steps).toEqual(['shell', 'card', 'authorize']);
    expect(paid.outcome).toMatchObject({
      kind: 'approved',
      amount_minor: 4250n,
      currency: 'EUR',
      our_reference: paid.facts.operation_id,
      captured: false,
      provider_code: '0000',
    });
    expect(paid.outcome).toHaveProperty('network_reference');
    const [, card, money] = paypal.exchanges.slice(-3);
    expect(card?.text).toContain('4032037064388131');
    expect(money?.text).toBe('{}');
  });

  test('a sale takes it at once, and is refunded under its own reference', async () => {
    const sale = await pay({ with_capture: true });
    expect(sale.steps).toEqual(['shell', 'card', 'sell']);
    expect(sale.outcome).toMatchObject({ kind: 'approved', captured: true, our_reference: sale.facts.operation_id });
    const facts = after(sale, 'refund', { capture_reference: sale.reference, amount_minor: 4250n });
    expect((await run(wire(), facts)).outcome).toMatchObject({ kind: 'approved', our_reference: facts.operation_id });
  });

  test('captures until one is the last, which releases the rest; refunds by capture', async () => {
    const hold = await pay();
    const first = await run(wire(), after(hold, 'capture', { amount_minor: 1000n }));
    expect(first.outcome).toMatchObject({
      kind: 'approved',
      amount_minor: 1000n,
      our_reference: first.facts.operation_id,
    });
    const last = await run(wire(), after(hold, 'capture', { amount_minor: 2000n, final: true }));
    expect(last.outcome).toMatchObject({ kind: 'approved', amount_minor: 2000n });
    const more = await run(wire(), after(hold, 'capture', { amount_minor: 1n }));
    expect(kindOf(more.outcome)).toBe('provider_capture_already_done');
    const of = { capture_reference: first.reference };
    expect(kindOf((await run(wire(), after(hold, 'refund', { ...of, amount_minor: 1001n }))).outcome)).toBe(
      'provider_refund_above_captured',
    );
    expect(kindOf((await run(wire(), after(hold, 'refund', { ...of, amount_minor: 400n }))).outcome)).toBe('approved');
    expect(kindOf((await run(wire(), after(hold, 'refund', { ...of, amount_minor: 600n }))).outcome)).toBe('approved');
    expect(kindOf((await run(wire(), after(hold, 'refund', { ...of, amount_minor: 1n }))).outcome)).toBe(
      'provider_refund_already_done',
    );
  });

  test('a capture above the hold, and one of a hold that is over, are refused by their own words', async () => {
    const hold = await pay();
    const above = await run(wire(), after(hold, 'capture', { amount_minor: 4251n }));
    expect(kindOf(above.outcome)).toBe('provider_capture_above_authorization');
    expect((await run(wire(), after(hold, 'cancel'))).outcome).toMatchObject({ kind: 'approved', our_reference: null });
    expect(kindOf((await run(wire(), after(hold, 'cancel'))).outcome)).toBe('issuer_cancel_already_done');
    expect(kindOf((await run(wire(), after(hold, 'capture'))).outcome)).toBe('capture_declined');
    const taken = await pay();
    await run(wire(), after(taken, 'capture'));
    expect(kindOf((await run(wire(), after(taken, 'cancel'))).outcome)).toBe('issuer_cancel_after_capture');
  });

  test.each([
    [1n, 'EUR', '0.01'],
    [99n, 'USD', '0.99'],
    [500n, 'JPY', '500'],
    [500n, 'HUF', '5'],
    [123_400n, 'TWD', '1234'],
    [1_000_000_000_00n, 'GBP', '1000000000.00'],
  ])('%s minor units of %s are written %s, and come back exactly', async (amount_minor, currency, value) => {
    const paid = await pay({ amount_minor, currency });
    expect(paid.outcome).toMatchObject({ kind: 'approved', amount_minor, currency });
    expect(paypal.exchanges.at(-3)?.text).toContain(`{"currency_code":"${currency}","value":"${value}"}`);
  });

  test.each([
    [501n, 'HUF'],
    [1n, 'TWD'],
    [1000n, 'KWD'],
    [1000n, 'XXX'],
  ])('%s minor units of %s are not PayPal’s to take, and are not sent', async (amount_minor, currency) => {
    const before = paypal.exchanges.length;
    const paid = await pay({ amount_minor, currency });
    expect([paid.steps, paid.outcome]).toEqual([[], undefined]);
    expect(paypal.exchanges.length).toBe(before);
  });

  test.each(['Größe "é" \\ & <b> 🙂', 'line\nline\tend', 'a\ud83d', '🙂'.repeat(200), ''])(
    'a merchant’s own name %j is taken',
    async (order_merchant_id) => expect(kindOf((await pay({ order_merchant_id })).outcome)).toBe('approved'),
  );
});

describe('who pays', () => {
  test('a card that is kept, first by the payer and then by the merchant alone, names the first payment', async () => {
    const evidence = { stored_card: true };
    const first = await pay({ evidence });
    expect(paypal.exchanges.at(-2)?.text).toContain('"usage":"FIRST"');
    if (first.outcome?.kind !== 'approved') throw new Error('the first payment is approved');
    const previous_reference = first.outcome.network_reference ?? '';
    const { payer: _, ...facts } = factsOf('authorize', { evidence: { ...evidence, previous_reference } });
    const { 'card.cvc?': __, ...values } = wire().values;
    const later = await run({ ...wire(), values }, facts);
    expect(kindOf(later.outcome)).toBe('approved');
    const said = paypal.exchanges.at(-2)?.text ?? '';
    expect(said).toContain(`"payment_initiator":"MERCHANT","payment_type":"RECURRING"`);
    expect(said).toContain(`{"id":"${previous_reference}"}`);
    expect(said).not.toContain('experience_context');
    expect(said).not.toContain('security_code');
  });

  test.each([false, true])(
    'a card by telephone, with its cvc, is the payer’s own payment (kept: %s)',
    async (stored_card) => {
      const { payer: _, ...facts } = factsOf('authorize', { evidence: { stored_card }, unseen_payer: 'moto' });
      expect(kindOf((await run(wire(), facts)).outcome)).toBe('approved');
      const said = paypal.exchanges.at(-2)?.text ?? '';
      expect(said).toContain('"security_code":"123"');
      expect(said.includes('"payment_initiator":"CUSTOMER"')).toBe(stored_card);
      expect(said).not.toContain('MERCHANT');
      expect(said).not.toContain('experience_context');
    },
  );

  test.each([
    ['4000000000000002', 'issuer_declined', 'later'],
    ['4000000000009995', 'funds_insufficient', 'later'],
    ['4000000000009987', 'card_lost', 'never'],
    ['4000000000000069', 'card_expired', 'fix_input'],
    ['4000000000003220', 'issuer_soft_decline', 'with_3ds'],
    // the scheme forbids another try
    ['4000000000000341', 'authorization_declined_final', 'never'],
  ])('the card %s is declined: %s, %s', async (number, result, retry) => {
    for (const with_capture of [false, true])
      expect((await pay({ with_capture }, number)).outcome).toMatchObject({ kind: 'declined', result, retry });
  });

  test('a name of PayPal’s own sandbox declines, too', async () => {
    const declined = await run(paypal.wire(undefined, { 'card.holder?': 'CCREJECT-IF' }), factsOf('authorize'));
    expect(kindOf(declined.outcome)).toBe('funds_insufficient');
  });

  test('a part that is approved is never what was asked for', async () => {
    expect((await pay({}, '4000000000000101')).outcome).toMatchObject({ kind: 'approved', amount_minor: 0n });
  });

  test('one that waits is pending, and is found decided', async () => {
    const waits = await pay({}, '4000000000000077');
    expect(kindOf(waits.outcome)).toBe('pending');
    await paypal.ask('POST authorizations/status', { authorization: waits.reference, status: 'CREATED' });
    expect(kindOf((await run(wire(), about(waits, 'inquiry'))).outcome)).toBe('approved');
    const sale = await pay({ with_capture: true }, '4000000000000077');
    expect(kindOf(sale.outcome)).toBe('pending');
    await paypal.ask('POST captures/status', { capture: sale.reference, status: 'DECLINED' });
    expect(kindOf((await run(wire(), about(sale, 'inquiry'))).outcome)).toBe('authorization_declined');
  });

  test('a refund that waits ends either way', async () => {
    const sale = await pay({ with_capture: true });
    for (const [status, end] of [
      ['COMPLETED', 'approved'],
      ['FAILED', 'refund_declined'],
    ]) {
      const refund = await run(wire(), after(sale, 'refund', { capture_reference: sale.reference, amount_minor: 77n }));
      expect(kindOf(refund.outcome)).toBe('pending');
      await paypal.ask('POST refunds/status', { refund: refund.reference, status });
      expect(kindOf((await run(wire(), about(refund, 'inquiry'))).outcome)).toBe(end);
    }
  });
});

describe('the payer’s bank', () => {
  const visit = async (paid: Awaited<ReturnType<typeof pay>>, outcome: string) => {
    if (paid.outcome?.kind !== 'payer_must_act') throw new Error(`the payer is not asked: ${kindOf(paid.outcome)}`);
    const { url } = paid.outcome.go;
    expect(await (await fetch(url)).text()).toContain('yours?');
    const back = await fetch(url, { method: 'POST', body: new URLSearchParams({ outcome }), redirect: 'manual' });
    expect(back.headers.get('location')).toMatch(/^https:\/\/pay\.example\/back\?id=1&token=/);
    return go(wire(CHALLENGE), paid, 'back');
  };

  test.each([false, true])(
    'a payer who says yes has paid, and the liability is shifted (sale: %s)',
    async (with_capture) => {
      const paid = await visit(await pay({ with_capture }, CHALLENGE), 'complete');
      expect(paid.steps).toEqual(['shell', 'card', 'back', with_capture ? 'sell' : 'authorize']);
      expect(paid.outcome).toMatchObject({ kind: 'approved', liability_shifted: true, captured: with_capture });
    },
  );

  test('a payer who fails there has not paid, though PayPal would go on', async () => {
    const paid = await visit(await pay({}, CHALLENGE), 'fail');
    expect(kindOf(paid.outcome)).toBe('authentication_incorrect');
    expect(paid.money_sent).toBe(false);
  });

  test('a payer who leaves is still asked', async () => {
    expect(kindOf((await visit(await pay({}, CHALLENGE), 'leave')).outcome)).toBe('payer_must_act');
  });

  test('money that is asked for before the payer was there is refused, and says where the payer has to go', async () => {
    const waits = await pay({}, CHALLENGE);
    const paid = await go(wire(CHALLENGE), waits, 'authorize');
    expect(paid.outcome).toMatchObject({ kind: 'payer_must_act', resume: 'back', finishes: 'by_resume' });
  });

  test('where it is demanded, each card is authenticated', async () => {
    const payer = { return_url: 'https://pay.example/back', three_ds: 'force' } as const;
    expect((await pay({ payer })).outcome).toMatchObject({ kind: 'approved', liability_shifted: true });
    expect(paypal.exchanges.at(-2)?.text).toContain('"method":"SCA_ALWAYS"');
  });
});

describe('no answer', () => {
  const PLACES = {
    shell: '/v2/checkout/orders',
    card: '/v2/checkout/orders/{id}/confirm-payment-source',
    authorize: '/v2/checkout/orders/{id}/authorize',
    sell: '/v2/checkout/orders/{id}/capture',
    capture: '/v2/payments/authorizations/{id}/capture',
    refund: '/v2/payments/captures/{id}/refund',
    void: '/v2/payments/authorizations/{id}/void',
  } as const;
  const LOST = ['close', 'silence', 'error', 'html'] as const;
  const arm = (kind: string, step: keyof typeof PLACES) => paypal.ask('POST faults', { kind, path: PLACES[step] });
  /** What stands at PayPal of this order: held, taken, given back. */
  async function standing(order_id: string) {
    const { orders } = (await paypal.ask('GET books')) as {
      orders: { purchase_units: { custom_id: string; payments?: object }[] }[];
    };
    const payments = orders
      .map(({ purchase_units: [unit] }) => unit)
      .filter((unit) => unit?.custom_id.startsWith(order_id))
      .map((unit) => (unit?.payments ?? {}) as Readonly<Record<string, { status: string }[]>>);
    return payments.flatMap((one) => Object.values(one).flat()).map(({ status }) => status);
  }

  describe.each(LOST)('%s', (how) => {
    test.each(['authorize', 'sell'] as const)(
      'after the money (%s): it is found, and a repeat under its key changes nothing',
      async (step) => {
        await arm(`${how}_after`, step);
        const paid = await pay({ with_capture: step === 'sell' });
        expect([kindOf(paid.outcome), paid.money_sent]).toEqual(['unknown', true]);
        expect((await run(wire(), about(paid, 'inquiry'))).outcome).toMatchObject({
          kind: 'approved',
          our_reference: paid.facts.operation_id,
        });
        expect(kindOf((await go(wire(), paid, step)).outcome)).toBe('approved');
        expect(await standing(paid.facts.order_id)).toHaveLength(1);
      },
    );

    test.each(['authorize', 'sell'] as const)(
      'before the money (%s): nothing is found, and a reversal finds nothing',
      async (step) => {
        await arm(`${how}_before`, step);
        const paid = await pay({ with_capture: step === 'sell' });
        expect(kindOf((await run(wire(), about(paid, 'inquiry'))).outcome)).toBe('not_found');
        expect(kindOf((await run(wire(), about(paid, 'reversal'))).outcome)).toBe('not_found');
        // it was on its way all the time: what comes later is undone later
        await go(wire(), paid, step);
        expect(kindOf((await run(wire(), about(paid, 'reversal'))).outcome)).toBe('reversed');
        expect(await standing(paid.facts.order_id)).toEqual(step === 'sell' ? ['REFUNDED', 'COMPLETED'] : ['VOIDED']);
      },
    );

    test('at the card: no money was asked for', async () => {
      await arm(`${how}_after`, 'card');
      const paid = await pay();
      expect([kindOf(paid.outcome), paid.money_sent, await standing(paid.facts.order_id)]).toEqual([
        'unknown',
        false,
        [],
      ]);
    });

    test.each(['capture', 'refund'] as const)(
      'after a %s: under its key it is done once, and it is found',
      async (kind) => {
        const paid = await pay({ with_capture: kind === 'refund' });
        await arm(`${how}_after`, kind);
        const more = kind === 'refund' ? { capture_reference: paid.reference } : {};
        const lost = await run(wire(), after(paid, kind, { amount_minor: 1000n, ...more }));
        expect(kindOf(lost.outcome)).toBe('unknown');
        const found = (await run(wire(), about(lost, 'inquiry', { authorization_kept: paid.kept }))).outcome;
        expect(found).toMatchObject({ kind: 'approved', amount_minor: 1000n, our_reference: lost.facts.operation_id });
        expect(kindOf((await go(wire(), lost, kind)).outcome)).toBe('approved');
        expect(await standing(paid.facts.order_id)).toHaveLength(2);
      },
    );

    test('after a void: a repeat is refused as done before, and the hold says that it is', async () => {
      const paid = await pay();
      await arm(`${how}_after`, 'void');
      const lost = await run(wire(), after(paid, 'cancel'));
      expect(kindOf(lost.outcome)).toBe('unknown');
      expect(kindOf((await go(wire(), lost, 'void')).outcome)).toBe('issuer_cancel_already_done');
      const asking = about(lost, 'inquiry', { authorization_reference: paid.reference });
      expect(kindOf((await run(wire(), asking)).outcome)).toBe('approved');
    });
  });

  test('once the key is forgotten, the invoice number keeps a capture to one', async () => {
    const paid = await pay();
    const facts = after(paid, 'capture', { amount_minor: 1000n });
    await run(wire(), facts);
    await paypal.ask('POST clock', { advance_s: 7 * 3600 });
    expect(kindOf((await run(wire(), facts)).outcome)).toBe('provider_capture_duplicated');
    await paypal.ask('POST clock', { advance_s: 0 });
  });

  test.each([
    ['in_progress', 'unknown'],
    ['too_many', 'unknown'],
    ['half', 'unknown'],
    ['credentials', 'provider_credentials_invalid'],
    ['rights', 'provider_rights_missing'],
  ])('%s at the money: %s', async (kind, end) => {
    await arm(kind, 'authorize');
    expect(kindOf((await pay()).outcome)).toBe(end);
  });

  test.each(['other_amount', 'other_currency', 'other_reference'])('%s is read as it is said', async (kind) => {
    await arm(kind, 'authorize');
    const { outcome, facts } = await pay();
    if (outcome?.kind !== 'approved') throw new Error('it is approved');
    const same = [outcome.amount_minor === facts.amount_minor, outcome.currency, outcome.our_reference];
    expect(same).not.toEqual([true, facts.currency, facts.operation_id]);
  });

  test('a shell that is not what was asked for is left alone', async () => {
    await arm('other_amount', 'shell');
    expect((await pay()).steps).toEqual(['shell']);
  });
});

test('a hold that lapsed is not captured', async () => {
  const paid = await pay();
  await paypal.ask('POST clock', { advance_s: 30 * 86_400 });
  // its tokens have ended, too
  const [, ...rest] = [paypal.wire(), 0];
  expect(rest).toEqual([0]);
  const books = (await paypal.ask('GET books')) as {
    authorizations: { id: string; status: string; expiration_time: string }[];
  };
  const found = books.authorizations.find(({ id }) => id === paid.reference);
  expect(found?.status).toBe('VOIDED');
  expect(Date.parse(found?.expiration_time ?? '')).toBeGreaterThan(NOON_MS);
});

describe.skipIf(!HERE)('the specification (skipped without ../shared)', () => {
  test('every request of all that is as PayPal says it, and so is every answer', () => {
    expect(paypal.exchanges.length).toBeGreaterThan(300);
    expect(paypal.exchanges.flatMap(problemsOf)).toEqual([]);
  });

  test('it is closed: a member that PayPal does not name is found, wherever it stands', () => {
    const [orders] = specifications;
    const said = { payment_source: { card: { number: '4032037064388131', expiry: '2034-12' } } };
    const path = '/v2/checkout/orders/1/confirm-payment-source';
    expect(orders?.request('POST', path, said)).toEqual([]);
    expect(
      orders?.request('POST', path, { payment_source: { card: { ...said.payment_source.card, cvv: '123' } } }),
    ).not.toEqual([]);
    expect(orders?.request('POST', path, { ...said, wallet: 1 })).not.toEqual([]);
    const unit = { amount: { currency_code: 'EUR', value: '1.00', minor: 100 } };
    expect(orders?.request('POST', '/v2/checkout/orders', { intent: 'CAPTURE', purchase_units: [unit] })).not.toEqual(
      [],
    );
    expect(
      orders?.answer({ method: 'GET', path: '/v2/checkout/orders/1', status: 200 }, { id: '1', state: 'x' }),
    ).not.toEqual([]);
  });
});
