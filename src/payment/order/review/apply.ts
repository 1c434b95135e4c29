// A difference between our books and a provider's is an observation like any other: decided and committed with the
// source 'file'.
import type { TenantRunner } from '../../../kit/database.ts';
import type { Difference } from '../../ledger/reconcile/compare.ts';
import type { BookLine } from '../../ledger/reconcile/line.ts';
import type { Tools } from '../../tools.ts';
import { NOT_DONE, contradictionOf } from './end-contradiction.ts';
import { NOTHING_SAID, type Seen, isFinal } from '../decide/decision.ts';
import type { OperationFacts } from '../facts/order-facts.ts';
import { findOrder } from '../facts/order-store.ts';
import { isSentSince } from '../engine/queue-store.ts';
import { record } from '../engine/record.ts';
import { policyOf } from '../engine/recovery/waits.ts';

/** parked: it moved nothing, and a person has to look; why. */
export type Applied =
  | { readonly kind: 'applied'; readonly state: string }
  | { readonly kind: 'parked'; readonly why: string };

const parked = (why: string): Applied => ({ kind: 'parked', why });

const SENT_AGAIN = parked('it was sent once more since these books were read');
class SentAgain extends Error {}

/** `told`: done in the transaction that applies it, behind which no run finds the difference again. */
export async function applyDifference(
  tools: Tools,
  difference: Difference,
  told?: (tx: TenantRunner) => Promise<void>,
): Promise<Applied> {
  const { order_id, operation_id, merchant_account_id, kind } = difference;
  if (operation_id === null) return parked('nothing of ours to move');
  if (kind !== 'state' && kind !== 'missing there') return parked('a difference of money is never applied');
  const order = await findOrder(tools.db.tenant(merchant_account_id), order_id);
  const operation = order?.operations.find(({ id }) => id === operation_id);
  if (!order || !operation) return parked('the operation is not there any more');
  const provider = tools.providers.get(difference.provider);
  const outcome = outcomeOf(difference, operation);
  if (typeof outcome === 'string') return parked(outcome);
  // The comparison leaves alone what is younger than that; it may have been sent again since. Not as passed (decision
  // 177): a command has watched no clock. What it may believe too early is the provider's own refusal, or begins an
  // undoing, which is ended by recovery.
  const in_flight_over = provider !== undefined && policyOf(order, operation, provider).in_flight_over;
  const is_refusal = !isFinal(operation) && (outcome.kind === 'declined' || outcome.kind === 'corrected');
  if (is_refusal && !in_flight_over) return SENT_AGAIN;
  const also = async (tx: TenantRunner) => {
    // what is on its way may be done all the same
    if (is_refusal && (await isSentSince(tx, { order_id, operation }))) throw new SentAgain();
    await told?.(tx);
  };
  const policy = { in_flight_over, review_due: false };
  const after = await record(tools, order, { operation, observation: { source: 'file', outcome }, policy, also }).catch(
    (error: unknown) => {
      if (error instanceof SentAgain) return undefined;
      throw error;
    },
  );
  if (!after) return SENT_AGAIN;
  if (contradictionOf(after, operation_id)) return parked('it contradicts a final state: the order is in doubt');
  const now = after.operations.find(({ id }) => id === operation_id);
  const moved = now?.state !== operation.state || after.version !== order.version;
  return moved
    ? { kind: 'applied', state: now?.state ?? '' }
    : parked('it contradicts what is known, or proves nothing');
}

/** A text says why nothing can be concluded. */
function outcomeOf({ tells, line }: Difference, operation: OperationFacts): Seen | string {
  const result = NOT_DONE[operation.kind];
  switch (tells) {
    case 'approved':
      return line ? approvalOf(line, operation) : 'there is no line';
    case 'declined':
      return { kind: 'declined', result, reference: line?.provider_ref ?? null, ...NOTHING_SAID };
    case 'corrected':
      return { kind: 'corrected', result, reference: line?.provider_ref ?? null };
    case 'reversed': {
      const reference = line?.provider_ref ?? operation.provider_ref ?? '';
      return { kind: 'reversed', reference, our_reference: line?.reference ?? '' };
    }
    case 'not_found':
      return { kind: 'not_found' };
    case undefined:
      return 'what was done cannot be told from it';
  }
}

function approvalOf(line: BookLine, { id, kind, provider_ref }: OperationFacts): Seen | string {
  const reference = line.provider_ref ?? provider_ref;
  // what is approved without it could never be captured or refunded
  if (reference === null && (kind === 'authorize' || kind === 'capture'))
    return "the line does not say the provider's own id of it";
  const { amount_minor, currency } = line;
  // of a sale its capture has a line of its own: until that is proved too it waits for the provider
  const money = { amount_minor, currency, authorization_code: '', captured: false };
  return { kind: 'approved', reference: reference ?? '', our_reference: id, ...money, ...NOTHING_SAID };
}
