// POST /token (contract 6): a card comes in, a token goes out. No provider is asked, and the answer is the same, in
// content and in work, for a card that is new and one that is known. The body stays bytes, and every byte of it is
// overwritten at the end, whatever the end is.
import { JsonProblem } from '../core/json.ts';
import { Refusal } from '../core/refusals.ts';
import { afterCommit } from '../kit/database.ts';
import { tooMany } from '../kit/http/key-gate.ts';
import type { Answer, RawRequest } from '../kit/http/route.ts';
import { networkOf } from '../kit/person/few-at-once.ts';
import { answerOf } from './answer.ts';
import { type Asking, refuseClosedCheckout } from './asking.ts';
import { Members } from './card/byte-fields.ts';
import { type JsonBody, readJsonBytes } from './card/json-bytes.ts';
import { type TokenRequest, readTokenRequest, unknownNames } from './card/request.ts';
import type { VaultCaller } from './keys/callers.ts';
import { keepCard, lifeEnd, tooManyTokens } from './keep-card.ts';
import { type Earlier, answerEarlier, findEarlier, keepCvc, refuseNumberInKey } from './repeat.ts';
import { storePspToken } from './saved/psp-token.ts';
import { reenterCvc } from './saved/reenter.ts';
import type { VaultTools } from './tools.ts';
import { keepNetworkToken } from './wallet/network-token.ts';
import { keepPayload } from './wallet/keep-payload.ts';

export function tokenizer(tools: VaultTools): (rawRequest: RawRequest<VaultCaller>) => Promise<Answer> {
  return async (rawRequest) => {
    const { caller } = rawRequest;
    if (!caller) throw new Error('/token was reached without a caller');
    const body = readBody(rawRequest.raw);
    try {
      rawRequest.checkHeaders();
      const kind = kindOf(new Members(body.members));
      // what a wallet gives is encrypted: a page may bring it itself
      if (kind !== 'google_pay' && kind !== 'apple_pay') refuseForeignOrigin(tools, rawRequest);
      const { idempotency_key: key } = rawRequest;
      if (key !== undefined) refuseNumberInKey(new Members(body.members), key);
      const asking: Asking = {
        caller,
        members: new Members(body.members),
        now: tools.clock.now(),
        once: key === undefined ? undefined : { key, members: body.members },
        ignore: (names) => rawRequest.ignored.push(...names),
      };
      if (kind === 'psp_token') return await storePspToken(tools, asking);
      if (kind === 'network_token') return await keepNetworkToken(tools, asking);
      if (kind !== undefined) return await keepPayload(tools, asking, kind);
      if (isReentry(asking.members)) return await reenterCvc(tools, asking);
      return await tokenizeCard(tools, asking);
    } finally {
      body.wipe();
    }
  };
}

function readBody(raw: Buffer): JsonBody {
  try {
    return readJsonBytes(raw);
  } catch (error) {
    if (error instanceof JsonProblem) throw new Refusal('parameter_invalid', { detail: error.message });
    throw error;
  }
}

/** Undefined: a card, or a word that is refused with the other fields. */
function kindOf(members: Members): (typeof KINDS)[number]['name'] | undefined {
  const kind = members.get('token_kind');
  return kind?.kind === 'text' ? KINDS.find(({ bytes }) => kind.bytes.equals(bytes))?.name : undefined;
}

const KINDS = (['psp_token', 'network_token', 'google_pay', 'apple_pay'] as const).map((name) => ({
  name,
  bytes: Buffer.from(name),
}));

/** A saved card's token in place of a number. */
function isReentry(members: Members): boolean {
  return members.get('card_number') === undefined && members.get('token') !== undefined;
}

function refuseForeignOrigin(tools: VaultTools, { headers: { origin }, caller }: RawRequest<VaultCaller>): void {
  if (origin !== undefined && origin !== tools.addresses.vault_url && caller?.page_inputs !== true)
    throw new Refusal('key_forbidden', {
      detail: 'card data typed in a page of another origin is not taken: use Hosted Elements, or switch page_inputs on',
    });
}

async function tokenizeCard(tools: VaultTools, asking: Asking): Promise<Answer> {
  const { caller, members, now, once } = asking;
  asking.ignore(unknownNames(members));
  const earlier = once && (await findEarlier(tools, caller, once).catch(countOtherCard(tools, caller, once.key)));
  // a repeat is read as of the day its token was made: the last month of its card may have ended since (contract 2.9)
  const today = earlier?.created_at ?? now;
  const request = readTokenRequest(members, {
    key: caller.kind,
    year: today.getUTCFullYear(),
    month: today.getUTCMonth() + 1,
    numbers: tools.numbers,
  });
  try {
    tools.sweeps.look(caller.merchant_account_id, request.number);
    const answer = earlier
      ? await answerAgain(tools, asking, { request, earlier })
      : await tokenize(tools, asking, request);
    const unlisted = tools.environment === 'sandbox' && !request.listed;
    return unlisted ? { ...answer, headers: { ...answer.headers, 'x-sandbox-card': 'unlisted' } } : answer;
  } finally {
    request.number.fill(0);
    request.cvc?.fill(0);
  }
}

/** An Idempotency-Key that stands for another card: how often is counted. */
function countOtherCard({ sweeps }: VaultTools, caller: VaultCaller, key: string): (error: unknown) => never {
  return (error) => {
    if (error instanceof Refusal) sweeps.lookAtKey(caller.merchant_account_id, key);
    throw error;
  };
}

async function tokenize(tools: VaultTools, asking: Asking, request: TokenRequest): Promise<Answer> {
  const { caller, once } = asking;
  const { merchant_account_id } = caller;
  const { checkout_id = null } = request;
  await refuseClosedCheckout(tools, checkout_id, merchant_account_id);
  const stored = await keepCard(tools, asking, request);
  if (!stored) {
    const earlier = once && (await findEarlier(tools, caller, once));
    if (earlier) return answerAgain(tools, asking, { request, earlier });
    throw tooManyTokens();
  }
  const { card, token } = stored;
  const { cvc: digits } = request;
  const { token_hash, expires_at: until } = card;
  if (digits) await afterCommit(() => keepCvc(tools, asking, { token_hash, digits, until }));
  return { body: answerOf({ ...card, partner: null, subscription_id: null }, token) };
}

type Again = { readonly request: TokenRequest; readonly earlier: Earlier };

/** Answers the same token again; the cvc of the repeat replaces one that may be gone. */
async function answerAgain(tools: VaultTools, asking: Asking, { request, earlier }: Again): Promise<Answer> {
  // after its authorization a card's cvc is not kept, whatever is sent again (PCI DSS 3.3.1)
  if (request.cvc && !earlier.spent) {
    const until = lifeEnd(earlier.kind, earlier.created_at);
    await keepCvc(tools, asking, { token_hash: earlier.token_hash, digits: request.cvc, until });
  }
  return answerEarlier(earlier);
}

/** Tokenizations per public key and address (contract 2.10). */
export function tokenLimit(
  tools: Pick<VaultTools, 'counts' | 'tokens_per_minute' | 'server_ips'>,
): (caller: Pick<VaultCaller, 'kind' | 'key_digest'>, client_ip: string) => void {
  return (caller, client_ip) => {
    if (caller.kind !== 'public' || tools.server_ips.has(client_ip)) return;
    const what = `token ${caller.key_digest} ${networkOf(client_ip)}`;
    if (tools.counts.count(what, tools.tokens_per_minute) !== 'within')
      throw tooMany('tokens', { quota: tools.tokens_per_minute, window_s: 60, retry_s: 60 });
  };
}
