// What risk tests share: rules put in force as the back office would, and a merchant whose processes have seen them.
import { expect } from 'vitest';
import { parseJson } from '../../src/core/json.ts';
import { addKey, makeKeyText, revokeKey } from '../../src/payment/merchant/keys.ts';
import { listKeys } from '../../src/payment/merchant/store.ts';
import { draftOf, publishRules } from '../../src/payment/risk/publish.ts';
import { type NewEntry, putListEntry } from '../../src/payment/risk/lists.ts';
import type { Reply } from '../client.ts';
import type { World } from '../world.ts';

type Shop = World['shop'];

export async function accountOf(w: World, shop: Shop = w.shop): Promise<string> {
  const [row] = await w.sql<{ id: string }>(
    `SELECT encode(merchant_account_id, 'hex') AS id FROM payment.api_keys WHERE digest = sha256($1::bytea)`,
    [shop.keys.private_key],
  );
  if (!row) throw new Error('the shop has an account');
  return row.id;
}

export const draft = (rules: unknown) => draftOf(parseJson(JSON.stringify(rules)));

/** Publishes, and waits until it is in force. */
export async function publish(w: World, rules: unknown, shop: Shop = w.shop): Promise<number> {
  const account = await accountOf(w, shop);
  const version = await publishRules(w.service.tools, account, { rules: draft(rules), by: 'ada' });
  await inForce(w, shop);
  return version;
}

/** Holds once it is in force. */
export async function putOnList(w: World, entry: Omit<NewEntry, 'by'>, shop: Shop = w.shop): Promise<string> {
  return putListEntry(w.service.tools, await accountOf(w, shop), { ...entry, by: 'ada' });
}

/**
 * What holds of an account is looked up anew for each key at least every 0.7 s (merchant/account.ts). Nobody waits for
 * that here: from now on the shop calls with a key that was never seen.
 */
export async function inForce(w: World, shop: Shop = w.shop): Promise<void> {
  const { tools } = w.service;
  const account = await accountOf(w, shop);
  const text = makeKeyText(tools.chance, { letters: 'FL', kind: 'private', environment: 'sandbox' });
  const old = await listKeys(tools.db.tenant(account));
  for (const { id, label } of old.filter((key) => key.label === LABEL && key.revoked_at === null))
    expect([label, await revokeKey(tools, account, { id: id })]).toEqual([LABEL, true]);
  await addKey(tools, account, { text, kind: 'private', label: LABEL });
  Object.assign(shop.keys, { private_key: text });
}

const LABEL = 'never seen';

export function refusal(reply: Reply): readonly unknown[] {
  return [reply.status, reply.code, reply.at('status')];
}
