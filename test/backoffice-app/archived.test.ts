// An order whose calls were archived says so on its page, in place of looking as if there had been none.
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Browser } from 'playwright-core';
import { firstOwner } from '../backoffice/person.ts';
import { openBrowser } from '../browser/browser.ts';
import { textAt } from '../client.ts';
import { type World, world } from '../world.ts';
import { settled, signIn, takeSeat } from './seat.ts';

let w: World;
let browser: Browser;
beforeAll(async () => {
  [w, browser] = await Promise.all([world(), openBrowser()]);
});
afterAll(async () => {
  await browser.close();
  await w[Symbol.asyncDispose]();
});

test('the page of the order names the file', async () => {
  await firstOwner(w);
  const order_id = textAt(await w.shop.pay(), 'order_id');
  await w.shop.decided(order_id);
  await w.sql(
    `INSERT INTO payment.archives (part, low, high, state, file, row_count, sha256, dropped_at)
     SELECT 'observations_x', id, decode(repeat('f', 24), 'hex'), 'dropped', 'observations_x.1.jsonl.gz', 1, sha256(''), now()
     FROM payment.transactions WHERE order_id = decode($1, 'hex')`,
    [order_id],
  );
  const ada = await takeSeat(w, browser);
  await ada.open('/', 'Sign in');
  await signIn(ada);
  await ada.page.goto(`${w.service.addresses.backoffice_url}/orders/${order_id}`);
  await settled(ada);
  const said = ada.page.getByText(/Calls and answers of this order are in the archive observations_x\.1\.jsonl\.gz/);
  await expect.poll(() => said.count()).toBe(1);
});
