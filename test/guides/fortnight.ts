// A fortnight of a shop, played through the API on the clock of a sandbox: what the pictures of the back office show.
// The same seed gives the same customers, carts and cards; where a payment goes is drawn by its rule.
import { setTimeout } from 'node:timers/promises';
import { HOUR_MS } from '../../src/core/durations.ts';
import type { Person } from '../backoffice/person.ts';
import { type Reply, textAt, until } from '../client.ts';
import { hostedCheckout, nonceIn, open, pay, sendForm } from '../hosted-page/payer.ts';
import { seeded } from '../seeded.ts';
import type { World } from '../world.ts';

/** Where its pages stand. */
export type Fortnight = { readonly order: string; readonly link: string; readonly receipt: string };

const DAYS = 14;
const COUNTED_MS = 600;
/** How many pay at these hours (UTC); weekends are slower. */
const HOURS = [
  [7, 2],
  [10, 5],
  [12, 6],
  [15, 5],
  [18, 9],
  [20, 11],
] as const;
/** The last day ends here: its evening is still to come. */
const LAST_HOUR = 15;

const PEOPLE = [
  ['Lena', 'Vogel', 'DE', 'de'],
  ['Hugo', 'Lambert', 'FR', 'fr'],
  ['Mina', 'Sato', 'NL', 'en'],
  ['Marta', 'Nowak', 'PL', 'pl'],
  ['Oscar', 'Lind', 'SE', 'sv'],
  ['Inès', 'Moreau', 'FR', 'fr'],
  ['Paul', 'Weber', 'DE', 'de'],
  ['Grace', 'Hall', 'GB', 'en'],
  ['Giulia', 'Rossi', 'IT', 'it'],
  ['Jonas', 'Keller', 'AT', 'de'],
] as const;

/** As often as they stand here. */
const CARDS = [
  ...Array.from({ length: 24 }, () => '4242424242424242'),
  ...Array.from({ length: 8 }, () => '4000056655665556'),
  ...Array.from({ length: 20 }, () => '5555555555554444'),
  ...Array.from({ length: 6 }, () => '2223003122003222'),
  ...Array.from({ length: 5 }, () => '378282246310005'),
  ...Array.from({ length: 3 }, () => '4000002500001001'),
  '4000000000000002',
  '4000000000009995',
  '4000000000009995',
  '4000000000006975',
  '4000000000000069',
  '4000000000009235',
  '4000009908000022',
] as const;

/** In minor units; what shops ask for is seldom round. */
const PRICES = [1290, 2490, 3150, 3990, 4250, 5400, 6290, 7900, 8995, 11_800, 14_900, 23_900] as const;

const RULES = [
  {
    name: 'Large amounts to the second',
    when: { currency: ['EUR'], amount_from: '140' },
    then: { order: ['simulator_b', 'simulator'] },
  },
  {
    name: 'Pounds to the second',
    when: { currency: ['GBP'] },
    then: { order: ['simulator_b', 'simulator'] },
  },
  {
    name: 'Euro cards where most are approved',
    when: { currency: ['EUR'], scheme: ['visa', 'mastercard'] },
    then: { best_of: ['simulator', 'simulator_b'] },
  },
] as const;

/** `notified`: the address of a server that takes notifications. */
export async function playFortnight(w: World, owner: Person, notified: string): Promise<Fortnight> {
  const random = seeded(1881);
  const one = <T>(of: readonly T[]): T => of[Math.floor(random() * of.length)] as T;
  const start = new Date();
  const at = (day: number, hour: number) =>
    Date.UTC(start.getUTCFullYear(), start.getUTCMonth(), start.getUTCDate() + 1 + day, hour);
  const goTo = async (moment: number) => {
    const reply = await w.shop.api('/sandbox/clock/advance', { body: { to: new Date(moment).toISOString() } });
    if (reply.status !== 200) throw new Error(reply.text);
  };
  const dayOf = (moment: number) => new Date(moment).toISOString().slice(0, 10);
  const did = async (path: string, body: object) => {
    const answer = await owner.post(path, body);
    if (answer.status >= 300) throw new Error(`${path}: ${answer.text}`);
  };

  let cart = 1880;
  const sale = async (fields: object = {}, card_number = one(CARDS)) => {
    const [first, last, country, locale] = one(PEOPLE);
    const currency = country === 'GB' ? 'GBP' : country === 'PL' ? 'PLN' : country === 'SE' ? 'SEK' : 'EUR';
    const name = `${first}.${last}`.toLowerCase().replace('è', 'e');
    return w.shop.pay(
      { card_number, cvc: card_number.startsWith('37') ? '1234' : '123' },
      {
        amount: (one(PRICES) / 100).toFixed(2),
        currency,
        locale,
        order_merchant_id: `cart-${(cart += 1 + Math.floor(random() * 3))}`,
        operation_type: random() < 0.2 ? 'authorize' : 'direct_capture',
        customer_id: name,
        customer_email: `${name}@mail.example`,
        customer_first_name: first,
        customer_last_name: last,
        customer_country: country,
        customer_ip: `203.0.113.${1 + Math.floor(random() * 200)}`,
        ...fields,
      },
    );
  };
  const sales = (count: number) => Promise.all(Array.from({ length: count }, () => sale()));
  const alone = (card_number: string, fields: object) =>
    w.shop.pay(
      { card_number, token_type: 'recurring' },
      { payment_channel: 'recurring', retry_policy: 'default', ...fields },
    );

  const refund = async (paid: Reply) =>
    w.shop.api(`/payment/maintenance/refund/${textAt(paid, 'order_id')}`, { body: { amount: paid.at('amount') } });
  /** The first provider's acquirer is away until it is left alone; payments go on at the second. */
  const outage = async () => {
    const fault = { operation: 'direct_capture', fault: 'decline', code: '420210', provider: 'simulator', times: 100 };
    await w.shop.api('/sandbox/scenario', { body: fault });
    const field = { amount: '42.50', currency: 'EUR', operation_type: 'direct_capture' };
    await until(async () => {
      await sale(field, '4242424242424242');
      // what calls came to is counted once a moment
      await setTimeout(COUNTED_MS);
      return (await owner.get('/api/providers')).text.match(/"to":"(?:open|half)"/) ?? undefined;
    }, 60);
    await w.shop.api('/sandbox/scenario', { method: 'DELETE' });
  };

  await did('/api/notifications/endpoints', { url: notified });
  await did('/api/routing/publish', { document: { rules: RULES }, base_version: 0, reason: 'the two acquirers' });
  await did('/api/reports', {
    name: 'Orders of the week',
    kind: 'orders',
    format: 'xlsx',
    every: 'weekly',
    zone: ZONE,
  });
  await did('/api/reports', { name: 'Refunds', kind: 'refunds', format: 'csv', every: 'weekly', zone: ZONE });
  const links: { readonly url: string; readonly id: string }[] = [];
  for (const body of LINKS) {
    const made = await w.shop.api('/payment/link', { body });
    links.push({ url: textAt(made, 'link.url'), id: textAt(made, 'link.link_id') });
  }

  for (let day = 0; day < DAYS; day++) {
    const weekend = [0, 6].includes(new Date(at(day, 12)).getUTCDay());
    for (const [hour, usual] of HOURS) {
      if (day === DAYS - 1 && hour > LAST_HOUR) break;
      await goTo(at(day, hour));
      await sales(Math.max(1, Math.round(usual * (weekend ? 0.6 : 1) * (0.7 + 0.6 * random()))));
      if (day === 3 && hour === 10) {
        await alone('4000009908000048', { order_merchant_id: 'box-118', amount: '24.90', currency: 'EUR' });
        await alone('4000009908000048', { order_merchant_id: 'box-121', amount: '39.00', currency: 'EUR' });
      }
      if (hour === 10 && DISPUTED_DAYS.includes(day))
        await sale({ currency: 'EUR', operation_type: 'direct_capture' }, '4000000000000259');
      if (hour === 15 && day > 1) await refund(await sale({ operation_type: 'direct_capture' }, '4242424242424242'));
      if (hour === 12 && day > 5) await payByLink(w, links[0]?.url);
      if (hour === 18 && day === 9) await payByLink(w, links[1]?.url);
      if (hour === 12 && day === DAYS - 1) await outage();
    }
  }

  await alone('4000000000009995', { order_merchant_id: 'box-163', amount: '24.90', currency: 'EUR' });
  await alone('5300000000000105', { order_merchant_id: 'box-164', amount: '39.00', currency: 'EUR' });
  for (const [name, kind, format] of [
    ['Captures for the books', 'captures', 'csv'],
    ['Disputes so far', 'disputes', 'xlsx'],
  ] as const)
    await did('/api/reports', {
      name,
      kind,
      format,
      every: 'once',
      zone: ZONE,
      from: dayOf(at(0, 0)),
      to: dayOf(at(DAYS - 2, 0)),
    });

  const shown = await sale(
    {
      amount: '67.60',
      currency: 'EUR',
      operation_type: 'authorize',
      order_description: 'Reading lamp, 2 bulbs',
    },
    '4242424242424242',
  );
  const order = textAt(shown, 'order_id');
  await w.shop.api(`/payment/maintenance/capture/${order}`, { body: { amount: '61.00' } });
  await goTo(at(DAYS - 1, LAST_HOUR) + 0.4 * HOUR_MS);
  await w.shop.api(`/payment/maintenance/refund/${order}`, { body: { amount: '6.60' } });
  await sales(6);
  await goTo(at(DAYS - 1, LAST_HOUR) + 0.6 * HOUR_MS);

  const receipt = await paidInFrench(w, `cart-${(cart += 2)}`);
  return { order, link: links[0]?.id ?? '', receipt };
}

const ZONE = 'Europe/Paris';
/** A day later their payers' bank takes them back. */
const DISPUTED_DAYS: readonly number[] = [0, 5, 11];

const LINKS = [
  { usage: 'many', amount: '12.00', currency: 'EUR', order_merchant_id: 'market-stand' },
  { amount: '480.00', currency: 'EUR', order_merchant_id: 'invoice-1042' },
  { amount: '164.50', currency: 'EUR', order_merchant_id: 'invoice-1043' },
] as const;

async function payByLink(w: World, url = ''): Promise<void> {
  const sent = await sendForm(url, { nonce: nonceIn(await open(url)) });
  await pay(w.shop, new URL(sent.location ?? '', url).href.replace('?sent', ''));
}

/** A page of the vault after a payment whose shop gave no address to go back to. */
async function paidInFrench(w: World, order_merchant_id: string): Promise<string> {
  const basket_content = [
    { product_name: 'Lampe de lecture, laiton', product_quantity: 2, total_amount: '31.00' },
    { product_name: 'Ampoule E27', product_price: '6.60' },
  ];
  const customer = { customer_id: 'hugo.lambert', customer_email: 'hugo.lambert@mail.example' };
  const cart = { order_merchant_id, ...customer, locale: 'fr', basket_content, shipping_price: '4.90' };
  const { url } = await hostedCheckout(w.shop, cart);
  await pay(w.shop, url);
  return url;
}
