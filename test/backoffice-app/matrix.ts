// Every page of the web app × role × width × light and dark, with data and with a server that fails: accessible, not
// too wide, and nothing asked of anybody else. Too long for every run: npm run test:backoffice. FLORIN_TEST_SHOTS names
// a folder for pictures.
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ROLES } from '../../src/backoffice/rights.ts';
import { type Person, firstOwner, invited } from '../backoffice/person.ts';
import { openBrowser } from '../browser/browser.ts';
import { type World, world } from '../world.ts';
import { filled } from './filled.ts';
import { PAGES } from './pages.ts';
import { type Seat, VIEWS, flaws, seated, settled, shoot, signIn, takeSeat } from './seat.ts';

let w: World;
let browser: Browser;
let owner: Person;
let addressOf: (path: string) => string;
beforeAll(async () => {
  [w, browser] = await Promise.all([world(), openBrowser()]);
  owner = await firstOwner(w);
  for (const role of ROLES.slice(1)) await invited(w, owner, role);
  addressOf = await filled(w, owner);
});
afterAll(async () => {
  await browser.close();
  await w[Symbol.asyncDispose]();
});

describe.each(VIEWS)('at $width px, $scheme', (view) => {
  let seat: Seat;
  beforeAll(async () => {
    seat = await seated(w, browser, view);
  });
  afterAll(() => seat.context.close());

  test.each(PAGES)('%s is accessible, fits, and asks nobody else', async (name, path, heading) => {
    await seat.open(addressOf(path), heading);
    await settled(seat);
    await shoot(seat, `${name}-${view.width}-${view.scheme}`);
    expect(await flaws(seat)).toEqual([]);
    // the fields of a card by telephone are a frame of the vault
    const { vault_url } = w.service.addresses;
    expect(seat.wrongs().filter((line) => !line.startsWith(vault_url))).toEqual([]);
  });

  test('the dialogs of an order, a key, a rule and an invitation are accessible and fit', async () => {
    const { page } = seat;
    const dialogs = [
      [addressOf('/orders/ORDER'), 'cart-shown', 'Refund'],
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
      // a part of the frame may say it before the page is there
      await page.getByRole('heading', { level: 1 }).first().waitFor();
      if (name === 'orders') await shoot(seat, `error-${view.width}-${view.scheme}`);
      expect([name, ...(await flaws(seat))]).toEqual([name]);
    }
    await page.unroute(/\/api\/(?!session)/);
  });
});

/**
 * What the API says in its own words is marked as English (docs/decisions/0121): why a route was taken, what a card
 * does.
 */
const PROSE = 'noscript, code, .json, [lang="en"]';
/** Words that French has not. */
const ENGLISH = String.raw`\\b(?:the|of|and|with|without|not|is|are|was|were|has|have|this|that|from|your|for|to|by|no|yes)\\b`;

/** Texts of the page in which English is left. */
const englishIn = ({ page }: Seat): Promise<string[]> =>
  page.evaluate(`(() => {
    const nodes = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const found = [];
    for (let node = nodes.nextNode(); node; node = nodes.nextNode())
      if (new RegExp('${ENGLISH}', 'i').test(node.data) && !node.parentElement.closest('${PROSE}')) found.push(node.data);
    for (const part of document.querySelectorAll('[aria-label], [title], [placeholder]'))
      for (const name of ['aria-label', 'title', 'placeholder'])
        if (new RegExp('${ENGLISH}', 'i').test(part.getAttribute(name) ?? '')) found.push(part.getAttribute(name));
    return found;
  })()`);

describe.each([1280, 390])('in French at %i px', (width) => {
  let seat: Seat;
  beforeAll(async () => {
    seat = await takeSeat(w, browser, { width, locale: 'fr-FR' });
    await seat.open('/', 'Se connecter');
    await signIn(seat, 'ada@shop.example', 'fr');
  });
  afterAll(() => seat.context.close());

  test.each(PAGES)('%s is accessible and fits, and no English is left', async (name, path) => {
    await seat.open(addressOf(path));
    await settled(seat);
    await shoot(seat, `${name}-${width}-fr`);
    expect(await flaws(seat)).toEqual([]);
    expect(await englishIn(seat)).toEqual([]);
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
