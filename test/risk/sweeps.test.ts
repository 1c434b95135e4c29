// Sweeps over POST /token (docs/decisions/0052): who tries number after number to find the one they know six and four
// digits of.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { luhn } from '../../src/core/card.ts';
import { exposition } from '../../src/kit/metrics/registry.ts';
import { GOOD_CARD, type Reply, type Request, textAt, until } from '../client.ts';
import { type World, world } from '../world.ts';

const MOST = 10;
let w: World;
beforeAll(async () => {
  // as a merchant's own server, which no other limit holds
  w = await world({ FLORIN_SERVER_IPS: '127.0.0.1' });
});
afterAll(() => w[Symbol.asyncDispose]());

/** So many Luhn-valid numbers of 16 digits that begin and end like this. */
function numbersLike(first: string, last: string, count: number): readonly string[] {
  const found: string[] = [];
  const unknown = 16 - first.length - last.length;
  for (let n = 0; found.length < count; n++) {
    const number = `${first}${String(n * 7).padStart(unknown, '0')}${last}`;
    if (luhn(Buffer.from(number))) found.push(number);
  }
  return found;
}

const send = (shop: World['shop'], card_number: string, more: Request = {}): Promise<Reply> =>
  shop.vault('/token', { body: { ...GOOD_CARD, card_number }, ...more });

const metric = async (name: string, kind: string) => {
  const line = (await exposition()).split('\n').find((one) => one.startsWith(`${name}{kind="${kind}"}`));
  return Number(line?.split(' ').at(-1) ?? 0);
};

const auditOf = (result: string) =>
  w.sql<{ detail: { first6: string } }>(`SELECT detail FROM vault.audit WHERE action = 'card sweep' AND result = $1`, [
    result,
  ]);

describe('different numbers with the same first six and last four', () => {
  const numbers = numbersLike('411773', '1881', MOST + 8);

  test('are held after ten in a day, whatever key, Idempotency-Key or body they come with', async () => {
    for (const number of numbers.slice(0, MOST)) expect((await send(w.shop, number)).status).toBe(200);
    const ways: readonly Request[] = [
      {},
      { key: w.keys.private_key },
      { headers: { 'idempotency-key': 'sweep' } },
      { key: w.keys.private_key, body: { ...GOOD_CARD, token_type: 'recurring', card_number: numbers[MOST + 3] } },
    ];
    for (const [at, way] of ways.entries()) {
      const reply = await send(w.shop, numbers[MOST + at] ?? '', way);
      expect([reply.status, reply.at('result.code')]).toEqual([429, '111013']);
      expect(Number(reply.headers.get('retry-after'))).toBeGreaterThan(86_000);
      expect(reply.text).not.toContain('card_unique_id');
    }
  });

  test('do not keep back those that were seen already, other cards, or other accounts', async () => {
    const again = await send(w.shop, numbers[0] ?? '');
    expect([again.status, textAt(again, 'card_6_digits')]).toEqual([200, '411773']);
    expect((await send(w.shop, numbersLike('411773', '1899', 1)[0] ?? '')).status).toBe(200);
    expect((await send(await w.otherShop(), numbers[MOST] ?? '')).status).toBe(200);
  });

  test("go on being held when a sandbox's clock was moved on", async () => {
    await w.shop.api('/sandbox/clock/advance', { body: { seconds: 200_000 } });
    expect((await send(w.shop, numbers[MOST + 4] ?? '')).status).toBe(429);
  });

  test('are an audit record, one for many, and counted', async () => {
    const [before, held] = [await auditOf('refused'), await metric('florin_vault_sweeps_held_total', 'middle')];
    expect(before.map(({ detail }) => detail)).toMatchObject([{ first6: '411773', last4: '1881', numbers: MOST }]);
    expect((await send(w.shop, numbers[MOST + 5] ?? '')).status).toBe(429);
    expect(await auditOf('refused')).toHaveLength(1);
    expect(await metric('florin_vault_sweeps_held_total', 'middle')).toBe(held + 1);
  });

  test('are held also where each repeats the Idempotency-Key of the card that is looked for', async () => {
    const [first = '', ...others] = numbersLike('411774', '1881', MOST + 2);
    const headers = { 'idempotency-key': 'of-the-payer' };
    expect((await send(w.shop, first, { headers })).status).toBe(200);
    const told: number[] = [];
    for (const number of others) told.push((await send(w.shop, number, { headers })).status);
    expect(told).toEqual([...Array.from({ length: MOST - 1 }, () => 422), 429, 429]);
  });
});

test('numbers that differ in their last four digits only are seen and told, and go on: a range of a large shop looks the same', async () => {
  const numbers = numbersLike('411775000000', '', 101);
  const seen = await metric('florin_vault_sweeps_seen_total', 'end');
  for (const number of numbers) expect((await send(w.shop, number)).status).toBe(200);
  expect(await metric('florin_vault_sweeps_seen_total', 'end')).toBe(seen + 1);
  // it is written down behind the answer
  const told = await until(async () => ((await auditOf('done')).length > 0 ? auditOf('done') : undefined));
  expect(told.map(({ detail }) => detail)).toMatchObject([{ first6: '411775', numbers: 101 }]);
});
