// Sends a capture, refund, cancel or reversal, which carry no card, and commits what was answered. They are sent again
// with the same key, amount and references until something definite is known.
import type { Outcome, Provider } from '../../../provider/contract.ts';
import type { Tools } from '../../tools.ts';
import { ECHOES, type Policy, type Seen } from '../decide/decision.ts';
import type { OperationFacts, OrderFacts } from '../facts/order-facts.ts';
import { againOf, isUnheard, keyIsKept, providerFacts } from './provider-call.ts';
import { readAgain, record } from './record.ts';
import { walk } from './walk.ts';

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
  const heard = await walk(tools, { provider, order, operation, facts, since, ...(again && { again }) });
  if (heard === 'overtaken') return readAgain(tools, order);
  const outcome = again ? withoutEchoes(heard.outcome, repeatsFirst(sending)) : heard.outcome;
  return record(tools, order, { operation, observation: { ...heard, outcome }, ...learnt });
}

/**
 * A repeat under a key that the provider keeps is answered as the first was: then "already done" is the answer to the
 * first one, and what was done is another one's. Only once the first can arrive no more: one that overtook it would be
 * judged for itself.
 */
function repeatsFirst(sending: Sending): boolean {
  return sending.policy?.in_flight_over === true && againOf(sending) === 'same_key' && keyIsKept(sending);
}

function withoutEchoes(outcome: Seen, repeats_first: boolean): Seen {
  // what is turned away now may have been taken before
  if (isUnheard(outcome)) return UNPROVED;
  if (repeats_first) return outcome;
  return outcome.kind === 'declined' && ECHOES.has(outcome.result) ? UNPROVED : outcome;
}

const UNPROVED: Outcome = { kind: 'unknown', why: 'unreadable' };
