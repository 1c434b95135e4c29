// What the merchant's page must never get, and who may show the fields at all: two sites in a real
// browser, one process each.
import { createHash } from 'node:crypto';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { PAGE_LANGUAGES } from '../../src/core/payer/language.ts';
import { changeSettings } from '../../src/payment/merchant/change-settings.ts';
import { dataIn, hostedCheckout, open } from '../hosted-page/payer.ts';
import { type World, world } from '../world.ts';
import { openBrowser } from './browser.ts';
import { GOOD, READY, type Stage, elementPage, fieldsOf, instanceOf, keysOf, openStage, type } from './stage.ts';
import { watch } from './watch.ts';

let w: World;
let browser: Browser;
let stage: Stage;
let page: Page;
beforeAll(async () => {
  [w, browser, stage] = await Promise.all([world(), openBrowser(['--site-per-process']), openStage()]);
});
afterAll(async () => {
  await browser.close();
  await stage[Symbol.asyncDispose]();
  await w[Symbol.asyncDispose]();
});
beforeEach(async () => {
  page = await browser.newPage();
});
afterEach(() => page.close());

const NUMBER = '5436031030606378';
const HOLDER = 'Zebulon Quisquater';

/** Every run of five digits of the number, grouped or not, and the holder: what must be nowhere. */
function traces(text: string): readonly string[] {
  const plain = text.replaceAll(/(?<=\d) (?=\d)/g, '');
  const parts = Array.from({ length: NUMBER.length - 5 }, (_, i) => NUMBER.slice(i, i + 6));
  return [...parts, HOLDER.split(' ')[0] ?? ''].filter((part) => plain.includes(part));
}

/** Collects every message the page's side can hear: on the window, and through every port it is given. */
const LISTEN = `<script>window.heard = [];
addEventListener('message', (event) => heard.push(event.data));
const start = MessagePort.prototype.start;
MessagePort.prototype.start = function () { this.addEventListener('message', (event) => heard.push(event.data)); return start.call(this); };</script>`;

async function openPage(config = 'displayCardHolder: true', head = LISTEN) {
  const { vault_url, key } = keysOf(w);
  const html = elementPage({ vault_url, head, config: `publicapikey: '${key}', ${config}` });
  await page.goto(stage.set(html));
}

async function heap(of: Page): Promise<string> {
  const session = await of.context().newCDPSession(of);
  const chunks: string[] = [];
  session.on('HeapProfiler.addHeapSnapshotChunk', ({ chunk }) => chunks.push(chunk));
  await session.send('HeapProfiler.takeHeapSnapshot', { reportProgress: false });
  await session.detach();
  return chunks.join('');
}

describe('after a payment', () => {
  test('DOM, storage, messages and memory of the merchant’s page hold no digit of the card', async () => {
    await openPage();
    const frame = await fieldsOf(page);
    await type(frame, { number: NUMBER, expiry: '11/33', code: '907', holder: HOLDER });
    await page.locator('.florin-pay').click();
    await page.waitForSelector('[data-state="done"]');
    expect((await instanceOf(page))['token']).toMatch(/^[0-9a-f]{64}$/);
    const heard = JSON.stringify(await page.evaluate('heard'));
    expect(heard).toContain('"kind":"hello"');
    expect(heard).toContain('"kind":"token"');
    const storage = 'JSON.stringify([localStorage, sessionStorage, document.cookie, location.href, history.state])';
    const dom = await page.evaluate('document.documentElement.outerHTML');
    expect([heard, String(dom), String(await page.evaluate(storage))].flatMap(traces)).toEqual([]);
    // the frame has the number in its own memory: the search would find it
    expect(traces(await frame.locator('#number').inputValue())).not.toEqual([]);
    expect(traces(await heap(page))).toEqual([]);
    await page.evaluate(`window.canary = ${JSON.stringify(NUMBER.split(''))}.join('')`);
    expect(traces(await heap(page))).not.toEqual([]);
  });

  test('the page can neither read nor script the frame', async () => {
    await openPage();
    await fieldsOf(page);
    const tried = await page.evaluate(
      `try { document.querySelector('iframe').contentWindow.document; 'open' } catch (error) { error.name }`,
    );
    expect(tried).toBe('SecurityError');
    expect(await page.evaluate(`document.querySelector('iframe').contentDocument`)).toBeNull();
  });
});

describe('messages', () => {
  test('from another window, or with another nonce, are ignored by page and frame', async () => {
    await openPage();
    const frame = await fieldsOf(page);
    await page.waitForSelector(READY);
    // a second frame of the same page plays the vault, and a second channel is offered to the real one
    await page.evaluate(`(() => {
      const channel = new MessageChannel();
      channel.port1.onmessage = (event) => heard.push({ stolen: event.data });
      channel.port1.postMessage({ kind: 'tokenize', id: 1, token_type: 'oneshot' });
      document.querySelector('iframe').contentWindow.postMessage({ kind: 'welcome', nonce: 'guess' }, '*', [channel.port2]);
      const twin = document.createElement('iframe');
      document.body.append(twin);
      twin.contentWindow.eval("parent.postMessage({ kind: 'hello', nonce: 'guess' }, '*')");
      window.postMessage({ kind: 'token', id: 1, token: 'ab'.repeat(32), payment_method_name: 'visa', token_type: 'oneshot' }, '*');
    })()`);
    await type(frame, GOOD);
    expect(JSON.stringify(await page.evaluate('heard'))).not.toContain('stolen');
    expect((await instanceOf(page))['token']).toBeUndefined();
    await page.locator('.florin-pay').click();
    await page.waitForSelector('[data-state="done"]');
    expect((await instanceOf(page))['token']).not.toBe('ab'.repeat(32));
  });

  test('a hello from anybody else does not disturb the greeting', async () => {
    const { vault_url, key } = keysOf(w);
    const script = `window.payment = new Florin({ publicapikey: '${key}' });
      const { nonce } = Object.fromEntries(new URLSearchParams(document.querySelector('iframe').src.split('#')[1]));
      for (const guess of [nonce, 'guess']) window.postMessage({ kind: 'hello', nonce: guess }, '*');`;
    await page.goto(stage.set(elementPage({ vault_url, config: '', script })));
    await page.waitForSelector(READY);
  });

  test('the frame takes a port from the window that holds it, with the nonce it was given, and from no other', async () => {
    const { vault_url, key } = keysOf(w);
    const src = `${vault_url}/fields/en/${key}#origin=${encodeURIComponent(stage.origin)}&nonce=right`;
    const sibling = stage.set(
      `<!doctype html><title>s</title><script>window.send = (message, port) => parent.frames[0].postMessage(message, '*', [port])</script>`,
    );
    const html =
      `<!doctype html><title>t</title><iframe src="${src}"></iframe><iframe src="${sibling}"></iframe><script>
      window.heard = [];
      const offer = (by, send, nonce) => { const { port1, port2 } = new MessageChannel(); port1.onmessage = () => heard.push(by); send({ kind: 'welcome', nonce }, port2); };
      const own = (message, port) => frames[0].postMessage(message, '*', [port]);
      addEventListener('message', (event) => { if (event.data.kind !== 'hello') return;
        offer('wrong nonce', own, 'wrong'); offer('sibling', frames[1].send, 'right'); offer('parent', own, 'right'); offer('second', own, 'right'); });
    </script>`.replace('<iframe src="' + src, '<iframe data-src="' + src);
    // the fields are loaded when the sibling is there
    await page.goto(stage.set(html));
    await page.waitForFunction('frames[1].send');
    await page.evaluate(`document.querySelector('iframe').src = document.querySelector('iframe').dataset.src`);
    await page.waitForFunction('heard.length > 0');
    await (await fieldsOf(page)).locator('#number').pressSequentially('42');
    expect(await page.evaluate('[...new Set(heard)]')).toEqual(['parent']);
  });

  test('a frame that was told a wrong origin stays silent', async () => {
    const { vault_url, key } = keysOf(w);
    const src = `${vault_url}/fields/en/${key}#origin=${encodeURIComponent('https://evil.example')}&nonce=n1`;
    await page.goto(stage.set(`<!doctype html><title>t</title>${LISTEN}<iframe src="${src}"></iframe>`));
    const frame = await fieldsOf(page);
    expect(await frame.evaluate('document.readyState')).toBe('complete');
    expect(await page.evaluate('heard')).toEqual([]);
  });
});

describe('registered origins', () => {
  const account = () => w.account;
  afterEach(() => changeSettings(w.service.tools, account(), { registered_origins: [] }));

  test('another origin gets an empty frame and a console error; a registered one pays', async () => {
    const seen = watch(page);
    await changeSettings(w.service.tools, account(), { registered_origins: ['https://shop.example'] });
    await expect.poll(() => policyOf(w)).toContain("frame-ancestors 'self' https://shop.example;");
    await openPage();
    await page.waitForSelector('[data-state="lost"]');
    expect(await page.locator('iframe').count()).toBe(0);
    expect(await page.locator('.florin-error').innerText()).toBe('The card fields could not be loaded. Try again');
    expect(seen.errors.join('\n')).toContain(`${stage.origin} may not frame them`);

    await changeSettings(w.service.tools, account(), { registered_origins: ['https://shop.example', stage.origin] });
    await expect.poll(() => policyOf(w)).toContain(stage.origin);
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.waitForSelector(READY);
    await type(await fieldsOf(page), GOOD);
    await page.locator('.florin-pay').click();
    await page.waitForSelector('[data-state="done"]');
  });

  test("a hosted page's own key shows its fields on that page alone, whatever is registered", async () => {
    const { url } = await hostedCheckout(w.shop);
    const { publicapikey } = dataIn(await open(url)).element;
    const seen = watch(page);
    const config = `publicapikey: '${String(publicapikey)}', locale: 'en'`;
    await page.goto(stage.set(elementPage({ vault_url: w.service.addresses.vault_url, config })));
    await page.waitForSelector('[data-state="lost"]');
    expect(await page.locator('iframe').count()).toBe(0);
    expect(seen.errors.join('\n')).toContain(`${stage.origin} may not frame them`);
    await page.goto(url);
    await fieldsOf(page);
  });

  test('what is no origin is refused', async () => {
    for (const origin of ['shop.example', 'https://shop.example/pay', "https://a 'unsafe-inline'", 'https://*.example'])
      await expect(changeSettings(w.service.tools, account(), { registered_origins: [origin] })).rejects.toThrow(
        'parameter_invalid',
      );
  });
});

async function policyOf({ service, keys }: World): Promise<string> {
  const response = await fetch(`${service.addresses.vault_url}/fields/en/${keys.public_key}`);
  return response.headers.get('content-security-policy') ?? '';
}

describe('scripts.json', () => {
  type Script = {
    readonly path: string;
    readonly inline: boolean;
    readonly integrity: string;
    readonly owner: string;
    readonly reason: string;
  };

  type Manifest = { readonly scripts: readonly Script[]; readonly policies: Readonly<Record<string, string>> };

  test('lists every script that runs, with the hash that is served and that the policy allows', async () => {
    const { vault_url, key } = keysOf(w);
    const { scripts, policies }: Manifest = JSON.parse(await (await fetch(`${vault_url}/scripts.json`)).text());
    const policy = await policyOf(w);
    const { url } = await hostedCheckout(w.shop);
    const hosted = new URL(url).pathname;
    expect(Object.values(policies)).toEqual([
      policy.replace(/(?<=frame-ancestors 'self' )[^;]+/, '{registered_origins}'),
    ]);
    for (const { path, inline, integrity, owner, reason } of scripts) {
      const at = path
        .replace('{any}', '2.3')
        .replace('{language}', 'fr')
        .replace('{key}', key)
        .replace('/pay/{handle}', hosted);
      const body = await (await fetch(vault_url + at)).text();
      const texts = inline
        ? [...body.matchAll(/<script(?: type="module")?>([\s\S]*?)<\/script>/g)].map(([, text]) => text ?? '')
        : [body];
      expect(texts.map(hashOf)).toEqual([integrity]);
      if (path.startsWith('/fields')) expect(policy).toContain(`script-src '${integrity}';`);
      expect([owner, reason]).toEqual(['florin', expect.stringMatching(/\w+ \w+ \w+/)]);
    }
    expect(scripts.map(({ path }) => path)).toEqual([
      '/javascript/{any}/florin-client.min.js',
      '/fields/{language}/{key}',
      '/pay/{handle}',
    ]);
  });

  test('what is put into the frame’s document does not run', async () => {
    const { vault_url } = keysOf(w);
    await page.route(`${vault_url}/fields/**`, async (route) => {
      const response = await route.fetch();
      const body = (await response.text()).replace('</body>', '<script>document.title = "taken"</script></body>');
      await route.fulfill({ response, body });
    });
    await openPage('', '');
    const frame = await fieldsOf(page);
    await page.waitForSelector(READY);
    expect(await frame.content()).toContain('document.title = "taken"');
    expect(await frame.title()).toBe('Card details');
  });
});

test('a page with a strict policy needs the vault’s origin in it, and nothing else', async () => {
  const { vault_url, key } = keysOf(w);
  const seen = watch(page);
  const script = `window.payment = new Florin({ publicapikey: '${key}', displaySave: true });`;
  const html = elementPage({ vault_url, config: '', script }).replace(/<style>.*?<\/style>/s, '');
  const inline = /<script>([\s\S]*?)<\/script>/.exec(html)?.[1] ?? '';
  const policy = `default-src 'none'; script-src ${vault_url} '${hashOf(inline)}'; style-src ${vault_url}; frame-src ${vault_url}; img-src data:; require-trusted-types-for 'script'; trusted-types 'none'`;
  await page.goto(stage.set(html, { 'content-security-policy': policy }));
  await type(await fieldsOf(page), GOOD);
  await page.locator('.florin-pay').click();
  await page.waitForSelector('[data-state="done"]');
  const button = `document.getElementById('florin-payment-form').shadowRoot.querySelector('.florin-pay')`;
  expect(await page.evaluate(`getComputedStyle(${button}).backgroundColor`)).toBe('rgb(11, 93, 87)');
  expect(seen.errors).toEqual([]);
});

function hashOf(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`;
}

describe('files', () => {
  test('have the names of the contract, one content each, and long lives below their hash', async () => {
    const { vault_url } = keysOf(w);
    const get = async (path: string) => {
      const response = await fetch(vault_url + path);
      return { status: response.status, headers: response.headers, text: await response.text() };
    };
    const first = await get('/javascript/2.3/florin-client.min.js');
    for (const any of ['0.2', '1.9', 'x.x', 'a'.repeat(32)])
      for (const name of ['florin-client.js', 'florin-client.min.js'])
        expect((await get(`/javascript/${any}/${name}`)).text).toBe(first.text);
    expect((await get(`/javascript/${'a'.repeat(33)}/florin-client.js`)).status).toBe(404);
    expect((await get('/javascript/2.3/acme-client.js')).status).toBe(404);
    expect(first.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
    expect(first.headers.get('access-control-allow-origin')).toBe('*');
    const hash = createHash('sha256').update(first.text).digest('hex').slice(0, 32);
    const fixed = await get(`/javascript/${hash}/florin-client.min.js`);
    expect(fixed.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect((await get('/stylesheet/2.3/florin-client.min.css')).headers.get('content-type')).toContain('text/css');
    const again = await fetch(`${vault_url}/javascript/2.3/florin-client.min.js`, {
      headers: { 'if-none-match': first.headers.get('etag') ?? '' },
    });
    expect(again.status).toBe(304);
  });

  test('are small: script with its style sheet below 21.5 KB compressed, the whole field frame below 26.5 KB as it is', async () => {
    const { vault_url, key } = keysOf(w);
    const size = async (path: string, encoding: string) => {
      const response = await fetch(vault_url + path, { headers: { 'accept-encoding': encoding } });
      expect(response.headers.get('vary')).toBe('accept-encoding');
      const body = await response.arrayBuffer();
      return encoding === 'gzip' ? Number(response.headers.get('content-length')) : body.byteLength;
    };
    expect(await size('/javascript/2.3/florin-client.min.js', 'gzip')).toBeLessThan(21_500);
    for (const language of PAGE_LANGUAGES)
      expect(await size(`/fields/${language}/${key}`, 'identity')).toBeLessThan(26_500);
  });
});
