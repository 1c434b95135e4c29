// A card by telephone, in a real browser: it is typed into the vault's frame, and the back office never has a digit of
// it.
import type { Browser, Route } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Person, firstOwner, invited } from '../backoffice/person.ts';
import { openBrowser } from '../browser/browser.ts';
import { badRequest } from '../browser/watch.ts';
import { type World, world } from '../world.ts';
import { type Seat, flaws, settled, shoot, signIn, takeSeat } from './seat.ts';

const CARD = '4242424242424242';

let w: World;
let browser: Browser;
let owner: Person;
beforeAll(async () => {
  [w, browser] = await Promise.all([world(), openBrowser()]);
  owner = await firstOwner(w);
});
afterAll(async () => {
  await browser.close();
  await w[Symbol.asyncDispose]();
});

async function atDesk(view: Parameters<typeof takeSeat>[2] = {}): Promise<Seat> {
  const seat = await takeSeat(w, browser, view);
  await seat.page.goto('/telephone');
  await signIn(seat);
  await seat.open('/telephone', 'Card by telephone');
  await seat.page.frameLocator('iframe').getByLabel('Card number').waitFor();
  return seat;
}

async function fill({ page }: Seat, reference: string, card: string): Promise<void> {
  await page.getByLabel('Amount').fill('12.50');
  await page.getByLabel('Reference').fill(reference);
  const fields = page.frameLocator('iframe');
  await fields.getByLabel('Card number').fill(card);
  await fields.getByLabel('Expiry').fill('12/34');
  await fields.getByLabel('Security code').fill('123');
}

test('the payment is taken with the channel moto, with the reason in the audit, and no digit reaches the back office', async () => {
  const seat = await atDesk();
  const { page } = seat;
  const sent: string[] = [];
  page.on('request', (request) => {
    if (new URL(request.url()).origin === new URL(w.service.addresses.backoffice_url).origin)
      sent.push(`${request.url()} ${request.postData() ?? ''}`);
  });
  await fill(seat, 'phone-1', CARD);
  const take = page.getByRole('button', { name: 'Take the payment' });
  await take.click();
  await page.getByText('Is required', { exact: true }).waitFor();
  await page.getByLabel('Reason').fill('ordered by telephone');
  expect(await flaws(seat)).toEqual([]);
  await shoot(seat, 'telephone-filled');
  await take.click();
  await page.getByRole('heading', { level: 1, name: 'phone-1' }).waitFor();
  await settled(seat);
  const order_id = new URL(page.url()).pathname.split('/').at(-1) ?? '';
  const order = await w.shop.read(order_id);
  expect([order.at('order.status') ?? order.at('status'), order.text.includes('"payment_channel":"moto"')]).toEqual([
    'capture_successful',
    true,
  ]);
  const audit = (await owner.get('/api/audit')).text;
  expect(audit).toMatch(/"action":"card taken by telephone"[^}]*/);
  expect(audit).toContain('ordered by telephone');
  expect(sent.join().match(/\/api\/telephone/g)?.length).toBeGreaterThan(0);
  expect(sent.filter((line) => line.replaceAll(/\D/g, '').includes(CARD.slice(6)))).toEqual([]);
  expect(await page.evaluate('document.documentElement.innerHTML')).not.toContain(CARD);
  // the vault's frame is asked of the vault; the one refusal is the form that was sent without a reason
  const others = () => seat.wrongs().filter((line) => !line.startsWith(w.service.addresses.vault_url));
  await expect.poll(others).toEqual([badRequest('/api/telephone')]);
  await seat.context.close();
});

test('whose answer was lost is not taken again, whatever is answered to its repeats, and never for what was typed before', async () => {
  const seat = await atDesk();
  const { page } = seat;
  await fill(seat, 'phone-lost', CARD);
  await page.getByLabel('Reason').fill('ordered by telephone');
  const take = page.getByRole('button', { name: 'Take the payment' });
  const answers: ((route: Route) => Promise<void>)[] = [
    // it is taken, and nobody hears of it
    async (route) => {
      await route.fetch();
      await route.abort('connectionreset');
    },
    (route) => route.fulfill({ status: 429, json: { title: 'Too many requests', status: 429 } }),
    (route) => route.continue(),
    (route) => route.continue(),
  ];
  const asked: number[] = [];
  await page.route('**/api/telephone', (route) => {
    if (route.request().method() !== 'POST') return route.continue();
    asked.push(1);
    return answers[asked.length - 1]?.(route);
  });
  const press = async (times: number) => {
    await take.click();
    await expect.poll(() => [asked.length, answers.length]).toEqual([times, 4]);
    await page.getByRole('button', { name: 'Take the payment', disabled: false }).waitFor();
  };
  await press(1);
  await press(2);
  // another amount under the key of the first: the server says that it was used
  await page.getByLabel('Amount').fill('99.00');
  await press(3);
  await page.getByText(/used with another body/).waitFor();
  await page.getByLabel('Amount').fill('12.50');
  await take.click();
  await page.getByRole('heading', { level: 1, name: 'phone-lost' }).waitFor();
  const rows = await w.sql<{ amount: string }>(
    `SELECT amount_minor::text AS amount FROM payment.orders WHERE order_merchant_id = 'phone-lost'`,
  );
  expect(rows).toEqual([{ amount: '1250' }]);
  await seat.context.close();
});

test('who has lost an answer and the form is warned before the same reference is paid again, and shown the order', async () => {
  const desk = async () => {
    const seat = await atDesk();
    await fill(seat, 'phone-twice', CARD);
    await seat.page.getByLabel('Reason').fill('ordered by telephone');
    return seat;
  };
  const paid = () => w.sql(`SELECT status FROM payment.orders WHERE order_merchant_id = 'phone-twice'`);
  const first = await desk();
  // it is taken, and nobody hears of it: then the session ends, and the form goes with it
  const taken = new Promise<void>((done) => {
    void first.page.route('**/api/telephone', async (route) => {
      await route.fetch();
      done();
      await route.abort('connectionreset');
    });
  });
  await first.page.getByRole('button', { name: 'Take the payment' }).click();
  await taken;
  await first.context.close();
  await expect.poll(paid).toEqual([{ status: 'capture_successful' }]);
  const { page, context } = await desk();
  const take = page.getByRole('button', { name: 'Take the payment' });
  await take.click();
  await page.getByText('There is an order with this reference already').waitFor();
  const link = await page.getByRole('link', { name: 'Look at that order' }).getAttribute('href');
  const [order = { id: '' }] = await w.sql<{ id: string }>(
    `SELECT encode(id, 'hex') AS id FROM payment.orders WHERE order_merchant_id = 'phone-twice'`,
  );
  expect(link).toBe(`/orders/${order.id}`);
  expect(await paid()).toHaveLength(1);
  await page.getByLabel('Take another payment for it all the same').check();
  await page.frameLocator('iframe').getByLabel('Security code').fill('123');
  await take.click();
  await page.getByRole('heading', { level: 1, name: 'phone-twice' }).waitFor();
  expect(await paid()).toHaveLength(2);
  await context.close();
});

test('the page is accessible in every look, and says what is wrong with a card beside it', async () => {
  for (const width of [1280, 390] as const)
    for (const scheme of ['light', 'dark'] as const) {
      const seat = await atDesk({ width, scheme });
      await fill(seat, 'phone-2', '4242424242424241');
      await seat.page.getByLabel('Reference').click();
      await seat.page.frameLocator('iframe').locator('.error:not(:empty)').first().waitFor();
      expect(await flaws(seat)).toEqual([]);
      await shoot(seat, `telephone-${width}-${scheme}`);
      await seat.context.close();
    }
});

test('only the back office may frame the fields of its key, and without a contract for moto the page says so', async () => {
  const desk = await owner.get('/api/telephone');
  const frame = await fetch(`${w.service.addresses.vault_url}/fields/en/${desk.say('key')}`);
  const policy = frame.headers.get('content-security-policy') ?? '';
  expect(policy).toContain(`frame-ancestors 'self' ${w.service.addresses.backoffice_url};`);
  const reader = await invited(w, owner, 'reader');
  expect((await reader.get('/api/telephone')).status).toBe(403);
  const bad = await owner.post('/api/telephone', { amount: '1.001', currency: 'EUR', reason: 'x' });
  expect(bad.status).toBe(400);
  for (const name of ['token', 'order_merchant_id', 'operation_type', 'reason'])
    expect(bad.text).toContain(`"${name}"`);
  // what is told on the telephone is typed into the nearest field
  const [order_merchant_id, order_description] = [`phone ${CARD}`, 'paid with 4242 4242 4242 4242, 12/34'];
  const customer_email = `${CARD}@shop.example`;
  const typed = {
    token: 'a'.repeat(64),
    amount: '1',
    currency: 'EUR',
    operation_type: 'authorize',
    reason: 'by phone',
  };
  const spilt = await owner.post('/api/telephone', { ...typed, order_merchant_id, order_description, customer_email });
  expect(spilt.status).toBe(400);
  const { errors } = JSON.parse(spilt.text) as { errors: readonly { field: string }[] };
  expect(errors.map(({ field }) => field)).toEqual(['order_merchant_id', 'order_description', 'customer_email']);
  expect(spilt.text).not.toMatch(/4242 ?4242/);
  await w.sql(`UPDATE payment.contracts SET channels = ARRAY['e-commerce']`);
  expect((await owner.get('/api/telephone')).at('possible')).toBe(false);
  const seat = await takeSeat(w, browser);
  await seat.page.goto('/telephone');
  await signIn(seat);
  await seat.page.getByText('No contract takes cards by telephone').waitFor();
  expect(await flaws(seat)).toEqual([]);
  await seat.context.close();
});
