// The callers of the vault: its own copy of the API keys, which the money zone pushes.
import { FreshCache, seldom } from '../../kit/cache.ts';
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
  tools: Pick<VaultTools, 'db' | 'clock' | 'environment' | 'payment'>,
): (digest: string) => Promise<VaultCaller | undefined> {
  const note = keyNotes(tools, { in_page: false });
  const cache = new FreshCache<VaultCaller>({ clock: tools.clock, fresh_ms: FRESH_MS, max: 10_000 });
  return (digest) =>
    cache.get(digest, async () => {
      const row = await findApiKey(tools.db, digest);
      if (row?.environment !== tools.environment) return undefined;
      note(digest, row.merchant_account_id);
      return { ...row, key_digest: digest };
    });
}

/** How often the vault tells the money zone that a key is in use. */
const TOLD = { every_ms: 60_000, max: 10_000 };

/**
 * Tells now and then that a key is in use, or was brought by a browser: beside the request, which does not fail with
 * it.
 */
export function keyNotes(
  { clock, payment }: Pick<VaultTools, 'clock' | 'payment'>,
  { in_page }: { readonly in_page: boolean },
): (digest: string, merchant_account_id: string) => void {
  return seldom({ ...TOLD, clock }, (digest, merchant_account_id: string) =>
    payment.keyUsed({ merchant_account_id, digest, in_page }),
  );
}
