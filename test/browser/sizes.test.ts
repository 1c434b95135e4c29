// What a browser that was never here has to fetch, as the server sends it: compressed, with style sheets, scripts,
// fonts and frames.
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { firstOwner } from '../backoffice/person.ts';
import { settled, signIn, takeSeat } from '../backoffice-app/seat.ts';
import { textAt } from '../client.ts';
import { hostedCheckout } from '../hosted-page/payer.ts';
import { type World, world } from '../world.ts';
import { openBrowser } from './browser.ts';

const BACK_OFFICE_KB = 350;
const HOSTED_PAGE_KB = 60;

const BASKET = {
  basket_content: [
    { product_name: 'Reading lamp “Florence”, brass', product_quantity: 2, total_amount: '31.00' },
    { product_name: 'Bulb E27', product_price: '6.60' },
  ],
  shipping_price: '4.90',
};

let w: World;
let browser: Browser;
beforeAll(async () => {
  [w, browser] = await Promise.all([world(), openBrowser()]);
  await firstOwner(w);
  await w.shop.decided(textAt(await w.shop.pay({}, { order_merchant_id: 'first' }), 'order_id'));
});
afterAll(async () => {
  await browser.close();
  await w[Symbol.asyncDispose]();
});

/**
 * Of everything that the page and its frames fetch from now on: bytes of bodies and headers, by address, and all
 * together.
 */
function weigh(page: Page): () => Promise<{ readonly kb: number; readonly what: string }> {
  const weighed: Promise<readonly [name: string, bytes: number]>[] = [];
  page.on('requestfinished', (request) => {
    const one = request.sizes().then(({ responseBodySize, responseHeadersSize }) => {
      const { pathname } = new URL(request.url());
      return [pathname, responseBodySize + responseHeadersSize] as const;
    });
    weighed.push(one);
  });
  return async () => {
    const rows = await Promise.all(weighed);
    const bytes = rows.reduce((sum, [, size]) => sum + size, 0);
    const largest = rows.toSorted(([, a], [, b]) => b - a).slice(0, 12);
    return { kb: bytes / 1000, what: largest.map(([name, size]) => `${name} ${size}`).join('\n') };
  };
}

test.each([
  ['English', 'en-GB', 'en'],
  ['French', 'fr-FR', 'fr'],
] as const)(
  `the back office, from the sign-in to the overview, is at most ${BACK_OFFICE_KB} kB on the wire in %s`,
  async (_, locale, language) => {
    const seat = await takeSeat(w, browser, { locale });
    const weighed = weigh(seat.page);
    await seat.open('/');
    await signIn(seat, 'ada@shop.example', language);
    await settled(seat);
    await seat.page.waitForLoadState('networkidle');
    const { kb, what } = await weighed();
    // less than a script alone would mean that nothing was weighed
    expect(kb).toBeGreaterThan(50);
    expect(kb, what).toBeLessThanOrEqual(BACK_OFFICE_KB);
    await seat.context.close();
  },
);

test.each(['en', 'fr', 'ar'])(
  `the hosted page with its card fields is at most ${HOSTED_PAGE_KB} kB on the wire, in %s`,
  async (language) => {
    const { url } = await hostedCheckout(w.shop, { ...BASKET, locale: language });
    const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
    const page = await context.newPage();
    const weighed = weigh(page);
    await page.goto(url);
    await page.frameLocator('iframe').getByRole('textbox').first().waitFor();
    await page.waitForLoadState('networkidle');
    const { kb, what } = await weighed();
    expect(kb).toBeGreaterThan(15);
    expect(kb, what).toBeLessThanOrEqual(HOSTED_PAGE_KB);
    await context.close();
  },
);
