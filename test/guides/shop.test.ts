// The shops of the guides in a real browser: Hosted Elements with 3-D Secure in Node, the hosted page in PHP, each told
// by notifications.
import { createServer, request } from 'node:http';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { listeningPort } from '../../src/kit/listening-port.ts';
import { GOOD, READY, elementPage, fieldsOf, keysOf, openStage, type } from '../browser/stage.ts';
import { openBrowser } from '../browser/browser.ts';
import { watch } from '../browser/watch.ts';
import { until } from '../client.ts';
import { type World, world } from '../world.ts';
import { has } from './merchant.ts';
import { type Program, startProgram } from './programs.ts';

const SECRET = 'whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=';
const CHALLENGED = '4000002760003184';

let w: World;
let browser: Browser;
beforeAll(async () => {
  [w, browser] = await Promise.all([world({ FLORIN_NOTIFICATION_PRIVATE_TARGETS: 'yes' }), openBrowser()]);
});
afterAll(async () => {
  await browser.close();
  await w[Symbol.asyncDispose]();
});

async function open(command: readonly string[], settings: Readonly<Record<string, string>> = {}): Promise<Program> {
  const program = await startProgram(w, command, { NOTIFICATION_SECRETS: SECRET, ...settings });
  await w.shop.api('/notification/endpoint', { body: { url: `${program.url}/notifications`, secret: SECRET } });
  return program;
}

/** What the shop's server was told of its orders. */
const told = (program: Program): string[] => {
  const folder = join(program.folder, 'state');
  // it is made with the first notification
  const files = (existsSync(folder) ? readdirSync(folder) : []).filter((name) => name.endsWith('.json'));
  return files.map((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')).status);
};

async function typeCard(page: Page, number: string, button = '.florin-pay'): Promise<void> {
  const frame = await fieldsOf(page);
  await page.waitForSelector(READY);
  await type(frame, { ...GOOD, number });
  await page.locator(button).click();
}

async function passBank(page: Page, code: string): Promise<void> {
  await page.getByRole('textbox').fill(code);
  await page.keyboard.press('Enter');
}

test('Elements in Node: a card that the bank wants to see is paid after its page, and the shop is told', async () => {
  await using shop = await open(['node', 'examples/node/shop.mjs']);
  const context = await browser.newContext();
  const page = await context.newPage();
  const seen = watch(page);
  await page.goto(shop.url);
  await page.getByRole('button', { name: 'Buy' }).click();
  await typeCard(page, CHALLENGED);
  await passBank(page, '1234');
  await page.getByRole('heading', { name: 'Thank you' }).waitFor();
  expect(page.url()).toMatch(/\/back\/[0-9a-f-]{36}$/);
  await until(() => (told(shop).includes('capture_successful') ? true : undefined));
  expect(seen.errors).toEqual([]);
  await context.close();
});

test('Elements in Node: who fails at the bank has paid nothing, and pays with another card on the same checkout', async () => {
  await using shop = await open(['node', 'examples/node/shop.mjs']);
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(shop.url);
  await page.getByRole('button', { name: 'Buy' }).click();
  await typeCard(page, CHALLENGED);
  await passBank(page, '1111');
  await page.getByRole('heading', { name: 'Not paid' }).waitFor();
  await page.getByRole('link', { name: 'Try another card' }).click();
  await typeCard(page, '4242424242424242');
  await page.getByRole('heading', { name: 'Thank you' }).waitFor();
  await context.close();
});

/**
 * Between a shop and the API: loses requests of a path, or their answers, after some that pass, until it is mended. Of
 * itself those that make an order.
 */
async function openLine(loses: 'request' | 'answer', passing = 0, path = '/payment/order') {
  let broken = true;
  let passed = 0;
  const line = createServer((asked, answer) => {
    const meant = path.endsWith('/') ? asked.url?.startsWith(path) : asked.method === 'POST' && asked.url === path;
    if (meant) passed += 1;
    const number = passed;
    const lost = () => broken && meant && number > passing;
    if (loses === 'request' && lost()) return void asked.socket.destroy();
    const { base_url } = w.service.addresses;
    const headers = { ...asked.headers, host: new URL(base_url).host };
    const onward = request(base_url + asked.url, { method: asked.method, headers }, (said) => {
      if (lost()) return void asked.socket.destroy();
      said.pipe(answer.writeHead(said.statusCode ?? 502, said.headers));
    });
    asked.pipe(onward);
  });
  await new Promise<void>((resolve) => line.listen(0, '127.0.0.1', resolve));
  const port = listeningPort(line);
  return {
    url: `http://127.0.0.1:${port}`,
    mend: () => (broken = false),
    [Symbol.dispose]: () => {
      line.closeAllConnections();
      line.close();
    },
  };
}

test.each(['request', 'answer'] as const)(
  'Elements in Node: a payment whose %s is lost is not said to be uncharged, and is paid once, with no other card',
  async (loses) => {
    using line = await openLine(loses);
    await using shop = await open(['node', 'examples/node/shop.mjs'], { API: line.url });
    const context = await browser.newContext();
    const page = await context.newPage();
    await page.goto(shop.url);
    await page.getByRole('button', { name: 'Buy' }).click();
    const cart = page.url();
    const other = await context.newPage();
    await other.goto(cart);
    await typeCard(page, '4242424242424242');
    await page.waitForURL('**/back/*');
    await page.getByRole('heading', { name: loses === 'answer' ? 'Thank you' : 'Waiting for your bank' }).waitFor();
    expect(await page.textContent('body')).not.toContain('Nothing was charged');
    if (loses === 'request') {
      // in a second tab, before anything is known: the form is there, and a third one has none
      const third = await context.newPage();
      await third.goto(cart);
      await third.getByRole('heading', { name: 'Waiting for your bank' }).waitFor();
      await typeCard(other, '4000000000000002');
      line.mend();
      await other.getByRole('heading', { name: 'Thank you' }).waitFor();
    }
    await page.getByRole('heading', { name: 'Thank you' }).waitFor();
    const reference = new URL(cart).pathname.split('/').at(-1);
    expect(await w.sql('SELECT FROM payment.orders WHERE order_merchant_id = $1', [reference])).toHaveLength(1);
    await context.close();
  },
);

test('Elements in Node: while the payment after a decline is not answered, the payer is not told that nothing was charged', async () => {
  using line = await openLine('request', 1);
  await using shop = await open(['node', 'examples/node/shop.mjs'], { API: line.url });
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(shop.url);
  await page.getByRole('button', { name: 'Buy' }).click();
  await typeCard(page, '4000000000000002');
  await page.getByRole('link', { name: 'Try another card' }).click();
  await typeCard(page, '4242424242424242');
  await page.waitForURL('**/back/*');
  await page.getByRole('heading', { name: 'Waiting for your bank' }).waitFor();
  expect(await page.textContent('body')).not.toContain('Nothing was charged');
  line.mend();
  await page.getByRole('heading', { name: 'Thank you' }).waitFor();
  await context.close();
});

test('Elements in Node: a payer whose connection goes away while they pay is told so, and led on once it is back', async () => {
  await using shop = await open(['node', 'examples/node/shop.mjs']);
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(shop.url);
  await page.getByRole('button', { name: 'Buy' }).click();
  await page.route('**/pay/*', async (route) => {
    await route.fetch();
    // the request may have ended by this
    await context.setOffline(true);
    await route.abort('internetdisconnected').catch(() => undefined);
  });
  await typeCard(page, '4242424242424242');
  await page.getByText('No connection').waitFor();
  await context.setOffline(false);
  await page.getByRole('heading', { name: 'Thank you' }).waitFor();
  await context.close();
});

test('Elements in Node: a cart that is paid asks for no card, in another tab or by going back', async () => {
  await using shop = await open(['node', 'examples/node/shop.mjs']);
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(shop.url);
  await page.getByRole('button', { name: 'Buy' }).click();
  const cart = page.url();
  await typeCard(page, '4242424242424242');
  await page.getByRole('heading', { name: 'Thank you' }).waitFor();
  const other = await context.newPage();
  await other.goto(cart);
  await other.getByRole('heading', { name: 'Thank you' }).waitFor();
  await page.goBack();
  await page.getByRole('heading', { name: 'Thank you' }).waitFor();
  await context.close();
});

test('Elements in Node: after the last attempt no other card is asked for', async () => {
  await using shop = await open(['node', 'examples/node/shop.mjs']);
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(shop.url);
  await page.getByRole('button', { name: 'Buy' }).click();
  const cart = page.url();
  for (const last of [false, false, true]) {
    await typeCard(page, '4000000000000002');
    await page.getByRole('heading', { name: 'Not paid' }).waitFor();
    if (!last) await page.getByRole('link', { name: 'Try another card' }).click();
  }
  expect(await page.getByRole('link').allInnerTexts()).toEqual(['Back to the shop']);
  await page.goto(cart);
  await page.getByRole('heading', { name: 'Not paid' }).waitFor();
  await context.close();
});

test.skipIf(!has('php'))(
  'the hosted page in PHP: a payer who comes back while the API is away is told what to do, and no inner workings (skipped without php)',
  async () => {
    using line = await openLine('request', 0, '/payment/checkout/');
    await using shop = await open(['php', '-S', '127.0.0.1:PORT', 'examples/php/shop.php'], { API: line.url });
    const context = await browser.newContext();
    const page = await context.newPage();
    await page.goto(shop.url);
    await page.getByRole('button', { name: 'Buy' }).click();
    await typeCard(page, '4242424242424242', '#pay-button');
    await page.waitForURL('**/back/*');
    const said = String(await page.textContent('body'));
    expect(said).toContain('Please look at your orders before you pay again');
    expect(said).not.toMatch(/exception|stack|\.php/i);
    line.mend();
    await page.reload();
    await page.getByRole('heading', { name: 'Thank you' }).waitFor();
    await context.close();
  },
);

test.skipIf(!has('php'))(
  'the hosted page in PHP: who cannot be kept is not sent to pay, and who is not known is not asked to pay again (skipped without php)',
  async () => {
    // as PHP is without a php.ini: what goes wrong is printed, in front of the answer
    const loud = ['php', '-d', 'display_errors=1', '-S', '127.0.0.1:PORT', 'examples/php/shop.php'];
    await using full = await open(loud, { STATE: '/dev/null/state' });
    const buy = await fetch(`${full.url}/buy`, { method: 'POST', redirect: 'manual' });
    expect([buy.status, await buy.text()]).toEqual([500, expect.stringContaining('Something went wrong')]);
    await using shop = await open(loud);
    const unknown = await fetch(`${shop.url}/back/${'a'.repeat(32)}`);
    expect([unknown.status, await unknown.text()]).toEqual([404, expect.stringContaining('before you pay again')]);
  },
);

test.skipIf(!has('php'))(
  'the hosted page in PHP: the payer pays there, comes back, and the shop is told (skipped without php)',
  async () => {
    await using shop = await open(['php', '-S', '127.0.0.1:PORT', 'examples/php/shop.php']);
    const context = await browser.newContext();
    const page = await context.newPage();
    await page.goto(shop.url);
    await page.getByRole('button', { name: 'Buy' }).click();
    expect(page.url()).toContain(`${w.service.addresses.vault_url}/pay/`);
    await typeCard(page, CHALLENGED, '#pay-button');
    await passBank(page, '1234');
    await page.getByRole('heading', { name: 'Thank you' }).waitFor();
    expect(page.url()).toContain(`${shop.url}/back/`);
    await until(() => (told(shop).includes('capture_successful') ? true : undefined));
    await context.close();
  },
);

test('the looks of the payment form reach the parts that they name', async () => {
  const looks = readFileSync(new URL('../../examples/browser/looks.css', import.meta.url), 'utf8');
  await using stage = await openStage();
  const { vault_url, key } = keysOf(w);
  const page = await (await browser.newContext()).newPage();
  const head = `<style>${looks}</style>`;
  await page.goto(stage.set(elementPage({ vault_url, head, config: `publicapikey: '${key}'` })));
  await page.waitForSelector(READY);
  const style = await page.evaluate(`(() => {
    const { textTransform, backgroundColor } = getComputedStyle(document.querySelector('#florin-payment-form').shadowRoot.querySelector('.florin-pay'));
    return [textTransform, backgroundColor];
  })()`);
  expect(style).toEqual(['uppercase', 'rgb(122, 46, 14)']);
  await page.context().close();
});
