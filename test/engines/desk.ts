// People of the merchant with Firefox and with WebKit: a part is captured, all is given back, and the orders are saved
// as a file.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { PASSWORD, firstOwner } from '../backoffice/person.ts';
import { textAt } from '../client.ts';
import { type World, world } from '../world.ts';
import { ENGINES, type Engine, KEY } from './engine.ts';

let w: World;
beforeAll(async () => {
  w = await world();
  await firstOwner(w);
});
afterAll(() => w[Symbol.asyncDispose]());

const within = (place: string, selector: string, text: string) =>
  `[...document.querySelectorAll('${place} ${selector}')].find((part) => part.innerText.trim().startsWith('${text}'))`;
const button = (text: string) => within('main', 'button', text);
const inDialog = (text: string) => within('[role=dialog]', 'button', text);
const field = (label: string) => `${within('', 'label', label)}?.control`;
const CLOSED = "!document.querySelector('[role=dialog]')";

for (const { name, packages, is_here, open } of ENGINES)
  describe.skipIf(!is_here)(`${name} (skipped without: apt-get install ${packages})`, () => {
    desk(open);
  });

function desk(open: () => Promise<Engine>) {
  let engine: Engine;
  const page = (path: string) => engine.go(w.service.addresses.backoffice_url + path);
  beforeAll(async () => {
    engine = await open();
  });
  afterAll(() => engine.close());

  async function fill(label: string, text: string) {
    await engine.click(field(label));
    await engine.type(text);
  }

  test('they sign in', async () => {
    await page('/');
    await fill('E-mail', 'ada@shop.example');
    await fill('Password', PASSWORD + KEY.enter);
    await engine.until("document.querySelector('.shell')");
  });

  test('an order is captured in part, by an amount with a comma, and refunded', async () => {
    const paid = await w.shop.pay({}, { operation_type: 'authorize', amount: '55.00', order_merchant_id: 'engines' });
    const order_id = textAt(paid, 'order_id');
    await w.shop.decided(order_id);
    await page(`/orders/${order_id}`);
    await engine.click(button('Capture'));
    // the dialog takes the keyboard, with the amount chosen to be typed over
    await engine.until(`document.activeElement === ${field('Amount')}`);
    await engine.look(`${field('Amount')}.select()`);
    await engine.type('20,50');
    await fill('Reason', 'two of five');
    await engine.click(inDialog('Capture 20.50'));
    await engine.until(CLOSED);
    await engine.until(button('Refund') + '?.disabled === false');
    await engine.click(button('Refund'));
    await fill('Reason', 'lost');
    await engine.click(inDialog('Refund 20.50'));
    await engine.until(CLOSED);
    const order = await w.shop.decided(order_id);
    expect([order.at('transactions.0.captured_amount'), order.at('transactions.0.refunded_amount')]).toEqual([
      20.5, 20.5,
    ]);
  });

  test('the orders are saved as a file', async () => {
    await page('/orders');
    await engine.click(button('Export'));
    await engine.click(inDialog('Export'));
    await expect.poll(() => Object.values(engine.saved()).join('\n')).toContain('engines');
  });
}
