// Reads and changes the settings of a merchant account (contract 1.3), here and at the vault. Every process sees a
// change within a second.
import { JsonNumber, type JsonValue } from '../../core/json.ts';
import { refuseProblems } from '../../core/refusals.ts';
import { type Read, Reading, readShape } from '../../core/shape.ts';
import { type TenantRunner, withTransaction } from '../../kit/database.ts';
import type { Tools } from '../tools.ts';
import { pushKey } from './keys.ts';
import { DEFAULT_SETTINGS, SETTINGS_SHAPE, type Settings, problemsTogether } from './settings.ts';
import { findSettings, listKeys, lockAccount, updateSettings } from './store.ts';

/** Every setting of an account, defaults included. */
export async function readSettings(tools: Pick<Tools, 'db'>, merchant_account_id: string): Promise<Settings> {
  return wholeSettings(tools.db.tenant(merchant_account_id));
}

async function wholeSettings(db: TenantRunner): Promise<Settings> {
  const row = await findSettings(db);
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
  await withTransaction(tools.db, merchant_account_id, (tx) => storeSettings(tx, changes));
  await tellVault(tools, merchant_account_id);
  return readSettings(tools, merchant_account_id);
}

export type SettingsChange = { readonly before: Settings; readonly after: Settings };

/** The first half: checked and stored, in the transaction `tx`. Another change of the account's waits for its end. */
export async function storeSettings(
  tx: TenantRunner,
  changes: Readonly<Record<string, unknown>>,
): Promise<SettingsChange> {
  const reading = new Reading(false);
  const object = new Map(Object.entries(changes).map(([name, value]) => [name, jsonOf(value)] as const));
  const read: Partial<Read<typeof SETTINGS_SHAPE>> = readShape(SETTINGS_SHAPE, object, { reading });
  for (const name of reading.ignored) reading.refuse(name, 'is no setting');
  const reset = Object.fromEntries(
    Object.entries(DEFAULT_SETTINGS).filter(([name]) => object.get(name) === null || object.get(name) === ''),
  );
  refuseIn(reading);
  // without it, settings that do not go together come in by two changes at once, and the audit takes one for the other
  await lockAccount(tx);
  const before = await wholeSettings(tx);
  const after = { ...before, ...reset, ...read };
  for (const { field, message } of problemsTogether(after)) reading.refuse(field, message);
  refuseIn(reading);
  await updateSettings(tx, { ...reset, ...read });
  return { before, after };
}

function refuseIn({ problems }: Reading): void {
  const refusal = refuseProblems(problems);
  if (refusal) throw refusal;
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
