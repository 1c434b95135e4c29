// What dialogs say when something in them is missing or wrong, in both languages, on a phone in the dark and on a desk
// in the light: beside its field, and readable for everyone.
import type { Browser, Locator } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { FIRST } from '../../web/backoffice/french/first.ts';
import { REST } from '../../web/backoffice/french/rest.ts';
import { type Person, firstOwner } from '../backoffice/person.ts';
import { openBrowser } from '../browser/browser.ts';
import { textAt } from '../client.ts';
import { type World, world } from '../world.ts';
import { type Seat, flaws, settled, shoot, signIn, takeSeat } from './seat.ts';

const VIEWS = [
  { width: 1280, scheme: 'light', locale: 'en-GB' },
  { width: 390, scheme: 'dark', locale: 'fr-FR' },
] as const;

let w: World;
let browser: Browser;
let owner: Person;
beforeAll(async () => {
  [w, browser] = await Promise.all([world(), openBrowser()]);
  owner = await firstOwner(w);
  const rule = { name: 'best', then: { best_of: ['simulator', 'simulator_b'] } };
  for (const [base_version, rules] of [[rule], []].entries())
    await owner.post('/api/routing/publish', { document: { rules }, base_version, reason: 'a test' });
  const policy = { payment_channel: 'recurring', retry_policy: 'default', order_merchant_id: 'rent-poor' };
  textAt(await w.shop.pay({ card_number: '4000000000009995', token_type: 'recurring' }, policy), 'order_id');
  const first = await takeSeat(w, browser);
  await first.open('/', 'Sign in');
  await first.context.close();
}, 120_000);
afterAll(async () => {
  await browser.close();
  await w[Symbol.asyncDispose]();
});

describe.each(VIEWS)('$width $scheme $locale', (view) => {
  const french = view.locale === 'fr-FR';
  const name = (what: string) => `dialog-${what}-${view.width}-${french ? 'fr' : 'en'}`;
  let seat: Seat;
  beforeAll(async () => {
    seat = await takeSeat(w, browser, view);
    await seat.page.goto('/');
    await signIn(seat, 'ada@shop.example', french ? 'fr' : 'en');
  });
  afterAll(() => seat.context.close());

  /** As the page says it. */
  function say(key: string, values: Readonly<Record<string, string>> = {}): string {
    const found: unknown = french ? Reflect.get({ ...FIRST, ...REST }, key) : key.replace(/ \[.*\]$/, '');
    if (typeof found !== 'string') throw new Error(`there is no French for ${key}`);
    return found.replaceAll(/\{(\w+)\}/g, (_, value: string) => values[value] ?? '');
  }
  const button = (key: string, values = {}) => seat.page.getByRole('button', { name: say(key, values), exact: true });
  const dialog = () => seat.page.getByRole('dialog');
  const send = (key: string) =>
    dialog()
      .getByRole('button', { name: say(key), exact: true })
      .click();

  async function at(path: string): Promise<void> {
    await seat.open(path);
    await settled(seat);
  }

  /** It is said, and looked at; then the dialog goes by Escape, one in which something was typed by the second. */
  async function looked(what: string, wrong: Locator, escapes = 2): Promise<void> {
    await wrong.first().waitFor();
    await shoot(seat, name(what));
    expect([what, ...(await flaws(seat))]).toEqual([what]);
    for (let times = 0; times < escapes; times++) await seat.page.keyboard.press('Escape');
    await dialog().waitFor({ state: 'detached' });
  }
  const wrongs = () => dialog().locator('.mantine-InputWrapper-error, .notice.bad');

  /** What is sent does not arrive. */
  async function cutOff(work: () => Promise<void>): Promise<void> {
    await seat.page.route('**/api/**', (route) =>
      route.request().method() === 'POST' ? route.abort() : route.continue(),
    );
    await work();
    await seat.page.unroute('**/api/**');
  }
  const giveReason = () => dialog().getByLabel(say('Reason')).fill('for a test');

  test('a hold that the server does not hear of', async () => {
    await at('/providers');
    await button('Hold').first().click();
    await giveReason();
    await cutOff(async () => {
      await send('Hold');
      // a browser cannot know whether it arrived
      const unheard = 'The server did not answer. Check your connection; what you asked for may have been done.';
      await wrongs()
        .filter({ hasText: say(unheard) })
        .waitFor();
      await looked('hold', wrongs());
    });
  });

  test('an experiment that the server does not hear of', async () => {
    await at('/experiments');
    await button('Compare versions').click();
    await giveReason();
    await cutOff(async () => {
      await send('Begin');
      await looked('experiment', wrongs());
    });
  });

  test('later tries that could not be stopped', async () => {
    await at('/retries');
    await button('Stop later tries of {reference}', { reference: 'rent-poor' }).click();
    await giveReason();
    await cutOff(async () => {
      await send('Stop');
      await looked('retries', wrongs());
    });
  });

  test('single sign-on without an issuer, a client and domains', async () => {
    await at('/team/sign-on');
    await button('Set up single sign-on').click();
    await send('Save');
    await looked('sign-on', wrongs(), 1);
  });

  test('a role without a name', async () => {
    await at('/team');
    await seat.page
      .getByRole('button', { name: new RegExp(say('Actions for the role {role}', { role: '.*' })) })
      .first()
      .click();
    await seat.page.getByRole('menuitem', { name: say('Copy'), exact: true }).click();
    await dialog().getByLabel(say('Name')).fill('');
    await giveReason();
    await send('Make role');
    await wrongs().first().waitFor();
    // it is far above the button: who pressed that sees what is wrong
    await dialog().locator('[aria-invalid=true]:focus').waitFor();
    expect(await seat.page.evaluate('document.activeElement.getBoundingClientRect().top > 0')).toBe(true);
    await looked('role', wrongs());
  });

  test('a payment link with a return address that is none, and a card number in its data', async () => {
    await at('/links');
    await button('New link').click();
    await dialog().getByLabel(say('Reference')).fill('stand');
    await dialog()
      .getByRole('textbox', { name: say('Amount'), exact: true })
      .fill('5');
    await dialog().getByText(say('Return addresses and your own data')).click();
    await dialog().getByLabel(say('After a payment')).fill('shop.example/thanks');
    await dialog()
      .getByLabel(say('Name {number}', { number: '1' }))
      .fill('card');
    await dialog()
      .getByLabel(say('Value {number}', { number: '1' }))
      .fill('4242424242424242');
    await send('Create link');
    await wrongs().nth(1).waitFor();
    await dialog()
      .getByLabel(say('Value {number}', { number: '1' }))
      .scrollIntoViewIfNeeded();
    await looked('link', wrongs());
  });
});

test('a link made in the form has its return addresses and data, and its page shows them', async () => {
  const seat = await takeSeat(w, browser);
  const { page } = seat;
  await page.goto('/links');
  await signIn(seat);
  await seat.open('/links', 'Payment links');
  await page.getByRole('button', { name: 'New link' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Reference').fill('stand');
  await dialog.getByRole('textbox', { name: 'Amount', exact: true }).fill('5');
  await dialog.getByText('Return addresses and your own data').click();
  await dialog.getByLabel('After a payment').fill('https://shop.example/thanks?n=1');
  await dialog.getByLabel('After giving up').fill('https://shop.example/back');
  await dialog.getByLabel('Name 1').fill('stand');
  await dialog.getByLabel('Value 1').fill('north gate');
  await dialog.getByRole('button', { name: 'Add another' }).click();
  await dialog.getByRole('button', { name: 'Add another' }).click();
  await dialog.getByLabel('Name 3').fill('shift');
  await dialog.getByLabel('Value 3').fill('2');
  await dialog.getByRole('button', { name: 'Create link' }).click();
  await page.getByRole('heading', { level: 1, name: 'stand' }).waitFor();
  for (const text of ['https://shop.example/thanks?n=1', 'https://shop.example/back', 'north gate', 'shift'])
    await page.getByText(text).waitFor();
  const [link] = await w.sql<{ body: object }>(`SELECT body FROM payment.payment_links`);
  expect(link?.body).toMatchObject({
    accept_url: 'https://shop.example/thanks?n=1',
    cancel_url: 'https://shop.example/back',
    merchant_data: [
      { key: 'stand', value: 'north gate' },
      { key: 'shift', value: '2' },
    ],
  });
  expect(await flaws(seat)).toEqual([]);
  await shoot(seat, 'link-page');
  expect(seat.wrongs()).toEqual([]);
});
