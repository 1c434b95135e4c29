// Sends a capture, refund, cancel or reversal, which carry no card, and commits what was answered. They are sent again with
// the same key, amount and references until something definite is known (engine.md 1, rule 3).
import type { Outcome, Provider } from '../../../provider/contract.ts';
import type { Tools } from '../../tools.ts';
import { ECHOES, type Observation, type Policy, type Seen } from '../decide/decision.ts';
import {
  type ProviderAnswer,
  credentialsOf,
  readProviderAnswer,
  isUnheard,
  providerFacts,
  report,
  stepCall,
} from './provider-call.ts';
import type { OperationFacts, OrderFacts } from '../facts/order-facts.ts';
import { record } from './record.ts';

export type Sending = {
  readonly provider: Provider;
  readonly order: OrderFacts;
  readonly operation: OperationFacts;
  /** The clock's ticks when the intent to send was committed. */
  readonly since: number;
  /** Sent before: "already done" may be our own first send, and proves nothing. */
  readonly again?: boolean;
  readonly policy?: Policy;
  readonly retry_s?: number;
};

export async function perform(tools: Tools, sending: Sending): Promise<OrderFacts> {
  const { provider, order, operation, again, since, ...learnt } = sending;
  const facts = providerFacts(order, operation);
  const credentials = await credentialsOf(tools, sending);
  // a process that was stopped sends nothing any more: others may have concluded from its silence
  const late = tools.clock.ticks() - since > LATE_MS;
  const call = late ? undefined : provider.write(facts);
  // late, or nothing to work on: what it is about has no reference at the provider
  const from = tools.clock.ticks();
  const heard: ProviderAnswer = call
    ? readProviderAnswer(await tools.direct({ ...stepCall(call), credentials }), provider, facts)
    : { outcome: UNPROVED };
  const { outcome } = heard;
  if (call) report(tools, outcome, { provider, kind: operation.kind, from, operation });
  tools.crash.at(operation.kind === 'reversal' ? 'reversal_acknowledged' : 'call_answered');
  const observation: Observation = { ...heard, source: 'answer', outcome: again ? withoutEchoes(outcome) : outcome };
  return record(tools, order, { operation, observation, ...learnt });
}

/** Between the record that it is sent and the sending itself. */
const LATE_MS = 3000;

function withoutEchoes(outcome: Seen): Seen {
  // what is turned away now may have been taken before
  if (isUnheard(outcome)) return UNPROVED;
  return outcome.kind === 'declined' && ECHOES.has(outcome.result) ? UNPROVED : outcome;
}

const UNPROVED: Outcome = { kind: 'unknown', why: 'unreadable' };
