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
    `SELECT name, secret_hash
     FROM vault.operators
     WHERE name > ''
     ORDER BY name
     LIMIT 2`,
  );
}

/** False: the name is taken. */
export async function insertOperator(
  db: Runner,
  row: { readonly name: string; readonly secret_hash: string; readonly added_by: string },
): Promise<boolean> {
  const rows = await db.run(
    'insert_operator',
    `INSERT INTO vault.operators (name, secret_hash, added_by)
     VALUES (:name, :secret_hash, :added_by)
     ON CONFLICT DO NOTHING
     RETURNING 1`,
    { ...row, secret_hash: bytes(row.secret_hash) },
  );
  return rows.length > 0;
}

/** True if both were added, directly or through others, by the same first operator: they do not count as two. */
export async function haveOneOrigin(db: Runner, name: string, other: string): Promise<boolean> {
  const rows = await db.run<{ n: number }>(
    'count_operator_origins',
    `WITH RECURSIVE line AS (
       SELECT name, added_by FROM vault.operators WHERE name IN (:name, :other)
       UNION
       SELECT o.name, o.added_by
       FROM line l
       JOIN vault.operators o ON o.name = l.added_by
     )
     SELECT count(*)::int AS n FROM line WHERE added_by = :installation`,
    { name, other, installation: INSTALLATION },
  );
  return (rows[0]?.n ?? 0) < 2;
}

/** The name under which the first two operators are added; no operator has it. */
export const INSTALLATION = 'installation';
