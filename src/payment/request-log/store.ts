// Statements on the request log.
import { HIGHEST_ID } from '../../core/ids.ts';
import { type Parameters, type Runner, type TenantRunner, bytes } from '../../kit/database.ts';
import { hasNoPartition } from '../../kit/database/errors.ts';
import type { Page } from './page.ts';

export const isDayMissing = hasNoPartition;

/** Writes the pages of all accounts at once, one row for each. */
export async function writePages(db: Runner, pages: readonly Page[]): Promise<void> {
  await db.run(
    'write_request_log',
    `-- any account: what one process has gathered, each page under its own
     SELECT payment.write_request_log(:accounts, :ids, :refused, :orders, :facts, :bodies)`,
    {
      accounts: pages.map(({ merchant_account_id }) => bytes(merchant_account_id)),
      ids: pages.map(({ id }) => bytes(id)),
      refused: pages.map(({ refused }) => refused),
      orders: pages.map(({ orders }) => bytes(orders.join(''))),
      facts: pages.map(({ facts }) => bytes(facts.toString('hex'))),
      bodies: pages.map(({ bodies }) => bytes(bodies.toString('hex'))),
    },
  );
}

export async function keepDays(db: Runner, days: number): Promise<void> {
  await db.run(
    'keep_request_log',
    `-- any account: a day of all of them is made or dropped at once
     SELECT payment.keep_request_log(:days)`,
    { days },
  );
}

export type FoundPage = { readonly at: Date; readonly id: string; readonly facts: string; readonly bodies: string };

/** The place of a page in the order of time. */
export type Place = { readonly at: Date; readonly id: string };

export type Looking = {
  /** When it was written, both ends included. */
  readonly from: Date | null;
  readonly to: Date | null;
  /** This page and older ones; null: from the newest on. */
  readonly before: Place | null;
  /** Pages with one that was refused. */
  readonly refused: boolean;
  readonly order_id: string | null;
  readonly room: number;
};

/**
 * The newest first. Plans are made without the values of parameters, so what has an index of its own has a statement of
 * its own.
 */
export function findPages(db: TenantRunner, looking: Looking): Promise<readonly FoundPage[]> {
  return looking.order_id === null ? findOfAccount(db, looking) : findOfOrder(db, looking);
}

function findOfAccount(db: TenantRunner, looking: Looking): Promise<FoundPage[]> {
  return db.run('find_request_log', pagesText(), parametersOf(db, looking));
}

function findOfOrder(db: TenantRunner, looking: Looking): Promise<FoundPage[]> {
  const order_id = bytes(looking.order_id);
  return db.run('find_request_log_of_order', pagesText('AND orders @> ARRAY[:order_id::bytea]'), {
    ...parametersOf(db, looking),
    order_id,
  });
}

/** `which`: of these alone. */
function pagesText(which = ''): string {
  return `SELECT at, id, facts, bodies
     FROM payment.request_log
     WHERE merchant_account_id = :merchant_account_id
       ${which}
       AND at >= :from
       AND at <= :to
       AND (at, id) <= (:before_at, :before_id)
       AND (NOT :refused OR refused)
     ORDER BY at DESC, id DESC
     LIMIT :room`;
}

const EVER = new Date(Date.UTC(9999, 0));

function parametersOf(db: TenantRunner, { from, to, before, refused, room }: Looking): Parameters {
  return {
    merchant_account_id: bytes(db.merchant_account_id),
    from: from ?? new Date(0),
    to: to ?? EVER,
    before_at: before?.at ?? EVER,
    before_id: bytes(before?.id ?? HIGHEST_ID),
    refused,
    room,
  };
}
