// The pages people open, in a real browser: readable for everyone, at both sizes, in light and dark, with nothing from elsewhere.
import { AxeBuilder } from '@axe-core/playwright';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { type World, world } from '../world.ts';
import { openBrowser } from './browser.ts';

// axe needs eight seconds for the reference; on a machine with much else to do, many more
vi.setConfig({ testTimeout: 120_000 });

let w: World;
let browser: Browser;
let plain: BrowserContext;
beforeAll(async () => {
  [w, browser] = await Promise.all([world(), openBrowser()]);
  plain = await browser.newContext();
});
afterAll(async () => {
  await browser.close();
  await w[Symbol.asyncDispose]();
});

const PAGES = [
  ['the reference', 'base_url', '/docs'],
  ['the first page', 'base_url', '/'],
  ['the list of problems', 'base_url', '/problems'],
  ['a problem page', 'base_url', '/problems/invalid-card'],
] as const;

const VIEWS = [
  { width: 1280, scheme: 'light' },
  { width: 1280, scheme: 'dark' },
  { width: 390, scheme: 'light' },
  { width: 390, scheme: 'dark' },
] as const;

describe.each(VIEWS)('at $width px, $scheme', ({ width, scheme }) => {
  let context: BrowserContext;
  beforeAll(async () => {
    context = await browser.newContext({ viewport: { width, height: 900 }, colorScheme: scheme });
  });
  afterAll(() => context.close());

  test.each(PAGES)('%s is accessible, fits and is complete by itself', async (_, host, path) => {
    const page = await context.newPage();
    const seen = watch(page);
    const url = w.service.addresses[host] + path;
    const response = await page.goto(url);
    expect(response?.status()).toBe(200);
    await unfold(page, 'details');
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
    // each kind of part once: contrast is slow to check, and all tables look the same
    await unfold(page, '#tokenizeCard details, #result-codes details:first-of-type');
    expect(await violationsOf(new AxeBuilder({ page }))).toEqual([]);
    expect(seen.requests.filter((request) => new URL(request).origin !== new URL(url).origin)).toEqual([]);
    expect(seen.errors).toEqual([]);
    await page.close();
  });
});

test('the whole reference, unfolded, is accessible', async () => {
  const page = await plain.newPage();
  await page.goto(`${w.service.addresses.base_url}/docs`);
  await unfold(page, 'details');
  expect(await violationsOf(new AxeBuilder({ page }).disableRules('color-contrast'))).toEqual([]);
  await page.close();
});

test('the check of the pages finds what a page must not have', async () => {
  const page = await plain.newPage();
  await page.setContent('<button></button><p style="color: #ccc; background: #fff">pale</p>');
  const found = (await violationsOf(new AxeBuilder({ page }))).map((line) => line.replace(/:.*/s, ''));
  expect(found).toEqual(expect.arrayContaining(['button-name', 'color-contrast', 'html-has-lang']));
  await page.close();
});

test('every link of the reference leads somewhere', async () => {
  const page = await plain.newPage();
  const { base_url } = w.service.addresses;
  await page.goto(`${base_url}/docs`);
  const links = await page.locator('a').evaluateAll((all) => all.map((a) => a.getAttribute('href') ?? ''));
  const anchors = new Set(links.filter((link) => link.startsWith('#')));
  for (const anchor of anchors)
    expect([anchor, await page.locator(`[id="${anchor.slice(1)}"]`).count()]).toEqual([anchor, 1]);
  for (const link of new Set(links.filter((href) => href.startsWith('/'))))
    expect([link, (await fetch(base_url + link)).status]).toEqual([link, 200]);
  await page.close();
});

test('the keyboard reaches the content first, then the parts that unfold', async () => {
  const page = await plain.newPage();
  await page.goto(`${w.service.addresses.base_url}/docs`);
  await page.keyboard.press('Tab');
  expect(await page.locator(':focus').textContent()).toBe('Skip to the content');
  const first = page.locator('details').first();
  await first.locator('summary').focus();
  await page.keyboard.press('Enter');
  expect(await first.getAttribute('open')).toBe('');
  await page.close();
});

/** Opens the parts that the selector names, and no others. */
async function unfold(page: Page, selector: string): Promise<void> {
  await page.evaluate(
    `document.querySelectorAll('details').forEach((part) => { part.open = part.matches(${JSON.stringify(selector)}); })`,
  );
}

/** Legacy: no second page is opened to collect the findings of frames; our pages have none. */
async function violationsOf(axe: AxeBuilder): Promise<readonly string[]> {
  const { violations } = await axe.setLegacyMode().analyze();
  return violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`);
}

/** What a page asks for, and what it complains about. Addresses of its own making (data:) are no requests. */
function watch(page: Page) {
  const requests: string[] = [];
  const errors: string[] = [];
  page.on('request', (request) => {
    if (!request.url().startsWith('data:')) requests.push(request.url());
  });
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') errors.push(message.text());
  });
  page.on('pageerror', (error) => errors.push(String(error)));
  return { requests, errors };
}
