// A person before the back office's web app in a real browser, and what the app must never do while they use it.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { expect } from 'vitest';
import { strangers, violationsIn, watch } from '../browser/watch.ts';
import { PASSWORD, firstOwner } from '../backoffice/person.ts';
import { openBrowser } from '../browser/browser.ts';
import { type World, world } from '../world.ts';

export type Seat = {
  readonly page: Page;
  readonly context: BrowserContext;
  /** Opens an address of the app and waits for its heading. */
  open(path: string, heading?: string): Promise<void>;
  /** What was asked of other hosts, and what the browser complained about: policy, script, or answer. */
  wrongs(): readonly string[];
};

export type View = {
  readonly width?: number;
  readonly scheme?: 'light' | 'dark';
  readonly locale?: string;
  /** Another of its addresses. */ readonly at?: string;
};

/** A desk and a phone, each in the light and in the dark. */
export const VIEWS = [
  { width: 1280, scheme: 'light' },
  { width: 1280, scheme: 'dark' },
  { width: 390, scheme: 'light' },
  { width: 390, scheme: 'dark' },
] as const;

/** A seat of its own: no cookie of another one is here. */
export async function takeSeat(w: World, browser: Browser, view: View = {}): Promise<Seat> {
  const { width = 1280, scheme = 'light', locale = 'en-GB', at = w.service.addresses.backoffice_url } = view;
  const context = await browser.newContext({
    viewport: { width, height: 900 },
    colorScheme: scheme,
    locale,
    timezoneId: 'Europe/Paris',
    baseURL: at,
  });
  const page = await context.newPage();
  const seen = watch(page);
  return {
    page,
    context,
    open: async (path, heading) => {
      await page.goto(path);
      await page.getByRole('heading', { level: 1, ...(heading === undefined ? {} : { name: heading }) }).waitFor();
    },
    wrongs: () => [...strangers(seen, at), ...seen.errors],
  };
}

/** A world of its own, whose owner has signed in at a page. */
export async function ownersSeat(path: string) {
  const [w, browser] = await Promise.all([world(), openBrowser()]);
  const owner = await firstOwner(w);
  const ada = await takeSeat(w, browser);
  await ada.page.goto(path);
  await signIn(ada);
  const leave = async () => {
    await browser.close();
    await w[Symbol.asyncDispose]();
  };
  return { w, browser, owner, ada, leave };
}

const SIGN_IN = { en: ['Password', 'Sign in'], fr: ['Mot de passe', 'Se connecter'] } as const;

export async function signIn({ page }: Seat, email = 'ada@shop.example', language: 'en' | 'fr' = 'en'): Promise<void> {
  const [password, submit] = SIGN_IN[language];
  await page.getByLabel('E-mail').fill(email);
  await page.getByLabel(password, { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: submit, exact: true }).click();
  await page.locator('.shell').waitFor();
}

/** A seat at which the first owner has signed in. */
export async function seated(w: World, browser: Browser, view: View = {}): Promise<Seat> {
  const seat = await takeSeat(w, browser, view);
  await seat.open('/', 'Sign in');
  await signIn(seat);
  return seat;
}

/** Waits until nothing is loading any more. */
export async function settled({ page }: Seat): Promise<void> {
  await page.locator('[aria-busy="true"]').first().waitFor({ state: 'detached' });
}

/** FLORIN_TEST_SHOTS names a folder for pictures; undefined: none are made. */
export const SHOTS = process.env['FLORIN_TEST_SHOTS'];

export async function shoot({ page }: Pick<Seat, 'page'>, name: string): Promise<void> {
  if (SHOTS === undefined) return;
  mkdirSync(SHOTS, { recursive: true });
  await page.screenshot({ path: join(SHOTS, `${name}.png`), animations: 'disabled', fullPage: true });
}

/** Nothing is loading any more, and the page has no flaw. */
export async function looked(seat: Seat, name: string, { width, scheme }: View): Promise<void> {
  await settled(seat);
  await shoot(seat, [name, width, scheme].filter((part) => part !== undefined).join('-'));
  expect([name, ...(await flaws(seat))]).toEqual([name]);
}

/** The width of a phone: nothing in a page is moved sideways there. */
const PHONE = 390;

/** Parts that are moved sideways to be read, those in closed folds too. */
const sideways = (page: Page): Promise<readonly string[]> =>
  page.evaluate(`(() => {
    const closed = [...document.querySelectorAll('details:not([open])')];
    for (const fold of closed) fold.open = true;
    const wider = [...document.querySelectorAll('body *')].filter(
      (part) => part.scrollWidth > part.clientWidth && /auto|scroll/.test(getComputedStyle(part).overflowX),
    );
    const names = wider.map((part) => part.tagName + '.' + part.className + ' ' + (part.getAttribute('aria-label') ?? ''));
    for (const fold of closed) fold.open = false;
    return names;
  })()`);

/**
 * Findings of axe, how many pixels the page is too wide, what scrolls sideways on a phone, and headings that are not
 * above their columns.
 */
export async function flaws({ page }: Seat): Promise<readonly string[]> {
  const wide = Number(await page.evaluate('document.documentElement.scrollWidth - window.innerWidth'));
  const moved = (page.viewportSize()?.width ?? 0) > PHONE ? [] : await sideways(page);
  return [
    ...(await violationsIn(page)),
    ...(wide > 0 ? [`is ${wide} pixels too wide`] : []),
    ...moved.map((part) => `${part} scrolls sideways`),
    ...(await astray(page)).map((heading) => `the heading ${heading} is not above its column`),
    ...(await unheard(page)),
  ];
}

/**
 * Tables whose columns have no names, and what is too small for a finger that is not quiet (WCAG 2.5.8: 24 pixels).
 * What is hidden from a screen reader has a twin, such as the arrow keys.
 */
const unheard = (page: Page): Promise<readonly string[]> =>
  page.evaluate(`(() => {
    const boxes = [...document.querySelectorAll('main button:not([aria-hidden=true]), main summary, main .crumb')].map((part) => [part, part.getBoundingClientRect()]);
    const small = boxes.filter(([, { width, height }]) => width > 0 && (width < 23.5 || height < 23.5));
    const nameless = [...document.querySelectorAll('table')].filter((table) => !table.querySelector('th'));
    return [
      ...nameless.map((table) => 'a table without headings: ' + table.innerText.slice(0, 60)),
      ...small.map(([part, { width, height }]) => 'small, ' + width + ' x ' + height + ': ' + part.outerHTML.slice(0, 120)),
    ];
  })()`);

/** Headings that do not begin where the cells below them begin. Cards, and rows that span, have no columns. */
const astray = (page: Page): Promise<readonly string[]> =>
  page.evaluate(`(() => {
    const left = (cell) => cell.getBoundingClientRect().left;
    return [...document.querySelectorAll('table')].flatMap((table) => {
      const headings = [...(table.tHead?.rows[0]?.cells ?? [])];
      const cells = [...(table.tBodies[0]?.rows[0]?.cells ?? [])];
      const has_columns = cells.every((cell) => getComputedStyle(cell).display === 'table-cell');
      if (headings.length !== cells.length || !has_columns) return [];
      return headings.filter((heading, i) => Math.abs(left(heading) - left(cells[i])) > 1).map((one) => one.innerText);
    });
  })()`);

/** Text of a part as a person reads it, without line ends. */
export async function words(seat: Seat, selector: string): Promise<string> {
  return (await seat.page.locator(selector).first().innerText()).replaceAll(/\s+/g, ' ').trim();
}
