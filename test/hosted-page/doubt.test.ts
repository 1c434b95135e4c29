// A payment that ended unpaid, and of which the bank then says that it holds the money: no page of ours tells the payer
// that nothing was charged, or asks them to pay again, until that has ended (decision 192).
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { authenticates } from '../authentication/payer.ts';
import { textAt } from '../client.ts';
import { type LateApprovals, lateApprovals } from '../doubt/late-approvals.ts';
import { operationsOf, says } from '../doubt/said.ts';
import { type World, world } from '../world.ts';
import { URLS, type Visit, hostedCheckout, open, pay } from './payer.ts';

let w: World;
let late: LateApprovals;
beforeAll(async () => {
  w = await world();
  late = lateApprovals(w);
});
afterAll(() => w[Symbol.asyncDispose]());
afterEach(() => late.end());

const DECLINED = { card_number: '4000000000000002' };
const DENIES = /Nothing was (?:charged|paid)\. (?!")|was not made/;

async function orderOf(checkout_id: string): Promise<string> {
  return textAt(await w.shop.api(`/payment/checkout/${checkout_id}`), 'checkout.orders.0.order_id');
}

const status = async (url: string, seen: string) => (await fetch(`${url}/status?seen=${seen}`)).json();

const said = ({ heading, html }: Visit) => ({
  heading,
  denies: DENIES.test(html),
  asks: html.includes('id="pay"'),
  // the bank has answered, and twice
  silent: /has not answered/.test(html),
});
const DOUBT = {
  heading: 'We do not know yet whether the payment went through',
  denies: false,
  asks: false,
  silent: false,
};

test('a hosted page whose declined payment is approved late asks for no other card until it is undone', async () => {
  const { url, checkout_id } = await hostedCheckout(w.shop, { order_merchant_id: 'undone-late', amount: '25.00' });
  expect(said(await pay(w.shop, url, DECLINED))).toMatchObject({ asks: true, denies: true });
  const order_id = await orderOf(checkout_id);
  await late.approvedLate(order_id);
  expect(said(await open(url))).toEqual(DOUBT);
  expect(await status(url, 'in_doubt')).toMatchObject({ next: 'stay', state: 'waiting' });
  await late.undone(order_id);
  expect(said(await open(url)).asks).toBe(true);
  expect(await status(url, 'in_doubt')).toMatchObject({ next: 'reload', state: 'open' });
});

test('a try before the last one counts as well, and a payer is led on by pending_url', async () => {
  const way = { order_merchant_id: 'first-of-two', amount: '25.00' };
  const { url, checkout_id } = await hostedCheckout(w.shop, { ...way, pending_url: URLS.pending_url });
  await pay(w.shop, url, DECLINED);
  const first = await orderOf(checkout_id);
  await pay(w.shop, url, DECLINED);
  await late.approvedLate(first);
  expect(said(await open(url))).toEqual(DOUBT);
  await w.shop.api('/sandbox/clock/advance', { body: { seconds: 11 } });
  expect(await open(url)).toMatchObject({ location: URLS.pending_url });
});

test('a checkout without attempts left does not say that the payment was not made', async () => {
  const denied = { order_merchant_id: 'all-tried', amount: '25.00' };
  const { url, checkout_id } = await hostedCheckout(w.shop, denied);
  for (const heading of ['Pay', 'Pay', 'Payment declined'])
    expect((await pay(w.shop, url, DECLINED)).heading).toContain(heading);
  await late.approvedLate(await orderOf(checkout_id));
  expect(said(await open(url))).toEqual(DOUBT);
});

test('the page of a bank check says of a payment that was declined after it, and approved late, that it is not known', async () => {
  const fields = { order_merchant_id: 'after-the-bank', authentication_indicator: 'ask_3ds' };
  const reply = await w.shop.pay({ card_number: '4000008260003178' }, fields);
  const ended = await authenticates(reply);
  expect([ended.html.includes('Payment declined'), DENIES.test(ended.html)]).toEqual([true, true]);
  await late.approvedLate(textAt(reply, 'order_id'));
  const page = textAt(reply, 'redirect_url');
  expect(said(await open(page))).toEqual(DOUBT);
  expect(await status(page, 'in_doubt')).toMatchObject({ next: 'stay' });
});

test('a payment whose release the bank denies afterwards is not said to be unpaid', async () => {
  const { url, checkout_id } = await hostedCheckout(w.shop, { operation_type: 'authorize', amount: '25.00' });
  await pay(w.shop, url);
  const order_id = await orderOf(checkout_id);
  await w.shop.api(`/payment/maintenance/cancel/${order_id}`, { body: {}, headers: { prefer: 'wait=10' } });
  expect(said(await open(url))).toMatchObject({ heading: 'Payment cancelled', denies: true });
  const [reference = ''] = await operationsOf(w, order_id, 'cancel');
  const end = await says(w, { order_id, reference, kind: 'cancel', status: 'declined', code: '721288' });
  const { body } = await w.shop.read(order_id);
  expect([end, body]).toMatchObject([{ state: 'applied' }, { is_in_doubt: true }]);
  expect(said(await open(url))).toEqual(DOUBT);
});
