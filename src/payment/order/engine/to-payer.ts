// The provider wants the payer on its own page. The order says so and leads the payer to a page of ours, which leads to
// the provider. The step after that gets what the payer brings back; if the payer never returns, what is open at the
// provider is undone.
import type { OperationState } from '../../../core/states.ts';
import type { Runner } from '../../../kit/database.ts';
import { DEFAULT_SETTINGS } from '../../merchant/settings.ts';
import { findSettings } from '../../merchant/store.ts';
import { demandedOf } from '../../order-rules/indicator.ts';
import type { Tools } from '../../tools.ts';
import { endProviderRun, insertProviderRun, insertUnseenRun } from '../authentication/provider-run-store.ts';
import { type PayerMustAct, isFinal } from '../decide/decision.ts';
import { type AuthenticationFacts, authenticationOf, isOpen } from '../facts/authentication-facts.ts';
import { type OperationFacts, type OrderFacts, transactionOf } from '../facts/order-facts.ts';
import { payerHandle } from '../facts/payer.ts';
import type { SettleFacts } from './settle-store.ts';
import { settleIn } from './settle-store.ts';
import { awaitPayer } from './step-store.ts';

type ToPayer = { readonly operation: OperationFacts; readonly facts: SettleFacts; readonly payer: PayerMustAct };

/** Names in the operation's `kept` for the payer's return: the step that goes on, and the parameters that it takes. */
export const RESUME = 'resume';
export const TAKES = 'takes';
/** The time until which we wait for the payer, ISO 8601. */
export const UNTIL = 'payer_until';
/** The prefix of a parameter that the payer brought back. */
export const BACK = 'back.';

/** False: the order changed, and nothing was done. */
export async function toPayer(tools: Tools, order: OrderFacts, { operation, facts, payer }: ToPayer): Promise<boolean> {
  const { merchant_account_id, id: order_id } = order;
  const found = await findSettings(tools.db.tenant(merchant_account_id));
  const { challenge_minutes } = { ...DEFAULT_SETTINGS, ...found?.settings };
  const patience_s = challenge_minutes * 60;
  const until = operation.kept[UNTIL] ?? new Date(Date.parse(order.read_at) + patience_s * 1000).toISOString();
  const kept = { ...operation.kept, [RESUME]: payer.resume, [TAKES]: payer.takes.join(' '), [UNTIL]: until };
  const of = { merchant_account_id, order_id };
  return tools.db.begin(merchant_account_id, async (tx) => {
    if (!(await settleIn(tx, merchant_account_id, facts))) return false;
    await awaitPayer(tx, { ...of, operation_id: operation.id, kept, patience_s });
    await insertProviderRun(tx, {
      ...runOf(tools, order, { operation, facts }),
      url: payer.go.url,
      form: payer.go.method === 'POST' ? (payer.go.form ?? {}) : null,
    });
    return true;
  });
}

function runOf(tools: Tools, order: OrderFacts, { operation, facts }: Omit<ToPayer, 'payer'>) {
  return {
    merchant_account_id: order.merchant_account_id,
    order_id: order.id,
    id: tools.chance.id(),
    transaction_id: operation.transaction_id,
    demand: demandOf(order),
    handle: payerHandle(tools, operation),
    partner: tools.providers.get(facts.provider)?.display_name ?? facts.provider,
    request_id: operation.request_id,
  };
}

/**
 * Does the provider say that the liability has shifted, though it sent the payer nowhere? Of an authentication that is
 * known by itself, ours or one made elsewhere, that says nothing new; a network token was never authenticated here.
 */
export function isUnseenRun(order: OrderFacts, { operation, facts }: Omit<ToPayer, 'payer'>): boolean {
  return (
    facts.liability_shifted &&
    operation.kind === 'authorize' &&
    order.body['3ds_data'] === undefined &&
    transactionOf(order, operation)?.network_token === false &&
    authenticationOf(order, operation.transaction_id) === undefined
  );
}

/** Written down in the commit of the approval that says so. */
export function noteUnseenRun(
  tools: Tools,
  tx: Runner,
  { order, ...ended }: Omit<ToPayer, 'payer'> & { readonly order: OrderFacts },
): Promise<void> {
  return insertUnseenRun(tx, runOf(tools, order, ended));
}

/** If the merchant asked for no authentication, the issuer wants one all the same: that is a soft decline. */
function demandOf(order: OrderFacts): AuthenticationFacts['demand'] {
  const said = demandedOf(order);
  return said === 'ask_3ds' || said === 'force_3ds' ? said : 'soft_decline';
}

/** The open authentication for which the payer of this operation is at the provider. */
export function authenticationAtProvider(
  { authentications }: OrderFacts,
  { kind, transaction_id }: OperationFacts,
): AuthenticationFacts | undefined {
  if (kind !== 'authorize') return undefined;
  return authentications.find((one) => one.transaction_id === transaction_id && one.provider_run && isOpen(one));
}

type Ended = {
  readonly authentication: AuthenticationFacts;
  readonly state: OperationState;
  readonly code: string | null;
};
type Settling = { readonly operation: OperationFacts; readonly facts: Pick<SettleFacts, 'settlement'> };

/**
 * The payer's visit to the provider that ends with this settlement: the authorization ends, or a reversal ends the
 * authorization.
 */
export function visitEndedBy(order: OrderFacts, { operation, facts }: Settling): Ended | undefined {
  const { settlement } = facts;
  for (const { id, state, code } of [{ ...settlement, id: operation.id }, ...settlement.others].filter(isFinal)) {
    const authorize = order.operations.find((one) => one.id === id);
    const authentication = authorize && authenticationAtProvider(order, authorize);
    if (authentication) return { authentication, state, code };
  }
  return undefined;
}

/** The visit ends in the same commit as its operation. */
export async function endAtProvider(
  tx: Runner,
  order: OrderFacts,
  { authentication, state, code, liability_shifted }: Ended & { readonly liability_shifted: boolean },
): Promise<void> {
  const passed = state === 'successful';
  await endProviderRun(tx, {
    merchant_account_id: order.merchant_account_id,
    order_id: order.id,
    transaction_id: authentication.transaction_id,
    state: passed ? 'successful' : 'declined',
    code: passed ? null : code,
    liability_shifted,
  });
}
