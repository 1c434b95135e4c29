// The signature of an Apple Pay token: CMS SignedData (RFC 5652) without content, by a certificate of Apple's (Apple's
// "Payment Token Format Reference"). Its chain is checked at the time of signing, up to a root that is given.
import { X509Certificate, timingSafeEqual, verify } from 'node:crypto';
import { sha256Bytes } from './payload.ts';
import { type Element, TAG, childrenOf, expected, explicit, oidOf, readElement } from './der.ts';
import { WalletRefused } from './refused.ts';

export const CMS_OIDS = {
  data: '2a864886f70d010701',
  signed_data: '2a864886f70d010702',
  content_type: '2a864886f70d010903',
  message_digest: '2a864886f70d010904',
  signing_time: '2a864886f70d010905',
  sha256: '608648016503040201',
  ecdsa_with_sha256: '2a8648ce3d040302',
  // 1.2.840.113635.100.6.29 and 1.2.840.113635.100.6.2.14: what marks Apple's certificates for this use
  leaf: '2a864886f76364061d',
  intermediate: '2a864886f7636406020e',
} as const;

type Certificate = {
  readonly x509: X509Certificate;
  readonly issuer: Buffer;
  readonly serial: Buffer;
  readonly extensions: ReadonlySet<string>;
};

type Signer = { readonly info: readonly Element[]; readonly leaf: Certificate; readonly intermediate: Certificate };

/** When it was signed; or a WalletRefused: it is not signed by Apple for Apple Pay. */
export function verifyCms(signature: Buffer, signed: readonly Uint8Array[], root: X509Certificate): Date {
  const { info, leaf, intermediate } = signerOf(signature);
  const attributes = expected(info[3], explicit(0));
  const signed_attributes = attributesOf(attributes);
  const signing_time = timeOf(signed_attributes.get(CMS_OIDS.signing_time));
  checkChain([leaf, intermediate], root, signing_time);
  const digest = expected(signed_attributes.get(CMS_OIDS.message_digest), TAG.octets).content;
  const wanted = sha256Bytes(...signed);
  const same = digest.length === wanted.length && timingSafeEqual(digest, wanted);
  // signed as a SET OF, whatever its place is marked with (RFC 5652 5.4)
  const body = Buffer.concat([Buffer.from([TAG.set]), attributes.whole.subarray(1)]);
  const is_data = oidOf(signed_attributes.get(CMS_OIDS.content_type)) === CMS_OIDS.data;
  if (!same || !is_data || !verify('sha256', body, leaf.x509.publicKey, expected(info[5], TAG.octets).content))
    throw new WalletRefused('signature');
  return signing_time;
}

/** The one signer, with its certificate and the one above it. */
function signerOf(signature: Buffer): Signer {
  const [type, wrapped] = childrenOf(expected(readElement(signature), TAG.sequence));
  if (oidOf(type) !== CMS_OIDS.signed_data) throw new WalletRefused('malformed');
  const [inner] = childrenOf(expected(wrapped, explicit(0)));
  const parts = childrenOf(expected(inner, TAG.sequence));
  const content = childrenOf(expected(parts[2], TAG.sequence));
  // content of its own would be signed in place of the token's parts
  if (oidOf(content[0]) !== CMS_OIDS.data || content.length !== 1) throw new WalletRefused('malformed');
  const certificates = childrenOf(expected(parts[3], explicit(0))).map(certificateOf);
  const infos = childrenOf(expected(parts.at(-1), TAG.set));
  const info = childrenOf(expected(infos[0], TAG.sequence));
  checkAlgorithms(info);
  const [issuer, serial] = childrenOf(expected(info[1], TAG.sequence));
  const leaf = certificates.find(
    (one) =>
      one.extensions.has(CMS_OIDS.leaf) && issuer?.whole.equals(one.issuer) && serial?.content.equals(one.serial),
  );
  const intermediate = certificates.find((one) => one.extensions.has(CMS_OIDS.intermediate));
  if (infos.length !== 1 || !leaf || !intermediate) throw new WalletRefused('signature');
  return { info, leaf, intermediate };
}

/** Version 1: the signer is named by issuer and serial number. */
function checkAlgorithms(info: readonly Element[]): void {
  const [digest] = childrenOf(expected(info[2], TAG.sequence));
  const [signing] = childrenOf(expected(info[4], TAG.sequence));
  const version = expected(info[0], TAG.integer).content.toString('hex');
  if (version !== '01' || oidOf(digest) !== CMS_OIDS.sha256 || oidOf(signing) !== CMS_OIDS.ecdsa_with_sha256)
    throw new WalletRefused('version');
}

/** Each attribute once, with one value. */
function attributesOf(attributes: Element): ReadonlyMap<string, Element> {
  const found = new Map<string, Element>();
  for (const attribute of childrenOf(attributes)) {
    const [type, values] = childrenOf(expected(attribute, TAG.sequence));
    const [value, ...others] = childrenOf(expected(values, TAG.set));
    const name = oidOf(type);
    if (!value || others.length > 0 || found.has(name)) throw new WalletRefused('malformed');
    found.set(name, value);
  }
  return found;
}

/** UTCTime until 2049, GeneralizedTime from 2050 on, both to the second and in UTC (RFC 5652 11.3). */
function timeOf(element: Element | undefined): Date {
  const digits = element?.content.toString('latin1') ?? '';
  const century = element?.tag === TAG.utc_time ? (Number(digits.slice(0, 2)) < 50 ? '20' : '19') : '';
  const general = element?.tag === TAG.general_time;
  if (!(general ? /^\d{14}Z$/ : /^\d{12}Z$/).test(digits) || (!general && century === ''))
    throw new WalletRefused('malformed');
  const [, y, mo, d, h, mi, s] = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)Z$/.exec(century + digits) ?? [];
  const at = new Date(`${y}-${mo}-${d}T${h}:${mi}:${s}Z`);
  if (Number.isNaN(at.getTime())) throw new WalletRefused('malformed');
  return at;
}

function checkChain([leaf, intermediate]: readonly [Certificate, Certificate], root: X509Certificate, at: Date): void {
  const pairs = [
    [leaf.x509, intermediate.x509],
    [intermediate.x509, root],
  ] as const;
  const linked = pairs.every(([one, above]) => above.ca && one.checkIssued(above) && one.verify(above.publicKey));
  if (!linked) throw new WalletRefused('signature');
  const valid = [leaf.x509, intermediate.x509, root].every((one) => one.validFromDate <= at && at <= one.validToDate);
  if (!valid) throw new WalletRefused('signer_expired');
}

/** Reads the parts of a certificate that Node does not read, beside those that it does (RFC 5280 4.1). */
function certificateOf(element: Element): Certificate {
  const [to_be_signed] = childrenOf(expected(element, TAG.sequence));
  const fields = childrenOf(expected(to_be_signed, TAG.sequence));
  const [list] = childrenOf(expected(fields.at(-1), explicit(3)));
  const extensions = childrenOf(expected(list, TAG.sequence)).map((one) => oidOf(childrenOf(one)[0]));
  return {
    x509: x509Of(element.whole),
    serial: expected(fields[1], TAG.integer).content,
    issuer: expected(fields[3], TAG.sequence).whole,
    extensions: new Set(extensions),
  };
}

function x509Of(der: Buffer): X509Certificate {
  try {
    return new X509Certificate(der);
  } catch (error) {
    throw new WalletRefused('malformed', { cause: error });
  }
}
