// Receipts and alarms by mail in a browser, in both languages and every look: switched on, and read in the mailbox of a
// sandbox. And the second factor that is set up again.
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { tellAlarms } from '../../src/backoffice/alarm/alarms.ts';
import { totpCode, totpStep } from '../../src/kit/person/totp.ts';
import { PASSWORD, type Person } from '../backoffice/person.ts';
import type { World } from '../world.ts';
import { type Seat, flaws, ownersSeat, settled, shoot, signIn, takeSeat, words } from './seat.ts';

const VIEWS = [
  { width: 1280, scheme: 'light', locale: 'en-GB' },
  { width: 390, scheme: 'dark', locale: 'fr-FR' },
  { width: 1280, scheme: 'dark', locale: 'fr-FR' },
  { width: 390, scheme: 'light', locale: 'en-GB' },
] as const;

let w: World;
let browser: Browser;
let owner: Person;
let ada: Seat;
let leave: () => Promise<void>;
beforeAll(async () => {
  ({ w, browser, owner, ada, leave } = await ownersSeat('/integration'));
});
afterAll(() => leave());

test('receipts are switched on, and a payment has one in the mailbox, in its own language and direction', async () => {
  await ada.open('/integration', 'Integration');
  await settled(ada);
  await ada.page.getByRole('switch', { name: 'Receipts by mail' }).press('Space');
  await ada.page.getByRole('button', { name: 'Save' }).click();
  await ada.page.getByText('Settings saved').waitFor();
  await w.shop.pay({}, { customer_email: 'pia@mail.example', order_merchant_id: 'cart-77' });
  await w.shop.pay({}, { customer_email: 'ali@mail.example', order_merchant_id: 'cart-78', locale: 'ar' });
  await owner.post('/api/team/invitations', { email: 'next@shop.example', role: 'reader' });
  await ada.open('/sandbox', 'Sandbox');
  await ada.page.getByText('Receipt: €25.00, Demo shop').click();
  const mail = ada.page.locator('details.mail').filter({ hasText: 'pia@mail.example' });
  await mail.getByText('Visa ending in').waitFor();
  expect(await mail.innerText()).not.toContain('Its link is over');
  expect(await mail.getByRole('link').count()).toBe(0);
  expect(await ada.page.locator('details.mail [dir="rtl"]').count()).toBe(1);
});

test('a person asks for alarms on their own page, and gets one with a link to the page to look at', async () => {
  const { body } = await owner.get('/api/keys');
  const { keys } = body as { keys: { id: string; kind: string }[] };
  const id = keys.find(({ kind }) => kind === 'private')?.id;
  await owner.post(`/api/keys/${id}/roll`, { overlap_hours: 2, reason: 'it leaked, perhaps' });
  await ada.open('/me', 'Password and security');
  await ada.page.getByRole('switch', { name: 'Mail me the alarms of Demo shop' }).press('Space');
  // it follows what the server answers
  await ada.page.getByRole('switch', { name: 'Mail me the alarms', checked: true }).waitFor();
  await ada.page.getByText('Saved').waitFor();
  await tellAlarms(w.service.tools);
  await ada.open('/sandbox', 'Sandbox');
  await ada.page.getByText('Demo shop: 1 API key ends within three days').click();
  await ada.page.locator('details.mail[open]').getByRole('link', { name: 'Look at it' }).click();
  await ada.page.getByRole('heading', { level: 1, name: 'API keys' }).waitFor();
});

test('mailbox, own page and overview are accessible in every look and both languages', async () => {
  for (const view of VIEWS) {
    const name = `${view.width}-${view.scheme}-${view.locale.slice(0, 2)}`;
    const seat = await takeSeat(w, browser, view);
    await seat.page.goto('/');
    await signIn(seat, 'ada@shop.example', view.locale === 'fr-FR' ? 'fr' : 'en');
    for (const path of ['/', '/me', '/sandbox']) {
      await seat.open(path);
      await settled(seat);
      for (const summary of await seat.page.locator('details.mail summary').all()) await summary.press('Enter');
      await shoot(seat, `mails${path.replace('/', '-')}-${name}`);
      expect(await flaws(seat)).toEqual([]);
    }
    expect(seat.wrongs()).toEqual([]);
    await seat.context.close();
  }
});

test('a second factor is set up again: what is wrong stands beside its field, and new recovery codes come of it', async () => {
  const { page } = ada;
  const dialog = page.getByRole('dialog');
  const typeCode = async () => {
    const [row] = await w.sql<{ s: number }>(`SELECT extract(epoch FROM clock_timestamp())::float8 AS s`);
    const text = await words(ada, '[role=dialog] .secret code');
    await dialog.locator('.mantine-PinInput-input').first().focus();
    await page.keyboard.type(totpCode(bytesOf(text.replaceAll(' ', '')), totpStep(row?.s ?? 0)));
    await page.keyboard.press('Enter');
  };
  await ada.open('/me', 'Password and security');
  await page.getByRole('button', { name: 'Turn on' }).click();
  await dialog.getByLabel('Your password').fill(PASSWORD);
  await page.keyboard.press('Enter');
  await dialog.locator('.secret code').waitFor();
  await typeCode();
  await dialog.locator('code.codes').waitFor();
  const recovery = (await words(ada, '[role=dialog] code.codes')).split(' ');
  expect(recovery).toHaveLength(10);
  await dialog.getByRole('button', { name: 'I have saved them' }).click();
  await page.getByRole('button', { name: 'Set up again' }).click();
  await dialog.getByLabel('Your password').fill(PASSWORD);
  await page.keyboard.press('Enter');
  await dialog.getByText('Is required: there is a second factor').waitFor();
  await dialog.getByLabel('Code, or a recovery code').fill('000000');
  await page.keyboard.press('Enter');
  await dialog.getByText('Is not the one your authenticator shows now').waitFor();
  await shoot(ada, 'totp-again-wrong');
  expect(await flaws(ada)).toEqual([]);
  await dialog.getByLabel('Code, or a recovery code').fill(recovery[0] ?? '');
  await page.keyboard.press('Enter');
  await dialog.locator('.secret code').waitFor();
  await typeCode();
  await dialog.locator('code.codes').waitFor();
  const after = (await words(ada, '[role=dialog] code.codes')).split(' ');
  expect(after).toHaveLength(10);
  expect(after).not.toEqual(recovery);
  await dialog.getByRole('button', { name: 'I have saved them' }).click();
  await page.getByText('10 recovery codes are left').waitFor();
});

const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

function bytesOf(text: string): Buffer {
  const bits = [...text].map((one) => BASE32.indexOf(one).toString(2).padStart(5, '0')).join('');
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((one) => parseInt(one, 2)));
}
