// The checks before the first card is sealed: the machine computes correctly, the key provider gives back what it
// wrapped, and everything in the database was wrapped by keys that are here, in this environment.
import type { Chance, Clock } from '../../kit/clock.ts';
import type { Database } from '../../kit/database.ts';
import type { Log } from '../../kit/log.ts';
import { StartError } from '../../kit/start-error.ts';
import type { Auditor } from '../audit/audit.ts';
import { type KeyProvider, KeysSealed } from './provider.ts';
import { runSelfTests } from './self-test.ts';
import { type DataKeyRow, findDataKeys, getKeyEpoch, setFirstKek } from './store.ts';

export type KeyTools = {
  readonly db: Database;
  readonly provider: KeyProvider;
  readonly environment: 'sandbox' | 'production';
  readonly clock: Clock;
  readonly chance: Chance;
  readonly audit: Auditor;
  readonly log: Log;
};

/**
 * False: the keys are out of reach now, and the process runs sealed. StartError: what must be fixed, by the name of the
 * test.
 */
export async function openKeys(tools: KeyTools, unwrap: (root: DataKeyRow) => Promise<unknown>): Promise<boolean> {
  const { db, provider, audit } = tools;
  const name = runSelfTests(tools.environment);
  if (name !== undefined) throw await failed(tools, name);
  try {
    const kek_ref = await wrappingKek(tools);
    if (!(await provider.knows(kek_ref)))
      throw new StartError(
        `The vault database was sealed under other keys (${kek_ref}). Restore the key files, or the key, that belong to it.`,
      );
    await testProvider(tools, kek_ref);
    await testRoot(tools, unwrap);
    await audit.note(db, { action: 'key loaded', object: kek_ref, detail: { provider: provider.name } });
    return true;
  } catch (error) {
    if (!(error instanceof KeysSealed)) throw error;
    tools.log.error({ error: String(error.cause) }, 'the vault is sealed: its keys are out of reach now');
    return false;
  }
}

/** The key-encryption key that wraps now; a database that has none takes the provider's newest. */
export async function wrappingKek({ db, provider }: KeyTools): Promise<string> {
  const { kek_ref } = await getKeyEpoch(db);
  if (kek_ref !== null) return kek_ref;
  // looks where keys are kept: they may be reached now, although they were not when this process began
  await provider.knows('');
  await setFirstKek(db, provider.newest());
  return (await getKeyEpoch(db)).kek_ref ?? provider.newest();
}

/** Tests that the provider unwraps what it wraps, bound to its place. */
async function testProvider(tools: KeyTools, kek_ref: string): Promise<void> {
  const { provider, chance, environment } = tools;
  const plain = chance.bytes(32);
  const wrapped = await provider.wrap(plain, `test|${environment}`, kek_ref);
  const again = await provider.unwrap(wrapped, `test|${environment}`, kek_ref);
  const elsewhere = await provider.unwrap(wrapped, 'test|elsewhere', kek_ref).then(
    () => true,
    (error: unknown) => {
      if (error instanceof KeysSealed) throw error;
      return false;
    },
  );
  if (!again.equals(plain) || elsewhere) throw await failed(tools, 'key provider');
}

async function testRoot({ db, environment }: KeyTools, unwrap: (root: DataKeyRow) => Promise<unknown>): Promise<void> {
  const [root] = await findDataKeys(db, 'fingerprint', null);
  if (!root) return;
  await unwrap(root).catch((error: unknown) => {
    if (error instanceof KeysSealed) throw error;
    throw new StartError(
      `The vault database was sealed under other keys, or in another environment than ${environment}. Restore the keys that belong to it.`,
      { cause: error },
    );
  });
}

async function failed({ db, audit }: KeyTools, name: string): Promise<StartError> {
  await audit.note(db, { action: 'self-test failed', object: name, result: 'failed' });
  return new StartError(
    `The vault does not start: its self-test "${name}" failed. Do not use this machine, or this key provider, for cards.`,
  );
}

export type WrapPlace = Pick<DataKeyRow, 'purpose' | 'merchant_account_id' | 'version'>;

/**
 * The facts that a wrapped data key is bound to: copied to another row, merchant, version or environment it does not
 * unwrap.
 */
export function wrapAad(environment: string, { purpose, merchant_account_id, version }: WrapPlace): string {
  return `dek|${environment}|${purpose}|${merchant_account_id ?? ''}|${version}`;
}
