// TLS to a host whose certificate is pinned: its authority, and, where the operator says so, the very certificate. In
// production the name must lead to public addresses only (targets.md, outbound calls).
import { X509Certificate } from 'node:crypto';
import { lookup } from 'node:dns';
import { BlockList, type LookupFunction, isIP } from 'node:net';
import { type ConnectionOptions, checkServerIdentity } from 'node:tls';

export type TlsPin = {
  /** `system`: the authorities of Node; otherwise certificates as PEM, and no others. */
  readonly ca: string;
  /** SHA-256 of the certificates that may be shown, as 64 hex; empty: any of these authorities for this name. */
  readonly certificates: readonly string[];
  readonly min: 'TLSv1.2' | 'TLSv1.3';
};

export function pinnedTls(pin: TlsPin, reach: 'public' | 'loopback'): ConnectionOptions {
  return {
    minVersion: pin.min,
    ...(pin.ca !== 'system' && { ca: pin.ca }),
    lookup: guardedLookup(reach),
    checkServerIdentity: (host, certificate) => {
      const shown = certificate.fingerprint256.replaceAll(':', '').toLowerCase();
      if (pin.certificates.length > 0 && !pin.certificates.includes(shown))
        return new Error('the certificate is not the one that is pinned');
      return checkServerIdentity(host, certificate);
    },
  };
}

/** True for a PEM text that holds certificates. */
export function isPem(text: string): boolean {
  try {
    return new X509Certificate(text).subject.length > 0;
  } catch {
    return false;
  }
}

/** An address literal is never looked up: it is checked here, before anything is opened. A name is of any reach. */
export function mayReach(hostname: string, reach: 'public' | 'loopback'): boolean {
  const host = hostname.replace(/^\[|\]$/g, '');
  if (isIP(host) === 0) return reach === 'public' ? host !== 'localhost' : host === 'localhost';
  return isAllowed(host, reach);
}

/** Two lists, because Node holds an IPv4 address against IPv6 ranges too, as ::ffff:a.b.c.d. */
function isAllowed(address: string, reach: 'public' | 'loopback'): boolean {
  const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
  return reach === 'public' ? !NOT_PUBLIC[family].check(address, family) : LOOPBACK[family].check(address, family);
}

function guardedLookup(reach: 'public' | 'loopback'): LookupFunction {
  return (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, found) => {
      const bad =
        error ?? (found.every(({ address }) => isAllowed(address, reach)) ? null : new Error(`not a ${reach} address`));
      const [first] = found ?? [];
      if (bad || !first) callback(bad ?? new Error('no address'), '', 0);
      else if (options.all) callback(null, found);
      else callback(null, first.address, first.family);
    });
  };
}

function listOf(family: 'ipv4' | 'ipv6', ...ranges: readonly (readonly [string, number])[]): BlockList {
  const list = new BlockList();
  for (const [net, bits] of ranges) list.addSubnet(net, bits, family);
  return list;
}

const LOOPBACK = { ipv4: listOf('ipv4', ['127.0.0.0', 8]), ipv6: listOf('ipv6', ['::1', 128]) };

/** IANA's special-purpose registries: everything that is not a public unicast address. */
const NOT_PUBLIC = {
  ipv4: listOf(
    'ipv4',
    ['0.0.0.0', 8],
    ['10.0.0.0', 8],
    ['100.64.0.0', 10],
    ['127.0.0.0', 8],
    ['169.254.0.0', 16],
    ['172.16.0.0', 12],
    ['192.0.0.0', 24],
    ['192.0.2.0', 24],
    ['192.88.99.0', 24],
    ['192.168.0.0', 16],
    ['198.18.0.0', 15],
    ['198.51.100.0', 24],
    ['203.0.113.0', 24],
    ['224.0.0.0', 3],
  ),
  // of 2000::/3 all but what is written there; outside of it nothing, IPv4 in IPv6 forms neither
  ipv6: listOf(
    'ipv6',
    ['::', 3],
    ['2001::', 23],
    ['2001:db8::', 32],
    ['2002::', 16],
    ['3fff::', 20],
    ['4000::', 2],
    ['8000::', 1],
  ),
};
