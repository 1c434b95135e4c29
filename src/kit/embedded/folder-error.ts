import { StartError } from '../start-error.ts';

const HINTS: readonly (readonly [RegExp, (folder: string) => string])[] = [
  [
    /ENOSPC|No space left|wrote only \d+ of|EDQUOT|Disk quota/i,
    (folder) =>
      `The disk that holds the data folder "${folder}" is full. Free at least 200 MB, or use another data folder.`,
  ],
  [
    /EROFS|Read-only file system/i,
    (folder) => `The data folder "${folder}" is on a read-only disk. Use another data folder.`,
  ],
  [
    /EACCES|EPERM|Permission denied|not permitted|wrong ownership/i,
    (folder) =>
      `The data folder "${folder}" cannot be written to by this account. Give it to this account (chown -R), or use another data folder.`,
  ],
  [
    /ENOTDIR|EEXIST|Not a directory/i,
    (folder) =>
      `The data folder "${folder}" cannot be made: a file of that name is in the way. Use another data folder.`,
  ],
];

/** Says in the operator's words what is wrong with a data folder; what the machine said comes after it. */
export function folderError(folder: string, error: unknown): StartError {
  const said = error instanceof Error ? error.message : String(error);
  const hint = HINTS.find(([pattern]) => pattern.test(said))?.[1](folder);
  const text = hint ?? `The database in "${folder}" does not start.`;
  return new StartError(`${text}\n(${said.trim()})`, { cause: error });
}
