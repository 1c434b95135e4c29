// The certificate and key that browsers and merchants see. The files are read again when they change, so that a renewal
// needs no restart.
import { X509Certificate, createPrivateKey } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { StartError, whyNot } from '../start-error.ts';

export type PublicPair = { readonly cert: string; readonly key: string };
export type PublicTls = {
  /** What is in the files now; a change that cannot be read or does not fit is not taken over. */
  current(): PublicPair;
};
type Files = { readonly cert_file: string; readonly key_file: string };

/** Reads both files; StartError: which cannot be used. `warn` is called for a renewal that is not valid. */
export function openPublicTls(files: Files, warn: (problem: string) => void): PublicTls {
  let stamp = stampOf(files);
  let pair = readPair(files);
  const current = () => {
    const now = stampOf(files);
    if (now === stamp) return pair;
    stamp = now;
    try {
      pair = readPair(files);
    } catch (error) {
      warn(error instanceof Error ? error.message : String(error));
    }
    return pair;
  };
  return { current };
}

/** Changes whenever one of the files does. */
function stampOf({ cert_file, key_file }: Files): string {
  return [cert_file, key_file]
    .map((file) => {
      const found = statSync(file, { throwIfNoEntry: false });
      return found ? `${found.mtimeMs} ${found.ino} ${found.size}` : '';
    })
    .join('|');
}

function readPair({ cert_file, key_file }: Files): PublicPair {
  const [cert, certificate] = readAs(`FLORIN_TLS_CERT_FILE ${cert_file}`, cert_file, (pem) => new X509Certificate(pem));
  const [key, private_key] = readAs(`FLORIN_TLS_KEY_FILE ${key_file}`, key_file, createPrivateKey);
  if (!certificate.checkPrivateKey(private_key))
    throw new StartError(
      `FLORIN_TLS_KEY_FILE ${key_file} is not the key of the first certificate in ${cert_file}: put the key there that it was issued for, and the host's own certificate before those of its authorities.`,
    );
  return { cert, key };
}

function readAs<T>(named: string, file: string, read: (pem: string) => T): readonly [pem: string, read: T] {
  try {
    const pem = readFileSync(file, 'utf8');
    return [pem, read(pem)];
  } catch (error) {
    throw new StartError(`${named} cannot be used: ${whyNot(error)} Put a PEM chain and its key there.`);
  }
}
