// The money zone's own key: seals what must be read again and is not card data, such as the tokens of saved cards.
// One file of one value, apart from the vault's components: neither zone reads the other's. All processes of the zone
// share it, and the database knows a check value of it, so that none works with another one (docs/decisions/0053).
import type { KeyObject } from 'node:crypto';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Chance } from '../kit/clock.ts';
import { type Sealing, deriveKey, open, secretKey } from '../kit/crypto.ts';
import type { Runner } from '../kit/database.ts';
import { keepNames, makeFolder, writeKept } from '../kit/kept-file.ts';
import type { Log } from '../kit/log.ts';
import { StartError, whyNot } from '../kit/start-error.ts';
import {
  checkSealing,
  contractSealing,
  endpointSealing,
  savedCardSealing,
  signOnSealing,
  totpSealing,
} from './sealings.ts';
import { type SealedSample, findKeyCheck, findSealedSamples, keepKeyCheck } from './store.ts';

const FILE = 'payment-key.json';
/** Sealed values of each kind that a key is tried on, from either end. */
const SAMPLES = 5;

type Place = { readonly data_dir: string; readonly environment: 'sandbox' | 'production' };

const pathIn = (data_dir: string) => join(data_dir, 'keys', FILE);

/**
 * The 256-bit key that fits this database. StartError: there is none, it is of the other environment, or not the one
 * the database's sealed values belong to. The first start of a sandbox makes it; production never does.
 */
export async function openSecretKey(
  { db, log, chance }: { readonly db: Runner; readonly log: Log; readonly chance: Chance },
  place: Place,
): Promise<KeyObject> {
  const path = pathIn(place.data_dir);
  const known = await findKeyCheck(db);
  const samples = known === undefined ? await findSealedSamples(db, SAMPLES) : [];
  const is_new = !existsSync(path);
  if (is_new) {
    if (known !== undefined || samples.length > 0) throw lost(path);
    if (place.environment === 'production') throw missing(path);
  }
  const made = is_new && makeFile(path, { ...place, key: chance.bytes(32) });
  const key = readKeyFile(path, place);
  if (samples.length > 0) requireOpens(samples, { key, path, log });
  const check = checkOf(key, place);
  if ((known ?? (await keepKeyCheck(db, check))) === check) return key;
  // another process with a folder of its own was first: what was made here sealed nothing
  if (made) rmSync(path);
  throw foreign(path);
}

/**
 * Makes the key file of a new deployment: what `florin make-keys payment` does in production. StartError: there is one
 * already.
 */
export function makeFirstKey({ data_dir, environment }: Place, chance: Chance): string {
  const path = pathIn(data_dir);
  if (existsSync(path) || !makeFile(path, { data_dir, environment, key: chance.bytes(32) }))
    throw new StartError(`There is a key file ${path} already, and it is never replaced.`);
  return path;
}

/** The problem of the key file, for the doctor; undefined: it fits. Nothing is made or stored. */
export function keyProblem(place: Place, check_value: string | undefined): string | undefined {
  const path = pathIn(place.data_dir);
  if (!existsSync(path)) return check_value === undefined ? undefined : lost(path).message;
  try {
    const check = checkOf(readKeyFile(path, place), place);
    return check_value === undefined || check === check_value ? undefined : foreign(path).message;
  } catch (error) {
    if (error instanceof StartError) return error.message;
    throw error;
  }
}

/** Says nothing of the key, and is another one for every key and environment. */
function checkOf(key: KeyObject, { environment }: Place): string {
  return deriveKey(key, environment, "check value of the money zone's key").toString('hex');
}

/**
 * A database of a version that kept no check value: the key must open something of what is sealed there. Where hosts
 * with keys of their own have worked on one database before, each opens its own rows only: the first to start wins, and
 * the log says what is lost.
 */
function requireOpens(
  samples: readonly SealedSample[],
  { key, path, log }: { readonly key: KeyObject; readonly path: string; readonly log: Log },
): void {
  const closed = samples.filter((sample) => !opens(sample, key));
  if (closed.length === samples.length) throw foreign(path);
  for (const { kind, merchant_account_id } of closed)
    log.error({ kind, merchant_account_id }, 'a value is sealed under another key than this one: it must be set again');
}

function opens(sample: SealedSample, key: KeyObject): boolean {
  try {
    open(Buffer.from(sample.sealed, 'hex'), sealingOf(sample, key)).fill(0);
    return true;
  } catch {
    return false;
  }
}

function sealingOf({ kind, merchant_account_id, whose }: SealedSample, key: KeyObject): Sealing {
  const account = merchant_account_id ?? '';
  switch (kind) {
    case 'saved card':
      return savedCardSealing(key, account, whose);
    case 'endpoint':
      return endpointSealing(key, account, whose);
    case 'contract':
      return contractSealing(key, account, whose);
    case 'checks':
      return checkSealing(key, account, whose);
    case 'person':
      return totpSealing(key, whose);
    case 'sign-on':
      return signOnSealing(key, account);
  }
}

const LOSS =
  'without it the tokens of saved cards, the secrets of endpoints and the credentials of contracts cannot be read';

function missing(path: string): StartError {
  return new StartError(
    `The money zone needs its key file ${path}. Put it back: ${LOSS}. A new deployment makes it once, with florin make-keys payment, and copies it to its other hosts.`,
  );
}

function lost(path: string): StartError {
  return new StartError(
    `The key file ${path} is missing, and this database was used with one before. Restore it from its backup, or copy it from another payment or worker host: ${LOSS}. No new one is made.`,
  );
}

function foreign(path: string): StartError {
  return new StartError(
    `The key file ${path} is not the one this database is used with. Restore that one from its backup, or copy it from the payment host that was started first: all payment and worker hosts share one, and ${LOSS}.`,
  );
}

/** False: another process of the same folder was quicker; its key is the one. */
function makeFile(path: string, { environment, key }: Place & { readonly key: Buffer }): boolean {
  makeFolder(dirname(path), 0o700);
  try {
    writeKept(path, `${JSON.stringify({ environment, key: key.toString('hex') })}\n`, 0o400);
    keepNames(dirname(path));
    return true;
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
    return false;
  }
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new StartError(`The key file ${path} cannot be read: ${whyNot(error)}`);
  }
}

function readKeyFile(path: string, place: Place): KeyObject {
  const damaged = new StartError(`The key file ${path} is damaged. Restore it from its backup: ${LOSS}.`);
  try {
    const value: unknown = JSON.parse(textOf(path));
    if (typeof value !== 'object' || value === null || !('environment' in value) || !('key' in value)) throw damaged;
    const { environment, key } = value;
    if (typeof environment !== 'string' || typeof key !== 'string' || !/^[0-9a-f]{64}$/.test(key)) throw damaged;
    if (environment !== place.environment)
      throw new StartError(
        `The key file ${path} is that of another deployment; this one is ${place.environment}. Set FLORIN_DATA_DIR to its own folder.`,
      );
    return secretKey(Buffer.from(key, 'hex'));
  } catch (error) {
    if (error instanceof SyntaxError) throw damaged;
    throw error;
  }
}
