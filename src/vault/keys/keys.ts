// The keys of the card zone (vault.md 4): a key-encryption key from two component files, data keys per merchant wrapped by it
// in the database, fingerprint keys derived per merchant. No key is ever written in clear but the components themselves.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Chance } from '../../kit/clock.ts';
import { deriveKey, open, seal, sha256 } from '../../kit/crypto.ts';
import type { Database } from '../../kit/database.ts';
import { StartError } from '../../kit/start-error.ts';
import { type DataKeyRow, findDataKey, insertDataKey } from './store.ts';

export type Kek = { readonly ref: string; readonly key: Uint8Array };

type Component = {
  readonly environment: string;
  readonly id: string;
  readonly component: string;
  readonly check: string;
};

const FILES = ['vault-component-1.json', 'vault-component-2.json'] as const;

/**
 * Reads the two components and combines them: each is a full-length 256-bit value, so one alone says nothing (PCI DSS
 * 3.6.1.2). A sandbox makes them at its first start; production never does.
 */
export function loadKek(options: { folder: string; environment: 'sandbox' | 'production'; chance: Chance }): Kek {
  const paths = FILES.map((name) => join(options.folder, name));
  const there = paths.filter((path) => existsSync(path));
  if (there.length === 0 && options.environment === 'sandbox') makeComponents(paths, options);
  else if (there.length < paths.length)
    throw new StartError(
      `The vault needs both key files, ${paths.join(' and ')}; ${paths.length - there.length} missing. Put them back: without them no stored card can be read.`,
    );
  const components = paths.map(readComponent);
  const key = Buffer.alloc(32);
  for (const { component, environment } of components) {
    if (environment !== options.environment)
      throw new StartError(
        `The key files in ${options.folder} are those of a ${environment} deployment; this one is ${options.environment}. Set FLORIN_DATA_DIR to its own folder.`,
      );
    Buffer.from(component, 'hex').forEach((byte, index) => (key[index] = (key[index] ?? 0) ^ byte));
  }
  const [first, second] = components;
  if (!first || first.id !== second?.id || first.check !== checkOf(key))
    throw new StartError(
      `The key files in ${options.folder} do not belong together. Restore both from the same backup.`,
    );
  return { ref: first.id, key };
}

function makeComponents(
  paths: readonly string[],
  { folder, environment, chance }: { folder: string; environment: string; chance: Chance },
): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const parts = paths.map(() => chance.bytes(32));
  const key = Buffer.alloc(32);
  for (const part of parts) part.forEach((byte, index) => (key[index] = (key[index] ?? 0) ^ byte));
  const id = chance.id();
  paths.forEach((path, index) => {
    const component: Component = {
      environment,
      id,
      component: parts[index]?.toString('hex') ?? '',
      check: checkOf(key),
    };
    writeFileSync(path, `${JSON.stringify(component)}\n`, { mode: 0o400, flag: 'wx' });
  });
}

function readComponent(path: string): Component {
  try {
    const value: unknown = JSON.parse(readFileSync(path, 'utf8'));
    if (isComponent(value)) return value;
  } catch (error) {
    if (!(error instanceof SyntaxError))
      throw new StartError(
        `The key file ${path} cannot be read: ${String(error)}. Give this user the right to read it.`,
      );
  }
  throw new StartError(
    `The key file ${path} is damaged. Restore it from its backup: without it no stored card can be read.`,
  );
}

function isComponent(value: unknown): value is Component {
  if (typeof value !== 'object' || value === null) return false;
  const texts = ['environment', 'id', 'component', 'check'].map(
    (name) => Object.entries(value).find(([key]) => key === name)?.[1],
  );
  return texts.every((text) => typeof text === 'string') && /^[0-9a-f]{64}$/.test(String(texts[2]));
}

/** Says whether a combined key is the right one without saying anything of it. */
function checkOf(key: Uint8Array): string {
  return sha256(deriveKey(key, 'check', 'key check value')).slice(0, 16);
}

export type DataKey = { readonly id: bigint; readonly key: Uint8Array };

/** Data keys in memory, unwrapped once a process. */
export class DataKeys {
  private readonly db: Database;
  private readonly kek: Kek;
  private readonly chance: Chance;
  private readonly environment: string;
  private readonly known = new Map<string, Promise<DataKey>>();

  constructor(options: { db: Database; kek: Kek; chance: Chance; environment: string }) {
    this.db = options.db;
    this.kek = options.kek;
    this.chance = options.chance;
    this.environment = options.environment;
  }

  /** The active key for a merchant's cards. */
  card(merchant_account_id: string): Promise<DataKey> {
    return this.once(`card ${merchant_account_id}`, () => this.active('card', merchant_account_id));
  }

  /** The key a merchant's card numbers are fingerprinted with; its id is that of the root it is derived from. */
  fingerprint(merchant_account_id: string): Promise<DataKey> {
    return this.once(`fingerprint ${merchant_account_id}`, async () => {
      const root = await this.once('fingerprint root', () => this.active('fingerprint', null));
      return { id: root.id, key: deriveKey(root.key, merchant_account_id, 'fingerprint') };
    });
  }

  private once(name: string, load: () => Promise<DataKey>): Promise<DataKey> {
    const known = this.known.get(name);
    if (known) return known;
    const key = load();
    this.known.set(name, key);
    key.catch(() => this.known.delete(name));
    return key;
  }

  private async active(purpose: 'card' | 'fingerprint', merchant_account_id: string | null): Promise<DataKey> {
    const found = await findDataKey(this.db, purpose, merchant_account_id);
    if (found) return this.unwrap(found, purpose, merchant_account_id);
    const wrapped = seal(this.chance.bytes(32), this.chance.bytes(12), {
      key: this.kek.key,
      aad: this.aad(purpose, merchant_account_id, 1),
    });
    await insertDataKey(this.db, { purpose, merchant_account_id, version: 1, kek_ref: this.kek.ref, wrapped });
    const made = await findDataKey(this.db, purpose, merchant_account_id);
    if (!made) throw new Error('a data key that was just stored is there');
    return this.unwrap(made, purpose, merchant_account_id);
  }

  private unwrap(row: DataKeyRow, purpose: string, merchant_account_id: string | null): DataKey {
    if (row.kek_ref !== this.kek.ref)
      throw new StartError('The vault database was sealed under other key files. Restore the files that belong to it.');
    return {
      id: row.id,
      key: open(Buffer.from(row.wrapped, 'hex'), {
        key: this.kek.key,
        aad: this.aad(purpose, merchant_account_id, row.version),
      }),
    };
  }

  private aad(purpose: string, merchant_account_id: string | null, version: number): string {
    return `dek|${this.environment}|${purpose}|${merchant_account_id ?? ''}|${version}`;
  }
}
