// An order whose first provider sees payers itself, and had trouble of its own before it saw this one: another provider
// goes on with it, and what the merchant asked for holds there too (docs/contract.md 3, 10.1).
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Reply, textAt, until } from '../client.ts';
import { keepClosed } from '../provider-hold.ts';
import { type World, world } from '../world.ts';
import { authenticates } from './payer.ts';

let w: World;
beforeAll(async () => {
  w = await world({ FLORIN_WITH: 'stripe' });
  await keepClosed(w, 'stripe');
  await keepClosed(w);
});
afterAll(() => w[Symbol.asyncDispose]());

/** Stripe fails before anything was sent that moves money. */
async function payPastStripe(fields: object, card: object = {}): Promise<Reply> {
  const fault = { kind: 'error_before', method: 'POST', path: '/v1/payment_intents' };
  const armed = await fetch(`${w.service.simulators?.get('stripe')?.control_url}/control/faults`, {
    method: 'POST',
    body: JSON.stringify(fault),
  });
  expect(armed.status, await armed.text()).toBe(200);
  return w.shop.pay(card, { merchant_contract: 'stripe', payment_channel: 'e-commerce', ...fields });
}

const idOf = (order: Reply) => textAt(order, 'order_id');
const partnersOf = async (order: Reply) => {
  const read = await w.shop.read(idOf(order));
  return [0, 1, 2, 3].flatMap((at) => read.at(`transactions.${at}.payin_partner`) ?? []);
};
const takenAtSimulator = async (order: Reply) => {
  const books = await w.shop.api(`/sandbox/provider/books?order_id=${idOf(order)}`);
  return books.at('list.0.state');
};
const toldOf = (order: Reply) =>
  w
    .sql<{ type: string }>(
      `SELECT type FROM payment.events WHERE subject_id = decode($1, 'hex') AND NOT silent ORDER BY seq`,
      [idOf(order)],
    )
    .then((events) => events.map(({ type }) => type));

const CHALLENGED = '2500';

test.each(['force_3ds', 'ask_3ds'])('under %s the payer is asked before the second provider is', async (indicator) => {
  const order = await payPastStripe({ authentication_indicator: indicator, amount: CHALLENGED });
  expect([order.at('status'), order.code, order.at('payin_partner')], order.text).toEqual([
    'authentication_requested',
    '421080',
    'simulator',
  ]);
  expect(await takenAtSimulator(order)).toBe(undefined);
  await authenticates(order);
  const paid = await until(async () => {
    const read = await w.shop.read(idOf(order));
    return read.at('status') === 'capture_successful' ? read : undefined;
  });
  expect([paid.at('is_authenticated'), paid.at('authentication_result')]).toEqual([true, 'success']);
  expect(await partnersOf(order)).toEqual(['stripe', 'simulator']);
  expect(await toldOf(order)).toEqual([
    'authorization_requested',
    'authentication_requested',
    'authentication_successful',
    'authorization_requested',
    'authorization_successful',
    'capture_successful',
  ]);
});

test('who need not act is authenticated without a word, and the order is paid', async () => {
  const order = await payPastStripe({ authentication_indicator: 'force_3ds' });
  expect([order.code, order.at('is_authenticated')], order.text).toEqual(['955555', true]);
  expect(await partnersOf(order)).toEqual(['stripe', 'simulator']);
});

const NOT_ENROLLED = { card_number: '4000009907000015' };

test('a card that cannot be authenticated is not paid under force_3ds, and goes on without under ask_3ds', async () => {
  const forced = await payPastStripe({ authentication_indicator: 'force_3ds' }, NOT_ENROLLED);
  expect([forced.at('status'), forced.code], forced.text).toEqual(['authentication_declined', '320120']);
  expect(await takenAtSimulator(forced)).toBe(undefined);
  // a move of the order's table of moves, as after a soft decline
  expect(await toldOf(forced)).toEqual([
    'authorization_requested',
    'authentication_requested',
    'authentication_declined',
  ]);
  const asked = await payPastStripe({ authentication_indicator: 'ask_3ds' }, NOT_ENROLLED);
  expect([asked.code, asked.at('is_authenticated')], asked.text).toEqual(['955555', false]);
});

test('an attempt that ends with the authentication counts against no card', async () => {
  const order = await payPastStripe({ authentication_indicator: 'force_3ds' }, NOT_ENROLLED);
  const open = await w.sql(
    `SELECT 1 FROM payment.declines d JOIN payment.transactions t ON t.id = d.transaction_id
     WHERE t.order_id = decode($1, 'hex')`,
    [idOf(order)],
  );
  expect(open).toEqual([]);
});

test('under no_3ds nobody is asked', async () => {
  const order = await payPastStripe({ authentication_indicator: 'no_3ds', amount: CHALLENGED });
  expect([order.code, order.at('is_authenticated')], order.text).toEqual(['955555', false]);
});

const scenario = (fields: object) =>
  w.shop.api('/sandbox/scenario', { body: { operation: 'direct_capture', fault: 'decline', ...fields } });
const [TROUBLE, SOFT] = ['420410', '420150'];

test.each([
  ['whose payer acts at the bank', {}],
  ['whose payer need not act', { card_number: '4000000000003055' }],
])('an attempt %s after a second provider asked for that sees no third one', async (_, card) => {
  await scenario({ provider: 'simulator', code: TROUBLE });
  await scenario({ provider: 'simulator_b', code: SOFT });
  await scenario({ provider: 'simulator_b', code: TROUBLE });
  const fields = { merchant_contract: 'simulator', payment_channel: 'e-commerce' };
  const order = await w.shop.pay(card, fields);
  if (order.at('status') === 'authentication_requested') await authenticates(order);
  const ended = await until(async () => {
    const read = await w.shop.read(idOf(order));
    return /^auth\w+_requested$/.test(textAt(read, 'status')) ? undefined : read;
  });
  expect(ended.at('result.code'), ended.text).toBe(TROUBLE);
  expect(await partnersOf(order)).toEqual(['simulator', 'simulator_b', 'simulator_b']);
});
