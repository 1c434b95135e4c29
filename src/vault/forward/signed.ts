// The destinations file: where cards may be sent, written by the operator and signed with a key that is not on this host
// (Ed25519, over the very bytes of the file). Read at the start; a file that is not as it was signed stops it.
import { createPublicKey, verify } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { StartError } from '../../kit/start-error.ts';
import { isPem, mayReach } from '../../kit/tls/pinned.ts';
import type { Destination, PinnedRoute } from './destinations.ts';
import { readSecret } from '../contracts/contracts.ts';
import { SLOTS } from './slots.ts';
import { isWireName } from './wire.ts';

export type SignedFile = {
  readonly file: string;
  readonly key_file: string;
  readonly environment: 'sandbox' | 'production';
};

/** The signature stands beside the file, as base64. */
export const signatureFile = (file: string) => `${file}.sig`;

/** Throws a StartError that names everything that is wrong. */
export function readDestinations(signed: SignedFile): readonly (readonly [string, Destination])[] {
  const bytes = readBytes(signed.file);
  checkSignature(bytes, signed);
  const reading = new Reading(signed.environment);
  const found = reading.destinations(parse(bytes, signed.file));
  if (reading.problems.length === 0) return found;
  throw new StartError(
    `${signed.file} is signed, but not right:\n${reading.problems.map((one) => `  - ${one}`).join('\n')}`,
  );
}

function checkSignature(bytes: Buffer, { file, key_file }: SignedFile): void {
  const signature = Buffer.from(readBytes(signatureFile(file)).toString('latin1').trim(), 'base64');
  let good: boolean;
  try {
    const key = createPublicKey(readBytes(key_file));
    if (key.asymmetricKeyType !== 'ed25519') throw new Error('it is no Ed25519 key');
    good = verify(null, bytes, key, signature);
  } catch (error) {
    if (error instanceof StartError) throw error;
    throw new StartError(`The key in ${key_file} cannot be used: ${String(error)}`);
  }
  if (!good)
    throw new StartError(
      `${file} is not what was signed with the key of ${key_file}. No card is sent anywhere: restore the file, or sign it again (florin destinations sign).`,
    );
}

function readBytes(file: string): Buffer {
  try {
    return readFileSync(file);
  } catch (error) {
    throw new StartError(`${file} cannot be read: ${String(error)}`);
  }
}

function parse(bytes: Buffer, file: string): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch {
    throw new StartError(`${file} is not JSON.`);
  }
}

const TEXT = /^[\x20-\x7e]{1,4096}$/;
const HEADER = /^[a-z][a-z0-9-]{0,63}$/;
/** What the connection itself says; a pinned header must not contradict it. */
const OWN_HEADERS = ['host', 'content-length', 'content-type', 'transfer-encoding', 'connection', 'accept-encoding'];
const PIN = /^[0-9a-f]{64}$/;

/** Reads the parsed file and collects what is wrong with it, each with its place. */
class Reading {
  readonly problems: string[] = [];
  private readonly environment: 'sandbox' | 'production';

  constructor(environment: 'sandbox' | 'production') {
    this.environment = environment;
  }

  destinations(value: unknown): readonly (readonly [string, Destination])[] {
    const file = this.members(value, 'the file', ['environment', 'destinations']);
    if (file['environment'] !== this.environment)
      this.problems.push(`environment must be ${this.environment}: this file is of another deployment`);
    const list = this.members(file['destinations'], 'destinations');
    return Object.entries(list).map(([id, one]) => [id, this.destination(id, one)] as const);
  }

  private destination(id: string, value: unknown): Destination {
    if (!/^[a-z][a-z0-9_-]{0,63}$/.test(id)) this.problems.push(`${id} is no name: letters, digits, - and _`);
    const names = ['base_url', 'tls', 'headers', 'routes', 'deadline_ms', 'max_body', 'max_answer'];
    const given = this.members(value, id, names);
    const reach = this.environment === 'production' ? 'public' : 'loopback';
    const tls = this.members(given['tls'], `${id}.tls`, ['ca', 'certificates', 'min']);
    const routes = Object.entries(this.members(given['routes'], `${id}.routes`));
    if (routes.length === 0) this.problems.push(`${id}.routes must name a route`);
    return {
      base_url: this.origin(given['base_url'], `${id}.base_url`, reach),
      reach,
      tls: {
        ca: this.authority(tls['ca'], `${id}.tls.ca`),
        certificates: this.list(tls['certificates'], `${id}.tls.certificates`, PIN),
        min: tls['min'] === 'TLSv1.3' ? 'TLSv1.3' : this.oneOf(tls['min'], `${id}.tls.min`),
      },
      headers: this.headers(given['headers'], `${id}.headers`),
      routes: Object.fromEntries(routes.map(([name, route]) => [name, this.route(`${id}.routes.${name}`, route)])),
      deadline_ms: this.count(given['deadline_ms'], `${id}.deadline_ms`, 60_000),
      max_body: this.count(given['max_body'], `${id}.max_body`, 131_072),
      max_answer: this.count(given['max_answer'], `${id}.max_answer`, 262_144),
    };
  }

  private route(at: string, value: unknown): PinnedRoute {
    const given = this.members(value, at, ['path', 'content_type', 'slots', 'fixed', 'references']);
    const slots = this.texts(given['slots'], `${at}.slots`);
    for (const [place, slot] of Object.entries(slots))
      if (!SLOTS.includes(slot) && (readSecret(slot)?.scheme ?? ' ') !== '')
        this.problems.push(`${at}.slots ${place} must be one of ${SLOTS.join(', ')}, or secret.NAME`);
    if (new Set(Object.values(slots)).size < Object.keys(slots).length)
      this.problems.push(`${at}.slots names a slot at two places`);
    const content_type = given['content_type'];
    if (!isWireName(content_type)) this.problems.push(`${at}.content_type is none that the vault can write`);
    const path = String(given['path']);
    if (!/^\/[A-Za-z0-9._~/-]{0,255}$/.test(path) || path.includes('..'))
      this.problems.push(`${at}.path must be a path without a query`);
    return {
      method: 'POST',
      path,
      content_type: isWireName(content_type) ? content_type : 'application/json',
      slots,
      fixed: given['fixed'] === undefined ? {} : this.texts(given['fixed'], `${at}.fixed`),
      references: this.list(given['references'], `${at}.references`, /^[\x21-\x7e]{1,64}$/),
    };
  }

  /** The members of an object; what is not known is a problem, as what is misspelt would be. */
  private members(value: unknown, at: string, known?: readonly string[]): Readonly<Record<string, unknown>> {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      this.problems.push(`${at} must be an object`);
      return {};
    }
    const entries = Object.entries(value);
    for (const [name] of entries)
      if (known?.includes(name) === false) this.problems.push(`${at} has no member ${name}`);
    return Object.fromEntries(entries);
  }

  private texts(value: unknown, at: string): Readonly<Record<string, string>> {
    const entries = Object.entries(this.members(value, at)).map(([name, text]) => [name, String(text)] as const);
    if (!entries.every(([, text]) => TEXT.test(text))) this.problems.push(`${at} must hold texts`);
    return Object.fromEntries(entries);
  }

  private headers(value: unknown, at: string): Readonly<Record<string, string>> {
    const headers = this.texts(value, at);
    for (const [name, text] of Object.entries(headers)) {
      if (!HEADER.test(name) || OWN_HEADERS.includes(name)) this.problems.push(`${at}: ${name} may not be set`);
      if (text.includes('secret.') && !readSecret(text))
        this.problems.push(`${at}: ${name} must be secret.NAME, or a word and secret.NAME`);
    }
    return headers;
  }

  private list(value: unknown, at: string, form: RegExp): readonly string[] {
    if (value === undefined) return [];
    if (Array.isArray(value) && value.every((one: unknown) => typeof one === 'string' && form.test(one)))
      return value.map(String);
    this.problems.push(`${at} must be a list of such texts: ${form.source}`);
    return [];
  }

  private count(value: unknown, at: string, max: number): number {
    if (typeof value === 'number' && Number.isInteger(value) && value > 0 && value <= max) return value;
    this.problems.push(`${at} must be a whole number from 1 to ${max}`);
    return max;
  }

  private oneOf(value: unknown, at: string): 'TLSv1.2' {
    if (value !== 'TLSv1.2') this.problems.push(`${at} must be TLSv1.2 or TLSv1.3`);
    return 'TLSv1.2';
  }

  private authority(value: unknown, at: string): string {
    const text = String(value);
    if (text !== 'system' && !isPem(text)) this.problems.push(`${at} must be system, or certificates as PEM`);
    return text;
  }

  private origin(value: unknown, at: string, reach: 'public' | 'loopback'): string {
    const url = URL.parse(String(value));
    if (url?.protocol !== 'https:' || url.origin !== value) {
      this.problems.push(`${at} must be an origin such as https://provider.example`);
      return '';
    }
    if (!mayReach(url.hostname, reach))
      this.problems.push(`${at} must be ${reach === 'public' ? 'a public address' : 'on loopback in a sandbox'}`);
    return url.origin;
  }
}
