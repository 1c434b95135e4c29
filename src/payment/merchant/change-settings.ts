// Reads and changes the settings of a merchant account. What the vault must know of them is told first: a change that failed
// half way is repeated whole.
import type { JsonObject } from '../../core/json.ts';
import { refuseProblems } from '../../core/refusals.ts';
import { type Read, Reading, readShape } from '../../core/shape.ts';
import type { Tools } from '../tools.ts';
import { DEFAULT_SETTINGS, SETTINGS_SHAPE, type Settings } from './settings.ts';
import { findSettings, updateSettings } from './store.ts';

/** Every setting of an account, defaults included. */
export async function readSettings(tools: Tools, merchant_account_id: string): Promise<Settings> {
  const row = await findSettings(tools.db.tenant(merchant_account_id));
  return { ...DEFAULT_SETTINGS, ...row?.settings };
}

/**
 * Changes what is named and leaves the rest; a text that is null or "" goes back to its default. Throws a Refusal with every
 * problem at once, unknown names included; then nothing has changed.
 */
export async function changeSettings(
  tools: Tools,
  merchant_account_id: string,
  changes: JsonObject,
): Promise<Settings> {
  const reading = new Reading(tools.environment === 'production');
  const read: Partial<Read<typeof SETTINGS_SHAPE>> = readShape(SETTINGS_SHAPE, changes, { reading });
  for (const name of reading.ignored) reading.refuse(name, 'is no setting');
  const refusal = refuseProblems(reading.problems);
  if (refusal) throw refusal;
  const reset = Object.fromEntries(
    Object.entries(DEFAULT_SETTINGS).filter(([name]) => changes.get(name) === null || changes.get(name) === ''),
  );
  const changed = { ...(await readSettings(tools, merchant_account_id)), ...reset, ...read };
  const { page_inputs, registered_origins } = changed;
  await tools.vault.putPageRules({ merchant_account_id, page_inputs, registered_origins });
  await updateSettings(tools.db.tenant(merchant_account_id), { ...reset, ...read });
  return changed;
}
