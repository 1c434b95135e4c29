// Passkeys (WebAuthn) by a library that knows the standard: what an authenticator is asked, and whether its answer
// holds. Always with a look at the person by the authenticator. That a challenge is good once is its caller's work.
import { isIP } from 'node:net';
import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/server';
import { MINUTE_MS } from '../../core/durations.ts';

/**
 * The site that passkeys are made for: a name, never a numeric address. An authenticator uses a passkey only on a page
 * of this origin.
 */
export type PasskeySite = { readonly rp_id: string; readonly origin: string };

/** The site, from the address of the host. Undefined: passkeys are not possible there. */
export function passkeySite(host_url: string): PasskeySite | undefined {
  const url = URL.parse(host_url);
  if (!url) return undefined;
  const host = url.hostname.replace(/^\[|\]$/g, '');
  // a sandbox has a number as its address; the same machine has a name, too
  const local = /^127\.|^::1$|^localhost$/.test(host);
  const rp_id = local ? 'localhost' : host;
  if (isIP(rp_id) !== 0 || (url.protocol !== 'https:' && !local)) return undefined;
  return { rp_id, origin: `${url.protocol}//${rp_id}${url.port === '' ? '' : `:${url.port}`}` };
}

/** The library, once it is wanted: most processes never see a passkey. */
const library = () => import('@simplewebauthn/server');

const TIMEOUT_MS = 5 * MINUTE_MS;
/** EdDSA, ES256, RS256: what every authenticator has. */
const ALGORITHMS = [-8, -7, -257];

type Question = {
  readonly site: PasskeySite;
  /** Hex, as the ids of credentials. */
  readonly challenge: string;
  /** Which keys are meant; of a new one: which there are already. */
  readonly credentials: readonly string[];
};
type NewQuestion = Question & {
  readonly brand: string;
  readonly person: { readonly id: string; readonly email: string; readonly name: string };
};

export async function askForPasskey(question: Question): Promise<PublicKeyCredentialRequestOptionsJSON> {
  const { site, challenge, credentials } = question;
  const { generateAuthenticationOptions } = await library();
  return generateAuthenticationOptions({
    rpID: site.rp_id,
    challenge: bytesOf(challenge),
    timeout: TIMEOUT_MS,
    allowCredentials: credentials.map((id) => ({ id: base64url(id) })),
    userVerification: 'required',
  });
}

export async function askForNewPasskey(question: NewQuestion): Promise<PublicKeyCredentialCreationOptionsJSON> {
  const { site, challenge, credentials, brand, person } = question;
  const { generateRegistrationOptions } = await library();
  return generateRegistrationOptions({
    rpName: brand,
    rpID: site.rp_id,
    userName: person.email,
    userDisplayName: person.name,
    userID: bytesOf(person.id),
    challenge: bytesOf(challenge),
    timeout: TIMEOUT_MS,
    excludeCredentials: credentials.map((id) => ({ id: base64url(id) })),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    supportedAlgorithmIDs: ALGORITHMS,
  });
}

/** Hex. */
export type PublicKey = { readonly credential_id: string; readonly public_key: string; readonly counter: bigint };
type Answered<R> = { readonly site: PasskeySite; readonly challenge: string; readonly response: R };

/** The key of a registration; undefined: it is not what was asked for. */
export async function readNewPasskey(
  answered: Answered<RegistrationResponseJSON>,
): Promise<(PublicKey & { readonly synced: boolean }) | undefined> {
  const { verifyRegistrationResponse } = await library();
  const read = await held(() =>
    verifyRegistrationResponse({
      ...expected(answered),
      requireUserVerification: true,
      supportedAlgorithmIDs: ALGORITHMS,
    }),
  );
  if (!read?.verified) return undefined;
  const { credential, credentialBackedUp: synced } = read.registrationInfo;
  const public_key = Buffer.from(credential.publicKey).toString('hex');
  return { credential_id: hexOf(credential.id), public_key, counter: BigInt(credential.counter), synced };
}

/**
 * How often the key was used by now, always more than before where it counts; undefined: it is not what was asked for.
 */
export async function readPasskey(
  answered: Answered<AuthenticationResponseJSON>,
  { credential_id: id, public_key, counter }: PublicKey,
): Promise<{ readonly counter: bigint; readonly synced: boolean } | undefined> {
  const { verifyAuthenticationResponse } = await library();
  const credential = { id: base64url(id), publicKey: bytesOf(public_key), counter: Number(counter) };
  const read = await held(() =>
    verifyAuthenticationResponse({ ...expected(answered), requireUserVerification: true, credential }),
  );
  if (!read?.verified) return undefined;
  const { newCounter, credentialBackedUp: synced } = read.authenticationInfo;
  return { counter: BigInt(newCounter), synced };
}

function expected<R>({ site, challenge, response }: Answered<R>) {
  return {
    response,
    expectedChallenge: base64url(challenge),
    expectedOrigin: site.origin,
    expectedRPID: site.rp_id,
  };
}

async function held<T>(read: () => Promise<T>): Promise<T | undefined> {
  try {
    return await read();
  } catch {
    // the library throws at whatever does not fit or cannot be read: it is not what was asked for
    return undefined;
  }
}

/** The challenge that was signed, in hex; undefined: none of ours, which have 256 bits. */
export function challengeIn({ response }: RegistrationResponseJSON | AuthenticationResponseJSON): string | undefined {
  const client_data: unknown = response?.clientDataJSON;
  if (typeof client_data !== 'string') return undefined;
  try {
    const read: unknown = JSON.parse(Buffer.from(client_data, 'base64url').toString());
    const challenge = typeof read === 'object' && read !== null && 'challenge' in read ? read.challenge : undefined;
    const hex = typeof challenge === 'string' ? hexOf(challenge) : '';
    return hex.length === 64 ? hex : undefined;
  } catch {
    // not JSON: no challenge of ours
    return undefined;
  }
}

/** The credential that signed, and the person it names, in hex; undefined: it names none. */
export function claimsOf({ id, response }: AuthenticationResponseJSON): {
  readonly credential_id: string | undefined;
  readonly person_id: string | undefined;
} {
  const [key, person]: readonly unknown[] = [id, response?.userHandle];
  return {
    credential_id: typeof key === 'string' ? hexOf(key) : undefined,
    person_id: typeof person === 'string' ? hexOf(person) : undefined,
  };
}

const base64url = (hex: string) => Buffer.from(hex, 'hex').toString('base64url');
const hexOf = (text: string) => Buffer.from(text, 'base64url').toString('hex');
const bytesOf = (hex: string) => new Uint8Array(Buffer.from(hex, 'hex'));
