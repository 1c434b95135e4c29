// Statements on payment links.
import { type TenantRunner, bytes } from '../../kit/database.ts';
import type { StoredCheckout } from '../checkout/request.ts';
import { hasOrder, ordersOf } from '../checkout/store.ts';
import { ORDER_IN_DOUBT } from '../order/in-doubt.ts';

export type LinkRow = {
  readonly id: string;
  /** 64 hex: opens its page. */
  readonly handle: string;
  readonly many: boolean;
  readonly currency: string;
  readonly amount_minor: bigint | null;
  readonly least_minor: bigint | null;
  readonly most_minor: bigint | null;
  readonly state: 'active' | 'paused' | 'ended';
  readonly body: StoredCheckout;
  readonly opened: number;
  readonly checkout_id: string | null;
  readonly created_at: Date;
  readonly expires_at: Date | null;
  /** For a link for one payment: it is being paid, or was paid. */
  readonly paying: boolean;
  readonly paid: boolean;
  /** For a link for one payment: a payment of it, by whichever opening, is unpaid here, and its result is in doubt. */
  readonly in_doubt: boolean;
};

export type NewLink = Omit<LinkRow, 'state' | 'opened' | 'checkout_id' | 'paying' | 'paid' | 'in_doubt'>;

export async function insertLink(tx: TenantRunner, link: NewLink): Promise<void> {
  await tx.run(
    'insert_payment_link',
    `INSERT INTO payment.payment_links (
       id, merchant_account_id, handle, many, currency, amount_minor, least_minor, most_minor, body,
       created_at, expires_at)
     VALUES (
       :id, :merchant_account_id, :handle, :many, :currency, :amount_minor, :least_minor,
       :most_minor, :body, :created_at, :expires_at)`,
    {
      ...link,
      id: bytes(link.id),
      handle: bytes(link.handle),
      body: JSON.stringify(link.body),
      merchant_account_id: bytes(tx.merchant_account_id),
    },
  );
}

const COLUMNS = `l.id, l.handle, l.many, l.currency, l.amount_minor, l.least_minor, l.most_minor, l.state,
  l.body, l.opened, l.checkout_id, l.created_at, l.expires_at,
  NOT l.many AND ${hasOrder('l.checkout_id', 'o.live AND o.winner_id IS NULL')} AS paying,
  NOT l.many AND (
    ${hasOrder('l.checkout_id', 'o.live AND o.winner_id IS NOT NULL')}
    OR ${hasOrder('l.checkout_id', 'NOT o.live AND o.winner_id IS NOT NULL')}
  ) AS paid,
  NOT l.many AND EXISTS (
    SELECT 1
    FROM payment.checkouts c
    CROSS JOIN LATERAL ${ordersOf('c.id')}
    WHERE c.link_id = l.id
      AND c.merchant_account_id = :merchant_account_id
      AND c.attempts > 0
      AND o.winner_id IS NULL
      AND (${ORDER_IN_DOUBT})
  ) AS in_doubt`;

export async function findLink(db: TenantRunner, id: string): Promise<LinkRow | undefined> {
  const rows = await db.run<LinkRow>(
    'find_payment_link',
    `SELECT ${COLUMNS}
     FROM payment.payment_links l
     WHERE l.id = :id
       AND l.merchant_account_id = :merchant_account_id`,
    { id: bytes(id), merchant_account_id: bytes(db.merchant_account_id) },
  );
  return rows[0];
}

/** Lets payers of one link in one after the other: the next one sees what the one before has made. */
export async function lockLink(tx: TenantRunner, id: string): Promise<void> {
  await tx.run(
    'lock_payment_link',
    `SELECT 1
     FROM payment.payment_links
     WHERE id = :id
       AND merchant_account_id = :merchant_account_id
     FOR NO KEY UPDATE`,
    { id: bytes(id), merchant_account_id: bytes(tx.merchant_account_id) },
  );
}

/** Newest first. */
export async function listLinks(
  db: TenantRunner,
  { before, room }: { readonly before: string; readonly room: number },
): Promise<readonly LinkRow[]> {
  return db.run<LinkRow>(
    'list_payment_links',
    `SELECT ${COLUMNS}
     FROM payment.payment_links l
     WHERE l.merchant_account_id = :merchant_account_id
       AND l.id < :before
     ORDER BY l.id DESC
     LIMIT :room`,
    { before: bytes(before), room, merchant_account_id: bytes(db.merchant_account_id) },
  );
}

/** False: it has ended, or there is none. */
export async function updateLinkState(tx: TenantRunner, id: string, state: LinkRow['state']): Promise<boolean> {
  const rows = await tx.run(
    'update_payment_link_state',
    `UPDATE payment.payment_links
     SET state = :state
     WHERE id = :id
       AND merchant_account_id = :merchant_account_id
       AND state <> 'ended'
     RETURNING 1`,
    { id: bytes(id), state, merchant_account_id: bytes(tx.merchant_account_id) },
  );
  return rows.length > 0;
}

/** Counts an opening and keeps the checkout that it made. */
export async function countOpening(
  tx: TenantRunner,
  { id, checkout_id }: { readonly id: string; readonly checkout_id: string },
): Promise<void> {
  await tx.run(
    'count_opening',
    `UPDATE payment.payment_links
     SET opened = opened + 1, checkout_id = :checkout_id
     WHERE id = :id
       AND merchant_account_id = :merchant_account_id`,
    { id: bytes(id), checkout_id: bytes(checkout_id), merchant_account_id: bytes(tx.merchant_account_id) },
  );
}

export type Lately = { readonly opened: number; readonly unpaid: number };

/** How often it was opened, and how many attempts paid nothing, since the moments of two ids. */
export async function findLately(
  db: TenantRunner,
  {
    id,
    opened_since,
    unpaid_since,
  }: { readonly id: string; readonly opened_since: string; readonly unpaid_since: string },
): Promise<Lately> {
  const rows = await db.run<Lately>(
    'find_lately_opened',
    `SELECT
       (
         SELECT count(*)::int
         FROM payment.checkouts c
         WHERE c.link_id = :id
           AND c.merchant_account_id = :merchant_account_id
           AND c.id >= :opened_since
       ) AS opened,
       (
         SELECT coalesce(sum(c.attempts), 0)::int
         FROM payment.checkouts c
         WHERE c.link_id = :id
           AND c.merchant_account_id = :merchant_account_id
           AND c.id >= :unpaid_since
           AND NOT ${hasOrder('c.id', 'o.live AND o.winner_id IS NOT NULL')}
           AND NOT ${hasOrder('c.id', 'NOT o.live AND o.winner_id IS NOT NULL')}
       ) AS unpaid`,
    {
      id: bytes(id),
      opened_since: bytes(opened_since),
      unpaid_since: bytes(unpaid_since),
      merchant_account_id: bytes(db.merchant_account_id),
    },
  );
  return rows[0] ?? { opened: 0, unpaid: 0 };
}

export type LinkOrderRow = {
  readonly id: string;
  readonly checkout_id: string;
  readonly order_merchant_id: string;
  readonly status: string;
  readonly amount_minor: bigint;
  readonly currency: string;
  readonly created_at: Date;
  readonly is_in_doubt: boolean;
};

/**
 * Orders of the checkouts that were opened from a link, those of the newest checkout first; `room` counts checkouts.
 */
export async function listLinkOrders(
  db: TenantRunner,
  { id, before, room }: { readonly id: string; readonly before: string; readonly room: number },
): Promise<readonly LinkOrderRow[]> {
  return db.run<LinkOrderRow>(
    'list_orders_of_link',
    `WITH tried AS MATERIALIZED (
       SELECT c.id
       FROM payment.checkouts c
       WHERE c.link_id = :id
         AND c.merchant_account_id = :merchant_account_id
         AND c.id < :before
         AND c.attempts > 0
       ORDER BY c.id DESC
       LIMIT :room
     )
     SELECT
       o.id, o.checkout_id, o.order_merchant_id, o.status, o.amount_minor, o.currency, o.created_at,
       (${ORDER_IN_DOUBT}) AS is_in_doubt
     FROM tried
     CROSS JOIN LATERAL ${ordersOf('tried.id')}
     ORDER BY o.checkout_id DESC, o.id DESC`,
    { id: bytes(id), before: bytes(before), room, merchant_account_id: bytes(db.merchant_account_id) },
  );
}
