// The payer comes back from the provider, or has left for good. What the payer brings proves nothing: it is handed to
// the step that asks the provider.
import { storable, violated } from '../../../kit/database.ts';
import type { Tools } from '../../tools.ts';
import { noteLiability } from '../authentication/provider-run-store.ts';
import { type OperationFacts, type OrderFacts, providerNameOf } from '../facts/order-facts.ts';
import { authorizeFacts } from './provider-call.ts';
import { readAgain, record } from './record.ts';
import { noteStep } from './step-store.ts';
import { BACK, RESUME, TAKES, authenticationAtProvider } from './to-payer.ts';
import { leaseOf, walk } from './walk.ts';

/** A value from the payer's browser: anything may be in it, and nothing of it is believed. */
const textOf = (value: unknown): string => (typeof value === 'string' ? storable(value).slice(0, MOST_TEXT) : '');
const MOST_TEXT = 4096;

/** Goes on with the step for which the provider wanted the payer; answers the order after it. */
export async function payerIsBack(
  tools: Tools,
  order: OrderFacts,
  brought: Readonly<Record<string, unknown>>,
): Promise<OrderFacts> {
  const operation = waitingForPayer(order);
  const provider = operation && tools.providers.get(providerNameOf(order, operation));
  const step = operation?.kept[RESUME];
  if (!operation || !provider || step === undefined) return order;
  const takes = (operation.kept[TAKES] ?? '').split(' ').filter((name) => name !== '');
  const back = takes.map((name) => [`${BACK}${name}`, textOf(brought[name])] as const);
  const kept = { ...operation.kept, ...Object.fromEntries(back) };
  const money = provider.steps[step]?.effect === 'money';
  const since = tools.clock.ticks();
  const next = { step, kept, money, reference: null, lease_s: leaseOf(provider), taken_up: 1 } as const;
  const own = tools.db.tenant(order.merchant_account_id);
  // in no batch: it may wait for another order of the reference, and its neighbours would wait with it
  const db = { ...own, batch: own.run };
  // a payer who comes back twice, or in two windows, is let through once
  const let_through = await noteStep(db, { order_id: order.id, operation }, next).catch((error: unknown) => {
    if (violated(error) !== 'one_at_provider') throw error;
    return 'beside another' as const;
  });
  // of two orders of one reference one is paid (contract 7.3): the other one is with its provider now
  if (let_through === 'beside another') return payerHasLeft(tools, await readAgain(tools, order));
  if (!let_through) return readAgain(tools, order);
  const tries = operation.tries + 1;
  const resumed = { ...operation, step, kept, waits_for: 'call', money_sent: operation.money_sent || money, tries };
  const facts = authorizeFacts(provider, order, resumed);
  const work = goOn(tools, order, {
    operation: resumed,
    walking: walk(tools, { provider, order, operation: resumed, facts, since }),
  });
  return tools.running.start(order.id, operation.id, work, order);
}

type GoingOn = { readonly operation: OperationFacts; readonly walking: ReturnType<typeof walk> };

async function goOn(tools: Tools, order: OrderFacts, { operation, walking }: GoingOn): Promise<OrderFacts> {
  const heard = await walking;
  const now = await readAgain(tools, order);
  if (heard === 'overtaken') return now;
  const after = await record(tools, now, { operation, observation: heard });
  const { outcome } = heard;
  // a message may have reported the payment, and who is liable, before
  const is_known = after.authentications.every(({ liability_shifted }) => liability_shifted);
  if (outcome.kind !== 'approved' || outcome.liability_shifted !== true || is_known) return after;
  const { transaction_id } = operation;
  const db = tools.db.tenant(order.merchant_account_id);
  return (await noteLiability(db, { order_id: order.id, transaction_id })) ? readAgain(tools, order) : after;
}

/** The payer has begun again with another order and will not finish this one: its authorization is undone. */
export async function payerHasLeft(tools: Tools, order: OrderFacts): Promise<OrderFacts> {
  const operation = waitingForPayer(order);
  if (!operation) return order;
  const outcome = { kind: 'cancel_wanted', left: true } as const;
  return record(tools, order, { operation, observation: { source: 'timer', outcome } });
}

function waitingForPayer(order: OrderFacts): OperationFacts | undefined {
  return order.operations.find(
    (one) => one.waits_for === 'payer' && one.state !== 'reversing' && authenticationAtProvider(order, one),
  );
}
