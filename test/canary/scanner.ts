// Looks for canaries in files, folders, texts and the memory of processes, and says what it found where.
import { closeSync, openSync, readFileSync, readSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { luhn, schemesOf } from '../../src/core/card.ts';
import { ALL_FORMS, type Form, MARGIN } from './forms.ts';

/** What is looked for: the canaries themselves, and marked fragments of requests, for a cvc alone is too short. */
export type Wanted = {
  readonly numbers: ReadonlySet<string>;
  /** Such as `"cvc":"739"`, or a credential; found as ASCII, UTF-16LE, hex and base64. */
  readonly fragments: readonly string[];
};

export type Hit = {
  readonly place: string;
  readonly form: string;
  readonly what: 'number' | 'fragment';
  readonly at: number;
  /** Which one. */
  readonly number?: string;
  readonly fragment?: string;
};

/** Hits of one piece of bytes; `at` counts from its beginning. */
export function searchBytes(bytes: Buffer, wanted: Wanted, place: string): readonly Hit[] {
  const hits: Hit[] = [];
  for (const form of formsFor(wanted.numbers))
    for (const at of placesOf(bytes, form.mark)) {
      const number = form.read(bytes, at);
      if (number !== undefined && wanted.numbers.has(number))
        hits.push({ place, form: form.name, what: 'number', at, number });
    }
  for (const fragment of wanted.fragments)
    for (const { name, mark } of spellings(fragment))
      for (const at of placesOf(bytes, mark)) hits.push({ place, form: name, what: 'fragment', at, fragment });
  return hits;
}

const CHOSEN = new WeakMap<ReadonlySet<string>, readonly Form[]>();

/** Only those in which a wanted number may stand. */
function formsFor(numbers: ReadonlySet<string>): readonly Form[] {
  const known = CHOSEN.get(numbers);
  if (known) return known;
  const prefixes = new Set([...numbers].map((number) => number.slice(0, 8)));
  const chosen = ALL_FORMS.filter(({ prefix }) => prefixes.has(prefix));
  CHOSEN.set(numbers, chosen);
  return chosen;
}

/** Runs of 14 to 19 digits, together or in fours, that are those of a card, canary or not. */
export function cardsIn(text: string): readonly string[] {
  const runs = text.match(/(?<![\w.])(?:\d{14,19}|\d{4}(?:[ -]\d{4}){3})(?![\w.])/g) ?? [];
  return runs.filter((run) => {
    const digits = Buffer.from(run.replace(/\D/g, ''));
    return luhn(digits) && schemesOf(digits).length > 0;
  });
}

function* placesOf(bytes: Buffer, mark: Buffer): Generator<number> {
  for (let at = bytes.indexOf(mark); at >= 0; at = bytes.indexOf(mark, at + 1)) yield at;
}

function spellings(fragment: string) {
  const bytes = Buffer.from(fragment);
  const base64 = [0, 1, 2].map((skipped) => {
    const text = Buffer.from(' '.repeat(skipped) + fragment).toString('base64');
    return { name: `base64, ${skipped} bytes in`, mark: Buffer.from(text.slice([0, 2, 3][skipped], -4)) };
  });
  const spelled = [
    { name: 'ASCII', mark: bytes },
    { name: 'UTF-16LE', mark: Buffer.from(fragment, 'utf16le') },
    { name: 'hex', mark: Buffer.from(bytes.toString('hex')) },
    ...base64,
  ];
  return spelled.filter(({ mark }) => mark.length >= SHORTEST_MARK);
}

/** A shorter one stands in any megabyte: of a short fragment some ways of base64 are not looked for. */
const SHORTEST_MARK = 5;

const PIECE = 4 * 1024 * 1024;

type Source = { readonly read: (into: Buffer, from: number) => number; readonly place: string };

/** Piece by piece, overlapping, each hit once. Undefined: nothing could be read. */
function searchSource({ read, place }: Source, range: Range, wanted: Wanted): readonly Hit[] {
  const piece = Buffer.allocUnsafeSlow(Math.min(PIECE, range.to - range.from));
  const found = new Map<string, Hit>();
  try {
    for (let from = range.from; from < range.to; from += piece.length - MARGIN) {
      const length = read(piece.subarray(0, Math.min(piece.length, range.to - from)), from);
      if (length <= 0) break;
      for (const hit of searchBytes(piece.subarray(0, length), wanted, place)) {
        const at = from + hit.at;
        found.set(`${hit.form} ${hit.what} ${at}`, { ...hit, at });
      }
      if (piece.length <= MARGIN || from + length >= range.to) break;
    }
    return [...found.values()];
  } finally {
    piece.fill(0);
  }
}

type Range = { readonly from: number; readonly to: number };

function searchFile(path: string, wanted: Wanted): readonly Hit[] {
  const file = openSync(path, 'r');
  try {
    const read = (into: Buffer, from: number) => readSync(file, into, 0, into.length, from);
    const to = statSync(path).size;
    return to === 0 ? [] : searchSource({ read, place: path }, { from: 0, to }, wanted);
  } finally {
    closeSync(file);
  }
}

export type Searched = { readonly hits: readonly Hit[]; readonly files: number; readonly bytes: number };

/** Every file under a folder; one that is gone meanwhile is not there. */
export function searchFolder(folder: string, wanted: Wanted, skip: (path: string) => boolean = () => false): Searched {
  const hits: Hit[] = [];
  let [files, bytes] = [0, 0];
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (!entry.isFile() || skip(path)) continue;
    try {
      hits.push(...searchFile(path, wanted));
      bytes += statSync(path).size;
      files++;
    } catch (error) {
      if (!isGone(error)) throw error;
    }
  }
  return { hits, files, bytes };
}

/** A file that was removed meanwhile, or a process that has ended. */
export function isGone(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ESRCH');
}

/** What a process has in its readable mappings, as /proc shows it (Linux, same user or root). */
export function searchMemory(pid: number, wanted: Wanted): Searched {
  const maps = readFileSync(`/proc/${pid}/maps`, 'utf8').split('\n');
  const memory = openSync(`/proc/${pid}/mem`, 'r');
  const pages = openSync(`/proc/${pid}/pagemap`, 'r');
  const hits: Hit[] = [];
  let [mappings, bytes] = [0, 0];
  try {
    const read = (into: Buffer, from: number) => readSync(memory, into, 0, into.length, from);
    for (const line of maps) {
      const match = /^([0-9a-f]+)-([0-9a-f]+) (\S+) \S+ \S+ \S+\s*(.*)$/.exec(line);
      if (!match?.[3]?.startsWith('r') || /^\[v(?:var|syscall|dso)/.test(match[4] ?? '')) continue;
      // a program or library, as it is on the disk
      if (match[4]?.startsWith('/') && !match[3].includes('w')) continue;
      const range = { from: Number.parseInt(match[1] ?? '', 16), to: Number.parseInt(match[2] ?? '', 16) };
      const place = `memory of ${pid}: ${match[4] === '' ? 'anonymous' : match[4]}`;
      mappings++;
      for (const part of presentIn(pages, range)) {
        try {
          hits.push(...searchSource({ read, place }, part, wanted));
          bytes += part.to - part.from;
        } catch (error) {
          if (!isUnreadable(error)) throw error;
        }
      }
    }
  } finally {
    closeSync(memory);
    closeSync(pages);
  }
  return { hits, files: mappings, bytes };
}

const PAGE = 4096;

/** The parts of a mapping that have pages, in memory or in swap: most of what a process reserves was never touched. */
function presentIn(pages: number, { from, to }: Range): readonly Range[] {
  const entries = Buffer.allocUnsafeSlow(((to - from) / PAGE) * 8);
  const length = readSync(pages, entries, 0, entries.length, (from / PAGE) * 8);
  const parts: { from: number; to: number }[] = [];
  for (let at = 0; at + 8 <= length; at += 8) {
    // bits 63 and 62 of the little-endian entry: present, swapped
    if (((entries[at + 7] ?? 0) & 0xc0) === 0) continue;
    const page = from + (at / 8) * PAGE;
    const last = parts.at(-1);
    if (last?.to === page) last.to += PAGE;
    else parts.push({ from: page, to: page + PAGE });
  }
  return parts;
}

/** A mapping that was given back meanwhile, or that no one may read. */
function isUnreadable(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'EIO' || error.code === 'EFAULT');
}
