// The only way from the money zone to the card zone: the verbs of core/link/verbs.ts, in the same process or over HTTPS
// (vault-link/remote.ts). No card number crosses it, in either direction.
import type { CardAnswer, Forwarded, VaultLink as Verbs } from '../core/link/verbs.ts';
import type { Template } from '../provider/contract.ts';

export type { CardAnswer, Forwarded } from '../core/link/verbs.ts';

/**
 * A card as the money zone knows it: by a digest of its own (see card-digest.ts), not by the id that /token answers.
 */
export type CardInfo = Omit<CardAnswer, 'card_unique_id'> & { readonly card_digest: string | null };

/** The number is a network token, from a wallet or from the merchant. */
export const isNetworkToken = ({ wallet }: Pick<CardInfo, 'wallet'>): boolean => wallet?.is_network_token === true;

export type Forward = Omit<Parameters<Verbs['forward']>[0], 'body'> & { readonly body: Template };

export type VaultLink = Omit<Verbs, 'forward' | 'settled'> & {
  forward(forward: Forward): Promise<Forwarded>;
  /** A hint: the caller does not wait for it. */
  settled(operation_id: string): void;
};

/** The vault of this very process. */
export function inOneProcess(vault: Verbs): VaultLink {
  return { ...vault, settled: (operation_id) => void vault.settled({ operation_ids: [operation_id] }) };
}
