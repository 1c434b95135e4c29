// What a caller hears (contract 2.8): the final outcome when it is there within the budget, else what is known.
import type { Answer, Incoming } from '../../kit/http/route.ts';
import type { Account } from '../merchant/account.ts';
import type { Tools } from '../tools.ts';
import type { OrderFacts } from './read/facts.ts';
import { findOrder } from './read/store.ts';
import { orderMembers, orderResult } from './read/view.ts';

type Asked = Pick<Incoming<Account, unknown, unknown>, 'caller' | 'wait_s'>;

/** The answer to an order that was just accepted: waits for its outcome within the budget; the call goes on behind it. */
export async function answerOrder(
  tools: Tools,
  request: Asked,
  { facts, settled }: { readonly facts: OrderFacts; readonly settled: Promise<OrderFacts> },
): Promise<Answer> {
  const budget_s = budgetOf(request, facts);
  const last = budget_s === 0 ? facts : await firstOf(tools, { settled, budget_s, otherwise: facts });
  return { body: { result: orderResult(last), ...orderMembers(last) } };
}

/** The present answer of an order that an earlier, equal request made; joins its wait. */
export async function answerStored(tools: Tools, request: Asked, order_id: string): Promise<Answer> {
  const db = tools.db.tenant(request.caller.merchant_account_id);
  const find = async () => {
    const order = await findOrder(db, order_id);
    if (!order) throw new Error('an order that was accepted is there');
    return order;
  };
  let order = await find();
  const until = tools.clock.ticks() + budgetOf(request, order) * 1000;
  while (isUndecided(order) && tools.clock.ticks() < until) {
    const rest_s = (until - tools.clock.ticks()) / 1000;
    const running = tools.running.find(order_id);
    // here: join the call. Elsewhere: look again
    await (running
      ? firstOf(tools, { settled: running, budget_s: rest_s, otherwise: undefined })
      : tools.clock.sleep(Math.min(100, rest_s * 1000)));
    order = await find();
  }
  return { body: { result: orderResult(order), ...orderMembers(order) }, headers: { 'idempotent-replayed': 'true' } };
}

function isUndecided(order: OrderFacts): boolean {
  return order.operations.some((operation) => operation.state === 'requested');
}

function budgetOf({ caller, wait_s }: Asked, order: OrderFacts): number {
  const { wait_direct_capture, wait_authorize } = caller.settings;
  return wait_s ?? (order.body['operation_type'] === 'direct_capture' ? wait_direct_capture : wait_authorize);
}

async function firstOf<T>(
  tools: Tools,
  { settled, budget_s, otherwise }: { settled: Promise<T>; budget_s: number; otherwise: T },
): Promise<T> {
  const timer = tools.clock.timer(budget_s * 1000);
  return Promise.race([settled, timer.done.then(() => otherwise)]).finally(() => timer.end());
}
