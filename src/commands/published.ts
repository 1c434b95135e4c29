// The common part of commands on published rules (risk or routing): drafts from files, lists of versions, records of
// changes.
import { type AuditEvent, writeAudit } from '../backoffice/audit/audit.ts';
import { JsonProblem, type JsonValue, parseJson } from '../core/json.ts';
import type { Refusal } from '../core/refusals.ts';
import type { TenantRunner } from '../kit/database.ts';
import { StartError } from '../kit/start-error.ts';
import type { Publishing } from '../payment/versions.ts';
import { type Words, readText } from './arguments.ts';
import { tableOf } from './ledger/table.ts';

export function wordsOf({ message, extras }: Refusal): string {
  const problems = extras.problems?.map((problem) => `${problem.field} ${problem.message}`);
  return problems?.join('\n') ?? message;
}

/** Writes the audit record of a change in the same transaction as the change. */
export function record(words: Words, tx: TenantRunner, event: AuditEvent): Promise<void> {
  const by = words.needed('by');
  return writeAudit(tx, { actor: by, source: 'command line' }, { reason: words.text('note') ?? null, ...event });
}

type Kind = 'risk' | 'routing';

/** Publishes a draft with its audit record, and says so. */
export async function publishRecorded(
  words: Words,
  { kind, usage, detail }: { readonly kind: Kind; readonly usage: string; readonly detail: { readonly rules: number } },
  publish: (publishing: Publishing) => Promise<number>,
): Promise<string> {
  const based = words.text('based-on');
  const version = await publish({
    by: words.needed('by'),
    note: words.text('note'),
    based_on: based === undefined ? undefined : numberOf(based, usage),
    also: (tx, done) =>
      record(words, tx, {
        action: `${kind} rules published`,
        object: `version ${done}`,
        detail: { version: done, ...detail },
      }),
  });
  return `Version ${version} is in force: ${detail.rules} rules.`;
}

/** Publishes the rules of an earlier version with its audit record, and says so. */
export async function rollBackRecorded(
  words: Words,
  { kind, usage, version }: { readonly kind: Kind; readonly usage: string; readonly version: string },
  rollBack: (rolling: Publishing & { readonly to: number }) => Promise<number>,
): Promise<string> {
  const to = numberOf(version, usage);
  const based = words.text('based-on');
  const done = await rollBack({
    to,
    by: words.needed('by'),
    note: words.text('note'),
    based_on: based === undefined ? undefined : numberOf(based, usage),
    also: (tx, now) =>
      record(words, tx, {
        action: `${kind} rules rolled back`,
        object: `version ${to}`,
        detail: { version: now, to },
      }),
  });
  return `Version ${done} is in force, with the rules of version ${to}.`;
}

export function readJsonFile(file: string): JsonValue {
  try {
    return parseJson(readText(file));
  } catch (error) {
    throw error instanceof JsonProblem ? new StartError(`${file} is not JSON: ${error.message}`) : error;
  }
}

export function numberOf(text: string, usage: string): number {
  if (!/^\d{1,7}$/.test(text)) throw new StartError(`${text} is no number.\n\nUsage: ${usage}`);
  return Number(text);
}

type Version = {
  readonly version: number;
  readonly rules: number;
  readonly at: Date;
  readonly by_name: string;
  readonly note: string | null;
  readonly rolled_back_to: number | null;
};

const COLUMNS = ['version', 'rules', 'published', 'by', 'note'].map((title) => ({ title }));

/** The newest version first. */
export function versionsText(versions: readonly Version[]): string {
  const rows = versions.map(({ version, rules, at, by_name, note, rolled_back_to }) => [
    String(version),
    String(rules),
    at.toISOString(),
    by_name,
    [rolled_back_to === null ? '' : `back to ${rolled_back_to}`, note ?? ''].filter(Boolean).join('; '),
  ]);
  return `${tableOf(COLUMNS, rows)}\n\nThe first is in force.`;
}

/** The changes of a draft, one line for each rule. */
export function differencesText(found: readonly { readonly name: string; readonly change: string }[]): string {
  if (found.length === 0) return 'Nothing differs from the rules in force.';
  return found.map(({ name, change }) => `${change.padEnd(8)} ${name}`).join('\n');
}
