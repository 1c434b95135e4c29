// @florin/client/elements and /react on a merchant's page with a strict policy, in a real browser: the script is
// loaded, events are heard, and one call leads from the card fields over the merchant's server and the payer's bank to
// the outcome.
import { type IncomingMessage, type Server, type ServerResponse, createServer } from 'node:http';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { rolldown } from 'rolldown';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { forPage } from '../../client/src/florin.ts';
import { listeningPort } from '../../src/kit/listening-port.ts';
import { type Merchant, SALE, cart, merchantAt } from '../client-library/merchant.ts';
import { type World, world } from '../world.ts';
import { openBrowser } from './browser.ts';
import { GOOD, READY, type Typed, fieldsOf, type } from './stage.ts';
import { type Watched, strangers, watch } from './watch.ts';

const CLIENT = join(import.meta.dirname, '../../client/src');
const CHALLENGE: Typed = { ...GOOD, number: '4000002760003184' };

/** What a merchant writes. */
const PROGRAMS: Readonly<Record<string, string>> = {
  'plain.js': `
import { loadElements, onForm, payWith } from '${CLIENT}/elements.ts';
const { vault_url, publicapikey } = document.documentElement.dataset;
window.seen = [];
for (const name of ['ready', 'change', 'submit', 'token', 'error']) onForm(name, (detail) => window.seen.push([name, detail]));
const same = [loadElements({ vault_url }), loadElements({ vault_url })];
window.once = same[0] === same[1];
const Elements = await same[0];
const form = new Elements({ publicapikey, displayButtons: false });
document.querySelector('button').addEventListener('click', async () => {
  const outcome = await payWith({ Elements, form }, async (payment) => {
    const answer = await fetch('/pay', { method: 'POST', body: JSON.stringify(payment) });
    return answer.json();
  });
  document.querySelector('output').textContent = outcome ? outcome.kind : 'no token';
});
`,
  'react.js': `
import { createElement, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { goOn } from '${CLIENT}/elements.ts';
import { FlorinForm } from '${CLIENT}/react.ts';
const { vault_url, publicapikey } = document.documentElement.dataset;
function Shop() {
  const [kind, say] = useState('');
  const onToken = async ({ token }, Elements) => {
    const answer = await fetch('/pay', { method: 'POST', body: JSON.stringify({ token, browser_data: Elements.browserData() }) });
    say((await goOn(await answer.json())).kind);
  };
  const form = createElement(FlorinForm, { vault_url, publicapikey, onToken, onFailure: ({ message }) => say(message) });
  return createElement('div', null, form, createElement('output', null, kind));
}
createRoot(document.querySelector('main')).render(createElement(Shop));
`,
  'amount.js': `
import { createElement, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { FlorinForm } from '${CLIENT}/react.ts';
const { vault_url, publicapikey } = document.documentElement.dataset;
function Shop() {
  const [amount, set] = useState('42.50');
  const form = createElement(FlorinForm, { vault_url, publicapikey, amount, currency: 'EUR', onToken: () => undefined });
  return createElement('div', null, form, createElement('button', { onClick: () => set('60.00') }, 'One more'));
}
createRoot(document.querySelector('main')).render(createElement(Shop));
`,
  'wrong.js': `
import { loadElements } from '${CLIENT}/elements.ts';
const { vault_url } = document.documentElement.dataset;
const say = (error) => { document.querySelector('output').textContent += error.message + '; '; };
await loadElements({ vault_url, brand: 'other' }).catch(say);
await loadElements({ vault_url: 'https://vault.elsewhere.example' }).catch(say);
`,
};

let w: World;
let browser: Browser;
let merchant: Merchant;
let site: Server;
let shop: string;
let scripts: ReadonlyMap<string, string>;
let page: Page;
let seen: Watched;
/** What the merchant's server was given. */
let given: Readonly<Record<string, unknown>>[];
beforeAll(async () => {
  [w, browser] = await Promise.all([world(), openBrowser()]);
  merchant = merchantAt(w);
  scripts = new Map(
    await Promise.all(Object.entries(PROGRAMS).map(async ([name, text]) => [name, await bundled(text)] as const)),
  );
  site = createServer((request, response) => void serve(request, response));
  await new Promise<void>((done) => site.listen(0, '127.0.0.1', done));
  // another site than the vault for the browser
  shop = `http://localhost:${listeningPort(site)}`;
});
afterAll(async () => {
  await browser.close();
  site.closeAllConnections();
  await new Promise((done) => site.close(done));
  await w[Symbol.asyncDispose]();
});
beforeEach(async () => {
  given = [];
  page = await browser.newPage();
  seen = watch(page);
});
afterEach(() => page.close());

async function bundled(program: string): Promise<string> {
  const id = join(CLIENT, '../../test/browser/program.js');
  const plugin = {
    name: 'program',
    resolveId: (name: string) => (name === id ? id : null),
    load: (name: string) => (name === id ? program : null),
  };
  const build = await rolldown({
    input: id,
    platform: 'browser',
    logLevel: 'silent',
    plugins: [plugin],
    transform: { define: { 'process.env.NODE_ENV': '"production"' } },
  });
  const { output } = await build.generate({ format: 'esm', minify: true });
  return output[0].code;
}

async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const path = new URL(request.url ?? '/', shop).pathname.slice(1);
  const { vault_url } = w.service.addresses;
  const script = scripts.get(path);
  if (script !== undefined) return void response.setHeader('content-type', 'text/javascript').end(script);
  if (path === 'pay')
    return void response.setHeader('content-type', 'application/json').end(JSON.stringify(await pay(request)));
  const policy = `default-src 'none'; script-src 'self' ${vault_url}; style-src ${vault_url}; frame-src ${vault_url}; img-src ${vault_url}; connect-src 'self'; base-uri 'none'; require-trusted-types-for 'script'; trusted-types florin-client`;
  response.writeHead(200, { 'content-type': 'text/html', 'content-security-policy': policy });
  const program = path.startsWith('back') ? '' : `<script type="module" src="/${path}.js"></script>`;
  response.end(
    `<!doctype html><html lang="en" data-vault_url="${vault_url}" data-publicapikey="${w.keys.public_key}"><title>Shop</title><link rel="icon" href="data:,"><main><div id="florin-payment-container"></div><button>Pay</button><output></output></main>${program}`,
  );
}

/** The merchant's server: what the quick start shows. */
async function pay(request: IncomingMessage): Promise<unknown> {
  let text = '';
  for await (const chunk of request) text += String(chunk);
  const payment: { readonly token: string; readonly browser_data: object } = JSON.parse(text);
  given.push({ ...payment });
  const outcome = await merchant.florin.orders.create(
    {
      ...SALE,
      ...cart(),
      ...payment.browser_data,
      token: payment.token,
      authentication_indicator: 'ask_3ds',
      accept_url: `${shop}/back`,
    },
    { wait_seconds: 10 },
  );
  return forPage(outcome);
}

const shows = (text: string) => page.locator('output', { hasText: text }).waitFor();
const said = () => page.locator('output').textContent();
/** The favicon of data: is the page's own; anything else that the policy refused is the library's fault. */
const refused = () => seen.errors.filter((error) => !error.includes('data:,'));

describe('on a page with a strict policy', () => {
  test('the form is loaded once, says what happens, and pays in one call', async () => {
    await page.goto(`${shop}/plain`);
    await page.waitForSelector(READY);
    const button = page.getByRole('button', { name: 'Pay' });
    await button.click();
    await shows('no token');
    await type(await fieldsOf(page), GOOD);
    await button.click();
    await shows('approved');
    expect(await page.evaluate('window.once')).toBe(true);
    const events = (await page.evaluate('window.seen')) as readonly (readonly [
      string,
      Readonly<Record<string, unknown>>,
    ])[];
    expect(new Set(events.map(([name]) => name))).toEqual(new Set(['ready', 'change', 'submit', 'token']));
    expect(events.findLast(([name]) => name === 'change')?.[1]).toMatchObject({ complete: true, scheme: 'visa' });
    expect(JSON.stringify(events)).not.toMatch(/\b4242(?:\b| ?4242)/);
    expect(given).toMatchObject([
      { paymentMethodName: 'visa', tokenType: 'oneshot', browser_data: { customer_browser_info_js_enabled: true } },
    ]);
    expect(JSON.stringify(given)).not.toMatch(/\b4242(?:\b| ?4242)/);
    expect(refused()).toEqual([]);
    expect(strangers(seen, shop, w.service.addresses.vault_url)).toEqual([]);
  });

  test('a payer whose bank asks is led there by the same call, and comes back', async () => {
    await page.goto(`${shop}/plain`);
    await page.waitForSelector(READY);
    await type(await fieldsOf(page), CHALLENGE);
    await page.getByRole('button', { name: 'Pay' }).click();
    await page.getByRole('textbox').fill('1234');
    await page.keyboard.press('Enter');
    await page.waitForURL(`${shop}/back`);
    expect(given).toHaveLength(1);
  });

  test('the React component does the same', async () => {
    await page.goto(`${shop}/react`);
    await page.waitForSelector(READY);
    await type(await fieldsOf(page), GOOD);
    await page.locator('.florin-pay').click();
    await shows('approved');
    expect(refused()).toEqual([]);
  });

  test('the button of the React component says the amount that the cart has now', async () => {
    await page.goto(`${shop}/amount`);
    await page.locator(READY).waitFor();
    await page.getByRole('button', { name: '€42.50' }).waitFor();
    await page.getByRole('button', { name: 'One more' }).click();
    await page.getByRole('button', { name: '€60.00' }).waitFor();
  });

  test('a form that cannot be loaded says why', async () => {
    await page.goto(`${shop}/wrong`);
    await shows('elsewhere');
    expect(await said()).toMatch(/other-client.*Content-Security-Policy; .*elsewhere.*Content-Security-Policy; /);
  });
});
