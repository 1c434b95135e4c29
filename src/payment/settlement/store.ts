// Statements on the inbox of providers' messages.
import { type Runner, type TenantRunner, bytes } from '../../kit/database.ts';

/** The key of an event: each account and contract stores an event once. */
export type EventKey = { readonly contract_id: string; readonly event_ref: string };

export type NewEvent = EventKey & {
  readonly provider: string;
  /** The body as it came. */
  readonly body: Buffer;
  readonly state: 'received' | 'parked' | 'ignored';
  readonly reason: string | null;
};

/** False: it was taken before. */
export async function insertEvent(db: TenantRunner, event: NewEvent): Promise<boolean> {
  const rows = await db.batch(
    'insert_provider_event',
    `INSERT INTO payment.provider_events (
       contract_id, event_ref, provider, merchant_account_id, body, state, reason)
     VALUES (:contract_id, :event_ref, :provider, :merchant_account_id, :body, :state, :reason)
     ON CONFLICT DO NOTHING
     RETURNING 1`,
    {
      ...event,
      contract_id: bytes(event.contract_id),
      merchant_account_id: bytes(db.merchant_account_id),
    },
  );
  return rows.length > 0;
}

export type WaitingEvent = EventKey & { readonly provider: string; readonly merchant_account_id: string };

/** How long a message waits until it is looked at again: the process that took it may still work on it. */
export const MESSAGE_PAUSE = '30 s';

/**
 * Stored, and not applied since. Those that are taken here come again behind the others, if they are not ended by then.
 */
export async function claimWaitingEvents(db: Runner, room: number): Promise<readonly WaitingEvent[]> {
  return db.run<WaitingEvent>(
    'claim_waiting_events',
    `-- any account: the messages of all of them
     SELECT contract_id, event_ref, provider, merchant_account_id
     FROM payment.claim_events(:pause, :room)`,
    { room, pause: MESSAGE_PAUSE },
  );
}

export type StoredEvent = { readonly body: Buffer; readonly is_old: boolean };

/**
 * An event as it came; `is_old`: a day ago or more, so that a person decides. Undefined: there is none, or the event
 * was ended meanwhile.
 */
export async function findEvent(db: TenantRunner, event: EventKey): Promise<StoredEvent | undefined> {
  const rows = await db.run<{ body: string; is_old: boolean }>(
    'find_provider_event',
    `SELECT body, received_at < payment.now() - interval '1 day' AS is_old
     FROM payment.provider_events
     WHERE contract_id = :contract_id
       AND event_ref = :event_ref
       AND merchant_account_id = :merchant_account_id
       AND state = 'received'`,
    {
      event_ref: event.event_ref,
      contract_id: bytes(event.contract_id),
      merchant_account_id: bytes(db.merchant_account_id),
    },
  );
  const [row] = rows;
  return row && { body: Buffer.from(row.body, 'hex'), is_old: row.is_old };
}

export type EventEnd = {
  readonly state: 'applied' | 'ignored' | 'parked';
  readonly reason: string | null;
  /** Null: no order was found that it is about. */
  readonly order_id: string | null;
};

export async function endEvent(db: TenantRunner, { contract_id, event_ref }: EventKey, end: EventEnd): Promise<void> {
  await db.batch(
    'end_provider_event',
    `UPDATE payment.provider_events
     SET state = :state, reason = :reason, order_id = coalesce(:order_id, order_id)
     WHERE contract_id = :contract_id
       AND event_ref = :event_ref
       AND merchant_account_id = :merchant_account_id
       AND state = 'received'`,
    {
      ...end,
      event_ref,
      order_id: bytes(end.order_id),
      contract_id: bytes(contract_id),
      merchant_account_id: bytes(db.merchant_account_id),
    },
  );
}

/** Orders with an operation that this provider knows under this id. */
export async function findOrdersByReference(
  db: TenantRunner,
  of: { readonly provider: string; readonly reference: string },
): Promise<readonly string[]> {
  const rows = await db.run<{ order_id: string }>(
    'find_orders_by_reference',
    `SELECT DISTINCT order_id
     FROM payment.operations
     WHERE provider_ref = :reference
       AND provider = :provider
       AND merchant_account_id = :merchant_account_id
     LIMIT 2`,
    { ...of, merchant_account_id: bytes(db.merchant_account_id) },
  );
  return rows.map(({ order_id }) => order_id);
}

/**
 * The worker looks at it now. An operation that is due within a lease of recovery stays as it is: a process may work on
 * it, and it is looked at soon in any case. So does one whose first call is under way: its answer comes, or recovery
 * finds that it is lost.
 */
export async function wakeOperation(
  db: TenantRunner,
  {
    order_id,
    operation_id,
    lease_s,
  }: { readonly order_id: string; readonly operation_id: string; readonly lease_s: number },
): Promise<void> {
  await db.run(
    'wake_operation',
    `UPDATE payment.operations
     SET due_at = payment.now()
     WHERE order_id = :order_id
       AND id = :operation_id
       AND merchant_account_id = :merchant_account_id
       AND (state IN ('in_doubt', 'review') OR state = 'requested' AND waits_for <> 'call')
       AND due_at > payment.now() + make_interval(secs => :lease_s)`,
    {
      lease_s,
      order_id: bytes(order_id),
      operation_id: bytes(operation_id),
      merchant_account_id: bytes(db.merchant_account_id),
    },
  );
}

export type ParkedEvent = EventKey & {
  readonly provider: string;
  readonly order_id: string | null;
  readonly reason: string;
  readonly received_at: string;
  /** Hex. */
  readonly body: string;
};

/** Kept and not applied, the newest first. */
export async function listParkedEvents(db: TenantRunner, room: number): Promise<readonly ParkedEvent[]> {
  return db.run<ParkedEvent>(
    'list_parked_events',
    `SELECT contract_id, event_ref, provider, order_id, reason, received_at, body
     FROM payment.provider_events
     WHERE merchant_account_id = :merchant_account_id
       AND state = 'parked'
     ORDER BY received_at DESC
     LIMIT :room`,
    { room, merchant_account_id: bytes(db.merchant_account_id) },
  );
}

/** A person has dealt with it. False: it is not parked (any more). */
export async function setAside(db: TenantRunner, { contract_id, event_ref }: EventKey): Promise<boolean> {
  const rows = await db.run(
    'set_event_aside',
    `UPDATE payment.provider_events
     SET state = 'ignored'
     WHERE contract_id = :contract_id
       AND event_ref = :event_ref
       AND merchant_account_id = :merchant_account_id
       AND state = 'parked'
     RETURNING 1`,
    { event_ref, contract_id: bytes(contract_id), merchant_account_id: bytes(db.merchant_account_id) },
  );
  return rows.length > 0;
}
