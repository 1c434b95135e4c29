// The simulated bank's challenge page in a real browser: readable for everyone in every state and window, usable by
// keyboard and without a script, and the browser is sent back as the standard says.
import { mkdirSync } from 'node:fs';
import { type Server, createServer } from 'node:http';
import { AxeBuilder } from '@axe-core/playwright';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { listeningPort } from '../../src/kit/listening-port.ts';
import { type SimulatorProcess, startProcess } from '../providers/wire.ts';
import { type Given, type Said, askingOf, base64Url, creqOf, readBase64Url } from '../sandbox/three-ds/asking.ts';
import { openBrowser } from './browser.ts';

/** A folder for pictures of every state, for those who want to look at them. */
const SHOTS = process.env['FLORIN_TEST_SHOTS'];

let bank: SimulatorProcess;
let browser: Browser;
/** Our side: the page that sends the payer to the bank, and the address to which the bank sends back. */
let site: Server;
let site_url: string;
const came: URLSearchParams[] = [];
beforeAll(async () => {
  [bank, browser] = await Promise.all([startProcess(), openBrowser()]);
  site = createServer((request, response) => {
    const pieces: Buffer[] = [];
    request.on('data', (piece: Buffer) => pieces.push(piece));
    request.on('end', () => {
      if (request.method === 'POST') came.push(new URLSearchParams(Buffer.concat(pieces).toString()));
      if (request.url === '/back-and-on') return response.writeHead(303, { location: elsewhere() }).end();
      response.setHeader('content-type', 'text/html');
      response.end('<!doctype html><html lang="en"><title>Shop</title><h1>Back in the shop</h1>');
    });
  });
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
  site_url = `http://127.0.0.1:${listeningPort(site)}`;
});
afterAll(async () => {
  await browser.close();
  site.close();
  await bank.stop();
});
const { asks, types } = askingOf(() => bank.url);
/** The same server under another name: another origin. */
const elsewhere = () => site_url.replace('127.0.0.1', 'localhost');

const opened = (areq: Given = {}): Promise<Said> =>
  asks({
    number: '4000002760003184',
    areq: { notificationURL: `${site_url}/back`, purchaseAmount: '129900', merchantName: 'Lamps & Sons', ...areq },
  });

/** The browser posts the CReq as a page of ours makes it do. */
async function go(page: Page, ares: Said, given: Given = {}): Promise<void> {
  const creq = base64Url(creqOf(ares, given));
  await page.setContent(
    `<form method="post" action="${String(ares['acsURL'])}"><input name="creq" value="${creq}"><input name="threeDSSessionData" value="s-1"><button>Go</button></form>`,
  );
  await page.click('button');
}

async function violations(page: Page): Promise<readonly string[]> {
  const { violations: found } = await new AxeBuilder({ page }).analyze();
  return found.map((one) => `${one.id}: ${one.nodes.map((node) => node.html).join(' ')}`);
}

async function shoot(page: Page, name: string): Promise<void> {
  if (SHOTS === undefined) return;
  mkdirSync(SHOTS, { recursive: true });
  await page.screenshot({ path: `${SHOTS}/bank-${name}.png`, fullPage: true });
}

const VIEWS = [
  { width: 1280, scheme: 'light' },
  { width: 390, scheme: 'dark' },
  // the other two have the same colours and the same layout: for the pictures
  ...(SHOTS === undefined
    ? []
    : ([
        { width: 1280, scheme: 'dark' },
        { width: 390, scheme: 'light' },
      ] as const)),
] as const;

describe.each(VIEWS)('at $width px, $scheme', ({ width, scheme }) => {
  let context: BrowserContext;
  beforeAll(async () => {
    context = await browser.newContext({ viewport: { width, height: 900 }, colorScheme: scheme });
  });
  afterAll(() => context.close());

  test('asking, wrong and silent are accessible and fit', async () => {
    const page = await context.newPage();
    const loud: string[] = [];
    page.on('pageerror', (error) => loud.push(error.message));
    page.on('console', (message) => loud.push(message.text()));
    page.on('requestfailed', (request) => loud.push(request.url()));
    const looked = async (name: string) => {
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
      expect(await violations(page)).toEqual([]);
      await shoot(page, `${name}-${width}-${scheme}`);
    };
    await go(page, await opened());
    await page.click('summary');
    await looked('asking');
    await page.fill('#code', '9999');
    await page.click('text=Verify');
    await page.locator('#notice').waitFor();
    await looked('wrong');
    await go(page, await asks({ number: '4000009907000023', areq: { notificationURL: `${site_url}/back` } }));
    await page.locator('text=never answers').waitFor();
    await looked('silent');
    expect(loud).toEqual([]);
    await page.close();
  });
});

test.each([
  ['01', 250, 400],
  ['02', 390, 400],
  ['03', 500, 600],
  ['04', 600, 400],
])('window %s: nothing is cut off sideways in %i by %i', async (challengeWindowSize, width, height) => {
  const context = await browser.newContext({ viewport: { width, height } });
  const page = await context.newPage();
  const long = 'A shop whose name is as long as it may be';
  await go(page, await opened({ merchantName: long.slice(0, 40), purchaseAmount: '999999999999' }), {
    challengeWindowSize,
  });
  await page.locator('#code:focus').waitFor();
  await shoot(page, `window-${challengeWindowSize}`);
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
  expect(await violations(page)).toEqual([]);
  await context.close();
});

describe('the payer', () => {
  const back = (page: Page) => page.waitForURL(`${site_url}/back`);
  const last = () => came.at(-1);

  test('types the code, presses Enter and is back, with what the standard wants', async () => {
    const page = await browser.newPage();
    const ares = await opened();
    await go(page, ares);
    await page.locator('#code:focus').waitFor();
    expect(await page.textContent('#left')).toMatch(/valid for [45]:\d\d/);
    await page.keyboard.type('1234');
    await page.keyboard.press('Enter');
    await back(page);
    const { threeDSServerTransID, acsTransID } = ares;
    expect(readBase64Url(last()?.get('cres') ?? '')).toMatchObject({
      threeDSServerTransID,
      acsTransID,
      transStatus: 'Y',
    });
    expect(last()?.get('threeDSSessionData')).toBe('s-1');
    const count = came.length;
    // the back button opens the page of the challenge, which is decided, and sends the same once more
    await page.goBack({ waitUntil: 'commit' });
    await expect.poll(() => came.length).toBe(count + 1);
    await back(page);
    expect(last()?.get('cres')).toBe(came[count - 1]?.get('cres'));
    await page.close();
  });

  test('without a script gets along with buttons', async () => {
    const context = await browser.newContext({ javaScriptEnabled: false });
    const page = await context.newPage();
    const ares = await opened();
    // the form of our page, which needs no script
    await page.goto(site_url);
    await page.setContent(
      `<form method="post" action="${String(ares['acsURL'])}"><input name="creq" value="${base64Url(creqOf(ares))}"><button>Go</button></form>`,
    );
    await page.click('button');
    await page.click('text=Send a new code');
    expect(await page.textContent('#notice')).toBe('A new code is on its way.');
    await page.fill('#code', '7777');
    await page.click('text=Verify');
    await page.locator('h1', { hasText: 'Confirmed' }).waitFor();
    await shoot(page, 'confirmed');
    await page.click('text=Continue');
    await back(page);
    expect(readBase64Url(last()?.get('cres') ?? '')).toMatchObject({ transStatus: 'Y' });
    expect(last()?.has('threeDSSessionData')).toBe(false);
    await context.close();
  });

  test('cancels, and in a second window finds it decided', async () => {
    const [page, second] = [await browser.newPage(), await browser.newPage()];
    const ares = await opened();
    await go(page, ares);
    await go(second, ares);
    await page.click('text=Cancel');
    await back(page);
    const cres = last()?.get('cres');
    expect(readBase64Url(cres ?? '')).toMatchObject({ transStatus: 'N' });
    await second.fill('#code', '1234');
    await second.click('text=Verify');
    await back(second);
    expect(last()?.get('cres')).toBe(cres);
    await Promise.all([page.close(), second.close()]);
  });

  test('meets the bank in a frame of our page, and nobody else may frame it', async () => {
    const page = await browser.newPage();
    const refused: string[] = [];
    page.on('console', (message) => refused.push(message.text()));
    const ares = await opened();
    const frame = (name: string) =>
      `<iframe name="${name}" title="bank" width="390" height="400"></iframe><form method="post" target="${name}" action="${String(ares['acsURL'])}"><input name="creq" value="${base64Url(creqOf(ares))}"><button>Go</button></form>`;
    await page.goto(site_url);
    await page.setContent(frame('ours'));
    await page.click('button');
    await page.frameLocator('iframe').locator('#code').fill('1234');
    await page.frameLocator('iframe').locator('text=Verify').click();
    await page.frameLocator('iframe').locator('text=Back in the shop').waitFor();
    expect(refused.join(' ')).not.toContain('Content Security Policy');
    await page.goto(elsewhere());
    await page.setContent(frame('theirs'));
    await page.click('button');
    await expect.poll(() => refused.join(' ')).toContain('frame-ancestors');
    await page.close();
  });

  test('is led on to another site by the address to which the bank sends back', async () => {
    const page = await browser.newPage();
    await go(page, await opened({ notificationURL: `${site_url}/back-and-on` }));
    await page.fill('#code', '1234');
    await page.click('text=Verify');
    await page.waitForURL(`${elsewhere()}/`);
    await page.close();
  });

  test('who has confirmed elsewhere is sent back at once', async () => {
    const ares = await opened();
    await types(ares, '1234');
    const page = await browser.newPage();
    await go(page, ares);
    await back(page);
    await page.close();
  });
});
