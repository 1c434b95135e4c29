// Statements on the armed faults of our own sending.
import { type TenantRunner, bytes } from '../../../kit/database.ts';
import type { SendingFacts } from './sending.ts';

export type SendingFaultRow = {
  readonly id: string;
  readonly fault: string;
  readonly times: number;
  readonly remaining: number;
  readonly match: object;
};

type Key = { readonly route: string; readonly key: string; readonly fingerprint: string };

/** False: the Idempotency-Key was used before. */
export async function armFault(
  db: TenantRunner,
  armed: { id: string; fault: string; times: number; match: string; key: Key | undefined },
): Promise<boolean> {
  const { key, ...fault } = armed;
  const rows = await db.run(
    'arm_notification_fault',
    `WITH new_key AS (
       INSERT INTO payment.idempotency_keys (
         merchant_account_id, route, key, fingerprint, object_id)
       SELECT :merchant_account_id, :route, :key, :fingerprint, :id
       WHERE :key::text IS NOT NULL
       ON CONFLICT DO NOTHING
       RETURNING 1
     )
     INSERT INTO payment.notification_faults (
       id, merchant_account_id, fault, times, remaining, match)
     SELECT :id, :merchant_account_id, :fault, :times::int, :times::int, :match
     WHERE :key::text IS NULL
       OR (SELECT count(*) FROM new_key) = 1
     RETURNING 1`,
    {
      ...fault,
      id: bytes(fault.id),
      merchant_account_id: bytes(db.merchant_account_id),
      route: key?.route ?? null,
      key: key?.key ?? null,
      fingerprint: bytes(key?.fingerprint),
    },
  );
  return rows.length > 0;
}

type Armed = { readonly fingerprint: string; readonly id: string | null; readonly remaining: number | null };

/** What an Idempotency-Key armed, as it stands now; its id is null where it was removed since. */
export async function findArmed(db: TenantRunner, { route, key }: Key): Promise<Armed | undefined> {
  const rows = await db.run<Armed>(
    'find_armed_notification_fault',
    `SELECT k.fingerprint, f.id, f.remaining
     FROM payment.idempotency_keys k
     LEFT JOIN payment.notification_faults f
       ON f.merchant_account_id = k.merchant_account_id
       AND f.id = k.object_id
     WHERE k.merchant_account_id = :merchant_account_id
       AND k.route = :route
       AND k.key = :key`,
    { merchant_account_id: bytes(db.merchant_account_id), route, key },
  );
  return rows[0];
}

/** What is armed and not used up, the oldest first. */
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
