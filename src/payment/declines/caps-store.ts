// Statements on tables of scheme limits that are newer than the release.
import type { CapsTable } from '../../core/retries/caps.ts';
import type { Runner } from '../../kit/database.ts';

export type LoadedCaps = CapsTable & {
  readonly version: number;
  readonly by_name: string;
  readonly note: string;
  readonly at: Date;
};

/** The last one that was loaded after `version`; undefined: none was. */
export async function findCapsAfter(db: Runner, version: number): Promise<LoadedCaps | undefined> {
  const rows = await db.run<LoadedCaps>(
    'find_scheme_caps',
    `-- any account: what schemes limit is the same for all
     SELECT version, to_char(as_of, 'YYYY-MM-DD') AS as_of, rows, by_name, note, at
     FROM payment.scheme_caps
     WHERE version > :version
     ORDER BY version DESC
     LIMIT 1`,
    { version },
  );
  return rows[0];
}

/** Undefined: another one was loaded meanwhile. */
export async function insertCaps(db: Runner, { rows, ...row }: Omit<LoadedCaps, 'at'>): Promise<number | undefined> {
  const made = await db.run<{ version: number }>(
    'insert_scheme_caps',
    `-- any account: what schemes limit is the same for all
     INSERT INTO payment.scheme_caps (version, as_of, rows, by_name, note)
     VALUES (:version, :as_of::date, :rows::json, :by_name, :note)
     ON CONFLICT DO NOTHING
     RETURNING version`,
    { ...row, rows: JSON.stringify(rows) },
  );
  return made[0]?.version;
}
