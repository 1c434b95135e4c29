// Statements on the people who ask for exports.
import { type Runner, bytes } from '../../kit/database.ts';

export type OperatorRow = { readonly name: string; readonly secret_hash: string };

export async function findOperator(db: Runner, name: string): Promise<OperatorRow | undefined> {
  const rows = await db.run<OperatorRow>(
    'find_operator',
    `SELECT name, secret_hash FROM vault.operators WHERE name = :name`,
    { name },
  );
  return rows[0];
}

/** The first few in the order of their names: enough to know whether there are two. */
export async function findSomeOperators(db: Runner): Promise<readonly OperatorRow[]> {
  return db.run<OperatorRow>(
    'find_some_operators',
    `SELECT name, secret_hash FROM vault.operators WHERE name > '' ORDER BY name LIMIT 2`,
  );
}

/** False: the name is taken. */
export async function insertOperator(
  db: Runner,
  row: { readonly name: string; readonly secret_hash: string; readonly added_by: string },
): Promise<boolean> {
  const rows = await db.run(
    'insert_operator',
    `INSERT INTO vault.operators (name, secret_hash, added_by) VALUES (:name, :secret_hash, :added_by) ON CONFLICT DO NOTHING RETURNING 1`,
    { ...row, secret_hash: bytes(row.secret_hash) },
  );
  return rows.length > 0;
}
