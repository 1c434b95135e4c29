// X.509 certificates (RFC 5280) of a small private authority: P-256 keys, signed with SHA-256. Node reads certificates
// and checks them, but cannot make one; why this is not a library stands in docs/decisions/0018.
import { type KeyObject, createPublicKey, hash, sign } from 'node:crypto';
import { bits, boolean, explicit, integer, name, octets, oid, sequence, time, tlv } from './der.ts';

export type Certificate = {
  readonly subject: string;
  /** In the subject, before its name. */
  readonly user_id?: string;
  /** The subject of the authority; the same as `subject` for the authority's own certificate. */
  readonly issuer: string;
  readonly public_key: KeyObject;
  readonly authority_key: KeyObject;
  /** 16 random bytes, where there are others of the same authority. */
  readonly serial: ArrayLike<number>;
  readonly not_before: Date;
  readonly not_after: Date;
  /** The authority's own, one that signs and is no host, or one of a host with exactly this name and these uses. */
  readonly for: 'authority' | 'signer' | { readonly dns_name: string; readonly uses: readonly ('server' | 'client')[] };
  /** Authorities that may stand below an authority. */
  readonly below?: number;
  /** An extension that is there or not and says no more: its object identifier as bytes in hex. */
  readonly marker?: string;
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
    name(asked.subject, asked.user_id),
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
    extension(
      BASIC_CONSTRAINTS,
      authority ? sequence(boolean(true), integer([asked.below ?? 0])) : sequence(),
      CRITICAL,
    ),
    extension(KEY_USAGE, authority ? bits([0x06], 1) : bits([0x80], 7), CRITICAL),
    extension(SUBJECT_KEY_ID, octets(keyId(spki))),
    extension(AUTHORITY_KEY_ID, sequence(tlv(0x80, keyId(authority_spki)))),
  ];
  if (asked.marker !== undefined) always.push(sequence(oid(asked.marker), octets(NULL)));
  if (asked.for === 'authority' || asked.for === 'signer') return always;
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
const NULL = tlv(0x05);
const ECDSA_WITH_SHA256 = sequence(oid('2a8648ce3d040302'));

function extension(id: number, value: Buffer, critical = false): Buffer {
  return sequence(oid(`551d${id.toString(16).padStart(2, '0')}`), ...(critical ? [boolean(true)] : []), octets(value));
}

/** RFC 7093, method 1: the first 160 bits of a hash over the key. */
function keyId(spki: Uint8Array): Buffer {
  return hash('sha256', spki, 'buffer').subarray(0, 20);
}
