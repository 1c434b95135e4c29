// JSON as a person reads it, and as a comparison by lines is short: what fits a line stands in one.
import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

const WIDTH = 140;

/** A part of an answer that is longer, and was shown before, is not shown again. */
const LONG = 300;

export class Printer {
  private readonly shown = new Set<string>();

  /** The text itself where it says more than its values do (11.30 is not 11.3). */
  json(text: string): string {
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch {
      return text;
    }
    return JSON.stringify(value) === text ? this.lines(value, '') : text;
  }

  private lines(value: unknown, indent: string): string {
    const flat = JSON.stringify(value);
    if (indent.length + flat.length <= WIDTH || typeof value !== 'object' || value === null) return flat;
    if (flat.length > LONG && this.shown.has(flat)) return `(as before: ${digestOf(flat)})`;
    this.shown.add(flat);
    const inner = `${indent} `;
    const [open, close] = Array.isArray(value) ? '[]' : '{}';
    const parts = Array.isArray(value)
      ? value.map((one) => this.lines(one, inner))
      : packed(
          Object.entries(value).map(([name, one]) => `${JSON.stringify(name)}:${this.lines(one, inner)}`),
          inner,
        );
    return `${open}\n${parts.map((part) => inner + part).join(',\n')}\n${indent}${close}`;
  }
}

/** A long body in few words. FLORIN_GOLDEN_BODIES names a folder where it is kept whole, to look what has changed. */
export function summed(text: string): string {
  const digest = digestOf(text);
  const folder = process.env['FLORIN_GOLDEN_BODIES'];
  if (folder !== undefined) writeFileSync(join(folder, digest), text);
  return `(${text.length} characters, sha256 ${digest})`;
}

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 12);
}

/** Short members share a line. */
function packed(members: readonly string[], indent: string): readonly string[] {
  const packs: string[] = [];
  for (const member of members) {
    const last = packs.at(-1);
    const together = `${last}, ${member}`;
    const fits = last !== undefined && !together.includes('\n') && indent.length + together.length <= WIDTH;
    if (fits) packs[packs.length - 1] = together;
    else packs.push(member);
  }
  return packs;
}
