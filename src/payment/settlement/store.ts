// Statements on the inbox of providers' messages.
import { type Runner, type TenantRunner, bytes } from '../../kit/database.ts';

export type StoredEvent = {
  readonly provider: string;
  readonly event_ref: string;
  readonly order_id: string;
  /** As it came. */
  readonly body: string;
};

/** False: it was taken before. */
export async function insertEvent(db: TenantRunner, event: StoredEvent): Promise<boolean> {
  const rows = await db.run(
    'insert_provider_event',
    `INSERT INTO payment.provider_events (
       provider, event_ref, merchant_account_id, order_id, body)
     VALUES (:provider, :event_ref, :merchant_account_id, :order_id, :body)
     ON CONFLICT DO NOTHING
     RETURNING 1`,
    { ...event, merchant_account_id: bytes(db.merchant_account_id), order_id: bytes(event.order_id) },
  );
  return rows.length > 0;
}

export type WaitingEvent = {
  readonly provider: string;
  readonly event_ref: string;
  readonly merchant_account_id: string;
};

/** Stored, and not applied since. Those that are taken here come again behind the others, if they are not ended by then. */
export async function claimWaitingEvents(db: Runner, room: number): Promise<readonly WaitingEvent[]> {
  return db.run<WaitingEvent>(
    'claim_waiting_events',
    `-- any account: the messages of all of them
     SELECT provider, event_ref, merchant_account_id
     FROM payment.claim_events('30 s', :room)`,
    { room },
  );
}

export async function findEventBody(
  db: TenantRunner,
  { provider, event_ref }: { provider: string; event_ref: string },
): Promise<string | undefined> {
  const rows = await db.run<{ body: string }>(
    'find_provider_event',
    `SELECT body::text AS body
     FROM payment.provider_events
     WHERE provider = :provider
       AND event_ref = :event_ref
       AND merchant_account_id = :merchant_account_id
       AND state = 'received'`,
    { provider, event_ref, merchant_account_id: bytes(db.merchant_account_id) },
  );
  return rows[0]?.body;
}

export async function endEvent(
  db: TenantRunner,
  event: { provider: string; event_ref: string; state: 'applied' | 'ignored' | 'parked'; reason: string | null },
): Promise<void> {
  await db.run(
    'end_provider_event',
    `UPDATE payment.provider_events
     SET state = :state, reason = :reason
     WHERE provider = :provider
       AND event_ref = :event_ref
       AND merchant_account_id = :merchant_account_id
       AND state = 'received'`,
    { ...event, merchant_account_id: bytes(db.merchant_account_id) },
  );
}

/** The secret a simulated provider signs with: made once for the deployment, the same for every process. */
async function keepMessageSecret(db: Runner, name: string, fresh: string): Promise<string> {
  const rows = await db.run<{ secret: string }>(
    'keep_message_secret',
    `-- any account: the simulated provider serves all of them
     INSERT INTO payment.providers (name, message_secret)
     VALUES (:name, :fresh)
     ON CONFLICT (name) DO UPDATE SET
       message_secret = coalesce(providers.message_secret, excluded.message_secret)
     RETURNING message_secret AS secret`,
    { name, fresh },
  );
  const [row] = rows;
  if (!row) throw new Error('keep_message_secret gives one row');
  return row.secret;
}

/** A secret for each provider that is simulated, by its name; `fresh` makes one. */
export async function keepMessageSecrets(
  db: Runner,
  names: readonly string[],
  fresh: () => string,
): Promise<ReadonlyMap<string, string>> {
  return new Map(
    await Promise.all(names.map(async (name) => [name, await keepMessageSecret(db, name, fresh())] as const)),
  );
}
