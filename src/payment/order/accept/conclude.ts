// Continues an authentication outside the request that began it: the bank reports how a challenge ended, the payer's
// page was seen, the time is over, a process died. The process that commits the end sends the authorization.
import type { Authenticated, AuthenticationMessage, MethodSeen } from '../../../provider/three-ds/contract.ts';
import { findAccount } from '../../merchant/account.ts';
import { DEFAULT_SETTINGS } from '../../merchant/settings.ts';
import { chooseContract, wantedOf } from '../../routing/choose.ts';
import { laterFallbacks } from '../../routing/decide.ts';
import type { Tools } from '../../tools.ts';
import { type OrderFacts, lastTransaction } from '../facts/order-facts.ts';
import { findOrder } from '../facts/order-store.ts';
import { payerHasLeft } from '../engine/back.ts';
import { type Submitted, authenticate, goOn } from '../engine/submit.ts';
import { applyAuthentication } from '../authentication/apply.ts';
import { type AuthenticationFacts, isOpen, openAuthentication, waitsForPayer } from '../facts/authentication-facts.ts';
import {
  type Claimed,
  beginAsking,
  claimAuthentications,
  findTokenHash,
} from '../authentication/authentication-store.ts';

type Context = Omit<Submitted, 'operation_id' | 'proof'>;
type Contracts = Context['fallbacks'];

/** No account is ever deleted. */
const NO_ACCOUNT: Context['account'] = { name: '', settings: DEFAULT_SETTINGS, contracts: [] };

/** The facts that an attempt goes on with, as the order and the account are now. */
async function contextOf(tools: Tools, order: OrderFacts): Promise<Context> {
  const db = tools.db.tenant(order.merchant_account_id);
  const { id: transaction_id } = lastTransaction(order);
  const [account, token_hash] = await Promise.all([
    findAccount(tools, order.merchant_account_id),
    findTokenHash(db, { order_id: order.id, transaction_id }),
  ]);
  return {
    account: account ?? NO_ACCOUNT,
    token_hash: token_hash ?? '',
    fallbacks: fallbacksOf(order, account?.contracts ?? []),
  };
}

/**
 * The fallbacks of an order: if rules chose, the contracts that follow in their choice; else every contract of another
 * provider that fits.
 */
function fallbacksOf(order: OrderFacts, contracts: Contracts): Contracts {
  const attempt = lastTransaction(order);
  const { provider, payment_method_name, route } = attempt;
  if (route) return laterFallbacks(route, { contracts, attempt });
  const { merchant_contract: named } = order.body;
  const wanted = wantedOf(order.body, { currency: order.currency, payment_method_name });
  const chosen = chooseContract({ contracts }, wanted, typeof named === 'string' ? named : undefined);
  const fitting = 'refused' in chosen ? [] : [chosen.contract, ...chosen.fallbacks];
  return fitting.filter((contract) => contract.provider !== provider);
}

/**
 * Commits what was learnt of an authentication and goes on with what follows; answers the order as it stands after it.
 */
async function conclude(tools: Tools, order: OrderFacts, seen: Authenticated): Promise<OrderFacts> {
  const authentication = openAuthentication(order);
  if (!authentication || authentication.provider_run) return order;
  const context = await contextOf(tools, order);
  const work = goOn(tools, applyAuthentication(tools, order, { ...context, authentication, seen }), context);
  return tools.running.start(order.id, authentication.id, work, order);
}

/** The bank's own word (RReq). False: it is about no authentication of ours that is under way. */
export async function takeAuthenticationMessage(tools: Tools, message: AuthenticationMessage): Promise<boolean> {
  const order = await findOrder(tools.db.tenant(message.merchant_account_id), message.order_id);
  const authentication = order?.authentications.find(({ id }) => id === message.authentication_id);
  if (!order || authentication?.server_id !== message.server_id) return false;
  if (isOpen(authentication)) await conclude(tools, order, message.result);
  return true;
}

/** The authentication that a payer's page is about: an order that was tried again has another one under way. */
type OfPage = { readonly order: OrderFacts; readonly authentication: AuthenticationFacts };

/**
 * How often in a minute the server is asked about one authentication, for two windows of its page: all payers share the
 * server, and whoever has the address of a page may look as often as they like.
 */
const INQUIRIES_PER_MINUTE = 90;

/** Asks the server how a challenge ended: what a browser brings back only wakes us (contract 10.1). */
export async function lookAgain(tools: Tools, { order, authentication }: OfPage): Promise<OrderFacts> {
  const asks =
    authentication.state === 'challenge' &&
    !authentication.provider_run &&
    tools.counts.count(`inquiry ${authentication.id}`, INQUIRIES_PER_MINUTE) === 'within';
  const seen = asks ? await inquire(tools, authentication) : undefined;
  return seen ? conclude(tools, order, seen) : order;
}

/** The bank has seen the payer's browser, or did not want to: now it is asked. */
export async function afterMethod(
  tools: Tools,
  { order, authentication }: OfPage,
  method: MethodSeen,
): Promise<OrderFacts> {
  if (authentication.state !== 'method') return order;
  const where = { order_id: order.id, transaction_id: authentication.transaction_id, lease_s: LEASE_S };
  // the payer's page and the bank may both say that it is time
  if (!(await beginAsking(tools.db.tenant(order.merchant_account_id), where))) return order;
  return authenticate(tools, order, { ...(await contextOf(tools, order)), method }).asked;
}

async function inquire(tools: Tools, { server_id }: AuthenticationFacts): Promise<Authenticated | undefined> {
  const { authenticator: server } = tools;
  if (!server || server_id === null) return undefined;
  const { destination } = server;
  const forwarded = await tools.direct({ ...server.inquire(server_id), destination, key: server_id, credentials: {} });
  return forwarded.outcome === 'answered' ? server.readInquiry(forwarded, server_id) : undefined;
}

/**
 * Ends orders that only wait for a payer who has begun again with another one (contract 7.3). False: one of them went
 * on before.
 */
export async function endWaiting(
  tools: Tools,
  merchant_account_id: string,
  order_ids: readonly string[],
): Promise<boolean> {
  for (const order_id of order_ids) {
    const order = await findOrder(tools.db.tenant(merchant_account_id), order_id);
    if (!order) continue;
    const waiting = order.authentications.find(waitsForPayer);
    const left = (): Promise<OrderFacts> =>
      waiting?.provider_run === true ? payerHasLeft(tools, order) : conclude(tools, order, { kind: 'left' });
    const now = waiting ? await left() : order;
    if (now.live && !isUndone(now)) return false;
  }
  return true;
}

/** The payer was at the provider, and an authorization that may stand there is being undone. */
function isUndone({ operations }: OrderFacts): boolean {
  return operations.some(({ state, waits_for }) => state === 'reversing' && waits_for === 'payer');
}

/** Longer than directory and bank are waited for. */
const LEASE_S = 20;
/** An authentication that was cut off is asked again so often; after that, the payer is gone. */
const MOST_TRIES = 3;

/** Takes those whose time has come; answers how many there were. */
export async function authenticateDue(tools: Tools, room: number): Promise<number> {
  const claimed = await claimAuthentications(tools.db.looks, { room, lease_s: LEASE_S });
  await Promise.all(
    claimed.map((one) =>
      dueOne(tools, one).catch((error: unknown) =>
        tools.log.error({ order_id: one.order_id, error: String(error) }, 'an authentication will be tried again'),
      ),
    ),
  );
  return claimed.length;
}

async function dueOne(tools: Tools, claimed: Claimed): Promise<void> {
  const order = await findOrder(tools.db.tenant(claimed.merchant_account_id), claimed.order_id);
  const authentication = order && openAuthentication(order);
  // this process works on it already
  if (!order || !authentication || tools.running.has(authentication.id)) return;
  // cut off after the bank's look at the browser: no answer is waited for
  const cut_off = authentication.state === 'method' && authentication.method_url === null;
  if (waitsForPayer(authentication) && !cut_off) {
    await conclude(tools, order, (await inquire(tools, authentication)) ?? { kind: 'timed_out' });
    return;
  }
  if (claimed.tries > MOST_TRIES) await conclude(tools, order, { kind: 'unreachable' });
  else await authenticate(tools, order, await contextOf(tools, order)).settled;
}
