// The back office's web app as people use it, against the real service: signing in, finding an order, moving money with
// the keyboard alone, changing settings, making keys.
import { readFile } from 'node:fs/promises';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { PASSWORD, Person, invited } from '../backoffice/person.ts';
import { openBrowser } from '../browser/browser.ts';
import { badRequest } from '../browser/watch.ts';
import { until } from '../client.ts';
import { totpCode, totpStep } from '../../src/kit/person/totp.ts';
import { type World, world } from '../world.ts';
import { type Seat, flaws, settled, signIn, takeSeat, words } from './seat.ts';
import { fromBase32 } from '../base32.ts';

let w: World;
let browser: Browser;
let ada: Seat;
beforeAll(async () => {
  [w, browser] = await Promise.all([world(), openBrowser()]);
  ada = await takeSeat(w, browser);
});
afterAll(async () => {
  await browser.close();
  await w[Symbol.asyncDispose]();
});

const firstPath = () => `/${w.service.first_link?.split('/').slice(3).join('/') ?? ''}`;

test('the page of a link names everything that is missing at once, also where the passwords do not match', async () => {
  const seat = await takeSeat(w, browser);
  const { page } = seat;
  await seat.open(firstPath(), 'Set up your back office');
  await page.getByRole('button', { name: 'Create account' }).click();
  const required = page.getByText('Is required');
  await expect.poll(() => required.count(), { message: 'name, e-mail and password' }).toBe(3);
  expect(await flaws(seat)).toEqual([]);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Create account' }).click();
  await page.getByText('The passwords do not match').waitFor();
  expect(await required.count(), 'name and e-mail').toBe(2);
  expect(seat.wrongs()).toEqual([badRequest(`/api${firstPath()}`)]);
  await seat.context.close();
});

test('the first link makes the owner, who is in; it works once, and says so the second time', async () => {
  const { page } = ada;
  const path = firstPath();
  await ada.open(path, 'Set up your back office');
  expect(await flaws(ada)).toEqual([]);
  await page.getByLabel('Your name').fill('Ada Marchand');
  await page.getByLabel('E-mail').fill('ada@shop.example');
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByLabel('Confirm password').fill('another one altogether');
  await page.getByRole('button', { name: 'Create account' }).click();
  await page.getByText('The passwords do not match').waitFor();
  await page.getByLabel('Confirm password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Create account' }).click();
  await page.getByRole('heading', { name: 'Overview' }).waitFor();
  await page.getByText('No payments yet').waitFor();
  expect(ada.wrongs()).toEqual([]);

  const late = await takeSeat(w, browser);
  await late.open(path, 'This link does not work');
  await late.context.close();
});

test('a person signs in and arrives at the page that they wanted; a lost session asks again at the same place', async () => {
  const seat = await takeSeat(w, browser);
  await seat.open('/orders?status=capture_successful', 'Sign in');
  await seat.page.getByLabel('E-mail').fill('ada@shop.example');
  await seat.page.getByLabel('Password', { exact: true }).fill('not the password at all');
  await seat.page.getByRole('button', { name: 'Sign in' }).click();
  await seat.page.getByRole('alert').waitFor();
  await signIn(seat);
  expect(new URL(seat.page.url()).search).toBe('?status=capture_successful');
  await seat.page.getByRole('heading', { name: 'Orders' }).waitFor();
  await seat.context.clearCookies();
  await seat.page.getByRole('button', { name: 'Refunded' }).click();
  await seat.page.getByRole('heading', { name: 'Sign in' }).waitFor();
  await signIn(seat);
  expect(new URL(seat.page.url()).search).toBe('?outcome=refunded');
  await seat.context.close();
});

/** An authorized order, and the page of it. */
async function authorized(amount: string, reference: string): Promise<string> {
  const fields = { amount, order_merchant_id: reference, operation_type: 'authorize', customer_id: 'grace' };
  const reply = await w.shop.pay({}, fields);
  const order_id = reply.at('order_id');
  if (typeof order_id !== 'string') throw new Error(`no order: ${reply.text}`);
  await w.shop.decided(order_id);
  return order_id;
}

async function captured(order_id: string): Promise<unknown> {
  return (await w.shop.decided(order_id)).at('transactions.0.captured_amount');
}

describe('an order', () => {
  test('is found by its reference from anywhere with the keyboard, captured in part and refunded without a mouse', async () => {
    const { page } = ada;
    const order_id = await authorized('120.00', 'cart-keyboard');
    await ada.open('/orders', 'Orders');
    await settled(ada);
    await page.keyboard.press('/');
    await page.keyboard.type('cart-keyboard');
    await page.waitForURL(/search=cart-keyboard/);
    await page.locator('.orders tbody tr').first().getByText('cart-keyboard').waitFor();
    await page.locator('main').focus();
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/orders/${order_id}`);
    await page.getByText('Can be captured').waitFor();
    expect(await flaws(ada)).toEqual([]);

    // more than is left is refused before anybody is asked
    const asked: string[] = [];
    page.on('request', (request) => void (request.method() === 'POST' && asked.push(request.url())));
    await page.keyboard.press('c');
    const amount = page.getByLabel('Amount');
    await amount.waitFor();
    await page.locator('[role=dialog] input:focus').waitFor();
    await page.keyboard.press('Control+a');
    await page.keyboard.type('120.01');
    await page.keyboard.press('Enter');
    await page.getByText('At most 120.00 EUR is left').waitFor();
    expect(await page.getByRole('dialog').getByRole('button', { name: 'Capture', exact: true }).isDisabled()).toBe(
      true,
    );
    expect(await flaws(ada)).toEqual([]);

    await amount.focus();
    await page.keyboard.press('Control+a');
    await page.keyboard.type('50.00');
    await page.keyboard.press('Enter');
    await page.getByText('Give a short reason').waitFor();
    expect(asked).toEqual([]);
    await page.getByLabel('Reason').focus();
    await page.keyboard.type('First parcel sent');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.getByText('Payment captured').waitFor();
    expect(await captured(order_id)).toBe(50);
    await until(async () => ((await words(ada, '.money-box')).includes('Captured 50.00 EUR') ? true : undefined));
    expect(await words(ada, '.order-next')).toMatch(/^Next: capture the rest, if it is due/);

    await page.keyboard.press('r');
    await page.getByLabel('Amount').waitFor();
    // a dialog takes the keyboard a moment after it is there
    await page.locator('[role=dialog] input:focus').waitFor();
    await page.getByLabel('Reason').focus();
    await page.keyboard.type('The parcel was lost');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.getByText('Payment refunded').waitFor();
    expect((await w.shop.decided(order_id)).at('transactions.0.refunded_amount')).toBe(50);
    await expect.poll(() => words(ada, '.timeline')).toMatch(/parcel was lost/i);
    expect(ada.wrongs()).toEqual([]);
  });

  test('shows what the bank was sent and what it answered beside each other, laid out, once somebody unfolds it', async () => {
    const { page } = ada;
    const order_id = await authorized('31.00', 'cart-answer');
    await ada.open(`/orders/${order_id}`);
    await settled(ada);
    // what happened is told once; what went to the provider for it lies folded below
    expect((await page.locator('.timeline > li').allInnerTexts()).map((text) => text.split('\n')[0])).toEqual([
      'Authorized31.00\u00a0EUR',
    ]);
    const call = page.locator('.timeline .calls li').filter({ hasText: 'Answer: authorize approved' });
    await page.getByText('Provider calls').click();
    expect(await call.getByLabel('Response, HTTP 200').isVisible()).toBe(false);
    await call.getByText('Request and response').click();
    expect(await call.getByLabel('Request').innerText()).toContain('"[card.number]"');
    expect(await call.getByLabel('Response, HTTP 200').innerText()).toMatch(
      /\n {2}"status": "approved",\n {2}"amount": 3100,/,
    );
    expect(await flaws(ada)).toEqual([]);
  });

  test('shows the others of its customer, a receipt to print, and its raw data folded and last', async () => {
    const { page } = ada;
    const order_id = await authorized('32.00', 'cart-receipt');
    await ada.open(`/orders/${order_id}`);
    await settled(ada);
    await page.locator('.related').getByRole('link', { name: 'cart-answer' }).waitFor();
    expect(await page.locator('.related').first().innerText()).not.toContain('cart-receipt');
    await expect
      .poll(() => words(ada, '.order-next'))
      .toMatch(/^Next: capture the payment, or cancel the authorization/);
    expect(await words(ada, '.order-columns > :first-child > :last-child')).toBe(
      'Raw data Current API response Your request',
    );
    await page.getByRole('button', { name: 'Receipt' }).click();
    await page.locator('.receipt').waitFor();
    await expect
      .poll(() => words(ada, '.receipt'))
      // with the zone: whoever reads the paper elsewhere has to know whose clock it was
      .toMatch(
        /^Demo shop 32\.00 EUR Reserved, not charged yet Order cart-receipt Date \d+ \w+ \d{4} at \d\d:\d\d (?:CET|CEST|GMT\+[12]) /,
      );
    expect(await flaws(ada)).toEqual([]);
    await page.emulateMedia({ media: 'print' });
    expect(await page.locator('.receipt').isVisible()).toBe(true);
    expect(await page.locator('.shell').isVisible()).toBe(false);
    await page.emulateMedia({ media: 'screen' });
    await page.keyboard.press('Escape');
  });

  test('is looked for in vain: what was searched stays, and one click shows all again', async () => {
    await ada.open('/orders?search=no-such-order', 'Orders');
    await ada.page.getByText('No orders match').waitFor();
    expect(await ada.page.getByLabel('Search orders').inputValue()).toBe('no-such-order');
    await ada.page.getByRole('button', { name: 'Show all orders' }).click();
    await ada.page.locator('.orders tbody tr').first().waitFor();
    expect(await flaws(ada)).toEqual([]);
  });

  test('that cannot be loaded says so, and is loaded by trying again', async () => {
    const { page } = ada;
    await page.route('**/api/orders?*', (route) => route.abort());
    await ada.open('/orders?currency=EUR', 'Orders');
    await page.getByText('No connection').waitFor();
    await page.unroute('**/api/orders?*');
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.locator('.orders tbody tr').first().waitFor();
  });

  test('goes with its list into a file that holds every row', async () => {
    const { page } = ada;
    await ada.open('/orders', 'Orders');
    await page.getByRole('button', { name: 'Export' }).click();
    const coming = page.waitForEvent('download');
    await page.getByRole('dialog').getByRole('button', { name: 'Export' }).click();
    const file = await readFile(await (await coming).path(), 'utf8');
    expect(file).toContain('cart-keyboard');
    await page.getByText(/rows, .* saved/).waitFor();
    await page.getByRole('button', { name: 'Close' }).last().click();
  });
});

test('a key is shown once, works, and stops when it is revoked with a reason', async () => {
  const { page } = ada;
  await ada.open('/keys', 'API keys');
  await page.getByRole('button', { name: 'New key' }).click();
  await page.getByLabel('Name').fill('Warehouse');
  await page.getByRole('button', { name: 'Create key' }).click();
  await page.getByText('This is the only time it is shown').waitFor();
  const text = await words(ada, '.secret code');
  const shop = w.client({ ...w.keys, private_key: text });
  expect((await shop.api('/payment/order', { method: 'GET' })).status).toBe(200);
  await page.getByRole('button', { name: 'I have copied it' }).click();
  expect(await page.content()).not.toContain(text);
  await page.getByRole('button', { name: 'Actions for Warehouse' }).click();
  await page.getByRole('menuitem', { name: 'Revoke' }).click();
  await page.getByLabel('Reason').fill('The warehouse closed');
  await page.getByRole('button', { name: 'Revoke now' }).click();
  await page.getByText('Key revoked').waitFor();
  const status = await until(async () => {
    const answer = await shop.api('/payment/order', { method: 'GET' });
    return answer.status === 403 ? answer.status : undefined;
  });
  expect(status).toBe(403);
});

test('a setting says what it does, warns of what it costs, and shows the hosted page before it is saved', async () => {
  const { page } = ada;
  await ada.open('/integration', 'Integration');
  await page.getByLabel('Name', { exact: true }).fill('Chez Ada');
  await page.locator('.preview .pv-merchant', { hasText: 'Chez Ada' }).waitFor();
  await page.getByRole('switch', { name: 'Card inputs in your own page (old element)' }).click({ force: true });
  await page.getByText('This widens your PCI DSS scope').waitFor();
  await page.getByText('2 settings changed').waitFor();
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Settings saved').waitFor();
  const settings = await page.evaluate<{ settings: { page_name: string; page_inputs: boolean } }>(
    'fetch("/api/settings").then((answer) => answer.json())',
  );
  expect(settings.settings).toMatchObject({ page_name: 'Chez Ada', page_inputs: true });
  // colours are shown as they will be, by day and by night, and a pair that cannot be read is told before and refused
  // after
  const panel = () => page.evaluate<string>(`getComputedStyle(document.querySelector('.pv-panel')).backgroundColor`);
  await page.getByLabel('Your side').fill('#f4efe4');
  await expect.poll(panel).toBe('rgb(244, 239, 228)');
  await page.getByText('Dark', { exact: true }).click();
  await expect.poll(panel).not.toBe('rgb(244, 239, 228)');
  await page.getByLabel('Text on it').fill('#dddddd');
  await page.getByText('Cannot be read: contrast').waitFor();
  await page.getByLabel('Terms link').fill('https://shop.example/terms');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('cannot be read on its ground').waitFor();
  await page.getByLabel('Text on it').fill('');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('settings changed').waitFor({ state: 'detached' });
});

test('a reader sees orders and may move nothing; what is not theirs is not offered', async () => {
  const owner = new Person(w);
  await owner.logIn('ada@shop.example');
  await invited(w, owner, 'reader', 'rita@shop.example');
  const seat = await takeSeat(w, browser);
  await seat.open('/orders', 'Sign in');
  await signIn(seat, 'rita@shop.example');
  await seat.page.getByText('cart-keyboard').first().click();
  const capture = seat.page.getByRole('button', { name: 'Capture', exact: true });
  await capture.waitFor();
  expect(await capture.getAttribute('aria-disabled')).toBe('true');
  await seat.page.keyboard.press('c');
  expect(await seat.page.getByRole('dialog').count()).toBe(0);
  expect(await seat.page.getByRole('link', { name: 'Audit log' }).count()).toBe(0);
  await seat.context.close();
});

test('a second factor is set up by its picture, asked for at the next login, and a recovery code stands in for it', async () => {
  const owner = new Person(w);
  await owner.logIn('ada@shop.example');
  await invited(w, owner, 'developer', 'dev@shop.example');
  const seat = await takeSeat(w, browser);
  const { page } = seat;
  await seat.open('/me', 'Sign in');
  await signIn(seat, 'dev@shop.example');
  await page.getByRole('button', { name: 'Turn on' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Your password').fill(PASSWORD);
  await dialog.getByRole('button', { name: 'Continue' }).click();
  await dialog.getByRole('img', { name: /QR code/ }).waitFor();
  expect(await flaws(seat)).toEqual([]);
  expect(await sixInARow(seat)).toBe(true);
  const secret = fromBase32(await words(seat, '[role=dialog] .secret code'));
  await typeCode(seat, secret);
  await dialog.getByRole('button', { name: 'Turn on' }).click();
  await dialog.getByText('Keep these codes').waitFor();
  const recovery = (await words(seat, '.codes')).split(' ')[0] ?? '';
  await dialog.getByRole('button', { name: 'I have saved them' }).click();
  await page.locator('.switcher').last().click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await page.getByLabel('E-mail').fill('dev@shop.example');
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { name: 'Two-factor authentication' }).waitFor();
  expect(await flaws(seat)).toEqual([]);
  expect(await sixInARow(seat)).toBe(true);
  await page.getByRole('button', { name: 'Use a recovery code instead' }).click();
  await page.getByLabel('Recovery code').fill(recovery);
  await page.getByRole('button', { name: 'Verify' }).click();
  await page.getByText('9 recovery codes are left').waitFor();
  expect(seat.wrongs()).toEqual([]);
  await seat.context.close();
});

/** The boxes of a code stand side by side: each begins to the right of the one before, at the same height. */
async function sixInARow({ page }: Seat): Promise<boolean> {
  const boxes = await page.locator('.mantine-PinInput-input').all();
  const places = await Promise.all(boxes.map((box) => box.boundingBox()));
  return (
    places.length === 6 &&
    places.every((place, i) => {
      const before = places[i - 1];
      return place && (i === 0 || (before && place.y === before.y && place.x >= before.x + before.width));
    })
  );
}

async function typeCode({ page }: Seat, secret: Buffer): Promise<void> {
  const [row] = await w.sql<{ seconds: number }>('SELECT extract(epoch FROM clock_timestamp())::float8 AS seconds');
  const code = totpCode(secret, totpStep(row?.seconds ?? 0));
  await page.getByRole('dialog').getByRole('textbox', { name: 'Digit 1 of 6' }).focus();
  await page.keyboard.type(code);
}

test('the document lets nothing in from elsewhere, its files may be kept for ever, and an unknown route of the API stays 404', async () => {
  const base = w.service.addresses.backoffice_url;
  const document = await fetch(`${base}/orders/anything`);
  const policy = document.headers.get('content-security-policy') ?? '';
  expect(policy).toContain("default-src 'none'");
  expect(policy).toContain("frame-ancestors 'none'");
  // but the vault's frame of card fields, for cards by telephone
  const vault = new URL(w.service.addresses.vault_url).origin;
  const named = policy.split('; ').flatMap((one) => (/https?:/.test(one) ? [one] : []));
  expect(named).toEqual([`frame-src 'self' ${vault}`]);
  expect(policy).not.toMatch(/unsafe|\*/);
  expect(document.headers.get('cache-control')).toBe('no-store');
  const script = /src="(\/app\/[\w.-]+\.js)"/.exec(await document.text())?.[1] ?? '';
  const file = await fetch(base + script);
  expect(file.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
  expect(file.headers.get('content-encoding')).toBe('gzip');
  const unknown = await fetch(`${base}/api/no/such/route`);
  expect([unknown.status, unknown.headers.get('content-type')?.split(';')[0]]).toEqual([
    404,
    'application/problem+json',
  ]);
  expect((await fetch(`${base}/app/no-such-file.js`)).status).toBe(404);
});
