// Statements on what is sealed by data keys: found by the id of their key, and sealed again only if that was not done
// since.
import { type Runner, bytes } from '../../../kit/database.ts';

export type SealedCardRow = {
  readonly token_hash: string;
  readonly merchant_account_id: string;
  readonly environment: string;
  readonly kind: 'oneshot' | 'recurring';
  readonly exp_month: number | null;
  readonly exp_year: number | null;
  readonly created_at: Date;
  readonly sealed: string;
  readonly data_key_id: bigint;
  /** Null: a partner's token, which has no fingerprint. */
  readonly card_unique_id: string | null;
};

/** The columns of SealedCardRow. */
const SEALED_CARD = `token_hash, merchant_account_id, environment, kind, exp_month, exp_year, created_at, sealed,
       data_key_id, card_unique_id`;

type BatchRequest = { readonly from_id: bigint; readonly skip: readonly string[] };
const hexes = (values: readonly string[]) => values.map((value) => bytes(value));

/** The last token hash of the next thousand cards; undefined: there are no more. */
export async function findWindowEnd(db: Runner, after: string): Promise<string | undefined> {
  const rows = await db.run<{ last: string | null }>(
    'find_window_end',
    `SELECT w.token_hash AS last
     FROM (
       SELECT token_hash
       FROM vault.cards
       WHERE token_hash > :after
       ORDER BY token_hash
       LIMIT 1000
     ) w
     ORDER BY 1 DESC
     LIMIT 1`,
    { after: bytes(after) },
  );
  return rows[0]?.last ?? undefined;
}

/**
 * Cards of old keys between two token hashes. By the primary key, always forward: the index by key is full of what was
 * sealed again a moment ago, and would be read over and over. A rotation is for all accounts.
 */
export async function findCardsOfKeys(
  db: Runner,
  asked: { readonly from_id: bigint; readonly after: string; readonly last: string },
): Promise<readonly SealedCardRow[]> {
  return db.run<SealedCardRow>(
    'find_cards_of_keys',
    `SELECT ${SEALED_CARD}
     FROM vault.cards
     WHERE token_hash > :after
       AND token_hash <= :last
       AND data_key_id + 0 <= :from_id
     ORDER BY token_hash`,
    { from_id: asked.from_id, after: bytes(asked.after), last: bytes(asked.last) },
  );
}

export async function countCardsOfKeys(db: Runner, from_id: bigint): Promise<number> {
  const rows = await db.run<{ n: number }>(
    'count_cards_of_keys',
    `SELECT count(*)::int AS n FROM vault.cards WHERE data_key_id <= :from_id`,
    { from_id },
  );
  return rows[0]?.n ?? 0;
}

/** Cards in the order of their token hash: for a walk over all of them. */
export async function findCardsAfter(db: Runner, after: string): Promise<readonly SealedCardRow[]> {
  return db.run<SealedCardRow>(
    'find_cards_after',
    `SELECT ${SEALED_CARD}
     FROM vault.cards
     WHERE token_hash > :after
     ORDER BY token_hash
     LIMIT 50`,
    { after: bytes(after) },
  );
}

/** Cards that came since a moment, between two token hashes. */
export async function findCardsSince(
  db: Runner,
  asked: { readonly since: Date; readonly after: string; readonly last: string },
): Promise<readonly SealedCardRow[]> {
  return db.run<SealedCardRow>(
    'find_cards_since',
    `SELECT ${SEALED_CARD}
     FROM vault.cards
     WHERE token_hash > :after
       AND token_hash <= :last
       AND created_at > :since
     ORDER BY token_hash`,
    { since: asked.since, after: bytes(asked.after), last: bytes(asked.last) },
  );
}

export async function countCardsAfter(db: Runner, after: string): Promise<number> {
  const rows = await db.run<{ n: number }>(
    'count_cards_after',
    `SELECT count(*)::int AS n FROM vault.cards WHERE token_hash > :after`,
    { after: bytes(after) },
  );
  return rows[0]?.n ?? 0;
}

export type Resealed = {
  /** Primary keys, as hex. */
  readonly ids: readonly string[];
  /** The values that were read, so that a later change is not undone. */
  readonly before: readonly string[];
  readonly after: readonly string[];
};

export async function resealCards(
  db: Runner,
  { ids, before, after }: Resealed,
  key_ids: readonly bigint[],
): Promise<void> {
  await db.run(
    'reseal_cards',
    `UPDATE vault.cards c
     SET sealed = n.after, data_key_id = n.key_id
     FROM (
       SELECT
         unnest(:ids::bytea[]) AS id, unnest(:before::bytea[]) AS before,
         unnest(:after::bytea[]) AS after, unnest(:key_ids::bigint[]) AS key_id
     ) n
     WHERE c.token_hash = n.id
       AND c.sealed = n.before`,
    { ids: hexes(ids), before: hexes(before), after: hexes(after), key_ids },
  );
}

export type SealedAnswerRow = {
  readonly operation_id: string;
  readonly merchant_account_id: string;
  readonly answer_sealed: string;
};

/** The id of its key stands in bytes 2 to 9 of a record (keys/record.ts). */
export async function findAnswersOfKeys(
  db: Runner,
  { from_id, skip }: BatchRequest,
): Promise<readonly SealedAnswerRow[]> {
  return db.run<SealedAnswerRow>(
    'find_answers_of_keys',
    `SELECT operation_id, merchant_account_id, answer_sealed
     FROM vault.forwards
     WHERE answer_sealed IS NOT NULL
       AND substring(answer_sealed FROM 2 FOR 8) <= int8send(:from_id::bigint)
       AND operation_id <> ALL (:skip::bytea[])
     ORDER BY substring(answer_sealed FROM 2 FOR 8)
     LIMIT 200`,
    { from_id, skip: hexes(skip) },
  );
}

export async function resealAnswers(db: Runner, { ids, before, after }: Resealed): Promise<void> {
  await db.run(
    'reseal_answers',
    `UPDATE vault.forwards f
     SET answer_sealed = n.after
     FROM (
       SELECT
         unnest(:ids::bytea[]) AS id, unnest(:before::bytea[]) AS before,
         unnest(:after::bytea[]) AS after
     ) n
     WHERE f.operation_id = n.id
       AND f.operation_id = ANY (:ids::bytea[])
       AND f.answer_sealed = n.before`,
    { ids: hexes(ids), before: hexes(before), after: hexes(after) },
  );
}

export type SealedCredentialsRow = {
  readonly contract_id: string;
  readonly merchant_account_id: string;
  readonly destination: string;
  readonly credentials_sealed: string;
};

export async function findCredentialsOfKeys(
  db: Runner,
  { from_id, skip }: BatchRequest,
): Promise<readonly SealedCredentialsRow[]> {
  return db.run<SealedCredentialsRow>(
    'find_credentials_of_keys',
    `SELECT id AS contract_id, merchant_account_id, destination, credentials_sealed
     FROM vault.contracts
     WHERE substring(credentials_sealed FROM 2 FOR 8) <= int8send(:from_id::bigint)
       AND id <> ALL (:skip::bytea[])
     ORDER BY substring(credentials_sealed FROM 2 FOR 8)
     LIMIT 200`,
    { from_id, skip: hexes(skip) },
  );
}

export async function resealCredentials(db: Runner, { ids, before, after }: Resealed): Promise<void> {
  await db.run(
    'reseal_credentials',
    `UPDATE vault.contracts c
     SET credentials_sealed = n.after
     FROM (
       SELECT
         unnest(:ids::bytea[]) AS id, unnest(:before::bytea[]) AS before,
         unnest(:after::bytea[]) AS after
     ) n
     WHERE c.id = n.id
       AND c.credentials_sealed = n.before`,
    { ids: hexes(ids), before: hexes(before), after: hexes(after) },
  );
}

export type SealedTokenRow = {
  readonly merchant_account_id: string;
  readonly key: string;
  readonly token_hash: string;
  readonly token_sealed: string;
};

export async function findTokensOfKeys(
  db: Runner,
  { from_id, skip }: BatchRequest,
): Promise<readonly SealedTokenRow[]> {
  return db.run<SealedTokenRow>(
    'find_tokens_of_keys',
    `SELECT merchant_account_id, key, token_hash, token_sealed
     FROM vault.idempotency_keys
     WHERE substring(token_sealed FROM 2 FOR 8) <= int8send(:from_id::bigint)
       AND token_hash <> ALL (:skip::bytea[])
     ORDER BY substring(token_sealed FROM 2 FOR 8)
     LIMIT 200`,
    { from_id, skip: hexes(skip) },
  );
}

export async function resealTokens(
  db: Runner,
  { before, after, merchants, keys }: Omit<Resealed, 'ids'> & { merchants: readonly string[]; keys: readonly string[] },
): Promise<void> {
  await db.run(
    'reseal_tokens',
    `UPDATE vault.idempotency_keys k
     SET token_sealed = n.after
     FROM (
       SELECT
         unnest(:merchants::bytea[]) AS m, unnest(:keys::text[]) AS key,
         unnest(:before::bytea[]) AS before, unnest(:after::bytea[]) AS after
     ) n
     WHERE k.merchant_account_id = n.m
       AND k.key = n.key
       AND k.token_sealed = n.before`,
    { merchants: hexes(merchants), keys, before: hexes(before), after: hexes(after) },
  );
}

/** Stores fingerprints under the new key; the same card may be there already. */
export async function insertFingerprints(
  db: Runner,
  rows: {
    readonly key_id: bigint;
    readonly merchants: readonly string[];
    readonly token_hashes: readonly string[];
    readonly macs: readonly string[];
    readonly unique_ids: readonly string[];
  },
): Promise<void> {
  await db.run(
    'insert_fingerprints',
    `WITH kept AS MATERIALIZED (
       -- a saved card that is removed meanwhile gets none, or its removal waits and takes it away
       SELECT token_hash
       FROM vault.cards
       WHERE token_hash = ANY (:token_hashes::bytea[])
         AND (kind <> 'recurring' OR delete_after IS NULL)
       ORDER BY token_hash
       FOR SHARE
     )
     INSERT INTO vault.fingerprints (merchant_account_id, key_id, mac, card_unique_id)
     SELECT n.m, :key_id, n.mac, n.unique_id
     FROM (
       SELECT
         unnest(:merchants::bytea[]) AS m, unnest(:token_hashes::bytea[]) AS token_hash,
         unnest(:macs::bytea[]) AS mac, unnest(:unique_ids::uuid[]) AS unique_id
     ) n
     JOIN kept USING (token_hash)
     ON CONFLICT DO NOTHING`,
    {
      key_id: rows.key_id,
      merchants: hexes(rows.merchants),
      token_hashes: hexes(rows.token_hashes),
      macs: hexes(rows.macs),
      unique_ids: rows.unique_ids,
    },
  );
}
