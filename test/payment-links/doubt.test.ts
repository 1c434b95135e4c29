// A payment link whose payment ended unpaid, and of which the bank then says that it holds the money: to its payer that
// is the same payment, so nothing is opened, asked for or denied until that has ended (contract 5.3).
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { firstOwner } from '../backoffice/person.ts';
import { textAt } from '../client.ts';
import { type LateApprovals, lateApprovals } from '../doubt/late-approvals.ts';
import { type Visit, nonceIn, open, pay, sendForm, typed } from '../hosted-page/payer.ts';
import { type World, world } from '../world.ts';

let w: World;
let late: LateApprovals;
beforeAll(async () => {
  w = await world();
  late = lateApprovals(w);
});
afterAll(() => w[Symbol.asyncDispose]());
afterEach(() => late.end());

const DECLINED = { card_number: '4000000000000002' };
const DENIES = /Nothing was (?:charged|paid)\. (?!")|Nothing was charged here|was not made/;
const DOUBT = { heading: 'We do not know yet whether the payment went through', denies: false, asks: false };

const said = ({ heading, html }: Visit) => ({
  heading,
  denies: DENIES.test(html),
  asks: /id="pay"|name="nonce"/.test(html),
});
const status = async (url: string, seen: string) => (await fetch(`${url}/status?seen=${seen}`)).json();

/** A link for one payment. */
async function make(order_merchant_id: string, fields: object = {}) {
  const fixed = { amount: '25.00', currency: 'EUR', order_merchant_id };
  const made = await w.shop.api('/payment/link', { body: { ...fixed, ...fields } });
  const link_id = textAt(made, 'link.link_id');
  return { url: textAt(made, 'link.url'), link_id };
}

/** Presses the button of the link; answers where that leads. */
async function press(url: string, nonce?: string): Promise<string> {
  const sent = await sendForm(url, { nonce: nonce ?? nonceIn(await open(url)), amount: '25' });
  return new URL(sent.location ?? '', url).href.replace('?sent', '');
}

const read = async (link_id: string) => (await w.shop.api(`/payment/link/${link_id}`)).at('link');
const lastOrder = async (link_id: string) =>
  textAt(await w.shop.api(`/payment/link/${link_id}/order`), 'orders.0.order_id');

test('a link whose declined payment is approved late opens no other one until that is undone', async () => {
  const { url, link_id } = await make('late-link');
  const nonce = nonceIn(await open(url));
  const at = await press(url);
  await pay(w.shop, at, DECLINED);
  const order_id = await lastOrder(link_id);
  await late.approvedLate(order_id);
  expect([said(await open(at)), said(await open(url)), said(await open(`${url}?busy`))]).toEqual([DOUBT, DOUBT, DOUBT]);
  expect(await status(url, 'in_doubt')).toMatchObject({ next: 'stay' });
  // the form of a tab that was opened before
  expect(await press(url, nonce)).toBe(url);
  expect(await read(link_id)).toMatchObject({ opened: 1, status: 'active', is_in_doubt: true });
  expect((await w.shop.api(`/payment/link/${link_id}/order`)).at('orders.0.is_in_doubt')).toBe(true);
  const owner = await firstOwner(w);
  expect((await owner.get(`/api/links/${link_id}/orders`)).at('orders.0.in_doubt')).toBe(true);
  await late.undone(order_id);
  expect(await status(url, 'in_doubt')).toMatchObject({ next: 'reload' });
  expect(await read(link_id)).toMatchObject({ is_in_doubt: false });
  expect((await pay(w.shop, await press(url))).heading).toBe('Paid');
  expect(await read(link_id)).toMatchObject({ opened: 2, status: 'paid', is_in_doubt: false });
  // who paid may be the one who looks at it again
  expect(said(await open(url))).toEqual({ ...DOUBT, heading: 'This order is being paid or has been paid already' });
});

test('no later opening of a link asks for a card, takes one or says that nothing was paid while an earlier one is in doubt', async () => {
  const { url, link_id } = await make('earlier-of-three');
  const first = await press(url);
  const second = await press(url);
  await pay(w.shop, second, DECLINED);
  const order_id = await lastOrder(link_id);
  const third = await press(url);
  const page = await open(third);
  const form = { token: await typed(w.shop, page), nonce: nonceIn(page), token_type: 'oneshot' };
  await late.approvedLate(order_id);
  // a card that was typed before
  await sendForm(third, form);
  for (const at of [first, second, third]) expect(said(await open(at))).toEqual(DOUBT);
  expect(await status(third, 'in_doubt')).toMatchObject({ next: 'stay', state: 'waiting' });
  // who leaves it
  await sendForm(`${third}/cancel`, { nonce: nonceIn(page) });
  expect(said(await open(third))).toEqual(DOUBT);
  expect((await w.shop.api(`/payment/link/${link_id}/order`)).at('orders')).toHaveLength(1);
  await late.undone(order_id);
  expect((await open(third)).heading).toBe('Payment cancelled');
});

test('a link that is switched off, or is over, while a payment of it is in doubt does not say that nothing was paid', async () => {
  for (const [way, end] of [
    ['paused-in-doubt', (id: string) => w.shop.api(`/payment/link/${id}`, { body: { status: 'paused' } })],
    ['ended-in-doubt', (id: string) => w.shop.api(`/payment/link/${id}`, { body: { status: 'ended' } })],
    [
      'over-in-doubt',
      (id: string) => w.sql(`UPDATE payment.payment_links SET expires_at = now() WHERE encode(id, 'hex') = $1`, [id]),
    ],
  ] as const) {
    const { url, link_id } = await make(way, { amount: null, amount_least: '5', amount_most: '30' });
    await pay(w.shop, await press(url), DECLINED);
    const order_id = await lastOrder(link_id);
    await end(link_id);
    expect(said(await open(url)).heading).toBe('This payment link is not open');
    await late.approvedLate(order_id);
    const page = await open(url);
    expect([way, said(page), page.html.includes('€0.00')]).toEqual([way, DOUBT, false]);
    await late.undone(order_id);
    expect(said(await open(url)).heading).toBe('This payment link is not open');
  }
});

test('of a link that many pay the doubt of one payer keeps no other from paying', async () => {
  const { url, link_id } = await make('many', { usage: 'many' });
  const at = await press(url);
  await pay(w.shop, at, DECLINED);
  await late.approvedLate(await lastOrder(link_id));
  expect(said(await open(at))).toEqual(DOUBT);
  expect((await pay(w.shop, await press(url))).heading).toBe('Paid');
  expect(await read(link_id)).toMatchObject({ status: 'active', is_in_doubt: false });
});

test('a link that many pay does not deny, once it is over, what who looks at it may have paid', async () => {
  const { url, link_id } = await make('many-over', { usage: 'many' });
  expect((await pay(w.shop, await press(url))).heading).toBe('Paid');
  await w.shop.api(`/payment/link/${link_id}`, { body: { status: 'ended' } });
  expect(said(await open(url))).toEqual({ heading: 'This payment link is not open', denies: false, asks: false });
});

test('an opening whose attempts are used up stays declined when its link is opened again', async () => {
  const { url } = await make('used-up', { max_attempts: 1 });
  const first = await press(url);
  expect((await pay(w.shop, first, DECLINED)).heading).toBe('Payment declined');
  const later = await press(url);
  expect((await open(first)).heading).toBe('Payment declined');
  // and is not in the way of one more
  await press(url);
  expect((await open(later)).heading).toBe('Payment cancelled');
});
