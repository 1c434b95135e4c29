// Settings that each role of a deployment needs, and those that it must not have: a host knows its own secrets only.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Config, SettingName } from '../settings/config.ts';
import { readSender } from '../kit/mail/mailbox.ts';
import { isLoopback } from '../settings/loopback.ts';

/** Everything in one process, or one host alone; `tool` and the databases are commands that open no host. */
export type ProcessRole = 'all' | 'payment' | 'vault' | 'worker' | 'simulator' | Tool;
type Tool = 'tool' | 'doctor' | 'keys' | 'payment database' | 'vault database' | 'payment command' | 'vault command';
export type HostRole = Exclude<ProcessRole, Tool>;

type Need = { readonly must: readonly SettingName[]; readonly must_not: readonly SettingName[] };

const LINKED = ['FLORIN_DATABASE_URL', 'FLORIN_VAULT_LINK_URL', 'FLORIN_TLS_DIR'] as const;
const NOT_THE_VAULTS = ['FLORIN_VAULT_DATABASE_URL'] as const;

const NEEDS: Readonly<Record<ProcessRole, Need>> = {
  all: { must: [], must_not: [] },
  tool: { must: [], must_not: [] },
  // whichever host it runs on
  doctor: { must: [], must_not: [] },
  keys: { must: [], must_not: [] },
  'payment database': { must: ['FLORIN_DATABASE_URL'], must_not: [] },
  'vault database': { must: ['FLORIN_VAULT_DATABASE_URL'], must_not: [] },
  // beside the zone's hosts, on one of them; a sandbox finds its embedded database
  'payment command': { must: [], must_not: [] },
  'vault command': { must: [], must_not: [] },
  simulator: { must: [], must_not: ['FLORIN_DATABASE_URL', 'FLORIN_VAULT_DATABASE_URL'] },
  payment: { must: [...LINKED, 'FLORIN_VAULT_URL'], must_not: NOT_THE_VAULTS },
  worker: { must: LINKED, must_not: NOT_THE_VAULTS },
  vault: {
    must: ['FLORIN_VAULT_DATABASE_URL', 'FLORIN_TLS_DIR', 'FLORIN_BASE_URL'],
    must_not: ['FLORIN_DATABASE_URL', 'FLORIN_SMTP_PASSWORD_FILE'],
  },
};

/** They read keys and databases, which may be made before the other files are there. */
const OPENS_NO_HOST: ReadonlySet<ProcessRole> = new Set([
  'keys',
  'payment database',
  'vault database',
  'payment command',
  'vault command',
]);

const COMMANDS: Readonly<Record<ProcessRole, string>> = {
  all: 'florin start',
  payment: 'florin payment',
  vault: 'florin vault',
  worker: 'florin worker',
  simulator: 'florin simulator',
  tool: 'this command',
  doctor: 'florin doctor',
  keys: 'this command',
  'payment database': 'florin migrate payment',
  'vault database': 'florin migrate vault',
  'payment command': 'this command',
  'vault command': 'this command',
};

/** Everything that is missing or misplaced for this role. */
export function roleProblems(config: Config, role: ProcessRole): readonly string[] {
  const { must, must_not } = NEEDS[role];
  const alone = role === 'payment' || role === 'vault' || role === 'worker';
  const value = (name: SettingName) => valueOf(config, name);
  const problems = [
    ...must.filter((name) => value(name) === '').map((name) => `${name} is required for ${COMMANDS[role]}`),
    ...must_not
      .filter((name) => value(name) !== '')
      .map((name) => `${name} must not be set for ${COMMANDS[role]}: this host may not know it`),
    ...(OPENS_NO_HOST.has(role) ? [] : fileProblems(config)),
    ...linkProblems(config),
    ...mailProblems(config),
    ...(isForVault(role) ? keyProblems(config) : []),
  ];
  if (config.environment === 'production') return [...problems, ...productionProblems(config, role)];
  if (alone && config.simulator_url === '')
    problems.push(`FLORIN_SIMULATOR_URL is required for ${COMMANDS[role]} in a sandbox: run florin simulator`);
  return problems;
}

/** Texts only: the settings above are. */
function valueOf(config: Config, name: SettingName): string {
  const found = Object.entries(config).find(([key]) => name === `FLORIN_${key.toUpperCase()}`);
  return typeof found?.[1] === 'string' ? found[1] : '';
}

function linkProblems({ vault_link_url, payment_link_url, environment, simulator_url }: Config): readonly string[] {
  const links = { FLORIN_VAULT_LINK_URL: vault_link_url, FLORIN_PAYMENT_LINK_URL: payment_link_url };
  const problems = Object.entries(links)
    .filter(([, url]) => url.startsWith('http://'))
    .map(([name]) => `${name} must be an https address: a link is never without TLS`);
  if (environment === 'production' && simulator_url !== '')
    problems.push('FLORIN_SIMULATOR_URL is for a sandbox: production has no simulated provider');
  return problems;
}

/** The others may not even look at what is the vault's. */
const isForVault = (role: ProcessRole) => role !== 'payment' && role !== 'worker' && role !== 'payment command';

function fileProblems(config: Config): readonly string[] {
  const { tls_cert_file, tls_key_file, destinations_file, destinations_key_file, environment } = config;
  const { smtp_ca_file, smtp_password_file } = config;
  const files = {
    FLORIN_TLS_CERT_FILE: tls_cert_file,
    FLORIN_TLS_KEY_FILE: tls_key_file,
    FLORIN_DESTINATIONS_FILE: destinations_file,
    FLORIN_DESTINATIONS_KEY_FILE: destinations_key_file,
    FLORIN_SMTP_CA_FILE: smtp_ca_file,
    FLORIN_SMTP_PASSWORD_FILE: smtp_password_file,
  };
  const problems = Object.entries(files)
    .filter(([, file]) => file !== '' && !existsSync(file))
    .map(([name, file]) => `${name} must be a file: there is no ${file}`);
  if ((tls_cert_file === '') !== (tls_key_file === '') && environment === 'sandbox')
    problems.push('FLORIN_TLS_CERT_FILE and FLORIN_TLS_KEY_FILE belong together: set both or none');
  if (destinations_file !== '' && destinations_key_file === '' && environment === 'sandbox')
    problems.push('FLORIN_DESTINATIONS_KEY_FILE is required with FLORIN_DESTINATIONS_FILE: its signature is checked');
  return problems;
}

function mailProblems(config: Config): readonly string[] {
  const { smtp_host, smtp_tls, smtp_user, smtp_password_file, smtp_from } = config;
  if (smtp_host === '') return [];
  const problems: string[] = [];
  if (!/^[A-Za-z0-9.:-]+$/.test(smtp_host)) problems.push('FLORIN_SMTP_HOST must be the name or address of a host');
  if (!readSender(smtp_from))
    problems.push('FLORIN_SMTP_FROM must be an address such as pay@shop.example with FLORIN_SMTP_HOST');
  if (smtp_tls === 'none' && !isLoopback(smtp_host))
    problems.push('FLORIN_SMTP_TLS=none is for a mail server on this machine: mails let people in');
  if ((smtp_user === '') !== (smtp_password_file === ''))
    problems.push('FLORIN_SMTP_USER and FLORIN_SMTP_PASSWORD_FILE belong together: set both or none');
  return problems;
}

function keyProblems(config: Config): readonly string[] {
  const { key_provider, pkcs11_module, pkcs11_pin_file } = config;
  if (key_provider === 'transit') return transitProblems(config);
  if (key_provider === 'file') return [];
  const files = { FLORIN_PKCS11_MODULE: pkcs11_module, FLORIN_PKCS11_PIN_FILE: pkcs11_pin_file };
  return Object.entries(files)
    .filter(([, file]) => !existsSync(file))
    .map(([name]) => `${name} must be a file with FLORIN_KEY_PROVIDER=pkcs11`);
}

function transitProblems({ transit_url, transit_token_file, transit_key, transit_mount }: Config): readonly string[] {
  const problems: string[] = [];
  if (transit_url === '') problems.push('FLORIN_TRANSIT_URL is required with FLORIN_KEY_PROVIDER=transit');
  else if (!transit_url.startsWith('https://') && !isLoopback(new URL(transit_url).hostname))
    problems.push('FLORIN_TRANSIT_URL must be an https address, but on this machine itself');
  if (transit_token_file === '' || !existsSync(transit_token_file))
    problems.push('FLORIN_TRANSIT_TOKEN_FILE must be a file with FLORIN_KEY_PROVIDER=transit');
  for (const [name, path] of Object.entries({ FLORIN_TRANSIT_KEY: transit_key, FLORIN_TRANSIT_MOUNT: transit_mount }))
    if (!/^[A-Za-z0-9][A-Za-z0-9._/-]*$/.test(path)) problems.push(`${name} must be letters, digits, dots, - and _`);
  return problems;
}

function productionProblems(config: Config, role: ProcessRole): readonly string[] {
  const { data_dir, database_url, vault_database_url, base_url, vault_url, tls_cert_file, tls_key_file } = config;
  const { destinations_file, destinations_key_file, backoffice_url } = config;
  const problems: string[] = [];
  const among = (...shapes: readonly ProcessRole[]) => shapes.includes(role);
  if (among('simulator')) return ['florin simulator plays a provider: it is for a sandbox only'];
  if (among('all', 'vault', 'vault command') && config.key_provider === 'file' && !existsSync(join(data_dir, 'keys')))
    problems.push(`FLORIN_DATA_DIR must hold the folder keys with the vault's key files in production`);
  if (among('all', 'tool', 'payment command') && database_url === '')
    problems.push('FLORIN_DATABASE_URL is required in production');
  if (among('all', 'tool', 'vault command') && vault_database_url === '')
    problems.push('FLORIN_VAULT_DATABASE_URL is required in production');
  if (among('all', 'payment', 'vault', 'worker') && (destinations_file === '' || destinations_key_file === ''))
    problems.push(
      'FLORIN_DESTINATIONS_FILE and FLORIN_DESTINATIONS_KEY_FILE are required in production: without them no provider may be called',
    );
  // its links let people in, and stand in mails and notifications, which any of these writes
  if (among('all', 'payment', 'worker') && !backoffice_url.startsWith('https://'))
    problems.push('FLORIN_BACKOFFICE_URL must be an https address in production');
  if (!among('all', 'payment', 'vault')) return problems;
  if (!base_url.startsWith('https://')) problems.push('FLORIN_BASE_URL must be an https address in production');
  if (!vault_url.startsWith('https://')) problems.push('FLORIN_VAULT_URL must be an https address in production');
  if (tls_cert_file === '' || tls_key_file === '')
    problems.push(
      'FLORIN_TLS_CERT_FILE and FLORIN_TLS_KEY_FILE are required in production: no plain HTTP port is opened',
    );
  return problems;
}
