// Every page of the web app × role × width × light and dark, with data and with a server that fails: accessible, not too wide,
// and nothing asked of anybody else. Too long for every run: npm run test:backoffice. FLORIN_TEST_SHOTS names a folder for pictures.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ROLES } from '../../src/backoffice/rights.ts';
import { type Person, firstOwner, invited } from '../backoffice/person.ts';
import { openBrowser } from '../browser/browser.ts';
import { textAt, until } from '../client.ts';
import { type World, world } from '../world.ts';
import { PAGES } from './pages.ts';
import { type Seat, flaws, settled, signIn, takeSeat } from './seat.ts';

const SHOTS = process.env['FLORIN_TEST_SHOTS'];
const VIEWS = [
  { width: 1280, scheme: 'light' },
  { width: 1280, scheme: 'dark' },
  { width: 390, scheme: 'light' },
  { width: 390, scheme: 'dark' },
] as const;

let w: World;
let browser: Browser;
let owner: Person;
let shown = '';
let shared = '';
let disputed = '';
beforeAll(async () => {
  [w, browser] = await Promise.all([world(), openBrowser()]);
  owner = await firstOwner(w);
  for (const role of ROLES.slice(1)) await invited(w, owner, role);
  await fill();
});
afterAll(async () => {
  await browser.close();
  await w[Symbol.asyncDispose]();
});

/** Something to see on every page. */
async function fill(): Promise<void> {
  const fields = { customer_id: 'grace', customer_email: 'grace@mail.example', operation_type: 'direct_capture' };
  const first = await w.shop.pay({}, { ...fields, amount: '193.00', order_merchant_id: 'cart-shown' });
  shown = first.text.match(/"order_id":"([0-9a-f]{24})"/)?.[1] ?? '';
  await w.shop.decided(shown);
  await w.shop.api(`/payment/maintenance/refund/${shown}`, { body: { amount: '20.00' } });
  await w.shop.pay(
    { card_number: '4000000000009995', token_type: 'recurring' },
    { payment_channel: 'recurring', retry_policy: 'default' },
  );
  const body = { usage: 'many', amount: '12.00', currency: 'EUR', order_merchant_id: 'stand' };
  shared = textAt(await w.shop.api('/payment/link', { body }), 'link.link_id');
  for (const [i, card_number] of [
    '4000000000000002',
    '4000000000009995',
    '5555555555554444',
    '4242424242424242',
  ].entries())
    await w.shop.pay({ card_number }, { ...fields, amount: `${i + 1}0.00`, order_merchant_id: `cart-${i}` });
  // captured, and a day later disputed
  const taken = await w.shop.pay(
    { card_number: '4000000000000259' },
    { ...fields, amount: '25.00', order_merchant_id: 'cart-disputed' },
  );
  await w.shop.decided(textAt(taken, 'order_id'));
  await w.shop.api('/sandbox/clock/advance', { body: { seconds: 86_460 } });
  disputed = await until(async () => (await owner.get('/api/disputes')).text.match(/"id":"([0-9a-f]{24})"/)?.[1], 20);
}

const addressOf = (path: string) => path.replace('ORDER', shown).replace('DISPUTE', disputed).replace('LINK', shared);

async function shoot(seat: Seat, name: string): Promise<void> {
  if (SHOTS === undefined) return;
  mkdirSync(SHOTS, { recursive: true });
  await seat.page.screenshot({ path: join(SHOTS, `${name}.png`), fullPage: true });
}

describe.each(VIEWS)('at $width px, $scheme', (view) => {
  let seat: Seat;
  beforeAll(async () => {
    seat = await takeSeat(w, browser, view);
    await seat.open('/', 'Sign in');
    await signIn(seat);
  });
  afterAll(() => seat.context.close());

  test.each(PAGES)('%s is accessible, fits, and asks nobody else', async (name, path, heading) => {
    await seat.open(addressOf(path), heading);
    await settled(seat);
    await shoot(seat, `${name}-${view.width}-${view.scheme}`);
    expect(await flaws(seat)).toEqual([]);
    expect(seat.wrongs()).toEqual([]);
  });

  test('the dialogs of an order, a key, a rule and an invitation are accessible and fit', async () => {
    const { page } = seat;
    const dialogs = [
      [`/orders/${shown}`, 'cart-shown', 'Refund'],
      ['/keys', 'API keys', 'New key'],
      ['/risk', 'Risk', 'Add a rule'],
      ['/routing', 'Routing', 'Add a rule'],
      ['/links', 'Payment links', 'New link'],
      ['/team', 'Team', 'Invite'],
      ['/notifications', 'Notifications', 'Add an endpoint'],
    ] as const;
    for (const [path, heading, button] of dialogs) {
      await seat.open(path, heading);
      await page.getByRole('button', { name: button, exact: true }).click();
      await page.locator('[role=dialog] input:visible').first().waitFor();
      await shoot(seat, `dialog-${button.toLowerCase().replaceAll(' ', '-')}-${view.width}-${view.scheme}`);
      expect([button, ...(await flaws(seat))]).toEqual([button]);
      await page.keyboard.press('Escape');
    }
  });

  test('with a server that fails every page says so and offers to try again', async () => {
    const { page } = seat;
    await page.route(/\/api\/(?!session)/, (route) =>
      route.fulfill({ status: 500, json: { title: 'The server has a fault', status: 500, instance: 'a'.repeat(24) } }),
    );
    for (const [name, path] of PAGES.filter(([page_name]) => page_name !== 'unknown')) {
      await page.goto(addressOf(path));
      await page.getByRole('button', { name: 'Try again' }).first().waitFor();
      if (name === 'orders') await shoot(seat, `error-${view.width}-${view.scheme}`);
      expect([name, ...(await flaws(seat))]).toEqual([name]);
    }
    await page.unroute(/\/api\/(?!session)/);
  });
});

describe.each(ROLES)('for a %s', (role) => {
  test('every page that is offered can be opened, with what the role may see', async () => {
    const seat = await takeSeat(w, browser);
    await seat.open('/', 'Sign in');
    await signIn(seat, role === 'owner' ? 'ada@shop.example' : `${role}@shop.example`);
    const offered = seat.page.locator('.side-wrap nav a');
    await offered.first().waitFor();
    const paths = await offered.evaluateAll((links) => links.map((link) => link.getAttribute('href') ?? ''));
    for (const path of paths) {
      await seat.page.goto(path);
      await seat.page.getByRole('heading', { level: 1 }).waitFor();
      await settled(seat);
      expect([path, await seat.page.getByText('Your role does not allow this').count()]).toEqual([path, 0]);
      expect([path, ...(await flaws(seat))]).toEqual([path]);
    }
    await seat.context.close();
  });
});
