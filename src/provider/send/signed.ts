// The destinations file: where calls to providers go, those with cards above all, written by the operator and signed
// with a key that is not on this host (Ed25519, over the very bytes of the file). Read at the start; a file that is not
// as it was signed stops it.
import { createPublicKey, verify } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { StartError, whyNot } from '../../kit/start-error.ts';
import { type TlsPin, isPem, mayReach } from '../../kit/tls/pinned.ts';
import { type Destination, type Host, type HttpHost, type LineHost, isHostOf, lineAddressOf } from './destinations.ts';
import { secretsOf } from './secret.ts';
import { type LoadTable, type Table, loadTable } from './tables.ts';

export type SignedFile = {
  readonly file: string;
  readonly key_file: string;
  readonly environment: 'sandbox' | 'production';
  /** Loads the tables; absent: those of this build. */
  readonly table?: LoadTable;
};

/** The signature stands beside the file, as base64. */
export const signatureFile = (file: string) => `${file}.sig`;

/** Throws a StartError that names everything that is wrong. */
export async function readDestinations(signed: SignedFile): Promise<readonly (readonly [string, Destination])[]> {
  const bytes = readBytes(signed.file);
  checkSignature(bytes, signed);
  const reading = new Reading(signed);
  const found = await reading.destinations(parse(bytes, signed.file));
  if (reading.problems.length === 0) return found;
  throw new StartError(
    `${signed.file} is signed, but not right:\n${reading.problems.map((one) => `  - ${one}`).join('\n')}`,
  );
}

function checkSignature(bytes: Buffer, { file, key_file }: SignedFile): void {
  const signature = Buffer.from(readBytes(signatureFile(file)).toString('latin1').trim(), 'base64');
  const pem = readBytes(key_file);
  // the public half could be taken from it, and nobody would notice where it lies
  if (/PRIVATE KEY-----/.test(pem.toString('latin1')))
    throw new StartError(
      `${key_file} holds the private key, with which anybody signs where cards go. Take it off this host, and put the public key there that florin destinations key wrote beside it. If others could read it: make a new pair, and sign again.`,
    );
  let good: boolean;
  try {
    const key = createPublicKey(pem);
    if (key.asymmetricKeyType !== 'ed25519') throw new Error('it is no Ed25519 key');
    good = verify(null, bytes, key, signature);
  } catch (error) {
    if (error instanceof StartError) throw error;
    throw new StartError(`The key in ${key_file} cannot be used: ${whyNot(error)}`);
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
    throw new StartError(`${file} cannot be read: ${whyNot(error)}`);
  }
}

function parse(bytes: Buffer, file: string): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch {
    throw new StartError(`${file} is not JSON.`);
  }
}

const TEXT = /^[\x21-\x7e](?:[\x20-\x7e]{0,4094}[\x21-\x7e])?$/;
const MOST_LINES = 4;
const PREFIX = /^(?:\/[A-Za-z0-9_.-]{1,64}){0,4}$/;
const PIN = /^[0-9a-f]{64}$/;

/** Stands for the table of a destination that has none: the file is wrong, and the other mistakes are told, too. */
const NO_TABLE: Table = { name: '', steps: {}, hash: '' };

/** Reads the parsed file and collects what is wrong with it, each with its place. */
class Reading {
  readonly problems: string[] = [];
  private readonly environment: 'sandbox' | 'production';
  private readonly load: LoadTable;

  constructor({ environment, table = loadTable }: SignedFile) {
    this.environment = environment;
    this.load = table;
  }

  async destinations(value: unknown): Promise<readonly (readonly [string, Destination])[]> {
    const file = this.members(value, 'the file', ['environment', 'destinations']);
    if (file['environment'] !== this.environment)
      this.problems.push(`environment must be ${this.environment}: this file is of another deployment`);
    const list = Object.entries(this.members(file['destinations'], 'destinations'));
    return Promise.all(list.map(async ([id, one]) => [id, await this.destination(id, one)] as const));
  }

  private async destination(id: string, value: unknown): Promise<Destination> {
    if (!/^[a-z][a-z0-9_-]{0,63}$/.test(id)) this.problems.push(`${id} is no name: letters, digits, - and _`);
    const names = ['provider', 'table', 'hosts', 'allow', 'deadline_ms', 'max_body', 'max_answer'];
    const given = this.members(value, id, names);
    const reach = this.environment === 'production' ? 'public' : 'loopback';
    const hosts = Object.entries(this.members(given['hosts'], `${id}.hosts`)).map(
      ([name, host]) => [name, this.host(`${id}.hosts.${name}`, host, reach)] as const,
    );
    const table = await this.table(id, given);
    for (const [name, step] of Object.entries(table.steps)) {
      const host = hosts.find(([one]) => one === step.host)?.[1];
      if (!host) this.problems.push(`${id}.hosts must name ${step.host}, for ${name}`);
      else if (!isHostOf(host, step))
        this.problems.push(
          `${id}.hosts.${step.host} must have ${'line' in step ? 'lines' : 'a base_url'}, for ${name}`,
        );
    }
    return {
      table,
      reach,
      hosts: Object.fromEntries(hosts),
      allow: this.allow(`${id}.allow`, given['allow'], table),
      deadline_ms: this.count(given['deadline_ms'], `${id}.deadline_ms`, 60_000),
      max_body: this.count(given['max_body'], `${id}.max_body`, 131_072),
      max_answer: this.count(given['max_answer'], `${id}.max_answer`, 262_144),
    };
  }

  /** A table that is another than the one that was signed is as good as none. */
  private async table(id: string, { provider, table: signed }: Readonly<Record<string, unknown>>): Promise<Table> {
    try {
      const table = await this.load(String(provider));
      if (table.hash !== signed)
        this.problems.push(
          `${id}.table is ${String(signed)}, but the table ${table.name} of this build has the hash ${table.hash}: look at it (florin destinations show ${table.name}) and sign again`,
        );
      return table;
    } catch (error) {
      if (!(error instanceof StartError)) throw error;
      this.problems.push(`${id}.provider: ${error.message}`);
      return NO_TABLE;
    }
  }

  private host(at: string, value: unknown, reach: Destination['reach']): Host {
    const given = this.members(value, at, ['base_url', 'lines', 'tls']);
    if (!('lines' in given))
      return { ...this.address(given['base_url'], `${at}.base_url`, reach), tls: this.tls(given['tls'], `${at}.tls`) };
    if ('base_url' in given) this.problems.push(`${at} must have a base_url or lines, not both`);
    // in clear in a sandbox only
    const is_clear = reach === 'loopback' && given['tls'] === undefined;
    return {
      lines: this.lines(given['lines'], `${at}.lines`, reach),
      tls: is_clear ? null : this.tls(given['tls'], `${at}.tls`),
    };
  }

  /** The lines of a destination. Addresses of leased lines may be of any kind: the certificate says where they lead. */
  private lines(value: unknown, at: string, reach: Destination['reach']): LineHost['lines'] {
    const all = (Array.isArray(value) ? value : []).map(lineAddressOf);
    const found = all.filter((one) => one !== undefined);
    if (found.length === 0 || found.length > MOST_LINES || found.length < all.length)
      this.problems.push(`${at} must be a list of 1 to ${MOST_LINES} addresses such as tcp://acquirer.example:8583`);
    if (reach === 'loopback' && !found.every(({ host }) => mayReach(host, reach)))
      this.problems.push(`${at} must be on loopback in a sandbox`);
    return found;
  }

  private tls(value: unknown, at: string): TlsPin {
    const tls = this.members(value, at, ['ca', 'certificates', 'min']);
    return {
      ca: this.authority(tls['ca'], `${at}.ca`),
      certificates: this.list(tls['certificates'], `${at}.certificates`, PIN),
      min: tls['min'] === 'TLSv1.3' ? 'TLSv1.3' : this.oneOf(tls['min'], `${at}.min`),
    };
  }

  /** A credential that no step carries would allow nothing: it is misspelt. */
  private allow(at: string, value: unknown, table: Table): Destination['allow'] {
    const names = Object.values(table.steps).flatMap((step) => secretsOf(step).map(({ name }) => name));
    const rows = Object.entries(value === undefined ? {} : this.members(value, at));
    return new Map(
      rows.map(([name, texts]) => {
        if (!names.includes(name)) this.problems.push(`${at}: no step of ${table.name} carries ${name}`);
        const allowed = this.list(texts, `${at}.${name}`, TEXT);
        if (allowed.length === 0) this.problems.push(`${at}.${name} must name what is allowed`);
        return [name, allowed];
      }),
    );
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

  /** An origin, and a path behind it where all of the provider's begin with one. */
  private address(value: unknown, at: string, reach: Destination['reach']): Pick<HttpHost, 'origin' | 'prefix'> {
    const url = URL.parse(String(value));
    const prefix = url === null || url.pathname === '/' ? '' : url.pathname;
    if (url?.protocol !== 'https:' || url.origin + prefix !== value || !PREFIX.test(prefix)) {
      this.problems.push(`${at} must be an address such as https://provider.example or https://provider.example/api`);
      return { origin: '', prefix: '' };
    }
    if (!mayReach(url.hostname, reach))
      this.problems.push(`${at} must be ${reach === 'public' ? 'a public address' : 'on loopback in a sandbox'}`);
    return { origin: url.origin, prefix };
  }
}
