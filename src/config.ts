// Every setting, as a row: name, meaning, default, form. The one reader of the environment; docs/settings.md comes from here.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { KILL_POINTS, isKillPoint } from './kit/crash.ts';
import { StartError } from './kit/start-error.ts';
import { LOG_LEVELS, type LogLevel } from './kit/log.ts';

type Kind =
  | 'text'
  | 'optional text'
  | 'port'
  | 'count'
  | 'choice'
  | 'postgres address'
  | 'web address'
  | 'key'
  | 'file'
  | 'list';
type Row = {
  readonly kind: Kind;
  readonly meaning: string;
  readonly default: string;
  readonly secret?: true;
  readonly choices?: readonly string[];
};

const row = (kind: Kind, standard: string, meaning: string): Row => ({ kind, default: standard, meaning });

export const SETTINGS = {
  FLORIN_ENVIRONMENT: {
    ...row('choice', 'sandbox', 'a sandbox never opens a connection to a real provider'),
    choices: ['sandbox', 'production'],
  },
  FLORIN_HOST: row('text', '127.0.0.1', 'address the hosts listen at'),
  FLORIN_API_PORT: row('port', '8080', 'port of the payment API; 0 takes a free one'),
  FLORIN_VAULT_PORT: row('port', '8081', 'port of the vault'),
  FLORIN_BACKOFFICE_PORT: row('port', '8082', 'port of the back office'),
  FLORIN_BASE_URL: row('web address', '', 'address of the payment API as callers see it; empty: host and port'),
  FLORIN_VAULT_URL: row('web address', '', 'address of the vault as browsers see it; empty: host and port'),
  FLORIN_DATA_DIR: row('text', 'data', 'folder of the embedded database, the key files and the sandbox'),
  FLORIN_DATABASE_URL: {
    ...row('postgres address', '', 'PostgreSQL 15 or newer for the money zone; empty: the embedded one'),
    secret: true,
  },
  FLORIN_VAULT_DATABASE_URL: {
    ...row(
      'postgres address',
      '',
      'PostgreSQL 15 or newer for the card zone; empty: the same server as the money zone',
    ),
    secret: true,
  },
  FLORIN_DATABASE_CONNECTIONS: row('count', '8', 'connections of each zone to its database'),
  FLORIN_BRAND: row('text', 'florin', 'gives the names of contract 1.2: two to twenty lower-case letters and digits'),
  FLORIN_KEY_LETTERS: row('text', 'FL', 'begin every key: two to six upper-case letters'),
  FLORIN_DEMO_PRIVATE_KEY: {
    ...row('key', '', 'private key of the demo account (sandbox on loopback only); empty: made at the first start'),
    secret: true,
  },
  FLORIN_DEMO_PUBLIC_KEY: {
    ...row('key', '', 'public key of the demo account (sandbox on loopback only); empty: made at the first start'),
    secret: true,
  },
  FLORIN_KEY_PROVIDER: {
    ...row(
      'choice',
      'file',
      'where the key-encryption key of the vault lives: two component files, or a transit engine',
    ),
    choices: ['file', 'transit'],
  },
  FLORIN_TRANSIT_URL: row(
    'web address',
    '',
    'OpenBao or HashiCorp Vault with the transit engine, for the provider transit',
  ),
  FLORIN_TRANSIT_MOUNT: row('text', 'transit', 'path at which the transit engine is mounted'),
  FLORIN_TRANSIT_KEY: row('text', 'florin-sandbox', 'name of the transit key; it ends with the environment'),
  FLORIN_TRANSIT_TOKEN_FILE: row('file', '', 'file with the token for the transit engine; read again for each call'),
  FLORIN_CVC_STORE: {
    ...row(
      'choice',
      'memory',
      'where a cvc waits: memory for one vault process, database (sealed, unlogged) for several',
    ),
    choices: ['memory', 'database'],
  },
  FLORIN_TLS_CERT_FILE: row('file', '', 'certificate chain (PEM) of the hosts; required in production'),
  FLORIN_TLS_KEY_FILE: row('file', '', 'private key (PEM) of the certificate'),
  FLORIN_REQUESTS_PER_SECOND: row('count', '100', 'requests of one key a second, twice as many in a burst'),
  FLORIN_REQUESTS_RUNNING: row('count', '40', 'requests of one key running at once'),
  FLORIN_TOKENS_PER_MINUTE: row('count', '60', 'tokenizations of one public key from one address a minute'),
  FLORIN_FAILED_KEYS_PER_MINUTE: row('count', '30', 'requests with an unknown key from one address a minute'),
  FLORIN_DATABASE_DURABLE: {
    ...row('choice', 'required', 'refuse a PostgreSQL that may lose a commit; unchecked: for tests in a sandbox only'),
    choices: ['required', 'unchecked'],
  },
  FLORIN_SIMULATOR_DEADLINE_S: row(
    'count',
    '10',
    'seconds the simulated providers are waited for; what they have not done after half as long again they never will',
  ),
  FLORIN_SIMULATOR_URL: row(
    'web address',
    '',
    'where the simulated providers run already (sandbox only); empty: they are started too',
  ),
  FLORIN_REVIEW_TWO_PEOPLE_ABOVE: row(
    'count',
    '100000',
    'an operation above so many minor units of its currency is settled by hand by two people only (florin review)',
  ),
  FLORIN_CRASH_AT: row(
    'optional text',
    '',
    'ends the process by SIGKILL at this point of src/kit/crash.ts (tests only, refused in production)',
  ),
  FLORIN_SERVER_IPS: row(
    'list',
    '',
    'addresses of merchant servers, exempt from the limit on tokenizations; separated by commas',
  ),
  FLORIN_LOG_LEVEL: { ...row('choice', 'info', 'what is logged to standard error'), choices: LOG_LEVELS },
} as const satisfies Record<string, Row>;

export type SettingName = keyof typeof SETTINGS;

export type Config = {
  readonly environment: 'sandbox' | 'production';
  readonly host: string;
  readonly api_port: number;
  readonly vault_port: number;
  readonly backoffice_port: number;
  readonly base_url: string;
  readonly vault_url: string;
  readonly data_dir: string;
  readonly database_url: string;
  readonly vault_database_url: string;
  readonly database_connections: number;
  readonly brand: string;
  readonly key_letters: string;
  readonly demo_private_key: string;
  readonly demo_public_key: string;
  readonly key_provider: 'file' | 'transit';
  readonly transit_url: string;
  readonly transit_mount: string;
  readonly transit_key: string;
  readonly transit_token_file: string;
  readonly cvc_store: 'memory' | 'database';
  readonly tls_cert_file: string;
  readonly tls_key_file: string;
  readonly requests_per_second: number;
  readonly requests_running: number;
  readonly tokens_per_minute: number;
  readonly failed_keys_per_minute: number;
  readonly database_durable: boolean;
  readonly simulator_deadline_s: number;
  readonly simulator_url: string;
  readonly review_two_people_above: bigint;
  readonly crash_at: string;
  readonly server_ips: ReadonlySet<string>;
  readonly log_level: LogLevel;
};

const FORMS: Readonly<Record<Kind, { readonly form: RegExp; readonly says: string }>> = {
  text: { form: /^.+$/, says: 'must not be empty' },
  'optional text': { form: /^.*$/, says: 'must be text' },
  port: {
    form: /^(?:0|[1-9]\d{0,3}|[1-5]\d{4}|6[0-4]\d{3}|65[0-4]\d{2}|655[0-2]\d|6553[0-5])$/,
    says: 'must be a port from 0 to 65535',
  },
  count: { form: /^[1-9]\d{0,6}$/, says: 'must be a whole number above 0' },
  choice: { form: /^.*$/, says: 'must be one of the choices' },
  'postgres address': {
    form: /^(?:postgres(?:ql)?:\/\/.+)?$/,
    says: 'must look like postgres://user:password@host:5432/database',
  },
  'web address': {
    form: /^(?:https?:\/\/[^/\s?#]+)?$/,
    says: 'must be an origin such as https://pay.example.com, without a path',
  },
  key: { form: /^(?:[A-Za-z0-9_-]{24,128})?$/, says: 'must be 24 to 128 letters, digits, _ or -' },
  file: { form: /^.*$/, says: 'must be a file' },
  list: { form: /^(?:[\da-fA-F.:]+(?:\s*,\s*[\da-fA-F.:]+)*)?$/, says: 'must be IP addresses, separated by commas' },
};

/**
 * Reads the settings, or throws one StartError that lists everything that is wrong. `alone`: each by itself only, for a command
 * that needs neither hosts nor databases.
 */
export function readConfig(
  environment: Readonly<Record<string, string | undefined>> = process.env,
  { alone = false }: { readonly alone?: boolean } = {},
): Config {
  const { values, problems } = readValues(environment);
  const text = (name: SettingName) => values.get(name) ?? '';
  const config: Config = {
    environment: text('FLORIN_ENVIRONMENT') === 'production' ? 'production' : 'sandbox',
    host: text('FLORIN_HOST'),
    api_port: Number(text('FLORIN_API_PORT')),
    vault_port: Number(text('FLORIN_VAULT_PORT')),
    backoffice_port: Number(text('FLORIN_BACKOFFICE_PORT')),
    base_url: text('FLORIN_BASE_URL'),
    vault_url: text('FLORIN_VAULT_URL'),
    data_dir: text('FLORIN_DATA_DIR'),
    database_url: text('FLORIN_DATABASE_URL'),
    vault_database_url: text('FLORIN_VAULT_DATABASE_URL'),
    database_connections: Number(text('FLORIN_DATABASE_CONNECTIONS')),
    brand: text('FLORIN_BRAND'),
    key_letters: text('FLORIN_KEY_LETTERS'),
    demo_private_key: text('FLORIN_DEMO_PRIVATE_KEY'),
    demo_public_key: text('FLORIN_DEMO_PUBLIC_KEY'),
    key_provider: text('FLORIN_KEY_PROVIDER') === 'transit' ? 'transit' : 'file',
    transit_url: text('FLORIN_TRANSIT_URL'),
    transit_mount: text('FLORIN_TRANSIT_MOUNT'),
    transit_key: text('FLORIN_TRANSIT_KEY'),
    transit_token_file: text('FLORIN_TRANSIT_TOKEN_FILE'),
    cvc_store: text('FLORIN_CVC_STORE') === 'database' ? 'database' : 'memory',
    tls_cert_file: text('FLORIN_TLS_CERT_FILE'),
    tls_key_file: text('FLORIN_TLS_KEY_FILE'),
    requests_per_second: Number(text('FLORIN_REQUESTS_PER_SECOND')),
    requests_running: Number(text('FLORIN_REQUESTS_RUNNING')),
    tokens_per_minute: Number(text('FLORIN_TOKENS_PER_MINUTE')),
    failed_keys_per_minute: Number(text('FLORIN_FAILED_KEYS_PER_MINUTE')),
    database_durable: text('FLORIN_DATABASE_DURABLE') === 'required',
    simulator_deadline_s: Number(text('FLORIN_SIMULATOR_DEADLINE_S')),
    simulator_url: text('FLORIN_SIMULATOR_URL'),
    review_two_people_above: BigInt(text('FLORIN_REVIEW_TWO_PEOPLE_ABOVE')),
    crash_at: text('FLORIN_CRASH_AT'),
    server_ips: new Set(
      text('FLORIN_SERVER_IPS')
        .split(',')
        .map((ip) => ip.trim())
        .filter(Boolean),
    ),
    log_level: LOG_LEVELS.find((level) => level === text('FLORIN_LOG_LEVEL')) ?? 'info',
  };
  if (!alone) problems.push(...crossProblems(config));
  if (problems.length > 0)
    throw new StartError(
      `Florin cannot start with these settings:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`,
    );
  return config;
}

/** Each setting by itself: what was given, or its default. */
function readValues(environment: Readonly<Record<string, string | undefined>>) {
  const problems: string[] = [];
  const values = new Map<string, string>();
  for (const [name, setting] of Object.entries<Row>(SETTINGS)) {
    const given = environment[name]?.trim();
    const value = given === undefined || given === '' ? setting.default : given;
    values.set(name, value);
    if (setting.choices && !setting.choices.includes(value))
      problems.push(`${name} must be one of ${setting.choices.join(', ')}`);
    else if (!FORMS[setting.kind].form.test(value)) problems.push(`${name} ${FORMS[setting.kind].says}`);
  }
  for (const name of Object.keys(environment))
    if (name.startsWith('FLORIN_') && !Object.hasOwn(SETTINGS, name) && !INTERNAL.has(name))
      problems.push(`${name} is no setting of Florin: see docs/settings.md`);
  return { values, problems };
}

/** Set by the launcher, not by people. */
const INTERNAL = new Set(['FLORIN_HANDED_OVER']);

export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127(?:\.\d{1,3}){3}$/.test(host);
}

function fileProblems(config: Config): readonly string[] {
  const { tls_cert_file, tls_key_file, data_dir, environment } = config;
  const problems: string[] = [];
  for (const [name, file] of Object.entries({ FLORIN_TLS_CERT_FILE: tls_cert_file, FLORIN_TLS_KEY_FILE: tls_key_file }))
    if (file !== '' && !existsSync(file)) problems.push(`${name} must be a file: there is no ${file}`);
  if ((tls_cert_file === '') !== (tls_key_file === '') && environment === 'sandbox')
    problems.push('FLORIN_TLS_CERT_FILE and FLORIN_TLS_KEY_FILE belong together: set both or none');
  problems.push(...transitProblems(config));
  if (environment === 'production' && config.key_provider === 'file' && !existsSync(join(data_dir, 'keys')))
    problems.push(`FLORIN_DATA_DIR must hold the folder keys with the vault's key files in production`);
  return problems;
}

function transitProblems({ key_provider, transit_url, transit_token_file, transit_key, transit_mount }: Config) {
  if (key_provider === 'file') return [];
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

function crossProblems(config: Config): readonly string[] {
  const problems: string[] = [...fileProblems(config)];
  if (!/^[a-z][a-z0-9]{1,19}$/.test(config.brand))
    problems.push('FLORIN_BRAND must be 2 to 20 lower-case letters and digits, a letter first');
  if (!/^[A-Z]{2,6}$/.test(config.key_letters)) problems.push('FLORIN_KEY_LETTERS must be 2 to 6 upper-case letters');
  const ports = [config.api_port, config.vault_port, config.backoffice_port].filter((port) => port > 0);
  if (new Set(ports).size < ports.length)
    problems.push('FLORIN_API_PORT, FLORIN_VAULT_PORT and FLORIN_BACKOFFICE_PORT must differ');
  const demo = config.demo_private_key !== '' || config.demo_public_key !== '';
  if (demo && (config.environment === 'production' || !isLoopback(config.host)))
    problems.push('FLORIN_DEMO_PRIVATE_KEY and FLORIN_DEMO_PUBLIC_KEY are for a sandbox on loopback only');
  if (config.demo_private_key !== '' && config.demo_private_key === config.demo_public_key)
    problems.push('FLORIN_DEMO_PRIVATE_KEY and FLORIN_DEMO_PUBLIC_KEY must differ');
  if (config.crash_at !== '' && config.environment === 'production')
    problems.push('FLORIN_CRASH_AT is refused in production');
  else if (config.crash_at !== '' && !isKillPoint(config.crash_at))
    problems.push(`FLORIN_CRASH_AT must be one of ${KILL_POINTS.join(', ')}`);
  if (config.simulator_url !== '' && config.environment === 'production')
    problems.push('FLORIN_SIMULATOR_URL is for a sandbox: production has no simulated provider');
  if (!config.database_durable && config.environment === 'production')
    problems.push('FLORIN_DATABASE_DURABLE must be required in production');
  if (config.environment === 'sandbox') return problems;
  if (config.database_url === '') problems.push('FLORIN_DATABASE_URL is required in production');
  if (config.vault_database_url === '') problems.push('FLORIN_VAULT_DATABASE_URL is required in production');
  if (!config.base_url.startsWith('https://')) problems.push('FLORIN_BASE_URL must be an https address in production');
  if (!config.vault_url.startsWith('https://'))
    problems.push('FLORIN_VAULT_URL must be an https address in production');
  if (config.tls_cert_file === '' || config.tls_key_file === '')
    problems.push(
      'FLORIN_TLS_CERT_FILE and FLORIN_TLS_KEY_FILE are required in production: no plain HTTP port is opened',
    );
  return problems;
}
