// The names a host is known by. A stranger's page, under a name that leads to this machine, must not read what the host
// answers or act through it (DNS rebinding): a browser says in Host which name it asked for, and no script can change
// that.
import { isIP } from 'node:net';

export type OwnNames = {
  /** Names of this machine to itself are good too: in a sandbox. */
  readonly loopback: boolean;
  /** Further names that the operator allows, in lower case and without ports. */
  readonly allowed: ReadonlySet<string>;
};

export type NameAsked = {
  /** The header, as it came. */
  readonly host: string | undefined;
  /** The address of ours that the connection came to. */
  readonly local_address: string | undefined;
  /** The names that we give to callers for our hosts. */
  readonly urls: readonly string[];
};

/**
 * True for the address that was called, for a name that callers were told, for one that is allowed, and in a sandbox
 * for loopback. The port is not looked at: proxies change it.
 */
export function isOwnName({ host, local_address = '', urls }: NameAsked, { loopback, allowed }: OwnNames): boolean {
  const name = nameOf(host ?? '');
  if (name === undefined) return false;
  if (isIP(name) !== 0 && name === local_address.replace(/^::ffff:/, '')) return true;
  if (loopback && LOOPBACK.test(name)) return true;
  return allowed.has(name) || urls.some((url) => nameOfUrl(url) === name);
}

/** Names that were found to be ours are not read again; a stranger who asks by many of them makes us forget. */
const MOST_KNOWN = 100;

/** `isOwnName`, for a host that is asked by the same few names again and again. `urls` may still get more. */
export function knownNames(
  names: OwnNames,
  urls: () => readonly string[],
): (asked: Omit<NameAsked, 'urls'>) => boolean {
  const known = new Set<string>();
  return ({ host, local_address }) => {
    const asked = `${host} ${local_address}`;
    if (known.has(asked)) return true;
    const own = isOwnName({ host, local_address, urls: urls() }, names);
    if (known.size >= MOST_KNOWN) known.clear();
    if (own) known.add(asked);
    return own;
  };
}

const LOOPBACK = /^(?:(?:[a-z0-9-]+\.)*localhost|127(?:\.\d{1,3}){3}|::1)$/;

export type Apart = {
  /** An address of the host under that name. */
  readonly url: string;
  /** The paths as routes are written. */
  readonly paths: ReadonlySet<string>;
};

/** True where a path is asked for at the name apart and is of none of its paths, or is of them and at another name. */
export function isMisplaced({ url, paths }: Apart, host: string | undefined, path: string | undefined): boolean {
  return (nameOf(host ?? '') === nameOfUrl(url)) !== paths.has(path ?? '');
}

/** Without port, brackets and the dot at the end, in the one form its address or name has. Undefined: it is none. */
function nameOf(host: string): string | undefined {
  return /^[^\s/?#@\\]+$/.test(host) ? nameOfUrl(`http://${host}`) : undefined;
}

function nameOfUrl(url: string): string | undefined {
  return URL.parse(url)?.hostname.replace(/^\[|\]$|\.$/g, '');
}

/** Is there more than one Host? Node hands on the first, and another program may have looked at the last. */
export function hasSeveralHosts(raw_headers: readonly string[]): boolean {
  let hosts = 0;
  // names and values in turns
  for (let at = 0; at < raw_headers.length; at += 2) {
    const name = raw_headers[at] ?? '';
    if (name.length === 4 && name.toLowerCase() === 'host') hosts++;
  }
  return hosts > 1;
}
