// Fees of a contract as a person states them, a rule that chooses by what is left after them, and limits of schemes
// that are old.
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { hourNow, learner } from '../../src/payment/routing/learn/learn.ts';
import { replaceCounts } from '../../src/payment/routing/learn/outcomes-store.ts';
import { type Person, firstOwner } from '../backoffice/person.ts';
import { openBrowser } from '../browser/browser.ts';
import { badRequest } from '../browser/watch.ts';
import { accountOf } from '../risk/till.ts';
import { type World, world } from '../world.ts';
import { VIEWS, looked, seated, takeSeat } from './seat.ts';

let w: World;
let browser: Browser;
let owner: Person;
beforeAll(async () => {
  [w, browser] = await Promise.all([world(), openBrowser()]);
  owner = await firstOwner(w);
  // the app is built for its first visitor
  const first = await takeSeat(w, browser);
  await first.open('/', 'Sign in');
  await first.context.close();
}, 120_000);
afterAll(async () => {
  await browser.close();
  await w[Symbol.asyncDispose]();
});

test('fees are stated by keyboard, what is wrong stands at its field, and the contract shows what holds', async () => {
  const [view] = VIEWS;
  const seat = await seated(w, browser, view);
  const { page } = seat;
  await seat.open('/providers', 'Providers');
  const contract = page.locator('section', { has: page.getByRole('heading', { name: 'simulator', exact: true }) });
  await contract.getByText('Not stated').waitFor();
  await contract.getByRole('button', { name: 'Fees' }).focus();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox', { name: 'Currency' }).fill('eur');
  await dialog.getByLabel('Percent of the amount').fill('1,4');
  await dialog.getByLabel('Fixed, each approved payment').fill('0.255');
  await dialog.getByRole('button', { name: 'Add a row' }).click();
  await dialog.getByLabel('Percent of the amount').nth(1).fill('3');
  await dialog.getByLabel('Reason').fill('as signed');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.getByText('Has more decimals than the currency allows').waitFor();
  await looked(seat, 'fees-form', view);
  await dialog.getByLabel('Fixed, each approved payment').first().fill('0.25');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.waitFor({ state: 'hidden' });
  await contract.getByText('EUR: 1.4 % + 0.25 EUR').waitFor();
  await contract.getByText('Every payment: 3 %').waitFor();
  await expect.poll(() => seat.wrongs()).toEqual([badRequest('/api/providers/:id/fees')]);
  await seat.context.close();
});

test('a rule by value is made in the form, refused in words while fees are missing, and shows what is left in every look', async () => {
  const [view] = VIEWS;
  const seat = await seated(w, browser, view);
  const { page } = seat;
  const dialog = page.getByRole('dialog');
  await seat.open('/routing', 'Routing');
  await page.getByRole('button', { name: 'Add a rule' }).click();
  await dialog.getByLabel('Name').fill('by value');
  await dialog.getByText('Best of', { exact: true }).click();
  await dialog.getByText('What is left after fees', { exact: true }).click();
  await dialog.getByLabel('Your margin').fill('20 %');
  await looked(seat, 'by-value-form', view);
  await dialog.getByRole('button', { name: 'Save draft' }).click();
  await page.getByText('Best of simulator, simulator_b by what is left after fees').first().waitFor();
  await page.getByRole('button', { name: 'Publish', exact: true }).click();
  await dialog.getByLabel('Reason').fill('cheaper');
  await dialog.getByRole('button', { name: 'Publish' }).click();
  await page.getByText('has no fees', { exact: false }).first().waitFor();
  const providers = await owner.get('/api/providers');
  const [a = '', b = ''] = [0, 1].map((i) => {
    const id = providers.at(`contracts.${i}.id`);
    return typeof id === 'string' ? id : '';
  });
  await owner.post(`/api/providers/${b}/fees`, { fees: [{ currency: 'EUR', percent: '0.9' }], reason: 'as signed' });
  await owner.post(`/api/providers/${b}/fees`, {
    fees: [{ percent: '8' }],
    from: '2099-01-01',
    reason: 'as signed for later',
  });
  await dialog.getByRole('button', { name: 'Publish' }).click();
  await page.getByText('Version 1 is active').waitFor();

  const { tools } = w.service;
  const hour = hourNow(tools) - 100;
  const of = { hour, rule: 'by value', since: 1, tried: 3000, amount_minor: 3000 * 4000 };
  await replaceCounts(
    tools.db.tenant(await accountOf(w)),
    hour,
    ['EUR visa payer', 'USD visa payer'].flatMap((cell) => [
      { ...of, cell, contract_id: a, controlled: true, approved: 2610 },
      { ...of, cell, contract_id: a, controlled: false, approved: 2610 },
      { ...of, cell, contract_id: b, controlled: false, approved: 2580 },
    ]),
  );
  const nothing = async () => undefined;
  await learner(tools, { stopped: nothing, compared: nothing })();
  for (const one of VIEWS) {
    const other = await seated(w, browser, one);
    await other.open('/providers', 'Providers');
    await other.page.getByText('EUR: 0.9 %').waitFor();
    await other.page.getByText('From 1 Jan 2099 on', { exact: false }).waitFor();
    await looked(other, 'providers-fees', one);
    await other.page.getByRole('button', { name: 'Fees' }).first().click();
    await other.page.getByRole('dialog').getByRole('button', { name: 'Remove EUR' }).waitFor();
    await looked(other, 'fees-form', one);
    await other.page.keyboard.press('Escape');
    await other.open('/routing', 'Routing');
    await other.page.getByRole('tab', { name: 'Where payments went' }).click();
    await other.page.getByText('Fees of a contract are not stated for USD visa payer.').waitFor();
    await looked(other, 'learnt-by-value', one);
    expect(other.wrongs()).toEqual([]);
    await other.context.close();
  }
  await seat.context.close();
});

test('limits of card schemes that are old are said on the page Retries', async () => {
  for (const view of [VIEWS[0], VIEWS[3]]) {
    const seat = await seated(w, browser, view);
    await seat.page.route('**/api/retries', async (route) => {
      const answer = await route.fetch();
      const told: unknown = await answer.json();
      if (typeof told !== 'object') throw new Error('no answer');
      await route.fulfill({ response: answer, json: { ...told, caps: { as_of: '2026-11-23', old: true } } });
    });
    await seat.open('/retries', 'Retries');
    await seat.page.getByText('as they were on 23 Nov 2026', { exact: false }).waitFor();
    await looked(seat, 'old-limits', view);
    expect((await owner.get('/api/retries')).at('caps')).toEqual({ as_of: '2026-11-23', old: false });
    await seat.context.close();
  }
});

test('a fee by the region of the card wants the country of the acquirer, and the page names what no row tells', async () => {
  const [view] = VIEWS;
  const seat = await seated(w, browser, view);
  const { page } = seat;
  const dialog = page.getByRole('dialog');
  await seat.open('/providers', 'Providers');
  const contract = page.locator('section', { has: page.getByRole('heading', { name: 'simulator_b', exact: true }) });
  await contract.getByRole('button', { name: 'Fees' }).click();
  await dialog.getByLabel('Percent of the amount').fill('1.2');
  await dialog.getByRole('combobox', { name: 'Where the card was issued' }).click();
  await page.getByRole('option', { name: 'Card of the same country' }).click();
  await dialog.getByLabel('Reason').fill('by region');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.getByText('Must be told where a row has a region').waitFor();
  await dialog.getByLabel('Country of the acquirer').fill('fr');
  await looked(seat, 'fees-by-region-form', view);
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.waitFor({ state: 'hidden' });
  await contract.getByText('EUR, card of the same country: 1.2 %').waitFor();
  await contract
    .getByText('No fee is stated for: EUR, card of another EEA country; EUR, card of any other country')
    .waitFor();
  await looked(seat, 'providers-fees-by-region', view);
  await seat.context.close();
});
