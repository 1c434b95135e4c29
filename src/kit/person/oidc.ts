// Single sign-on (OpenID Connect) by a certified library: the authorization code with PKCE, state and nonce. Every call
// to a provider goes the way that it is given, which knows where we may go; every id token's signature is looked at.
import { createHash } from 'node:crypto';
import type { Configuration } from 'openid-client';
import type { Egress } from '../egress.ts';

export type OidcClient = {
  readonly issuer: string;
  readonly client_id: string;
  readonly client_secret: string;
  readonly redirect_uri: string;
};

export type Way = {
  readonly exchange: Egress['exchange'];
  /** A sandbox may have its provider on this machine, over http. */
  readonly insecure: boolean;
};

/** The failed check, as a word of the library or of the provider, never a text of either. */
export class OidcProblem extends Error {
  readonly code: string;
  constructor(code: string) {
    super(`single sign-on: ${code}`);
    this.code = code;
  }
}

/** The library, once it is wanted: most processes never sign a person on. */
const library = () => import('openid-client');

const DEADLINE_MS = 10_000;
const MOST_BYTES = 262_144;

async function configure(client: OidcClient, way: Way): Promise<Configuration> {
  const oidc = await library();
  const issuer = URL.parse(client.issuer);
  if (!issuer) throw new OidcProblem('issuer_unreadable');
  const secret = oidc.ClientSecretPost(client.client_secret);
  const config = await oidc.discovery(issuer, client.client_id, { client_secret: client.client_secret }, secret, {
    [oidc.customFetch]: fetchBy(way),
    timeout: DEADLINE_MS / 1000,
    // an attack on the issuer's name is found by the library, which compares it with what discovery says
    execute: [oidc.enableNonRepudiationChecks, ...(way.insecure ? [oidc.allowInsecureRequests] : [])],
  });
  return config;
}

/** The library's calls, by the way that knows where we may go: no redirect, a deadline, a bound on the answer. */
function fetchBy({ exchange }: Way) {
  return async (
    target: string,
    {
      method,
      headers,
      body,
    }: { readonly method: string; readonly headers: Record<string, string>; readonly body?: unknown },
  ): Promise<Response> => {
    const url = new URL(target);
    const text = typeof body === 'string' || body instanceof URLSearchParams ? String(body) : undefined;
    const answer = await exchange({
      method: method === 'POST' ? 'POST' : 'GET',
      origin: url.origin,
      pool: `sign-on ${url.origin}`,
      path: url.pathname + url.search,
      headers: { ...headers, 'accept-encoding': 'identity' },
      body: text === undefined ? null : Buffer.from(text),
      deadline_ms: DEADLINE_MS,
      max_answer_bytes: MOST_BYTES,
      with_headers: true,
    });
    if (answer.kind !== 'answered') throw new OidcProblem(answer.kind === 'not_sent' ? 'not_reached' : 'no_answer');
    const bytes = [204, 304].includes(answer.status) ? null : new Uint8Array(answer.body);
    return new Response(bytes, { status: answer.status, headers: answer.headers ?? {} });
  };
}

/** Throws an OidcProblem unless a provider is there that names itself so and does what we need. */
export async function tryProvider(client: OidcClient, way: Way): Promise<void> {
  await problemsNamed(async () => checked(await configure(client, way), way));
}

function checked(config: Configuration, { insecure }: Way): Configuration {
  const { authorization_endpoint, token_endpoint, jwks_uri, end_session_endpoint } = config.serverMetadata();
  if (token_endpoint === undefined || jwks_uri === undefined) throw new OidcProblem('endpoints_missing');
  // a browser is sent there
  for (const place of [authorization_endpoint, end_session_endpoint ?? authorization_endpoint]) {
    const protocol = URL.parse(place ?? '')?.protocol;
    if (protocol !== 'https:' && !(insecure && protocol === 'http:')) throw new OidcProblem('endpoints_unsafe');
  }
  return config;
}

/**
 * A part of the secret that only the browser has; we have its hash. State, nonce and the code's verifier are made from
 * it.
 */
const partOf = (secret: string, part: string) => createHash('sha256').update(`${part} ${secret}`).digest('base64url');

/** The address to which the browser is sent. `secret`: 256 random bits, used once. */
export async function beginSignOn(
  client: OidcClient,
  { secret, email, way }: { readonly secret: string; readonly email: string; readonly way: Way },
): Promise<string> {
  return problemsNamed(async () => {
    const oidc = await library();
    const config = checked(await configure(client, way), way);
    return oidc.buildAuthorizationUrl(config, {
      redirect_uri: client.redirect_uri,
      scope: 'openid email profile',
      state: partOf(secret, 'state'),
      nonce: partOf(secret, 'nonce'),
      code_challenge: await oidc.calculatePKCECodeChallenge(partOf(secret, 'verifier')),
      code_challenge_method: 'S256',
      login_hint: email,
    }).href;
  });
}

export type SignedOn = {
  readonly subject: string;
  /** Small letters; undefined: the provider does not give it, or says that it is not verified. */
  readonly email: string | undefined;
  readonly name: string | undefined;
  /** The address that ends the session at the provider, too; undefined: the provider has none. */
  readonly sign_out_url: string | undefined;
};

/**
 * The person who came back, by what the provider gave for the code. `query`: of the address that the browser came back
 * to.
 */
export async function finishSignOn(
  client: OidcClient,
  {
    secret,
    query,
    back,
    way,
  }: { readonly secret: string; readonly query: string; readonly back: string; readonly way: Way },
): Promise<SignedOn> {
  return problemsNamed(async () => {
    const oidc = await library();
    const config = checked(await configure(client, way), way);
    const tokens = await oidc.authorizationCodeGrant(config, new URL(`${client.redirect_uri}?${query}`), {
      pkceCodeVerifier: partOf(secret, 'verifier'),
      expectedState: partOf(secret, 'state'),
      expectedNonce: partOf(secret, 'nonce'),
      idTokenExpected: true,
    });
    const claims = tokens.claims();
    if (!claims) throw new OidcProblem('no_id_token');
    const { userinfo_endpoint, end_session_endpoint } = config.serverMetadata();
    const more =
      claims['email'] === undefined && userinfo_endpoint !== undefined
        ? await oidc.fetchUserInfo(config, tokens.access_token, claims.sub)
        : {};
    const told: Readonly<Record<string, unknown>> = { ...more, ...claims };
    const { email, email_verified, name } = told;
    const sign_out = { post_logout_redirect_uri: back, client_id: client.client_id };
    return {
      subject: claims.sub,
      email: typeof email === 'string' && isVerified(email_verified) ? email.trim().toLowerCase() : undefined,
      name: typeof name === 'string' ? name : undefined,
      sign_out_url: end_session_endpoint === undefined ? undefined : oidc.buildEndSessionUrl(config, sign_out).href,
    };
  });
}

/** Some providers say nothing of it, and some write it as a text: whatever is not plainly yes is no. */
const isVerified = (said: unknown) => [undefined, null, true, 'true'].some((yes) => said === yes);

async function problemsNamed<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof OidcProblem ? error : new OidcProblem(codeOf(error));
  }
}

/** A word of RFC 6749 that the provider gave, or the library's. */
function codeOf(error: unknown): string {
  for (let at: unknown = error; at instanceof Error; at = at.cause) {
    if (at instanceof OidcProblem) return at.code;
    const said: unknown = 'error' in at ? at.error : undefined;
    if (typeof said === 'string' && /^[a-z_]{1,60}$/.test(said)) return said;
    const code: unknown = 'code' in at ? at.code : undefined;
    if (typeof code === 'string' && /^OAUTH_[A-Z_]{1,80}$/.test(code)) return code.slice(6).toLowerCase();
  }
  return 'unreadable';
}
