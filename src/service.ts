// A running Florin: databases, simulated provider, hosts and worker, put together from the settings and taken apart in order.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { backofficePages } from './backoffice/host.ts';
import type { Config } from './config.ts';
import { type Databases, openDatabases } from './databases.ts';
import { type DemoAccount, demoAccount } from './demo-account.ts';
import { sandboxDestinations, sandboxDirect } from './destinations.ts';
import { systemChance, systemClock } from './kit/clock.ts';
import { type Egress, openEgress } from './kit/egress.ts';
import { type Addresses, type Host, type HostOptions, openHost } from './kit/http/host.ts';
import type { Caller, Route } from './kit/http/route.ts';
import { type Log, openLog } from './kit/log.ts';
import { StartError } from './kit/start-error.ts';
import { checkoutState } from './payment/checkout/read.ts';
import { accountOfKey } from './payment/merchant/account.ts';
import { seedDemo } from './payment/merchant/demo.ts';
import { paymentPages } from './payment/pages.ts';
import { paymentRoutes } from './payment/routes.ts';
import { Running, type Tools } from './payment/tools.ts';
import { type SimulatorProcess, runSimulator } from './simulator-process.ts';
import { Answers } from './vault/forward/answers.ts';
import { callerOfKey } from './vault/keys/callers.ts';
import { Cvcs } from './vault/card/cvcs.ts';
import { DataKeys, loadKek } from './vault/keys/keys.ts';
import { inProcessLink } from './vault/link.ts';
import { logoPaths } from './vault/logos/pages.ts';
import { vaultRoutes } from './vault/routes.ts';
import { deleteOld } from './vault/store.ts';
import type { VaultTools } from './vault/tools.ts';
import { startWorker } from './worker/loop.ts';

export type Service = {
  readonly addresses: Addresses;
  readonly demo: DemoAccount | undefined;
  readonly tools: Tools;
  close(): Promise<void>;
};

export type ServiceOptions = {
  readonly config: Config;
  readonly version: string;
  say(line: string): void;
  /** Called when the service cannot go on. */
  failed(error: Error): void;
};

const API_BODY_BYTES = 65_536;
const VAULT_BODY_BYTES = 8192;
/** How often old cvcs are overwritten and old cards deleted. */
const SWEEP_MS = 30_000;

export async function startService(options: ServiceOptions): Promise<Service> {
  const closers: (() => Promise<void>)[] = [];
  const close = async () => {
    for (const closer of closers.splice(0).toReversed()) await closer();
  };
  try {
    return { ...(await assemble(options, (closer) => closers.push(closer))), close };
  } catch (error) {
    await close();
    throw error;
  }
}

type Later = (closer: () => Promise<void>) => void;

async function assemble(options: ServiceOptions, later: Later): Promise<Omit<Service, 'close'>> {
  const { config } = options;
  const log = openLog(config.log_level);
  const kek = loadKek({
    folder: join(config.data_dir, 'keys'),
    environment: config.environment,
    chance: systemChance(systemClock()),
  });
  const simulator =
    config.environment === 'sandbox'
      ? await runSimulator({ data_dir: config.data_dir, log, sleep: (ms) => systemClock().sleep(ms) })
      : undefined;
  if (simulator) later(() => simulator.close());
  const databases = await openDatabases({ ...options, log });
  later(() => databases.close());
  const egress = openEgress();
  later(() => egress.close());
  const parts = { config, log, databases, egress, simulator };
  const addresses: Addresses = { base_url: config.base_url, vault_url: config.vault_url, backoffice_url: '' };
  const vault = vaultTools(parts, kek, addresses);
  const tools = paymentTools(parts, vault, addresses);
  const sweeper = setInterval(() => {
    vault.cvcs.sweep();
    deleteOld(vault.db).catch((error: unknown) => log.warn({ error: String(error) }, 'old cards could not be deleted'));
  }, SWEEP_MS);
  later(async () => {
    clearInterval(sweeper);
    // what is under way still needs its cvc
    await tools.running.drain();
    vault.cvcs.sweep('all');
    await vault.answers.flush();
  });
  const demo = config.environment === 'sandbox' ? demoAccount(config, tools.chance) : undefined;
  if (demo) await seedDemo(tools, demo.merchant_account_id, demo);
  const worker = startWorker(tools, log);
  later(() => worker.stop());
  for (const host of await openHosts({ options, tools, vault })) later(() => host.close());
  later(async () => {
    tools.running.ending = true;
  });
  return { addresses, demo, tools };
}

type Parts = {
  readonly config: Config;
  readonly log: Log;
  readonly databases: Databases;
  readonly egress: Egress;
  readonly simulator: SimulatorProcess | undefined;
};

function vaultTools(
  { config, log, databases, simulator }: Parts,
  kek: ReturnType<typeof loadKek>,
  addresses: Addresses,
): VaultTools {
  const clock = systemClock();
  const chance = systemChance(clock);
  return {
    db: databases.vault,
    relaxed_db: databases.vault_relaxed,
    keys: new DataKeys({ db: databases.vault, kek, chance, environment: config.environment }),
    cvcs: new Cvcs(clock),
    answers: new Answers(log),
    destinations: simulator ? sandboxDestinations(simulator.url) : new Map(),
    checkoutQuestion: (checkout_id, merchant_account_id) =>
      checkoutState({ db: databases.payment }, checkout_id, merchant_account_id),
    clock,
    chance,
    log,
    environment: config.environment,
    numbers: config.environment === 'production' ? 'real' : config.sandbox_listed_cards_only ? 'listed' : 'all',
    tokens_per_minute: config.tokens_per_minute,
    server_ips: config.server_ips,
    addresses,
  };
}

function paymentTools(
  { config, log, databases, egress, simulator }: Parts,
  vault: VaultTools,
  addresses: Addresses,
): Tools {
  const clock = systemClock();
  return {
    db: databases.payment,
    vault: inProcessLink(vault, egress),
    direct: simulator ? sandboxDirect(simulator.url, egress) : async () => undefined,
    clock,
    chance: systemChance(clock),
    log,
    environment: config.environment,
    key_letters: config.key_letters,
    addresses,
    running: new Running(),
  };
}

type Opening = { readonly options: ServiceOptions; readonly tools: Tools; readonly vault: VaultTools };

async function openHosts({ options, tools, vault }: Opening): Promise<readonly Host[]> {
  const { config, version } = options;
  const { addresses } = tools;
  const opened: Host[] = [];
  const host = async <C extends Caller>(at: { port: number; setting: string }, own: Own<C>): Promise<string> => {
    const { address, close } = await openHost<C>({ ...common(config, tools), ...own }, { host: config.host, ...at });
    opened.push({ address, close });
    return address;
  };
  const vault_routes = vaultRoutes(vault);
  const routes = paymentRoutes(tools);
  try {
    const vault_at = { port: config.vault_port, setting: 'FLORIN_VAULT_PORT' };
    const vault_address = await host(vault_at, {
      name: 'vault',
      routes: vault_routes,
      card_data: true,
      body_bytes: VAULT_BODY_BYTES,
      identify: callerOfKey(vault),
      ready: async () => ({ database: await vault.db.ready(), keys: true }),
      public: logoPaths(join(config.data_dir, 'logos'), tools.log),
    });
    addresses.vault_url ||= vault_address;
    const described = () => vault_routes.map((route) => ({ ...route, server: addresses.vault_url }));
    const api_address = await host(
      { port: config.api_port, setting: 'FLORIN_API_PORT' },
      {
        name: 'payment API',
        routes,
        body_bytes: API_BODY_BYTES,
        identify: accountOfKey(tools),
        ready: async () => ({ database: await tools.db.ready() }),
        public: paymentPages({ addresses, version, routes, vault_routes: described }),
      },
    );
    addresses.base_url ||= api_address;
    addresses.backoffice_url = await host(
      { port: config.backoffice_port, setting: 'FLORIN_BACKOFFICE_PORT' },
      {
        name: 'back office',
        routes: [],
        body_bytes: API_BODY_BYTES,
        identify: async () => undefined,
        ready: async () => ({ database: await tools.db.ready() }),
        public: backofficePages(addresses),
      },
    );
    return opened;
  } catch (error) {
    await Promise.all(opened.map((one) => one.close()));
    throw error;
  }
}

type Own<C extends Caller> = Pick<
  HostOptions<C>,
  'name' | 'routes' | 'card_data' | 'body_bytes' | 'identify' | 'ready' | 'public'
> & {
  readonly routes: readonly Route<C>[];
};

function common(config: Config, tools: Tools) {
  return {
    addresses: tools.addresses,
    production: config.environment === 'production',
    limits: {
      requests_per_second: config.requests_per_second,
      requests_running: config.requests_running,
      failed_keys_per_minute: config.failed_keys_per_minute,
    },
    connections: { behind_proxy: config.behind_proxy, exempt: config.server_ips },
    tls: readTls(config),
    clock: tools.clock,
    chance: tools.chance,
    log: tools.log,
  };
}

function readTls({ tls_cert_file, tls_key_file }: Config): { cert: string; key: string } | undefined {
  if (tls_cert_file === '' && tls_key_file === '') return undefined;
  try {
    return { cert: readFileSync(tls_cert_file, 'utf8'), key: readFileSync(tls_key_file, 'utf8') };
  } catch (error) {
    throw new StartError(`FLORIN_TLS_CERT_FILE or FLORIN_TLS_KEY_FILE cannot be read: ${String(error)}`);
  }
}
