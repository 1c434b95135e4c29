// How each result code is reached, as a merchant reaches it: by its number (contract 15.3), by a well-known card, or by
// asking what may not be. One row a code; codes.test.ts walks the customer's own table through them.
import { type Client, CHECKOUT, GOOD_CARD, type Reply, textAt } from '../client.ts';
import { hostedCheckout, nonceIn, open, sendForm } from '../hosted-page/payer.ts';
import { UNDECIDED } from '../maintenance/till.ts';
import { formOf, open as openPage, redirectOf, toBank } from '../authentication/payer.ts';
import { numberOf } from '../providers/client.ts';

/** Answers in which the code is to be found. */
export type Story = (shop: Client) => Promise<readonly Reply[]>;
type Kind = 'capture' | 'refund' | 'cancel';

const WAIT = { prefer: 'wait=10' };
const SOON = { prefer: 'wait=0' };
const APPROVED = '4242424242424242';
let count = 0;
const FORCED = { authentication_indicator: 'force_3ds', amount: '20.00' };
/** Nobody is there who could be asked. */
const BY_PHONE = { payment_channel: 'moto' };

type Wanted = { readonly card?: string; readonly operation_type?: string; readonly headers?: typeof WAIT };

async function pay(shop: Client, { card = APPROVED, headers = WAIT, ...fields }: Wanted & object = {}): Promise<Reply> {
  const terms = { operation_type: 'authorize', amount: '20.00', currency: 'EUR', order_merchant_id: `code-${count++}` };
  return shop.order({ token: await shop.token({ card_number: card }), ...terms, ...fields }, headers);
}

const idOf = (reply: Reply) => textAt(reply, 'order_id');
const maintain = (shop: Client, kind: Kind, order: Reply, body: object = {}, headers = WAIT): Promise<Reply> =>
  shop.api(`/payment/maintenance/${kind}/${idOf(order)}`, { body, headers });

/** An order that pays with this card; what the merchant is told, and what a later read says. */
function paidWith(card: string, fields: object = {}): Story {
  return async (shop) => {
    const paid = await pay(shop, { card, ...fields });
    return [paid, await shop.read(idOf(paid))];
  };
}

/** The first capture, refund or cancel on a card. */
function follow(kind: Kind, card: string): Story {
  return async (shop) => {
    const operation_type = kind === 'refund' ? 'direct_capture' : 'authorize';
    return [await maintain(shop, kind, await pay(shop, { card, operation_type }))];
  };
}

/** As that, and the same or another request on the same order, once or more. */
function twice(kind: Kind, how: { card?: string; first?: object; next?: object; sale?: true; times?: number }): Story {
  return async (shop) => {
    const operation_type = kind === 'refund' || how.sale ? 'direct_capture' : 'authorize';
    const paid = await pay(shop, { card: how.card ?? APPROVED, operation_type });
    const headers = how.card === undefined ? WAIT : SOON;
    for (let i = 0; i < (how.times ?? 1); i++) await maintain(shop, kind, paid, how.first ?? {}, headers);
    return [await maintain(shop, kind, paid, how.next ?? how.first ?? {}, headers)];
  };
}

/** A request about a declined order. */
function onDeclined(kind: Kind): Story {
  return async (shop) => [await maintain(shop, kind, await pay(shop, { card: '4000000000000002' }))];
}

/** The authorization is over after an hour (contract 15.3). */
function afterLapse(kind: Kind): Story {
  return async (shop) => {
    const paid = await pay(shop, { card: '4000009902000051' });
    await shop.api('/sandbox/clock/advance', { body: { seconds: 3700 } });
    return [await maintain(shop, kind, paid)];
  };
}

/** Something stays undecided, by an armed fault that is tied to its order alone. */
function pending(kind: Kind): Story {
  return async (shop) => {
    const operation_type = kind === 'refund' ? 'direct_capture' : 'authorize';
    const paid = await pay(shop, { operation_type });
    const scenario = { operation: kind, fault: 'pending', match: { order_id: idOf(paid) } };
    await shop.api('/sandbox/scenario', { body: scenario });
    return [await maintain(shop, kind, paid, {}, SOON)];
  };
}

/** Cancelled twice while the first is undecided. */
const cancelTwice: Story = async (shop) => {
  const paid = await pay(shop);
  await shop.api('/sandbox/scenario', {
    body: { operation: 'cancel', fault: 'pending', match: { order_id: idOf(paid) } },
  });
  await maintain(shop, 'cancel', paid, {}, SOON);
  return [await maintain(shop, 'cancel', paid, {}, SOON)];
};

/** What the vault answers to a card. */
function tokenize(card: object): Story {
  return async (shop) => [await shop.vault('/token', { body: { ...GOOD_CARD, ...card } })];
}

const ask =
  (path: string, request: object = {}): Story =>
  async (shop) => [await shop.api(path, request)];

/** A checkout and what is paid on it, one order after the other. */
function onCheckout(max_attempts: string, cards: readonly string[]): Story {
  return async (shop) => {
    const checkout_id = await shop.checkout({ max_attempts, order_merchant_id: `code-${count++}` });
    const replies: Reply[] = [];
    for (const card_number of cards)
      replies.push(await shop.order({ checkout_id, token: await shop.token({ card_number }) }, WAIT));
    return replies;
  };
}

/** The payer leaves the hosted page. */
const leavesPage: Story = async (shop) => {
  const { url, checkout_id } = await hostedCheckout(shop);
  await sendForm(`${url}/cancel`, { nonce: nonceIn(await open(url)) });
  return [await shop.api(`/payment/checkout/${checkout_id}`)];
};

/** The payer's bank says at once that the payer left. */
async function left(shop: Client): Promise<Reply> {
  const paid = await pay(shop, { card: numberOf('361000'), ...FORCED });
  const bank = await toBank(redirectOf(paid));
  const back = formOf(bank, 'back');
  await openPage(back.action, back.fields);
  return paid;
}

const leavesBank: Story = async (shop) => [await shop.read(idOf(await left(shop)))];
/** And the merchant captures all the same. */
const captureAfterLeaving: Story = async (shop) => [await maintain(shop, 'capture', await left(shop))];

/** Nobody acts at the bank's page, for longer than there is time. */
const staysSilent: Story = async (shop) => {
  const paid = await pay(shop, { card: numberOf('320001'), ...FORCED });
  await shop.api('/sandbox/clock/advance', { body: { seconds: 1900 } });
  return [await shop.read(idOf(paid))];
};

const usedToken: Story = async (shop) => {
  const body = { operation_type: 'authorize', amount: 1, currency: 'EUR', token: await shop.token() };
  await shop.order({ ...body, order_merchant_id: `code-${count++}` }, WAIT);
  return [await shop.order({ ...body, order_merchant_id: `code-${count++}` }, WAIT)];
};

/** Too many wrong keys. */
const tooMany: Story = async (shop) => {
  const replies: Reply[] = [];
  for (let i = 0; i < 32; i++) replies.push(await shop.api('/payment/order', { key: 'x'.repeat(40) }));
  return replies.slice(-1);
};

const savedCard: Story = async (shop) => {
  const customer_id = `code-${count++}`;
  const token = await shop.token({ token_type: 'recurring' });
  await shop.pay({}, { token, customer_id, token_type: 'recurring', order_merchant_id: `code-${count++}` });
  return [await shop.api('/payment/information/id', { method: 'DELETE', body: { customer_id } })];
};

/** Those that are not simply the number of the code; of the rest see `storyOf`. */
const STORIES: Readonly<Record<string, Story>> = {
  '011111': ask('/payment/checkout', { body: CHECKOUT }),
  '111011': ask('/payment/checkout', { body: {} }),
  '111012': ask('/payment/checkout', { body: { ...CHECKOUT, amount: 'much' } }),
  '111013': tooMany,
  '111022': ask('/payment/order', { key: 'FL-no-key-of-anybody-at-all' }),
  '111023': async (shop) => [await shop.api('/payment/order', { key: shop.keys.public_key })],
  '111034': onCheckout('1', ['4000000000000002', APPROVED]),
  '111035': onCheckout('2', [APPROVED, APPROVED]),
  '131088': paidWith('4100000000000019'),
  '161000': leavesPage,
  '240021': tokenize({ card_number: '4242424242424241' }),
  '240022': tokenize({ card_validity_year: '2020' }),
  '241021': usedToken,
  '241031': tokenize({ cvc: '12' }),
  '404000': ask('/payment/nothing'),
  '320001': staysSilent,
  '361000': leavesBank,
  '420050': paidWith(numberOf('420050'), BY_PHONE),
  '420150': paidWith(numberOf('420150')),
  '420250': paidWith(numberOf('420250'), BY_PHONE),
  '421080': paidWith('4000009901000110', { headers: SOON }),
  '511030': twice('capture', {}),
  '511031': twice('capture', { first: { amount: '20.01' } }),
  '511032': twice('capture', { card: UNDECIDED.capture }),
  '511033': twice('capture', { first: { amount: '0.01' }, times: 50 }),
  '520120': afterLapse('capture'),
  '520220': onDeclined('capture'),
  '521080': pending('capture'),
  '521100': captureAfterLeaving,
  '611030': twice('refund', { first: { amount: '20.01' } }),
  '611031': twice('refund', {}),
  '611032': twice('refund', { card: UNDECIDED.refund }),
  '611033': twice('refund', { first: { amount: '0.01' }, times: 50 }),
  '620210': async (shop) => [await maintain(shop, 'refund', await pay(shop))],
  '621080': pending('refund'),
  '711030': afterLapse('cancel'),
  '711031': twice('cancel', { sale: true }),
  '711032': twice('cancel', {}),
  '711033': cancelTwice,
  '720010': onDeclined('cancel'),
  '721080': pending('cancel'),
  '911111': ask('/payment/order'),
  '944444': paidWith(APPROVED),
  '955555': paidWith(APPROVED, { operation_type: 'direct_capture' }),
  '966666': follow('refund', APPROVED),
  '977777': follow('cancel', APPROVED),
  '999999': tokenize({}),
  '9111111': savedCard,
};

/** Moves the clock or uses up a limit of everybody: after the others, one by one. */
export const LAST: readonly string[] = ['320001', '520120', '711030', '111013'];

export type Code = { readonly code: string; readonly name: string; readonly phase: string; readonly kind: string };

/** Undefined: there is none, which is a hole in this table. */
export function storyOf({ code, phase }: Code): Story | undefined {
  const own = STORIES[code];
  if (own) return own;
  if (phase === 'capture' || phase === 'refund' || phase === 'cancel') return follow(phase, numberOf(code));
  if (phase === 'authentication') return paidWith(numberOf(code), FORCED);
  if (['order', 'tokenization', 'authorization'].includes(phase)) return paidWith(numberOf(code));
  return undefined;
}
