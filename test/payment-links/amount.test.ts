// An amount that the payer of a link typed, and that was not taken, comes back with the page (contract 5.3).
import { afterAll, beforeAll, expect, test } from 'vitest';
import { textAt } from '../client.ts';
import { nonceIn, open, sendForm } from '../hosted-page/payer.ts';
import { type World, world } from '../world.ts';

let w: World;
beforeAll(async () => {
  w = await world();
});
afterAll(() => w[Symbol.asyncDispose]());

async function press(url: string, fields: Readonly<Record<string, string>>): Promise<string> {
  const sent = await sendForm(url, { nonce: nonceIn(await open(url)), ...fields });
  return new URL(sent.location ?? '', url).href;
}

test('a payer whose amount was refused finds it in the field, and no card number that was typed there by mistake', async () => {
  const made = await w.shop.api('/payment/link', {
    body: { usage: 'many', amount_least: '5', amount_most: '20', currency: 'EUR', order_merchant_id: 'stand' },
  });
  const url = textAt(made, 'link.url');
  for (const amount of ['4.99', '1.000,00 €', '1"><b>&amp;', '٣']) {
    const { html } = await open(await press(`${url}?lang=de`, { amount }));
    expect(html).toContain('<html lang="de"');
    expect(fieldIn(html)).toBe(amount.replace('&', '&amp;').replace('"', '&quot;').replace('><b>', '&gt;&lt;b&gt;'));
    expect(html).toContain('aria-invalid');
  }
  for (const amount of [
    '4242424242424242',
    '3782 822463 1000',
    '٤٢٤٢٤٢٤٢٤٢٤٢',
    '4.99 and much more than the field takes',
  ]) {
    const there = await press(url, { amount });
    expect(there).toBe(`${url}?amount`);
    expect(fieldIn((await open(there)).html)).toBe('');
  }
});

const fieldIn = (html: string) => /<input id="amount"[^>]* value="([^"]*)"/.exec(html)?.[1];
