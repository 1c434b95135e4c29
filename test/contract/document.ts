// The contract (docs/contract.md), read as tables: what is checked comes from its rows and not from a copy of them.
import { readFileSync } from 'node:fs';

const TEXT = readFileSync(new URL('../../docs/contract.md', import.meta.url), 'utf8');

/** The text of a section such as `7.2`, up to the next heading. */
export function section(number: string): string {
  const found = TEXT.split(/^(?=##)/m).find(
    (part) => part.startsWith(`### ${number} `) || part.startsWith(`## ${number} `),
  );
  if (found === undefined) throw new Error(`the contract has no section ${number}`);
  return found;
}

/** The rows of the tables of a section, without their heads; cells as they are written. */
export function rows(number: string): readonly (readonly string[])[] {
  const lines = section(number).split('\n');
  return lines.flatMap((line, i) => {
    const is_head = /^\|[-|]+\|$/.test(lines[i + 1] ?? '');
    if (!line.startsWith('|') || is_head || /^\|[-|]+\|$/.test(line)) return [];
    return [
      line
        .slice(1, -1)
        .split('|')
        .map((cell) => cell.trim()),
    ];
  });
}

/** The members that a sentence such as `Members, always present: a, b; c.` names. */
export function namesIn(text: string): readonly string[] {
  const plain = text.replace(/\*compatibility:\*|\([^()]*\)/g, ' ');
  return [...new Set(plain.match(/\b[a-z_]*_[a-z0-9_]+\b/g))];
}

/** Codes named in a cell: single ones, `52126x`, and ranges `131010 to 131088`. */
export function takesCode(cell: string, code: string): boolean {
  const inside = [...cell.matchAll(/(\d{6}) to (\d{6})/g)].some(([, from = '', to = '']) => code >= from && code <= to);
  const named = cell.match(/\d[\dx]{5,6}/g) ?? [];
  return inside || named.some((one) => new RegExp(`^${one.replaceAll('x', '\\d')}$`).test(code));
}

export type Finding = string | undefined;

export type Row = { readonly row: string; readonly check: () => Promise<Finding> };

/** Plays all rows, `at_once` at a time; answers what does not hold, each with its row. */
export async function play(checks: readonly Row[], at_once = 16): Promise<readonly string[]> {
  const left = [...checks];
  const wrong: string[] = [];
  const one = async () => {
    for (let next = left.shift(); next; next = left.shift()) {
      const { row, check } = next;
      const said = await check().catch((error: unknown) => String(error));
      if (said !== undefined) wrong.push(`${row}: ${said}`);
    }
  };
  await Promise.all(Array.from({ length: at_once }, one));
  return wrong.toSorted();
}
