// Statements on the armed faults of our own sending.
import { type TenantRunner, bytes } from '../../../kit/database.ts';
import { type Key, keyParameters, newKey } from '../../store.ts';
import type { SendingFacts } from './sending.ts';

export type SendingFaultRow = {
  readonly id: string;
  readonly fault: string;
  readonly times: number;
  readonly remaining: number;
  readonly match: object;
};

/** False: the Idempotency-Key was used before. */
export async function armFault(
  db: TenantRunner,
  armed: { id: string; fault: string; times: number; match: string; key: Key | undefined },
): Promise<boolean> {
  const { key, ...fault } = armed;
  const rows = await db.run(
    'arm_notification_fault',
    `WITH ${newKey(null, ':id')}
     INSERT INTO payment.notification_faults (
       id, merchant_account_id, fault, times, remaining, match)
     SELECT :id, :merchant_account_id, :fault, :times::int, :times::int, :match
     WHERE :key IS NULL
       OR EXISTS (SELECT 1 FROM new_key)
     RETURNING 1`,
    {
      ...fault,
      id: bytes(fault.id),
      merchant_account_id: bytes(db.merchant_account_id),
      ...keyParameters(key),
    },
  );
  return rows.length > 0;
}

/** How often a fault is still to happen; undefined: it was removed. */
export async function findRemaining(db: TenantRunner, id: string): Promise<number | undefined> {
  const rows = await db.run<{ remaining: number }>(
    'find_notification_fault',
    `SELECT remaining
     FROM payment.notification_faults
     WHERE merchant_account_id = :merchant_account_id
       AND id = :id`,
    { merchant_account_id: bytes(db.merchant_account_id), id: bytes(id) },
  );
  return rows[0]?.remaining;
}

/** The armed faults that are not used up, the oldest first. */
export async function findFaults(db: TenantRunner): Promise<readonly SendingFaultRow[]> {
  return db.run<SendingFaultRow>(
    'find_notification_faults',
    `SELECT id, fault, times, remaining, match
     FROM payment.notification_faults
     WHERE merchant_account_id = :merchant_account_id
       AND remaining > 0
     ORDER BY id`,
    { merchant_account_id: bytes(db.merchant_account_id) },
  );
}

/** Uses up one of the oldest that fits. */
export async function takeFault(db: TenantRunner, facts: SendingFacts): Promise<string | undefined> {
  const rows = await db.run<{ fault: string }>(
    'take_notification_fault',
    `UPDATE payment.notification_faults n
     SET remaining = n.remaining - 1
     WHERE n.merchant_account_id = :merchant_account_id
       AND n.remaining > 0
       AND n.id = (
         SELECT f.id
         FROM payment.notification_faults f
         WHERE f.merchant_account_id = :merchant_account_id
           AND f.remaining > 0
           AND coalesce(f.match ->> 'order_id' = :order_id::text, f.match ->> 'order_id' IS NULL)
           AND coalesce(
             f.match ->> 'order_merchant_id' = :order_merchant_id::text,
             f.match ->> 'order_merchant_id' IS NULL)
           AND coalesce(
             (f.match ->> 'amount')::numeric = :amount::numeric, f.match ->> 'amount' IS NULL)
           AND coalesce(
             f.match ->> 'card_4_digits' = :card_4_digits::text,
             f.match ->> 'card_4_digits' IS NULL)
         ORDER BY f.id
         LIMIT 1
         FOR UPDATE
       )
     RETURNING n.fault`,
    { ...facts, merchant_account_id: bytes(db.merchant_account_id) },
  );
  return rows[0]?.fault;
}

export async function dropFaults(db: TenantRunner): Promise<void> {
  await db.run(
    'drop_notification_faults',
    `DELETE FROM payment.notification_faults
     WHERE merchant_account_id = :merchant_account_id`,
    { merchant_account_id: bytes(db.merchant_account_id) },
  );
}
