// Routing as a person sees it: rules made in the form without losing a member, what best_of learns, an experiment from
// begin to stop.
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { FLAG_FACTS, WORD_FACTS } from '../../src/core/routing/facts.ts';
import { replaceGroupCounts } from '../../src/payment/routing/learn/experiments-store.ts';
import { hourNow, learner } from '../../src/payment/routing/learn/learn.ts';
import { replaceCounts } from '../../src/payment/routing/learn/outcomes-store.ts';
import { FLAGS, WORDS } from '../../web/backoffice/pages/routing/rule-words.ts';
import { type Person, firstOwner } from '../backoffice/person.ts';
import { openBrowser } from '../browser/browser.ts';
import { accountOf } from '../risk/till.ts';
import { type World, world } from '../world.ts';
import { VIEWS, looked, seated, signIn, takeSeat } from './seat.ts';

let w: World;
let browser: Browser;
let owner: Person;
let account: string;
beforeAll(async () => {
  [w, browser] = await Promise.all([world(), openBrowser()]);
  owner = await firstOwner(w);
  account = await accountOf(w);
  const best = { name: 'best', then: { best_of: ['simulator', 'simulator_b'] } };
  for (const [base_version, rules] of [[best], []].entries())
    await owner.post('/api/routing/publish', { document: { rules }, base_version, reason: 'a test' });
  await owner.post('/api/routing/roll-back', { version: 1, reason: 'a test' });
  // the app is built for its first visitor
  const first = await takeSeat(w, browser);
  await first.open('/', 'Sign in');
  await first.context.close();
});
afterAll(async () => {
  await browser.close();
  await w[Symbol.asyncDispose]();
});

const db = () => w.service.tools.db.tenant(account);
const nothing = async () => undefined;
const learn = () => learner(w.service.tools, { stopped: nothing, compared: nothing })();
const before = () => hourNow(w.service.tools) - 100;

test('a rule with best_of is made in the form, and says what it does', async () => {
  const [view] = VIEWS;
  const seat = await seated(w, browser, view);
  const { page } = seat;
  await seat.open('/routing', 'Routing');
  await page.getByRole('button', { name: 'Add a rule' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill('also best');
  await dialog.getByText('Best of', { exact: true }).click();
  await dialog.getByLabel('Each gets at least').waitFor();
  await looked(seat, 'best-of-form', view);
  await dialog.getByRole('button', { name: 'Save draft' }).click();
  await page.locator('li', { hasText: 'also best' }).getByText('Best of simulator, simulator_b by success').waitFor();
  await seat.context.close();
});

test('the form of a rule knows every fact that rules may ask for', () => {
  expect(WORDS.toSorted()).toEqual([...Object.keys(WORD_FACTS), 'first6'].toSorted());
  expect(FLAGS).toEqual(FLAG_FACTS);
});

const FULL = {
  name: 'full',
  when: {
    currency: ['EUR'],
    amount_to: '900',
    not_region: ['other'],
    not_hour: { from: '22:00', to: '06:00', zone: 'Asia/Kolkata' },
    merchant_data: { key: 'basket', values: ['large'] },
    healthy: ['simulator_b'],
    missing: ['card_country'],
    marked: false,
  },
  then: {
    split: [
      ['simulator', 2500],
      ['simulator_b', 7500],
    ],
    by: 'card',
    also: true,
  },
};

test('a rule with every kind of condition keeps all of it in the form, and one is made there', async () => {
  const version = Number((await owner.get('/api/routing')).at('version'));
  const document = { rules: [FULL] };
  const told = await owner.post('/api/routing/publish', { document, base_version: version, reason: 'a test' });
  expect(told.status).toBe(200);

  const [view] = VIEWS;
  const seat = await seated(w, browser, view);
  const { page } = seat;
  const dialog = page.getByRole('dialog');
  const choose = async (label: string, option: string) => {
    await dialog.getByRole('combobox', { name: label, exact: true }).click();
    await page.getByRole('option', { name: option, exact: true }).click();
  };
  await seat.open('/routing', 'Routing');
  await page.getByRole('button', { name: 'Edit full' }).click();
  await dialog.getByRole('group', { name: 'Hour is not' }).waitFor();
  await dialog.getByRole('button', { name: 'Save draft' }).click();
  await dialog.waitFor({ state: 'hidden' });
  expect(await page.getByText('What publishing would change').count()).toBe(0);

  await page.getByRole('button', { name: 'Add a rule' }).click();
  await dialog.getByLabel('Name').fill('by day');
  await choose('Add a condition', 'Hour');
  await dialog.getByLabel('From', { exact: true }).fill('07:30');
  await dialog.getByRole('combobox', { name: 'Time zone' }).fill('Europe/Par');
  await page.getByRole('option', { name: 'Europe/Paris' }).click();
  await choose('Add a condition', 'Merchant data');
  await dialog.getByLabel('Key of merchant_data').fill('basket');
  await dialog.getByRole('combobox', { name: 'Values' }).fill('large');
  await choose('Add a condition', 'Contracts that must be ready');
  await choose('Contracts that must be ready', 'simulator');
  await page.keyboard.press('Escape');
  await dialog.getByRole('switch', { name: 'Then every other contract that fits' }).check();
  await dialog.getByText('Your own basket is large').waitFor();
  await looked(seat, 'rule-form', view);
  await dialog.getByRole('button', { name: 'Save draft' }).click();
  await page.getByRole('combobox', { name: 'Where no rule decides' }).click();
  await page.getByRole('option', { name: 'Refuse' }).click();
  await page.getByLabel('Other providers tried after trouble').fill('2');
  await page.getByText('by day').nth(1).waitFor();
  await page.getByRole('button', { name: 'Publish', exact: true }).click();
  await dialog.getByLabel('Reason').fill('by day');
  await dialog.getByRole('button', { name: 'Publish' }).click();
  await page.getByText(`Version ${version + 2} is active`).waitFor();
  await looked(seat, 'rules', view);

  const by_day = {
    name: 'by day',
    when: {
      hour: { from: '07:30', to: '18:00', zone: 'Europe/Paris' },
      merchant_data: { key: 'basket', values: ['large'] },
      healthy: ['simulator'],
    },
    then: { order: ['simulator'], also: true },
  };
  expect((await owner.get('/api/routing')).at('document')).toMatchObject({
    else: 'refuse',
    cascade: 2,
    rules: [FULL, by_day],
  });

  const narrow = await seated(w, browser, VIEWS[2]);
  await narrow.open('/routing', 'Routing');
  await looked(narrow, 'rules', VIEWS[2]);
  await narrow.page.getByRole('button', { name: 'Edit full' }).click();
  await narrow.page.getByRole('group', { name: 'Hour is not' }).waitFor();
  await looked(narrow, 'rule-form', VIEWS[2]);
  expect([...seat.wrongs(), ...narrow.wrongs()]).toEqual([]);
  for (const one of [seat, narrow]) await one.context.close();
  // what the tests behind compare
  await owner.post('/api/routing/roll-back', { version, reason: 'a test' });
});

test('shares that were learnt, and an experiment, are shown in every look, and it is begun and stopped with a reason', async () => {
  const ids = await w.sql<{ id: string }>(
    `SELECT encode(id, 'hex') AS id FROM payment.contracts WHERE merchant_account_id = decode($1, 'hex') ORDER BY priority`,
    [account],
  );
  const of = { hour: before(), rule: 'best', since: 1, cell: 'EUR visa payer', amount_minor: 1000 };
  await replaceCounts(
    db(),
    before(),
    ids
      .slice(0, 2)
      .map(({ id }, i) => ({ ...of, contract_id: id, controlled: false, tried: 3000, approved: 2400 + i * 300 })),
  );
  await learn();
  const [view] = VIEWS;
  const seat = await seated(w, browser, view);
  const { page } = seat;
  await seat.open('/experiments', 'Experiments');
  await page.getByText('Nothing compared yet').waitFor();
  await page.getByRole('button', { name: 'Compare versions' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Reason').fill('is learning better than nothing?');
  await looked(seat, 'experiment-form', view);
  await dialog.getByRole('button', { name: 'Begin' }).click();
  await page.getByText('nothing', { exact: false }).first().waitFor();
  await page.getByText('What is missing until a verdict').waitFor();
  const hour = before();
  await replaceGroupCounts(db(), { number: 1, hour }, [
    { arm: 'a', hour, decided: 4210, approved: 3571, kept: null },
    { arm: 'b', hour, decided: 4188, approved: 3592, kept: null },
  ]);
  for (const one of VIEWS) {
    const other = await seated(w, browser, one);
    await other.open('/experiments', 'Experiments');
    await other.page.getByText('4,210').waitFor();
    await looked(other, 'experiments', one);
    await other.open('/routing', 'Routing');
    await other.page.getByRole('tab', { name: 'Where payments went' }).click();
    await other.page.getByRole('heading', { name: 'Best of: best' }).waitFor();
    await looked(other, 'learnt', one);
    expect(other.wrongs()).toEqual([]);
    await other.context.close();
  }
  await page.getByRole('button', { name: 'Stop experiment 1' }).click();
  await dialog.getByLabel('Reason').fill('enough is known');
  await dialog.getByRole('button', { name: 'Stop' }).click();
  await page.getByText('Ended', { exact: true }).waitFor();
  expect(seat.wrongs()).toEqual([]);
  const said = await w.sql<{ action: string }>(
    "SELECT action FROM payment.audit WHERE action LIKE 'experiment%' ORDER BY seq",
  );
  expect(said.map(({ action }) => action)).toEqual(['experiment started', 'experiment ended']);
});

test.each([
  ['en-GB', 'en', 'Compare versions', '12.5', '99.9'],
  ['fr-FR', 'fr', 'Comparer des versions', '12,5', '99,9'],
] as const)(
  'the share that a person types in %s is the share that is sent',
  async (locale, language, open, ...typed) => {
    const seat = await takeSeat(w, browser, { locale });
    const { page } = seat;
    await seat.open('/');
    await signIn(seat, 'ada@shop.example', language);
    await page.goto('/experiments');
    await page.getByRole('button', { name: open }).click();
    const dialog = page.getByRole('dialog');
    const share = dialog.locator('input[inputmode]').first();
    const sent: unknown[] = [];
    await page.route('**/api/experiments', (route) => {
      if (route.request().method() !== 'POST') return route.continue();
      sent.push((route.request().postDataJSON() as { share: unknown }).share);
      return route.fulfill({ status: 409, json: { title: 'It is only looked at', status: 409 } });
    });
    for (const [i, text] of [...typed, '5'].entries()) {
      await share.focus();
      // the field puts its caret right when it was focused, a timer later
      await page.evaluate('new Promise((resolve) => setTimeout(resolve))');
      // the field is empty for a moment, and a number is none yet behind its point
      await page.keyboard.press('ControlOrMeta+a');
      await page.keyboard.press('Delete');
      await page.keyboard.type(text);
      expect(await share.inputValue()).toBe(`${text} %`);
      await page.keyboard.press('Enter');
      await expect.poll(() => sent.length).toBe(i + 1);
    }
    expect(sent).toEqual([1250, 9990, 500]);
    await seat.context.close();
  },
);
