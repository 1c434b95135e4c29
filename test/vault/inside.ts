// The inside of a world's vault: its database under its own role, its keys, and what a rotation works with.
import { join } from 'node:path';
import { inject } from 'vitest';
import { systemChance, systemClock } from '../../src/kit/clock.ts';
import { type Database, openDatabase } from '../../src/kit/database.ts';
import { openLog } from '../../src/kit/log.ts';
import { auditor } from '../../src/vault/audit/audit.ts';
import { fileProvider } from '../../src/vault/keys/file-provider.ts';
import { DataKeys } from '../../src/vault/keys/keys.ts';
import type { KeyTools } from '../../src/vault/keys/opening.ts';
import type { KeyProvider } from '../../src/vault/keys/provider.ts';
import type { World } from '../world.ts';

export const chance = systemChance(systemClock());

export type Inside = KeyTools & AsyncDisposable & { readonly db: Database; readonly keys: DataKeys };

type Options = {
  readonly environment?: 'sandbox' | 'production';
  readonly folder?: string;
  readonly provider?: KeyProvider;
  readonly clock?: KeyTools['clock'];
};

/** A process of the vault beside the service: its own connections, its own keys in memory. */
export function insideOf(w: World, options: Options = {}): Inside {
  const { environment = 'sandbox', folder = join(w.data_dir, 'keys'), clock = systemClock() } = options;
  const log = openLog('silent');
  const provider = options.provider ?? fileProvider({ folder, environment, chance });
  const { socket_dir, user } = inject('server');
  const at = { socket_dir, user, database: w.database };
  const db = openDatabase({ at, role: 'vault_app', name: 'test', max: 4, log });
  const audit = auditor({ actor: 'test', source: 'here', log });
  const tools = { db, provider, environment, clock, chance, audit, log };
  const keys = new DataKeys(tools);
  return {
    ...tools,
    keys,
    [Symbol.asyncDispose]: async () => {
      keys.close();
      await db.close();
    },
  };
}

/** Settings with which a command finds this world's database and keys. */
export function settingsOf(w: World): Readonly<Record<string, string>> {
  const { socket_dir, user } = inject('server');
  return {
    FLORIN_DATA_DIR: w.data_dir,
    FLORIN_DATABASE_URL: `postgres://${user}@/${w.database}?host=${encodeURIComponent(socket_dir)}`,
    FLORIN_LOG_LEVEL: 'silent',
  };
}

/** A Visa number of its own for each count, with a check digit that fits. */
export function numberOf(count: number): string {
  const body = `424200${String(count).padStart(9, '0')}`;
  const sum = [...body]
    .toReversed()
    .map((digit, index) => Number(digit) * (index % 2 === 0 ? 2 : 1))
    .reduce((total, value) => total + (value > 9 ? value - 9 : value), 0);
  return body + String((10 - (sum % 10)) % 10);
}

/** Audited actions with their results, in order. */
export async function audited(w: World): Promise<readonly { action: string; object: string; result: string }[]> {
  return w.sql(`SELECT action, object, result FROM vault.audit ORDER BY id`);
}
