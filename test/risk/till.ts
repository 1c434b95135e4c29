// What risk tests share: rules put in force as the back office would, and a merchant whose processes have seen them.
import { parseJson } from '../../src/core/json.ts';
import { draftOf, publishRules } from '../../src/payment/risk/publish.ts';
import { type NewEntry, putListEntry } from '../../src/payment/risk/lists.ts';
import { type Reply, until } from '../client.ts';
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
  await inForce(shop);
  return version;
}

/** Holds once it is in force. */
export async function list(w: World, entry: Omit<NewEntry, 'by'>, shop: Shop = w.shop): Promise<string> {
  return putListEntry(w.service.tools, await accountOf(w, shop), { ...entry, by: 'ada' });
}

/** A key is looked up anew at least every 0.7 s (merchant/account.ts): by then a change is in force. */
export async function inForce(shop: Shop): Promise<void> {
  const from = performance.now();
  await until(async () => {
    await shop.api('/payment/order?limit=1');
    return performance.now() - from > 750 ? true : undefined;
  });
}

export function refusal(reply: Reply): readonly unknown[] {
  return [reply.status, reply.code, reply.at('status')];
}
