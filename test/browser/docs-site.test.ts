// The pages at /docs in a real browser: a page of each kind is accessible under the strict policy, the search finds
// what people look for, and a page sends its request to the sandbox. Every page in every view: npm run test:site.
import type { Browser, BrowserContext } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { RESULTS } from '../../src/core/results.ts';
import { propertiesOf } from '../../src/kit/http/schema.ts';
import { EVENT_GROUPS } from '../../src/payment/notification/event-schema.ts';
import { paymentRoutes } from '../../src/payment/routes.ts';
import { vaultRoutes } from '../../src/vault/routes.ts';
import { VIEWS, violationsOf, watch } from '../site/visit.ts';
import { type World, world } from '../world.ts';
import { openBrowser } from './browser.ts';

// axe needs seconds for a long page; on a machine with much else to do, many more

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

const at = (path: string) => `${w.service.addresses.base_url}/docs/${path}`;

describe.each(VIEWS)('at $width px, $scheme', ({ width, scheme }) => {
  test.each(['', 'reference/capture-order/', 'reference/codes/capture/'])(
    '/docs/%s is accessible, fits, is complete by itself and is refused nothing',
    async (path) => {
      const context = await browser.newContext({ viewport: { width, height: 900 }, colorScheme: scheme });
      const page = await context.newPage();
      const seen = watch(page);
      await page.goto(at(path));
      await page.evaluate(`document.querySelectorAll('main details').forEach((part) => { part.open = true; })`);
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
      expect(await violationsOf(page)).toEqual([]);
      expect(seen.requests.filter((request) => new URL(request).origin !== w.service.addresses.base_url)).toEqual([]);
      expect(seen.errors).toEqual([]);
      await context.close();
    },
  );
});

test('these tests notice what the policy forbids', async () => {
  const page = await plain.newPage();
  const seen = watch(page);
  await page.goto(at(''));
  await page.evaluate(`document.body.insertAdjacentHTML('beforeend', '<p style="color: red">red</p>')`);
  await expect.poll(() => seen.errors.join()).toContain('Content Security Policy');
  await page.close();
});

describe('the search', () => {
  /** The addresses of the ten best results of the search of the page for each word. */
  async function found(words: readonly string[]): Promise<Readonly<Record<string, readonly string[]>>> {
    const page = await plain.newPage();
    await page.goto(at(''));
    // as a text: the page's own import, not that of the test's runner
    const answer: Readonly<Record<string, readonly string[]>> = await page.evaluate(`(async () => {
      const search = await import('/docs/pagefind/pagefind.js');
      const all = {};
      for (const word of ${JSON.stringify(words)}) {
        const { results } = await search.search(word);
        const data = await Promise.all(results.slice(0, 10).map((one) => one.data()));
        all[word] = data.flatMap((one) => one.sub_results.map(({ url }) => url));
      }
      return all;
    })()`);
    await page.close();
    return answer;
  }

  test('finds every result code, at its own heading', async () => {
    const codes = RESULTS.map(({ code }) => code);
    const answers = await found(codes);
    const missed = codes.filter((code) => answers[code]?.some((url) => url.endsWith(`/#${code}`)) !== true);
    expect(missed).toEqual([]);
  });

  test('finds every field that is sent, answered or told', async () => {
    const routes = [...paymentRoutes({ environment: 'sandbox' }), ...vaultRoutes()];
    const bodies = [
      ...routes.flatMap(({ body = {}, query = {}, answer }) => [body, query, answer]),
      ...EVENT_GROUPS.map((group) => group.body),
    ];
    const fields = [...new Set(bodies.flatMap((body) => Object.keys(propertiesOf(body))))];
    expect(fields.length).toBeGreaterThan(150);
    const answers = await found(fields);
    expect(fields.filter((name) => answers[name]?.some((url) => url.includes('/docs/reference/')) !== true)).toEqual(
      [],
    );
  });

  test('is opened with the keyboard, and leads to what it found', async () => {
    const page = await plain.newPage();
    const seen = watch(page);
    await page.goto(at(''));
    // it is made when the page has nothing else to do, and a key that comes before that opens it without its field
    await page.locator('dialog input').waitFor({ state: 'attached' });
    await page.keyboard.press('Control+k');
    await expect.poll(() => page.locator('dialog input:focus').count()).toBe(1);
    await page.keyboard.type('421080');
    const first = page.locator('dialog a[href*="#421080"]').first();
    await first.waitFor();
    await first.click();
    await page.waitForURL(/#421080$/);
    expect(seen.errors).toEqual([]);
    await page.close();
  });
});

describe('a page of the reference', () => {
  test('sends its request to the sandbox that serves it, with the key that was typed', async () => {
    const page = await plain.newPage();
    const seen = watch(page);
    await page.goto(at('reference/create-checkout/'));
    await page.locator('florin-try summary').click();
    await page.locator('florin-try [name=key]').fill(w.keys.private_key);
    await page.getByRole('button', { name: 'Send POST /payment/checkout' }).click();
    await expect.poll(() => page.locator('.try-answer').textContent()).toContain('"code": "011111"');
    expect(await page.evaluate('JSON.stringify([localStorage, sessionStorage, document.cookie])')).not.toContain(
      w.keys.private_key,
    );
    expect(seen.errors).toEqual([]);
    await page.close();
  });

  test('sends a card to the vault, and nowhere else', async () => {
    const page = await plain.newPage();
    const seen = watch(page);
    await page.goto(at('reference/tokenize-card/'));
    await page.locator('florin-try summary').click();
    await page.locator('florin-try [name=key]').fill(w.keys.public_key);
    await page.getByRole('button', { name: 'Send POST /token' }).click();
    await expect.poll(() => page.locator('.try-answer').textContent()).toMatch(/"code": "\d+"/);
    const { base_url, vault_url } = w.service.addresses;
    expect([...new Set(seen.requests.map((url) => new URL(url).origin))].toSorted()).toEqual(
      [base_url, vault_url].toSorted(),
    );
    await page.close();
  });

  test('sends nothing where it is not served by a sandbox', async () => {
    const page = await plain.newPage();
    await page.route('**/docs/host.json', (route) =>
      route.fulfill({ json: { environment: 'production', base_url: '', vault_url: '' } }),
    );
    await page.goto(at('reference/create-checkout/'));
    await page.locator('florin-try summary').click();
    await expect.poll(() => page.locator('.try-state').textContent()).toContain('Nothing can be sent from here');
    expect(await page.getByRole('button', { name: 'Send POST /payment/checkout' }).isDisabled()).toBe(true);
    await page.close();
  });
});
