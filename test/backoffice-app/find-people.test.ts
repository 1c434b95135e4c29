// The search box of the orders page takes the beginning of a name or an address, and says when too many people match.
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Person } from '../backoffice/person.ts';
import { textAt } from '../client.ts';
import type { World } from '../world.ts';
import { type Seat, flaws, ownersSeat, settled, words } from './seat.ts';

let w: World;
let owner: Person;
let ada: Seat;
let leave: () => Promise<void>;
beforeAll(async () => {
  ({ w, owner, ada, leave } = await ownersSeat('/orders'));
});
afterAll(() => leave());

test('typing the beginning of a name shows the orders of that person', async () => {
  const { page } = ada;
  const payer = { customer_email: 'noemie.martin@shop.example', customer_first_name: 'Noémie' };
  const order_id = textAt(await w.shop.pay({}, { ...payer, order_merchant_id: 'order-of-noemie' }), 'order_id');
  await w.shop.pay({}, { customer_email: 'someone@shop.example', order_merchant_id: 'order-of-another' });
  for (const typed of ['noemie', 'Noémie', 'mart']) {
    await ada.open('/orders', 'Orders');
    await page.getByText('order-of-another').waitFor();
    await page.getByLabel('Search orders').fill(typed);
    await page.getByText('order-of-another').waitFor({ state: 'detached' });
    await settled(ada);
    expect([typed, await words(ada, '.orders tbody')]).toEqual([typed, expect.stringContaining('order-of-noemie')]);
  }
  expect((await owner.get('/api/orders?search=noemie')).at('orders.0.id')).toBe(order_id);
  await page.getByLabel('Search orders').fill('nobody');
  await page.getByText('the beginning of a name or e-mail').waitFor();
  expect(ada.wrongs()).toEqual([]);
});

test('if too many people match, the page says so, and no file is made that lacks orders', async () => {
  const { page } = ada;
  for (let n = 0; n < 21; n++) await w.shop.pay({}, { customer_email: `many${n}@shop.example` });
  await page.getByLabel('Search orders').fill('many');
  await page.getByText('Too many people match: type more letters').waitFor();
  expect(await flaws(ada)).toEqual([]);
  // of the people who are left out one may have such an order
  await page.getByRole('button', { name: 'Refunded' }).click();
  await page.locator('.orders').waitFor({ state: 'detached' });
  await page.getByText('Too many people match').waitFor();
  await page.getByRole('button', { name: 'Export' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Export' }).click();
  await dialog.getByText('search matches too many people: type more letters').waitFor();
  await page.keyboard.press('Escape');
  expect((await owner.get('/api/orders/export?search=many20')).status).toBe(200);
  await page.getByLabel('Search orders').fill('many20');
  await page.getByText('Too many people match').waitFor({ state: 'detached' });
});
