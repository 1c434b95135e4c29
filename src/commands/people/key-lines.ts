// Reads a file of existing keys, one in each line: the key's text, or for a private key, which its owner need not show,
// its hash.
import { KEY_TEXT } from '../../core/keys/limits.ts';
import { sha256 } from '../../kit/crypto.ts';
import { StartError } from '../../kit/start-error.ts';
import { readText } from '../arguments.ts';

const HASH = /^sha256:([0-9a-f]{64})$/;

/** The SHA-256 of each key, without repeats. */
export function readKeyLines(path: string, most: number): readonly string[] {
  const lines = readText(path)
    .split('\n')
    .map((line) => line.trim());
  const named = lines.filter((line) => line !== '');
  const wrong = lines.findIndex((line) => line !== '' && !HASH.test(line) && !KEY_TEXT.form.test(line));
  // the line may be a secret, so the error names only its number
  if (wrong >= 0)
    throw new StartError(`Line ${wrong + 1} is no key (${KEY_TEXT.says}) and no sha256: with 64 hex digits.`);
  if (named.length > most) throw new StartError(`Name ${most === 1 ? 'one key' : `${most} keys`} at most.`);
  return [...new Set(named.map((line) => HASH.exec(line)?.[1] ?? sha256(line)))];
}
