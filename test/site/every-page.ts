// Every page of the site at both widths, in light and dark: npm run test:site.
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openBrowser } from '../browser/browser.ts';
import { type World, world } from '../world.ts';
import { VIEWS, addresses, violationsOf, watch } from './visit.ts';

let w: World;
let browser: Browser;
beforeAll(async () => {
  [w, browser] = await Promise.all([world(), openBrowser()]);
});
afterAll(async () => {
  await browser.close();
  await w[Symbol.asyncDispose]();
});

describe.each(VIEWS)('at $width px, $scheme', ({ width, scheme }) => {
  test.each(addresses().map((address) => [address]))(
    '/docs/%s is accessible, fits, and is refused nothing',
    async (address) => {
      const context = await browser.newContext({ viewport: { width, height: 900 }, colorScheme: scheme });
      const page = await context.newPage();
      const seen = watch(page);
      await page.goto(`${w.service.addresses.base_url}/docs/${address}`);
      await page.evaluate(`document.querySelectorAll('main details').forEach((part) => { part.open = true; })`);
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
      expect(await violationsOf(page)).toEqual([]);
      expect(seen.errors).toEqual([]);
      await context.close();
    },
  );
});
