// POST /token (contract 6.1): a card comes in, a token goes out. No provider is asked, and the answer is the same, in content
// and in work, for a card that is new and one that is known.
import type { JsonObject } from '../core/json.ts';
import { Refusal, refuseField } from '../core/refusals.ts';
import { result } from '../core/results.ts';
import { timingSafeEqual } from 'node:crypto';
import { deriveKey, hmac, sha256 } from '../kit/crypto.ts';
import { countWithin, tooMany } from '../kit/http/gate.ts';
import { type Answer, type Arrival, canonicalJson } from '../kit/http/route.ts';
import type { VaultCaller } from './keys/callers.ts';
import { type TokenRequest, readTokenRequest, unknownNames } from './card/request.ts';
import { sealCard } from './card/sealed-card.ts';
import { keyIdOf, openRecord, sealRecord, tokenPlace } from './keys/record.ts';
import { type UsedKeyRow, findUsedKey, storeCard, storeCardOnce } from './store.ts';
import type { VaultTools } from './tools.ts';

const ONESHOT_MS = 15 * 60_000;
const DAY_MS = 24 * 60 * 60_000;
/** An Idempotency-Key answers its token again for 72 hours (contract 2.9). */
const KEY_MS = 3 * DAY_MS;
const TOKENS_PER_CHECKOUT = 10;

export function tokenizer(tools: VaultTools): (arrival: Arrival<VaultCaller>) => Promise<Answer> {
  return async (arrival) => {
    const { caller } = arrival;
    if (!caller) throw new Error('/token was reached without a caller');
    if (arrival.object.get('token_kind') === 'psp_token') throw foreignToken(caller);
    const now = tools.clock.now();
    arrival.ignored.push(...unknownNames(arrival.object));
    const request = readTokenRequest(arrival.object, caller.kind, {
      year: now.getUTCFullYear(),
      month: now.getUTCMonth() + 1,
    });
    const { idempotency_key: key } = arrival;
    if (key === undefined) return tokenize(tools, caller, { request, now });
    const once = { key, text: textOfRequest(arrival.object) };
    const earlier = await findEarlier(tools, caller, once);
    if (earlier) return answerAgain(tools, { request, earlier });
    return tokenize(tools, caller, { request, now, once });
  };
}

/** `text`: what was asked, without the cvc. */
type Key = { readonly key: string; readonly text: string };
type Asked = { readonly request: TokenRequest; readonly now: Date; readonly once?: Key };

async function tokenize(tools: VaultTools, caller: VaultCaller, { request, now, once }: Asked): Promise<Answer> {
  const { merchant_account_id } = caller;
  const { number, holder, checkout_id = null } = request;
  try {
    if (checkout_id !== null && (await isClosed(tools, checkout_id, merchant_account_id)))
      throw refuseField('checkout_id', 'parameter_invalid', 'is unknown, expired, or could not take an order now');
    const asked = { request, now, ...(once && { once }) };
    const stored = await storeUnderKeys(tools, caller, asked);
    if (!stored) {
      const earlier = once && (await findEarlier(tools, caller, once));
      if (earlier) return await answerAgain(tools, { request, earlier });
      throw new Refusal('attempts_used_up', { detail: `a checkout takes at most ${TOKENS_PER_CHECKOUT} tokens` });
    }
    const { card, token } = stored;
    if (request.cvc) await tools.cvcs.keep(card.token_hash, request.cvc, { until: card.expires_at });
    return { body: answerOf(card, token) };
  } catch (error) {
    request.cvc?.fill(0);
    throw error;
  } finally {
    number.fill(0);
    holder.fill(0);
  }
}

/** A key may be closed between its choice and the statement: then the card is sealed again, under the one that came after. */
async function storeUnderKeys(tools: VaultTools, caller: VaultCaller, asked: Asked) {
  const { merchant_account_id } = caller;
  const first = await keysOf(tools, merchant_account_id);
  const stored = await store(tools, asked, { ...first, merchant_account_id });
  if (stored) return stored;
  tools.keys.refresh();
  const second = await keysOf(tools, merchant_account_id);
  const changed = second.card.id !== first.card.id || second.active.id !== first.active.id;
  return changed ? store(tools, asked, { ...second, merchant_account_id }) : undefined;
}

async function keysOf(tools: VaultTools, merchant_account_id: string) {
  const [card, fingerprints] = await Promise.all([
    tools.keys.card(merchant_account_id),
    tools.keys.fingerprints(merchant_account_id),
  ]);
  return { card, ...fingerprints };
}

type Under = Awaited<ReturnType<typeof keysOf>> & { readonly merchant_account_id: string };

async function store(tools: VaultTools, { request, now, once }: Asked, { card: key, active, other, ...owner }: Under) {
  const { number, holder, exp_month, exp_year, token_type: kind, checkout_id = null } = request;
  const token = tools.chance.bytes(32);
  const token_hash = sha256(token);
  const binding = { environment: tools.environment, ...owner, token_hash, kind, exp_month, exp_year, created_at: now };
  const card = {
    ...binding,
    checkout_id,
    new_unique_id: tools.chance.uuid(),
    key_id: active.id,
    mac: hmac(active.key, number),
    old_key_id: other?.id ?? null,
    old_mac: other ? hmac(other.key, number) : null,
    sealed: sealCard({ number, holder }, binding, { key, nonce: tools.chance.bytes(12) }),
    data_key_id: key.id,
    scheme: request.scheme,
    schemes: request.schemes.length > 1 ? request.schemes.join() : null,
    first6: number.toString('latin1', 0, 6),
    last4: number.toString('latin1', number.length - 4),
    expires_at: kind === 'oneshot' ? new Date(now.getTime() + ONESHOT_MS) : null,
    delete_after: kind === 'oneshot' ? new Date(now.getTime() + ONESHOT_MS + (once ? KEY_MS : DAY_MS)) : null,
    max_tokens: TOKENS_PER_CHECKOUT,
  };
  if (!once) {
    const card_unique_id = await storeCard(tools.db, card);
    return card_unique_id === undefined ? undefined : { card: { ...card, card_unique_id }, token };
  }
  const place = tokenPlace(owner.merchant_account_id, once.key);
  const token_sealed = sealRecord(token, tools.chance.bytes(12), { key, place });
  const used = { key: once.key, fingerprint: requestMac(token, once.text), token_sealed };
  const card_unique_id = await storeCardOnce(tools.db, card, used);
  return card_unique_id === undefined ? undefined : { card: { ...card, card_unique_id }, token };
}

type Answered = Omit<UsedKeyRow, 'fingerprint' | 'token_sealed' | 'token_hash' | 'spent_order_id'>;

function answerOf(card: Answered, token: Buffer) {
  const two = (value: number) => String(value % 100).padStart(2, '0');
  return {
    result: result('tokenization_successful'),
    created_date: card.created_at.toISOString(),
    token: token.toString('hex'),
    token_type: card.kind,
    token_kind: 'card',
    customer_scheme_name: card.scheme,
    bin_scheme_name: (card.schemes ?? card.scheme).split(',')[0],
    card_6_digits: card.first6,
    card_4_digits: card.last4,
    card_validity_month: two(card.exp_month),
    card_validity_year: two(card.exp_year),
    card_unique_id: card.card_unique_id,
    ...(card.checkout_id !== null && { checkout_id: card.checkout_id }),
  };
}

function textOfRequest(object: JsonObject): string {
  return canonicalJson(new Map([...object].filter(([name]) => name !== CVC)));
}

const CVC = 'cvc';

/**
 * A keyed hash of a request: equal requests are equal, and nothing can be read from it (contract 2.9). Its key comes from the
 * token it made, which is kept sealed beside it: so no rotation of keys makes a repeat look like another request.
 */
function requestMac(token: Buffer, text: string): Buffer {
  return hmac(deriveKey(token, 'request', 'idempotency fingerprint'), text);
}

type Earlier = UsedKeyRow & { readonly token: Buffer };

async function findEarlier(
  tools: VaultTools,
  { merchant_account_id }: VaultCaller,
  { key, text }: Key,
): Promise<Earlier | undefined> {
  const used = await findUsedKey(tools.db, merchant_account_id, key);
  if (!used) return undefined;
  const record = Buffer.from(used.token_sealed, 'hex');
  const data_key = await tools.keys.cardById(keyIdOf(record), merchant_account_id);
  const token = openRecord(record, { key: data_key, place: tokenPlace(merchant_account_id, key) });
  if (!timingSafeEqual(Buffer.from(used.fingerprint, 'hex'), requestMac(token, text)))
    throw refuseField('Idempotency-Key', 'idempotency_mismatch', 'was used with another body');
  return { ...used, token };
}

type Again = { readonly request: TokenRequest; readonly earlier: Earlier };

/** The same token once more; the cvc that came with the repeat takes the place of one that may be gone. */
async function answerAgain(tools: VaultTools, { request, earlier }: Again): Promise<Answer> {
  // after its authorization a card's cvc is not kept, whatever is sent again (PCI DSS 3.3.1)
  const may_keep = earlier.kind === 'oneshot' && earlier.spent_order_id === null;
  if (request.cvc && may_keep) {
    const until = new Date(earlier.created_at.getTime() + ONESHOT_MS);
    await tools.cvcs.keep(earlier.token_hash, request.cvc, { until });
  } else {
    request.cvc?.fill(0);
  }
  request.number.fill(0);
  return { body: answerOf(earlier, earlier.token), headers: { 'idempotent-replayed': 'true' } };
}

/** No answer within a second, or a money zone that cannot answer: accepted here, and the order checks again. */
async function isClosed(tools: VaultTools, checkout_id: string, merchant_account_id: string): Promise<boolean> {
  const patience = tools.clock.timer(1000);
  const asked = tools.checkoutQuestion(checkout_id, merchant_account_id).catch((error: unknown) => {
    tools.log.warn({ error: String(error) }, 'the checkout question was not answered');
    return 'open' as const;
  });
  const answer = await Promise.race([asked, patience.done]).finally(() => patience.end());
  return answer === 'closed';
}

/** Tokenizations per public key and address (contract 2.10). */
export function tokenLimit(tools: VaultTools): (caller: VaultCaller, client_ip: string) => void {
  const windows = new Map<string, { count: number; until: number }>();
  return (caller, client_ip) => {
    if (caller.kind !== 'public' || tools.server_ips.has(client_ip)) return;
    const within = countWithin(windows, `${caller.key_digest} ${client_ip}`, {
      now: tools.clock.ticks(),
      max: tools.tokens_per_minute,
    });
    if (!within) throw tooMany('tokens', { quota: tools.tokens_per_minute, window_s: 60, retry_s: 60 });
  };
}

/** Foreign tokens (contract 6.4) need a provider that takes them; none is connected to this deployment. */
function foreignToken(caller: VaultCaller): Refusal {
  if (caller.kind === 'public') return new Refusal('key_forbidden', { detail: 'a foreign token needs a private key' });
  return new Refusal('contract_unknown', {
    problems: [{ field: 'partner', refusal: 'contract_unknown', message: 'is not configured for this account' }],
  });
}
