// Statements of an import.
import { type Runner, bytes } from '../../kit/database.ts';

export type ImportRow = {
  readonly id: bigint;
  readonly finished_at: Date | null;
  readonly line: number;
  readonly in_offset: bigint;
  readonly out_offset: bigint;
  readonly cards: number;
  readonly refused: number;
};

/** Whether the account has a key here: an id that was mistyped has none. */
export async function hasMerchant(db: Runner, merchant_account_id: string): Promise<boolean> {
  const rows = await db.run(
    'has_merchant',
    `SELECT 1
     FROM vault.api_keys
     WHERE merchant_account_id = :merchant_account_id
     LIMIT 1`,
    { merchant_account_id: bytes(merchant_account_id) },
  );
  return rows.length > 0;
}

/** The latest import of this file for this account. */
export async function findImport(
  db: Runner,
  merchant_account_id: string,
  input_mac: Buffer,
): Promise<ImportRow | undefined> {
  const rows = await db.run<ImportRow>(
    'find_import',
    `SELECT id, finished_at, line, in_offset, out_offset, cards, refused
     FROM vault.imports
     WHERE merchant_account_id = :merchant_account_id
       AND input_mac = :input_mac
     ORDER BY id DESC
     LIMIT 1`,
    { merchant_account_id: bytes(merchant_account_id), input_mac },
  );
  return rows[0];
}

export type NewImport = {
  readonly merchant_account_id: string;
  readonly input_mac: Buffer;
  readonly actor: string;
  readonly out_offset: bigint;
  /** The id of the latest import of this file that its run has seen; 0: it saw none. */
  readonly after: bigint;
};

/** Holds back other imports of this file until the commit. False: another run has begun one since `after`. */
export async function insertImport(db: Runner, row: NewImport): Promise<boolean> {
  await db.run(
    'lock_import',
    `SELECT pg_advisory_xact_lock(
       hashtextextended('vault.imports' || encode(:input_mac::bytea, 'hex'), 0))`,
    { input_mac: row.input_mac },
  );
  // a statement of its own: a statement that waited for the lock sees the rows from before it waited
  const rows = await db.run(
    'insert_import',
    `INSERT INTO vault.imports (merchant_account_id, input_mac, actor, out_offset)
     SELECT :merchant_account_id::bytea, :input_mac::bytea, :actor::text, :out_offset::bigint
     WHERE NOT EXISTS (
       SELECT
       FROM vault.imports
       WHERE merchant_account_id = :merchant_account_id
         AND input_mac = :input_mac
         AND id > :after
     )
     RETURNING 1`,
    { ...row, merchant_account_id: bytes(row.merchant_account_id) },
  );
  return rows.length > 0;
}

export type ImportProgress = Omit<ImportRow, 'finished_at'> & { readonly finished: boolean; readonly before: bigint };

/** False: another run has moved it. */
export async function moveImport(db: Runner, row: ImportProgress): Promise<boolean> {
  const rows = await db.run(
    'move_import',
    `UPDATE vault.imports
     SET
       line = :line,
       in_offset = :in_offset,
       out_offset = :out_offset,
       cards = :cards,
       refused = :refused,
       finished_at = CASE WHEN :finished::boolean THEN vault.now() END
     WHERE id = :id
       AND finished_at IS NULL
       AND in_offset = :before
     RETURNING 1`,
    row,
  );
  return rows.length > 0;
}

export type ImportedCard = {
  readonly token_hash: string;
  readonly mac: string;
  readonly old_mac: string | null;
  readonly new_unique_id: string;
  readonly sealed: string;
  readonly scheme: string;
  readonly schemes: string | null;
  readonly first6: string;
  readonly last4: string;
  readonly exp_month: number;
  readonly exp_year: number;
};

export type ImportBatch = {
  readonly merchant_account_id: string;
  readonly environment: string;
  readonly key_id: bigint;
  readonly old_key_id: bigint | null;
  readonly data_key_id: bigint;
  readonly created_at: Date;
  readonly cards: readonly ImportedCard[];
};

/** Stores a batch under its tokens, as store_card does one. Empty: one of the keys is closed. */
export async function storeImported(
  db: Runner,
  { cards, ...batch }: ImportBatch,
): Promise<readonly { readonly token_hash: string; readonly card_unique_id: string }[]> {
  const column = <K extends keyof ImportedCard>(name: K) => cards.map((card) => card[name]);
  const hex = (name: 'token_hash' | 'mac' | 'old_mac' | 'sealed') => cards.map((card) => bytes(card[name]));
  return db.run(
    'store_imported',
    `WITH given AS (
       SELECT
         unnest(:token_hash::bytea[]) AS token_hash, unnest(:mac::bytea[]) AS mac,
         unnest(:old_mac::bytea[]) AS old_mac, unnest(:new_unique_id::uuid[]) AS new_unique_id,
         unnest(:sealed::bytea[]) AS sealed, unnest(:scheme::text[]) AS scheme,
         unnest(:schemes::text[]) AS schemes, unnest(:first6::text[]) AS first6,
         unnest(:last4::text[]) AS last4, unnest(:exp_month::int[]) AS exp_month,
         unnest(:exp_year::int[]) AS exp_year
     ),
     fingerprint AS (
       INSERT INTO vault.fingerprints (merchant_account_id, key_id, mac, card_unique_id)
       SELECT DISTINCT ON (given.mac)
         :merchant_account_id::bytea, :key_id::bigint, given.mac,
         coalesce(former.card_unique_id, given.new_unique_id)
       FROM given
       LEFT JOIN vault.fingerprints former
         ON former.merchant_account_id = :merchant_account_id
         AND former.key_id = :old_key_id::bigint
         AND former.mac = given.old_mac
       WHERE (
         SELECT count(*)
         FROM vault.data_keys
         WHERE id IN (:data_key_id, :key_id)
           AND state IN ('active', 'retired')
       ) = 2
       ORDER BY given.mac
       ON CONFLICT (merchant_account_id, key_id, mac) DO UPDATE SET seen_at = vault.now()
       RETURNING mac, card_unique_id
     )
     INSERT INTO vault.cards (
       token_hash, merchant_account_id, environment, kind,
       card_unique_id, sealed, data_key_id, scheme, schemes,
       first6, last4, exp_month, exp_year, created_at)
     SELECT
       given.token_hash, :merchant_account_id, :environment, 'recurring',
       fingerprint.card_unique_id, given.sealed, :data_key_id, given.scheme, given.schemes,
       given.first6, given.last4, given.exp_month, given.exp_year, :created_at
     FROM given
     JOIN fingerprint ON fingerprint.mac = given.mac
     RETURNING token_hash, card_unique_id`,
    {
      ...batch,
      merchant_account_id: bytes(batch.merchant_account_id),
      token_hash: hex('token_hash'),
      mac: hex('mac'),
      old_mac: hex('old_mac'),
      sealed: hex('sealed'),
      new_unique_id: column('new_unique_id'),
      scheme: column('scheme'),
      schemes: column('schemes'),
      first6: column('first6'),
      last4: column('last4'),
      exp_month: column('exp_month'),
      exp_year: column('exp_year'),
    },
  );
}
