// The form in pages whose own rules reach far: resets from npm, and the rule of a public client that unsets everything.
// What the payer must see is there and looks as in a bare page, and the page can still restyle it (contract 12.2,
// decision 59).
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { rowsOf } from '../sizes.ts';
import { type World, world } from '../world.ts';
import { openBrowser } from './browser.ts';
import { GOOD, READY, type Stage, elementPage, fieldsOf, keysOf, openStage, type } from './stage.ts';
import { violationsIn } from './watch.ts';

let w: World;
let browser: Browser;
let stage: Stage;
let page: Page;
beforeAll(async () => {
  [w, browser, stage] = await Promise.all([world(), openBrowser(), openStage()]);
});
afterAll(async () => {
  await browser.close();
  await stage[Symbol.asyncDispose]();
  await w[Symbol.asyncDispose]();
});
beforeEach(async () => {
  page = await (await browser.newContext()).newPage();
});
afterEach(() => page.context().close());

const require = createRequire(import.meta.url);

const RULES = [
  ['a rule that unsets everything', '.x * { all: unset }'],
  ['modern-normalize', readFileSync(require.resolve('modern-normalize'), 'utf8')],
  ['the-new-css-reset', readFileSync(require.resolve('the-new-css-reset'), 'utf8')],
  ['@acab/reset.css', readFileSync(require.resolve('@acab/reset.css'), 'utf8')],
] as const;

const SAVED = {
  payment_methods_saved: [
    {
      name: 'visa',
      component_type: 'card',
      id: '66bf18a35d1c9a0e47b2f302',
      token: 'ab'.repeat(32),
      payment_details: [
        { key: 'last_4_digits', value: '4242' },
        { key: 'card_validity_month', value: '12' },
        { key: 'card_validity_year', value: '34' },
      ],
    },
  ],
};

/** One place for the form, whatever the page's rules do to everything else: what differs then is the form's own. */
const PLACE = `html { font: 16px/1.5 sans-serif } .x { display: block; box-sizing: border-box; width: 400px; margin: 20px; padding: 0 }
.x > #florin-payment-container { display: block }`;

async function open(css: string, config = 'displaySave: true'): Promise<void> {
  const { vault_url, key } = keysOf(w);
  const html = elementPage({
    vault_url,
    config: `publicapikey: '${key}', ${config}`,
    body: '<div class="x"><div id="florin-payment-container"></div></div>',
    head: `<style>${css}\n${PLACE}</style>`,
  });
  await page.goto(stage.set(html));
  await page.waitForSelector(READY);
}

function styleOf(part: string, property: string): Promise<unknown> {
  const form = `document.getElementById('florin-payment-form')`;
  const found = `(${form}.shadowRoot ?? ${form}).querySelector('${part}')`;
  return page.evaluate(`getComputedStyle(${found}).getPropertyValue('${property}')`);
}

/** Where every part stands within the form, how large it is, and what is painted. */
const LOOKS = `(() => {
  const form = document.getElementById('florin-payment-form');
  const origin = form.getBoundingClientRect();
  const tree = form.shadowRoot ?? form;
  const parts = [...tree.querySelectorAll('[class^="florin-"]:not(.florin-error), input'), form.querySelector('iframe')];
  return parts.filter((part) => part.getClientRects().length > 0).map((part) => {
    const { x, y, width, height } = part.getBoundingClientRect();
    const { display, appearance, color, backgroundColor, borderTopWidth, borderRadius, cursor, fontWeight } = getComputedStyle(part);
    const at = [x - origin.x, y - origin.y, width, height].map((pixels) => Math.round(pixels));
    return [part.className || part.tagName, ...at, display, appearance, color, backgroundColor, borderTopWidth, borderRadius, cursor, fontWeight].join(' ');
  });
})()`;

describe.each(rowsOf(RULES, 1))('with %s', (_, css) => {
  test.each([
    ['a new card', 'displaySave: true'],
    ['a saved card', `displaySave: true, paymentmethods: ${JSON.stringify(SAVED)}`],
  ])('%s: every part looks as in a bare page', async (__, config) => {
    await open('', config);
    const bare = await page.evaluate<string[]>(LOOKS);
    await open(css, config);
    // the frame has its height a moment after it is ready
    await expect.poll(() => page.evaluate<string[]>(LOOKS)).toEqual(bare);
    expect(await violationsIn(page)).toEqual([]);
  });

  test('button, save text and box can be seen and used, and the card pays', async () => {
    await open(css);
    const frame = await fieldsOf(page);
    const label = page.locator('.florin-save');
    const box = page.getByRole('checkbox', { name: 'Save this card for my next purchases', exact: true });
    const button = page.getByRole('button', { name: 'Pay' });
    const sizes = await Promise.all([label, box, button].map((part) => part.boundingBox()));
    const [words = 0, ...others] = sizes.map((size) => Math.round(size?.height ?? 0));
    expect(others).toEqual([18, 48]);
    // a line and two lines that explain it
    expect(words).toBeGreaterThanOrEqual(55);
    expect(words).toBeLessThan(75);
    expect(await styleOf('.florin-pay', 'background-color')).toBe('rgb(11, 93, 87)');
    await type(frame, GOOD);
    await label.click();
    await button.click();
    await page.waitForSelector('[data-state="done"]');
    expect(await page.evaluate('window.payment.tokenType')).toBe('recurring');
  });

  test('the page restyles it by variables and by parts, without !important', async () => {
    const own = `.x { --florin-color-accent: #123456; --florin-radius: 3px }
      #florin-payment-form::part(pay) { text-transform: uppercase; min-height: 60px }
      #florin-payment-form::part(save) { color: rgb(1, 2, 3) }`;
    await open(`${css}\n${own}`);
    expect(await styleOf('.florin-pay', 'background-color')).toBe('rgb(18, 52, 86)');
    expect(await styleOf('.florin-pay', 'border-radius')).toBe('3px');
    expect(await styleOf('.florin-pay', 'text-transform')).toBe('uppercase');
    expect(await styleOf('.florin-pay', 'min-height')).toBe('60px');
    expect(await styleOf('.florin-save', 'color')).toBe('rgb(1, 2, 3)');
  });
});

test('a browser without style sheets made by script loads the same one as a file', async () => {
  await page.addInitScript('delete CSSStyleSheet.prototype.replaceSync');
  await open('.x * { all: unset }');
  const ground = () => styleOf('.florin-pay', 'background-color');
  await expect.poll(ground).toBe('rgb(11, 93, 87)');
});

test('the form ends where its container ends: nothing of it is painted beyond', async () => {
  await open('');
  const beyond = `(() => {
    const outer = document.getElementById('florin-payment-container').getBoundingClientRect();
    return [...document.querySelectorAll('#florin-payment-container iframe')].map((frame) => {
      const inner = frame.getBoundingClientRect();
      return [outer.left - inner.left, inner.right - outer.right, outer.top - inner.top];
    });
  })()`;
  expect(await page.evaluate(beyond)).toEqual([[0, 0, 0]]);
});

test.each([
  ['dark', '#10161c'],
  ['light', '#ffffff'],
])('on a %s ground (%s) the save box is of that kind too, whatever the machine prefers', async (theme, ground) => {
  await page.emulateMedia({ colorScheme: theme === 'dark' ? 'light' : 'dark' });
  const { vault_url, key } = keysOf(w);
  const head = `<style>body { background: ${ground} }</style>`;
  await page.goto(stage.set(elementPage({ vault_url, head, config: `publicapikey: '${key}', displaySave: true` })));
  await page.waitForSelector(READY);
  expect(await styleOf('.florin-save input', 'color-scheme')).toBe(theme);
});

test('the marks of the schemes cover nothing of the placeholder at 390 px', async () => {
  await page.setViewportSize({ width: 390, height: 800 });
  await open('.x { width: auto !important }');
  const frame = await fieldsOf(page);
  const overlap = `(() => {
    const input = document.getElementById('number');
    const pen = document.createElement('canvas').getContext('2d');
    pen.font = getComputedStyle(input).font;
    const box = input.getBoundingClientRect();
    const ends = box.left + parseFloat(getComputedStyle(input).paddingLeft) + pen.measureText(input.placeholder).width;
    return [...document.querySelectorAll('#marks img')].filter((mark) => {
      const { left, top, bottom } = mark.getBoundingClientRect();
      return left < ends && bottom > box.top && top < box.bottom;
    }).length;
  })()`;
  for (const font of ['16px', '20px']) {
    await page.evaluate(`document.querySelector('.x').style.setProperty('--florin-font-size', '${font}')`);
    await expect.poll(() => frame.evaluate(`getComputedStyle(document.body).fontSize`)).toBe(font);
    const shown = `[...document.querySelectorAll("#marks img")].filter((mark) => mark.offsetWidth > 0).length`;
    expect(await frame.evaluate(shown)).toBe(4);
    expect([font, await frame.evaluate(overlap)]).toEqual([font, 0]);
  }
});

test('an error never cuts a field: what grows waits until the frame has grown', async () => {
  await page.setViewportSize({ width: 390, height: 800 });
  await open('', 'displayCardHolder: true');
  const frame = await fieldsOf(page);
  await expect.poll(() => frame.evaluate('innerHeight > 200')).toBe(true);
  // every picture that is painted, and every change between two
  await frame.evaluate(`(() => {
    window.cut = 0;
    const fields = document.getElementById('fields');
    const look = () => { window.cut = Math.max(window.cut, fields.getBoundingClientRect().height - innerHeight) };
    const paint = () => { look(); requestAnimationFrame(paint) };
    requestAnimationFrame(paint);
  })()`);
  const before = Number(await frame.evaluate('innerHeight'));
  await page.locator('.florin-pay').click();
  await frame.waitForSelector('#number[aria-invalid]');
  await type(frame, { number: '4000002500001001' });
  await frame.getByRole('radio', { name: 'Cartes Bancaires' }).waitFor();
  await page.locator('.florin-pay').click();
  await frame.waitForSelector('#expiry[aria-invalid]');
  expect(Number(await frame.evaluate('innerHeight'))).toBeGreaterThan(before);
  expect(Number(await frame.evaluate('window.cut'))).toBeLessThan(1);
});
