// The demo merchant account of a sandbox: an account, a contract with each simulated provider, one key of each kind.
import { DEFAULT_RULES } from '../../core/risk/default-rules.ts';
import type { Rule } from '../../core/risk/rules.ts';
import { sha256 } from '../../kit/crypto.ts';
import type { Tools } from '../tools.ts';
import { changeSettings } from './change-settings.ts';
import { subscribeSimulator } from './credentials/simulated.ts';
import { keepKey, revokeKey } from './keys.ts';
import type { Settings } from './settings.ts';
import { insertContract } from './contract-store.ts';
import { insertAccount, listKeys } from './store.ts';

const LABEL = 'demo';
/** The demo account's contracts, in the order in which they are tried. */
const CONTRACTS = ['simulator', 'simulator_b'];

export type DemoKeys = { readonly private_key: string; readonly public_key: string };

type Demo = DemoKeys & {
  readonly name?: string;
  readonly settings?: Partial<Settings>;
  /** The risk rules of a new account; absent: those that every new account starts with. */
  readonly rules?: readonly Rule[];
};

/** Makes or brings up to date a demo account; keys it had before and that are not these are revoked. */
export async function seedDemo(tools: Tools, merchant_account_id: string, demo: Demo): Promise<void> {
  const keys = { private_key: demo.private_key, public_key: demo.public_key };
  const db = tools.db.tenant(merchant_account_id);
  await insertAccount(db, { name: demo.name ?? 'Demo shop', rules: demo.rules ?? DEFAULT_RULES, by: 'florin' });
  for (const [at, name] of CONTRACTS.entries())
    await insertContract(db, { id: tools.chance.id(), name, provider: name, priority: at + 1 });
  await subscribeSimulator(tools, merchant_account_id);
  for (const { name, can } of tools.providers.values())
    if (can.psp_token && CONTRACTS.includes(name)) await tools.vault.putPartner({ merchant_account_id, name });
  const wanted = new Set([sha256(keys.private_key), sha256(keys.public_key)]);
  for (const key of await listKeys(db))
    if (key.revoked_at === null && key.label === LABEL && !wanted.has(key.digest))
      await revokeKey(tools, merchant_account_id, { id: key.id });
  await keepKey(tools, merchant_account_id, { text: keys.private_key, kind: 'private', label: LABEL });
  await keepKey(tools, merchant_account_id, { text: keys.public_key, kind: 'public', label: LABEL });
  if (demo.settings) await changeSettings(tools, merchant_account_id, demo.settings);
}
