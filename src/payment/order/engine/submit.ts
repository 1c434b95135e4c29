// The heart of the engine: sends an authorization. The provider file writes the call, the vault fills in the card and
// sends it, the provider file reads the answer. The outcome, the postings, the status and the history are one commit.
// No transaction is open while the provider is asked.
import type { Provider } from '../../../provider/contract.ts';
import type { Evidence } from '../../../provider/payer.ts';
import type { MethodSeen, Proof } from '../../../provider/three-ds/contract.ts';
import { findNetworkReference } from '../../customer/subscription/store.ts';
import type { Account, Contract } from '../../merchant/account.ts';
import type { Tools } from '../../tools.ts';
import type { Applied } from '../authentication/apply.ts';
import { ask } from '../authentication/ask.ts';
import { openAuthentication } from '../facts/authentication-facts.ts';
import { isFinal } from '../decide/decision.ts';
import { authorizeFacts } from './provider-call.ts';
import { payerOf } from '../facts/payer.ts';
import { initiatorOf } from '../../order-rules/initiator.ts';
import { type Chain, chainOf, nextIn, shorter } from './cascade.ts';
import { NOT_SENT, type Walked, walk } from './walk.ts';
import { type OperationFacts, type OrderFacts, lastTransaction } from '../facts/order-facts.ts';
import { readAgain, record } from './record.ts';

export type Submitted = {
  readonly account: Pick<Account, 'name' | 'settings' | 'contracts'>;
  readonly token_hash: string;
  readonly operation_id: string;
  /** The contracts that are tried next, in this order, if a provider's own trouble ends the try before. */
  readonly fallbacks: readonly Contract[];
  /** How the payer was authenticated; undefined: the payer was not. */
  readonly proof?: Proof | undefined;
};

/** Sends the authorization of an order that was just accepted; answers the order's facts after it. */
export function submit(tools: Tools, order: OrderFacts, submitted: Submitted): Promise<OrderFacts> {
  const chain = chainOf(order, { fallbacks: submitted.fallbacks, since: tools.clock.ticks() });
  return tools.running.start(order.id, submitted.operation_id, send(tools, order, { ...submitted, chain }), order);
}

type InChain = Submitted & { readonly chain: Chain };

export type Started = {
  /** Settles once it is known whether the payer must act: no caller waits for more than that (contract 2.8). */
  readonly asked: Promise<OrderFacts>;
  readonly settled: Promise<OrderFacts>;
};

/**
 * Asks whether the payer must be authenticated, and sends the authorization unless the payer must act or the order has
 * ended.
 */
export function authenticate(
  tools: Tools,
  order: OrderFacts,
  submitted: Omit<Submitted, 'operation_id'> & { readonly method?: MethodSeen },
): Started {
  const id = openAuthentication(order)?.id ?? order.id;
  const asking = ask(tools, order, submitted);
  const settled = tools.running.start(order.id, id, goOn(tools, asking, submitted), order);
  const asked = asking.then(
    (applied) => applied.order,
    () => order,
  );
  return { asked, settled };
}

/** Goes on after an authentication, in the process that committed its end. */
export async function goOn(
  tools: Tools,
  applying: Promise<Applied>,
  submitted: Omit<Submitted, 'operation_id'>,
): Promise<OrderFacts> {
  const { order, goes_on } = await applying;
  if (!goes_on) return order;
  return submit(tools, order, { ...submitted, ...goes_on, operation_id: lastTransaction(order).id });
}

async function send(tools: Tools, order: OrderFacts, submitted: InChain): Promise<OrderFacts> {
  const operation = order.operations.find(({ id }) => id === submitted.operation_id);
  const transaction = order.transactions.at(-1);
  if (!operation || !transaction) throw new Error('an accepted order has an operation');
  const provider = tools.providers.get(transaction.provider);
  if (!provider) throw new Error(`there is no provider ${transaction.provider} in this build`);
  const observation = await authorize(tools, { provider, order, operation, submitted });
  if (observation === 'overtaken') return readAgain(tools, order);
  const { chain } = submitted;
  const fallback = nextIn(chain, { now: tools.clock.ticks(), providers: tools.providers });
  // an issuer that is asked again with nobody there sees an attack
  const soft = submitted.account.settings.fallback_on_generic_decline && initiatorOf(order) === 'p';
  const recorded = await record(tools, order, { operation, observation, fallback, soft, continued: true });
  const now = recorded.operations.find(({ id }) => id === operation.id);
  if (now && isFinal(now)) tools.vault.settled(operation.id);
  const next = recorded.transactions.at(-1);
  if (next?.cascade_of !== transaction.id) return recorded;
  // the issuer wants the payer authenticated first, or the merchant does and nobody has asked yet
  if (openAuthentication(recorded)) return authenticate(tools, recorded, submitted).settled;
  const again = send(tools, recorded, { ...submitted, operation_id: next.id, chain: shorter(chain) });
  return tools.running.start(order.id, next.id, again, recorded);
}

type Sending = {
  readonly provider: Provider;
  readonly order: OrderFacts;
  readonly operation: OperationFacts;
  readonly submitted: Submitted;
};

async function authorize(tools: Tools, sending: Sending): Promise<Walked> {
  const { provider, order, operation, submitted } = sending;
  // neither a provider that is down is called, nor under a contract that was turned off while the payer was
  // authenticated: another one may be tried at once
  const { contract_id } = lastTransaction(order);
  const is_off = contract_id !== null && !submitted.account.contracts.some(({ id }) => id === contract_id);
  if (is_off || tools.breaker.refuses({ provider: provider.name, contract_id }))
    return { source: 'timer', outcome: NOT_SENT };
  const previous = await previousReference(tools, order);
  const payer = payerOf(tools, order, operation);
  const facts = {
    ...authorizeFacts(provider, order, operation),
    evidence: evidenceOf(sending, previous),
    ...(payer && { payer }),
  };
  return walk(tools, {
    provider,
    order,
    operation,
    facts,
    since: tools.clock.ticks(),
    token_hash: submitted.token_hash,
  });
}

/**
 * The scheme's id of the first payment of the order's subscription. Undefined: this is the first payment, or there is
 * no subscription.
 */
async function previousReference(tools: Tools, { body, merchant_account_id }: OrderFacts): Promise<string | undefined> {
  const { subscription_id } = body;
  if (typeof subscription_id !== 'string') return undefined;
  return findNetworkReference(tools.db.tenant(merchant_account_id), subscription_id);
}

/**
 * What the provider gets of an authorization beside card and amount: how the payer was authenticated, here or
 * elsewhere, or why not.
 */
function evidenceOf(sending: Sending, previous: string | undefined): Evidence {
  const { provider, order, submitted } = sending;
  const { proof } = submitted;
  const { '3ds_data': outside, sca_exemption_reason: exemption } = order.body;
  return {
    stored_card: lastTransaction(order).token_type === 'recurring',
    ...(previous !== undefined && { previous_reference: previous }),
    ...(proof && { three_ds: proof }),
    ...(isTexts(outside) && { three_ds_data: outside }),
    ...(provider.can.exemptions && !proof && typeof exemption === 'string' && { sca_exemption: exemption }),
  };
}

function isTexts(value: unknown): value is Readonly<Record<string, string>> {
  return typeof value === 'object' && value !== null && Object.values(value).every((text) => typeof text === 'string');
}
