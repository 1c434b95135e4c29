// The key-encryption key in OpenBao's or HashiCorp Vault's transit engine: it never leaves there. Spoken as their HTTP
// API says (openbao.org/api-docs/secret/transit): encrypt and decrypt with associated_data, key_version, rotate,
// config, trim.
import type { Egress } from '../../kit/egress.ts';
import { StartError } from '../../kit/start-error.ts';
import { type KeyProvider, KeysSealed } from './provider.ts';

export type TransitOptions = {
  /** Origin, such as https://bao.internal:8200. */
  readonly origin: string;
  /** Path of the engine, `transit` unless it is mounted elsewhere. */
  readonly mount: string;
  /** Name of the key; it ends with the environment, so that a test system never wraps with a production key. */
  readonly key: string;
  readonly environment: 'sandbox' | 'production';
  readonly egress: Egress;
  /** Read for each call: it is renewed by writing it to a file. */
  token(): string;
};

const DEADLINE_MS = 3000;
const MAX_ANSWER_BYTES = 65_536;

/**
 * Asks for the key once. StartError: the name is not of this environment, or the key is not there or of another type.
 */
export async function transitProvider(options: TransitOptions): Promise<KeyProvider> {
  const { key } = options;
  let newest = await firstLook(options);
  const look = async () => {
    const read = await readKey(options);
    newest = read.newest;
    return read;
  };
  const ref = (version: number) => `transit:${key}:v${version}`;
  const versionOf = (text: string): number => {
    const version = text.startsWith(`transit:${key}:v`) ? Number(text.slice(`transit:${key}:v`.length)) : 0;
    if (!Number.isInteger(version) || version < 1) throw new KeysSealed(`${text} is no key of this transit engine`);
    return version;
  };
  return {
    name: 'transit',
    newest: () => {
      if (newest === 0) throw new KeysSealed('the transit engine was not reached yet');
      return ref(newest);
    },
    knows: async (text) => {
      const { oldest, newest: last } = await look();
      const version = text.startsWith(`transit:${key}:v`) ? versionOf(text) : 0;
      return version >= oldest && version <= last;
    },
    wrap: async (plain, aad, text) => {
      const body = { plaintext: base64(plain), associated_data: base64(aad), key_version: versionOf(text) };
      const ciphertext = member(await call(options, `encrypt/${key}`, body), 'data', 'ciphertext');
      if (typeof ciphertext !== 'string') throw new KeysSealed('the transit engine gave no ciphertext');
      return Buffer.from(ciphertext);
    },
    unwrap: async (wrapped, aad, text) => {
      versionOf(text);
      const body = { ciphertext: wrapped.toString('latin1'), associated_data: base64(aad) };
      const plaintext = member(await call(options, `decrypt/${key}`, body), 'data', 'plaintext');
      if (typeof plaintext !== 'string') throw new KeysSealed('the transit engine gave no plaintext');
      return Buffer.from(plaintext, 'base64');
    },
    make: async () => {
      await call(options, `keys/${key}/rotate`, {});
      return ref((await look()).newest);
    },
    destroy: async (text) => {
      const next = versionOf(text) + 1;
      const { oldest, newest: last } = await look();
      if (next > last) throw new Error('the newest version of a key is not destroyed');
      if (next <= oldest) return;
      await call(options, `keys/${key}/config`, { min_decryption_version: next, min_encryption_version: next });
      await call(options, `keys/${key}/trim`, { min_available_version: next });
    },
    close: () => undefined,
  };
}

/** The newest version; 0: the engine cannot be reached now. */
async function firstLook(options: TransitOptions): Promise<number> {
  const { key, environment } = options;
  if (!key.endsWith(`-${environment}`))
    throw new StartError(
      `FLORIN_TRANSIT_KEY must end with -${environment}: the key of another environment is never used here.`,
    );
  try {
    return (await readKey(options)).newest;
  } catch (error) {
    if (error instanceof KeysSealed) return 0;
    throw error;
  }
}

async function readKey(options: TransitOptions): Promise<{ oldest: number; newest: number }> {
  const answer = await call(options, `keys/${options.key}`, undefined);
  const type = member(answer, 'data', 'type');
  const versions = Object.keys(objectOf(member(answer, 'data', 'keys'))).map(Number);
  const oldest = member(answer, 'data', 'min_decryption_version');
  if (typeof type !== 'string' || !/^(?:aes256-gcm96|chacha20-poly1305|xchacha20-poly1305)$/.test(type))
    throw new StartError(
      `The transit key ${options.key} must be of type aes256-gcm96 or a 256-bit ChaCha20-Poly1305: only these bind associated data.`,
    );
  return { oldest: typeof oldest === 'number' ? oldest : 1, newest: Math.max(...versions) };
}

/** GET without a body, else POST. What a person must fix is a StartError; what passes by itself is KeysSealed. */
async function call(options: TransitOptions, path: string, body: object | undefined): Promise<unknown> {
  const exchange = await options.egress.exchange({
    method: body ? 'POST' : 'GET',
    origin: options.origin,
    path: `/v1/${options.mount}/${path}`,
    headers: {
      'x-vault-token': options.token(),
      'x-vault-request': 'true',
      ...(body && { 'content-type': 'application/json' }),
    },
    body: body ? Buffer.from(JSON.stringify(body)) : null,
    deadline_ms: DEADLINE_MS,
    max_answer_bytes: MAX_ANSWER_BYTES,
  });
  if (exchange.kind !== 'answered') throw new KeysSealed(`the transit engine did not answer: ${exchange.kind}`);
  const { status } = exchange;
  const answer = parsed(exchange.body);
  exchange.body.fill(0);
  if (status >= 200 && status < 300) return answer;
  const errors = member(answer, 'errors');
  const said = Array.isArray(errors) ? errors.map(String).join('; ').slice(0, 300) : '';
  // 503: sealed or starting. 429 and 5xx pass too. 403 may be a token that is being renewed.
  if (status === 403 || status === 429 || status >= 500)
    throw new KeysSealed(`the transit engine answered ${status}: ${said}`);
  if (status === 404)
    throw new StartError(
      `The transit engine has no ${path}. Create the key, or correct FLORIN_TRANSIT_KEY and FLORIN_TRANSIT_MOUNT.`,
    );
  throw new Error(`the transit engine refused (${status}): ${said}`);
}

function parsed(body: Buffer): unknown {
  try {
    return body.length === 0 ? {} : JSON.parse(body.toString('utf8'));
  } catch {
    // an error page of something in between
    return {};
  }
}

function objectOf(value: unknown): object {
  return typeof value === 'object' && value !== null ? value : {};
}

function member(value: unknown, ...path: readonly string[]): unknown {
  let here: unknown = value;
  for (const name of path) here = Object.entries(objectOf(here)).find(([key]) => key === name)?.[1];
  return here;
}

function base64(data: string | Uint8Array): string {
  return Buffer.from(data).toString('base64');
}
