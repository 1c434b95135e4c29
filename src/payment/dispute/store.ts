// The statement on disputes.
import type { Transfer } from '../../core/ledger-accounts.ts';
import { type TenantRunner, bytes } from '../../kit/database.ts';

export type NewDispute = {
  readonly id: string;
  readonly order_id: string;
  readonly operation_id: string;
  readonly provider: string;
  readonly state: 'opened' | 'won' | 'lost';
  readonly amount_minor: bigint;
  /** Major units as decimal text. */
  readonly amount: string;
  readonly currency: string;
  readonly reason: string;
  readonly reason_code: string;
  readonly opened_at: string;
  readonly book: readonly Transfer[];
  readonly unbook: readonly Transfer[];
};

/**
 * Opens the dispute of a capture, gives one that is open another reason, or ends it, with its postings and its event in one commit.
 * What is told again, or late, or with another amount, finds nothing to move.
 */
export async function insertOrMoveDispute(db: TenantRunner, { book, unbook, ...dispute }: NewDispute): Promise<void> {
  const lines = [
    ...book.map((line, i) => ({ ...line, posting: 'book', line: i + 1 })),
    ...unbook.map((line, i) => ({ ...line, posting: 'unbook', line: i + 1 })),
  ];
  await db.run(
    'insert_or_move_dispute',
    `WITH d AS (INSERT INTO payment.disputes AS x (id, merchant_account_id, order_id, operation_id, provider, state, amount_minor, currency, reason, reason_code, opened_at, told_at)
         VALUES (:id, :merchant_account_id, :order_id, :operation_id, :provider, :state, :amount_minor, :currency, :reason, :reason_code, :opened_at, :opened_at)
         ON CONFLICT (order_id, operation_id) DO UPDATE SET state = excluded.state, updated_at = excluded.updated_at, told_at = excluded.told_at,
             reason = CASE excluded.state WHEN 'opened' THEN excluded.reason ELSE x.reason END, reason_code = CASE excluded.state WHEN 'opened' THEN excluded.reason_code ELSE x.reason_code END
           WHERE x.state = 'opened' AND x.amount_minor = excluded.amount_minor
             AND (excluded.state <> 'opened' OR (x.reason, x.reason_code) <> (excluded.reason, excluded.reason_code) AND excluded.told_at > coalesce(x.told_at, x.opened_at))
         RETURNING x.id, x.state, x.provider, x.currency, x.opened_at, x.reason, x.reason_code, xmax = 0 AS is_new),
     o AS (UPDATE payment.orders x SET version = version + 1, next_seq = next_seq + 1, updated_at = payment.now() FROM d
         WHERE x.id = :order_id AND x.merchant_account_id = :merchant_account_id RETURNING x.version, x.next_seq - 1 AS seq, x.updated_at),
     l AS (INSERT INTO payment.ledger_entries (source_id, posting, line, merchant_account_id, order_id, provider, debit, credit, currency, amount_minor, at)
         SELECT d.id, y.posting, y.line, :merchant_account_id, :order_id, d.provider, y.debit, y.credit, d.currency, :amount_minor, o.updated_at
         FROM d, o, unnest(:l_postings::text[], :l_lines::smallint[], :l_debits::text[], :l_credits::text[]) AS y (posting, line, debit, credit) WHERE y.posting = 'unbook' OR d.is_new),
     e AS (INSERT INTO payment.events (subject_id, seq, merchant_account_id, type, order_version, at, operation_id, payload)
         SELECT :order_id, o.seq, :merchant_account_id, 'dispute.' || CASE WHEN d.is_new OR d.state <> 'opened' THEN d.state ELSE 'updated' END, o.version, o.updated_at, :operation_id,
           json_build_object('chargeback_amount', :amount::numeric, 'chargeback_date', to_char(d.opened_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS') || '+0000',
             'chargeback_reason', d.reason, 'chargeback_reason_code', d.reason_code) FROM d, o)
     SELECT 1 FROM d`,
    {
      ...dispute,
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
}
