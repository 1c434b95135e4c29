// Statements on declines that schemes count, and on tries that were held back.
import { type Runner, type TenantRunner, bytes, isoText } from '../../kit/database.ts';
import { type Guard, guardParameters } from './guard.ts';
import type { Held, HeldNote } from './held.ts';
import { HELD } from './parts-store.ts';

/** The last look of any limit, and a day. */
export const KEEP_DAYS = 31;

/** Tries of one card pass one after the other, until the end of the transaction. */
export async function lockCard(db: Runner, merchant_account_id: string, card: string): Promise<void> {
  await db.run(
    'lock_card',
    `SELECT pg_advisory_xact_lock(hashtextextended(:card, 0))
     FROM payment.merchant_accounts
     WHERE merchant_account_id = :merchant_account_id`,
    { card, merchant_account_id: bytes(merchant_account_id) },
  );
}

type Asking = { readonly merchant_account_id: string; readonly contract_id: string | null };

/** Why it would be held back now; undefined: it would not. */
export async function findHeld(
  db: Runner,
  { merchant_account_id, contract_id }: Asking,
  { guard, at }: { readonly guard: Guard; readonly at: Date },
): Promise<Held | undefined> {
  const { opens: _, counted_scheme: _also, ...asked } = guardParameters(guard, at);
  const rows = await db.run<{ why: Held | null }>(
    'find_held',
    `WITH ${HELD}
     SELECT why
     FROM held
     WHERE :merchant_account_id::bytea = payment.tenant()`,
    { ...asked, merchant_account_id: bytes(merchant_account_id), contract_id: bytes(contract_id) },
  );
  return rows[0]?.why ?? undefined;
}

/** Deletes what no limit counts any more; answers how many rows. */
export async function forgetDeclines(db: Runner, room: number): Promise<number> {
  const rows = await db.run<{ gone: bigint }>(
    'forget_declines',
    `-- any account: retention is the same for all
     SELECT payment.forget_declines(:room, make_interval(days => :keep_days)) AS gone`,
    { room, keep_days: KEEP_DAYS },
  );
  return Number(rows[0]?.gone ?? 0);
}

/** The number of declines for wrong data within the last seconds, of the merchant number that has most of them. */
export async function countDataDeclines(db: Runner, window_s: number): Promise<number> {
  const rows = await db.run<{ most: bigint }>(
    'count_data_declines',
    `-- any account: a count without names
     SELECT payment.most_data_declines(:window_s) AS most`,
    { window_s },
  );
  return Number(rows[0]?.most ?? 0);
}

export type DeclineRow = {
  readonly at: string;
  readonly acceptor: string;
  readonly initiator: 'p' | 'm';
  readonly scheme: string;
  readonly amount_minor: bigint;
  readonly currency: string;
  readonly open: boolean;
  readonly category: number | null;
  readonly advice: string | null;
  readonly not_before: string | null;
  readonly stopped: boolean;
};

/** The counted declines of one card, oldest first. */
export async function findDeclines(db: TenantRunner, card: string): Promise<readonly DeclineRow[]> {
  return db.run<DeclineRow>(
    'find_declines',
    `SELECT
       ${isoText('at')} AS at, acceptor, initiator, scheme, amount_minor, currency, open,
       category, advice, ${isoText('not_before')} AS not_before, stopped
     FROM payment.declines
     WHERE merchant_account_id = :merchant_account_id
       AND card = :card
     ORDER BY at`,
    { merchant_account_id: bytes(db.merchant_account_id), card: bytes(card) },
  );
}

export type HeldRow = {
  readonly at: string;
  readonly order_id: string;
  readonly payment_method_name: string;
  readonly held: HeldNote;
};

/** The tries that an account held back since a moment, newest first. */
export async function findHeldBack(
  db: TenantRunner,
  { since, room }: { readonly since: Date; readonly room: number },
): Promise<readonly HeldRow[]> {
  return db.run<HeldRow>(
    'find_held_back',
    `SELECT
       ${isoText('created_at')} AS at, order_id, payment_method_name, held
     FROM payment.transactions
     WHERE merchant_account_id = :merchant_account_id
       AND held IS NOT NULL
       AND created_at > :since
     ORDER BY created_at DESC
     LIMIT :room`,
    { merchant_account_id: bytes(db.merchant_account_id), since, room },
  );
}

/** The card that an order was last tried with; undefined: there is no such order, or it was a partner's token. */
export async function findCardOf(
  db: Runner,
  { merchant_account_id, id }: { readonly merchant_account_id: string; readonly id: string },
): Promise<string | undefined> {
  const rows = await db.run<{ card_digest: string | null }>(
    'find_card_of_order',
    `SELECT card_digest
     FROM payment.transactions
     WHERE merchant_account_id = :merchant_account_id
       AND order_id = :order_id
     ORDER BY attempt DESC
     LIMIT 1`,
    { merchant_account_id: bytes(merchant_account_id), order_id: bytes(id) },
  );
  return rows[0]?.card_digest ?? undefined;
}

/** False: there is no such contract. Empty: it counts under its own id again. */
export async function updateAcceptor(db: TenantRunner, contract_id: string, acceptor: string): Promise<boolean> {
  const rows = await db.run(
    'update_acceptor',
    `UPDATE payment.contracts
     SET acceptor = nullif(:acceptor, '')
     WHERE id = :contract_id
       AND merchant_account_id = :merchant_account_id
     RETURNING 1`,
    { merchant_account_id: bytes(db.merchant_account_id), contract_id: bytes(contract_id), acceptor },
  );
  return rows.length > 0;
}
