// The statement that settles an outcome: guard, then effect, in one round trip and one commit.
import {
  type Parameters,
  type RowStatement,
  type RunRow,
  type TenantRunner,
  askRow,
  bytes,
  listParameters,
} from '../../../kit/database.ts';
import type { Observation, PostingLine, Seen, Settlement } from '../decide/decision.ts';
import { type Counting, countingParameters } from '../../declines/counting.ts';
import {
  SETTLE,
  SETTLE_BOOKED,
  SETTLE_COUNTED,
  SETTLE_ENDED,
  SETTLE_LISTS,
  SETTLE_SCORED,
} from '../facts/settle-parts-store.ts';

export type SettleFacts = {
  readonly order_id: string;
  readonly version: number;
  readonly operation_id: string;
  readonly transaction_id: string;
  readonly follow_id: string | null;
  readonly provider: string;
  readonly settlement: Settlement;
  readonly postings: readonly PostingLine[];
  readonly request_id: string | null;
  readonly source: Observation['source'];
  readonly outcome: Exclude<Seen['kind'], 'cancel_wanted'>;
  readonly provider_ref: string | null;
  readonly provider_code: string | null;
  readonly provider_text: string | null;
  readonly http_status: number | null;
  readonly answer: string | null;
  readonly authorization_code: string | null;
  readonly seen_amount_minor: bigint | null;
  readonly seen_currency: string | null;
  readonly risk_score: number | null;
  /** True: the provider authenticated the payer itself and the issuer is liable. */
  readonly liability_shifted: boolean;
  /** What the settlement adds to the counted declines; undefined: nothing, and nothing is looked for there. */
  readonly counting: Counting | undefined;
};

/**
 * T2: operations, money, status and history in one commit. Undefined: another process changed the order since
 * `version`. `follow` is the one operation that the end of another may add: the capture of a sale, the release of a
 * rest, a reversal.
 */
export function settle(db: TenantRunner, facts: SettleFacts): Promise<Settled | undefined> {
  return settleIn({ run: db.batch }, db.merchant_account_id, facts);
}

export type Settled = { readonly version: number; readonly at: Date };

/** The same statement within a transaction that does more. */
export async function settleIn(
  db: { readonly run: RunRow },
  merchant_account_id: string,
  facts: SettleFacts,
): Promise<Settled | undefined> {
  return askRow<Settled>(db.run, shapeOf(facts), settleParameters(merchant_account_id, facts));
}

function shapeOf({ settlement, postings, risk_score, counting }: SettleFacts): RowStatement {
  if (counting) return SETTLE_COUNTED;
  const tries = settlement.attempt_dead || risk_score !== null;
  const books = postings.length > 0 || settlement.follow !== undefined;
  if (settlement.others.length > 0 || (tries && books && settlement.attempt_dead)) return SETTLE;
  if (books) return tries ? SETTLE_SCORED : SETTLE_BOOKED;
  return SETTLE_ENDED;
}

function settleParameters(merchant_account_id: string, facts: SettleFacts): Parameters {
  const { settlement, postings, liability_shifted: _, counting, ...told } = facts;
  const { follow } = settlement;
  return {
    ...told,
    ...settlement.counters,
    ...(counting && countingParameters(counting)),
    merchant_account_id: bytes(merchant_account_id),
    order_id: bytes(facts.order_id),
    operation_id: bytes(facts.operation_id),
    transaction_id: bytes(facts.transaction_id),
    request_id: bytes(facts.request_id),
    winner_id: settlement.wins ? bytes(facts.transaction_id) : null,
    status: settlement.status,
    live: settlement.live,
    cancel_pending: settlement.cancel_pending,
    above: settlement.above,
    state: settlement.state,
    code: settlement.code,
    reason: settlement.reason,
    attempt_dead: settlement.attempt_dead,
    follow_id: bytes(facts.follow_id),
    follow_kind: follow?.kind ?? null,
    follow_target: bytes(follow?.target_id),
    follow_origin: follow?.origin ?? null,
    follow_minor: follow?.amount_minor ?? null,
    follow_state: follow?.state ?? null,
    follow_waits: follow?.waits_for ?? null,
    follow_code: follow?.code ?? null,
    follow_ref: follow?.provider_ref ?? null,
    event_count: settlement.events.length,
    ...listParameters(
      'others',
      SETTLE_LISTS.others,
      settlement.others.map((move) => ({ ...move, id: bytes(move.id) })),
    ),
    ...listParameters(
      'postings',
      SETTLE_LISTS.postings,
      postings.map((line) => ({ ...line, source: bytes(line.source) })),
    ),
    ...listParameters(
      'events',
      SETTLE_LISTS.events,
      settlement.events.map((event, i) => ({
        ...event,
        place: i + 1,
        operation_id: bytes(toldOf(facts, event.type)),
      })),
    ),
  };
}

/**
 * The operation that an event is about. The second event of a sale is about its capture; all events of what was done
 * without us are about that.
 */
function toldOf({ settlement: { follow }, follow_id, operation_id }: SettleFacts, type: string): string {
  const is_without_us = follow?.origin === 'provider' || follow?.origin === 'schedule';
  if (is_without_us && follow_id !== null) return follow_id;
  return follow?.kind === 'capture' && type.startsWith('capture_') && follow_id !== null ? follow_id : operation_id;
}
