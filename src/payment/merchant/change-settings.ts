// Reads and changes the settings of a merchant account (contract 1.3), here and at the vault. Every process sees a
// change within a second.
import { JsonNumber, type JsonValue } from '../../core/json.ts';
import { refuseProblems } from '../../core/refusals.ts';
import { type Read, Reading, readShape } from '../../core/shape.ts';
import type { TenantRunner } from '../../kit/database.ts';
import type { Tools } from '../tools.ts';
import { pushKey } from './keys.ts';
import { DEFAULT_SETTINGS, SETTINGS_SHAPE, type Settings, problemsTogether } from './settings.ts';
import { findSettings, listKeys, updateSettings } from './store.ts';

/** Every setting of an account, defaults included. */
export async function readSettings(tools: Pick<Tools, 'db'>, merchant_account_id: string): Promise<Settings> {
  const row = await findSettings(tools.db.tenant(merchant_account_id));
  return { ...DEFAULT_SETTINGS, ...row?.settings };
}

/**
 * Changes what is named and leaves the rest; null or "" goes back to the default. Throws a Refusal with every problem
 * at once, unknown names included; then nothing has changed. What failed half way is repeated whole.
 */
export async function changeSettings(
  tools: Pick<Tools, 'db' | 'vault'>,
  merchant_account_id: string,
  changes: Readonly<Record<string, unknown>>,
): Promise<Settings> {
  await storeSettings(tools.db.tenant(merchant_account_id), changes);
  await tellVault(tools, merchant_account_id);
  return readSettings(tools, merchant_account_id);
}

/** The first half: checked and stored. */
export async function storeSettings(db: TenantRunner, changes: Readonly<Record<string, unknown>>): Promise<void> {
  const reading = new Reading(false);
  const object = new Map(Object.entries(changes).map(([name, value]) => [name, jsonOf(value)] as const));
  const read: Partial<Read<typeof SETTINGS_SHAPE>> = readShape(SETTINGS_SHAPE, object, { reading });
  for (const name of reading.ignored) reading.refuse(name, 'is no setting');
  const reset = Object.fromEntries(
    Object.entries(DEFAULT_SETTINGS).filter(([name]) => object.get(name) === null || object.get(name) === ''),
  );
  if (reading.problems.length === 0) {
    const row = await findSettings(db);
    const whole = { ...DEFAULT_SETTINGS, ...row?.settings, ...reset, ...read };
    for (const { field, message } of problemsTogether(whole)) reading.refuse(field, message);
  }
  const refusal = refuseProblems(reading.problems);
  if (refusal) throw refusal;
  await updateSettings(db, { ...reset, ...read });
}

/** The second half: the vault goes by some of them too. */
export async function tellVault(tools: Pick<Tools, 'db' | 'vault'>, merchant_account_id: string): Promise<void> {
  for (const key of await listKeys(tools.db.tenant(merchant_account_id)))
    if (key.revoked_at === null) await pushKey(tools, key.digest, key.id);
}

/** A value as a request would have brought it; what JSON has not is no value of any setting. */
function jsonOf(value: unknown): JsonValue {
  if (typeof value === 'number') return new JsonNumber(String(value));
  if (Array.isArray(value)) return value.map(jsonOf);
  return typeof value === 'string' || typeof value === 'boolean' || value === null ? value : '?';
}
