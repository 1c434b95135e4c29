// What a person of the merchant's hands on as paper: a receipt says only what the payment holds or took, and any page
// can be printed.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { textAt } from '../client.ts';
import { ownersSeat, settled, shoot, words } from './seat.ts';

type Owner = Awaited<ReturnType<typeof ownersSeat>>;
let owner: Owner;
beforeAll(async () => {
  owner = await ownersSeat('/');
});
afterAll(() => owner.leave());

async function paid(operation_type: 'authorize' | 'direct_capture', card = {}): Promise<string> {
  const { w } = owner;
  const id = textAt(await w.shop.pay(card, { operation_type, amount: '50.00', order_merchant_id: 'cart' }), 'order_id');
  await w.shop.decided(id);
  return id;
}

async function open(id: string): Promise<void> {
  await owner.ada.open(`/orders/${id}`);
  await settled(owner.ada);
}

const receiptButton = () => owner.ada.page.getByRole('button', { name: 'Receipt' });

async function receipt(): Promise<string> {
  await receiptButton().click();
  await owner.ada.page.locator('.receipt').waitFor();
  return words(owner.ada, '.receipt');
}

const CAPTURED_NEXT_DAY = { card_number: '4000009902000036' };

const ask = (what: string, id: string, headers = {}) =>
  owner.w.shop.api(`/payment/maintenance/${what}/${id}`, { body: {}, headers });

test('a payment that was cancelled holds nothing, and has no receipt', async () => {
  const id = await paid('authorize');
  await ask('cancel', id);
  await open(id);
  await expect.poll(() => words(owner.ada, '.order-head')).toContain('Cancelled');
  expect(await receiptButton().count()).toBe(0);
});

test('a payment whose capture is not decided has no receipt: nobody knows whether it was charged', async () => {
  const id = await paid('authorize', CAPTURED_NEXT_DAY);
  await ask('capture', id, { prefer: 'wait=0' });
  await open(id);
  await expect.poll(() => words(owner.ada, '.money-box')).toContain('Being captured 50.00 EUR');
  expect(await receiptButton().count()).toBe(0);
});

test('a payment that was given back in full has a receipt of the refund, not one of nothing paid', async () => {
  const id = await paid('direct_capture');
  await ask('refund', id);
  await open(id);
  expect(await receipt()).toMatch(/^Demo shop 50\.00 EUR Refunded .* Charged 50\.00 EUR Refunded −50\.00 EUR /);
});

test('in the dark, too, a receipt is printed in dark letters, alone and without what is to be pressed', async () => {
  const { page } = owner.ada;
  await onPaper(async () => {
    await open(await paid('direct_capture'));
    await receipt();
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
    await shoot(owner.ada, 'print-receipt');
    expect(await page.getByRole('heading', { name: 'Demo shop' }).isVisible()).toBe(true);
    expect(await brightness('.receipt-sum')).toBeLessThan(DARK);
    expect(await page.getByRole('button').filter({ visible: true }).count()).toBe(0);
    expect(await page.locator('.shell').isVisible()).toBe(false);
  });
});

test('any other page is printed, too: what it shows, without the menu', async () => {
  const { page } = owner.ada;
  await onPaper(async () => {
    await open(await paid('direct_capture'));
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
    await shoot(owner.ada, 'print-order');
    expect(await page.getByRole('heading', { level: 1, name: 'cart' }).isVisible()).toBe(true);
    expect(await brightness('.money-box dd')).toBeLessThan(DARK);
    expect(await brightness('.mantine-SegmentedControl-label')).toBeLessThan(DARK);
    expect(await page.getByRole('navigation').first().isVisible()).toBe(false);
    // what is written, not the place to write more
    expect(await page.getByRole('heading', { name: 'Notes' }).isVisible()).toBe(true);
    expect(await page.getByLabel('Add a note').isVisible()).toBe(false);
  });
});

/** Of 255. */
const DARK = 60;

/** How bright the letters of a part are. */
async function brightness(selector: string): Promise<number> {
  const colour = String(await owner.ada.page.evaluate(`getComputedStyle(document.querySelector('${selector}')).color`));
  return Math.max(...(colour.match(/\d+/g) ?? []).slice(0, 3).map(Number));
}

/** In the dark, and on the screen again afterwards. */
async function onPaper(looks: () => Promise<void>): Promise<void> {
  const { page } = owner.ada;
  await page.emulateMedia({ colorScheme: 'dark' });
  try {
    await looks();
  } finally {
    await page.emulateMedia({ media: null, colorScheme: null });
  }
}

test('the name of an address stands on the line of its value, which has a button and other letters', async () => {
  const { page } = owner.ada;
  await owner.ada.open('/integration', 'Integration');
  await page.locator('.facts dt').nth(4).waitFor();
  // an empty part without height stands on the baseline
  const apart = await page.evaluate(`(() => {
    const base = (part) => {
      const foot = document.createElement('span');
      foot.style.display = 'inline-block';
      part.prepend(foot);
      return foot.getBoundingClientRect().bottom;
    };
    const names = [...document.querySelector('.facts').querySelectorAll('dt')];
    return names.map((name) => Math.abs(Math.round(base(name) - base(name.nextElementSibling))));
  })()`);
  expect(apart).toEqual([0, 0, 0, 0, 0]);
});
