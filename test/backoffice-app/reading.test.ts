// What a person reads in the web app: times, amounts, currencies, browsers and the chart, as they are meant.
import { readFile } from 'node:fs/promises';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { DAY_MS, DAY_S, HOUR_MS } from '../../src/core/durations.ts';
import { browserText } from '../../web/backoffice/base/browser-text.ts';
import { type Person, firstOwner } from '../backoffice/person.ts';
import { openBrowser } from '../browser/browser.ts';
import { textAt, until } from '../client.ts';
import { type World, world } from '../world.ts';
import { type Seat, settled, signIn, takeSeat, words } from './seat.ts';

const ORDERS = ['EUR', 'USD', 'EUR', 'AUD', 'EUR', 'USD', 'KWD'] as const;

let w: World;
let browser: Browser;
let owner: Person;
let ada: Seat;
const ids = new Map<string, string>();
beforeAll(async () => {
  [w, browser] = await Promise.all([world(), openBrowser()]);
  owner = await firstOwner(w);
  // in one hour of one day, whenever this runs
  const to = new Date((Math.floor(Date.now() / DAY_MS) + 1) * DAY_MS + 10 * HOUR_MS).toISOString();
  const moved = await w.shop.api('/sandbox/clock/advance', { body: { to } });
  if (moved.at('settled') !== true) throw new Error(moved.text);
  for (const currency of ORDERS) {
    const paid = await w.shop.pay({}, { currency, amount: '10', operation_type: 'authorize' });
    ids.set(currency, textAt(paid, 'order_id'));
    await w.shop.decided(textAt(paid, 'order_id'));
  }
  // the counts follow the orders
  await until(async () => {
    const overview = await owner.get('/api/overview');
    return overview.at('now.orders') === ORDERS.length && overview.at('now.outcomes.authorized') === ORDERS.length
      ? true
      : undefined;
  });
  ada = await takeSeat(w, browser);
  await ada.open('/', 'Sign in');
  await signIn(ada);
});
afterAll(async () => {
  await browser.close();
  await w[Symbol.asyncDispose]();
});

test('all currencies are counted together and each beside its money, most used first; those of the orders are offered', async () => {
  const { page } = ada;
  await ada.open('/', 'Overview');
  await settled(ada);
  await expect.poll(() => words(ada, '.figures .tile')).toMatch(/^Payments 7 /);
  const rows = page.getByRole('region', { name: 'Payments by currency' }).locator('tbody tr');
  expect((await rows.allInnerTexts()).map((text) => text.replaceAll(/\s+/g, ' ').trim().slice(0, 5))).toEqual([
    'EUR 3',
    'USD 2',
    'AUD 1',
    'KWD 1',
  ]);
  expect(await rows.first().innerText()).toMatch(/30\.00.EUR/);
  await page.getByRole('combobox', { name: 'Currency' }).click();
  await page.getByRole('option').first().waitFor();
  expect(await page.getByRole('option').allInnerTexts()).toEqual(['All', 'EUR', 'USD', 'AUD', 'KWD']);
  await page.getByRole('option', { name: 'USD' }).click();
  await page.waitForURL(/currency=USD/);
  await page.getByText('Authorized volume').first().waitFor();
  await expect.poll(() => words(ada, '.figures .tile:has-text("Authorized volume")')).toContain('20.00 USD');
  await expect
    .poll(() => words(ada, '.figures .tile:has-text("Approval rate")'))
    .toContain('95% interval 34.2% to 100.0%');
});

test('a bar of the chart, and a part of one, lead to the orders they are made of; it is taken out as picture and table', async () => {
  const { page } = ada;
  await ada.open('/?range=1&currency=EUR', 'Overview');
  const drawing = page.locator('.chart svg');
  await drawing.focus();
  const hour = new Intl.DateTimeFormat('en-GB', { timeZone: 'Europe/Paris', hour: '2-digit' });
  // on the bar of the hour in which they were made
  for (let n = 0; n < 24 && !(await words(ada, '.chart figcaption')).includes('3 authorized'); n++)
    await page.keyboard.press('ArrowRight');
  await expect
    .poll(() => words(ada, '.chart figcaption'))
    .toMatch(/3 payments, 100\.0% approved, 30\.00 EUR · 3 authorized/);
  expect((await words(ada, '.chart figcaption')).slice(0, 2)).toBe(hour.format(w.service.tools.clock.now()));
  for (const [kind, magic] of [
    ['Picture (PNG)', '\u0089PNG'],
    ['Table (CSV)', 'begins,ends,payments,captured,authorized'],
  ] as const) {
    await page.getByRole('button', { name: 'Export the chart' }).click();
    const [file] = await Promise.all([page.waitForEvent('download'), page.getByText(kind).click()]);
    const bytes = await readFile(await file.path());
    expect(bytes.toString('latin1').slice(0, magic.length)).toBe(magic);
    expect(file.suggestedFilename()).toMatch(/^florin-overview-.*-EUR\.(?:png|csv)$/);
    if (kind === 'Table (CSV)') expect(bytes.toString()).toMatch(/,3,0,3,0,0,0,0,1\.0000,0\.4385,1\.0000,30\.00,EUR,/);
  }
  await page.locator('.chart .value.authorized').first().click();
  await page.waitForURL(/\/orders\?/);
  const { searchParams } = new URL(page.url());
  expect(Date.parse(searchParams.get('created_to') ?? '') - Date.parse(searchParams.get('created_from') ?? '')).toBe(
    HOUR_MS,
  );
  expect(searchParams.get('outcome')).toBe('authorized');
  await page.locator('.orders tbody tr').nth(2).waitFor();
  expect(await page.locator('.orders tbody tr').count()).toBe(3);
});

test('the currencies of the orders are offered, and the one of the address', async () => {
  const { page } = ada;
  await ada.open('/orders?currency=JPY', 'Orders');
  await page.getByRole('button', { name: 'Filter', exact: true }).click();
  await page.getByRole('combobox', { name: 'Currency' }).click();
  const offered = page.getByRole('option');
  // the last one is in the address and in no order
  await expect.poll(() => offered.allInnerTexts()).toEqual(['EUR', 'USD', 'AUD', 'KWD', 'JPY']);
});

test('the button that moves money names the amount with every decimal of its currency; while the amount cannot be, it is off', async () => {
  const { page } = ada;
  await ada.open(`/orders/${ids.get('KWD') ?? ''}`);
  await page.getByRole('button', { name: 'Capture', exact: true }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Capture 10.000 KWD' }).waitFor();
  await dialog.getByLabel('Amount').fill('2.5');
  await dialog.getByRole('button', { name: 'Capture 2.500 KWD' }).waitFor();
  for (const [amount, problem] of [
    ['999999', 'At most 10.000 KWD is left'],
    ['1.0001', 'It '],
    ['1,000', 'It '],
    ['', 'It '],
  ] as const) {
    await dialog.getByLabel('Amount').fill(amount);
    await dialog.getByText(problem).first().waitFor();
    expect(await dialog.getByRole('button', { name: 'Capture', exact: true }).isDisabled()).toBe(true);
  }
});

test('an amount with a mark of thousands is not taken for one with decimals: 1,000 and 1.000 move nothing', async () => {
  const { page } = ada;
  await ada.open(`/orders/${ids.get('USD') ?? ''}`);
  await page.getByRole('button', { name: 'Capture', exact: true }).click();
  const dialog = page.getByRole('dialog');
  for (const amount of ['1,000', '1.000', '0,010', '5.0000']) {
    await dialog.getByLabel('Amount').fill('2,50');
    await dialog.getByRole('button', { name: 'Capture 2.50 USD' }).waitFor();
    await dialog.getByLabel('Amount').fill(amount);
    await dialog.getByText('more decimals').waitFor();
    expect(await dialog.getByRole('button', { name: 'Capture', exact: true }).isDisabled()).toBe(true);
  }
});

type Box = { x: number; width: number; height: number };

/** Where the chart's labels are, once it is drawn for its width. Read in one step: it may be drawn anew meanwhile. */
const LABELS = `(() => {
  const plot = document.querySelector('.chart svg');
  if (!plot || plot.viewBox.baseVal.width !== Math.floor(plot.getBoundingClientRect().width)) return undefined;
  return [...plot.querySelectorAll('text:not(.axis)')].map((text) => text.getBoundingClientRect().toJSON());
})()`;

test('the text of the chart is as large on every screen, and no label runs into the next', async () => {
  const sizes: number[] = [];
  for (const width of [390, 1280, 1920]) {
    await ada.page.setViewportSize({ width, height: 900 });
    await ada.open('/', 'Overview');
    await ada.page.locator('.chart text:not(.axis)').first().waitFor();
    const boxes = await until(() => ada.page.evaluate<Box[] | undefined>(LABELS));
    expect(boxes.length).toBeGreaterThan(1);
    for (const [i, box] of boxes.entries()) {
      const before = boxes[i - 1];
      sizes.push(Math.round(box.height));
      if (before) expect(box.x).toBeGreaterThan(before.x + before.width);
    }
  }
  await ada.page.setViewportSize({ width: 1280, height: 900 });
  expect(new Set(sizes).size).toBe(1);
});

test('a card of the sandbox is grouped as it is printed', async () => {
  await ada.open('/sandbox', 'Sandbox');
  await settled(ada);
  await ada.page.getByText('3782 822463 10005').waitFor();
  await ada.page.getByText('4242 4242 4242 4242').first().waitFor();
});

test('a try of a draft of rules leads to the orders that it would have refused', async () => {
  const { page } = ada;
  const rules = [
    { name: 'all of them', kind: 'amount', above: '0.01', currency: 'EUR' },
    { name: 'large', kind: 'amount', above: '9000', currency: 'EUR' },
  ];
  const { version } = (await owner.get('/api/risk')).body as { version: number };
  const published = await owner.post('/api/risk/publish', { rules, base_version: version, reason: 'for a test' });
  expect(published.status).toBe(200);
  await ada.open('/risk', 'Risk');
  await page.getByRole('button', { name: 'Remove large' }).click();
  await page.getByRole('button', { name: "Test on last week's orders" }).click();
  const link = page.locator('.notice').getByRole('link', { name: /^order …[0-9a-f]{8}$/ });
  await link.first().waitFor();
  expect(await link.count()).toBe(3);
  const line = await page.evaluate("getComputedStyle(document.querySelector('.notice a')).textDecorationLine");
  expect(line).toBe('underline');
  await link.first().click();
  await page.getByText('Timeline').waitFor();
});

test('a draft of routing rules is tried on what was paid, published with a reason, and tells where payments go', async () => {
  const { page } = ada;
  const rules = [
    { name: 'all to b', then: { order: ['simulator_b'] } },
    {
      name: 'half',
      when: { currency: ['USD'] },
      then: {
        split: [
          ['simulator', 5000],
          ['simulator_b', 5000],
        ],
      },
    },
  ];
  const published = await owner.post('/api/routing/publish', {
    document: { rules },
    base_version: 0,
    reason: 'a test',
  });
  expect(published.status).toBe(200);
  await ada.open('/routing', 'Routing');
  await page.getByText('simulator 50 % · simulator_b 50 %').waitFor();
  await page.getByRole('button', { name: 'Remove half' }).click();
  await page.getByRole('button', { name: "Test on last month's orders" }).click();
  await page.getByText(/^Of [1-9]\d* payments, [1-9]\d* would have gone elsewhere$/).waitFor();
  await page.getByRole('button', { name: 'Publish', exact: true }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Reason').fill('half is not needed');
  await dialog.getByRole('button', { name: 'Publish' }).click();
  await page.getByText('Version 2 is active').waitFor();
  await page.getByRole('tab', { name: 'Where payments went' }).click();
  await page.getByRole('columnheader', { name: 'Visa' }).waitFor();
  await page.getByRole('tab', { name: 'Versions' }).click();
  await page.getByText('half is not needed').waitFor();
  // nothing is left in force for the tests behind
  expect((await owner.post('/api/routing/roll-back', { version: 0, reason: 'a test' })).status).toBe(200);
});

test('a session is known by its browser and system', async () => {
  await ada.open('/me', 'Password and security');
  await settled(ada);
  await expect.poll(() => words(ada, 'tbody tr:has-text("This session")')).toMatch(/^Chrome, \w+ This session/);
});

test.each([
  [
    'Chrome, Windows',
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36',
  ],
  [
    'Edge, Windows',
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36 Edg/140.0.0.0',
  ],
  ['Firefox, Linux', 'Mozilla/5.0 (X11; Linux x86_64; rv:143.0) Gecko/20100101 Firefox/143.0'],
  [
    'Safari, macOS',
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Safari/605.1.15',
  ],
  [
    'Safari, iPhone',
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1',
  ],
  [
    'Chrome, Android',
    'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile Safari/537.36',
  ],
  [
    'Samsung Internet, Android',
    'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) SamsungBrowser/28.0 Chrome/130.0.0.0 Mobile Safari/537.36',
  ],
  [
    'Opera, macOS',
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/138.0.0.0 Safari/537.36 OPR/122.0.0.0',
  ],
  [undefined, 'curl/8.5.0'],
  [undefined, ''],
])('%s is read from what it sends', (name, user_agent) => {
  expect(browserText(user_agent)).toBe(name);
});

// last: it moves the clock of this world
test('times are told by the clock of the service, which in a sandbox is ahead; those of people by the real one', async () => {
  await w.shop.api('/sandbox/clock/advance', { body: { seconds: 2 * DAY_S } });
  const [, id = ''] = /"id":"([0-9a-f]{24})"[^}]*"kind":"private"/.exec((await owner.get('/api/keys')).text) ?? [];
  const rotated = await owner.post(`/api/keys/${id}/roll`, { overlap_hours: 5, reason: 'for a test' });
  expect(rotated.status).toBe(200);
  await ada.open('/keys', 'API keys');
  await settled(ada);
  await expect.poll(() => words(ada, 'tbody tr:has-text("ends")')).toMatch(/ends in (4|5) hours/);
  await ada.open('/me', 'Password and security');
  await settled(ada);
  await expect.poll(() => words(ada, 'tbody tr:has-text("This session")')).toMatch(/this minute|minutes? ago/);
});
