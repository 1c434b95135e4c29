// The rights of a host that runs alone (Node's permission model): it may read its program and the files that its
// settings name, and nothing else. bin/florin.mjs asks for these options before it becomes the host, and the host
// starts no other program.
import { homedir } from 'node:os';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Config, readConfig } from '../settings/config.ts';
import { StartError } from '../kit/start-error.ts';
import { LIMITS_NOW, OPEN_NOW } from '../kit/process/descriptors.ts';
import { makeBackoffice } from '../backoffice/pages.ts';
import { buildElements } from '../vault/elements/assets.ts';
import type { HostRole } from './needs.ts';

export type Confined = Exclude<HostRole, 'all' | 'simulator'>;

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const PROGRAM = ['bin', 'src', 'web', 'node_modules', 'package.json'].map((name) => join(ROOT, name));

/** The folder in which Node keeps compiled code: Node does not read it if it may not write there. */
const CACHE = join(ROOT, 'node_modules/.cache/florin');

/** Node's options for this host; none when its settings are wrong, which it says itself. */
export async function permissionOptions(role: Confined): Promise<readonly string[]> {
  try {
    const config = readConfig(undefined, role);
    // the bundler is native code and a program of its own, which such a host does not load: what browsers get is made
    // before
    await makePages(role);
    return optionsOf(config, role);
  } catch (error) {
    if (error instanceof StartError) return [];
    throw error;
  }
}

/** Makes the pages and scripts that browsers get from this host, or from all hosts, unless they are made already. */
export async function makePages(role: Confined | 'all'): Promise<void> {
  if (role === 'vault' || role === 'all') await buildElements();
  if (role === 'payment' || role === 'all') await makeBackoffice();
}

export function optionsOf(config: Config, role: Confined): readonly string[] {
  const { environment, data_dir, key_provider } = config;
  const reads = [...PROGRAM, data_dir, LIMITS_NOW, OPEN_NOW, join(homedir(), '.pgpass'), ...named(config, role)];
  // a sandbox makes its keys and its demo account itself, and keeps compiled code; in production a host writes no file
  // at all
  const writes = environment === 'sandbox' ? [data_dir, CACHE] : [];
  return [
    '--permission',
    ...network(),
    ...reads.flatMap((path) => allowed('read', path)),
    ...writes.flatMap((path) => allowed('write', path)),
    // the binding of a hardware module is native code
    ...(role === 'vault' && key_provider === 'pkcs11' ? ['--allow-addons'] : []),
  ];
}

/** From Node 25 on the network is a right as well, given as a whole or not at all, with a warning at each start. */
function network(): readonly string[] {
  const is_asked_for = process.allowedNodeEnvironmentFlags.has('--allow-net');
  return is_asked_for ? ['--allow-net', '--disable-warning=ExperimentalWarning'] : [];
}

/** A folder is what is in it, too, whether it is there already or not. */
function allowed(what: 'read' | 'write', path: string): readonly string[] {
  const whole = resolve(path);
  return [whole, join(whole, '*')].map((one) => `--allow-fs-${what}=${one}`);
}

/** Files and folders that the settings name. */
function named(config: Config, role: Confined): readonly string[] {
  const { tls_cert_file, tls_key_file, tls_dir, destinations_file, destinations_key_file, smtp_ca_file } = config;
  const signed = [destinations_file, destinations_key_file, destinations_file && `${destinations_file}.sig`];
  const own = [tls_cert_file, tls_key_file, tls_dir, smtp_ca_file, ...signed];
  const all = role === 'vault' ? [...own, ...namedForVault(config)] : [...own, ...namedForMoney(config)];
  return all.filter((path) => path !== '');
}

function namedForMoney(config: Config): readonly string[] {
  const { smtp_password_file, address_countries_file, card_ranges_file } = config;
  return [smtp_password_file, address_countries_file, card_ranges_file, ...ofDatabase(config.database_url)];
}

function namedForVault(config: Config): readonly string[] {
  const { transit_token_file, pkcs11_pin_file } = config;
  const { pkcs11_module, pkcs11_binding } = config;
  const { google_pay_keys_file, apple_pay_root_file, apple_pay_association_file } = config;
  return [
    transit_token_file,
    pkcs11_pin_file,
    google_pay_keys_file,
    apple_pay_root_file,
    apple_pay_association_file,
    pkcs11_module,
    isAbsolute(pkcs11_binding) ? dirname(pkcs11_binding) : '',
    ...ofDatabase(config.vault_database_url),
  ];
}

/** The certificates that a database's address names. */
function ofDatabase(url: string): readonly string[] {
  const asked = URL.parse(url.replace('@/', '@localhost/'))?.searchParams;
  return ['sslrootcert', 'sslcert', 'sslkey'].map((name) => asked?.get(name) ?? '');
}
