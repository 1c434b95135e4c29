// The answer to a caller (contract 2.8): the final outcome when it is there within the budget, else what is known.
import type { OperationState } from '../../../core/states.ts';
import { replayed } from '../../../kit/http/idempotency.ts';
import type { Answer, RouteRequest } from '../../../kit/http/route.ts';
import type { Account } from '../../merchant/account.ts';
import { demandedOf } from '../../order-rules/indicator.ts';
import type { Tools } from '../../tools.ts';
import type { OperationFacts, OrderFacts } from '../facts/order-facts.ts';
import { openAuthentication } from '../facts/authentication-facts.ts';
import { findOrder } from '../facts/order-store.ts';
import { isPayerThere } from '../facts/payer.ts';
import { redirectMember } from './authentication-view.ts';
import { orderMembers, orderResult } from './order-view.ts';

type WaitingRequest = Pick<RouteRequest<Account, unknown, unknown>, 'caller' | 'wait_s'>;

/**
 * The answer to an order that was just accepted: waits for its outcome within the budget; the call goes on behind it.
 */
export async function answerOrder(
  tools: Tools,
  request: WaitingRequest,
  {
    facts,
    asked,
    settled,
  }: { readonly facts: OrderFacts; readonly asked: Promise<OrderFacts>; readonly settled: Promise<OrderFacts> },
): Promise<Answer> {
  const budget_s = budgetOf(request, facts);
  const until = tools.clock.ticks() + budget_s * 1000;
  // in any case: without an address the payer cannot go on (contract 2.8)
  const asking = openAuthentication(facts) ? asked : isAskedAtProvider(tools, facts) ? settled : undefined;
  const known = asking ? await firstOf(tools, { settled: asking, budget_s: ASKING_S, otherwise: facts }) : facts;
  const rest_s = Math.max(0, until - tools.clock.ticks()) / 1000;
  const first = rest_s === 0 ? known : await firstOf(tools, { settled, budget_s: rest_s, otherwise: known });
  const last = await untilDecided(tools, first, until);
  return { body: bodyOf(tools, last) };
}

/** The present answer of an order that an earlier, equal request made; joins its wait. */
export async function answerStored(tools: Tools, request: WaitingRequest, order_id: string): Promise<Answer> {
  const now = tools.clock.ticks();
  const stored = await getOrder(tools, request.caller.merchant_account_id, order_id);
  const order = await untilAsked(tools, stored, now + ASKING_S * 1000);
  const last = await untilDecided(tools, order, now + budgetOf(request, order) * 1000);
  return replayed({ body: bodyOf(tools, last) });
}

function bodyOf({ addresses }: Tools, order: OrderFacts) {
  return { result: orderResult(order), ...orderMembers(order), ...redirectMember(order, addresses.vault_url) };
}

/** Longer than directory and bank are waited for (contract 10.1), and what is stored of them. */
const ASKING_S = 11;

/** Between two looks at what another process decides. */
export const LOOK_AGAIN_MS = 150;

/** A provider that sees payers itself is on its way to say whether this one must act, as the merchant asked for. */
function isAskedAtProvider(tools: Tools, order: OrderFacts): boolean {
  const provider = tools.providers.get(order.transactions.at(-1)?.provider ?? '');
  const sees_payer = provider?.can.three_ds.includes('redirect') === true && isPayerThere(order);
  const wanted = demandedOf(order);
  const is_wanted = wanted === 'ask_3ds' || wanted === 'force_3ds';
  return sees_payer && is_wanted && order.operations.some(isOnItsWay);
}

const isOnItsWay = ({ kind, state, waits_for }: OperationFacts) =>
  kind === 'authorize' && state === 'requested' && waits_for === 'call';

/** Looks at the order until it is said whether its payer must act: by directory and bank, or by the provider. */
async function untilAsked(tools: Tools, first: OrderFacts, until: number): Promise<OrderFacts> {
  let order = first;
  const isAsked = () => openAuthentication(order)?.state === 'requested' || isAskedAtProvider(tools, order);
  while (isAsked() && tools.clock.ticks() < until && !tools.running.ending) {
    await tools.clock.sleep(LOOK_AGAIN_MS);
    order = await getOrder(tools, order.merchant_account_id, order.id);
  }
  return order;
}

/** Looks at the order until its outcome is known, or the budget is used up; a service that stops only joins calls. */
async function untilDecided(tools: Tools, first: OrderFacts, until: number): Promise<OrderFacts> {
  let order = first;
  let is_last = false;
  while (isUndecided(order) && tools.clock.ticks() < until && !is_last) {
    const rest_ms = until - tools.clock.ticks();
    const running = tools.running.find(order.id);
    // a call that ended since the look before has its outcome in the next one
    is_last = tools.running.ending && !running;
    // here: join the call. Elsewhere, or in doubt: look again
    if (running) await firstOf(tools, { settled: running, budget_s: rest_ms / 1000, otherwise: undefined });
    else if (!is_last) await tools.clock.sleep(Math.min(LOOK_AGAIN_MS, rest_ms));
    order = await getOrder(tools, order.merchant_account_id, order.id);
  }
  return order;
}

export async function getOrder(tools: Tools, merchant_account_id: string, order_id: string): Promise<OrderFacts> {
  const order = await findOrder(tools.db.tenant(merchant_account_id), order_id);
  if (!order) throw new Error('an order that was accepted is there');
  return order;
}

const UNDECIDED: ReadonlySet<OperationState> = new Set(['requested', 'in_doubt', 'reversing']);

/** The payer must act now; not any more once the authorization is being undone. */
const isPayers = (state: OperationState, waits_for: OperationFacts['waits_for']) =>
  waits_for === 'payer' && state !== 'reversing';

function isUndecided(order: OrderFacts): boolean {
  return (
    // a payer who must act gets the answer at once
    order.operations.some(({ state, waits_for }) => UNDECIDED.has(state) && !isPayers(state, waits_for)) ||
    order.authentications.some(({ state }) => state === 'requested')
  );
}

function budgetOf({ caller, wait_s }: WaitingRequest, order: OrderFacts): number {
  const { wait_direct_capture, wait_authorize } = caller.settings;
  return wait_s ?? (order.body['operation_type'] === 'direct_capture' ? wait_direct_capture : wait_authorize);
}

export async function firstOf<T>(
  tools: Tools,
  { settled, budget_s, otherwise }: { settled: Promise<T>; budget_s: number; otherwise: T },
): Promise<T> {
  const timer = tools.clock.timer(budget_s * 1000);
  return Promise.race([settled, timer.done.then(() => otherwise)]).finally(() => timer.end());
}
