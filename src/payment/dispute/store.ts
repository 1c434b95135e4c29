// Statements on disputes that change what an order shows.
import type { Transfer } from '../../core/ledger-accounts.ts';
import { type TenantRunner, bytes } from '../../kit/database.ts';

export type NewDispute = {
  readonly id: string;
  readonly order_id: string;
  /** The version of the order when this was decided. */
  readonly version: number;
  readonly operation_id: string;
  readonly provider: string;
  /** Which time the money of this capture goes away, from 1. */
  readonly round: number;
  readonly state: 'opened' | 'won' | 'lost';
  readonly event: string;
  readonly amount_minor: bigint;
  /** Major units as decimal text. */
  readonly amount: string;
  readonly currency: string;
  readonly reason: string;
  readonly reason_code: string;
  /** When the provider reported this, by its clock. */
  readonly opened_at: string;
  /** The provider's own id of it, where it is known. */
  readonly reference: string | null;
  /** The date until which the dispute must be answered; null once it has ended. */
  readonly due_at: Date | null;
  readonly due_reckoned: boolean;
  readonly remind_at: Date | null;
  readonly book: readonly Transfer[];
  readonly unbook: readonly Transfer[];
};

/** What an event says of the row `dispute`. */
const PAYLOAD = `json_build_object(
           'chargeback_amount', :amount::numeric,
           'chargeback_date', to_char(
             dispute.opened_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS') || '+0000',
           'chargeback_reason', dispute.reason, 'chargeback_reason_code', dispute.reason_code,
           'chargeback_due_date', to_char(
             dispute.due_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS') || '+0000')`;

/** It had ended: an answer is due once more, whatever was answered before. */
const AGAIN = `(known.state <> 'opened' AND :is_open::boolean)`;

/**
 * Begins a round, or moves the one that is there, with its postings and its event in one commit. An end keeps the
 * reason that the dispute was opened with. False: the order moved since `version`.
 */
export async function insertOrMoveDispute(
  db: TenantRunner,
  { book, unbook, ...dispute }: NewDispute,
): Promise<boolean> {
  const lines = [
    ...book.map((line, i) => ({ ...line, posting: 'book', line: i + 1 })),
    ...unbook.map((line, i) => ({ ...line, posting: 'unbook', line: i + 1 })),
  ];
  const rows = await db.run(
    'insert_or_move_dispute',
    `WITH changed_order AS (
       UPDATE payment.orders
       SET version = version + 1, next_seq = next_seq + 1, updated_at = payment.now()
       WHERE id = :order_id
         AND merchant_account_id = :merchant_account_id
         AND version = :version
       RETURNING version, next_seq - 1 AS seq, updated_at
     ),
     dispute AS (
       INSERT INTO payment.disputes AS known (
         id, merchant_account_id, order_id, operation_id, provider, round, state,
         amount_minor, currency, reason, reason_code, opened_at, told_at,
         reference, due_at, due_reckoned, remind_at)
       SELECT
         :id, :merchant_account_id, :order_id, :operation_id, :provider, :round, :state,
         :amount_minor, :currency, :reason, :reason_code, :opened_at, :opened_at,
         :reference, :due_at, :due_reckoned, :remind_at
       FROM changed_order
       ON CONFLICT (order_id, operation_id, round) DO UPDATE SET
         state = excluded.state,
         updated_at = payment.now(),
         told_at = excluded.told_at,
         reference = coalesce(excluded.reference, known.reference),
         -- a day that the provider gave holds until it gives another, or opens the dispute again
         due_at = CASE WHEN excluded.due_reckoned AND NOT ${AGAIN} THEN known.due_at
           ELSE excluded.due_at END,
         due_reckoned = (known.due_reckoned OR ${AGAIN}) AND excluded.due_reckoned,
         remind_at = CASE WHEN known.answered_as IS NULL OR ${AGAIN} THEN excluded.remind_at END,
         answered_as = CASE WHEN NOT ${AGAIN} THEN known.answered_as END,
         answered_at = CASE WHEN NOT ${AGAIN} THEN known.answered_at END,
         reason = CASE WHEN :is_open THEN excluded.reason ELSE known.reason END,
         reason_code = CASE WHEN :is_open THEN excluded.reason_code ELSE known.reason_code END
       RETURNING
         known.id, known.provider, known.currency, known.opened_at, known.reason,
         known.reason_code, known.due_at
     ),
     new_entries AS (
       INSERT INTO payment.ledger_entries (
         source_id, posting, line, merchant_account_id, order_id, provider,
         debit, credit, currency, amount_minor, at)
       SELECT
         dispute.id, given.posting, given.line, :merchant_account_id, :order_id, dispute.provider,
         given.debit, given.credit, dispute.currency, :amount_minor, changed_order.updated_at
       FROM dispute, changed_order,
         unnest(:l_postings::text[], :l_lines::smallint[], :l_debits::text[], :l_credits::text[])
           AS given (posting, line, debit, credit)
     ),
     new_event AS (
       INSERT INTO payment.events (
         subject_id, seq, merchant_account_id, type, order_version,
         at, operation_id, payload)
       SELECT
         :order_id, changed_order.seq, :merchant_account_id, :event, changed_order.version,
         changed_order.updated_at, :operation_id,
         ${PAYLOAD}
       FROM dispute, changed_order
     )
     SELECT 1 AS moved FROM dispute`,
    {
      ...dispute,
      is_open: dispute.state === 'opened',
      merchant_account_id: bytes(db.merchant_account_id),
      id: bytes(dispute.id),
      order_id: bytes(dispute.order_id),
      operation_id: bytes(dispute.operation_id),
      l_postings: lines.map(({ posting }) => posting),
      l_lines: lines.map(({ line }) => line),
      l_debits: lines.map(({ debit }) => debit),
      l_credits: lines.map(({ credit }) => credit),
    },
  );
  return rows.length > 0;
}

export type Reminder = {
  readonly id: string;
  readonly order_id: string;
  /** The next one behind this; null: it was the last. */
  readonly next_at: Date | null;
  /** Major units as decimal text. */
  readonly amount: string;
};

/** So long a reminder is one worker's; a moment further ahead is the next one, which is planned. */
export const REMINDER_LEASE = "interval '1 minute'";

/**
 * Tells once more that an answer is due, in the commit that plans the next. False: it was told by another worker
 * meanwhile, was answered, or has ended.
 */
export async function remindOfDispute(db: TenantRunner, { id, order_id, next_at, amount }: Reminder): Promise<boolean> {
  const rows = await db.run(
    'remind_of_dispute',
    // the order is locked before the dispute, as by whatever else moves both; its reminder is read behind both locks
    `WITH locked_order AS MATERIALIZED (
       SELECT id
       FROM payment.orders
       WHERE id = :order_id
         AND merchant_account_id = :merchant_account_id
       FOR NO KEY UPDATE
     ),
     dispute AS (
       UPDATE payment.disputes d
       SET remind_at = :next_at
       FROM locked_order
       WHERE d.id = :id
         AND d.merchant_account_id = :merchant_account_id
         AND d.state = 'opened'
         AND d.answered_as IS NULL
         AND d.remind_at <= payment.now() + ${REMINDER_LEASE}
       RETURNING d.operation_id, d.opened_at, d.reason, d.reason_code, d.due_at
     ),
     changed_order AS (
       UPDATE payment.orders o
       SET version = o.version + 1, next_seq = o.next_seq + 1, updated_at = payment.now()
       FROM dispute
       WHERE o.id = :order_id
         AND o.merchant_account_id = :merchant_account_id
       RETURNING o.version, o.next_seq - 1 AS seq, o.updated_at
     )
     INSERT INTO payment.events (
       subject_id, seq, merchant_account_id, type, order_version, at, operation_id, payload)
     SELECT
       :order_id, changed_order.seq, :merchant_account_id, 'dispute.due', changed_order.version,
       changed_order.updated_at, dispute.operation_id,
       ${PAYLOAD}
     FROM dispute, changed_order
     RETURNING 1`,
    {
      id: bytes(id),
      order_id: bytes(order_id),
      merchant_account_id: bytes(db.merchant_account_id),
      next_at,
      amount,
    },
  );
  return rows.length > 0;
}
