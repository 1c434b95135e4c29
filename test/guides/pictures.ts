// npm run pictures: photographs what the guides show, in a real browser at a sandbox of its own. Looked at before they
// are kept.
import { mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { test } from 'vitest';
import { GOOD, READY, fieldsOf, type } from '../browser/stage.ts';
import { openBrowser } from '../browser/browser.ts';
import { redirectOf } from '../authentication/payer.ts';
import { hostedCheckout } from '../hosted-page/payer.ts';
import { world } from '../world.ts';
import { ROOT } from './pages.ts';
import { startProgram } from './programs.ts';

const FOLDER = fileURLToPath(new URL('site/public/pictures/', ROOT));

test('the pictures of the guides', async () => {
  mkdirSync(FOLDER, { recursive: true });
  await using w = await world();
  const browser = await openBrowser();
  const context = await browser.newContext({ viewport: { width: 720, height: 340 }, colorScheme: 'light' });
  const page = await context.newPage();
  const take = (name: string) =>
    page.screenshot({ path: `${FOLDER}${name}.png`, fullPage: true, animations: 'disabled', caret: 'hide' });

  await using shop = await startProgram(w, ['node', 'examples/node/shop.mjs']);
  await page.goto(shop.url);
  await page.getByRole('button', { name: 'Buy' }).click();
  await filled(page);
  await take('elements');

  const asked = await w.shop.pay({ card_number: '4000002760003184' }, { authentication_indicator: 'ask_3ds' });
  await page.goto(redirectOf(asked));
  await page.getByRole('textbox').waitFor();
  await take('bank');

  // wide enough for its two sides
  await page.setViewportSize({ width: 1120, height: 600 });
  const basket_content = [
    { product_name: 'Reading lamp, brass', product_quantity: 2, total_amount: '31.00' },
    { product_name: 'Bulb E27', product_price: '6.60' },
  ];
  const cart = { order_merchant_id: 'cart-1881', basket_content, shipping_price: '4.90' };
  await page.goto((await hostedCheckout(w.shop, cart)).url);
  await filled(page);
  await take('hosted-page');
  await browser.close();
});

/** The form with a card that nobody has. */
async function filled(page: Page): Promise<void> {
  const frame = await fieldsOf(page);
  await page.waitForSelector(READY);
  await type(frame, { ...GOOD, code: '' });
}
