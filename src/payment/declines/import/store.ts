// Statements on declines that another payment company had.
import { type TenantRunner, bytes } from '../../../kit/database.ts';
import { ACCEPTOR } from '../parts-store.ts';

/** The acceptors under which the contracts of the account are counted. */
export async function findAcceptors(
  db: TenantRunner,
): Promise<readonly { readonly id: string; readonly name: string; readonly acceptor: string }[]> {
  return db.run<{ id: string; name: string; acceptor: string }>(
    'find_acceptors',
    `SELECT id, name, ${ACCEPTOR} AS acceptor
     FROM payment.contracts
     WHERE merchant_account_id = :merchant_account_id`,
    { merchant_account_id: bytes(db.merchant_account_id) },
  );
}

export type PastDecline = {
  /** card_digest, hex. */
  readonly card: string;
  readonly at: Date;
  readonly transaction_id: string;
  readonly acceptor: string;
  readonly initiator: 'p' | 'm';
  readonly scheme: string;
  readonly amount_minor: bigint;
  readonly currency: string;
  readonly category: number | null;
  readonly advice: string | null;
  readonly not_before: Date | null;
  readonly stopped: boolean;
  readonly expires: string;
};

/** Stores past declines. Those that are stored already stay as they are; answers how many were new. */
export async function insertPastDeclines(db: TenantRunner, declines: readonly PastDecline[]): Promise<number> {
  const rows = await db.run(
    'insert_past_declines',
    `INSERT INTO payment.declines (
       merchant_account_id, card, at, transaction_id, acceptor, initiator, scheme, amount_minor,
       currency, open, category, advice, not_before, stopped, expires)
     SELECT
       :merchant_account_id, card, at, transaction_id, acceptor, initiator, scheme, amount_minor,
       currency, false, category, advice, not_before, stopped, expires
     FROM unnest(
       :cards::bytea[], :ats::timestamptz[], :transaction_ids::bytea[], :acceptors::text[],
       :initiators::text[], :schemes::text[], :amounts::bigint[], :currencies::text[],
       :categories::smallint[], :advices::text[], :not_befores::timestamptz[], :stops::boolean[],
       :expiries::date[]
     ) AS past (
       card, at, transaction_id, acceptor, initiator, scheme, amount_minor, currency, category,
       advice, not_before, stopped, expires)
     ON CONFLICT DO NOTHING
     RETURNING 1`,
    {
      merchant_account_id: bytes(db.merchant_account_id),
      cards: declines.map(({ card }) => bytes(card)),
      ats: declines.map(({ at }) => at),
      transaction_ids: declines.map(({ transaction_id }) => bytes(transaction_id)),
      acceptors: declines.map(({ acceptor }) => acceptor),
      initiators: declines.map(({ initiator }) => initiator),
      schemes: declines.map(({ scheme }) => scheme),
      amounts: declines.map(({ amount_minor }) => amount_minor),
      currencies: declines.map(({ currency }) => currency),
      categories: declines.map(({ category }) => category),
      advices: declines.map(({ advice }) => advice),
      not_befores: declines.map(({ not_before }) => not_before),
      stops: declines.map(({ stopped }) => stopped),
      expiries: declines.map(({ expires }) => expires),
    },
  );
  return rows.length;
}

/** An approval ends what the declines before it stop; answers nothing. */
export async function liftPastStops(
  db: TenantRunner,
  approved: readonly Pick<PastDecline, 'card' | 'acceptor' | 'at'>[],
): Promise<void> {
  await db.run(
    'lift_past_stops',
    `UPDATE payment.declines
     SET stopped = false, not_before = NULL
     FROM unnest(:cards::bytea[], :acceptors::text[], :ats::timestamptz[])
       AS approved (card, acceptor, at)
     WHERE declines.merchant_account_id = :merchant_account_id
       AND declines.card = approved.card
       AND declines.acceptor = approved.acceptor
       AND declines.at < approved.at
       AND (declines.stopped OR declines.not_before IS NOT NULL)`,
    {
      merchant_account_id: bytes(db.merchant_account_id),
      cards: approved.map(({ card }) => bytes(card)),
      acceptors: approved.map(({ acceptor }) => acceptor),
      ats: approved.map(({ at }) => at),
    },
  );
}
