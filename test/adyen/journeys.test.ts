// Whole stories against the simulated Adyen, over a real socket: money, the payer at the bank, lost answers at every
// step, messages late, doubled and out of order. Behind each the books are compared.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { adyen } from '../../src/provider/adyen/adyen.ts';
import { settlement } from '../../src/provider/adyen/settlement.ts';
import { SIMULATOR } from '../../src/simulators/adyen/sandbox.ts';
import { type Operation, authorize, follow, payerDoes, recover, reverse, settle } from './driver.ts';
import { PAYER, factsOf } from './facts.ts';
import { ACCOUNT, type World, isProved, makeSender, openWorld, problems } from './wire.ts';

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());
beforeEach(() => {
  world.notices.length = 0;
});
afterEach(() => {
  const found = problems.splice(0);
  if (found.length > 0) throw new Error(found.join('\n'));
});

const CHALLENGED = { 'card.number': '4212345678910006' };
const BY_FORM = { 'card.number': '5000550000000029' };
const named = (holder: string) => ({ 'card.holder?': holder });

/** All that the books have under the order of an operation. */
async function inBooks({ facts }: Operation) {
  const { payments, modifications } = await world.books();
  const found = payments.filter(({ reference }) => reference.startsWith(`${facts.order_id}-`));
  const changes = modifications.filter(({ reference }) => reference.startsWith(`${facts.order_id}-`));
  const sum = (name: 'held' | 'captured' | 'refunded') => found.reduce((all, one) => all + one[name], 0);
  return {
    payments: found,
    changes,
    captured: sum('captured'),
    refunded: sum('refunded'),
    open: found.filter(({ state }) => state === 'held'),
  };
}

async function held(given = {}): Promise<Operation> {
  const paid = await authorize(world, given).send();
  await settle(world, paid);
  expect(paid.state).toBe('approved');
  return paid;
}

async function captured(given = {}) {
  const paid = await held(given);
  const capture = await follow(paid, 'capture').send();
  expect(capture.state).toBe('pending');
  await settle(world, capture);
  expect(capture.state).toBe('approved');
  return { paid, capture };
}

describe('money, plain', () => {
  test('held, captured in parts, given back in parts; nothing is done before it is told', async () => {
    const paid = await held();
    const parts = [
      await follow(paid, 'capture', { amount_minor: 4000n }).send(),
      await follow(paid, 'capture', { amount_minor: 250n }).send(),
    ];
    expect((await inBooks(paid)).captured).toBe(0);
    expect(parts.map(({ state }) => state)).toEqual(['pending', 'pending']);
    await settle(world, ...parts);
    expect(parts.map(({ state }) => state)).toEqual(['approved', 'approved']);
    const back = [
      await follow(paid, 'refund', { amount_minor: 50n }).send(),
      await follow(paid, 'refund', { amount_minor: 4200n }).send(),
    ];
    await settle(world, ...back);
    expect(back.map(({ state }) => state)).toEqual(['approved', 'approved']);
    expect(await inBooks(paid)).toMatchObject({ captured: 4250, refunded: 4250 });
  });

  test.each([
    ['more than is held', 'capture', { amount_minor: 4251n }],
    ['what was never captured', 'refund', {}],
  ] as const)('%s is refused by its message', async (_, kind, given) => {
    const change = await follow(await held(), kind, given).send();
    expect(change.state).toBe('pending');
    await settle(world, change);
    expect(change).toMatchObject({ state: 'declined', outcome: { kind: 'declined', result: `${kind}_declined` } });
  });

  test('cancelled once, and not after a capture', async () => {
    const paid = await held();
    const cancel = await follow(paid, 'cancel').send();
    await settle(world, cancel);
    expect(cancel.state).toBe('approved');
    expect((await inBooks(paid)).payments).toMatchObject([{ state: 'cancelled' }]);
    const { paid: other } = await captured();
    const late = await follow(other, 'cancel').send();
    await settle(world, late);
    expect(late.state).toBe('declined');
  });

  test('currencies that Adyen counts otherwise arrive and come back exactly', async () => {
    const paid = await held({ currency: 'ISK', amount_minor: 12n });
    expect((await inBooks(paid)).payments).toMatchObject([{ held: 1200 }]);
    expect(paid.outcome).toMatchObject({ amount_minor: 12n, currency: 'ISK' });
  });

  test('a saved card of Adyen’s own and a network token are paid with', async () => {
    const saved = await authorize(world, { psp_token: true }).send({
      'psp.token': '8415736344108917',
      'psp.customer?': 'shopper-1',
    });
    expect(saved.state).toBe('approved');
    const unknown = await authorize(world, { psp_token: true }).send({
      'psp.token': 'UNKNOWN',
      'psp.customer?': 'shopper-1',
    });
    expect(unknown.outcome).toMatchObject({ kind: 'declined', result: 'account_invalid' });
    const token = await authorize(world, { network_token: true, payer: PAYER }).send({
      'card.cryptogram?': 'AAABBEg0VhI0VniQEjRWAAAAAAA=',
      'card.eci?': '05',
    });
    expect(token.state).toBe('approved');
  });

  test('a hold that nobody captures lapses', async () => {
    const paid = await held();
    world.state.now_ms += 29 * 86_400_000;
    await settle(world);
    expect(world.notices.at(-1)).toMatchObject({
      news: { kind: 'lapsed' },
      match: { authorization_reference: paid.reference },
    });
  });
});

describe('declines', () => {
  test.each([
    ['DECLINED', 'issuer_declined'],
    ['NOT_ENOUGH_BALANCE', 'funds_insufficient'],
    ['CARD_EXPIRED', 'card_expired'],
    ['ISSUER_SUSPECTED_FRAUD', 'issuer_risk_refused_final'],
    ['AUTHENTICATION_REQUIRED', 'issuer_soft_decline'],
    ['NOT_3D_AUTHENTICATED', 'authorization_declined'],
  ])('the holder %s is declined: %s', async (holder, result) => {
    expect((await authorize(world).send(named(holder))).outcome).toMatchObject({ kind: 'declined', result });
  });

  test.each([
    ['a number', { 'card.number': '4444333322221111' }, {}, 'issuer_declined'],
    ['the end of an amount', {}, { amount_minor: 11_123n }, 'funds_insufficient'],
    ['the issuer’s own words', named('CARD_EXPIRED : 54 : Expired card'), {}, 'card_expired'],
  ])('%s declines as well', async (_, values, given, result) => {
    expect((await authorize(world, given).send(values)).outcome).toMatchObject({ kind: 'declined', result });
  });

  test.each([
    ['a number that is none', { 'card.number': '4111111111111112' }, 'card_number_invalid'],
    ['a cvc that is too short', { 'card.cvc?': '12' }, 'card_data_invalid'],
    ['an expiry that is over', { 'card.expiry_year': '2020' }, 'card_data_invalid'],
  ])('%s is told before anybody is asked', async (_, values, result) => {
    expect((await authorize(world).send(values)).outcome).toMatchObject({
      kind: 'declined',
      result,
      retry: 'fix_input',
    });
  });

  test('less than was asked is not booked, and undone', async () => {
    const paid = await authorize(world).send(named('PARTIALLY_APPROVED'));
    expect(paid.state).toBe('in_doubt');
    await reverse(paid);
    expect((await inBooks(paid)).open).toEqual([]);
  });

  test('a soft decline passes once the payer has authenticated', async () => {
    const paid = await authorize(world, { payer: PAYER }).send({ ...CHALLENGED, ...named('AUTHENTICATION_REQUIRED') });
    await payerDoes(paid, 'passed');
    expect((await paid.send()).state).toBe('approved');
  });

  test('wrong credentials are told, and the payment was never looked at', async () => {
    const paid = await authorize(world).send({ 'secret.api_key': 'wrong' });
    expect(paid.outcome).toMatchObject({ kind: 'declined', result: 'provider_credentials_invalid', unheard: true });
    const other = await authorize(world).send({ 'secret.merchant_account': 'Other' });
    expect(other.outcome).toMatchObject({ kind: 'declined', result: 'provider_rights_missing', unheard: true });
    expect((await inBooks(paid)).payments).toEqual([]);
  });
});

describe('the payer at the bank', () => {
  test.each([
    ['by an address', CHALLENGED, 'GET'],
    ['by a form', BY_FORM, 'POST'],
  ] as const)('goes there %s, passes, and is asked for no second time', async (_, card, method) => {
    const paid = await authorize(world, { payer: PAYER }).send(card);
    expect(paid).toMatchObject({ state: 'payer', step: 'details', outcome: { go: { method } } });
    expect((await inBooks(paid)).payments).toMatchObject([{ state: 'waiting', held: 0 }]);
    await payerDoes(paid, 'passed');
    expect((await paid.send()).outcome).toMatchObject({ kind: 'approved', liability_shifted: true });
    await settle(world, paid);
    expect((await inBooks(paid)).open).toHaveLength(1);
  });

  test.each([
    ['failed', 'authentication_incorrect'],
    ['left', 'payer_left_authentication'],
  ] as const)('%s: %s', async (said, result) => {
    const paid = await authorize(world, { payer: PAYER }).send(CHALLENGED);
    await payerDoes(paid, said);
    expect((await paid.send()).outcome).toMatchObject({ kind: 'declined', result });
  });

  test('is not asked where the bank sees it, where nobody wants it, and where it was done elsewhere', async () => {
    const evidence = {
      stored_card: false,
      three_ds_data: { cavv: 'AAABBEg0VhI0VniQEjRWAAAAAAA=', eci: '05', version: '2.1.0' },
    };
    const unseen = await authorize(world, { payer: PAYER }).send({ 'card.number': '5201281505129736' });
    expect(unseen.outcome).toMatchObject({ kind: 'approved', liability_shifted: true });
    expect((await authorize(world, { payer: { ...PAYER, three_ds: 'no' } }).send(CHALLENGED)).state).toBe('approved');
    expect((await authorize(world, { payer: PAYER, evidence }).send(CHALLENGED)).outcome).toMatchObject({
      kind: 'approved',
      liability_shifted: true,
    });
  });

  test('a forged return proves nothing and pays nothing', async () => {
    const paid = await authorize(world, { payer: PAYER }).send(CHALLENGED);
    paid.kept = { 'back.redirectResult': 'forged' };
    await paid.send();
    expect(paid).toMatchObject({ state: 'in_doubt', outcome: { kind: 'unknown' } });
    await recover(paid);
    expect(paid.state).toBe('reversed');
    expect((await inBooks(paid)).open).toEqual([]);
  });

  test.each(['passed', 'failed'] as const)(
    'who brings back what another payment of theirs was given, and that one %s, has neither paid nor refused this one',
    async (said) => {
      const dear = await authorize(world, { payer: PAYER }).send(CHALLENGED);
      const cheap = await authorize(world, { payer: PAYER, amount_minor: 100n }).send(CHALLENGED);
      await payerDoes(cheap, said);
      await cheap.send();
      dear.kept = cheap.kept;
      await dear.send();
      expect(dear.state).toBe('in_doubt');
      await reverse(dear);
      expect((await inBooks(dear)).open).toEqual([]);
      expect((await inBooks(cheap)).open).toHaveLength(said === 'passed' ? 1 : 0);
    },
  );

  test('who never comes back has paid nothing, and the cancellation finds nothing', async () => {
    const paid = await authorize(world, { payer: PAYER }).send(CHALLENGED);
    const reversal = await reverse(paid);
    expect(reversal.outcome).toEqual({ kind: 'not_found' });
    expect((await inBooks(paid)).open).toEqual([]);
  });
});

const LOST = [
  { how: 'close', effect: false },
  { how: 'close', effect: true },
  { how: 'error', effect: false },
  { how: 'error', effect: true },
  { how: 'html', effect: false },
  { how: 'html', effect: true },
  { how: 'half', effect: true },
] as const;

describe('no answer', () => {
  test.each(LOST)('to a payment: $how, effect $effect', async (fault) => {
    await world.control('faults', { on: 'payments', ...fault });
    const paid = await authorize(world).send();
    expect(paid.state).toBe('in_doubt');
    await recover(paid);
    const { open, payments } = await inBooks(paid);
    expect(payments).toHaveLength(fault.effect ? 1 : 0);
    // its message says that it was held; without one it is undone, and nothing is there
    expect(paid.state).toBe(fault.effect ? 'approved' : 'reversed');
    expect(open).toHaveLength(fault.effect ? 1 : 0);
  });

  test.each(LOST)('to a payment, and its message is lost too: $how, effect $effect', async (fault) => {
    await world.control('faults', { on: 'payments', ...fault });
    const paid = await authorize(world).send();
    const reversal = await reverse(paid);
    expect(reversal.outcome?.kind).toBe(fault.effect ? 'reversed' : 'not_found');
    expect((await inBooks(paid)).open).toEqual([]);
  });

  test.each(LOST)('to the return of the payer: $how, effect $effect', async (fault) => {
    const paid = await authorize(world, { payer: PAYER }).send(CHALLENGED);
    await payerDoes(paid, 'passed');
    await world.control('faults', { on: 'details', ...fault });
    expect((await paid.send()).state).toBe('in_doubt');
    await recover(paid);
    expect(paid.state).toBe('approved');
    expect((await inBooks(paid)).open).toHaveLength(1);
  });

  test.each((['captures', 'refunds', 'cancels'] as const).flatMap((on) => LOST.map((fault) => ({ on, ...fault }))))(
    'to $on: $how, effect $effect; it is done once',
    async ({ on, ...fault }) => {
      const paid = on === 'refunds' ? (await captured()).paid : await held();
      await world.control('faults', { on, ...fault });
      const change = await follow(paid, on === 'captures' ? 'capture' : on === 'refunds' ? 'refund' : 'cancel').send();
      expect(change.state).toBe('in_doubt');
      await recover(change);
      expect(change.state).toBe('approved');
      const { changes } = await inBooks(paid);
      expect(changes.filter(({ reference }) => reference.endsWith(change.facts.operation_id))).toHaveLength(1);
    },
  );

  test.each(LOST)('to a technical cancel: $how, effect $effect; it ends reversed all the same', async (fault) => {
    await world.control('faults', { on: 'payments', how: 'close', effect: true });
    const paid = await authorize(world).send();
    await world.control('faults', { on: 'technical', ...fault });
    const reversal = await reverse(paid);
    expect(reversal.state).toBe('reversed');
    expect((await inBooks(paid)).open).toEqual([]);
  });

  test('a technical cancel that came before the payment is repeated under a new key, and undoes it', async () => {
    const paid = authorize(world);
    const early = await reverse(paid);
    expect(early.outcome).toEqual({ kind: 'not_found' });
    await paid.send();
    expect((await inBooks(paid)).open).toHaveLength(1);
    // under the old key the old answer comes back, and nothing happens
    await early.send();
    await settle(world);
    expect((await inBooks(paid)).open).toHaveLength(1);
    expect((await reverse(paid)).outcome?.kind).toBe('reversed');
    expect((await inBooks(paid)).open).toEqual([]);
  });

  test('a connection that is refused says that nothing was sent', async () => {
    await world.control('connections', { open: false });
    const paid = await authorize(world).send();
    expect(paid.state).toBe('not_sent');
    await world.control('connections', { open: true });
    expect((await inBooks(paid)).payments).toEqual([]);
  });

  test('silence is in doubt, with an effect and without one', async () => {
    const quick = await openWorld();
    for (const effect of [false, true]) {
      await quick.control('faults', { on: 'payments', how: 'silence', effect });
      const paid = await authorize({ ...quick, send: makeSender(quick.simulator.url, 300) }).send();
      expect(paid.state).toBe('in_doubt');
      const { payments } = await quick.books();
      expect(payments).toHaveLength(effect ? 1 : 0);
    }
    await quick.close();
  });

  test('too many requests prove nothing, and rights that went missing say that a change was not heard', async () => {
    await world.control('faults', { on: 'payments', how: 'too_many' });
    expect((await authorize(world).send()).outcome).toEqual({ kind: 'unknown', why: 'provider_error' });
    const paid = await held();
    await world.control('faults', { on: 'captures', how: 'rights' });
    const capture = await follow(paid, 'capture').send();
    expect(capture.outcome).toMatchObject({ result: 'provider_rights_missing', unheard: true });
    await recover(capture);
    expect(capture.state).toBe('approved');
  });

  test.each(['amount', 'currency', 'reference'])(
    'another %s than was asked is in doubt, never booked, and undone',
    async (how) => {
      await world.control('faults', { on: 'payments', how });
      const paid = await authorize(world).send();
      expect(paid).toMatchObject({ state: 'in_doubt', outcome: { kind: 'approved' } });
      await reverse(paid);
      expect((await inBooks(paid)).open).toEqual([]);
    },
  );
});

describe('messages', () => {
  test.each([
    ['doubled', { times: 2 }],
    ['in reverse order', { order: 'reversed' }],
    ['all in one request', { together: true }],
    ['doubled, reversed and together', { times: 2, order: 'reversed', together: true }],
  ])('%s tell the same', async (_, how) => {
    const paid = await authorize(world).send();
    const capture = await follow(paid, 'capture').send();
    await world.control('work');
    await world.control('deliver', how);
    expect(capture.hear(world.notices).state).toBe('approved');
    const events = world.notices.map(({ event_ref }) => event_ref);
    expect(new Set(events).size).toBe(2);
    expect(await inBooks(paid)).toMatchObject({ captured: 4250 });
  });

  test('what is not taken waits', async () => {
    await authorize(world).send();
    world.state.accepts = false;
    await world.control('deliver');
    expect((await world.books()).messages).toHaveLength(1);
    world.state.accepts = true;
    await world.control('deliver');
    expect((await world.books()).messages).toEqual([]);
    expect(world.notices).toMatchObject([{ news: { kind: 'approved' } }]);
  });

  test('of a payment that is decided later is the answer to it', async () => {
    const paid = await authorize(world).send(named('PENDING'));
    expect(paid.state).toBe('pending');
    await settle(world, paid);
    expect(paid.state).toBe('approved');
  });

  test('minutes after the payment was undone undo it once more', async () => {
    await world.control('faults', { on: 'payments', how: 'close', effect: true });
    const paid = await authorize(world).send();
    await world.control('deliver', { only: [] });
    expect((await reverse(paid)).state).toBe('reversed');
    expect((await inBooks(paid)).open).toEqual([]);
  });

  test.each([
    ['a capture', 'capture failed', 'capture'],
    ['a refund', 'refund failed', 'refund'],
  ] as const)('%s that was done fails days later, and the money goes back', async (_, holder, kind) => {
    const paid = await authorize(world).send(named(holder));
    const capture = await follow(paid, 'capture').send();
    await settle(world, capture);
    const change = kind === 'capture' ? capture : await follow(paid, 'refund').send();
    await settle(world, change);
    expect(change.state).toBe('approved');
    world.state.now_ms += 3 * 86_400_000;
    await settle(world, change);
    expect(change.state).toBe('corrected');
    expect(await inBooks(paid)).toMatchObject(kind === 'capture' ? { captured: 0 } : { captured: 4250, refunded: 0 });
  });

  test('a dispute is told with its amount, an event that nobody knows is shown', async () => {
    const { paid } = await captured();
    await world.control('dispute', {
      psp: paid.reference,
      event: 'CHARGEBACK',
      value: 1000,
      more: { chargebackReasonCode: '10.4' },
    });
    await world.control('tell', { psp: paid.reference, event: 'OFFER_CLOSED' });
    await settle(world);
    const [dispute, unknown] = world.notices.slice(-2);
    expect(dispute).toMatchObject({
      match: { authorization_reference: paid.reference, ours: { order_id: paid.facts.order_id } },
      news: { kind: 'dispute', state: 'opened', amount_minor: 1000n, reason_code: '10.4' },
    });
    expect(unknown).toMatchObject({ match: null, news: { kind: 'not_understood' } });
  });
});

test('the settlement report has a line for each capture and refund, under our references', async () => {
  const { paid, capture } = await captured();
  const refund = await follow(paid, 'refund', { amount_minor: 50n }).send();
  await settle(world, refund);
  const report = await (
    await fetch(`${world.simulator.control_url}/control/settlement?merchant_account=${ACCOUNT.merchant_account}`)
  ).text();
  const [head = '', ...rows] = report.split('\n');
  const account = { merchant_account_id: '6'.repeat(24), name: ACCOUNT.merchant_account };
  const found = rows.map((row) => settlement.reader(head, account)?.(row));
  expect(found.filter((row) => row?.kind === 'problem')).toEqual([]);
  expect(found.at(-1)).toEqual({ kind: 'other', type: 'Fee' });
  const lines = found
    .flatMap((row) => (row?.kind === 'line' ? [row.line] : []))
    .filter(({ order_id }) => order_id === paid.facts.order_id);
  expect(lines).toMatchObject([
    { kind: 'capture', reference: capture.facts.operation_id, amount_minor: 4250n, provider_ref: capture.reference },
    { kind: 'refund', reference: refund.facts.operation_id, amount_minor: 50n, provider_ref: refund.reference },
  ]);
});

test('an automatic simulator works and sends its messages by itself, and shows its books to a person', async () => {
  const clicked = await openWorld({ automatic: true });
  const paid = await authorize(clicked).send();
  await follow(paid, 'capture').send();
  await expect.poll(() => clicked.notices.length).toBe(2);
  const page = await (await fetch(clicked.simulator.url)).text();
  expect(page).toContain(paid.reference);
  expect(page).toContain('4250 EUR');
  await clicked.close();
});

test('a sandbox opens one, and says where its messages go', async () => {
  const { credentials, open } = SIMULATOR;
  const simulator = await open(() => world.state.now_ms);
  const facts = factsOf('authorize');
  const values = { 'secret.api_key': credentials.api_key, 'secret.merchant_account': credentials.merchant_account };
  await makeSender(simulator.url)('payments', { facts, values });
  const said = { url: `${world.inbox_url}/sandbox`, secrets: [credentials.hmac_key] };
  await fetch(`${simulator.control_url}/control/endpoints`, { method: 'POST', body: JSON.stringify(said) });
  await makeSender(simulator.url)('payments', { facts: factsOf('authorize'), values });
  await expect.poll(() => world.notices.length).toBe(2);
  expect(world.notices.map(({ proof }) => isProved(proof, credentials.hmac_key))).toEqual([true, true]);
  expect(adyen.credentials.map(({ name }) => name).toSorted()).toEqual(Object.keys(credentials).toSorted());
  await simulator.close();
});
