// A token of a partner in place of a card (contract 6.4): sealed like a card, always recurring, good at that partner
// only.
import { Refusal } from '../../core/refusals.ts';
import { privateBytes, sha256 } from '../../kit/crypto.ts';
import type { Answer } from '../../kit/http/route.ts';
import { answerOf } from '../answer.ts';
import { type PspTokenRequest, readPspTokenRequest, unknownPspTokenNames } from './psp-token-request.ts';
import { sealCard } from '../card/sealed-card.ts';
import { type StoringKeys, storeUnderKeys } from '../keys/under.ts';
import { answerEarlier, findEarlier, onceOf } from '../repeat.ts';
import { hasPartner, storeForeign } from './store.ts';
import type { Asking } from '../asking.ts';
import type { VaultTools } from '../tools.ts';

export async function storePspToken(tools: VaultTools, asking: Asking): Promise<Answer> {
  const { caller, members, now, once } = asking;
  if (caller.kind === 'public')
    throw new Refusal('key_forbidden', { detail: 'a foreign token needs a private key: send it from your server' });
  asking.ignore(unknownPspTokenNames(members));
  const { merchant_account_id } = caller;
  // before anything is read: what was good then may not be now, its month over or its partner gone (contract 2.9)
  const earlier = once && (await findEarlier(tools, caller, once));
  if (earlier) return answerEarlier(earlier);
  const request = await readPspTokenRequest(members, {
    year: now.getUTCFullYear(),
    month: now.getUTCMonth() + 1,
    numbers: tools.numbers,
    hasPartner: (name) => hasPartner(tools.db, merchant_account_id, name),
  });
  const stored = await storeUnderKeys(tools, merchant_account_id, (under) => store(tools, asking, { request, under }));
  if (!stored) {
    const winner = once && (await findEarlier(tools, caller, once));
    if (winner) return answerEarlier(winner);
    throw new Error('a partner token was not stored');
  }
  const { card, token } = stored;
  return {
    body: answerOf({ ...card, schemes: null, card_unique_id: null, checkout_id: null, token_kind: null }, token),
  };
}

type Storing = { readonly request: PspTokenRequest; readonly under: StoringKeys };

/** Undefined: nothing was stored, because the Idempotency-Key is taken or the data key is closed. */
async function store(tools: VaultTools, { caller, now, once }: Asking, { request, under }: Storing) {
  const { card: data_key } = under;
  const { merchant_account_id } = caller;
  const token = tools.chance.bytes(32);
  const binding = {
    environment: tools.environment,
    merchant_account_id,
    token_hash: sha256(token),
    kind: 'recurring' as const,
    exp_month: request.exp_month,
    exp_year: request.exp_year,
    created_at: now,
  };
  const card = {
    ...binding,
    sealed: sealRequest(request, binding, { key: data_key, nonce: tools.chance.bytes(12) }),
    data_key_id: data_key.id,
    partner: request.partner,
    subscription_id: tools.chance.id(),
    scheme: request.scheme,
    first6: request.first6,
    last4: request.last4,
  };
  const kept = once && onceOf(tools, once, { token, merchant_account_id, data_key });
  return (await storeForeign(tools.db, card, kept)) ? { card, token } : undefined;
}

/** The partner's token where a card has its number, and before the name the partner's customer with its length. */
function sealRequest(
  { psp_token, psp_customer_id, holder }: PspTokenRequest,
  binding: Parameters<typeof sealCard>[1],
  how: Parameters<typeof sealCard>[2],
): Buffer {
  const rest = privateBytes(2 + psp_customer_id.length + holder.length);
  rest.writeUInt16BE(psp_customer_id.length, 0);
  psp_customer_id.copy(rest, 2);
  holder.copy(rest, 2 + psp_customer_id.length);
  const sealed = sealCard({ number: psp_token, holder: rest }, binding, how);
  rest.fill(0);
  return sealed;
}
