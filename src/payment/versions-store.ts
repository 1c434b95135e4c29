// Statements on lists of rules that are published as versions, of one kind or another.
import { type Runner, type TenantRunner, bytes } from '../kit/database.ts';

/** Also the member of the account's settings in which what is in force travels. */
export type Kind = 'risk' | 'routing';

/** The members of the settings row that are not settings: the row is read with `settings - PUBLISHED`. */
export const PUBLISHED = `'{risk,routing,weights,experiment,named_keys}'::text[]`;

export type VersionRow<T> = {
  readonly version: number;
  readonly rules: T;
  readonly rolled_back_to: number | null;
  readonly by_name: string;
  readonly note: string | null;
  readonly at: Date;
};

/** Newest first; all of them, or one. */
export async function findVersions<T>(
  db: TenantRunner,
  kind: Kind,
  version: number | null,
): Promise<readonly VersionRow<T>[]> {
  const of = { merchant_account_id: bytes(db.merchant_account_id), version };
  const versions = (table: string) => `SELECT version, rules, rolled_back_to, by_name, note, at
    FROM payment.${table}
    WHERE merchant_account_id = :merchant_account_id
      AND (:version::int IS NULL OR version = :version)
    ORDER BY version DESC
    LIMIT 200`;
  return kind === 'risk'
    ? db.run<VersionRow<T>>('find_risk_versions', versions('risk_versions'), of)
    : db.run<VersionRow<T>>('find_route_versions', versions('route_versions'), of);
}

/**
 * The rules in force; locks the account's row until the end of the transaction. Undefined: there is no such account.
 */
export async function lockInForce(
  db: Runner,
  kind: Kind,
  merchant_account_id: string,
): Promise<{ readonly in_force: unknown } | undefined> {
  const rows = await db.run<{ in_force: unknown }>(
    'lock_in_force',
    `SELECT settings -> :kind::text AS in_force
     FROM payment.merchant_accounts
     WHERE merchant_account_id = :merchant_account_id
     FOR UPDATE`,
    { kind, merchant_account_id: bytes(merchant_account_id) },
  );
  return rows[0];
}

/** Null: nothing is in force, and nothing of this kind is asked of the account's payments. */
export async function updateInForce(
  db: Runner,
  kind: Kind,
  { merchant_account_id, in_force }: { readonly merchant_account_id: string; readonly in_force: object | null },
): Promise<void> {
  await db.run(
    'update_in_force',
    `UPDATE payment.merchant_accounts
     SET settings = CASE
       WHEN :in_force::jsonb IS NULL THEN settings - :kind::text
       ELSE settings || jsonb_build_object(:kind::text, :in_force::jsonb)
     END
     WHERE merchant_account_id = :merchant_account_id`,
    { kind, merchant_account_id: bytes(merchant_account_id), in_force: in_force && JSON.stringify(in_force) },
  );
}

export async function insertVersion<T>(
  db: Runner,
  kind: Kind,
  { merchant_account_id, ...row }: Omit<VersionRow<T>, 'at'> & { readonly merchant_account_id: string },
): Promise<void> {
  const of = { ...row, merchant_account_id: bytes(merchant_account_id), rules: JSON.stringify(row.rules) };
  const insert = (table: string) => `INSERT INTO payment.${table} (
      merchant_account_id, version, rules, rolled_back_to, by_name, note)
    VALUES (:merchant_account_id, :version, :rules, :rolled_back_to, :by_name, :note)`;
  await (kind === 'risk'
    ? db.run('insert_risk_version', insert('risk_versions'), of)
    : db.run('insert_route_version', insert('route_versions'), of));
}
