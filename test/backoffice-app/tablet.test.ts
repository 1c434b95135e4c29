// Widths between a phone and a desk, where tables are whole tables and have little room.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { filled } from './filled.ts';
import { type Seat, flaws, ownersSeat, settled, shoot } from './seat.ts';

let ada: Seat;
let addressOf: (path: string) => string;
let leave: () => Promise<void>;
beforeAll(async () => {
  const seated = await ownersSeat('/');
  ({ ada, leave } = seated);
  addressOf = await filled(seated.w, seated.owner);
});
afterAll(() => leave());

/** Both sides of where rows become tables, where the menu comes beside the page, and where columns get more room. */
const WIDTHS = [641, 756, 757, 768, 1023, 1024, 1152, 1240, 1241];

test.each([
  ['/', 'Overview'],
  ['/orders', 'Orders'],
  ['/disputes', 'Disputes'],
])('at %s nothing is moved sideways to be read, at whatever width', async (path, heading) => {
  const { page } = ada;
  await ada.open(path, heading);
  await settled(ada);
  await page.locator('.table-wrap td:visible').first().waitFor();
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 900 });
    await shoot(ada, `columns-${heading}-${width}`);
    const moved = await page.evaluate(
      `[...document.querySelectorAll('.table-wrap, .tabs')].filter((part) => part.scrollWidth > part.clientWidth).length`,
    );
    expect([width, moved, ...(await flaws(ada))]).toEqual([width, 0]);
  }
});

test('findings are read whole and settled without moving their table sideways', async () => {
  const { page } = ada;
  await ada.open('/findings?show=all', 'Reconciliation');
  await settled(ada);
  const settle = page.getByRole('button', { name: /^Settle / });
  await expect.poll(() => settle.count()).toBe(4);
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 900 });
    await shoot(ada, `findings-${width}`);
    const hidden = await page.evaluate(`(() => {
      const wrap = document.querySelector('.table-wrap');
      return wrap.scrollWidth - wrap.clientWidth;
    })()`);
    expect([width, hidden, ...(await flaws(ada))]).toEqual([width, 0]);
  }
});

test('states, amounts and days of related orders stand in columns', async () => {
  const { page } = ada;
  await ada.open(addressOf('/orders/ORDER'), 'cart-shown');
  await settled(ada);
  await page.locator('.related li').nth(4).waitFor();
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 900 });
    await shoot(ada, `related-${width}`);
    // states and days begin, and amounts end, at one place each
    const places = await page.evaluate(`[...document.querySelectorAll('.related .lines')].map((lines) => {
      const of = (nth, side) => [...lines.children].map((row) => Math.round(row.children[nth].getBoundingClientRect()[side]));
      return [of(1, 'left'), of(2, 'right'), of(3, 'left')].map((all) => new Set(all).size);
    })`);
    expect([width, places]).toEqual([width, [[1, 1, 1]]]);
    expect(await flaws(ada)).toEqual([]);
  }
});
