// Who calls the vault: its own copy of the API keys, pushed by the money zone.
import { FreshCache } from '../../kit/cache.ts';
import type { Caller } from '../../kit/http/route.ts';
import { findApiKey } from './store.ts';
import type { VaultTools } from '../tools.ts';

export type VaultCaller = Caller & {
  readonly page_inputs: boolean;
  readonly registered_origins: readonly string[];
  readonly key_id: string;
  readonly key_digest: string;
};

/** A revoked key must be refused within a second (contract 2.6). */
const FRESH_MS = 700;

export function callerOfKey(
  tools: Pick<VaultTools, 'db' | 'clock' | 'environment'>,
): (digest: string) => Promise<VaultCaller | undefined> {
  const cache = new FreshCache<VaultCaller>({ clock: tools.clock, fresh_ms: FRESH_MS, max: 10_000 });
  return (digest) =>
    cache.get(digest, async () => {
      const row = await findApiKey(tools.db, digest);
      return row?.environment === tools.environment ? { ...row, key_digest: digest } : undefined;
    });
}
