// How far the clock of a sandbox goes: ids count seconds in 32 bits, and cards and certificates end.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { textAt } from '../client.ts';
import { type World, world } from '../world.ts';

const STEP_S = 34_560_000;
const TEN_YEARS_MS = 10 * 365 * 86_400_000;
let w: World;
beforeAll(async () => {
  w = await world();
});
afterAll(() => w[Symbol.asyncDispose]());

const advance = (body: object) => w.shop.api('/sandbox/clock/advance', { body });

test('the clock goes ten years ahead and no further, whichever way it is told, and a payment is made there', async () => {
  const began = Date.now();
  for (let n = 0; n < 9; n++) expect((await advance({ seconds: STEP_S })).at('settled')).toBe(true);
  const now = Date.parse(textAt(await w.shop.api('/sandbox/clock'), 'now'));
  const beyond = { seconds: STEP_S, to: new Date(now + STEP_S * 1000 - 60_000).toISOString() };
  for (const field of ['seconds', 'to'] as const) {
    const refused = await advance({ [field]: beyond[field] });
    expect([field, refused.status, refused.at('errors.0.field')]).toEqual([field, 400, field]);
    expect(refused.text).toContain('would move the clock more than ten years from the real one');
  }
  const last = new Date(began + TEN_YEARS_MS - 60_000).toISOString();
  expect((await advance({ to: last })).at('settled')).toBe(true);
  const paid = await w.shop.pay({ card_validity_year: '2040' });
  expect(paid.code).toBe('955555');
  const made = Number.parseInt(textAt(paid, 'order_id').slice(0, 8), 16) * 1000;
  expect(made).toBeGreaterThanOrEqual(Date.parse(last) - 1000);
  const { order_id } = paid.body as { order_id: string };
  const refunded = await w.shop.api(`/payment/maintenance/refund/${order_id}`, { body: {} });
  expect(refunded.code).toBe('966666');
});
