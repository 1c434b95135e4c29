// Sends a capture, refund, cancel or reversal, none of which carries a card, and commits the answer. The same call
// (key, amount and references) is sent again until something definite is known.
import type { Outcome, Provider } from '../../../provider/contract.ts';
import type { Tools } from '../../tools.ts';
import { ECHOES, type Policy, type Seen } from '../decide/decision.ts';
import type { OperationFacts, OrderFacts } from '../facts/order-facts.ts';
import { lookElsewhere } from './elsewhere.ts';
import { againOf, isUnheard, keyIsKept, providerFacts } from './provider-call.ts';
import { readAgain, record } from './record.ts';
import { walk } from './walk.ts';

export type Sending = {
  readonly provider: Provider;
  readonly order: OrderFacts;
  readonly operation: OperationFacts;
  /** The clock's ticks when the intent to send was committed. */
  readonly since: number;
  /** The operation was sent before: "already done" may be about our own first call, and proves nothing. */
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
  const after = await record(tools, order, { operation, observation: { ...heard, outcome }, ...learnt });
  if (outcome.kind === 'declined') lookWhy(tools, after, { provider, operation });
  return after;
}

type Refused = Pick<Sending, 'provider' | 'operation'>;

/**
 * What was refused may have been done at the provider's own site before, or what it needed was undone there: its books
 * say so. Nobody waits for that.
 */
function lookWhy(tools: Tools, order: OrderFacts, { provider, operation }: Refused): void {
  const { id, kind } = operation;
  if (!provider.books || kind === 'reversal') return;
  const looking = lookElsewhere(tools, order).catch((error: unknown) =>
    tools.log.error({ order_id: order.id, error: String(error) }, 'what was refused was not looked into'),
  );
  void tools.running.start(order.id, `${id} refused`, looking, undefined);
}

/**
 * The provider keeps keys and answers a repeat as it answered the first call. Then "already done" is the answer to that
 * first call, so another operation did it. True only once the first call can arrive no more: a repeat that overtook the
 * first call would be judged by itself. The call under the second key is judged by itself, too: what was done already
 * may be our first call, although it was not shown when we asked. If it is not shown after a second in-flight time
 * either, it is not there.
 */
function repeatsFirst(sending: Sending): boolean {
  const { operation, policy } = sending;
  const was_asked_once = operation.key_round === 1;
  return !was_asked_once && policy?.in_flight_over === true && againOf(sending) === 'same_key' && keyIsKept(sending);
}

function withoutEchoes(outcome: Seen, repeats_first: boolean): Seen {
  // the provider refuses our credentials now, but may have accepted the operation before
  if (isUnheard(outcome)) return UNPROVED;
  if (repeats_first) return outcome;
  return outcome.kind === 'declined' && ECHOES.has(outcome.result) ? UNPROVED : outcome;
}

const UNPROVED: Outcome = { kind: 'unknown', why: 'unreadable' };
