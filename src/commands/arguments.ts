// The words after a command: `--name value`, `--flag`, and the rest in order.
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { CARD_NUMBER_HELD, holdsCardNumber } from '../core/card.ts';
import { readDatetime } from '../core/dates.ts';
import { StartError, helpIfWanted, whyNot } from '../kit/start-error.ts';

export type Words = {
  readonly rest: readonly string[];
  /** Undefined if it is not given. */
  text(name: string): string | undefined;
  /** Throws a StartError with the usage if it is not given. */
  needed(name: string): string;
  /** Undefined if it is not given; UTC where it names no offset. Throws a StartError if it is no time. */
  time(name: string): Date | undefined;
  flag(name: string): boolean;
};

/** Texts that people write, kept for good: in the audit, and beside what they are about. */
const KEPT = ['by', 'note', 'reason', 'tell'];

/** Refuses unknown options, so that a mistyped option is not ignored. `--help` prints the usage. */
export function readWords(
  args: readonly string[],
  { usage, texts, flags = [] }: { usage: string; texts: readonly string[]; flags?: readonly string[] },
): Words {
  const options = Object.fromEntries([
    ...texts.map((name) => [name, { type: 'string' as const }] as const),
    ...flags.map((name) => [name, { type: 'boolean' as const }] as const),
  ]);
  helpIfWanted(args, `Usage: ${usage}`);
  const { values, positionals } = parse(args, options, usage);
  const text = (name: string) => {
    const value = values[name];
    return typeof value === 'string' ? value : undefined;
  };
  for (const name of KEPT)
    if (holdsCardNumber(text(name) ?? '')) throw new StartError(`--${name} ${CARD_NUMBER_HELD}.`);
  return {
    rest: positionals,
    text,
    needed: (name) => {
      const value = text(name);
      if (value === undefined || value === '') throw new StartError(`--${name} is required.\n\nUsage: ${usage}`);
      return value;
    },
    time: (name) => timeOf(name, text(name)),
    flag: (name) => values[name] === true,
  };
}

/** A form that has two readings is none: 12.1.2026 is another day in another country, and 2026-11-31 is no day. */
function timeOf(name: string, text: string | undefined): Date | undefined {
  if (text === undefined) return undefined;
  const read = readDatetime(text);
  if (read === undefined)
    throw new StartError(`--${name} must be a time such as 2026-11-21 or 2026-11-21T08:00:00Z, not ${text}.`);
  return new Date(read);
}

function parse(args: readonly string[], options: Options, usage: string) {
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true, strict: true });
  } catch (error) {
    throw new StartError(
      `${error instanceof Error ? error.message.split('.')[0] : 'not understood'}.\n\nUsage: ${usage}`,
    );
  }
}

type Options = Record<string, { type: 'string' } | { type: 'boolean' }>;

/**
 * The text of a file that is named on the command line; throws a StartError if it cannot be read. Secrets come in
 * files, because every user of the machine can see a command's words.
 */
export function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8').replace(/^\uFEFF/, '');
  } catch (error) {
    throw new StartError(`The file ${path} cannot be read: ${whyNot(error)}`);
  }
}
