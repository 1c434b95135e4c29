// What a screen reader is told on the payer's way: the accessibility tree of each page, as a file that people read and
// that is compared with a browser's. After a change that is meant: run this file with `-u`.
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { changeSettings } from '../../src/payment/merchant/change-settings.ts';
import { textAt } from '../client.ts';
import { hostedCheckout, nonceIn, open, pay, sendForm } from '../hosted-page/payer.ts';
import { type World, world } from '../world.ts';
import { openBrowser } from './browser.ts';

vi.setConfig({ testTimeout: 180_000 });
const FILE = '../../docs/payer-as-heard.md';
const DECLINED = '4000000000009995';

let w: World;
let browser: Browser;
beforeAll(async () => {
  [w, browser] = await Promise.all([world(), openBrowser()]);
  const account = w.account;
  await changeSettings(w.service.tools, account, {
    page_name: 'Lamps & Sons',
    page_note: 'Questions? Call us on +33 1 23 45 67 89.',
  });
});
afterAll(async () => {
  await browser.close();
  await w[Symbol.asyncDispose]();
});

const BASKET = {
  order_merchant_id: 'cart-1881',
  order_description: 'Your order of 16 August',
  basket_content: [
    { product_name: 'Reading lamp', product_quantity: 2, total_amount: '31.00' },
    { product_name: 'Bulb E27', product_price: '6.60' },
  ],
  shipping_price: '4.90',
};
const hosted = async (fields: object = {}) => (await hostedCheckout(w.shop, { ...BASKET, ...fields })).url;

type Way = readonly [heading: string, lead: string, come: (page: Page) => Promise<void>];
const at = (url: () => Promise<string>) => async (page: Page) => {
  await page.goto(await url());
};

const WAYS: readonly Way[] = [
  ['The page opens', 'The payer comes from the shop.', at(() => hosted())],
  [
    'A field is wrong',
    'The payer left the card number after half of it.',
    async (page) => {
      await page.goto(await hosted());
      const frame = page.frameLocator('#florin-payment-container iframe');
      await frame.locator('[autocomplete="cc-number"]').fill('4242 4242');
      await frame.locator('[autocomplete="cc-exp"]').focus();
      await frame.locator('[aria-invalid="true"]').waitFor();
    },
  ],
  [
    'Declined, and may be tried again',
    'The bank said no to the first card.',
    at(async () => {
      const url = await hosted();
      await pay(w.shop, url, { card_number: DECLINED });
      return url;
    }),
  ],
  [
    'Declined for good',
    'No attempt is left.',
    at(async () => {
      const url = await hosted({ max_attempts: 1 });
      await pay(w.shop, url, { card_number: DECLINED });
      return url;
    }),
  ],
  [
    'Paid',
    'The receipt, where the shop gave no address to go back to.',
    at(async () => {
      const url = await hosted();
      await pay(w.shop, url);
      return url;
    }),
  ],
  [
    'The payer left',
    'After the link that cancels.',
    at(async () => {
      const url = await hosted();
      await sendForm(`${url}/cancel`, { nonce: nonceIn(await open(url)) });
      return url;
    }),
  ],
  [
    'Too late',
    'The time of the checkout is over.',
    at(async () => {
      const { url, checkout_id } = await hostedCheckout(w.shop, BASKET);
      await w.sql(`UPDATE payment.checkouts SET expires_at = now() WHERE id = decode($1, 'hex')`, [checkout_id]);
      return url;
    }),
  ],
  ['Nothing can be paid just now', 'The card fields could not be loaded.', at(async () => `${await hosted()}?unable`)],
  [
    'No such payment',
    'An address with a digit that is wrong.',
    at(async () => `${w.service.addresses.vault_url}/pay/${'ab'.repeat(32)}`),
  ],
  [
    'A payment link whose amount the payer says',
    'Before the page with the card.',
    at(async () => {
      const body = { amount_least: '5.00', amount_most: '500.00', currency: 'EUR', order_merchant_id: 'stand' };
      return textAt(await w.shop.api('/payment/link', { body: { ...body, usage: 'many' } }), 'link.url');
    }),
  ],
];

/** What differs from one run to the next, and the languages once. */
const steady = (tree: string) =>
  tree
    .replaceAll(
      /\d{1,2} [A-Z][a-z]+ \d{4}(?: at |, )?(?:\d\d:\d\d(?::\d\d)?)?(?: ?(?:UTC|GMT|CET|CEST))?/g,
      '(the day and time)',
    )
    .replaceAll(/(?<=- time: ).*/g, '(the day and time)')
    .replaceAll(/\b\d\d:\d\d(?::\d\d)?\b/g, '(the time)')
    .replaceAll(
      /(?<=option "English" \[selected\]\n)(?:\s+- option .*\n)+/g,
      '    - (and so on, each language by its own name)\n',
    )
    .replaceAll(/[0-9a-f]{24,64}/g, '(an id)')
    .replaceAll(/http:\/\/127\.0\.0\.1:\d+/g, '')
    .replaceAll(/\b127\.0\.0\.1(?::\d+)?/g, '(the host)');

async function heard(page: Page): Promise<string> {
  const container = page.locator('#florin-payment-container iframe');
  if ((await container.count()) > 0) {
    await page.frameLocator('#florin-payment-container iframe').locator('[autocomplete="cc-csc"]').waitFor();
    await page.locator('#pay-button:enabled').waitFor();
  }
  const own = await page.locator('body').ariaSnapshot();
  if ((await container.count()) === 0) return steady(own);
  const inside = await page.frameLocator('#florin-payment-container iframe').locator('body').ariaSnapshot();
  return `${steady(own)}\n\nIn the frame with the card fields:\n\n${steady(inside)}`;
}

test('a screen reader reads on the payer’s way what the file says', async () => {
  const parts: string[] = [];
  for (const [heading, lead, come] of WAYS) {
    const context = await browser.newContext({ viewport: { width: 390, height: 900 }, locale: 'en-GB' });
    const page = await context.newPage();
    await come(page);
    const title = steady(await page.title());
    parts.push(`## ${heading}\n\n${lead} Title: “${title}”.\n\n\`\`\`yaml\n${await heard(page)}\n\`\`\`\n`);
    await context.close();
  }
  const text = `# The payer's way as a screen reader tells it\n\nThe accessibility tree of each page that a payer can come to, as Chromium gives it to a screen reader: role, name, state, in the order in which they are read. Written and compared by a test (\`test/browser/as-heard.test.ts\`; after a change that is meant, the same with \`-u\`).\n\n${parts.join('\n')}`;
  await expect(text).toMatchFileSnapshot(FILE);
});
