// The file of tokens: made by the run that begins, known again by one that goes on, which cuts it back with its first
// commit. No other file is touched.
import { type FileHandle, open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { keepNames } from '../../kit/kept-file.ts';
import { StartError, whyNot } from '../../kit/start-error.ts';

export const TOKENS_HEADER =
  'line,token,card_unique_id,customer_scheme_name,card_6_digits,card_4_digits,card_validity_month,card_validity_year,reference\n';

/** `committed`: how far the run before came; undefined: there was none, and the file gets its first line. */
export async function openTokens(path: string, committed: bigint | undefined): Promise<FileHandle> {
  const file = await openOrMake(path);
  try {
    const head = Buffer.alloc(TOKENS_HEADER.length + 1);
    const { bytesRead } = await file.read(head, 0, head.length, 0);
    const begins = head.toString('latin1', 0, Math.min(bytesRead, TOKENS_HEADER.length));
    const { size } = await file.stat();
    if (committed === undefined) {
      // more than a first line is the work of another import, perhaps one that ended
      if (!TOKENS_HEADER.startsWith(begins) || size > TOKENS_HEADER.length)
        throw new StartError(`${path} is there already; it is not overwritten. Name another file, or remove it.`);
      await file.write(TOKENS_HEADER, 0, 'latin1');
      await file.datasync();
      return file;
    }
    if (begins !== TOKENS_HEADER || BigInt(size) < committed)
      throw new StartError(
        size === 0
          ? `The run that was stopped wrote to another file than ${path}. Name that one.`
          : `${path} is not the tokens file of the run that was stopped. Name that one.`,
      );
    return file;
  } catch (error) {
    await file.close();
    throw error;
  }
}

async function openOrMake(path: string): Promise<FileHandle> {
  try {
    const file = await open(path, 'wx+', 0o600);
    // its bytes are kept with each commit
    keepNames(dirname(path));
    return file;
  } catch (error) {
    if (!String(error).includes('EEXIST'))
      throw new StartError(`The tokens file ${path} cannot be written: ${whyNot(error)}`);
  }
  return open(path, 'r+');
}
