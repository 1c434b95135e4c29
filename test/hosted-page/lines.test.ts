// What the hosted page makes of order lines: sums are shown where they add up to the last cent, and nothing is guessed.
import { expect, test } from 'vitest';
import { billOf } from '../../src/payment/page/view/lines.ts';

/** What the page shows of a checkout of EUR, in cents. */
function bill(amount: number, body: object) {
  const { lines, sums, tax_included } = billOf({ amount_minor: BigInt(amount), currency: 'EUR', body });
  return {
    lines: lines.map(({ minor, was }) => (was === undefined ? Number(minor) : [Number(was), Number(minor)])),
    sums: Object.fromEntries(sums.map(({ name, minor }) => [name, Number(minor)])),
    tax: tax_included === undefined ? undefined : Number(tax_included),
  };
}

const SHOES = { product_name: 'Running shoes', product_price: 89 };
const SOCKS = { product_name: 'Wool socks', product_price: 12, product_quantity: 2 };
const BASKET = [SHOES, SOCKS];

test('lines, delivery and tax that is included add up to the amount', () => {
  expect(bill(11_790, { basket_content: BASKET, shipping_price: 4.9, order_tax_amount: 20.46 })).toEqual({
    lines: [8900, 2400],
    sums: { subtotal: 11_300, delivery: 490 },
    tax: 2046,
  });
});

test('if the lines sum up to more than the amount, the difference is a discount', () => {
  const seen = bill(10_790, { basket_content: BASKET, shipping_price: 4.9 });
  expect(seen.sums).toEqual({ subtotal: 11_300, discount: -1000, delivery: 490 });
});

test('prices without tax are followed by the tax, where it is exactly what is missing', () => {
  const seen = bill(13_673, { basket_content: BASKET, order_tax_amount: 23.73 });
  expect([seen.sums, seen.tax]).toEqual([{ subtotal: 11_300, tax_added: 2373 }, undefined]);
});

test('sums that do not add up are not shown, and what the checkout says itself still is', () => {
  expect(bill(20_000, { basket_content: BASKET, shipping_price: 4.9, order_tax_amount: 1 })).toEqual({
    lines: [8900, 2400],
    sums: { delivery: 490 },
    tax: 100,
  });
});

test('a line without a price makes no sum', () => {
  expect(bill(8900, { basket_content: [SHOES, { product_sku: 'gift' }] }).sums).toEqual({});
});

test('a line whose price was reduced shows what it was', () => {
  expect(bill(2000, { basket_content: [{ ...SOCKS, total_amount: 20 }] }).lines).toEqual([[2400, 2000]]);
});

test('a single line that is the whole amount needs no sums; neither does a checkout without lines', () => {
  expect(bill(8900, { basket_content: [SHOES] }).sums).toEqual({});
  expect(bill(8900, {})).toEqual({ lines: [], sums: {}, tax: undefined });
});
