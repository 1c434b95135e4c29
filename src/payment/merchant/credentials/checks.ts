// Credentials that prove messages of a provider. They are sent nowhere, so the vault has none of them. Two values are
// valid while one replaces the other: the new one is added here, then at the provider, and then the older is removed.
import { refuseField } from '../../../core/refusals.ts';
import { seal } from '../../../kit/crypto.ts';
import { type TenantRunner, withTransaction } from '../../../kit/database.ts';
import { checkSealing, contractSealing } from '../../sealings.ts';
import type { Tools } from '../../tools.ts';
import { EARLIER, earlierIn } from './earlier.ts';
import { openTexts } from './sealed.ts';
import { type SealedRow, findSealed, lockSealed, updateChecks } from './store.ts';

/** The values by name, the newest first. */
export type Checks = Readonly<Record<string, readonly string[]>>;

const MOST_VALUES = 2;

type Change = {
  readonly contract_id: string;
  /** The row, locked. */
  readonly row: SealedRow | undefined;
  /** Null: the older of two goes, or the only one. */
  readonly values: Readonly<Record<string, string | null>>;
};

export async function changeChecks(
  tools: Tools,
  tx: TenantRunner,
  { contract_id, row, values }: Change,
): Promise<void> {
  const sealing = checkSealing(tools.secret_key, tx.merchant_account_id, contract_id);
  const checks = new Map(Object.entries(checksOf(openTexts(row?.checks_sealed ?? null, sealing))));
  const times = new Map(Object.entries(row?.checks_set ?? {}));
  const now = tools.clock.now().toISOString();
  for (const [name, value] of Object.entries(values)) {
    const before = (checks.get(name) ?? []).map((one, i) => ({ value: one, at: times.get(name)?.[i] ?? now }));
    const after =
      value === null ? before.slice(0, -1) : [{ value, at: now }, ...before.filter((o) => o.value !== value)];
    if (after.length > MOST_VALUES)
      throw refuseField(`values.${name}`, 'parameter_invalid', 'has two values already: remove the older one first');
    checks.set(
      name,
      after.map((one) => one.value),
    );
    times.set(
      name,
      after.map((one) => one.at),
    );
    if (after.length === 0) for (const map of [checks, times]) map.delete(name);
  }
  const plain = Buffer.from(JSON.stringify(Object.fromEntries(checks)));
  await updateChecks(tx, {
    contract_id,
    checks_sealed: seal(plain, tools.chance.bytes(12), sealing),
    checks_set: Object.fromEntries(times),
  });
}

type Whose = { readonly merchant_account_id: string; readonly contract_id: string };

/** All that may prove a message of this contract, or name its account: what is sent, too. */
export async function findProofs(tools: Tools, { merchant_account_id, contract_id }: Whose): Promise<Checks> {
  const row = await findSealed(tools.db.tenant(merchant_account_id), contract_id);
  if (!row) return {};
  const sent = openTexts(row.credentials_sealed, contractSealing(tools.secret_key, merchant_account_id, contract_id));
  const checks = openTexts(row.checks_sealed, checkSealing(tools.secret_key, merchant_account_id, contract_id));
  return { ...sentProofs(sent), ...checksOf(checks) };
}

/** Messages about what began under an earlier account of the contract name that one. */
function sentProofs({ [EARLIER]: list, ...now }: Readonly<Record<string, unknown>>): Checks {
  const proofs = new Map(Object.entries(checksOf(now)));
  for (const { values } of earlierIn({ [EARLIER]: list }).toReversed())
    for (const [name, value] of Object.entries(values)) proofs.set(name, [...(proofs.get(name) ?? []), value]);
  return Object.fromEntries(proofs);
}

/** The newest value, made and kept where there is none yet. */
export async function keepCheck(tools: Tools, whose: Whose & { readonly name: string }): Promise<string> {
  const { merchant_account_id, contract_id, name } = whose;
  return withTransaction(tools.db, merchant_account_id, async (tx) => {
    const row = await lockSealed(tx, contract_id);
    const sealing = checkSealing(tools.secret_key, merchant_account_id, contract_id);
    const [known] = checksOf(openTexts(row?.checks_sealed ?? null, sealing))[name] ?? [];
    if (known !== undefined) return known;
    const fresh = tools.chance.bytes(32).toString('hex');
    await changeChecks(tools, tx, { contract_id, row, values: { [name]: fresh } });
    return fresh;
  });
}

function checksOf(said: Readonly<Record<string, unknown>>): Checks {
  return Object.fromEntries(
    Object.entries(said).map(([name, value]) => [
      name,
      (Array.isArray(value) ? value : [value]).filter((one): one is string => typeof one === 'string'),
    ]),
  );
}
