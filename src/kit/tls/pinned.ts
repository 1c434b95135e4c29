// TLS to a host whose certificate is pinned: its authority, and, where the operator says so, the very certificate. In
// production the name must lead to public addresses only (docs/hardening.md).
import { X509Certificate } from 'node:crypto';
import { lookup } from 'node:dns';
import { type LookupFunction, isIP } from 'node:net';
import { type ConnectionOptions, checkServerIdentity, rootCertificates } from 'node:tls';
import { isPublicAddress } from '../outside/addresses.ts';

export type TlsPin = {
  /** `system`: the authorities of Node; otherwise certificates as PEM, and no others. */
  readonly ca: string;
  /** SHA-256 of the certificates that may be shown, as 64 hex; empty: any of these authorities for this name. */
  readonly certificates: readonly string[];
  readonly min: 'TLSv1.2' | 'TLSv1.3';
};

const BEGIN = '-----BEGIN CERTIFICATE-----';
const END = '-----END CERTIFICATE-----';

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

/** PEM, each of the authorities that are trusted. */
export function authoritiesOf({ ca }: Pick<TlsPin, 'ca'>): readonly string[] {
  return ca === 'system' ? rootCertificates : certificatesIn(ca);
}

/** The certificates of a PEM text (RFC 7468), each as PEM; whatever stands between them is left out. */
export function certificatesIn(pem: string): readonly string[] {
  const found: string[] = [];
  for (let at = pem.indexOf(BEGIN); at >= 0; at = pem.indexOf(BEGIN, at + 1)) {
    const end = pem.indexOf(END, at);
    if (end < 0) break;
    found.push(pem.slice(at, end + END.length));
    at = end;
  }
  return found;
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

function isAllowed(address: string, reach: 'public' | 'loopback'): boolean {
  return reach === 'public' ? isPublicAddress(address) : /^(?:127(?:\.\d{1,3}){3}|::1)$/.test(address);
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
