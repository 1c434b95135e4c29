// What a statement costs, counted in pages of the database: the same on every machine, however busy.
import type { World } from './world.ts';

type Touched = { readonly 'Shared Hit Blocks': number; readonly 'Shared Read Blocks': number };

/**
 * Pages that a statement touches, with all that its functions do; a look at a page that is looked at already counts
 * again. The least of three looks: the first time its functions are planned, too, and again where statistics of its
 * tables were taken meanwhile.
 */
export async function pagesOf(w: Pick<World, 'sql'>, text: string): Promise<number> {
  const looks: number[] = [];
  while (looks.length < 3) {
    const [row] = await w.sql<{ 'QUERY PLAN': { Plan: Touched }[] }>(`EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${text}`);
    const [explained] = row?.['QUERY PLAN'] ?? [];
    if (!explained) throw new Error('EXPLAIN gives one plan');
    looks.push(explained.Plan['Shared Hit Blocks'] + explained.Plan['Shared Read Blocks']);
  }
  return Math.min(...looks);
}
