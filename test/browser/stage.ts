// A merchant's own pages for browser tests, on another site than the vault: `localhost` here, 127.0.0.1 there. What the
// vault serves is the real thing; the page around it is whatever a test needs.
import { createServer } from 'node:http';
import type { Frame, Page } from 'playwright-core';
import { listeningPort } from '../../src/kit/listening-port.ts';
import { textAt } from '../client.ts';
import type { World } from '../world.ts';

export type Stage = AsyncDisposable & {
  readonly origin: string;
  /** Puts a page on the stage and answers its address. */
  set(html: string, headers?: Readonly<Record<string, string>>): string;
};

export async function openStage(): Promise<Stage> {
  // where forms are sent: a browser of today shows a page of its own for an error without a body
  const received = { html: '<!doctype html><title>Received</title>', headers: {} };
  const pages = new Map<string, { readonly html: string; readonly headers: Readonly<Record<string, string>> }>([
    ['/posted', received],
  ]);
  const server = createServer((request, response) => {
    const page = pages.get(new URL(request.url ?? '/', 'http://stage').pathname);
    response.writeHead(page ? 200 : 404, { 'content-type': 'text/html; charset=utf-8', ...page?.headers });
    response.end(page?.html ?? '');
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const origin = `http://localhost:${listeningPort(server)}`;
  return {
    origin,
    set: (html, headers = {}) => {
      const path = `/${pages.size + 1}`;
      pages.set(path, { html, headers });
      return origin + path;
    },
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}

export type Element = {
  readonly vault_url: string;
  readonly brand?: string;
  /** Members of `new Florin({…})`, as JavaScript. */
  readonly config: string;
  readonly lang?: string;
  /** Instead of the container. */
  readonly body?: string;
  readonly head?: string;
  /** Instead of the construction. */
  readonly script?: string;
};

/**
 * A merchant's payment page with the new generation; `window.payment` is the instance, `window.seen` what its callbacks
 * got.
 */
export function elementPage({
  vault_url,
  brand = 'florin',
  config,
  lang = 'en',
  body,
  head = '',
  script,
}: Element): string {
  const global = brand.charAt(0).toUpperCase() + brand.slice(1);
  return `<!doctype html><html lang="${lang}" dir="${lang === 'ar' ? 'rtl' : 'ltr'}"><head><meta charset="utf-8"><title>Shop</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark"><link rel="icon" href="data:,">
<link rel="stylesheet" href="${vault_url}/stylesheet/2.3/${brand}-client.min.css">
<style>body { max-width: 30rem; margin: 2rem auto; padding: 0 1rem; font-family: system-ui, sans-serif }</style>${head}
<script src="${vault_url}/javascript/2.3/${brand}-client.min.js"></script></head>
<body><main><h1>Payment</h1>${body ?? `<div id="${brand}-payment-container"></div>`}</main>
<script>window.seen = []; ${script ?? `window.payment = new ${global}({${config}});`}</script></body></html>`;
}

/** The frame with the card fields, once its first field can be typed into. */
export async function fieldsOf(page: Page): Promise<Frame> {
  const handle = await page.waitForSelector('iframe');
  const frame = await handle.contentFrame();
  if (!frame) throw new Error('the element has no frame');
  await frame.waitForSelector('#code');
  return frame;
}

export const READY = '[data-state="ready"]';

export type Typed = {
  readonly number?: string;
  readonly expiry?: string;
  readonly code?: string;
  readonly holder?: string;
};

/** Types as a person does, key by key. */
export async function type(frame: Frame, typed: Typed): Promise<void> {
  for (const [name, text] of Object.entries(typed)) await frame.locator(`#${name}`).pressSequentially(text);
}

/** Types as with an input method: each key shows all that is composed, and in the end it comes as a whole. */
export async function compose(page: Page, text: string): Promise<void> {
  const keyboard = await page.context().newCDPSession(page);
  for (let count = 1; count <= text.length; count++)
    await keyboard.send('Input.imeSetComposition', {
      text: text.slice(0, count),
      selectionStart: count,
      selectionEnd: count,
    });
  await keyboard.send('Input.insertText', { text });
  await keyboard.detach();
}

export const GOOD: Typed = { number: '4242424242424242', expiry: '12/34', code: '123' };

/** Everything of an instance that a page can see of it. */
export async function instanceOf(page: Page): Promise<Readonly<Record<string, unknown>>> {
  const json = await page.evaluate('JSON.stringify(window.payment)');
  const value: Readonly<Record<string, unknown>> = JSON.parse(String(json));
  return value;
}

/** The public key and the vault's address, as a page has them. */
export function keysOf(w: World) {
  return { vault_url: w.service.addresses.vault_url, key: w.keys.public_key };
}

/** A checkout and what the merchant's page is given of it. */
export async function checkoutOf(w: World, fields: object = {}) {
  const reply = await w.shop.api('/payment/checkout', {
    body: {
      type: 'api',
      operation_type: 'direct_capture',
      amount: '42.50',
      currency: 'EUR',
      order_merchant_id: 'cart',
      ...fields,
    },
  });
  return { id: textAt(reply, 'checkout.checkout_id'), answer: reply.text };
}
