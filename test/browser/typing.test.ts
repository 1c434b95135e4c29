// The form as a payer meets it: what typing, pasting and the keyboard do, what is said when something is
// wrong, in every language and direction.
import { readFileSync } from 'node:fs';
import type { Browser, BrowserContextOptions, Frame, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, afterEach, describe, expect, test } from 'vitest';
import { rowsOf } from '../sizes.ts';
import { type World, world } from '../world.ts';
import { openBrowser } from './browser.ts';
import { GOOD, READY, type Stage, compose, elementPage, fieldsOf, keysOf, openStage, type } from './stage.ts';
import { violationsIn } from './watch.ts';

let w: World;
let browser: Browser;
let stage: Stage;
let page: Page;
let frame: Frame;
beforeAll(async () => {
  [w, browser, stage] = await Promise.all([world(), openBrowser(), openStage()]);
});
afterAll(async () => {
  await browser.close();
  await stage[Symbol.asyncDispose]();
  await w[Symbol.asyncDispose]();
});

async function open(config = '', lang = 'en', head = ''): Promise<void> {
  const { vault_url, key } = keysOf(w);
  await page.goto(stage.set(elementPage({ vault_url, lang, head, config: `publicapikey: '${key}', ${config}` })));
  frame = await fieldsOf(page);
  await page.waitForSelector(READY);
}

const value = (field: string) => frame.locator(`#${field}`).inputValue();
/** An error is shown when the frame has room for it. */
const errorOf = (field: string) => frame.locator(`#${field}-error`).textContent();
const caret = () => frame.evaluate(`document.getElementById('number').selectionStart`);
const putCaret = (at: number) => frame.evaluate(`document.getElementById('number').setSelectionRange(${at}, ${at})`);
/** From the clipboard, as a payer does. */
async function paste(field: string, text: string): Promise<void> {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.evaluate(`navigator.clipboard.writeText(${JSON.stringify(text)})`);
  await frame.locator(`#${field}`).focus();
  await page.keyboard.press('Control+V');
}
const newPage = async (options: BrowserContextOptions = {}) => (await browser.newContext(options)).newPage();

describe('in the number', () => {
  beforeEach(async () => {
    page = await newPage();
    await open();
  });
  afterEach(() => page.context().close());

  test.each([
    ['4242424242424242', '4242 4242 4242 4242', 'Visa'],
    ['378282246310005', '3782 822463 10005', 'American Express'],
    ['30123456789019', '3012 345678 9019', 'Diners Club'],
    ['6205500000000000004', '6205 5000 0000 0000 004', 'UnionPay'],
  ])('%s is grouped as on the card, with the scheme’s mark', async (number, shown, scheme) => {
    await type(frame, { number });
    expect(await value('number')).toBe(shown);
    expect(await frame.evaluate(`[...document.querySelectorAll('#marks img')].map((image) => image.alt)`)).toEqual([
      scheme,
    ]);
  });

  test('the caret stays where the payer works', async () => {
    await type(frame, { number: '42424242424242' });
    await putCaret(6);
    await page.keyboard.type('9');
    expect([await value('number'), await caret()]).toEqual(['4242 4924 2424 242', 7]);
    await page.keyboard.press('Backspace');
    expect([await value('number'), await caret()]).toEqual(['4242 4242 4242 42', 6]);
    // behind a space backspace takes the digit before it
    await putCaret(5);
    await page.keyboard.press('Backspace');
    expect(await value('number')).toBe('4244 2424 2424 2');
    expect(await caret()).toBe(3);
  });

  test.each([
    ['number', '4242-4242-4242-4242', '4242 4242 4242 4242'],
    ['number', ' 4242 4242 4242 4242\n', '4242 4242 4242 4242'],
    ['number', '٤٢٤٢٤٢٤٢٤٢٤٢٤٢٤٢', '4242 4242 4242 4242'],
    ['number', 'Your card number: 4242.4242.4242.4242', '4242 4242 4242 4242'],
    ['number', '4 2 4 2 4 2 4 2 4 2 4 2 4 2 4 2', '4242 4242 4242 4242'],
    ['expiry', 'Expiry date: 12/2034', '12 / 34'],
    ['code', ' 123', '123'],
    ['code', 'CVC: 123\n', '123'],
  ])('whatever is pasted into %s, the digits remain: %j', async (field, pasted, shown) => {
    await paste(field, pasted);
    expect(await value(field)).toBe(shown);
  });

  test('a digit too many is not taken into the code, wherever it is typed', async () => {
    await type(frame, GOOD);
    await frame.locator('#code').press('ArrowLeft');
    await page.keyboard.type('9');
    expect(await value('code')).toBe('123');
  });

  test.each([
    ['number', '４２４２４２４２４２４２４２４２', '4242 4242 4242 4242'],
    ['expiry', '１２３４', '12 / 34'],
    ['code', '１２３', '123'],
  ])('in %s an input method writes %s once', async (field, text, shown) => {
    await frame.locator(`#${field}`).focus();
    await compose(page, text);
    expect(await value(field)).toBe(shown);
  });

  test('what is not a digit is not taken', async () => {
    await type(frame, { number: '42a4-2x' });
    expect(await value('number')).toBe('4242');
  });
});

describe('the expiry takes', () => {
  beforeAll(async () => {
    page = await newPage();
    await open();
  });
  afterAll(() => page.context().close());

  test.each(['1/30', '0130', '01 / 2030', '01/30', '1 30', '2030-01', '01.30'])('%s', async (typed) => {
    await frame.locator('#expiry').fill('');
    // pasted whole, then typed key by key
    await frame.locator('#expiry').fill(typed);
    await frame.locator('#code').focus();
    expect(await value('expiry')).toBe('01 / 30');
    if (typed.includes('-')) return;
    await frame.locator('#expiry').fill('');
    await type(frame, { expiry: typed });
    await frame.locator('#code').focus();
    expect(await value('expiry')).toBe('01 / 30');
  });

  test('and lets everything be deleted', async () => {
    await frame.locator('#expiry').fill('');
    await type(frame, { expiry: '1230' });
    for (let times = 0; times < 8; times++) await page.keyboard.press('Backspace');
    expect(await value('expiry')).toBe('');
  });

  test.each([
    ['12/20', 'This card has expired.'],
    ['13/30', 'The month must be 01 to 12.'],
    ['12', 'The expiry date is incomplete.'],
  ])('%s is wrong, and says why', async (typed, says) => {
    await frame.locator('#expiry').fill(typed === '13/30' ? '13/30' : '');
    if (typed !== '13/30') await type(frame, { expiry: typed });
    await frame.locator('#number').focus();
    await expect.poll(() => errorOf('expiry')).toBe(says);
  });
});

describe('errors', () => {
  beforeEach(async () => {
    page = await newPage();
    await open();
  });
  afterEach(() => page.context().close());

  test('appear when a field is left, are its description, and go while it is corrected', async () => {
    await type(frame, { number: '4242424242424241' });
    expect(await errorOf('number')).toBe('');
    await frame.locator('#expiry').focus();
    await expect.poll(() => errorOf('number')).toBe('The card number is not right. Check it, please.');
    const input = frame.locator('#number');
    expect(await input.getAttribute('aria-invalid')).toBe('true');
    expect(await input.getAttribute('aria-describedby')).toBe('number-error');
    expect(await frame.locator('#number-error').getAttribute('aria-live')).toBe('polite');
    expect(await violationsIn(page)).toEqual([]);
    await input.focus();
    await page.keyboard.press('End');
    await page.keyboard.press('Backspace');
    expect(await errorOf('number')).toBe('');
    expect(await input.getAttribute('aria-invalid')).toBeNull();
  });

  test('on paying, every missing field says so, and the first one has the focus', async () => {
    await page.locator('.florin-pay').click();
    await frame.waitForSelector('#number[aria-invalid]');
    const errors = () => Promise.all(['number', 'expiry', 'code', 'holder'].map(errorOf));
    await expect
      .poll(errors)
      .toEqual(['Enter the card number.', 'Enter the expiry date.', 'Enter the 3 digits of the security code.', '']);
    expect(await frame.evaluate('document.activeElement.id')).toBe('number');
    expect(await page.evaluate('document.activeElement.tagName')).toBe('IFRAME');
  });

  test('an amex asks for four digits on the front', async () => {
    await type(frame, { number: '378282246310005', expiry: '12/34', code: '123' });
    expect(await frame.locator('#code-hint').textContent()).toBe('4 digits on the front of the card');
    await frame.locator('#number').focus();
    await expect.poll(() => errorOf('code')).toBe('Enter the 4 digits of the security code.');
  });

  test('a maestro needs no code; a scheme the shop does not take is told', async () => {
    await type(frame, { number: '6759649826438453', expiry: '12/34' });
    await page.locator('.florin-pay').click();
    await page.waitForSelector('[data-state="done"]');
    await open(`paymentmethods: [{ name: 'visa', component_type: 'card' }]`);
    await type(frame, { number: '6759649826438453' });
    await frame.locator('#expiry').focus();
    await expect.poll(() => errorOf('number')).toBe('This kind of card is not accepted here.');
  });

  test('what only the vault finds wrong stands beside its field', async () => {
    await page.route('**/token', (route) =>
      route.fulfill({
        status: 400,
        contentType: 'application/problem+json',
        body: '{"result":{"code":"240021"},"errors":[{"field":"card_number","code":"240021"}]}',
      }),
    );
    await type(frame, GOOD);
    await page.locator('.florin-pay').click();
    await frame.waitForSelector('#number[aria-invalid]');
    await expect.poll(() => errorOf('number')).toBe('This card number is not accepted. Check it, please.');
    expect(await page.locator('.florin-error').textContent()).toBe('');
    // the same number again is refused without asking; another one is tried
    await page.unroute('**/token');
    await frame.locator('#number').fill('');
    await type(frame, { number: '5555555555554444' });
    await page.locator('.florin-pay').click();
    await page.waitForSelector('[data-state="done"]');
  });
});

test('browsers and password managers know every field', async () => {
  page = await newPage();
  await open('displayCardHolder: true');
  const inputs = await frame.evaluate(
    `[...document.querySelectorAll('#fields input')].map((input) => [input.id, input.autocomplete, input.inputMode, input.labels[0].textContent])`,
  );
  expect(inputs).toEqual([
    ['number', 'cc-number', 'numeric', 'Card number'],
    ['expiry', 'cc-exp', 'numeric', 'Expiry date'],
    ['code', 'cc-csc', 'numeric', 'Security code'],
    ['holder', 'cc-name', '', 'Name on card'],
  ]);
  await page.context().close();
});

test('the form is filled in by keyboard alone: fields in order, save box, then pay; Enter in a field pays too', async () => {
  page = await newPage();
  await open('displaySave: true, displayCardHolder: true');
  const place = async () => {
    const inner = '(document.activeElement.shadowRoot?.activeElement ?? document.activeElement)';
    const outside = String(await page.evaluate(`${inner}.className || ${inner}.tagName`));
    return outside === 'IFRAME' ? String(await frame.evaluate('document.activeElement.id')) : outside;
  };
  // the focus goes from one process to another, so it is there a moment later
  const reach = async (key: string, there: string) => {
    await page.keyboard.press(key);
    await expect.poll(place).toBe(there);
  };
  for (const [name, typed = ''] of Object.entries({ ...GOOD, holder: 'Ada Martin' })) {
    await reach('Tab', name);
    await page.keyboard.type(typed);
  }
  await reach('Tab', 'INPUT');
  await page.keyboard.press('Space');
  await reach('Tab', 'florin-pay');
  await reach('Shift+Tab', 'INPUT');
  await reach('Shift+Tab', 'holder');
  await page.keyboard.press('Enter');
  await page.waitForSelector('[data-state="done"]');
  expect(JSON.parse(String(await page.evaluate('JSON.stringify(window.payment)')))).toMatchObject({
    tokenType: 'recurring',
  });
  await page.context().close();
});

describe('languages', () => {
  const FOLDER = new URL('../../web/elements/texts/', import.meta.url);
  type Texts = { readonly inside: Record<string, string>; readonly outside: Record<string, unknown> };
  const textsOf = (language: string): Texts => JSON.parse(readFileSync(new URL(`${language}.json`, FOLDER), 'utf8'));

  const LOCALES = [
    ['fr_FR', 'fr', 'ltr'],
    ['ar', 'ar', 'rtl'],
    ['fil_PH', 'en', 'ltr'],
    ['pl-PL', 'pl', 'ltr'],
    ['sv_SV', 'sv', 'ltr'],
    ['da_DK', 'da', 'ltr'],
    ['fi_FI', 'fi', 'ltr'],
    ['el-GR', 'el', 'ltr'],
    ['ja_JP', 'en', 'ltr'],
  ] as const;
  test.each(rowsOf(LOCALES, 3))(
    'locale %s is %s, %s, inside the frame and outside',
    async (locale, language, direction) => {
      page = await newPage();
      await open(`locale: '${locale}', displaySave: true`, language);
      expect(await frame.evaluate('[document.documentElement.lang, document.documentElement.dir]')).toEqual([
        language,
        direction,
      ]);
      const texts = textsOf(language);
      expect(await frame.locator('label[for="number"]').textContent()).toBe(texts.inside['number']);
      expect(await page.locator('.florin-pay').textContent()).toBe(texts.outside['pay']);
      expect(await page.locator('#florin-payment-form').getAttribute('dir')).toBe(direction);
      expect(await violationsIn(page)).toEqual([]);
      await page.context().close();
    },
  );
});

test('the form in Arabic stands on the right; digits and caret run from left to right, a name as its letters do', async () => {
  page = await newPage();
  await open(`locale: 'ar', displayCardHolder: true`, 'ar');
  const runs = (field: string) =>
    frame.evaluate(`(() => {
      const { direction, textAlign } = getComputedStyle(document.getElementById('${field}'));
      return direction + ' on the ' + textAlign;
    })()`);
  await type(frame, { ...GOOD, holder: 'J. Martin Jr.' });
  for (const field of ['number', 'expiry', 'code', 'holder']) expect(await runs(field)).toBe('ltr on the right');
  await frame.locator('#holder').fill('أحمد محمود');
  expect(await runs('holder')).toBe('rtl on the right');
  await frame.locator('#number').press('End');
  for (let times = 0; times < 3; times++) await frame.locator('#number').press('ArrowLeft');
  expect(await caret()).toBe('4242 4242 4242 4242'.length - 3);
  const [marks, number] = await Promise.all(['#marks', '#number'].map((part) => frame.locator(part).boundingBox()));
  expect((marks?.x ?? 0) + (marks?.width ?? 0)).toBeLessThan((number?.x ?? 0) + (number?.width ?? 0) / 2);
  await page.context().close();
});

describe('looks', () => {
  test('a page sets variables, and the fields follow; what could fetch something is left out', async () => {
    page = await newPage();
    const head = `<style>#florin-payment-container { --florin-color-accent: rgb(200, 0, 90); --florin-radius: 3px; --florin-font-size: 20px; --florin-color-field: url(//evil.example/x.png); --florin-color-line: image-set('x.png' 1x) }</style>`;
    await open('', 'en', head);
    const style = (property: string) =>
      frame.evaluate(`getComputedStyle(document.getElementById('number')).${property}`);
    expect([await style('borderRadius'), await style('fontSize')]).toEqual(['3px', '20px']);
    expect(await frame.evaluate(`document.documentElement.style.cssText`)).not.toContain('url');
    await page.evaluate(
      `document.getElementById('florin-payment-container').style.setProperty('--florin-radius', '11px'); document.body.className = 'changed'`,
    );
    await expect.poll(() => style('borderRadius')).toBe('11px');
    await page.context().close();
  });

  test('on a dark page the fields are dark, also when it turns dark later', async () => {
    page = await newPage();
    const theme = () => frame.evaluate('document.documentElement.dataset.theme');
    await open('', 'en', '<meta name="color-scheme" content="light dark">');
    expect(await theme()).toBe('light');
    await page.emulateMedia({ colorScheme: 'dark' });
    await expect.poll(theme).toBe('dark');
    await page.context().close();
  });

  test('what is said in place of the fields can be read on a dark page, too', async () => {
    page = await newPage();
    const head = '<style>body { background: #10161c; color: #eeeeee }</style>';
    const { vault_url, key } = keysOf(w);
    const config = `publicapikey: '${key}', paymentmethods: { payment_methods_available: [] }`;
    await page.goto(stage.set(elementPage({ vault_url, head, config })));
    await page.waitForSelector('.florin-error:not(:empty)');
    expect(await violationsIn(page)).toEqual([]);
    await page.context().close();
  });

  test('at 320 pixels, as at 400 % zoom, nothing is cut off', async () => {
    page = await newPage({ viewport: { width: 320, height: 640 } });
    await open('displaySave: true, displayCardHolder: true');
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(320);
    expect(await frame.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
    expect(
      await frame.evaluate('document.getElementById("fields").getBoundingClientRect().height <= innerHeight + 1'),
    ).toBe(true);
    await page.context().close();
  });

  test('with reduced motion nothing moves', async () => {
    page = await newPage({ reducedMotion: 'reduce' });
    await open();
    const form = `document.getElementById('florin-payment-form')`;
    await page.evaluate(`${form}.dataset.state = 'loading'`);
    expect(await page.evaluate(`${form}.shadowRoot.getAnimations().length`)).toBe(0);
    await page.emulateMedia({ reducedMotion: 'no-preference' });
    expect(await page.evaluate(`${form}.shadowRoot.getAnimations().length`)).toBe(1);
    await page.context().close();
  });
});
