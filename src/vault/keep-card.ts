// Stores a card under a new token: its number sealed, its fingerprint, and what it came with, in one commit.
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../core/durations.ts';
import { Refusal } from '../core/refusals.ts';
import type { Scheme } from '../core/card.ts';
import { hmac, sha256 } from '../kit/crypto.ts';
import type { Batching } from '../kit/database.ts';
import { KEY_HOURS } from '../kit/http/idempotency.ts';
import type { Asking } from './asking.ts';
import { type CardSecrets, sealCard } from './card/sealed-card.ts';
import { type StoringKeys, storeUnderKeys } from './keys/under.ts';
import { onceOf } from './repeat.ts';
import { type NewCard, type TokenKind, storeCard, storeCardOnce } from './store.ts';
import type { VaultTools } from './tools.ts';
import type { Approved } from './wallet/wallet-card.ts';
import { insertPayload } from './wallet/store.ts';
import { WalletRefused } from './wallet/refused.ts';

const ONESHOT_MS = 15 * MINUTE_MS;
const TOKENS_PER_CHECKOUT = 10;

export type CardToKeep = CardSecrets & {
  readonly exp_month: number;
  readonly exp_year: number;
  readonly token_type: 'oneshot' | 'recurring';
  readonly checkout_id: string | undefined;
  readonly scheme: Scheme;
  readonly schemes: readonly Scheme[];
  readonly token_kind?: TokenKind;
  readonly approved?: Approved | undefined;
  /** The payload that the card came in, which is accepted only once. */
  readonly payload?: { readonly name: string; readonly ends: Date };
};

export type KeptCard = {
  readonly card: NewCard & { readonly expires_at: Date | null; readonly card_unique_id: string };
  readonly token: Buffer;
};

/** Undefined: nothing was stored, because the checkout has its tokens already or the Idempotency-Key is taken. */
export function keepCard(tools: VaultTools, asking: Asking, keeping: CardToKeep): Promise<KeptCard | undefined> {
  const { merchant_account_id } = asking.caller;
  return storeUnderKeys(tools, merchant_account_id, async (under) => {
    const { card, token } = newCard(tools, asking, { keeping, under });
    const { once } = asking;
    const kept = once && onceOf(tools, once, { token, merchant_account_id, data_key: under.card });
    const store = (db: Batching) => (kept ? storeCardOnce(db, card, kept) : storeCard(db, card));
    const { payload } = keeping;
    const card_unique_id = await (payload ? storeWith(tools, { payload, card, store }) : store(tools.db));
    return card_unique_id === undefined ? undefined : { card: { ...card, card_unique_id }, token };
  });
}

/** Until when a token that was made at this moment pays; null: until it is removed. */
export function lifeEnd(kind: CardToKeep['token_type'], made_at: Date): Date | null {
  return kind === 'oneshot' ? new Date(made_at.getTime() + ONESHOT_MS) : null;
}

export function tooManyTokens(): Refusal {
  return new Refusal('attempts_used_up', {
    detail: `the checkout has its ${TOKENS_PER_CHECKOUT} tokens: create a new checkout`,
  });
}

type Storing = { readonly keeping: CardToKeep; readonly under: StoringKeys };

function newCard(tools: VaultTools, { caller, now, once }: Asking, { keeping, under }: Storing) {
  const { number, exp_month, exp_year, token_type: kind, checkout_id = null, approved } = keeping;
  const { merchant_account_id } = caller;
  const { card: data_key, active, other } = under;
  const token = tools.chance.bytes(32);
  const { environment } = tools;
  const expires_at = lifeEnd(kind, now);
  const binding = {
    environment,
    merchant_account_id,
    token_hash: sha256(token),
    kind,
    exp_month,
    exp_year,
    created_at: now,
  };
  const card: NewCard = {
    ...binding,
    checkout_id,
    new_unique_id: tools.chance.uuid(),
    key_id: active.id,
    mac: hmac(active.key, number),
    old_key_id: other?.id ?? null,
    old_mac: other ? hmac(other.key, number) : null,
    sealed: sealCard(keeping, binding, { key: data_key, nonce: tools.chance.bytes(12) }),
    data_key_id: data_key.id,
    scheme: keeping.scheme,
    schemes: keeping.schemes.length > 1 ? keeping.schemes.join() : null,
    first6: number.toString('latin1', 0, 6),
    last4: number.toString('latin1', number.length - 4),
    expires_at,
    delete_after: expires_at && new Date(expires_at.getTime() + (once ? KEY_HOURS * HOUR_MS : DAY_MS)),
    max_tokens: TOKENS_PER_CHECKOUT,
    token_kind: keeping.token_kind ?? null,
    is_network_token: keeping.network_token !== undefined,
    approved_minor: approved?.amount_minor ?? null,
    approved_currency: approved?.currency ?? null,
  };
  return { card, token };
}

class NothingStored extends Error {}

type WithPayload = {
  readonly payload: { readonly name: string; readonly ends: Date };
  readonly card: NewCard;
  store(db: Batching): Promise<string | undefined>;
};

/** The payload is used up and the card is stored, both or neither. */
async function storeWith(tools: VaultTools, { payload, card, store }: WithPayload): Promise<string | undefined> {
  const { merchant_account_id, token_kind } = card;
  const used = {
    merchant_account_id,
    digest: sha256(`${token_kind} ${payload.name}`),
    delete_after: new Date(payload.ends.getTime() + DAY_MS),
  };
  try {
    return await tools.db.begin(undefined, async (tx) => {
      if (!(await insertPayload(tx, used))) throw new WalletRefused('used');
      const stored = await store({ batch: tx.run, batchRead: tx.run });
      if (stored === undefined) throw new NothingStored();
      return stored;
    });
  } catch (error) {
    if (error instanceof NothingStored) return undefined;
    throw error;
  }
}
