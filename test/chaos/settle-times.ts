// How long operations took to be decided: those that were open when the faults ended, from then on in real time; and
// all, from their beginning, by the deployment's clock, which a run moves ahead.
import type { Arena } from './arena.ts';

export type Percentiles = { readonly n: number; readonly p50: number; readonly p99: number; readonly max: number };

export type Settled = {
  /** Open when the bank was well again: real seconds from then. */
  readonly after_peace: Percentiles;
  /** Every operation that was in doubt at a time or was taken up by recovery: seconds from its beginning. */
  readonly recovered: Percentiles;
  readonly all: Percentiles;
};

export async function settleTimes({ postgres }: Arena, decided: readonly number[]): Promise<Settled> {
  const ask = async (where: string): Promise<Percentiles> => {
    const [row] = await postgres.sql<{ n: number; p50: number | null; p99: number | null; max: number | null }>(
      `SELECT count(*)::int AS n, percentile_cont(0.5) WITHIN GROUP (ORDER BY s) AS p50, percentile_cont(0.99) WITHIN GROUP (ORDER BY s) AS p99, max(s) AS max
       FROM (SELECT extract(epoch FROM settled_at - created_at)::float AS s FROM payment.operations WHERE settled_at IS NOT NULL AND ${where}) x`,
    );
    return { n: row?.n ?? 0, p50: row?.p50 ?? 0, p99: row?.p99 ?? 0, max: row?.max ?? 0 };
  };
  const at = (share: number) => decided[Math.min(decided.length - 1, Math.floor(decided.length * share))] ?? 0;
  return {
    after_peace: { n: decided.length, p50: at(0.5), p99: at(0.99), max: at(1) },
    recovered: await ask('tries > 1'),
    all: await ask('true'),
  };
}
