// Ten tasks of a finance person, each from whichever page they are at, by the keyboard alone: at most three keys to the
// answer, or to the form that asks for what moves money; no pointer is ever down. What is typed is not counted.
// docs/ten-tasks.md is the table of them; after a change that is meant: run this file with -u.
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { DAY_S } from '../../src/core/durations.ts';
import { type Person, firstOwner } from '../backoffice/person.ts';
import { openBrowser } from '../browser/browser.ts';
import { textAt, until } from '../client.ts';
import { type World, world } from '../world.ts';
import { type Seat, settled, signIn, takeSeat } from './seat.ts';

vi.setConfig({ testTimeout: 180_000 });
const FILE = '../../docs/ten-tasks.md';
const MOST = 3;

let w: World;
let browser: Browser;
let ada: Person;
let seat: Seat;
beforeAll(async () => {
  [w, browser] = await Promise.all([world(), openBrowser()]);
  ada = await firstOwner(w);
  const sale = { operation_type: 'direct_capture', amount: '42.00' };
  const zoe = { customer_id: 'zoe', customer_first_name: 'Zoé', customer_last_name: 'Quuxworthy' };
  const orders: readonly (readonly [string, object, object])[] = [
    ['invoice-1', {}, { ...sale, ...zoe }],
    ['invoice-2', { card_number: '4000000000009995' }, sale],
    ['invoice-3', { card_number: '4000000000000259' }, sale],
  ];
  for (const [order_merchant_id, card, fields] of orders)
    await w.shop.decided(textAt(await w.shop.pay(card, { ...fields, order_merchant_id }), 'order_id'));
  const label = 'server of the shop';
  const key = await ada.post('/api/keys', { kind: 'private', label, scopes: ['read'] });
  if (key.status !== 200) throw new Error(key.text);
  await w.shop.api('/sandbox/clock/advance', { body: { seconds: DAY_S + 60 } });
  await until(async () => {
    const { body } = await ada.get('/api/disputes?show=open');
    return (body as { disputes: readonly object[] }).disputes.length > 0 ? true : undefined;
  });
  seat = await takeSeat(w, browser);
  await seat.open('/', 'Sign in');
  await signIn(seat);
});
afterAll(async () => {
  await browser.close();
  await w[Symbol.asyncDispose]();
});

/** What a person does, counted. */
class Hand {
  readonly done: string[] = [];

  async press(key: string, name = key): Promise<void> {
    this.done.push(name);
    await seat.page.keyboard.press(key);
  }

  /** Finds something from wherever one is: two keys. */
  async find(typed: string, found: RegExp | string): Promise<void> {
    await this.press('Control+k', 'Ctrl-K');
    await seat.page.locator('[role=dialog] input:focus').waitFor();
    await seat.page.keyboard.type(typed);
    // the first one is what Enter opens
    await seat.page.locator('[role=option][aria-selected=true]').filter({ hasText: found }).waitFor();
    await this.press('Enter', `“${typed}” Enter`);
    await seat.page.getByRole('dialog', { name: 'Find anything' }).waitFor({ state: 'detached' });
  }
}

type Task = readonly [what: string, seen: string, play: (hand: Hand) => Promise<void>];

const heading = (name: RegExp | string) => seat.page.getByRole('heading', { level: 1, name }).waitFor();
const dialog = (name: RegExp | string) => seat.page.getByRole('dialog', { name });

const TASKS: readonly Task[] = [
  [
    'Find a payment by half a name',
    'the order',
    async (hand) => {
      await hand.find('quuxw', 'invoice-1');
      await heading('invoice-1');
    },
  ],
  [
    'Say why a payment was declined',
    'the reason in words, on the order',
    async (hand) => {
      await hand.find('invoice-2', 'invoice-2');
      await heading('invoice-2');
      await seat.page
        .getByText(/not enough (?:funds|money)|insufficient funds/i)
        .first()
        .waitFor();
    },
  ],
  [
    'Refund a part of an order',
    'the form with the amount and the reason',
    async (hand) => {
      await hand.find('invoice-1', 'invoice-1');
      await heading('invoice-1');
      await settled(seat);
      await hand.press('r');
      await dialog('Refund payment').getByLabel('Reason').waitFor();
    },
  ],
  [
    'Export a month',
    'the form of the report, with the month before this one',
    async (hand) => {
      await hand.find('new report', 'New report');
      await dialog('New report').getByLabel('First day').waitFor();
    },
  ],
  [
    'Answer a dispute',
    'what the payer says, what usually wins, and the evidence',
    async (hand) => {
      await hand.find('invoice-3', 'invoice-3');
      await heading('invoice-3');
      await settled(seat);
      await hand.press('d');
      await heading(/disputed$/);
      await seat.page.getByText('What usually wins').waitFor();
    },
  ],
  [
    'See who changed a key',
    'the audit log: who, when, from where',
    async (hand) => {
      await hand.find('audit', 'Audit log');
      await heading('Audit log');
      await seat.page.getByText('API key created').first().waitFor();
    },
  ],
  [
    'See which payments have an unknown outcome',
    'the list of them, with what can be done',
    async (hand) => {
      await hand.find('unknown', 'Outcome unknown');
      await heading('Outcome unknown');
    },
  ],
  [
    'Ask a payer for money by a link',
    'the form of the link',
    async (hand) => {
      await hand.find('new payment link', 'New payment link');
      await dialog('New payment link').getByLabel('Reference').waitFor();
    },
  ],
  [
    'See all that a customer paid',
    'their orders and saved cards',
    async (hand) => {
      await hand.find('zoe', /^zoe/);
      await heading('zoe');
    },
  ],
  [
    'Compare the approval rate of 30 days with the 30 before',
    'both, with their difference',
    async (hand) => {
      await hand.find('overview 30', 'Overview of 30 days');
      await heading('Overview');
      await seat.page.waitForURL(/range=30/);
      await seat.page.getByText('Approval rate').first().waitFor();
    },
  ],
];

test('each of the ten takes three keys at most, from any page, and the table in the documents is what was counted', async () => {
  // what a pointer does is an error in the console, and those are counted at the end
  await seat.page.addInitScript("addEventListener('pointerdown', () => console.error('a pointer was used'), true)");
  const rows: string[] = [];
  for (const [what, seen, play] of TASKS) {
    await seat.open('/team', 'Team');
    const hand = new Hand();
    await play(hand);
    expect([what, hand.done.length <= MOST]).toEqual([what, true]);
    rows.push(`| ${what} | ${hand.done.join(', ')} | ${hand.done.length} | ${seen} |`);
  }
  expect(seat.wrongs()).toEqual([]);
  const text = `# Ten tasks of a finance person

How many keys each takes in the back office, from any page and without a mouse. What is typed is not counted, nor is the confirmation of what moves money, which is there on purpose. Played in a browser by the keyboard alone, counted and compared by a test (\`test/backoffice-app/ten-tasks.test.ts\`).

| task | keys | how many | then on screen |
|---|---|---|---|
${rows.join('\n')}
`;
  await expect(text).toMatchFileSnapshot(FILE);
});
