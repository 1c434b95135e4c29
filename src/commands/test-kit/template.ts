// The files of a sandbox that was started once and not used. Every other sandbox begins with a copy of them, which
// saves the seconds that a new database takes. A template is deleted when it was not needed for a week.
import { execFile } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
} from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { DAY_MS } from '../../core/durations.ts';
import { sha256 } from '../../kit/crypto.ts';
import { PAYMENT_ZONE } from '../../payment/zone.ts';
import { VAULT_ZONE } from '../../vault/zone.ts';

const WEEK_MS = 7 * DAY_MS;

type TemplateOptions = {
  /** The folder of the templates. */
  readonly folder: string;
  readonly version: string;
  readonly now: Date;
  /** Starts a sandbox in this folder, and stops it. */
  runIn(folder: string): Promise<void>;
};

/** Fills an empty folder with the files of a fresh sandbox. */
export async function copyTemplate(data_dir: string, options: TemplateOptions): Promise<void> {
  const template = join(options.folder, nameOf(options.version));
  if (!existsSync(template)) await make(template, options);
  utimesSync(template, options.now, options.now);
  // for some thousand files the system's cp is three times as fast as Node
  await promisify(execFile)('cp', ['-a', `${template}/.`, data_dir]);
}

async function make(template: string, { folder, now, runIn }: TemplateOptions): Promise<void> {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const begun = mkdtempSync(`${template}.new-`);
  try {
    await runIn(begun);
    renameSync(begun, template);
  } catch (error) {
    rmSync(begun, { recursive: true, force: true });
    // another process was faster, and its files are as good
    if (!existsSync(template)) throw error;
  }
  for (const name of readdirSync(folder)) {
    const other = join(folder, name);
    if (now.getTime() - statSync(other).mtimeMs > WEEK_MS) rmSync(other, { recursive: true, force: true });
  }
}

/** Named by everything that changes the files: the schema, and the versions of Florin and Node. */
function nameOf(version: string): string {
  const files = [PAYMENT_ZONE, VAULT_ZONE].flatMap(({ folder }) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.sql'))
      .toSorted()
      .map((name) => `${name}\n${sha256(readFileSync(new URL(name, folder)))}`),
  );
  return sha256([version, process.versions.node, ...files].join('\n')).slice(0, 24);
}
