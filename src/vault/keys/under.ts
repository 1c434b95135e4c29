// The keys that something is stored under. A key may be closed by a rotation between its choice and the statement,
// which then stores nothing: so it is sealed again, under the key that came after.
import type { VaultTools } from '../tools.ts';
import type { Fingerprints } from './keys.ts';
import type { DataKey } from './record.ts';

export type StoringKeys = Fingerprints & { readonly card: DataKey };

/**
 * `store`: undefined when nothing was stored. It is called again only when another key has become the one to store
 * under.
 */
export async function storeUnderKeys<T>(
  { keys }: Pick<VaultTools, 'keys'>,
  merchant_account_id: string,
  store: (under: StoringKeys) => Promise<T | undefined>,
): Promise<T | undefined> {
  const choose = async () => {
    const [card, fingerprints] = await Promise.all([
      keys.card(merchant_account_id),
      keys.fingerprints(merchant_account_id),
    ]);
    return { card, ...fingerprints };
  };
  const first = await choose();
  const stored = await store(first);
  if (stored !== undefined) return stored;
  keys.refresh();
  const second = await choose();
  const changed = second.card.id !== first.card.id || second.active.id !== first.active.id;
  return changed ? store(second) : undefined;
}
