// The shops of the guides in a real browser: Hosted Elements with 3-D Secure in Node, the hosted page in PHP, each told
// by notifications.
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
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

/** Between a shop and the API: loses requests that make an order, or their answers, until it is mended. */
async function openLine(loses: 'request' | 'answer') {
  let broken = true;
  const line = createServer((asked, answer) => {
    const lost = () => broken && asked.method === 'POST' && asked.url === '/payment/order';
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
  const { port } = line.address() as AddressInfo;
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
    await typeCard(page, '4242424242424242');
    await page.waitForURL('**/back/*');
    await page.getByRole('heading', { name: loses === 'answer' ? 'Thank you' : 'Waiting for your bank' }).waitFor();
    expect(await page.textContent('body')).not.toContain('Nothing was charged');
    if (loses === 'request') {
      // in a second tab, before anything is known
      const other = await context.newPage();
      await other.goto(cart);
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
