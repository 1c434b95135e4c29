// Notifications as a developer of a merchant works with them: an endpoint with the secret of an older receiver,
// switched on again after it said that it was gone, and a long range sent again. FLORIN_TEST_SHOTS names a folder for
// pictures, and asks for a phone's too.
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { firstOwner } from '../backoffice/person.ts';
import { openBrowser } from '../browser/browser.ts';
import { badRequest } from '../browser/watch.ts';
import { type World, world } from '../world.ts';
import { type Seat, SHOTS, looked, signIn, takeSeat, words } from './seat.ts';

let w: World;
let browser: Browser;
beforeAll(async () => {
  [w, browser] = await Promise.all([world({ FLORIN_NOTIFICATION_PRIVATE_TARGETS: 'yes' }), openBrowser()]);
  await firstOwner(w);
});
afterAll(async () => {
  await browser.close();
  await w[Symbol.asyncDispose]();
});

/** Of an endpoint, to be sent again: nobody listens at its address, so they wait for ever. */
const MANY = `
  INSERT INTO payment.notifications (id, merchant_account_id, endpoint_id, subject_id, event, sequence, facts, body, state, created_at, next_at, due_at)
  SELECT payment.new_id(payment.now(), 1), e.merchant_account_id, e.id, payment.new_id(payment.now(), 1), 'capture_successful', 1, 'null', '{}', $2, payment.now(), payment.now(), payment.now()
  FROM payment.endpoints e, generate_series(1, 10500) WHERE e.url = $1 AND e.state = 'on'`;

describe.each(SHOTS === undefined ? [1280] : [1280, 390])('at %i px', (width) => {
  const url = `http://127.0.0.1:9/of-${width}`;
  let seat: Seat;
  beforeAll(async () => {
    seat = await takeSeat(w, browser, { width });
    await seat.open('/notifications', 'Sign in');
    await signIn(seat);
  });
  afterAll(() => seat.context.close());

  const looksWell = (name: string) => looked(seat, `notifications-${name}`, { width });
  const panel = () => seat.page.locator('section, .panel').filter({ hasText: url }).last();

  test('an endpoint goes on with a secret that its receiver has', async () => {
    const { page } = seat;
    await page.getByRole('button', { name: 'Add an endpoint' }).click();
    await page.getByLabel('Address').fill(url);
    await page.getByLabel('A secret you already use').fill('short');
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByText('Must be a text of 8 to 128 characters').waitFor();
    await looksWell('secret-refused');
    await page.getByLabel('A secret you already use').fill(`the-old-secret-${width}`);
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByText('This is the only time it is shown').waitFor();
    expect(await words(seat, '.secret code')).toBe(`the-old-secret-${width}`);
    await page.getByRole('button', { name: 'I have copied it' }).click();
  });

  test('the secret of an endpoint is changed without an overlap', async () => {
    const { page } = seat;
    await panel().getByRole('button', { name: 'Rotate the secret' }).click();
    await page.getByRole('combobox', { name: 'Both are valid for' }).click();
    await page.getByRole('option', { name: 'The old one stops working now' }).click();
    await looksWell('rotate');
    await page.getByRole('button', { name: 'Make a new secret' }).click();
    await page.getByText('This is the only time it is shown').waitFor();
    await expect.poll(() => words(seat, '.secret code')).toMatch(/^whsec_/);
    const [row] = await w.sql<{ over: boolean }>(
      'SELECT old_secret_until <= payment.now() AS over FROM payment.endpoints WHERE url = $1',
      [url],
    );
    expect(row).toEqual({ over: true });
    await page.getByRole('button', { name: 'I have copied it' }).click();
  });

  test('an endpoint is switched on again after its receiver was gone', async () => {
    const { page } = seat;
    await w.sql(`UPDATE payment.endpoints SET state = 'off', failing_since = payment.now() WHERE url = $1`, [url]);
    await page.reload();
    await panel().getByText('Off', { exact: true }).waitFor();
    const again = panel().getByRole('button', { name: 'Turn on again' });
    await again.scrollIntoViewIfNeeded();
    await looksWell('off');
    await again.click();
    await looksWell('switch-on');
    await page.getByRole('button', { name: 'Switch on', exact: true }).click();
    await page.getByText('The endpoint is switched on').waitFor();
    await panel().getByText('Operational', { exact: true }).waitFor();
    expect(await panel().getByRole('button', { name: 'Turn on again' }).count()).toBe(0);
  });

  test('a long range is sent again to its end, with a count', async () => {
    const { page } = seat;
    await w.sql(MANY, [url, 'parked']);
    await page.getByRole('tab', { name: 'Delivery log' }).click();
    await chooseRange(seat, url);
    await looksWell('range');
    const ask = await heldBack(seat);
    await page.getByRole('button', { name: 'Send again' }).click();
    await page.getByText('0 are sent again so far').waitFor();
    ask.next();
    await page.getByText('10,000 are sent again so far').waitFor();
    await looksWell('range-runs');
    ask.next();
    await page.getByText('10,500 are sent again.').waitFor();
    await looksWell('range-done');
    await page.getByRole('button', { name: 'Close', exact: true }).last().click();
    await ask.end();
  });

  test('a range of delivered ones is stopped between two pieces', async () => {
    const { page } = seat;
    await w.sql(MANY, [url, 'delivered']);
    await chooseRange(seat, url);
    await page.getByRole('combobox', { name: 'Which' }).click();
    await page.getByRole('option', { name: 'Delivered before' }).click();
    const ask = await heldBack(seat);
    await page.getByRole('button', { name: 'Send again' }).click();
    await page.getByText('0 are sent again so far').waitFor();
    await page.getByRole('button', { name: 'Stop' }).click();
    ask.next();
    await page.getByText('Stopped: 10,000 are sent again, and no more.').waitFor();
    await looksWell('range-stopped');
    expect(ask.asked()).toBe(1);
    await ask.end();
    await page.getByRole('button', { name: 'Close', exact: true }).last().click();
    await expect.poll(() => seat.wrongs()).toEqual([badRequest('/api/notifications/endpoints')]);
  });
});

async function chooseRange({ page }: Seat, url: string): Promise<void> {
  await page.getByRole('button', { name: 'Replay a range' }).click();
  await page.getByRole('combobox', { name: 'Endpoint', exact: true }).click();
  await page.getByRole('option', { name: url }).click();
  const today = new Date();
  const day = (after: number) => new Date(today.getTime() + after * 86_400_000).toISOString().slice(0, 10);
  await page.getByLabel('From').fill(day(-2));
  await page.getByLabel('To (inclusive)').fill(day(2));
}

/** Every piece that is asked for waits until it is let go. */
async function heldBack({ page }: Seat) {
  const gates: (() => void)[] = [];
  let let_go = 0;
  let asked = 0;
  const path = '**/api/notifications/replay';
  await page.route(path, async (route) => {
    asked++;
    if (let_go > 0) let_go--;
    else await new Promise<void>((resolve) => gates.push(resolve));
    await route.continue();
  });
  return {
    next: () => {
      const gate = gates.shift();
      if (gate) gate();
      else let_go++;
    },
    asked: () => asked,
    end: () => page.unroute(path),
  };
}
