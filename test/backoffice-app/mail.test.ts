// Inviting by mail, in a browser, with a mail server behind it; and the mailbox of a sandbox without one.
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { inviteFirstOwner } from '../../src/backoffice/people/invite.ts';
import { sha256 } from '../../src/kit/crypto.ts';
import { findKeyOwner } from '../../src/payment/merchant/store.ts';
import { PASSWORD, Person, firstOwner } from '../backoffice/person.ts';
import { openBrowser } from '../browser/browser.ts';
import { until } from '../client.ts';
import { type MailServer, mailServer, plainOf, settingsOf } from '../mail/server.ts';
import { world } from '../world.ts';
import { flaws, settled, signIn, takeSeat, words } from './seat.ts';

let browser: Browser;
let server: MailServer;
beforeAll(async () => {
  [browser, server] = await Promise.all([openBrowser(), mailServer()]);
});
afterAll(async () => {
  await browser.close();
  await server[Symbol.asyncDispose]();
});

test('an invitation is mailed, accepted by its link, and the address is verified from then on', async () => {
  await using w = await world(settingsOf(server));
  await firstOwner(w);
  const ada = await takeSeat(w, browser);
  await ada.page.goto('/team');
  await signIn(ada);
  const invite = async (email: string) => {
    await ada.page.getByRole('button', { name: 'Invite' }).click();
    await ada.page.getByRole('dialog').getByLabel('E-mail').fill(email);
    await ada.page.getByRole('button', { name: 'Send invitation' }).click();
    await ada.page.getByRole('dialog').waitFor({ state: 'detached' });
  };
  server.behave({ recipient: 550 });
  await invite('typo@shop.example');
  await until(async () => (await w.sql(`SELECT 1 FROM payment.mails WHERE state = 'refused'`)).length > 0 || undefined);
  server.behave({});
  await ada.page.getByRole('button', { name: 'Invite' }).click();
  await ada.page.getByRole('dialog').getByLabel('E-mail').waitFor();
  expect(await flaws(ada)).toEqual([]);
  await ada.page.keyboard.press('Escape');
  await invite('ben@shop.example');
  const mail = await until(() => server.taken.find(({ to }) => to.includes('ben@shop.example')));
  await ada.open('/team', 'Team');
  await settled(ada);
  await expect.poll(() => words(ada, 'tr:has-text("typo@shop.example")')).toContain('Mail refused');
  await until(async () => (await w.sql(`SELECT 1 FROM payment.mails WHERE state = 'sent'`)).length > 0 || undefined);
  await ada.open('/team', 'Team');
  await expect.poll(() => words(ada, 'tr:has-text("ben@shop.example")')).toContain('Mail sent');
  const ben = await takeSeat(w, browser, { width: 390, scheme: 'dark' });
  await ben.page.goto(/http\S+\/welcome\/[\w-]{43}/.exec(plainOf(mail.raw))?.[0] ?? '');
  await ben.page.getByLabel('Name').fill('Ben');
  await ben.page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await ben.page.getByLabel('Confirm password').fill(PASSWORD);
  await ben.page.locator('button[type=submit]').click();
  await ben.page.locator('.shell').waitFor();
  await ada.open('/team', 'Team');
  await settled(ada);
  await expect.poll(() => words(ada, 'tr:has-text("ben@shop.example")')).toContain('Verified');
  expect(await words(ada, 'tr:has-text("ada@shop.example")')).not.toContain('Verified');
  expect(await flaws(ada)).toEqual([]);
  expect([...ada.wrongs(), ...ben.wrongs()]).toEqual([]);
});

test('who is invited by mail and never had the password of that address makes a login of their own', async () => {
  await using w = await world(settingsOf(server));
  const ada = await firstOwner(w);
  const email = 'cleo@shop.example';
  const found = await findKeyOwner(w.service.tools.db, sha256((await w.otherShop()).keys.public_key));
  const path = await inviteFirstOwner(w.service.tools, found?.merchant_account_id ?? '');
  await new Person(w).post(`/api${path}`, { name: 'Not Cleo', email, password: PASSWORD });
  await ada.post('/api/team/invitations', { email, role: 'reader' });
  const mail = await until(() => server.taken.find(({ to }) => to.includes(email)));
  const cleo = await takeSeat(w, browser, { width: 390, scheme: 'dark' });
  await cleo.page.goto(/http\S+\/welcome\/[\w-]{43}/.exec(plainOf(mail.raw))?.[0] ?? '');
  await cleo.page.getByRole('button', { name: 'I have no password here' }).click();
  await cleo.page.getByLabel('Name').fill('Cleo');
  expect(await flaws(cleo)).toEqual([]);
  await cleo.page.getByLabel('Password', { exact: true }).fill('quite another long password');
  await cleo.page.getByLabel('Confirm password').fill('quite another long password');
  await cleo.page.locator('button[type=submit]').click();
  await cleo.page.locator('.shell').waitFor();
  expect((await ada.get('/api/team')).text).toMatch(/"email":"cleo@shop.example"[^}]*"address_proved":true/);
  expect(cleo.wrongs()).toEqual([]);
});

test('a sandbox without a mail server shows what people would get', async () => {
  await using w = await world();
  const owner = await firstOwner(w);
  const { text } = await owner.post('/api/team/invitations', { email: 'next@shop.example', role: 'reader' });
  const seat = await takeSeat(w, browser, { width: 390, scheme: 'dark' });
  await seat.page.goto('/sandbox');
  await signIn(seat);
  await seat.open('/sandbox', 'Sandbox');
  await seat.page.getByText('Invitation to Demo shop').click();
  const link = seat.page.getByRole('link', { name: 'Accept the invitation' });
  expect(text).toContain(await link.getAttribute('href'));
  expect(await flaws(seat)).toEqual([]);
  expect(seat.wrongs()).toEqual([]);
});
