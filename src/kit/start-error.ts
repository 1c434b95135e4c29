import { resolve } from 'node:path';

/** Florin cannot start for a reason that the person at the keyboard can fix: the message says what is wrong and how. */
export class StartError extends Error {
  override readonly name = 'StartError';
}

const NOT_ALLOWED = 'This account may not do that: give it the right (chown, chmod). Name another file or folder, or';
const IN_THE_WAY = 'A file is where a folder should be, or a folder where a file should be. Name another one.';
const FULL = 'The disk is full: make room, and run it again.';
const FILE_PROBLEMS: Readonly<Record<string, string>> = {
  EACCES: `${NOT_ALLOWED} run it as the account whose it is.`,
  EPERM: `${NOT_ALLOWED} run it as the account whose it is.`,
  EROFS: 'The disk is read-only. Name another folder.',
  ENOSPC: FULL,
  EDQUOT: FULL,
  EFBIG: 'The system lets no file of this account grow that large (ulimit -f): raise that, and run it again.',
  ENOENT: 'That file, or the folder that it should be in, is not there: look at how its name is written.',
  ENOTDIR: IN_THE_WAY,
  EISDIR: IN_THE_WAY,
  EEXIST: 'It is there already, and is not overwritten. Name another one.',
};

/** What the system would not do with a file, and what to do about it; undefined: the error is another one. */
export function fileProblem(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error) || !('syscall' in error)) return undefined;
  const what = FILE_PROBLEMS[String(error.code)];
  return what && `${error.message}\n${what}`;
}

/** Why a file is of no use, as sentences behind a colon: what the system, or who reads such a file, says of it. */
export function whyNot(error: unknown): string {
  const said = fileProblem(error);
  if (said !== undefined) return said;
  const text = error instanceof Error ? error.message : String(error);
  // OpenSSL names a place in its own code, and no cause
  return text.startsWith('error:') ? `it is damaged, or something else (${text}).` : `${text.replace(/\.$/, '')}.`;
}

/** Not a fault: `--help` was given, and this is what the command prints, with exit code 0. */
export class HelpWanted extends Error {
  override readonly name = 'HelpWanted';
}

/** Throws HelpWanted with the usage where the words of a command ask for it. */
export function helpIfWanted(args: readonly string[], usage: string): void {
  if (args.includes('--help') || args.includes('-h')) throw new HelpWanted(usage);
}

/**
 * A command found nothing in the data folder, which is named in full: run elsewhere, it looks into another one.
 * `what` is the beginning of a sentence: There is no demo account. `or`: another way out, as the end of one.
 */
export function notInDataFolder(data_dir: string, what: string, or = ''): StartError {
  return new StartError(
    `${what} in ${resolve(data_dir)}. Start Florin first (npm start) and leave it running${or}.\n` +
      'If it runs in another folder, run this command there, or set FLORIN_DATA_DIR to its data folder.',
  );
}
