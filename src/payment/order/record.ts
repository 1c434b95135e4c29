// Commits what was learnt about an authorization: decide, then one statement. Whoever is second finds the work done.
import type { Outcome } from '../../provider/contract.ts';
import type { Tools } from '../tools.ts';
import { type Observation, type Settlement, decideAuthorization, postingLines } from './decide.ts';
import type { OperationFacts, OrderFacts } from './read/facts.ts';
import { findOrder } from './read/store.ts';
import { settledFacts } from './accepted.ts';
import { type SettleFacts, note, settle } from './store.ts';

export type Learnt = {
  readonly operation: OperationFacts;
  readonly observation: Observation;
  /** When to look again if nothing final was learnt; the worker stretches it with every try. */
  readonly retry_s?: number;
};

/** Answers the facts of the order after the commit. Any process may call it, any number of times. */
export async function record(
  tools: Tools,
  order: OrderFacts,
  { operation, observation, retry_s }: Learnt,
): Promise<OrderFacts> {
  const db = tools.db.tenant(order.merchant_account_id);
  let seen = order;
  for (let round = 0; round < 10; round++) {
    const current = seen.operations.find(({ id }) => id === operation.id);
    if (!current || (current.state !== 'requested' && current.state !== 'in_doubt')) return seen;
    const decision = decideAuthorization({ ...current, currency: seen.currency }, observation);
    if (decision.kind === 'note') {
      await note(db, {
        ...told(observation),
        ...decision,
        order_id: seen.id,
        operation_id: current.id,
        transaction_id: current.transaction_id,
        retry_s: retry_s ?? FIRST_RETRY_S,
        detail: detailOf(observation),
      });
      return {
        ...seen,
        operations: seen.operations.map((o) =>
          o.id === current.id ? { ...o, state: decision.state, waits_for: decision.waits_for } : o,
        ),
      };
    }
    const written = settleFacts(tools, { order: seen, operation: current, observation, settlement: decision });
    const done = await settle(db, written);
    if (done) return settledFacts(seen, written, done);
    seen = (await findOrder(db, order.id)) ?? seen;
  }
  throw new Error(`order ${order.id} moved ten times while an outcome was written`);
}

/** The first look after the call itself. */
const FIRST_RETRY_S = 2;

type Writing = {
  readonly order: OrderFacts;
  readonly operation: OperationFacts;
  readonly observation: Observation;
  readonly settlement: Settlement;
};

function settleFacts(tools: Tools, { order, operation, observation, settlement }: Writing): SettleFacts {
  const capture_id = settlement.capture ? tools.chance.id() : null;
  const { outcome } = observation;
  const approved = outcome.kind === 'approved' ? outcome : undefined;
  return {
    order_id: order.id,
    version: order.version,
    operation_id: operation.id,
    transaction_id: operation.transaction_id,
    capture_id,
    provider: order.transactions.find(({ id }) => id === operation.transaction_id)?.provider ?? '',
    settlement,
    postings: postingLines(settlement, { operation: operation.id, capture: capture_id }),
    request_id: operation.request_id,
    ...told(observation),
    provider_text: 'provider_text' in outcome ? masked(outcome.provider_text) : null,
    authorization_code: approved?.authorization_code ?? null,
    seen_amount_minor: approved?.amount_minor ?? null,
    seen_currency: approved?.currency ?? null,
    risk_score: approved?.risk_score ?? null,
  };
}

function told({ source, outcome }: Observation) {
  return {
    source,
    outcome: outcome.kind,
    provider_ref: 'reference' in outcome ? outcome.reference : null,
    provider_code: 'provider_code' in outcome ? outcome.provider_code : null,
  };
}

function detailOf({ outcome }: Observation): string | null {
  const why = (outcome as Outcome).kind === 'unknown' && 'why' in outcome ? outcome.why : undefined;
  return why === undefined ? null : JSON.stringify({ why });
}

/** Provider texts are shown with runs of digits masked (providers.md 2.2, rule 9). */
function masked(text: string): string {
  return text.replace(/\d{7,}/g, (digits) => '#'.repeat(digits.length));
}
