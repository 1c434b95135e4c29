// The names a host is known by. A stranger's page, under a name that leads to this machine, must not read what the host
// answers or act through it (DNS rebinding): a browser says in Host which name it asked for, and no script can change
// that.
import { isIP } from 'node:net';

export type OwnNames = {
  /** Names of this machine to itself are good too: in a sandbox. */
  readonly loopback: boolean;
  /** What the operator allows besides: lower case, without ports. */
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

const LOOPBACK = /^(?:(?:[a-z0-9-]+\.)*localhost|127(?:\.\d{1,3}){3}|::1)$/;

/** Without port, brackets and the dot at the end, in the one form its address or name has. Undefined: it is none. */
function nameOf(host: string): string | undefined {
  return /^[^\s/?#@\\]+$/.test(host) ? nameOfUrl(`http://${host}`) : undefined;
}

function nameOfUrl(url: string): string | undefined {
  return URL.parse(url)?.hostname.replace(/^\[|\]$|\.$/g, '');
}

/** Is there more than one Host? Node hands on the first, and another program may have looked at the last. */
export function hasSeveralHosts(raw_headers: readonly string[]): boolean {
  return (
    raw_headers.filter((text, at) => at % 2 === 0 && text.length === 4 && text.toLowerCase() === 'host').length > 1
  );
}
