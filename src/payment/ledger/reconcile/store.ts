// Statements of the reconciliation: our operations as the provider's books should show them.
import { type OPERATION_KINDS, TAKEN_BACK } from '../../../core/states.ts';
import { type Runner, type TenantRunner, bytes } from '../../../kit/database.ts';

export type OwnOperation = {
  readonly id: string;
  readonly transaction_id: string;
  readonly target_id: string | null;
  readonly provider: string;
  readonly contract_id: string | null;
  readonly kind: (typeof OPERATION_KINDS)[number];
  readonly origin: string;
  readonly state: string;
  readonly amount_minor: string;
  readonly currency: string;
  readonly with_capture: boolean;
  readonly provider_ref: string | null;
  /** The operation was done, and the provider has since said that it failed. */
  readonly taken_back: boolean;
  /** Seconds since it was made, sent again, settled, or its order moved, whatever was last. */
  readonly quiet_s: number;
  /** Seconds since it was made. */
  readonly age_s: number;
};

export type OwnOrder = {
  readonly id: string;
  readonly winner_id: string | null;
  readonly authorized_minor: bigint;
  readonly released_minor: bigint;
  readonly captured_minor: bigint;
  readonly operations: readonly OwnOperation[];
};

/** The present moment of the database, as seconds since 1970. */
export async function findNow(db: Runner): Promise<number> {
  const rows = await db.run<{ now: number }>(
    'find_now',
    `-- any account: the clock of all of them
     SELECT extract(epoch FROM payment.now())::float8 AS now`,
  );
  return rows[0]?.now ?? 0;
}

/** Orders that are named, with all their operations; ages are counted up to `now`, seconds since 1970. */
export async function findOwnOrders(
  db: TenantRunner,
  { ids, now }: { ids: readonly string[]; now: number },
): Promise<readonly OwnOrder[]> {
  return db.run<OwnOrder>(
    'find_own_orders',
    `SELECT ${OWN_ORDER}
     FROM payment.orders o
     WHERE o.merchant_account_id = :merchant_account_id
       AND o.id = ANY (:ids::bytea[])`,
    { merchant_account_id: bytes(db.merchant_account_id), ids: ids.map((one) => bytes(one)), now },
  );
}

/** Orders with ids after one, in the order of their ids. */
export async function findOwnOrdersAfter(
  db: TenantRunner,
  { after, room, now }: { after: string; room: number; now: number },
): Promise<readonly OwnOrder[]> {
  return db.run<OwnOrder>(
    'find_own_orders_after',
    `SELECT ${OWN_ORDER}
     FROM (
       SELECT *
       FROM payment.orders x
       WHERE x.merchant_account_id = :merchant_account_id
         AND x.id > :after
       ORDER BY x.id
       LIMIT :room
     ) o
     ORDER BY o.id`,
    { merchant_account_id: bytes(db.merchant_account_id), after: bytes(after), room, now },
  );
}

/** The columns of OwnOrder, of an order `o`. */
const OWN_ORDER = `o.id, o.winner_id, o.authorized_minor, o.released_minor, o.captured_minor,
  (
    SELECT coalesce(json_agg(json_build_object(
      'id', encode(p.id, 'hex'), 'transaction_id', encode(p.transaction_id, 'hex'),
      'target_id', encode(p.target_id, 'hex'), 'provider', p.provider,
      'contract_id', encode(t.contract_id, 'hex'), 'kind', p.kind,
      'origin', p.origin, 'state', p.state, 'amount_minor', p.amount_minor::text,
      'currency', p.currency, 'with_capture', p.with_capture, 'provider_ref', p.provider_ref,
      'taken_back', coalesce(
        p.state = 'declined' AND p.reason = '${TAKEN_BACK}',
        false),
      'age_s', :now::float8 - extract(epoch FROM p.created_at),
      'quiet_s', :now::float8
        - extract(epoch FROM greatest(p.created_at, p.sent_at, p.settled_at, o.updated_at)))
      ORDER BY p.id), '[]')
    FROM payment.operations p
    JOIN payment.transactions t
      ON t.order_id = o.id
      AND t.id = p.transaction_id
      AND t.merchant_account_id = :merchant_account_id
    WHERE p.order_id = o.id
      AND p.merchant_account_id = :merchant_account_id
  ) AS operations`;
