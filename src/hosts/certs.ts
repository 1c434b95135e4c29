// florin certs FOLDER [--renew] [--days N]: a private authority and a certificate for each host that speaks on a link,
// with one exact name each. Every host gets a folder of its own, to be carried there: it holds nothing of the others.
import { type KeyObject, createPrivateKey, generateKeyPairSync } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { DAY_MS, HOUR_MS } from '../core/durations.ts';
import { systemChance, systemClock } from '../kit/clock.ts';
import { makeFolder, replaceKept } from '../kit/kept-file.ts';
import { makeCertificate } from '../kit/tls/certificate.ts';
import { AUTHORITY_FILE, IDENTITY_FILE, PEER_NAMES, type Peer } from '../kit/tls/identity.ts';
import { StartError, helpIfWanted, whyNot } from '../kit/start-error.ts';

const AUTHORITY_DAYS = 3650;
const HOST_DAYS = 90;
const AUTHORITY_KEY_FILE = 'ca.key';
const AUTHORITY_NAME = 'Florin link authority';
/** The payment host is asked by the vault, too; a worker only asks. */
const USES: Readonly<Record<Peer, readonly ('server' | 'client')[]>> = {
  payment: ['server', 'client'],
  vault: ['server', 'client'],
  worker: ['client'],
};
const PEERS = ['payment', 'vault', 'worker'] as const satisfies readonly Peer[];
const USAGE = 'Usage: florin certs FOLDER [--renew] [--days N], with N from 1 to 825';

export type CertsOptions = { readonly folder: string; readonly renew: boolean; readonly days: number };

export function certsCommand(args: readonly string[]): void {
  helpIfWanted(args, USAGE);
  const options = readOptions(args);
  makeCerts(options);
  const { folder, days } = options;
  console.log(`${PEERS.map((peer) => `  ${join(folder, peer)}`).join('\n')}

Each folder is for one host: carry it there, and set FLORIN_TLS_DIR to it. They are valid for ${days} days; renew them with
florin certs ${folder} --renew. Hosts that run take renewed files over by themselves.
Keep ${join(folder, AUTHORITY_KEY_FILE)} off every host: who has it can make certificates.`);
}

function readOptions(args: readonly string[]): CertsOptions {
  const { values, positionals } = parsed(args);
  const [folder, ...others] = positionals;
  const days = Number(values.days ?? HOST_DAYS);
  if (folder === undefined || others.length > 0 || !Number.isInteger(days) || days < 1 || days > 825)
    throw new StartError(USAGE);
  return { folder: resolve(folder), renew: values.renew === true, days };
}

function parsed(args: readonly string[]) {
  try {
    const options = { renew: { type: 'boolean' }, days: { type: 'string' } } as const;
    return parseArgs({ args: [...args], options, allowPositionals: true });
  } catch (error) {
    throw new StartError(`${error instanceof Error ? error.message : String(error)}\n${USAGE}`);
  }
}

/** Writes the files, or throws a StartError: nothing that is there is ever overwritten unless it is to be renewed. */
export function makeCerts({ folder, renew, days }: CertsOptions): void {
  requireReady(folder, renew);
  if (!renew) makeAuthority(folder);
  const authority_key = createPrivateKey(readOwn(join(folder, AUTHORITY_KEY_FILE)));
  const authority = readOwn(join(folder, AUTHORITY_FILE));
  for (const peer of PEERS) {
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const certificate = makeCertificate({
      ...lifetime(days),
      subject: PEER_NAMES[peer],
      issuer: AUTHORITY_NAME,
      public_key: publicKey,
      authority_key,
      for: { dns_name: PEER_NAMES[peer], uses: USES[peer] },
    });
    const host = join(folder, peer);
    makeFolder(host, 0o700);
    replaceKept(join(host, AUTHORITY_FILE), authority, 0o444);
    replaceKept(join(host, IDENTITY_FILE), `${certificate}${pemOf(privateKey)}`, 0o400);
  }
}

/** Folders of hosts may be there before, with their settings: only certificates count. */
function requireReady(folder: string, renew: boolean): void {
  const isThere = (...names: readonly string[]) => existsSync(join(folder, ...names));
  const whole = [AUTHORITY_FILE, AUTHORITY_KEY_FILE];
  const [there, ...more] = whole.filter((name) => isThere(name));
  if (there !== undefined && more.length === 0)
    throw new StartError(
      `${folder} has ${there}, and no ${whole.filter((name) => name !== there).join()}: put that back from where it is kept. If no host has a certificate yet, remove ${there} and make them again.`,
    );
  const made = there !== undefined || PEERS.some((peer) => isThere(peer, IDENTITY_FILE));
  if (renew !== made) throw refusal(folder, renew);
}

function makeAuthority(folder: string): void {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  makeFolder(folder, 0o700);
  replaceKept(join(folder, AUTHORITY_KEY_FILE), pemOf(privateKey), 0o400);
  const certificate = makeCertificate({
    ...lifetime(AUTHORITY_DAYS),
    subject: AUTHORITY_NAME,
    issuer: AUTHORITY_NAME,
    public_key: publicKey,
    authority_key: privateKey,
    for: 'authority',
  });
  replaceKept(join(folder, AUTHORITY_FILE), certificate, 0o444);
}

/** The lifetime of a certificate: from an hour ago, because the clocks of hosts differ, for this many days. */
function lifetime(days: number): { serial: Uint8Array; not_before: Date; not_after: Date } {
  const clock = systemClock();
  const now = clock.now().getTime();
  const serial = Buffer.concat([Uint8Array.of(1), systemChance(clock).bytes(15)]);
  return { serial, not_before: new Date(now - HOUR_MS), not_after: new Date(now + days * DAY_MS) };
}

function pemOf(key: KeyObject): string {
  return String(key.export({ type: 'pkcs8', format: 'pem' }));
}

function refusal(folder: string, renew: boolean): StartError {
  return renew
    ? new StartError(`There are no certificates in ${folder} to renew: make them first, without --renew.`)
    : new StartError(
        `${folder} holds certificates already, and none is overwritten. Renew those of the hosts with --renew, or name another folder.`,
      );
}

function readOwn(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new StartError(`${file} cannot be read: ${whyNot(error)}`);
  }
}
