// POST /token (contract 6.1): a card comes in, a token goes out. No provider is asked, and the answer is the same, in content
// and in work, for a card that is new and one that is known.
import type { JsonObject } from '../core/json.ts';
import { Refusal, refuseField } from '../core/refusals.ts';
import { result } from '../core/results.ts';
import { hmac, open, seal, sha256 } from '../kit/crypto.ts';
import { countWithin, tooMany } from '../kit/http/gate.ts';
import { type Answer, type Arrival, canonicalJson } from '../kit/http/route.ts';
import type { VaultCaller } from './keys/callers.ts';
import { type TokenRequest, readTokenRequest, unknownNames } from './card/request.ts';
import { sealCard } from './card/sealed-card.ts';
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
    const fingerprint = await fingerprintOf(tools, caller, arrival.object);
    const earlier = await findEarlier(tools, caller, { key, fingerprint });
    if (earlier) return answerAgain(tools, caller, { request, earlier, key });
    return tokenize(tools, caller, { request, now, once: { key, fingerprint } });
  };
}

type Key = { readonly key: string; readonly fingerprint: Buffer };
type Asked = { readonly request: TokenRequest; readonly now: Date; readonly once?: Key };

async function tokenize(tools: VaultTools, caller: VaultCaller, { request, now, once }: Asked): Promise<Answer> {
  const { merchant_account_id } = caller;
  const { number, holder, exp_month, exp_year, token_type: kind, checkout_id = null } = request;
  try {
    if (checkout_id !== null && (await isClosed(tools, checkout_id, merchant_account_id)))
      throw refuseField('checkout_id', 'parameter_invalid', 'is unknown, expired, or could not take an order now');
    const token = tools.chance.bytes(32);
    const token_hash = sha256(token);
    const [card_key, fingerprint_key] = await Promise.all([
      tools.keys.card(merchant_account_id),
      tools.keys.fingerprint(merchant_account_id),
    ]);
    const binding = {
      environment: tools.environment,
      merchant_account_id,
      token_hash,
      kind,
      exp_month,
      exp_year,
      created_at: now,
    };
    const first6 = number.toString('latin1', 0, 6);
    const last4 = number.toString('latin1', number.length - 4);
    const card = {
      ...binding,
      checkout_id,
      new_unique_id: tools.chance.uuid(),
      key_id: fingerprint_key.id,
      mac: hmac(fingerprint_key.key, number),
      sealed: sealCard({ number, holder }, binding, { key: card_key, nonce: tools.chance.bytes(12) }),
      data_key_id: card_key.id,
      scheme: request.scheme,
      schemes: request.schemes.length > 1 ? request.schemes.join() : null,
      first6,
      last4,
      expires_at: kind === 'oneshot' ? new Date(now.getTime() + ONESHOT_MS) : null,
      delete_after: kind === 'oneshot' ? new Date(now.getTime() + ONESHOT_MS + (once ? KEY_MS : DAY_MS)) : null,
      max_tokens: TOKENS_PER_CHECKOUT,
    };
    const token_sealed = () =>
      seal(token, tools.chance.bytes(12), { key: card_key.key, aad: tokenAad(merchant_account_id, once?.key) });
    const card_unique_id = await (once
      ? storeCardOnce(tools.db, card, { ...once, token_sealed: token_sealed() })
      : storeCard(tools.db, card));
    if (card_unique_id === undefined) {
      const earlier = once && (await findEarlier(tools, caller, once));
      if (earlier) return await answerAgain(tools, caller, { request, earlier, key: once.key });
      throw new Refusal('attempts_used_up', { detail: `a checkout takes at most ${TOKENS_PER_CHECKOUT} tokens` });
    }
    if (request.cvc) tools.cvcs.keep(token_hash, request.cvc);
    return { body: answerOf({ ...card, card_unique_id }, token) };
  } catch (error) {
    request.cvc?.fill(0);
    throw error;
  } finally {
    number.fill(0);
    holder.fill(0);
  }
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

/** A keyed hash of the request without its cvc: equal requests are equal, and nothing can be read from it (contract 2.9). */
async function fingerprintOf(tools: VaultTools, caller: VaultCaller, object: JsonObject): Promise<Buffer> {
  const { key } = await tools.keys.fingerprint(caller.merchant_account_id);
  return hmac(key, `request|${canonicalJson(new Map([...object].filter(([name]) => name !== CVC)))}`);
}

const CVC = 'cvc';

async function findEarlier(
  tools: VaultTools,
  { merchant_account_id }: VaultCaller,
  { key, fingerprint }: Key,
): Promise<UsedKeyRow | undefined> {
  const used = await findUsedKey(tools.db, merchant_account_id, key);
  if (used && used.fingerprint !== fingerprint.toString('hex'))
    throw refuseField('Idempotency-Key', 'idempotency_mismatch', 'was used with another body');
  return used;
}

type Again = { readonly request: TokenRequest; readonly earlier: UsedKeyRow; readonly key: string };

/** The same token once more; the cvc that came with the repeat takes the place of one that may be gone. */
async function answerAgain(tools: VaultTools, caller: VaultCaller, { request, earlier, key }: Again): Promise<Answer> {
  const card_key = await tools.keys.card(caller.merchant_account_id);
  const token = open(Buffer.from(earlier.token_sealed, 'hex'), {
    key: card_key.key,
    aad: tokenAad(caller.merchant_account_id, key),
  });
  // after its authorization a card's cvc is not kept, whatever is sent again (PCI DSS 3.3.1)
  const may_keep = earlier.kind === 'oneshot' && earlier.spent_order_id === null;
  if (request.cvc && may_keep) tools.cvcs.keep(earlier.token_hash, request.cvc);
  else request.cvc?.fill(0);
  request.number.fill(0);
  return { body: answerOf(earlier, token), headers: { 'idempotent-replayed': 'true' } };
}

function tokenAad(merchant_account_id: string, key: string | undefined): string {
  return `token|${merchant_account_id}|${key ?? ''}`;
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
