// A Florin of its own for a test: a fresh database, every host on a free port, a merchant with keys, and the simulated
// bank behind a real socket. Only the bank is simulated.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { inject } from 'vitest';
import { openDestinations } from '../src/destinations.ts';
import { readConfig } from '../src/settings/config.ts';
import { seedDemo } from '../src/payment/merchant/demo.ts';
import { makeKeyText } from '../src/payment/merchant/keys.ts';
import { demoAccount } from '../src/hosts/demo-account.ts';
import { systemClock } from '../src/kit/clock.ts';
import { openDatabase } from '../src/kit/database.ts';
import { keepStatistics } from '../src/kit/database/statistics.ts';
import { openEgress } from '../src/kit/egress.ts';
import type { LinkClient } from '../src/kit/link/client.ts';
import { openLog } from '../src/kit/log.ts';
import { analyzePayment } from '../src/payment/metrics/metrics-store.ts';
import { remoteLink } from '../src/payment/vault-link/remote.ts';
import { type Service, startService } from '../src/hosts/service.ts';
import { type Simulator, startSimulator } from '../src/sandbox/simulator.ts';
import { type StartOptions, paymentTools } from '../src/hosts/zones.ts';
import { Client, type Keys } from './client.ts';
import { type Processes, startProcesses } from './hosts/processes.ts';
import { STARTED, TEMPLATE } from './global-setup.ts';

export type World = AsyncDisposable & {
  readonly service: Service;
  /** A client that acts as the demo merchant's server and page. */
  readonly shop: Client;
  readonly keys: Keys;
  /** The account of the demo merchant. */
  readonly account: string;
  readonly data_dir: string;
  readonly database: string;
  /** Another merchant account with keys of its own. */
  otherShop(): Promise<Client>;
  /** A client of the same hosts with other keys. */
  client(keys: Keys): Client;
  /** Runs SQL as the database's superuser: to look, to move the clock, or to break something. */
  sql<R extends pg.QueryResultRow>(text: string, values?: readonly unknown[]): Promise<R[]>;
};

/**
 * `npm run test:processes` runs the same tests over the other shape: payment, vault and worker in processes of their
 * own.
 */
const SHAPE = process.env['FLORIN_TEST_SHAPE'] === 'processes' ? 'processes' : 'one';

/** Settings of every test: limits so high that no test meets them, and no log. */
const WANTED = {
  FLORIN_REQUESTS_PER_SECOND: '100000',
  FLORIN_REQUESTS_RUNNING: '10000',
  FLORIN_TOKENS_PER_MINUTE: '100000',
  FLORIN_LOG_LEVEL: 'silent',
  FLORIN_DATABASE_DURABLE: 'unchecked',
};

/** A world whose hosts are processes of their own, even if the run is in one process. */
export async function worldOfProcesses(
  settings: Readonly<Record<string, string>> = {},
): Promise<World & { readonly service: Processes }> {
  return worldOf((at) =>
    startProcesses({
      folder: at.data_dir,
      payment_url: at.url('payment_app'),
      vault_url: at.url('vault_app'),
      settings: { ...WANTED, ...settings },
    }),
  );
}

/** A test may bring a provider table of its own. Not over processes: they know only the tables of the build. */
type Options = Pick<StartOptions, 'table'> & {
  /** The folder of a socket that leads to the database server, in place of its own: Florin goes this way. */
  readonly socket_dir?: string;
};

/** Starts a world. `settings` are laid over those of every test. */
export function world(
  settings: Readonly<Record<string, string>> = {},
  { socket_dir, ...options }: Options = {},
): Promise<World> {
  if (SHAPE === 'processes') return worldOfProcesses(settings);
  const start = async ({ data_dir, url }: At): Promise<Service> => {
    const bank = await ownBank(data_dir, settings);
    const config = readConfig({
      FLORIN_API_PORT: '0',
      FLORIN_VAULT_PORT: '0',
      FLORIN_BACKOFFICE_PORT: '0',
      FLORIN_DATA_DIR: data_dir,
      FLORIN_DATABASE_URL: url(inject('server').user),
      ...WANTED,
      ...(bank && { FLORIN_SIMULATOR_URL: `http://127.0.0.1:${bank.port}` }),
      ...settings,
    });
    const failed = (error: Error) => {
      throw error;
    };
    const service = await startService({ config, version: '0.0.0', say: () => undefined, failed, ...options });
    const close = async () => {
      await service.close();
      await bank?.close();
    };
    return { ...service, close };
  };
  return worldOf(start, STARTED, socket_dir);
}

/**
 * Starts the simulated bank in this process, because starting a process for it was a quarter of the cost of a world.
 * test/start tests it as a process of its own. Undefined: the test brings a bank, or the settings name one.
 */
async function ownBank(data_dir: string, settings: Readonly<Record<string, string>>): Promise<Simulator | undefined> {
  const { FLORIN_ENVIRONMENT: environment = 'sandbox', FLORIN_SIMULATOR_URL, FLORIN_SIMULATOR_PUBLIC_URL } = settings;
  if (environment !== 'sandbox' || FLORIN_SIMULATOR_URL || FLORIN_SIMULATOR_PUBLIC_URL) return undefined;
  const journal_file = join(data_dir, 'simulator.journal');
  const bank = await startSimulator({ host: '127.0.0.1', port: 0, journal_file, now: () => Date.now() });
  // commands beside the service look for the address here
  writeFileSync(join(data_dir, 'simulator.url'), `http://127.0.0.1:${bank.port}`, { mode: 0o600 });
  return bank;
}

type At = {
  readonly data_dir: string;
  /** The address of this world's database, for a login. */
  url(login: string): string;
};

/** A vault that does not answer. */
const NOBODY: LinkClient = { ask: async () => ({ kind: 'not_sent' }), close: async () => undefined };

/**
 * A database and the tools of the money zone, without a worker or hosts: for tests that do the worker's work
 * themselves.
 */
export async function idleWorld(): Promise<World & { readonly service: Service }> {
  return worldOf(async ({ data_dir, url }) => {
    const config = readConfig({
      FLORIN_DATA_DIR: data_dir,
      FLORIN_DATABASE_URL: url(inject('server').user),
      ...WANTED,
      FLORIN_NOTIFICATION_PRIVATE_TARGETS: 'yes',
    });
    const log = openLog('silent');
    const db = openDatabase({
      at: { url: url(inject('server').user) },
      role: 'payment_app',
      name: 'test',
      max: 8,
      log,
    });
    // a running Florin keeps statistics too: without them, statements keep the plans of empty tables, which read all
    // notifications of an endpoint
    const end = keepStatistics(() => analyzePayment(db), { log, commits: db.commits });
    const addresses = { base_url: '', vault_url: '', backoffice_url: '' };
    const parts = {
      config,
      log,
      addresses,
      databases: { payment: db, payment_relaxed: db },
      egress: openEgress(),
      simulator_url: undefined,
      destinations: await openDestinations(config, { simulator_url: 'http://127.0.0.1:9', simulators: config.with }),
      direct: async () => ({ outcome: 'not_sent', reason: 'refused' }) as const,
    };
    const tools = await paymentTools(parts, remoteLink({ link: NOBODY, clock: systemClock(), log }));
    const demo = demoAccount(config, tools.chance);
    const close = async () => {
      await tools.outside.destroy();
      await end();
      await db.close();
    };
    return { addresses, demo, tools, close };
  }, TEMPLATE);
}

async function worldOf<S extends Service>(
  start: (at: At) => Promise<S>,
  template = STARTED,
  socket_dir = inject('server').socket_dir,
): Promise<World & { readonly service: S }> {
  const server = inject('server');
  const data_dir = mkdtempSync(join(tmpdir(), 'florin-world-'));
  const database = `w_${data_dir.slice(-6).toLowerCase()}_${process.pid}`;
  const admin = await connect({ host: server.socket_dir, user: server.user, database: 'postgres' });
  // FILE_COPY does a third of the work of the usual strategy, which writes every page to the log
  await admin.query(`CREATE DATABASE "${database}" TEMPLATE ${template} STRATEGY FILE_COPY`);
  const url = (login: string) => `postgres://${login}@/${database}?host=${encodeURIComponent(socket_dir)}`;
  const service = await start({ data_dir, url });
  const { demo, addresses, tools } = service;
  if (!demo) throw new Error('a sandbox has a demo account');
  const inside = await connect({ host: server.socket_dir, user: server.user, database });
  await inside.query(NO_RULES);
  const client = (keys: Keys) => new Client(addresses, keys);
  const keys = { private_key: demo.private_key, public_key: demo.public_key };
  return {
    service,
    shop: client(keys),
    keys,
    account: demo.merchant_account_id,
    data_dir,
    database,
    client,
    otherShop: async () => {
      const make = (kind: 'private' | 'public') =>
        makeKeyText(tools.chance, { letters: 'FL', kind, environment: 'sandbox' });
      const other = { private_key: make('private'), public_key: make('public') };
      await seedDemo(tools, tools.chance.id(), { ...other, rules: [] });
      return client(other);
    },
    sql: async <R extends pg.QueryResultRow>(text: string, values: readonly unknown[] = []) =>
      (await inside.query<R>(text, [...values])).rows,
    [Symbol.asyncDispose]: async () => {
      await service.close();
      await inside.end();
      await admin.query(`DROP DATABASE "${database}" WITH (FORCE)`);
      await admin.end();
      rmSync(data_dir, { recursive: true, force: true });
    },
  };
}

/**
 * Takes the risk rules of a new account away: they have a test of their own. Elsewhere an order meets risk rules only
 * if its test publishes some.
 */
const NO_RULES = `ALTER TABLE payment.risk_versions DISABLE TRIGGER keep;
  DELETE FROM payment.risk_versions;
  ALTER TABLE payment.risk_versions ENABLE TRIGGER keep;
  UPDATE payment.merchant_accounts SET settings = settings - 'risk'`;

async function connect(at: pg.ClientConfig): Promise<pg.Client> {
  const client = new pg.Client(at);
  await client.connect();
  return client;
}
