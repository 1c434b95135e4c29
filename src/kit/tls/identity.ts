// Who a host is on the links between hosts: the authority all of them trust, and a certificate with one exact
// name. The files are read again when they change, so that a renewal needs no restart.
import { X509Certificate, createPrivateKey } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { PeerCertificate } from 'node:tls';
import { StartError, whyNot } from '../start-error.ts';

export type Peer = 'payment' | 'vault' | 'worker';

/** The one name in a host's certificate. It is no address: where a host is, the settings say; who it is, this name. */
export const PEER_NAMES: Readonly<Record<Peer, string>> = {
  payment: 'payment.florin.internal',
  vault: 'vault.florin.internal',
  worker: 'worker.florin.internal',
};

export const AUTHORITY_FILE = 'ca.pem';
/** Certificate and private key in one file: they are renewed together or not at all. */
export const IDENTITY_FILE = 'identity.pem';

export type Credentials = { readonly ca: string; readonly cert: string; readonly key: string };

export type Identity = {
  readonly peer: Peer;
  /** When the certificate that was read first ends. */
  readonly ends_at: Date;
  /** What is in the files now; a change that cannot be read or does not fit is not taken over. */
  current(): Credentials;
};

/**
 * Reads `folder`, or throws a StartError that says what is wrong with it. `warn` is called for a renewal that is not
 * valid.
 */
export function readIdentity(folder: string, peer: Peer, warn: (problem: string) => void): Identity {
  let stamp = stampOf(folder);
  let credentials = readCredentials(folder, peer);
  const current = () => {
    const now = stampOf(folder);
    if (now === stamp) return credentials;
    stamp = now;
    try {
      credentials = readCredentials(folder, peer);
    } catch (error) {
      warn(error instanceof Error ? error.message : String(error));
    }
    return credentials;
  };
  return { peer, ends_at: new X509Certificate(credentials.cert).validToDate, current };
}

/** Changes whenever one of the files does. */
function stampOf(folder: string): string {
  return [AUTHORITY_FILE, IDENTITY_FILE]
    .map((name) => {
      const found = statSync(join(folder, name), { throwIfNoEntry: false });
      return found ? `${found.mtimeMs} ${found.ino} ${found.size}` : '';
    })
    .join('|');
}

function readCredentials(folder: string, peer: Peer): Credentials {
  const [ca, identity] = [AUTHORITY_FILE, IDENTITY_FILE].map((name) => readPem(join(folder, name)));
  const problem = problemOf(ca ?? '', identity ?? '', peer);
  if (problem !== undefined) throw new StartError(`The certificates in ${folder} ${problem}`);
  return { ca: ca ?? '', cert: identity ?? '', key: identity ?? '' };
}

function readPem(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new StartError(
      `${file} cannot be read: ${whyNot(error)} Make the certificates with: florin certs, and set FLORIN_TLS_DIR to this host's folder.`,
    );
  }
}

function problemOf(ca: string, identity: string, peer: Peer): string | undefined {
  try {
    const authority = new X509Certificate(ca);
    const own = new X509Certificate(identity);
    if (own.subjectAltName !== `DNS:${PEER_NAMES[peer]}`)
      return `are not those of the ${peer} host: their name is ${own.subjectAltName ?? 'not there'}, not DNS:${PEER_NAMES[peer]}.`;
    if (!own.checkPrivateKey(createPrivateKey(identity))) return 'do not fit their private key.';
    if (own.validToDate < new Date())
      return `have ended on ${own.validTo}: renew them with florin certs FOLDER --renew, and put the new ones here.`;
    if (!own.verify(authority.publicKey)) return `are not signed by the authority in ${AUTHORITY_FILE}.`;
  } catch (error) {
    return `cannot be used: ${whyNot(error)}`;
  }
  return undefined;
}

/**
 * The peer whose certificate this is: its alternative names are exactly one of ours, nothing more. Node has none of a
 * lost connection.
 */
export function peerOf(certificate: PeerCertificate | null): Peer | undefined {
  const found = Object.entries(PEER_NAMES).find(([, name]) => certificate?.subjectaltname === `DNS:${name}`);
  return found && isPeer(found[0]) ? found[0] : undefined;
}

function isPeer(text: string): text is Peer {
  return Object.hasOwn(PEER_NAMES, text);
}
