// Payment links in the back office, in a real browser: made, shared, paid by a payer, paused and ended; in every look.
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Person, firstOwner, invited } from '../backoffice/person.ts';
import { openBrowser } from '../browser/browser.ts';
import { violationsIn } from '../browser/watch.ts';
import { nonceIn, open, pay, sendForm } from '../hosted-page/payer.ts';
import { type World, world } from '../world.ts';
import { type Seat, VIEWS, flaws, seated, settled, shoot, signIn, takeSeat, words } from './seat.ts';

let w: World;
let browser: Browser;
let owner: Person;
let ada: Seat;
let path = '';
beforeAll(async () => {
  [w, browser] = await Promise.all([world(), openBrowser()]);
  owner = await firstOwner(w);
  ada = await takeSeat(w, browser);
  await ada.page.goto('/links');
  await signIn(ada);
});
afterAll(async () => {
  await browser.close();
  await w[Symbol.asyncDispose]();
});

test('a person makes a link, which says beside each field what is wrong, and has its address and QR code to share', async () => {
  const { page } = ada;
  await ada.open('/links', 'Payment links');
  await page.getByText('No links yet').waitFor();
  expect(await flaws(ada)).toEqual([]);
  await page.getByRole('button', { name: 'New link' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('Many payments').click();
  await dialog.getByText('The payer says the amount').click();
  await dialog.getByLabel('Reference').fill('stand');
  await dialog.getByLabel('At least').fill('5');
  await dialog.getByRole('button', { name: 'Create link' }).click();
  await dialog.getByText('Is required where no amount is fixed').waitFor();
  expect(await flaws(ada)).toEqual([]);
  await shoot(ada, 'link-new');
  await dialog.getByLabel('At most').fill('20');
  await dialog.getByLabel('Description').fill('Jam and honey');
  await dialog.getByRole('button', { name: 'Create link' }).click();
  await page.getByRole('heading', { level: 1, name: 'stand' }).waitFor();
  path = new URL(page.url()).pathname;
  await page.getByText('No payments by this link yet').waitFor();
  await page.getByRole('img', { name: 'QR code of the link stand' }).waitFor();
  const picture = await page.getByRole('link', { name: 'QR code as SVG' }).getAttribute('href');
  expect(picture).toMatch(/^data:image\/svg\+xml,/);
});

test('payments by a link are listed, and every page of links is accessible in every look', async () => {
  const url = await words(ada, '.secret code');
  const sent = await sendForm(url, { nonce: nonceIn(await open(url)), amount: '7,50' });
  await pay(w.shop, new URL(sent.location ?? '', url).href.replace('?sent', ''));
  for (const view of VIEWS) {
    const seat = await seated(w, browser, view);
    await seat.open(path, 'stand');
    await seat.page.getByRole('link', { name: 'stand-1' }).waitFor();
    await settled(seat);
    await shoot(seat, `link-${view.width}-${view.scheme}`);
    expect(await flaws(seat)).toEqual([]);
    await seat.open('/links', 'Payment links');
    await seat.page.getByRole('link', { name: 'stand' }).waitFor();
    await shoot(seat, `links-${view.width}-${view.scheme}`);
    expect(await flaws(seat)).toEqual([]);
    expect(seat.wrongs()).toEqual([]);
    await seat.page.goto(url);
    await shoot(seat, `payer-${view.width}-${view.scheme}`);
    expect(await violationsIn(seat.page)).toEqual([]);
    await seat.page.getByLabel('Amount').fill('1000');
    await seat.page.getByRole('button', { name: 'Continue to payment' }).click();
    await seat.page.getByRole('alert').waitFor();
    expect(await violationsIn(seat.page)).toEqual([]);
    await shoot(seat, `payer-wrong-${view.width}-${view.scheme}`);
    await seat.context.close();
  }
});

test('a link is paused, opened again and ended, each with a record of who did it; a reader is offered none of this', async () => {
  const { page } = ada;
  await ada.open(path, 'stand');
  await page.getByRole('button', { name: 'Pause' }).click();
  await page.getByRole('button', { name: 'Open again' }).click();
  await page.getByRole('button', { name: 'End' }).click();
  await page.getByRole('button', { name: 'End it' }).click();
  await page.locator('.facts .tag', { hasText: 'Ended' }).waitFor();
  expect(await page.getByRole('button', { name: 'Pause' }).count()).toBe(0);
  const audit = (await owner.get('/api/audit')).text;
  expect(audit.match(/"action":"payment link changed"/g)).toHaveLength(3);
  expect(audit.match(/"action":"payment link created"/g)).toHaveLength(1);
  const reader = await invited(w, owner, 'reader');
  const id = path.split('/').at(-1);
  expect((await reader.post('/api/links', {})).status).toBe(403);
  expect((await reader.post(`/api/links/${id}`, { status: 'active' })).status).toBe(403);
  expect((await reader.get(`/api/links/${id}`)).status).toBe(200);
  expect((await owner.post(`/api/links/${id}`, { status: 'active' })).status).toBe(409);
});
