// Statements on answers to disputes: the intent, what each step left, and the end.
import { type Runner, type TenantRunner, bytes } from '../../../kit/database.ts';
import type { Kept } from '../../../provider/contract.ts';

export type AnswerRow = {
  readonly id: string;
  readonly dispute_id: string;
  readonly kind: 'submit' | 'accept';
  readonly state: 'requested' | 'in_doubt' | 'taken' | 'refused';
  readonly kept: Kept;
  /** When what counts was sent; null: it was not. */
  readonly sent_at: Date | null;
  readonly tries: number;
  readonly note: string;
  readonly requested_by: string;
  readonly reason: string;
  readonly created_at: Date;
  readonly ended_at: Date | null;
};

/** The newest last. */
export async function listAnswers(db: TenantRunner, dispute_id: string): Promise<readonly AnswerRow[]> {
  return db.run<AnswerRow>(
    'list_dispute_answers',
    `SELECT
       id, dispute_id, kind, state, kept, sent_at, tries, note, requested_by, reason, created_at,
       ended_at
     FROM payment.dispute_answers
     WHERE merchant_account_id = :merchant_account_id
       AND dispute_id = :dispute_id
     ORDER BY id`,
    { merchant_account_id: bytes(db.merchant_account_id), dispute_id: bytes(dispute_id) },
  );
}

export async function findAnswer(db: TenantRunner, id: string): Promise<AnswerRow | undefined> {
  const rows = await db.run<AnswerRow>(
    'find_dispute_answer',
    `SELECT
       id, dispute_id, kind, state, kept, sent_at, tries, note, requested_by, reason, created_at,
       ended_at
     FROM payment.dispute_answers
     WHERE merchant_account_id = :merchant_account_id
       AND id = :id`,
    { merchant_account_id: bytes(db.merchant_account_id), id: bytes(id) },
  );
  return rows[0];
}

export type NewAnswer = Pick<AnswerRow, 'id' | 'dispute_id' | 'kind' | 'requested_by' | 'reason'>;

export async function insertAnswer(db: TenantRunner, answer: NewAnswer): Promise<void> {
  await db.run(
    'insert_dispute_answer',
    `INSERT INTO payment.dispute_answers (
       id, merchant_account_id, dispute_id, kind, requested_by, reason)
     VALUES (:id, :merchant_account_id, :dispute_id, :kind, :requested_by, :reason)`,
    {
      ...answer,
      merchant_account_id: bytes(db.merchant_account_id),
      id: bytes(answer.id),
      dispute_id: bytes(answer.dispute_id),
    },
  );
}

export type Noted = {
  readonly id: string;
  readonly state: AnswerRow['state'];
  readonly kept: Kept;
  /** True: the step that gives the answer is about to be sent. */
  readonly sending: boolean;
  readonly note: string;
  /** Taken up again after so long, where it has not ended. */
  readonly again_s: number;
  /** The try of the worker that says so; null: it is so, whoever says it. */
  readonly tries: number | null;
};

/**
 * Stores the state of an answer, before the next step is sent or when the answer is over. False: it has ended already,
 * or another worker has taken it up since this try.
 */
export async function noteAnswer(db: TenantRunner, noted: Noted): Promise<boolean> {
  const rows = await db.run(
    'note_dispute_answer',
    `UPDATE payment.dispute_answers
     SET
       state = :state::text,
       kept = :kept::jsonb,
       note = :note,
       sent_at = CASE WHEN :sending::boolean THEN payment.now() ELSE sent_at END,
       due_at = payment.now() + make_interval(secs => :again_s::double precision),
       ended_at = CASE WHEN :state::text IN ('taken', 'refused') THEN payment.now() END
     WHERE merchant_account_id = :merchant_account_id
       AND id = :id
       AND state IN ('requested', 'in_doubt')
       AND (:tries::int IS NULL OR tries = :tries::int)
     RETURNING 1`,
    {
      ...noted,
      merchant_account_id: bytes(db.merchant_account_id),
      id: bytes(noted.id),
      kept: JSON.stringify(noted.kept),
    },
  );
  return rows.length > 0;
}

export type DueAnswer = { readonly merchant_account_id: string; readonly id: string };

export async function claimAnswers(db: Runner, room: number, lease_s: number): Promise<readonly DueAnswer[]> {
  return db.run<DueAnswer>(
    'claim_dispute_answers',
    `-- any account: the worker does it for all of them
     SELECT merchant_account_id, id
     FROM payment.claim_dispute_answers(:room, make_interval(secs => :lease_s::double precision))`,
    { room, lease_s },
  );
}
