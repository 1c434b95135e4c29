// More operations in doubt than a page shows, as after an outage: the page says so, and shows first what waits for a
// person.
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Browser } from 'playwright-core';
import { firstOwner } from '../backoffice/person.ts';
import { openBrowser } from '../browser/browser.ts';
import { populate } from '../search/population.ts';
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

test('the page says that there are more, leads to them, and shows first what a person may have to settle', async () => {
  const owner = await firstOwner(w);
  const merchant_account_id = w.account;
  const to_s = Date.now() / 1000 - 60;
  await populate(w.sql, { merchant_account_id, orders: 210, from_s: to_s - 3600, to_s });
  // no order goes back by itself to what was not known
  await w.sql('SET session_replication_role = replica');
  await w.sql(
    `UPDATE payment.operations SET state = 'in_doubt', due_at = now() + interval '1 hour' WHERE kind = 'authorize'`,
  );
  const [newest] = await w.sql<{ id: string }>(
    `UPDATE payment.operations
     SET state = 'review'
     WHERE id = (SELECT id FROM payment.operations WHERE kind = 'authorize' ORDER BY created_at DESC LIMIT 1)
     RETURNING encode(id, 'hex') AS id`,
  );
  await w.sql('SET session_replication_role = origin');
  const list = await owner.get('/api/in-doubt');
  const operations = list.at('operations') as readonly { readonly operation_id: string }[];
  expect([operations.length, list.at('more'), operations[0]?.operation_id]).toEqual([200, true, newest?.id]);
  const ada = await takeSeat(w, browser);
  await ada.open('/', 'Sign in');
  await signIn(ada);
  await ada.page.goto(`${w.service.addresses.backoffice_url}/in-doubt`);
  await settled(ada);
  await ada.page.getByRole('link', { name: 'orders with an unknown outcome' }).click();
  await expect.poll(() => new URL(ada.page.url()).search).toBe('?in_doubt=true');
  await settled(ada);
  await expect.poll(() => ada.page.getByRole('row').count()).toBeGreaterThan(10);
});
