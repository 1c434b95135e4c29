// Keeps PostgreSQL's own figures of the card zone's tables young.
import type { Runner } from '../../kit/database.ts';
import { LEAST_CHANGES } from '../../kit/database/statistics.ts';

/** Analyzes the table of the card zone that has grown most since it was last analyzed; false: none has doubled. */
export async function analyzeVault(db: Runner): Promise<boolean> {
  const rows = await db.run<{ analyzed: boolean }>(
    'analyze_vault',
    'SELECT vault.analyze_grown(:least_changes) AS analyzed',
    { least_changes: LEAST_CHANGES },
  );
  return rows[0]?.analyzed === true;
}
