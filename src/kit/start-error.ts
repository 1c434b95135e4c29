import { resolve } from 'node:path';

/** Florin cannot start for a reason that the person at the keyboard can fix: the message says what is wrong and how. */
export class StartError extends Error {
  override readonly name = 'StartError';
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
