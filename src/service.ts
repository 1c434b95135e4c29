// A running Florin: databases, simulated provider, hosts and worker, put together from the settings and taken apart in order.
// One zone alone: hosts/alone.ts.
import { inviteFirstOwner } from './backoffice/people/invite.ts';
import { auditorOf, openKeyProvider } from './commands/key-provider.ts';
import type { Config } from './config.ts';
import type { PaymentLink } from './core/link/verbs.ts';
import { type Databases, type PaymentDatabase, type VaultDatabase, openDatabases } from './databases.ts';
import { type DemoAccount, demoAccount } from './demo-account.ts';
import { directOf, openDestinations, sandboxControl, sandboxEgress } from './destinations.ts';
import { openPaymentHosts, openVaultHost } from './hosts/listeners.ts';
import { observe } from './hosts/observe.ts';
import { requireFreePorts } from './hosts/ports.ts';
import { watchQueues } from './payment/figures/figures.ts';
import { watchKeys } from './vault/figures/figures.ts';
import { systemChance, systemClock } from './kit/clock.ts';
import { crashAt } from './kit/crash.ts';
import { type Egress, openEgress } from './kit/egress.ts';
import type { Addresses } from './kit/http/host.ts';
import { openOrigins } from './kit/origin/origins.ts';
import { keepPrivate } from './kit/process/private-folder.ts';
import { type Log, openLog } from './kit/log.ts';
import { StartError } from './kit/start-error.ts';
import { paymentLink } from './payment/vault-link/answers.ts';
import { seedDemo } from './payment/merchant/demo.ts';
import { authenticator, providers } from './provider/registry.ts';
import { beginClock } from './payment/sandbox/clock/store.ts';
import { makeBreaker } from './payment/routing/breaker.ts';
import { keepMessageSecrets } from './payment/settlement/store.ts';
import { PAGE_SCRIPTS } from './payment/page/scripts.ts';
import { pagePaths } from './payment/page/paths.ts';
import { openZoneKey } from './payment/zone-key.ts';
import { Running, type Tools, noTimekeeper } from './payment/tools.ts';
import { type VaultLink, inOneProcess } from './payment/vault-link.ts';
import { outsideTo } from './hosts/outside.ts';
import { type SimulatorProcess, pagesOf, runSimulator } from './hosts/simulator-process.ts';
import { numbersTaken } from './vault/card/numbers.ts';
import { MemoryCvcs } from './vault/card/cvcs.ts';
import { SealedCvcs } from './vault/cvc/sealed-cvcs.ts';
import { buildElements } from './vault/elements/assets.ts';
import { contractCache } from './vault/contracts/contracts.ts';
import { Answers } from './vault/forward/answers.ts';
import { type Destinations, openCarrier } from './vault/forward/destinations.ts';
import { DataKeys } from './vault/keys/keys.ts';
import type { KeyProvider } from './vault/keys/provider.ts';
import { followVaultClock } from './vault/clock/move.ts';
import { beginShift } from './vault/clock/store.ts';
import { vaultLink } from './vault/link.ts';
import { deleteOld } from './vault/store.ts';
import { Sweeps } from './vault/card/sweeps.ts';
import type { VaultTools } from './vault/tools.ts';
import { type Job, jobsOf } from './worker/jobs.ts';
import { startWorker } from './worker/loop.ts';
import { type Keeping, makeTimekeeper } from './worker/timekeeper.ts';

export type Service = {
  readonly addresses: Addresses;
  readonly demo: DemoAccount | undefined;
  /** Where the first owner of the demo account makes themselves known; undefined: it has one. */
  readonly first_link?: string | undefined;
  readonly tools: Tools;
  /** Where Prometheus reads; undefined where no port is set. */
  readonly metrics_url?: string | undefined;
  close(): Promise<void>;
};

export type ServiceOptions = {
  readonly config: Config;
  readonly version: string;
  say(line: string): void;
  /** Called when the service cannot go on. */
  failed(error: Error): void;
  /** A fresh sandbox whose clock begins at this moment. */
  readonly begins_at?: Date;
};

/** How often old cvcs are overwritten and old cards deleted. */
const SWEEP_MS = 30_000;

export function startService(options: ServiceOptions): Promise<Service> {
  return inOrder((later) => assemble(options, later));
}

/** What is to be done at the end, the last first. */
export type Later = (closer: () => Promise<void>) => void;

/** Puts something together, and takes it apart in the other order: at its end, or when the putting together fails. */
export async function inOrder<T>(make: (later: Later) => Promise<T>): Promise<T & { close(): Promise<void> }> {
  const closers: (() => Promise<void>)[] = [];
  const close = async () => {
    for (const closer of closers.splice(0).toReversed()) await closer();
  };
  try {
    return { ...(await make((closer) => closers.push(closer))), close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function assemble(options: ServiceOptions, later: Later): Promise<Omit<Service, 'close'>> {
  const { config } = options;
  keepPrivate(config.data_dir);
  const log = openLog(config.log_level);
  const metrics_url = await observe({ ...options, shape: 'all' }, later);
  const egress = outsideOf(config)();
  later(() => egress.close());
  const provider = await openKeyProvider({ config, chance: systemChance(systemClock()), egress });
  const simulator = config.environment === 'sandbox' ? await simulate(config, log) : undefined;
  if (simulator) later(() => simulator.close());
  const destinations = openDestinations(config, simulator?.url);
  const databases = await openDatabases({ ...options, log });
  later(() => databases.close());
  await requireFreePorts(config);
  if (options.begins_at) await beginAt(databases, options.begins_at);
  const addresses = addressesOf(config);
  const money = paymentLink({ db: databases.payment });
  const vault = vaultTools({ config, log, databases, destinations, addresses }, provider, money);
  later(() => vault.keys.close());
  later(await followVaultClock(vault));
  await vault.keys.open();
  await vault.cvcs.sweep();
  const carrier = openCarrier(destinations, outsideOf(config));
  later(() => carrier.close());
  const link = inOneProcess(vaultLink(vault, carrier));
  const tools = await paymentTools({ config, log, databases, addresses, egress, simulator_url: simulator?.url }, link);
  later(() => tools.outside.destroy());
  // what is under way still needs its cvc
  later(sweep(vault, () => tools.running.drain()));
  const demo = config.environment === 'sandbox' ? demoAccount(config, tools.chance) : undefined;
  if (demo) await seedDemo(tools, demo.merchant_account_id, demo);
  const jobs = jobsOf(tools);
  const keeping = await keepTime(tools, jobs, later);
  const worker = startWorker(tools, { jobs, log, paused: keeping.driving });
  tools.waker.wake = () => worker.wake();
  later(() => worker.stop());
  const bundles = await buildElements();
  const pages = { bundles, public: pagePaths({ tools, brand: config.brand }), page_scripts: PAGE_SCRIPTS, egress };
  const vault_host = await openVaultHost(options, vault, pages);
  later(() => vault_host.close());
  for (const host of await openPaymentHosts(options, tools)) later(() => host.close());
  later(async () => {
    tools.running.ending = true;
  });
  const ends = [watchQueues(tools), watchKeys(vault.keys)];
  later(async () => ends.forEach((end) => end()));
  const first_link = demo && (await firstLink(tools, demo));
  return { addresses, demo, first_link, tools, metrics_url };
}

/** Steered at any free port of this machine; only the bank's pages stand where a proxy finds them. */
async function simulate(config: Config, log: Log): Promise<SimulatorProcess> {
  const { data_dir, simulator_url: url, simulator_public_url, simulator_pages_port } = config;
  const sleep = (ms: number) => systemClock().sleep(ms);
  return runSimulator({ url, data_dir, log, ...pagesOf(config), sleep }).catch((error: unknown) => {
    if (simulator_public_url === '') throw error;
    const why = `The simulated bank's pages did not start at port ${simulator_pages_port}: if it is taken, set FLORIN_SIMULATOR_PAGES_PORT.`;
    throw new StartError(why, { cause: error });
  });
}

/** A new link with each start, until somebody has used one. */
export async function firstLink(tools: Tools, demo: DemoAccount): Promise<string | undefined> {
  const path = await inviteFirstOwner(tools, demo.merchant_account_id);
  return path && tools.addresses.backoffice_url + path;
}

async function beginAt({ payment, vault }: Databases, moment: Date): Promise<void> {
  const shift_ms = moment.getTime() - systemClock().now().getTime();
  await beginClock(payment, shift_ms);
  await beginShift(vault, shift_ms);
}

/** Takes the clock from the database, and from now on moves it when a sandbox is asked to. */
export async function keepTime(tools: Tools, jobs: readonly Job[], later: Later): Promise<Keeping> {
  const keeping = makeTimekeeper(tools, jobs);
  tools.timekeeper.look = keeping.look;
  tools.timekeeper.reach = keeping.reach;
  later(await keeping.follow());
  return keeping;
}

/** The way to other hosts; the simulated providers of a sandbox have a word of their own for a call nobody took. */
export function outsideOf({ environment }: Config): typeof openEgress {
  return environment === 'sandbox' ? (options) => sandboxEgress(openEgress(options)) : openEgress;
}

export function addressesOf({ base_url, vault_url, backoffice_url }: Config): Addresses {
  return { base_url, vault_url, backoffice_url };
}

type Parts = { readonly config: Config; readonly log: Log; readonly addresses: Addresses };

export function vaultTools(
  { config, log, addresses, databases, destinations }: Parts & { databases: VaultDatabase; destinations: Destinations },
  provider: KeyProvider,
  payment: PaymentLink,
): VaultTools {
  const clock = systemClock();
  const chance = systemChance(clock);
  const audit = auditorOf('vault', log);
  const key_tools = { db: databases.vault, provider, chance, clock, log, audit, environment: config.environment };
  return {
    db: databases.vault,
    relaxed_db: databases.vault_relaxed,
    keys: new DataKeys(key_tools),
    cvcs: config.cvc_store === 'database' ? new SealedCvcs(key_tools) : new MemoryCvcs(clock),
    audit,
    crash: crashAt(config.crash_at),
    answers: new Answers(log),
    destinations,
    contracts: contractCache(clock),
    payment,
    clock,
    chance,
    log,
    environment: config.environment,
    numbers: numbersTaken(config),
    sweeps: new Sweeps({ ...key_tools, alike_cards_per_day: config.alike_cards_per_day }),
    tokens_per_minute: config.tokens_per_minute,
    server_ips: config.server_ips,
    addresses,
  };
}

/** Begins to sweep; what it answers ends that, once nobody needs a cvc any more, and keeps what is still to be kept. */
export function sweep(vault: VaultTools, drained: () => Promise<void>): () => Promise<void> {
  const sweeper = setInterval(() => {
    Promise.all([vault.cvcs.sweep(), deleteOld(vault.db)]).catch((error: unknown) =>
      vault.log.warn({ error: String(error) }, 'old cards could not be deleted'),
    );
  }, SWEEP_MS);
  return async () => {
    clearInterval(sweeper);
    await drained();
    await vault.cvcs.sweep('all');
    await vault.answers.flush();
  };
}

type MoneyParts = Parts & {
  readonly databases: PaymentDatabase;
  readonly egress: Egress;
  readonly simulator_url: string | undefined;
};

export async function paymentTools(
  { config, log, addresses, databases, egress, simulator_url }: MoneyParts,
  vault: VaultLink,
): Promise<Tools> {
  const clock = systemClock();
  const chance = systemChance(clock, config.environment === 'sandbox' ? config.sandbox_seed : '');
  const fresh = () => chance.bytes(32).toString('hex');
  const simulated = simulator_url === undefined ? [] : ['simulator', 'simulator_b'];
  return {
    db: databases.payment,
    vault,
    direct: directOf(simulator_url, egress),
    sandbox: simulator_url === undefined ? undefined : sandboxControl(simulator_url, egress),
    outside: outsideTo(config),
    clock,
    chance,
    secret_key: await openZoneKey({ db: databases.payment, log, chance }, config),
    log,
    environment: config.environment,
    key_letters: config.key_letters,
    addresses,
    origins: openOrigins(config),
    running: new Running(log),
    providers: providers(config),
    authenticator: simulator_url === undefined ? undefined : authenticator(config),
    message_secrets: await keepMessageSecrets(databases.payment, simulated, fresh),
    breaker: makeBreaker({ db: databases.payment, log }),
    // the worker comes after the tools it works with
    waker: { wake: () => undefined },
    timekeeper: noTimekeeper(),
    crash: crashAt(config.crash_at),
  };
}
