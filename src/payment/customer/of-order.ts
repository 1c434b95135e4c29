// The rows that an order writes for its customer in the commit that accepts it: the customer, and the token to save if
// the order succeeds. Nothing else is needed later: the order itself says whether it succeeded (docs/decisions/0023).
import { type Parameters, bytes } from '../../kit/database.ts';
import { cardDigest } from '../card-digest.ts';
import type { Tools } from '../tools.ts';
import type { CardInfo } from '../vault-link.ts';
import { sealToken, seenOf } from './record.ts';
import { type Seen } from './store.ts';
import { isRemoved } from './removal-store.ts';

export type OrderCustomer = Seen & { readonly token_sealed: Buffer | null };

type Accepted = {
  readonly merchant_account_id: string;
  /** The order's fields with its checkout's under them. */
  readonly body: Readonly<Record<string, unknown>>;
  /** The order's own alone: only they say something new of the browser. */
  readonly own: Readonly<Record<string, unknown>>;
  readonly token: string;
  readonly card: CardInfo;
};

/**
 * Undefined: the order names no customer. Its card is saved when order or checkout say so and the token is a recurring
 * one.
 */
export function customerOf(
  tools: Tools,
  { merchant_account_id, body, own, token, card }: Accepted,
): OrderCustomer | undefined {
  const { customer_id, token_type } = body;
  if (typeof customer_id !== 'string') return undefined;
  const saves = token_type === 'recurring' && card.kind === 'recurring' && card.partner === null;
  return {
    ...seenOf(tools, customer_id, own),
    token_sealed: saves ? sealToken(tools, { merchant_account_id, customer_id, token }) : null,
  };
}

/** Parameters of the statement that accepts the order. */
export function customerParameters(customer: OrderCustomer | undefined): Parameters {
  return {
    customer_id: customer?.customer_id ?? null,
    customer_record_id: bytes(customer?.id),
    browser: customer ? JSON.stringify(customer.browser) : null,
    ip: customer?.ip ?? null,
    token_sealed: customer?.token_sealed ?? null,
  };
}

/**
 * A card that can be used now, as this zone knows it. A saved one that was removed cannot, also while the vault was not
 * reached yet.
 */
export async function usableCard(
  tools: Tools,
  question: { token_hash: string; merchant_account_id: string; checkout_id: string | null },
): Promise<CardInfo | undefined> {
  const answer = await tools.vault.card(question);
  if (!answer) return undefined;
  const { card_unique_id, ...known } = answer;
  const card_digest = card_unique_id && cardDigest(tools.secret_key, question.merchant_account_id, card_unique_id);
  const card = { ...known, card_digest };
  if (card.kind !== 'recurring') return card;
  const removed = await isRemoved(tools.db.tenant(question.merchant_account_id), question.token_hash);
  return removed ? undefined : card;
}
