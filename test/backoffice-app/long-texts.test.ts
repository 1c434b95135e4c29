// Texts as merchants and payers write them: two hundred letters without a space, signs that a search or an address
// takes for its own, a name that begins with a picture.
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { firstOwner, invited } from '../backoffice/person.ts';
import { openBrowser } from '../browser/browser.ts';
import { textAt, until } from '../client.ts';
import { type World, world } from '../world.ts';
import { type Seat, flaws, seated, settled, shoot } from './seat.ts';

const ODD = `100%_"o'k"`;
const long = (letter: string) => letter.repeat(200);

let w: World;
let browser: Browser;
let order_id = '';
let link_id = '';
beforeAll(async () => {
  [w, browser] = await Promise.all([world(), openBrowser()]);
  const owner = await firstOwner(w);
  await invited(w, owner, 'reader');
  await w.sql(`UPDATE payment.people SET name = $1, email = $2 WHERE email LIKE 'reader@%'`, [
    `\u{1f680} ${'N'.repeat(90)}`,
    `${'m'.repeat(200)}@shop.example`,
  ]);
  const names = { customer_first_name: long('F'), customer_last_name: long('L'), order_description: long('D') };
  const paid = await w.shop.pay(
    {},
    { ...names, order_merchant_id: long('R'), customer_id: long('c'), amount: '10000000000.00' },
  );
  order_id = textAt(paid, 'order_id');
  await w.shop.decided(order_id);
  await w.shop.pay({}, { order_merchant_id: 'a', customer_id: 'b' });
  await w.shop.pay({}, { order_merchant_id: ODD });
  const body = { usage: 'many', currency: 'EUR', amount: '12.00' };
  const made = await w.shop.api('/payment/link', {
    body: { ...body, order_merchant_id: long('K'), order_description: long('D') },
  });
  link_id = textAt(made, 'link.link_id');
  await until(async () => ((await owner.get('/api/orders')).text.includes('100%') ? true : undefined));
});
afterAll(async () => {
  await browser.close();
  await w[Symbol.asyncDispose]();
});

/** Tables whose rows go on where nobody sees them. */
const hidden = ({ page }: Seat): Promise<readonly string[]> =>
  page.evaluate(`[...document.querySelectorAll('.table-wrap')]
    .filter((part) => part.scrollWidth > part.clientWidth)
    .map((part) => part.innerText.slice(0, 40) + ' is ' + (part.scrollWidth - part.clientWidth) + ' pixels too wide')`);

describe.each([1280, 390])('at %i px', (width) => {
  let seat: Seat;
  beforeAll(async () => {
    seat = await seated(w, browser, { width });
  });
  afterAll(() => seat.context.close());

  test.each([
    ['the list of orders', () => '/orders'],
    ['an order', () => `/orders/${order_id}`],
    ['the list of customers', () => '/customers'],
    ['a customer', () => `/customers/${long('c')}`],
    ['the list of payment links', () => '/links'],
    ['a payment link', () => `/links/${link_id}`],
    ['the team', () => '/team'],
  ])('texts of two hundred letters without a space stay inside of %s', async (name, path) => {
    await seat.open(path());
    await settled(seat);
    await shoot(seat, `long-${name.replaceAll(' ', '-')}-${width}`);
    expect([...(await flaws(seat)), ...(await hidden(seat))]).toEqual([]);
  });
});

test('on a phone each row of orders has its lines alike, however short its reference is', async () => {
  const seat = await seated(w, browser, { width: 390 });
  await seat.open('/orders', 'Orders');
  await settled(seat);
  const tops: unknown = await seat.page
    .evaluate(`[...document.querySelectorAll('.table.orders tbody tr')].map((row) => {
    const middle = (name) => {
      const { top, height } = row.querySelector('.col-' + name).getBoundingClientRect();
      return height === 0 ? undefined : top + height / 2;
    };
    const apart = (one, other) => Math.abs(middle(one) - middle(other)) > 5;
    return { created: apart('reference', 'created') ? 'below' : 'beside', customer: apart('created', 'customer') ? 'below' : 'beside' };
  })`);
  await seat.context.close();
  expect(tops).toEqual([
    { created: 'beside', customer: 'beside' },
    { created: 'beside', customer: 'below' },
    { created: 'beside', customer: 'below' },
  ]);
});

test('a place in the app with a broken percent sign is a page that is not found, and the app stays usable', async () => {
  const seat = await seated(w, browser);
  for (const path of ['/orders/%E0%A4%A', '/customers/%', '/links/%zz']) {
    await seat.page.evaluate(`history.pushState(null, '', '${path}'); dispatchEvent(new PopStateEvent('popstate'))`);
    await seat.page.getByRole('heading', { level: 1, name: 'Page not found' }).waitFor();
    const menu = seat.page.getByRole('navigation', { name: 'Pages' });
    await menu.getByRole('link', { name: 'Orders', exact: true }).click();
    await seat.page.getByRole('heading', { level: 1, name: 'Orders' }).waitFor();
  }
  await seat.context.close();
});

test('filters of the address that no form would write, and a search of ten thousand letters, are answered by the page', async () => {
  const seat = await seated(w, browser);
  for (const query of [
    'created_from=2026-02-30&created_to=2026-13-99',
    'created_from=yesterday&created_to=%00',
    'amount_from=-1&amount_to=1e9',
    'status=nothing,%27--&currency=EURO&method=%25&provider=__proto__',
    `search=${'x'.repeat(7000)}`,
    'search=%25%25%5F%22%27%5C',
    'search=%E0%A4%A',
    'in_doubt=maybe&disputed=&suspicious=true',
  ]) {
    await seat.open(`/orders?${query}`, 'Orders');
    await settled(seat);
    expect([query, ...(await flaws(seat))]).toEqual([query]);
  }
  await seat.open('/orders', 'Orders');
  const box = seat.page.getByPlaceholder(/^Id, reference/);
  for (const typed of ['%', '_', `"'`, ODD, '\\', 'x'.repeat(10_000), '\u0000', '\u202eabc']) {
    await box.fill(typed);
    await box.press('Enter');
    await settled(seat);
  }
  await box.fill(ODD);
  await box.press('Enter');
  await expect.poll(() => seat.page.locator('.table.orders tbody tr').count()).toBe(1);
  expect(seat.wrongs().filter((line) => /50\d|Error:/.test(line))).toEqual([]);
  await seat.context.close();
});

test('the letters that stand for a person are whole, also of a name that begins with a picture', async () => {
  const seat = await seated(w, browser);
  await seat.open('/team', 'Team');
  await settled(seat);
  expect(await seat.page.locator('main .avatar').allInnerTexts()).toContain('\u{1f680}N');
  await seat.context.close();
});

test.each([390, 1024, 1280])('the preview of the hosted page breaks no name at %i px', async (width) => {
  const seat = await seated(w, browser, { width });
  await seat.open('/integration', 'Integration');
  await settled(seat);
  // each is one line, within its column
  const lines = await seat.page
    .evaluate(`[...document.querySelectorAll('.pv-merchant > span, .pv-test')].map((part) => {
    const { right } = part.getBoundingClientRect();
    const column = part.closest('.pv-panel').getBoundingClientRect().right;
    return [part.getClientRects().length, part.offsetHeight < 2 * parseFloat(getComputedStyle(part).lineHeight), right < column];
  })`);
  expect(lines).toEqual(Array.from({ length: 3 }, () => [1, true, true]));
  await seat.context.close();
});
