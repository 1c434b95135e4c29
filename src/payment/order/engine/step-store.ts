// Statements on the steps of an operation. Each lets only one process go on. `tries` is the fence: a process that takes
// an operation up raises it.
import { type Runner, type TenantRunner, bytes } from '../../../kit/database.ts';
import type { Kept } from '../../../provider/contract.ts';
import type { OperationFacts } from '../facts/order-facts.ts';

export type NextStep = {
  readonly step: string;
  /** Everything that the steps so far have left. */
  readonly kept: Kept;
  /** Once this step is sent, money may have moved. */
  readonly money: boolean;
  readonly reference: string | null;
  /** After this many seconds any process may take the operation up. */
  readonly lease_s: number;
  /** 1: the operation is taken up, and the process that held it before sends nothing more. */
  readonly taken_up?: 0 | 1;
};

/**
 * Stores the step that is sent next, before it is sent, with what the step before it left. False: the operation has
 * ended, or another process has taken it up since, and nothing may be sent.
 */
export async function noteStep(
  db: TenantRunner,
  { order_id, operation }: { readonly order_id: string; readonly operation: OperationFacts },
  { step, kept, money, reference, lease_s, taken_up = 0 }: NextStep,
): Promise<boolean> {
  const rows = await db.batch(
    'note_step',
    `UPDATE payment.operations
     SET
       step = :step,
       kept = :kept::json,
       money_sent = money_sent OR :money,
       provider_ref = coalesce(:reference, provider_ref),
       waits_for = 'call',
       tries = tries + :taken_up,
       sent_at = payment.now(),
       due_at = payment.now() + make_interval(secs => :lease_s)
     WHERE order_id = :order_id
       AND id = :operation_id
       AND merchant_account_id = :merchant_account_id
       AND state IN ('requested', 'in_doubt')
       AND tries = :tries
     RETURNING 1`,
    {
      step,
      kept: JSON.stringify(kept),
      money,
      reference,
      lease_s,
      taken_up,
      tries: operation.tries,
      merchant_account_id: bytes(db.merchant_account_id),
      order_id: bytes(order_id),
      operation_id: bytes(operation.id),
    },
  );
  return rows.length > 0;
}

/** Stores when an operation was sent; answers the moment, which never goes back. */
export async function noteSent(
  db: TenantRunner,
  sent: { readonly order_id: string; readonly operation_id: string; readonly sent_s: number },
): Promise<string> {
  const { order_id, operation_id, sent_s } = sent;
  const [row] = await db.run<{ sent_at: Date }>(
    'note_sent',
    `UPDATE payment.operations
     SET
       sent_at = greatest(
         sent_at, created_at, payment.now() - make_interval(secs => :sent_s))
     WHERE order_id = :order_id
       AND id = :operation_id
       AND merchant_account_id = :merchant_account_id
     RETURNING sent_at`,
    {
      sent_s,
      merchant_account_id: bytes(db.merchant_account_id),
      order_id: bytes(order_id),
      operation_id: bytes(operation_id),
    },
  );
  if (!row) throw new Error('an operation that is recovered is there');
  return row.sent_at.toISOString();
}

/**
 * Takes an operation up: from now on the process that held it before sends no step. False: the operation is at another
 * step by now, or has ended.
 */
export async function takeFrom(
  db: TenantRunner,
  { order_id, operation }: { readonly order_id: string; readonly operation: OperationFacts },
): Promise<boolean> {
  const rows = await db.batch(
    'take_from',
    `UPDATE payment.operations
     SET tries = tries + 1
     WHERE order_id = :order_id
       AND id = :operation_id
       AND merchant_account_id = :merchant_account_id
       AND state IN ('requested', 'in_doubt', 'review')
       AND step IS NOT DISTINCT FROM :step
       AND tries = :tries
     RETURNING 1`,
    {
      step: operation.step,
      tries: operation.tries,
      merchant_account_id: bytes(db.merchant_account_id),
      order_id: bytes(order_id),
      operation_id: bytes(operation.id),
    },
  );
  return rows.length > 0;
}

export type AwaitingPayer = {
  readonly merchant_account_id: string;
  readonly order_id: string;
  readonly operation_id: string;
  readonly kept: Kept;
  readonly patience_s: number;
};

/**
 * The operation waits for the payer, who must go to the provider. Runs within the transaction that says so on the
 * order.
 */
export async function awaitPayer(db: Runner, awaiting: AwaitingPayer): Promise<void> {
  await db.run(
    'await_payer',
    `UPDATE payment.operations
     SET
       waits_for = 'payer',
       -- what its steps left stays: the caller may have read the operation before them
       kept = (kept::jsonb || :kept::jsonb)::json,
       due_at = payment.now() + make_interval(secs => :patience_s)
     WHERE order_id = :order_id
       AND id = :operation_id
       AND merchant_account_id = :merchant_account_id`,
    {
      kept: JSON.stringify(awaiting.kept),
      patience_s: awaiting.patience_s,
      merchant_account_id: bytes(awaiting.merchant_account_id),
      order_id: bytes(awaiting.order_id),
      operation_id: bytes(awaiting.operation_id),
    },
  );
}

/**
 * The next number for a message to a provider that numbers its messages: six digits, which start again after a million.
 */
export async function nextTrace(db: TenantRunner): Promise<string> {
  const [row] = await db.run<{ trace: string }>(
    'next_trace',
    `-- any account: a number that no other message has
     SELECT lpad((nextval('payment.traces') % 1000000)::text, 6, '0') AS trace`,
    {},
  );
  if (!row) throw new Error('a sequence has a next value');
  return row.trace;
}
