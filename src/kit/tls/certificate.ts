// X.509 certificates (RFC 5280) of a small private authority: P-256 keys, signed with SHA-256. Node reads certificates and
// checks them, but cannot make one; why this is not a library stands in docs/decisions/0018.
import { type KeyObject, createPublicKey, hash, sign } from 'node:crypto';

export type Certificate = {
  readonly subject: string;
  /** The subject of the authority; the same as `subject` for the authority's own certificate. */
  readonly issuer: string;
  readonly public_key: KeyObject;
  readonly authority_key: KeyObject;
  /** 16 random bytes. */
  readonly serial: Uint8Array;
  readonly not_before: Date;
  readonly not_after: Date;
  /** The authority's own, or one of a host with exactly this name and these uses. */
  readonly for: 'authority' | { readonly dns_name: string; readonly uses: readonly ('server' | 'client')[] };
};

/** Makes and signs a certificate; answers it as PEM. */
export function makeCertificate(asked: Certificate): string {
  const spki = asked.public_key.export({ type: 'spki', format: 'der' });
  const to_be_signed = sequence(
    explicit(0, integer([2])),
    integer(asked.serial),
    ECDSA_WITH_SHA256,
    name(asked.issuer),
    sequence(time(asked.not_before), time(asked.not_after)),
    name(asked.subject),
    spki,
    explicit(3, sequence(...extensions(asked, spki))),
  );
  const signature = sign('sha256', to_be_signed, asked.authority_key);
  const der = sequence(to_be_signed, ECDSA_WITH_SHA256, bits(signature));
  const lines = der.toString('base64').match(/.{1,64}/g) ?? [];
  return `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`;
}

function extensions(asked: Certificate, spki: Uint8Array): readonly Buffer[] {
  const authority = asked.for === 'authority';
  const authority_spki = createPublicKey(asked.authority_key).export({ type: 'spki', format: 'der' });
  const always = [
    extension(BASIC_CONSTRAINTS, authority ? sequence(boolean(true), integer([0])) : sequence(), CRITICAL),
    extension(KEY_USAGE, authority ? bits([0x06], 1) : bits([0x80], 7), CRITICAL),
    extension(SUBJECT_KEY_ID, octets(keyId(spki))),
    extension(AUTHORITY_KEY_ID, sequence(tlv(0x80, keyId(authority_spki)))),
  ];
  if (asked.for === 'authority') return always;
  const { dns_name, uses } = asked.for;
  return [
    ...always,
    extension(EXTENDED_KEY_USAGE, sequence(...uses.map((use) => oid(USES[use]))), CRITICAL),
    extension(SUBJECT_ALT_NAME, sequence(tlv(0x82, Buffer.from(dns_name, 'ascii')))),
  ];
}

// Object identifiers as DER has them: the last bytes of 2.5.29 (id-ce), and whole ones.
const BASIC_CONSTRAINTS = 19;
const KEY_USAGE = 15;
const SUBJECT_KEY_ID = 14;
const AUTHORITY_KEY_ID = 35;
const EXTENDED_KEY_USAGE = 37;
const SUBJECT_ALT_NAME = 17;
const USES = { server: '2b06010505070301', client: '2b06010505070302' } as const;
const CRITICAL = true;
const ECDSA_WITH_SHA256 = sequence(oid('2a8648ce3d040302'));

function extension(id: number, value: Buffer, critical = false): Buffer {
  return sequence(oid(`551d${id.toString(16).padStart(2, '0')}`), ...(critical ? [boolean(true)] : []), octets(value));
}

/** RFC 7093, method 1: the first 160 bits of a hash over the key. */
function keyId(spki: Uint8Array): Buffer {
  return hash('sha256', spki, 'buffer').subarray(0, 20);
}

/** A distinguished name with nothing but a common name. */
function name(common_name: string): Buffer {
  return sequence(tlv(0x31, sequence(oid('550403'), tlv(0x0c, Buffer.from(common_name, 'utf8')))));
}

/** UTCTime until 2049, GeneralizedTime from 2050 on (RFC 5280 4.1.2.5). */
function time(at: Date): Buffer {
  const digits = at.toISOString().replace(/[-:T]|\.\d{3}/g, '');
  return at.getUTCFullYear() < 2050 ? tlv(0x17, Buffer.from(digits.slice(2))) : tlv(0x18, Buffer.from(digits));
}

function sequence(...parts: readonly Uint8Array[]): Buffer {
  return tlv(0x30, ...parts);
}

function explicit(number: number, part: Uint8Array): Buffer {
  return tlv(0xa0 + number, part);
}

function octets(value: Uint8Array): Buffer {
  return tlv(0x04, value);
}

function bits(value: ArrayLike<number>, unused = 0): Buffer {
  return tlv(0x03, [unused], value);
}

function boolean(value: boolean): Buffer {
  return tlv(0x01, [value ? 0xff : 0]);
}

/** A positive integer: no leading zeros, but one where the first bit would say that it is negative. */
function integer(value: ArrayLike<number>): Buffer {
  const all = Array.from(value);
  const from = all.findIndex((byte) => byte !== 0);
  const shortest = from < 0 ? [0] : all.slice(from);
  return tlv(0x02, (shortest[0] ?? 0) > 0x7f ? [0, ...shortest] : shortest);
}

function oid(hex: string): Buffer {
  return tlv(0x06, Buffer.from(hex, 'hex'));
}

/** Tag, length, value. */
function tlv(tag: number, ...parts: readonly ArrayLike<number>[]): Buffer {
  const value = Buffer.concat(parts.map((part) => Uint8Array.from(part)));
  const size = value.length;
  const length = size < 0x80 ? [size] : size < 0x100 ? [0x81, size] : [0x82, size >> 8, size & 0xff];
  return Buffer.concat([Uint8Array.from([tag, ...length]), value]);
}
