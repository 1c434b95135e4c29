// The file with which Apple finds that a host is the merchant's: fetched when the host is registered, and again later.
// It is the operator's, for all accounts of this host, and read once at the start.
import { readFileSync } from 'node:fs';
import type { PublicFile } from '../../../kit/http/public.ts';
import { StartError, whyNot } from '../../../kit/start-error.ts';

/** Apple's documentation names the first; its console gives the file under the second, and fetches it there. */
export const ASSOCIATION_PATHS = ['', '.txt'].map(
  (ending) => `/.well-known/apple-developer-merchantid-domain-association${ending}`,
);
const MOST_BYTES = 65_536;

/** Undefined: the settings name none. Throws a StartError for one that cannot be served. */
export function readAssociation(file: string): Buffer | undefined {
  if (file === '') return undefined;
  try {
    const bytes = readFileSync(file);
    if (bytes.length === 0 || bytes.length > MOST_BYTES) throw new Error(`it has ${bytes.length} bytes`);
    return bytes;
  } catch (error) {
    throw new StartError(`${file} is not Apple's association file: ${whyNot(error)}`);
  }
}

/** The paths of the association file. None without a file: the host answers 404. */
export function associationPaths(association: Buffer | undefined): readonly PublicFile[] {
  if (!association) return [];
  const headers = { 'content-type': 'text/plain', 'cache-control': 'no-cache', 'x-content-type-options': 'nosniff' };
  return ASSOCIATION_PATHS.map((path) => ({ path, answer: () => ({ headers, body: association }) }));
}
