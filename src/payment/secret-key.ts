// The money zone's own key (vault.md 4): seals what must be read again and is not card data, such as the tokens of saved cards.
// One file of one value, apart from the vault's components: neither zone reads the other's.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Chance } from '../kit/clock.ts';
import { StartError } from '../kit/start-error.ts';

const FILE = 'payment-key.json';

/** Reads the 256-bit key. A sandbox makes it at its first start; production never does. */
export function loadSecretKey(options: {
  readonly folder: string;
  readonly environment: 'sandbox' | 'production';
  readonly chance: Chance;
}): Buffer {
  const { folder, environment, chance } = options;
  const path = join(folder, FILE);
  if (!existsSync(path)) {
    if (environment === 'production')
      throw new StartError(
        `The money zone needs its key file ${path}. Put it back: without it the tokens of saved cards cannot be listed.`,
      );
    makeFile(path, { folder, environment, key: chance.bytes(32) });
  }
  const [found, key] = readFile(path);
  if (found !== environment)
    throw new StartError(
      `The key file ${path} is that of another deployment; this one is ${environment}. Set FLORIN_DATA_DIR to its own folder.`,
    );
  return key;
}

function makeFile(path: string, { folder, environment, key }: { folder: string; environment: string; key: Buffer }) {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  try {
    writeFileSync(path, `${JSON.stringify({ environment, key: key.toString('hex') })}\n`, { mode: 0o400, flag: 'wx' });
  } catch (error) {
    // another process of the same deployment was quicker: its key is the one
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  }
}

function readFile(path: string): readonly [environment: string, key: Buffer] {
  const damaged = new StartError(
    `The key file ${path} is damaged. Restore it from its backup: without it the tokens of saved cards cannot be listed.`,
  );
  try {
    const value: unknown = JSON.parse(readFileSync(path, 'utf8'));
    if (typeof value !== 'object' || value === null || !('environment' in value) || !('key' in value)) throw damaged;
    const { environment, key } = value;
    if (typeof environment !== 'string' || typeof key !== 'string' || !/^[0-9a-f]{64}$/.test(key)) throw damaged;
    return [environment, Buffer.from(key, 'hex')];
  } catch (error) {
    if (error instanceof SyntaxError) throw damaged;
    throw error;
  }
}
