// Statements of the desk: lists of disputes, what is due, and whether one was answered.
import { type Runner, type TenantRunner, bytes } from '../../../kit/database.ts';
import { REMINDER_LEASE } from '../store.ts';

export type AnsweredAs = 'submitted' | 'accepted' | 'elsewhere';

export type DisputeRow = {
  readonly id: string;
  readonly order_id: string;
  readonly operation_id: string;
  readonly order_merchant_id: string;
  readonly provider: string;
  readonly round: number;
  readonly state: 'opened' | 'won' | 'lost';
  readonly amount_minor: bigint;
  readonly currency: string;
  readonly reason: string;
  readonly reason_code: string;
  readonly opened_at: Date;
  readonly updated_at: Date;
  readonly reference: string | null;
  readonly due_at: Date | null;
  /** True: we worked the date out, because the provider gave none. */
  readonly due_reckoned: boolean;
  readonly answered_at: Date | null;
  readonly answered_as: AnsweredAs | null;
  /** The state of the answer that is under way or was accepted last. */
  readonly answer_state: 'requested' | 'in_doubt' | 'taken' | 'refused' | null;
};

/** Disputes of the account as every list shows them; `which` says of which, and how many. */
function disputes(which: string): string {
  return `SELECT
       d.id, d.order_id, d.operation_id, o.order_merchant_id, d.provider, d.round, d.state,
       d.amount_minor, d.currency, d.reason, d.reason_code, d.opened_at, d.updated_at,
       d.reference, d.due_at, d.due_reckoned, d.answered_at, d.answered_as,
       (
         SELECT a.state
         FROM payment.dispute_answers a
         WHERE a.merchant_account_id = :merchant_account_id
           AND a.dispute_id = d.id
         ORDER BY a.id DESC
         LIMIT 1
       ) AS answer_state
     FROM payment.disputes d
     JOIN payment.orders o
       ON o.id = d.order_id
       AND o.merchant_account_id = :merchant_account_id
     WHERE d.merchant_account_id = :merchant_account_id
       ${which}`;
}

/** Open disputes, the earliest due date first, after this moment (undefined: from the first) and id. */
export async function listOpenDisputes(
  db: TenantRunner,
  { due_at, after, unanswered, room }: { due_at?: Date; after: string; unanswered: boolean; room: number },
): Promise<readonly DisputeRow[]> {
  return db.run<DisputeRow>(
    'list_open_disputes',
    disputes(`AND d.state = 'opened'
       AND d.due_at >= :due_at::timestamptz
       AND (d.due_at > :due_at::timestamptz OR d.id > :after)
       AND (d.answered_as IS NULL OR NOT :unanswered::boolean)
     ORDER BY d.due_at, d.id
     LIMIT :room`),
    {
      merchant_account_id: bytes(db.merchant_account_id),
      due_at: due_at?.toISOString() ?? '-infinity',
      after: bytes(after),
      unanswered,
      room,
    },
  );
}

/** Disputes with an id before this one, the newest first. */
export async function listDisputes(
  db: TenantRunner,
  { before, states, room }: { before: string; states: readonly DisputeRow['state'][]; room: number },
): Promise<readonly DisputeRow[]> {
  return db.run<DisputeRow>(
    'list_disputes',
    disputes(`AND d.id < :before
       AND d.state = ANY (:states::text[])
     ORDER BY d.id DESC
     LIMIT :room`),
    { merchant_account_id: bytes(db.merchant_account_id), before: bytes(before), states, room },
  );
}

export async function findDispute(db: TenantRunner, id: string): Promise<DisputeRow | undefined> {
  const rows = await db.run<DisputeRow>('find_dispute', disputes(`AND d.id = :id`), {
    merchant_account_id: bytes(db.merchant_account_id),
    id: bytes(id),
  });
  return rows[0];
}

export type DueSum = {
  readonly currency: string;
  readonly disputes: bigint;
  readonly amount_minor: bigint;
  readonly next_due_at: Date;
};

/** The sums of disputes that wait for an answer, by currency. */
export async function sumUnanswered(db: TenantRunner): Promise<readonly DueSum[]> {
  return db.run<DueSum>(
    'sum_unanswered_disputes',
    `SELECT
       d.currency, count(*) AS disputes, sum(d.amount_minor)::bigint AS amount_minor,
       min(d.due_at) AS next_due_at
     FROM payment.disputes d
     WHERE d.merchant_account_id = :merchant_account_id
       AND d.state = 'opened'
       AND d.answered_as IS NULL
       AND d.due_at > '-infinity'
     GROUP BY d.currency
     ORDER BY min(d.due_at)`,
    { merchant_account_id: bytes(db.merchant_account_id) },
  );
}

/**
 * Locks the dispute until the commit, so that its evidence does not change while it is sent. False: the dispute has
 * ended, or an answer was given or is under way.
 */
export async function lockUnanswered(db: TenantRunner, id: string): Promise<boolean> {
  const of = { merchant_account_id: bytes(db.merchant_account_id), id: bytes(id) };
  await db.run(
    'lock_dispute',
    `SELECT 1
     FROM payment.disputes
     WHERE merchant_account_id = :merchant_account_id
       AND id = :id
     FOR UPDATE`,
    of,
  );
  // a statement of its own: a statement that waited for the lock sees the rows from before it waited
  const rows = await db.run(
    'find_unanswered_dispute',
    `SELECT 1
     FROM payment.disputes d
     WHERE d.merchant_account_id = :merchant_account_id
       AND d.id = :id
       AND d.state = 'opened'
       AND d.answered_as IS NULL
       AND 0 = (
         SELECT count(*)
         FROM payment.dispute_answers a
         WHERE a.merchant_account_id = :merchant_account_id
           AND a.dispute_id = d.id
           AND a.state IN ('requested', 'in_doubt')
       )`,
    of,
  );
  return rows.length > 0;
}

/** Marks the dispute as answered, which also ends the reminders. */
export async function markAnswered(db: TenantRunner, id: string, answered_as: AnsweredAs): Promise<void> {
  await db.run(
    'mark_dispute_answered',
    `UPDATE payment.disputes
     SET answered_as = :answered_as, answered_at = payment.now(), remind_at = NULL
     WHERE id = :id
       AND merchant_account_id = :merchant_account_id`,
    { merchant_account_id: bytes(db.merchant_account_id), id: bytes(id), answered_as },
  );
}

export type DueReminder = { readonly merchant_account_id: string; readonly order_id: string; readonly id: string };

export async function claimReminders(db: Runner, room: number): Promise<readonly DueReminder[]> {
  return db.run<DueReminder>(
    'claim_dispute_reminders',
    `-- any account: the worker does it for all of them
     SELECT merchant_account_id, order_id, id
     FROM payment.claim_dispute_reminders(:room, ${REMINDER_LEASE})`,
    { room },
  );
}
