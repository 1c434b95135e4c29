// The settings of this process, read and checked. The one reader of the environment; the rows are in settings.ts.
import { type ProcessRole, roleProblems } from '../hosts/needs.ts';
import { type Durable, FORMS, UNCHECKED, pauseOf, readDurable, simulatorsOf } from './forms.ts';
import { type MailConfig, mailSettings } from './mail.ts';
import { type RetentionConfig, retentionSettings } from './retention.ts';
import { isLoopback } from './loopback.ts';
import { type Setting, SETTINGS } from './settings.ts';
import { unknownNames } from './unknown.ts';
import { type WalletConfig, walletProblems, walletSettings } from './wallets.ts';
import { KILL_POINTS, isKillPoint } from '../core/kill-points.ts';
import { NO_PROXIES, type Proxies, readProxies } from '../kit/http/callers/proxies.ts';
import { type TwoPeopleAbove, readTwoPeopleAbove } from '../core/people/two-people.ts';
import { StartError } from '../kit/start-error.ts';
import { LOG_LEVELS, type LogLevel } from '../kit/log.ts';

export type SettingName = keyof typeof SETTINGS;

export type Config = MailConfig &
  RetentionConfig &
  WalletConfig & {
    readonly environment: 'sandbox' | 'production';
    readonly host: string;
    readonly api_port: number;
    readonly vault_port: number;
    readonly backoffice_port: number;
    readonly shop_port: number;
    readonly base_url: string;
    readonly vault_url: string;
    readonly backoffice_url: string;
    readonly host_names: ReadonlySet<string>;
    readonly data_dir: string;
    readonly database_url: string;
    readonly vault_database_url: string;
    readonly database_connections: number;
    readonly brand: string;
    readonly key_letters: string;
    readonly demo_private_key: string;
    readonly demo_public_key: string;
    readonly mcp_key: string;
    readonly key_provider: 'file' | 'transit' | 'pkcs11';
    readonly transit_url: string;
    readonly transit_mount: string;
    readonly transit_key: string;
    readonly transit_token_file: string;
    readonly pkcs11_module: string;
    readonly pkcs11_token: string;
    readonly pkcs11_pin_file: string;
    readonly pkcs11_binding: string;
    readonly cvc_store: 'memory' | 'database';
    readonly tls_cert_file: string;
    readonly tls_key_file: string;
    readonly tls_dir: string;
    readonly link_host: string;
    readonly vault_link_port: number;
    readonly vault_link_url: string;
    readonly payment_link_port: number;
    readonly payment_link_url: string;
    readonly simulator_port: number;
    readonly simulator_url: string;
    /** Simulators of providers by name, each with where it runs already; empty: it is started here. */
    readonly with: ReadonlyMap<string, string>;
    readonly simulator_public_url: string;
    readonly simulator_pages_port: number;
    readonly destinations_file: string;
    readonly destinations_key_file: string;
    readonly requests_per_second: number;
    readonly requests_running: number;
    readonly tokens_per_minute: number;
    readonly alike_cards_per_day: number;
    readonly failed_keys_per_minute: number;
    readonly database_durable: Durable;
    readonly simulator_deadline_s: number;
    readonly review_two_people_above: TwoPeopleAbove;
    readonly second_person_hours: number;
    readonly crash_at: string;
    readonly server_ips: ReadonlySet<string>;
    readonly behind_proxy: boolean;
    readonly trusted_proxies: Proxies;
    readonly stop_pause_ms: number;
    /** NODE_OPTIONS, as Node has read them. */
    readonly node_options: string;
    readonly notification_private_targets: boolean;
    readonly sandbox_listed_cards_only: boolean;
    readonly address_countries_file: string;
    readonly card_ranges_file: string;
    /** Undefined: no metrics are shown. */
    readonly metrics_port: number | undefined;
    readonly metrics_host: string;
    /** Empty: none. */
    readonly otel_endpoint: string;
    readonly sandbox_seed: string;
    readonly log_level: LogLevel;
  };

export type Environment = Readonly<Record<string, string | undefined>>;

/** Reads the settings of a host, or throws one StartError that lists everything that is wrong or missing. */
export function readConfig(environment: Environment = process.env, role: ProcessRole = 'all'): Config {
  const { config, problems } = inspectConfig(role, {}, environment);
  if (problems.length === 0) return config;
  throw new StartError(
    `Florin cannot start with these settings:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`,
  );
}

/** The environment with some settings in place of those that stand there. */
export const environmentWith = (given: Environment): Environment => ({ ...process.env, ...given });

/** Names of those that are set. */
export function settingsGiven(): readonly string[] {
  return Object.keys(process.env).filter((name) => Object.hasOwn(SETTINGS, name) && process.env[name]?.trim() !== '');
}

/**
 * The settings as they are, or as they would be with others in their place, and all that is wrong: for who looks at
 * more than them.
 */
export function inspectConfig(
  role: ProcessRole,
  instead: Environment = {},
  real: Environment = process.env,
): { readonly config: Config; readonly problems: readonly string[] } {
  const environment = { ...real, ...instead };
  const problems: string[] = [];
  const values = readValues(environment, problems);
  const text = (name: SettingName) => values.get(name) ?? '';
  const config: Config = {
    environment: text('FLORIN_ENVIRONMENT') === 'production' ? 'production' : 'sandbox',
    host: text('FLORIN_HOST'),
    api_port: Number(text('FLORIN_API_PORT')),
    vault_port: Number(text('FLORIN_VAULT_PORT')),
    backoffice_port: Number(text('FLORIN_BACKOFFICE_PORT')),
    shop_port: Number(text('FLORIN_SHOP_PORT')),
    base_url: text('FLORIN_BASE_URL'),
    vault_url: text('FLORIN_VAULT_URL'),
    backoffice_url: text('FLORIN_BACKOFFICE_URL'),
    host_names: new Set(listOf(text('FLORIN_HOST_NAMES').toLowerCase())),
    data_dir: text('FLORIN_DATA_DIR'),
    database_url: text('FLORIN_DATABASE_URL'),
    vault_database_url: text('FLORIN_VAULT_DATABASE_URL'),
    database_connections: Number(text('FLORIN_DATABASE_CONNECTIONS')),
    brand: text('FLORIN_BRAND'),
    key_letters: text('FLORIN_KEY_LETTERS'),
    demo_private_key: text('FLORIN_DEMO_PRIVATE_KEY'),
    demo_public_key: text('FLORIN_DEMO_PUBLIC_KEY'),
    mcp_key: text('FLORIN_MCP_KEY'),
    ...keySettings(text),
    ...linkSettings(text),
    ...mailSettings(text),
    ...walletSettings(text),
    requests_per_second: Number(text('FLORIN_REQUESTS_PER_SECOND')),
    requests_running: Number(text('FLORIN_REQUESTS_RUNNING')),
    tokens_per_minute: Number(text('FLORIN_TOKENS_PER_MINUTE')),
    alike_cards_per_day: Number(text('FLORIN_ALIKE_CARDS_PER_DAY')),
    failed_keys_per_minute: Number(text('FLORIN_FAILED_KEYS_PER_MINUTE')),
    database_durable: readDurable(text('FLORIN_DATABASE_DURABLE')),
    simulator_deadline_s: Number(text('FLORIN_SIMULATOR_DEADLINE_S')),
    ...peopleSettings(text, problems),
    crash_at: text('FLORIN_CRASH_AT'),
    server_ips: new Set(listOf(text('FLORIN_SERVER_IPS'))),
    node_options: environment['NODE_OPTIONS'] ?? '',
    behind_proxy: text('FLORIN_BEHIND_PROXY') === 'yes',
    trusted_proxies: readProxies(listOf(text('FLORIN_TRUSTED_PROXIES'))) ?? trustNone(problems),
    stop_pause_ms: pauseOf(text),
    notification_private_targets: privateTargets(text),
    address_countries_file: text('FLORIN_ADDRESS_COUNTRIES_FILE'),
    card_ranges_file: text('FLORIN_CARD_RANGES_FILE'),
    sandbox_listed_cards_only: text('FLORIN_SANDBOX_LISTED_CARDS_ONLY') === 'yes',
    metrics_port: text('FLORIN_METRICS_PORT') === '' ? undefined : Number(text('FLORIN_METRICS_PORT')),
    metrics_host: text('FLORIN_METRICS_HOST'),
    otel_endpoint: text('FLORIN_OTEL_ENDPOINT'),
    sandbox_seed: text('FLORIN_SANDBOX_SEED'),
    log_level: LOG_LEVELS.find((level) => level === text('FLORIN_LOG_LEVEL')) ?? 'info',
    ...retentionSettings(text),
  };
  problems.push(...crossProblems(config), ...walletProblems(config), ...roleProblems(config, role));
  return { config, problems };
}

type Text = (name: SettingName) => string;

const listOf = (text: string): readonly string[] =>
  text
    .split(',')
    .map((one) => one.trim())
    .filter(Boolean);

function trustNone(problems: string[]): Proxies {
  problems.push('FLORIN_TRUSTED_PROXIES must be addresses or networks such as 10.0.0.0/8, separated by commas');
  return NO_PROXIES;
}

/**
 * `auto` is yes for a sandbox that only this machine can reach: not behind a proxy, and known under no other address.
 */
function privateTargets(text: Text): boolean {
  const wanted = text('FLORIN_NOTIFICATION_PRIVATE_TARGETS');
  if (text('FLORIN_ENVIRONMENT') === 'production' || wanted !== 'auto') return wanted === 'yes';
  const own = isLoopback(text('FLORIN_HOST')) && text('FLORIN_BASE_URL') === '';
  return own && text('FLORIN_BEHIND_PROXY') !== 'yes';
}

/** The settings that say from which amount two people are needed, and who counts as the second. */
function peopleSettings(text: Text, problems: string[]) {
  const written = text('FLORIN_REVIEW_TWO_PEOPLE_ABOVE');
  const read = readTwoPeopleAbove(written);
  if (!read)
    problems.push(
      `FLORIN_REVIEW_TWO_PEOPLE_ABOVE must be amounts in major units by currency, such as EUR=1000,JPY=150000${/^\d+$/.test(written) ? '; a number alone meant minor units of any currency, and is not taken any more' : ''}`,
    );
  return {
    review_two_people_above: read ?? (() => 0n),
    second_person_hours: Number(text('FLORIN_SECOND_PERSON_HOURS')),
  };
}

/** The settings that say where the vault's keys and the cvcs are. */
function keySettings(text: Text) {
  return {
    key_provider: (['transit', 'pkcs11'] as const).find((name) => name === text('FLORIN_KEY_PROVIDER')) ?? 'file',
    transit_url: text('FLORIN_TRANSIT_URL'),
    transit_mount: text('FLORIN_TRANSIT_MOUNT'),
    transit_key: text('FLORIN_TRANSIT_KEY'),
    transit_token_file: text('FLORIN_TRANSIT_TOKEN_FILE'),
    pkcs11_module: text('FLORIN_PKCS11_MODULE'),
    pkcs11_token: text('FLORIN_PKCS11_TOKEN'),
    pkcs11_pin_file: text('FLORIN_PKCS11_PIN_FILE'),
    pkcs11_binding: text('FLORIN_PKCS11_BINDING'),
    cvc_store: text('FLORIN_CVC_STORE') === 'database' ? 'database' : 'memory',
  } as const;
}

/** How the hosts are reached, and what they reach. */
function linkSettings(text: Text) {
  return {
    tls_cert_file: text('FLORIN_TLS_CERT_FILE'),
    tls_key_file: text('FLORIN_TLS_KEY_FILE'),
    tls_dir: text('FLORIN_TLS_DIR'),
    link_host: text('FLORIN_LINK_HOST'),
    vault_link_port: Number(text('FLORIN_VAULT_LINK_PORT')),
    vault_link_url: text('FLORIN_VAULT_LINK_URL'),
    payment_link_port: Number(text('FLORIN_PAYMENT_LINK_PORT')),
    payment_link_url: text('FLORIN_PAYMENT_LINK_URL'),
    simulator_port: Number(text('FLORIN_SIMULATOR_PORT')),
    simulator_url: text('FLORIN_SIMULATOR_URL'),
    with: simulatorsOf(text('FLORIN_WITH')),
    simulator_public_url: text('FLORIN_SIMULATOR_PUBLIC_URL'),
    simulator_pages_port: Number(text('FLORIN_SIMULATOR_PAGES_PORT')),
    destinations_file: text('FLORIN_DESTINATIONS_FILE'),
    destinations_key_file: text('FLORIN_DESTINATIONS_KEY_FILE'),
  } as const;
}

/** Every setting as a text, given or standard; what is wrong with one alone is added to the problems. */
function readValues(
  environment: Readonly<Record<string, string | undefined>>,
  problems: string[],
): ReadonlyMap<string, string> {
  const values = new Map<string, string>();
  for (const [name, setting] of Object.entries<Setting>(SETTINGS)) {
    const given = environment[name]?.trim();
    const value = given === undefined || given === '' ? setting.default : given;
    values.set(name, value);
    if (setting.choices && !setting.choices.includes(value))
      problems.push(`${name} must be one of ${setting.choices.join(', ')}`);
    else if (!FORMS[setting.kind].form.test(value)) problems.push(`${name} ${FORMS[setting.kind].says}`);
  }
  problems.push(...unknownNames(environment));
  return values;
}

function crossProblems(config: Config): readonly string[] {
  const problems: string[] = [];
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
  const production = config.environment === 'production';
  if (production && config.with.size > 0) problems.push('FLORIN_WITH is for a sandbox only');
  if (production && config.crash_at !== '') problems.push('FLORIN_CRASH_AT is refused in production');
  else if (config.crash_at !== '' && !isKillPoint(config.crash_at))
    problems.push(`FLORIN_CRASH_AT must be one of ${KILL_POINTS.join(', ')}`);
  if (production && config.notification_private_targets)
    problems.push('FLORIN_NOTIFICATION_PRIVATE_TARGETS=yes is refused in production');
  if (production && config.database_durable === 'unchecked') problems.push(UNCHECKED);
  return problems;
}
