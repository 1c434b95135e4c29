// Was something signed with the key of a certificate? RSA with SHA-256 (RFC 8017), under a certificate that is fetched
// from a host we know and leads to an authority we were given (RFC 5280). What was fetched is kept by its address: it
// is not asked for each time.
import { X509Certificate, verify } from 'node:crypto';
import type { Clock } from '../clock.ts';
import type { Egress } from '../egress.ts';
import { certificatesIn } from '../tls/pinned.ts';

/** Where certificates of one host come from, and who vouches for them. */
export type Pinned = {
  /** `https://` and the name, and a port where it is not the usual one. */
  readonly origin: string;
  /** PEM, of the authorities that a chain may end at. */
  readonly authorities: readonly string[];
};

export type CertificateOptions = {
  readonly clock: Pick<Clock, 'now' | 'ticks'>;
  readonly egress: Pick<Egress, 'exchange'>;
  /** Undefined: there is no host of this name. */
  pinned(host: string): Pinned | undefined;
};

export type SignedUnder = {
  readonly url: string;
  readonly host: string;
  readonly over: Uint8Array;
  /** Base64. */
  readonly given: string;
};

const FETCH_MS = 5000;
const MOST_BYTES = 65_536;
/** The longest chain there is: its own, and those between it and the authority. */
const MOST_IN_CHAIN = 5;
const MOST_KEPT = 100;
/** An address that failed is not asked again for so long: who sends us addresses must not make us call. */
const FAILED_MS = 30_000;

/** Undefined if the certificate could not be fetched: then it is not known. */
export type Certificates = { isSignedUnder(signed: SignedUnder): Promise<boolean | undefined> };

export function openCertificates({ clock, egress, pinned }: CertificateOptions): Certificates {
  const kept = new Map<string, readonly X509Certificate[]>();
  const failed = new Map<string, number>();
  return { isSignedUnder };

  async function isSignedUnder({ url, host, over, given }: SignedUnder): Promise<boolean | undefined> {
    const place = pinned(host);
    if (!place || !isOf(url, place.origin)) return false;
    const chain = await chainAt(url);
    if (!chain) return undefined;
    const [own] = chain;
    // its time is over: a new one may stand there
    if (own && !isOfNow(own, clock.now())) kept.delete(url);
    if (!own || !leadsTo(chain, place.authorities, clock.now())) return false;
    if (own.publicKey.asymmetricKeyType !== 'rsa') return false;
    return verify('sha256', over, own.publicKey, Buffer.from(given, 'base64'));
  }

  async function chainAt(url: string): Promise<readonly X509Certificate[] | undefined> {
    const before = kept.get(url);
    if (before) return before;
    if (clock.ticks() - (failed.get(url) ?? Number.NEGATIVE_INFINITY) < FAILED_MS) return undefined;
    const chain = await fetchChain(egress, url);
    const [map, value] = chain ? ([kept, chain] as const) : ([failed, clock.ticks()] as const);
    map.delete(url);
    (map as Map<string, unknown>).set(url, value);
    const [oldest] = map.keys();
    if (map.size > MOST_KEPT && oldest !== undefined) map.delete(oldest);
    return chain;
  }
}

/** By what a URL parser makes of it: `https://good@bad/` and the like are of the other one. */
function isOf(url: string, origin: string): boolean {
  if (!URL.canParse(url)) return false;
  const { origin: own, protocol, username, password } = new URL(url);
  return own === new URL(origin).origin && protocol === 'https:' && username === '' && password === '';
}

async function fetchChain(
  egress: Pick<Egress, 'exchange'>,
  url: string,
): Promise<readonly X509Certificate[] | undefined> {
  const { origin, pathname, search } = new URL(url);
  const got = await egress.exchange({
    method: 'GET',
    origin,
    path: pathname + search,
    headers: {},
    body: null,
    deadline_ms: FETCH_MS,
    max_answer_bytes: MOST_BYTES,
  });
  if (got.kind !== 'answered' || got.status !== 200) return undefined;
  const parts = certificatesIn(got.body.toString('latin1'));
  try {
    const chain = parts.slice(0, MOST_IN_CHAIN).map((pem) => new X509Certificate(pem));
    return chain.length > 0 ? chain : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Each is signed by the next, the last by an authority; all of them are of now, and all but the first may sign others.
 */
function leadsTo(chain: readonly X509Certificate[], authorities: readonly string[], now: Date): boolean {
  const roots = authorities.map((pem) => new X509Certificate(pem));
  let [here] = chain;
  for (let steps = 0; here && steps < MOST_IN_CHAIN; steps++) {
    const one: X509Certificate = here;
    if (!isOfNow(one, now)) return false;
    const root = roots.find((authority) => isIssuedBy(one, authority) && isOfNow(authority, now));
    if (root) return true;
    here = chain.find((other) => other !== one && isIssuedBy(one, other));
  }
  return false;
}

function isIssuedBy(one: X509Certificate, issuer: X509Certificate): boolean {
  return issuer.ca && one.checkIssued(issuer) && one.verify(issuer.publicKey);
}

function isOfNow({ validFromDate, validToDate }: X509Certificate, now: Date): boolean {
  return validFromDate <= now && now <= validToDate;
}
