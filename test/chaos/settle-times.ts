// How long operations took to be decided: those that were open when the faults ended, from then on; and all, from their beginning.
import type { Arena } from './arena.ts';

export type Percentiles = { readonly n: number; readonly p50: number; readonly p99: number; readonly max: number };

export type Settled = {
  /** Open when the bank was well again: seconds from then. */
  readonly after_peace: Percentiles;
  /** Every operation that was in doubt at a time or was taken up by recovery: seconds from its beginning. */
  readonly recovered: Percentiles;
  readonly all: Percentiles;
};

export async function settleTimes({ postgres }: Arena, peace: Date): Promise<Settled> {
  const ask = async (from: string, where: string): Promise<Percentiles> => {
    const [row] = await postgres.sql<{ n: number; p50: number | null; p99: number | null; max: number | null }>(
      `SELECT count(*)::int AS n, percentile_cont(0.5) WITHIN GROUP (ORDER BY s) AS p50, percentile_cont(0.99) WITHIN GROUP (ORDER BY s) AS p99, max(s) AS max
       FROM (SELECT extract(epoch FROM settled_at - ${from})::float AS s FROM payment.operations WHERE settled_at IS NOT NULL AND created_at < $1 AND ${where}) x`,
      [peace],
    );
    return { n: row?.n ?? 0, p50: row?.p50 ?? 0, p99: row?.p99 ?? 0, max: row?.max ?? 0 };
  };
  return {
    after_peace: await ask('$1', 'settled_at > $1'),
    recovered: await ask('created_at', 'tries > 1'),
    all: await ask('created_at', 'true'),
  };
}
