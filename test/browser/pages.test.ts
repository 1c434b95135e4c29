// The pages people open, in a real browser: readable for everyone, at both sizes, in light and dark, with nothing from
// elsewhere.
import type { Browser, BrowserContext } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { rowsOf } from '../sizes.ts';
import { VIEWS, violationsOf, watch } from '../site/visit.ts';
import { type World, world } from '../world.ts';
import { openBrowser } from './browser.ts';

// axe needs a second; on a machine with much else to do, many more

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

/** The pages at /docs have tests of their own. */
const PAGES = [['the first page', 'base_url', '/']] as const;

describe.each(rowsOf(VIEWS, 2))('at $width px, $scheme', ({ width, scheme }) => {
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
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
    expect(await violationsOf(page)).toEqual([]);
    expect(seen.requests.filter((request) => new URL(request).origin !== new URL(url).origin)).toEqual([]);
    expect(seen.errors).toEqual([]);
    await page.close();
  });
});

test('the check of the pages finds what a page must not have', async () => {
  const page = await plain.newPage();
  await page.setContent('<button></button><p style="color: #ccc; background: #fff">pale</p>');
  const found = (await violationsOf(page)).map((line) => line.replace(/:.*/s, ''));
  expect(found).toEqual(expect.arrayContaining(['button-name', 'color-contrast', 'html-has-lang']));
  await page.close();
});
