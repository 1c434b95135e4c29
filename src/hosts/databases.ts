// The databases of a deployment: the embedded server or the operator's, migrated, and opened once for each zone under
// that zone's own role.
import pg from 'pg';
import type { Config } from '../settings/config.ts';
import { type Place, RELAXED_CONNECTIONS, connectTo, requireServer } from './connect.ts';
import { systemChance, systemClock } from '../kit/clock.ts';
import { type Database, openDatabase } from '../kit/database.ts';
import { Door, type DoorOptions } from '../kit/database/door.ts';
import { NO_FILE, readOnly, seenFile } from '../kit/database/seen-file.ts';
import { type Embedded, startEmbedded } from '../kit/embedded.ts';
import { keepStatistics } from '../kit/database/statistics.ts';
import { findEmbedded } from '../kit/embedded/old-server.ts';
import type { Log } from '../kit/log.ts';
import { ensureDatabase, inspectLogin, inspectSoundness } from '../kit/login.ts';
import { type Zone, migrate, requireMigrated } from '../kit/migrate.ts';
import { StartError, notInDataFolder } from '../kit/start-error.ts';
import { analyzePayment } from '../payment/metrics/metrics-store.ts';
import { missingOrders } from '../payment/order/facts/missing-store.ts';
import { PAYMENT_ZONE } from '../payment/zone.ts';
import { analyzeVault } from '../vault/metrics/metrics-store.ts';
import { VAULT_ZONE } from '../vault/zone.ts';

export type PaymentDatabase = {
  readonly payment: Database;
  /** The money zone's, without waiting for the disk: for the request log, which may lose its last rows. */
  readonly payment_relaxed: Database;
};
export type VaultDatabase = {
  readonly vault: Database;
  /** The card zone's, without waiting for the disk: for the one update that may be lost. */
  readonly vault_relaxed: Database;
};
type Closing = { close(): Promise<void> };
export type Databases = PaymentDatabase & VaultDatabase & Closing;

export type OpenOptions = {
  readonly config: Config;
  readonly log: Log;
  say(line: string): void;
  failed(error: Error): void;
  /** Settings of the embedded server over its usual ones, for a sandbox that is thrown away. */
  readonly postgres?: Readonly<Record<string, string>>;
  /** An owner's login is expected, also in production. */
  readonly migrating?: true;
};
export const OLDEST = 150_000;

/** Opens the databases of both zones: the operator's, or those in the embedded server. */
export async function openDatabases(options: OpenOptions): Promise<Databases> {
  const { config } = options;
  const embedded = config.database_url === '' ? await keepEmbedded(options) : undefined;
  try {
    const place: Place = embedded ? embedded.place : { url: config.database_url };
    const payment = await openPaymentDatabase(options, place);
    const vault = await openVaultDatabase(
      options,
      config.vault_database_url === '' ? place : { url: config.vault_database_url },
    );
    const close = async () => {
      await Promise.all([payment.close(), vault.close()]);
      await embedded?.stop();
    };
    return { ...payment, ...vault, close };
  } catch (error) {
    await embedded?.stop();
    throw error;
  }
}

/** The card zone's database alone, for a command beside the running service: it must be migrated. */
export async function openVaultBeside(config: Config, log: Log): Promise<{ db: Database; close(): Promise<void> }> {
  const place = placeOfZone(config, 'vault');
  const options: OpenOptions = { config, log, say: () => undefined, failed: () => undefined };
  const role = await prepare(place, { zone: VAULT_ZONE, setting: 'FLORIN_VAULT_DATABASE_URL', options });
  const db = openDatabase({ at: place, ...role, name: 'florin vault command', max: 4, log });
  return { db, close: () => db.close() };
}

/** The money zone's database alone, for a command beside the running service: it must be migrated. */
export async function openPaymentBeside(config: Config, log: Log): Promise<{ db: Database; close(): Promise<void> }> {
  const place = placeOfZone(config, 'payment');
  const options: OpenOptions = { config, log, say: () => undefined, failed: () => undefined };
  const role = await prepare(place, { zone: PAYMENT_ZONE, setting: 'FLORIN_DATABASE_URL', options });
  const db = openDatabase({ at: place, ...role, name: 'florin payment command', max: 4, log });
  return { db, close: () => db.close() };
}

/** The address of a zone's database, for a command beside the running service. */
export function placeOfZone({ database_url, vault_database_url, ...config }: Config, zone: 'payment' | 'vault'): Place {
  const url = zone === 'vault' ? vault_database_url || database_url : database_url;
  return url === '' ? runningEmbedded(config) : { url };
}

function runningEmbedded(config: Pick<Config, 'data_dir'>): Place {
  const running = findEmbedded(config.data_dir);
  if (!running) throw notInDataFolder(config.data_dir, 'No database runs');
  return { ...running, database: DATABASE };
}

/** Connections of the money zone by which nothing is written: lists and reads of a state do not wait with commits. */
const READERS = 2;

/** The money zone's alone. */
export async function openPaymentDatabase(
  options: OpenOptions,
  at: Place = { url: options.config.database_url },
): Promise<PaymentDatabase & Closing> {
  const door = doorOf(PAYMENT_ZONE, options, missingOrders);
  const role = await prepare(at, { zone: PAYMENT_ZONE, setting: 'FLORIN_DATABASE_URL', options, ...door });
  const max = options.config.database_connections;
  const readers = max >= 2 * READERS ? READERS : 0;
  const payment = openDatabase({ at, ...role, ...door, name: 'florin payment', max, readers, log: options.log });
  const relaxed = { name: 'florin payment relaxed', max: RELAXED_CONNECTIONS, relaxed: true } as const;
  const payment_relaxed = openDatabase({ at, ...role, ...door, ...relaxed, log: options.log });
  const end = keepStatistics(() => analyzePayment(payment), { log: options.log, commits: payment.commits });
  const close = async () => {
    await end();
    await Promise.all([payment.close(), payment_relaxed.close()]);
  };
  return { payment, payment_relaxed, close };
}

/** The card zone's alone. */
export async function openVaultDatabase(
  options: OpenOptions,
  at: Place = { url: options.config.vault_database_url },
): Promise<VaultDatabase & Closing> {
  const door = doorOf(VAULT_ZONE, options);
  const role = await prepare(at, { zone: VAULT_ZONE, setting: 'FLORIN_VAULT_DATABASE_URL', options, ...door });
  const max = options.config.database_connections;
  const vault = openDatabase({ at, ...role, ...door, name: 'florin vault', max, log: options.log });
  const relaxed = { name: 'florin vault relaxed', max: RELAXED_CONNECTIONS, relaxed: true } as const;
  const vault_relaxed = openDatabase({ at, ...role, ...door, ...relaxed, log: options.log });
  const end = keepStatistics(() => analyzeVault(vault), { log: options.log, commits: vault.commits });
  const close = async () => {
    await end();
    await Promise.all([vault.close(), vault_relaxed.close()]);
  };
  return { vault, vault_relaxed, close };
}

/** Which server of the zone is believed; not asked where a test wants none of the checks. */
function doorOf(
  { schema }: Zone,
  { config, log, failed, migrating }: OpenOptions,
  missing?: DoorOptions['missing'],
): { readonly door?: Door } {
  if (config.database_durable === 'unchecked') return {};
  const clock = systemClock();
  const chance = systemChance(clock);
  const file = seenFile(config.data_dir, schema);
  const door = new Door({
    schema,
    // the embedded database is in the same folder: both are there, or none
    file: config.database_url === '' ? NO_FILE : migrating ? readOnly(file) : file,
    log,
    replicated: config.database_durable === 'replicated',
    production: config.environment === 'production',
    // a clock of its own is never moved
    now_ms: () => clock.now().getTime(),
    newMark: () => chance.bytes(12).toString('hex'),
    failed,
    ...(missing && { missing }),
  });
  return { door };
}

/** Migrates one zone's database and says under which role the zone works in it. */
async function prepare(
  place: Place,
  { zone, setting, options, door }: { zone: Zone; setting: string; options: OpenOptions; door?: Door },
): Promise<{ role?: string }> {
  const client = await connectTo(place, setting);
  try {
    const role = await prepareWith(client, { zone, setting, options });
    if (door) await requireServer(client, { door, setting });
    return role;
  } finally {
    await client.end();
  }
}

async function prepareWith(
  client: pg.Client,
  { zone, setting, options }: { zone: Zone; setting: string; options: OpenOptions },
): Promise<{ role?: string }> {
  const login = await inspectLogin(client);
  if (!login || login.version < OLDEST)
    throw new StartError(`The database of ${setting} is too old: PostgreSQL 15 or newer is needed.`);
  const app = zone.roles[0]?.name ?? '';
  if (login.name === app) {
    const newer = await requireMigrated(client, zone);
    if (newer !== undefined)
      options.say(
        `the schema ${zone.schema} is of a newer Florin (${newer}), on which only the version before it runs`,
      );
    await requireSound(client, { zone, setting, options });
    return {};
  }
  if (options.config.environment === 'production' && !options.migrating)
    throw new StartError(
      `${setting} must log in as ${app}, the least-privileged role of its zone. Migrate with an owner's address first (florin migrate), then start with ${app}.`,
    );
  if (!login.owner)
    throw new StartError(
      `The login ${login.name} of ${setting} may not create roles and schemas. Use an owner's login, or migrate first and log in as ${app}.`,
    );
  const ran = await migrate(client, zone).catch((error: unknown) => {
    if (!(error instanceof pg.DatabaseError) || error.code !== '42501') throw error;
    throw new StartError(
      `The login ${login.name} of ${setting} may not do what the migration of schema ${zone.schema} needs: ${error.message}. Use the login that owns the database, or a superuser's.`,
      { cause: error },
    );
  });
  if (ran.length > 0) options.say(`schema ${zone.schema}: ${ran.length} migration${ran.length === 1 ? '' : 's'} run`);
  await requireSound(client, { zone, setting, options });
  return { role: app };
}

/** Refuses a database that may lose what was acknowledged, or in which merchants are not kept apart. */
async function requireSound(
  client: pg.Client,
  { zone, setting, options }: { zone: Zone; setting: string; options: OpenOptions },
): Promise<void> {
  const { config, log } = options;
  const sound = await inspectSoundness(client, zone.roles[0]?.name ?? '', zone.schema);
  const problems: string[] = [];
  if (config.database_durable !== 'unchecked' && sound.unsafe.length > 0)
    problems.push(`it may lose what was acknowledged: ${sound.unsafe.join(', ')}. Switch that on in postgresql.conf`);
  if (sound.powers.length > 0)
    problems.push(
      `the role ${zone.roles[0]?.name} ${sound.powers.join(' and ')}, so nothing keeps the merchants apart`,
    );
  // the card zone's border is its role and its keys; the database separates the money zone's rows by account as well
  if (zone.guarded && sound.open_tables.length > 0)
    problems.push(`row-level security is not enabled and forced on ${sound.open_tables.join(', ')}`);
  if (!sound.checksums && config.environment === 'production')
    problems.push('data checksums are off, so a broken disk is not noticed. Switch them on with pg_checksums');
  else if (!sound.checksums) log.warn({ setting }, 'data checksums are off: a production start would refuse this');
  if (problems.length > 0)
    throw new StartError(
      `The database of ${setting} cannot be used:\n${problems.map((one) => `  - ${one}`).join('\n')}`,
    );
}

/**
 * How many restarts are allowed within one quiet time; after a server has stayed up that long, the count begins anew.
 */
const MAX_RESTARTS = 3;
const QUIET_MS = 600_000;
const DATABASE = 'florin';

/** Runs the embedded server and starts it again when it dies under us; gives up clearly when it will not stay up. */
async function keepEmbedded({
  config,
  say,
  failed,
  log,
  postgres: settings = {},
}: OpenOptions): Promise<{ place: Place; stop(): Promise<void> }> {
  const start = () => startEmbedded({ data_dir: config.data_dir, settings, say });
  let server: Embedded = await start();
  let stopping = false;
  let restarts = 0;
  const clock = systemClock();
  const watch = async (): Promise<void> => {
    const started = clock.ticks();
    await server.ended;
    if (stopping) return;
    if (clock.ticks() - started > QUIET_MS) restarts = 0;
    log.error({ restarts, said: server.lastWords().slice(-500) }, 'the embedded database ended; starting it again');
    if (restarts++ >= MAX_RESTARTS)
      throw new StartError(`The embedded database does not stay up. Its last words:\n${server.lastWords()}`);
    const { socket_dir } = server;
    server = await start();
    if (server.socket_dir !== socket_dir)
      throw new StartError('The embedded database came back at another place. Start Florin again.');
    await watch();
  };
  watch().catch((error: unknown) => failed(error instanceof Error ? error : new Error(String(error))));
  const { socket_dir, user, database } = server;
  await ensureDatabase({ host: socket_dir, user, database }, DATABASE);
  return {
    place: { socket_dir, user, database: DATABASE },
    stop: async () => {
      stopping = true;
      await server.stop();
    },
  };
}
