// The credentials of a merchant's contracts with providers, as the vault keeps and uses them: filled into the pinned
// headers and places of a step here, for cards that belong to the same account as the contract.
import { FreshCache } from '../../kit/cache.ts';
import type { Clock } from '../../kit/clock.ts';
import { areComplete } from '../../provider/send/call.ts';
import { type Carrying, type Credentials, secretsOf } from '../../provider/send/secret.ts';
import { RecordUnreadable, contractPlace, keyIdOf, openRecord, sealRecord } from '../keys/record.ts';
import type { VaultTools } from '../tools.ts';
import { type ContractKey, findCredentials, putCredentials } from './store.ts';

export type ContractCredentials = ContractKey & { readonly values: Credentials };

type Tools = Pick<VaultTools, 'db' | 'keys' | 'chance' | 'audit' | 'contracts' | 'log'>;

/** Other processes of the vault see a change within this time. */
const FRESH_MS = 700;
const TRIES = 3;

/** A cache in which this process keeps the credentials of contracts for a moment. */
export function contractCache(clock: Clock): FreshCache<Credentials> {
  return new FreshCache<Credentials>({ clock, fresh_ms: FRESH_MS, max: 10_000 });
}

/** Replaces all credentials of the contract. False: it is not this account's contract. */
export async function keepCredentials(tools: Tools, { values, ...of }: ContractCredentials): Promise<boolean> {
  const { contract_id, merchant_account_id, destination } = of;
  const plain = Buffer.from(JSON.stringify(values));
  try {
    for (let tries = 0; tries < TRIES; tries++) {
      const key = await tools.keys.card(merchant_account_id);
      const credentials_sealed = sealRecord(plain, tools.chance.bytes(12), { key, place: contractPlace(of) });
      const kept = await tools.db.begin(undefined, async (tx) => {
        if (!(await putCredentials(tx, { ...of, credentials_sealed, data_key_id: key.id }))) return false;
        const detail = { merchant_account_id, destination, names: Object.keys(values).toSorted().join() };
        await tools.audit.write(tx, { action: 'contract credentials set', object: contract_id, detail });
        return true;
      });
      tools.contracts.forget(cacheKey(of));
      if (kept) return true;
      tools.keys.refresh();
    }
    return false;
  } finally {
    plain.fill(0);
  }
}

/**
 * The credentials of its contract that a call of this step carries. Undefined: a necessary one was never given, so the
 * call cannot be made.
 */
export async function credentialsOf(
  tools: Tools,
  asked: Omit<ContractKey, 'contract_id'> & { readonly contract_id: string | null },
  step: Carrying,
): Promise<Credentials | undefined> {
  if (secretsOf(step).length === 0) return NONE;
  const { contract_id, ...rest } = asked;
  const known = contract_id === null ? NONE : await findCredentialsOf(tools, { ...rest, contract_id });
  return areComplete(step, known) ? known : undefined;
}

const NONE: Credentials = {};

/** A key of all three, so that what is cached for one account or provider is never used for another. */
const cacheKey = (of: ContractKey) => [of.contract_id, of.merchant_account_id, of.destination].join(' ');

/** All of them; none where none were given. */
export async function findCredentialsOf(
  tools: Tools,
  { contract_id, merchant_account_id, destination }: ContractKey,
): Promise<Credentials> {
  const of = { contract_id, merchant_account_id, destination };
  return (await tools.contracts.get(cacheKey(of), () => load(tools, of))) ?? NONE;
}

async function load(tools: Tools, of: ContractKey): Promise<Credentials> {
  const sealed = await findCredentials(tools.db, of);
  if (sealed === undefined) return NONE;
  const record = Buffer.from(sealed, 'hex');
  try {
    const key = await tools.keys.cardById(keyIdOf(record), of.merchant_account_id);
    const plain = openRecord(record, { key, place: contractPlace(of) });
    const said: unknown = JSON.parse(plain.toString('utf8'));
    plain.fill(0);
    const entries = Object.entries(typeof said === 'object' && said !== null ? said : {});
    return Object.fromEntries(entries.flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : [])));
  } catch (error) {
    if (!(error instanceof RecordUnreadable)) throw error;
    // the record was moved or changed: as if none were given
    const detail = { merchant_account_id: of.merchant_account_id };
    await tools.audit.note(tools.db, {
      action: 'record failed to open',
      object: of.contract_id,
      result: 'refused',
      detail,
    });
    tools.log.error({ contract_id: of.contract_id, error: String(error) }, "a contract's credentials cannot be opened");
    return NONE;
  }
}
