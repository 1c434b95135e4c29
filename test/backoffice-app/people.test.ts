// What the pages of keys, the team and one's own security show of who may do what, in a real browser.
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Person, colleague, invited } from '../backoffice/person.ts';
import { badRequest } from '../browser/watch.ts';
import { textAt } from '../client.ts';
import type { World } from '../world.ts';
import { type Seat, flaws, ownersSeat, settled, signIn, takeSeat, words } from './seat.ts';

let w: World;
let browser: Browser;
let owner: Person;
let ada: Seat;
let leave: () => Promise<void>;
beforeAll(async () => {
  ({ w, browser, owner, ada, leave } = await ownersSeat('/keys'));
});
afterAll(() => leave());

test('a key is made with the scopes that are chosen, and the table says what it may do', async () => {
  const { page } = ada;
  await ada.open('/keys', 'API keys');
  await page.getByRole('button', { name: 'New key' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill('Reports');
  await dialog.getByText('Restricted').click();
  await dialog.getByRole('checkbox', { name: 'Notifications' }).check();
  expect(await flaws(ada)).toEqual([]);
  await dialog.getByRole('button', { name: 'Create key' }).click();
  await page.getByRole('button', { name: 'I have copied it' }).click();
  await settled(ada);
  await expect.poll(() => words(ada, 'tr:has-text("Reports")')).toContain('Private Read, Notifications');
  await expect.poll(() => words(ada, 'tr:has-text("demo")')).toContain('Full access');
  expect(ada.wrongs()).toEqual([]);
});

test('a developer is offered what their role may give, and rolls no key that may do more', async () => {
  await invited(w, owner, 'developer');
  const seat = await takeSeat(w, browser, { width: 390, scheme: 'dark' });
  await seat.page.goto('/keys');
  await signIn(seat, 'developer@shop.example');
  await seat.open('/keys', 'API keys');
  await seat.page.getByRole('button', { name: 'New key' }).click();
  const dialog = seat.page.getByRole('dialog');
  expect(await dialog.getByRole('checkbox', { name: 'Refunds' }).isDisabled()).toBe(true);
  expect(await dialog.getByRole('checkbox', { name: 'Read' }).isDisabled()).toBe(false);
  expect(await flaws(seat)).toEqual([]);
  await seat.page.keyboard.press('Escape');
  await seat.context.close();
});

test('whoever may not read the audit log is told so, and is offered nothing to do with it', async () => {
  await invited(w, owner, 'reader', 'rita@shop.example');
  const seat = await takeSeat(w, browser);
  await seat.page.goto('/audit');
  await signIn(seat, 'rita@shop.example');
  await seat.page.getByText('Your role does not allow this').waitFor();
  expect(await seat.page.locator('.page-head').getByRole('button').count()).toBe(0);
  expect(await flaws(seat)).toEqual([]);
  await seat.context.close();
  await ada.open('/audit', 'Audit log');
  await ada.page.getByRole('button', { name: 'Verify integrity' }).waitFor();
});

test('the team says who is locked and who invited whom, and an owner unlocks', async () => {
  const email = 'locked@shop.example';
  await invited(w, owner, 'reader', email);
  for (let i = 0; i < 5; i++) await new Person(w).logIn(email, 'wrong wrong wrong');
  await ada.open('/team', 'Team');
  await ada.page.getByText('Someone is trying passwords').waitFor();
  await expect.poll(() => words(ada, `tr:has-text("${email}")`)).toContain('Invited by ada@shop.example');
  expect(await flaws(ada)).toEqual([]);
  const row = ada.page.getByRole('row').filter({ hasText: email });
  await row.getByRole('button').click();
  await ada.page.getByRole('menuitem', { name: 'Unlock' }).click();
  await ada.page.getByText('Someone is trying passwords').waitFor({ state: 'detached' });
});

test('a record of the audit that calls a role by its name in the API says which role of the pages it is', async () => {
  await invited(w, owner, 'reader', 'vera@shop.example');
  await invited(w, owner, 'operator', 'otto@shop.example');
  const opened = async (object: string) => {
    await ada.open(`/audit?object=${object}&action=person%20invited`, 'Audit log');
    await ada.page.locator('details summary').click();
    return words(ada, 'details');
  };
  expect(await opened('vera@shop.example')).toMatch(/"role": "reader".*The role Viewer is called reader here\./);
  expect(await flaws(ada)).toEqual([]);
  expect(await opened('otto@shop.example')).toMatch(/"role": "operator"[^V]*$/);
});

test('a role is copied and changed, given to somebody, and removed with the role they get', async () => {
  await invited(w, owner, 'operator', 'olga@shop.example');
  const { page } = ada;
  const dialog = page.getByRole('dialog');
  const pick = async (row: string, item: string) => {
    await page.getByRole('row').filter({ hasText: row }).getByRole('button').click();
    await page.getByRole('menuitem', { name: item }).click();
  };
  const choose = async (label: RegExp, option: RegExp) => {
    await dialog.getByRole('combobox', { name: label }).click();
    await page.getByRole('option', { name: option }).click();
  };
  await ada.open('/team', 'Team');
  await pick('Captures, refunds, cancels', 'Copy');
  await dialog.getByLabel('Name').fill('owner');
  await dialog.getByRole('checkbox', { name: 'Erase a person' }).check();
  await dialog.getByRole('checkbox', { name: 'Take cards by telephone' }).uncheck();
  expect(await dialog.getByRole('checkbox', { name: 'See', exact: true }).isDisabled()).toBe(true);
  await dialog.getByLabel('Reason').fill('for the night');
  await dialog.getByRole('button', { name: 'Make role' }).click();
  await dialog.getByText('Is the name of another role').waitFor();
  await dialog.getByLabel('Name').fill('Night desk');
  expect(await flaws(ada)).toEqual([]);
  await dialog.getByRole('button', { name: 'Make role' }).click();
  await dialog.waitFor({ state: 'detached' });
  await pick('olga@shop.example', 'Change role');
  await choose(/Role/, /^Night desk/);
  await dialog.getByLabel('Reason').fill('works at night');
  await dialog.getByRole('button', { name: 'Change role' }).click();
  await dialog.waitFor({ state: 'detached' });
  await expect.poll(() => words(ada, 'tr:has-text("olga@shop.example")')).toContain('Night desk');
  expect(await flaws(ada)).toEqual([]);
  const seat = await takeSeat(w, browser, { width: 390, scheme: 'dark' });
  await seat.page.goto('/team');
  await signIn(seat, 'olga@shop.example');
  await seat.page.getByText('Your role does not allow this').waitFor();
  await seat.context.close();
  await pick('erase a person', 'Remove');
  await choose(/One person has it/, /^Viewer/);
  await dialog.getByLabel('Reason').fill('the night is over');
  expect(await flaws(ada)).toEqual([]);
  await dialog.getByRole('button', { name: 'Remove' }).click();
  await dialog.waitFor({ state: 'detached' });
  await expect.poll(() => words(ada, 'tr:has-text("olga@shop.example")')).toContain('Viewer');
  await expect.poll(() => ada.wrongs()).toEqual([badRequest('/api/team/roles')]);
});

test('a large refund waits, is approved by a second person after their password, and then is done', async () => {
  await colleague(w, 'operator', 'ben@shop.example');
  await w.sql(`UPDATE payment.members SET since = since - interval '2 days'`);
  expect((await owner.ask('PUT', '/api/settings', { refunds_two_people_above: ['EUR=20'] })).status).toBe(200);
  const order_id = textAt(await w.shop.pay(), 'order_id');
  const asked = await owner.post(`/api/orders/${order_id}/refund`, { reason: 'the parcel came back' });
  expect(asked.at('state')).toBe('waits');
  await ada.open(`/orders/${order_id}`);
  await ada.page.getByRole('button', { name: 'Withdraw' }).waitFor();
  expect(await ada.page.getByRole('button', { name: 'Approve refund' }).count()).toBe(0);
  const seat = await takeSeat(w, browser);
  // where the overview and the alarm by mail lead
  await seat.page.goto('/in-doubt');
  await signIn(seat, 'ben@shop.example');
  await seat.page.getByText('A refund waits for a second person').waitFor();
  await seat.page.getByRole('link', { name: order_id }).click();
  await seat.page.waitForURL(`**/orders/${order_id}`);
  await w.sql(`UPDATE payment.sessions SET proved_at = proved_at - interval '11 minutes'`);
  await seat.page.getByRole('button', { name: 'Approve refund' }).click();
  const dialog = seat.page.getByRole('dialog');
  await dialog.getByLabel('Reason').fill('seen in the warehouse');
  await dialog.getByRole('button', { name: 'Approve refund' }).click();
  await dialog.getByLabel('Your password').fill('correct horse battery staple');
  expect(await flaws(seat)).toEqual([]);
  await dialog.getByRole('button', { name: 'Approve refund' }).click();
  await dialog.waitFor({ state: 'detached' });
  await seat.page.getByText('A refund waits for a second person').waitFor({ state: 'detached' });
  expect((await owner.get(`/api/orders/${order_id}`)).at('money.refunded_minor')).toBe(2500);
  await seat.context.close();
});

test('a secret for the command line is shown once', async () => {
  await ada.open('/me', 'Password and security');
  await w.sql(`UPDATE payment.sessions SET proved_at = clock_timestamp()`);
  await ada.page.getByRole('button', { name: 'Make a new secret' }).click();
  await ada.page.getByRole('button', { name: 'Make secret' }).click();
  await expect.poll(() => words(ada, '.secret')).toMatch(/^florin_person_[\w-]{43}$/);
  expect(await flaws(ada)).toEqual([]);
  await ada.page.getByRole('button', { name: 'I have copied it' }).click();
});
