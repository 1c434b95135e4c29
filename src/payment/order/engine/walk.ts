// Takes an operation through its provider's steps. What a step leaves is committed with the name of the next one before
// that is sent, so a process that dies has said how far it came; and each commit asks whether this process is still the
// one that works on it.
import { type Facts, type Provider, type Step, goesThroughVault } from '../../../provider/contract.ts';
import type { Tools } from '../../tools.ts';
import type { Forwarded } from '../../vault-link.ts';
import type { Observation } from '../decide/decision.ts';
import { type OperationFacts, type OrderFacts, lastTransaction } from '../facts/order-facts.ts';
import { credentialsOf, readStep, report } from './provider-call.ts';
import { nextTrace, noteStep } from './step-store.ts';

export type Walking = {
  readonly provider: Provider;
  readonly order: OrderFacts;
  readonly operation: OperationFacts;
  readonly facts: Facts;
  /** The clock's ticks when what is sent first was committed. */
  readonly since: number;
  /** It was sent before. */
  readonly again?: boolean;
  /** What the vault knows the card by; undefined: no step of this walk carries one. */
  readonly token_hash?: string;
};

/**
 * `overtaken`: another process has taken the operation up, or ended it; nothing is known of it, and nothing more was
 * sent.
 */
export type Walked = Observation | 'overtaken';

/** Between the record that it is sent and the sending itself: a process that was stopped sends nothing any more. */
const LATE_MS = 3000;
/** More than any operation has. */
const MOST_STEPS = 8;
/**
 * A message that is sent once more says so, where messages have numbers (contract.ts, `traces`). Not stored: the next
 * may be the first.
 */
const REPEATED = { repeat: 'yes' };

export async function walk(tools: Tools, walking: Walking): Promise<Walked> {
  const { provider, order, facts } = walking;
  // one that was given no number yet was never sent
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
      // what the vault refused was never the provider's to answer
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
 * Where it stands, or the provider's first; a provider that counts its messages is given a number and a time, which
 * stay.
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

/** Through the vault where a card goes with it, else by ourselves; late: nothing was sent. */
async function send(tools: Tools, walking: Walking, { row, call }: Sending): Promise<Forwarded | 'late'> {
  const { provider, order, operation, token_hash = '' } = walking;
  const sent = {
    ...call,
    destination: provider.name,
    key: keyOf(operation, call.step),
    deadline_ms: provider.can.answer_deadline_s * 1000,
  };
  if (!goesThroughVault(row)) {
    const credentials = await credentialsOf(tools, walking);
    // asked last, with nothing to wait for between here and the sending
    return tools.clock.ticks() - walking.since > LATE_MS ? 'late' : tools.direct({ ...sent, credentials });
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

/** The same after a crash; another one only where nothing was found under the one before. */
export function keyOf({ id, key_round }: Pick<OperationFacts, 'id' | 'key_round'>, step: string): string {
  return key_round === 0 ? `${id}-${step}` : `${id}-${step}-${key_round + 1}`;
}

export const leaseOf = ({ can }: Provider): number => can.answer_deadline_s + 5;

/**
 * An authorization that sent no step that may move money: whatever became of the others, nothing did. What only asks is
 * asked again.
 */
function harmless({ effect, again }: Step, { kind, money_sent }: OperationFacts): boolean {
  return kind === 'authorize' && effect !== 'money' && again !== 'freely' && !money_sent;
}

const nothingProved = ({ kind }: { readonly kind: string }) =>
  kind === 'unknown' || kind === 'pending' || kind === 'not_found';

export const NOT_SENT = { kind: 'not_sent', result: 'provider_unreachable' } as const;

/**
 * There is nothing to work on, or the provider has no such amount. A first step that cannot be written never could be:
 * nothing of a capture or refund was sent, nor will be.
 */
function unsendable({ kind, money_sent }: OperationFacts, at_first: boolean): Observation {
  if (kind === 'authorize' && !money_sent) return { source: 'timer', outcome: NOT_SENT };
  const result = kind === 'capture' || kind === 'refund' ? (`provider_${kind}_amount_invalid` as const) : undefined;
  if (!at_first || result === undefined) return { source: 'answer', outcome: { kind: 'unknown', why: 'unreadable' } };
  const outcome = { kind: 'declined', result, reference: null, provider_code: '', provider_text: '' } as const;
  return { source: 'timer', outcome };
}

const byVault = ({ outcome }: Forwarded) => outcome === 'not_sent' || outcome === 'already_sent';

/** Can money have moved? Asked of the step it stands at, and of those before. */
export function mayHaveMoved(provider: Provider, { step, money_sent }: OperationFacts, facts: Facts): boolean {
  const at = step ?? provider.first(facts);
  return money_sent || (at !== undefined && provider.steps[at]?.effect === 'money');
}
