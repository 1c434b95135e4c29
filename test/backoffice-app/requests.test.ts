// The page Requests in a real browser: rows, one opened, a filter, and what the check says.
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { firstOwner } from '../backoffice/person.ts';
import { openBrowser } from '../browser/browser.ts';
import { until } from '../client.ts';
import { rowOf, rowsOf } from '../request-log/played.ts';
import { type World, world } from '../world.ts';
import { looked, seated } from './seat.ts';

// A page takes a moment; on a machine with much else to do, many.
let w: World;
let browser: Browser;
beforeAll(async () => {
  [w, browser] = await Promise.all([world(), openBrowser()]);
  await firstOwner(w);
  await w.shop.pay({}, { colour: 'red' });
  await w.shop.api('/payment/checkout', { body: { type: 'letter' } });
  await rowOf(w, await w.shop.api('/payment/order'));
  await until(async () => ((await rowsOf(w)).length >= 3 ? true : undefined));
});
afterAll(async () => {
  await browser.close();
  await w[Symbol.asyncDispose]();
});

describe.each([
  { width: 1280, scheme: 'light' },
  { width: 390, scheme: 'dark' },
] as const)('at $width px, $scheme', (view) => {
  test('requests are listed, filtered and opened, and the check is read, without a flaw', async () => {
    const seat = await seated(w, browser, view);
    const { page } = seat;
    await seat.open('/requests', 'Requests');
    await looked(seat, 'requests', view);
    await page.goto('/requests?status=4xx');
    await page.getByRole('button', { name: 'POST /payment/checkout' }).click();
    await page.getByText('a required parameter is missing').first().waitFor();
    await looked(seat, 'request', view);
    await page.keyboard.press('Escape');
    expect(await page.getByRole('button', { name: 'POST /payment/order' }).count()).toBe(0);
    await page.getByRole('tab', { name: 'Check' }).click();
    await page.getByRole('heading', { name: 'Ignored fields' }).waitFor();
    await looked(seat, 'check', view);
    await page.getByRole('button', { name: 'Show an example' }).last().click();
    await page.getByRole('button', { name: 'POST /payment/order' }).waitFor();
    expect(seat.wrongs()).toEqual([]);
    await seat.context.close();
  });
});
