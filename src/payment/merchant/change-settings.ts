// Changes settings of a merchant account (contract 1.3), here and at the vault. Every process sees them within a second.
import type { Tools } from '../tools.ts';
import { pushKey } from './keys.ts';
import type { Settings } from './settings.ts';
import { listKeys, updateSettings } from './store.ts';

/** An origin as a browser names it: scheme, host, port where it is not the usual one; lower case, no path. */
const ORIGIN = /^https?:\/\/(?:[a-z0-9-]+(?:\.[a-z0-9-]+)*|\[[0-9a-f:]+\])(?::[1-9]\d{0,4})?$/;
const MOST_ORIGINS = 100;

/** The settings given replace those of the account; the others stay. Throws when an origin is none. */
export async function changeSettings(
  tools: Pick<Tools, 'db' | 'vault'>,
  merchant_account_id: string,
  settings: Partial<Settings>,
): Promise<void> {
  const origins = settings.registered_origins ?? [];
  const wrong = origins.find((origin) => !ORIGIN.test(origin));
  if (wrong !== undefined) throw new Error(`registered_origins must be origins such as https://shop.example: ${wrong}`);
  if (origins.length > MOST_ORIGINS) throw new Error(`registered_origins takes at most ${MOST_ORIGINS} origins`);
  const db = tools.db.tenant(merchant_account_id);
  await updateSettings(db, settings);
  for (const key of await listKeys(db)) if (key.revoked_at === null) await pushKey(tools, key.digest, key.id);
}
