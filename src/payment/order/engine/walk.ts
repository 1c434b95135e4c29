// Takes an operation through its provider's steps. Before the next step is sent, its name and what the step before it
// left are committed: if the process dies, the row says how far it came. Each commit also checks that this process is
// still the one that works on the operation.
import { type Facts, type Provider, type Step, goesThroughVault } from '../../../provider/contract.ts';
import type { Tools } from '../../tools.ts';
import type { Forwarded } from '../../vault-link.ts';
import { NOTHING_SAID, type Observation } from '../decide/decision.ts';
import { type OperationFacts, type OrderFacts, lastTransaction } from '../facts/order-facts.ts';
import { credentialsToSend, readStep, report } from './provider-call.ts';
import { nextTrace, noteStep } from './step-store.ts';

export type Walking = {
  readonly provider: Provider;
  readonly order: OrderFacts;
  readonly operation: OperationFacts;
  readonly facts: Facts;
  /** The clock's ticks when the intent to send the first step was committed. */
  readonly since: number;
  /** The operation was sent before. */
  readonly again?: boolean;
  /** The hash by which the vault finds the card; undefined: no step of this walk carries a card. */
  readonly token_hash?: string;
};

/**
 * `overtaken`: another process has taken the operation up, or ended it. This walk learnt nothing, and sent nothing
 * more.
 */
export type Walked = Observation | 'overtaken';

/**
 * The longest time between the commit "this is sent" and the sending. A process that was stopped for longer sends
 * nothing.
 */
export const LATE_MS = 3000;
/** More steps than any operation has. */
const MOST_STEPS = 8;
/**
 * Marks a message as a repeat, at providers that number their messages (contract.ts, `traces`). The mark is not stored,
 * because the next message may be a first one.
 */
const REPEATED = { repeat: 'yes' };

export async function walk(tools: Tools, walking: Walking): Promise<Walked> {
  const { provider, order, facts } = walking;
  // an operation without a number was never sent
  const has_number = walking.operation.kept['trace'] !== undefined;
  const begun = await firstStep(tools, walking);
  if (begun === 'overtaken') return begun;
  let { operation, since } = begun;
  let { step } = begun;
  for (let count = 0; count < MOST_STEPS; count++) {
    const kept_now = walking.again && has_number ? { ...operation.kept, ...REPEATED } : operation.kept;
    const stepping = { provider, step, facts, kept: kept_now };
    const row = provider.steps[step];
    const written = row && provider.write(step, facts, kept_now);
    if (!row || !written) return unsendable(operation, row !== undefined && step === provider.first(facts));
    const from = tools.clock.ticks();
    const sent = await send(tools, { ...walking, operation, since }, { row, call: { ...written, step } });
    const late = sent === 'late';
    const forwarded: Forwarded = late ? { outcome: 'unknown', reason: 'timeout' } : sent;
    tools.crash.at(operation.kind === 'reversal' ? 'reversal_acknowledged' : 'call_answered');
    const { reading, answer } = readStep(forwarded, stepping);
    if (reading.kind !== 'next') {
      const outcome = harmless(row, operation) && nothingProved(reading) ? NOT_SENT : reading;
      // what the vault refused never reached the provider, so it says nothing of the provider's health
      if (!late && (forwarded.outcome !== 'not_sent' || forwarded.reason === 'connect'))
        report(tools, { outcome: reading, answer }, { provider, kind: operation.kind, from, operation });
      return { outcome, answer, source: goesThroughVault(row) && byVault(forwarded) ? 'vault' : 'answer' };
    }
    const kept = { ...operation.kept, ...reading.keep };
    const money = provider.steps[reading.step]?.effect === 'money';
    since = tools.clock.ticks();
    const next = { step: reading.step, kept, money, reference: reading.reference ?? null, lease_s: leaseOf(provider) };
    if (!(await noteStep(tools.db.tenant(order.merchant_account_id), { order_id: order.id, operation }, next)))
      return 'overtaken';
    tools.crash.at('step_committed');
    ({ step } = reading);
    operation = { ...operation, step, kept, money_sent: operation.money_sent || money };
  }
  throw new Error(`an operation of ${provider.name} took more than ${MOST_STEPS} steps`);
}

type Begun = { readonly operation: OperationFacts; readonly step: string; readonly since: number };

/**
 * The step that the operation has reached, or the provider's first step. If the provider numbers its messages, the
 * operation is given a number and a time, which it keeps.
 */
async function firstStep(
  tools: Tools,
  { provider, order, operation, facts, since }: Walking,
): Promise<Begun | 'overtaken'> {
  const step = operation.step ?? provider.first(facts) ?? '';
  if (!provider.can.traces || operation.kept['trace'] !== undefined || step === '') return { operation, step, since };
  const db = tools.db.tenant(order.merchant_account_id);
  const kept = { ...operation.kept, trace: await nextTrace(db), trace_at: tools.clock.now().toISOString() };
  const begun = tools.clock.ticks();
  const money = false;
  const next = { step, kept, money, reference: null, lease_s: leaseOf(provider) };
  if (!(await noteStep(db, { order_id: order.id, operation }, next))) return 'overtaken';
  return { operation: { ...operation, step, kept }, step, since: begun };
}

type Sending = {
  readonly row: Step;
  readonly call: { readonly step: string } & ReturnType<Provider['write']> & object;
};

/** Sends a step through the vault if it carries a card, else directly. `late`: nothing was sent, nothing is known. */
async function send(tools: Tools, walking: Walking, { row, call }: Sending): Promise<Forwarded | 'late'> {
  const { provider, order, operation, token_hash = '' } = walking;
  const sent = {
    ...call,
    destination: provider.name,
    key: keyOf(operation, call.step),
    deadline_ms: provider.can.answer_deadline_s * 1000,
  };
  if (!goesThroughVault(row)) {
    const credentials = await credentialsToSend(tools, walking);
    // the time is checked last, with nothing to wait for between the check and the sending
    const is_late = tools.clock.ticks() - walking.since > LATE_MS;
    return is_late || !credentials ? 'late' : tools.direct({ ...sent, credentials });
  }
  return tools.vault.forward({
    ...sent,
    operation_id: operation.id,
    order_id: order.id,
    request_id: operation.request_id,
    merchant_account_id: order.merchant_account_id,
    token_hash,
    checkout_id: order.checkout_id,
    contract_id: lastTransaction(order).contract_id,
  });
}

/**
 * The provider's idempotency key of a step. It is the same after a crash; it changes only when nothing was found under
 * the key before.
 */
export function keyOf({ id, key_round }: Pick<OperationFacts, 'id' | 'key_round'>, step: string): string {
  return key_round === 0 ? `${id}-${step}` : `${id}-${step}-${key_round + 1}`;
}

export const leaseOf = ({ can }: Provider): number => can.answer_deadline_s + 5;

/**
 * True for an authorization that has sent no step that may move money: whatever happened to its other steps, no money
 * moved. A step that only asks is left out, because it is asked again.
 */
function harmless({ effect, again }: Step, { kind, money_sent }: OperationFacts): boolean {
  return kind === 'authorize' && effect !== 'money' && again !== 'freely' && !money_sent;
}

const nothingProved = ({ kind }: { readonly kind: string }) =>
  kind === 'unknown' || kind === 'pending' || kind === 'not_found';

export const NOT_SENT = { kind: 'not_sent', result: 'provider_unreachable' } as const;

/**
 * The outcome of a step that cannot be written: there is nothing to work on, or the provider does not know the amount.
 * If it is the first step of a capture or refund, nothing was sent and nothing will be.
 */
function unsendable({ kind, money_sent }: OperationFacts, at_first: boolean): Observation {
  if (kind === 'authorize' && !money_sent) return { source: 'timer', outcome: NOT_SENT };
  const result = kind === 'capture' || kind === 'refund' ? (`provider_${kind}_amount_invalid` as const) : undefined;
  if (!at_first || result === undefined) return { source: 'answer', outcome: { kind: 'unknown', why: 'unreadable' } };
  const outcome = { kind: 'declined', result, reference: null, ...NOTHING_SAID } as const;
  return { source: 'timer', outcome };
}

const byVault = ({ outcome }: Forwarded) => outcome === 'not_sent' || outcome === 'already_sent';

/** Can money have moved, by the step that the operation has reached or by one before it? */
export function mayHaveMoved(provider: Provider, { step, money_sent }: OperationFacts, facts: Facts): boolean {
  const at = step ?? provider.first(facts);
  return money_sent || (at !== undefined && provider.steps[at]?.effect === 'money');
}
