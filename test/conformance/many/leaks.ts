// No digit of a card and no credential outside: every table of every schema, and each line that was logged, before any
// masking.
import type { World } from '../../world.ts';

export type Lines = { readonly count: number; holding(texts: readonly string[]): readonly string[] };

const LEVELS = ['debug', 'info', 'warn', 'error'] as const;
const MOST_LINES = 500_000;

/** Hears what the zones of this process log, fields and all. */
export function hearLog({ service }: World): Lines {
  const { log } = service.tools;
  const lines: string[] = [];
  for (const level of LEVELS) {
    const before = log[level];
    log[level] = (fields, message) => {
      if (lines.length < MOST_LINES) lines.push(`${message} ${JSON.stringify(fields)}`);
      before(fields, message);
    };
  }
  return {
    get count() {
      return lines.length;
    },
    holding: (texts) => lines.filter((line) => texts.some((text) => line.includes(text))),
  };
}

/** As text and as bytes. Those of both zones: a sealed card shows no digit either. */
export async function tablesHolding(w: World, texts: readonly string[]): Promise<readonly string[]> {
  const tables = await w.sql<{ name: string }>(
    `SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables
     WHERE schemaname NOT IN ('pg_catalog', 'information_schema')`,
  );
  const either = texts.flatMap((text) => [text, Buffer.from(text).toString('hex')]);
  const found: string[] = [];
  for (const { name } of tables) {
    const rows = await w.sql(`SELECT 1 FROM ${name} t WHERE t::text ~ $1 LIMIT 1`, [either.join('|')]);
    if (rows.length > 0) found.push(name);
  }
  return found;
}
