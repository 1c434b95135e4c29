// What the money zone knows a card by (docs/decisions/0052): nothing in its tables can be compared with what /token
// answers.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { listEntries } from '../../src/payment/risk/lists.ts';
import { formsOf } from '../canary/attack.ts';
import { GOOD_CARD, textAt } from '../client.ts';
import { accountOf, publish, putOnList } from '../risk/till.ts';
import { type World, world } from '../world.ts';

let w: World;
beforeAll(async () => {
  w = await world();
});
afterAll(() => w[Symbol.asyncDispose]());

const NUMBER = '4000056655665556';

/** A card that is tokenized to be saved, and the id it is answered with. */
async function saved(): Promise<{ readonly token: string; readonly card_unique_id: string }> {
  const body = { ...GOOD_CARD, card_number: NUMBER, token_type: 'recurring' };
  const reply = await w.shop.vault('/token', { body });
  return { token: textAt(reply, 'token'), card_unique_id: textAt(reply, 'card_unique_id') };
}

/** Every row of the money zone as text, read as the superuser. */
async function moneyZone(): Promise<string> {
  const tables = await w.sql<{ name: string }>(
    `SELECT format('%I.%I', table_schema, table_name) AS name FROM information_schema.tables
     WHERE table_type = 'BASE TABLE' AND table_schema = 'payment'`,
  );
  const texts: string[] = [];
  for (const { name } of tables) {
    const rows = await w.sql<{ row: string }>(`SELECT t::text AS row FROM ${name} t`);
    texts.push(...rows.map(({ row }) => row));
  }
  return texts.join('\n').toLowerCase();
}

test('no table of the money zone holds the card_unique_id of a card that was paid with, saved and listed', async () => {
  await publish(w, [{ name: 'cards', kind: 'velocity', subject: 'card', action: 'mark', limit: 100, window_s: 3600 }]);
  const { token, card_unique_id } = await saved();
  await putOnList(w, { verdict: 'allow', kind: 'card', value: card_unique_id });
  const sale = { operation_type: 'direct_capture', amount: 3, currency: 'EUR', token_type: 'recurring' };
  const order = await w.shop.order({ ...sale, token, customer_id: 'ids', order_merchant_id: 'ids-1' });
  expect(order.code).toBe('955555');
  const customer = await w.shop.api('/payment/information/ids');
  expect(customer.text).toContain('400005');
  const all = await moneyZone();
  expect(all).toContain('400005');
  for (const form of formsOf(card_unique_id)) expect([form, all.includes(form)]).toEqual([form, false]);
});

test('a card on a list is still shown to the people of its account, and holds', async () => {
  const { card_unique_id } = await saved();
  await putOnList(w, { verdict: 'block', kind: 'card', value: card_unique_id.toUpperCase() });
  await publish(w, []);
  expect((await w.shop.pay({ card_number: NUMBER })).code).toBe('131010');
  const [entry] = await listEntries(w.service.tools, await accountOf(w));
  expect(entry).toMatchObject({ kind: 'card', verdict: 'block' });
  expect(entry?.shown.toLowerCase()).toBe(card_unique_id);
  await w.sql('DELETE FROM payment.risk_entries');
});

test('the database takes no id of the vault in the place of a digest', async () => {
  const { token, card_unique_id } = await saved();
  const sale = { token, operation_type: 'direct_capture', amount: 3, currency: 'EUR', order_merchant_id: 'ids-2' };
  expect((await w.shop.order(sale)).code).toBe('955555');
  const put = w.sql(`UPDATE payment.transactions SET card_digest = uuid_send($1)`, [card_unique_id]);
  await expect(put).rejects.toThrow('transactions_card_digest_is_32_bytes');
});
