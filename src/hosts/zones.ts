// The parts of a process of Florin, whatever its role. Each part defers its own end, so one order holds in all
// processes: hosts first, then the worker, then work under way (it still needs its cvc), then the zones.
import { auditorOf, openKeyProvider } from '../commands/key-provider.ts';
import type { Config } from '../settings/config.ts';
import type { PaymentLink, VaultLink as VaultVerbs } from '../core/link/verbs.ts';
import type { OpenOptions, PaymentDatabase, VaultDatabase } from './databases.ts';
import { sandboxControl } from '../destinations.ts';
import { ClockWatch, systemChance, systemClock } from '../kit/clock.ts';
import { crashAt } from '../kit/crash.ts';
import { countStore } from '../kit/database/counts.ts';
import type { Egress } from '../kit/egress.ts';
import { Counts } from '../kit/http/counts.ts';
import type { Addresses } from '../kit/http/host.ts';
import { type Log, openLog } from '../kit/log.ts';
import { openOrigins } from '../kit/origin/origins.ts';
import { keepPrivate } from '../kit/process/private-folder.ts';
import { watchQueues } from '../payment/metrics/metrics.ts';
import { openRequestLog } from '../payment/request-log/gather.ts';
import { makeCaps } from '../payment/declines/caps.ts';
import { watchDataDeclines } from '../payment/declines/data-quality.ts';
import { makeBreaker } from '../payment/routing/breaker.ts';
import { keepAuthenticatorSecret } from '../payment/order/authentication/secret-store.ts';
import { CallsInFlight, type Tools, noTestClock } from '../payment/tools.ts';
import type { VaultLink } from '../payment/vault-link.ts';
import { openZoneKey } from '../payment/zone-key.ts';
import { authenticator, providers } from '../provider/registry.ts';
import type { Destinations } from '../provider/send/destinations.ts';
import { openCertificateEgress, pinnedHost } from '../provider/send/certificate-host.ts';
import { openDirect } from '../provider/send/direct.ts';
import type { LoadTable } from '../provider/send/tables.ts';
import { openTransport } from '../provider/send/transport.ts';
import { MemoryCvcs } from '../vault/card/cvcs.ts';
import { numbersTaken } from '../vault/card/numbers.ts';
import { Sweeps } from '../vault/card/sweeps.ts';
import { followVaultClock } from '../vault/clock/move.ts';
import { watchVaultDatabaseClock } from '../vault/clock/watch.ts';
import { contractCache } from '../vault/contracts/contracts.ts';
import { SealedCvcs } from '../vault/cvc/sealed-cvcs.ts';
import { readWalletFiles } from '../vault/wallet/recipients.ts';
import { watchKeys } from '../vault/metrics/metrics.ts';
import { Answers } from '../vault/forward/answers.ts';
import { DataKeys } from '../vault/keys/keys.ts';
import type { KeyProvider } from '../vault/keys/provider.ts';
import { vaultLink } from '../vault/link.ts';
import { sweep } from '../vault/sweep.ts';
import type { VaultTools } from '../vault/tools.ts';
import { jobsOf } from '../worker/jobs.ts';
import { alarms, noting } from './noting.ts';
import { startWorker } from '../worker/loop.ts';
import { makeTestClock } from '../worker/test-clock.ts';
import { openCertificates } from '../kit/proof/certificate.ts';
import { outsideOf, outsideTo } from './outside.ts';
import { type VaultPages, openPaymentHosts, openVaultHost } from './listeners.ts';
import { mailOf } from './mail.ts';
import type { HostRole } from './needs.ts';
import { observe } from './observe.ts';

export type StartOptions = Omit<OpenOptions, 'log' | 'migrating'> & {
  readonly version: string;
  /** A fresh sandbox whose clock begins at this moment. */
  readonly begins_at?: Date;
  /** Loads the tables of signed destinations; absent: those of this build. */
  readonly table?: LoadTable;
};

/** The facts that every part of a start gets. */
export type Start = StartOptions & {
  readonly log: Log;
  readonly addresses: Addresses;
  readonly egress: Egress;
  /** The address that Prometheus reads; undefined: no port is set. */
  readonly metrics_url: string | undefined;
  readonly stack: AsyncDisposableStack;
  /** The listeners that answer others, in the order in which they open. */
  readonly listening: Leaving[];
};

type Leaving = { leave(): void };

export async function beginStart(role: HostRole, options: StartOptions, stack: AsyncDisposableStack): Promise<Start> {
  const { config } = options;
  keepPrivate(config.data_dir);
  const log = openLog(config.log_level);
  const metrics_url = await observe({ ...options, role, log }, stack);
  const egress = outsideOf(config)();
  stack.defer(() => egress.close());
  return { ...options, log, addresses: addressesOf(config), egress, metrics_url, stack, listening: [] };
}

/** The first of an end: proxies see that nothing more is to be sent here, while all that comes is still answered. */
export async function leaveFirst({ config, listening }: Start): Promise<void> {
  for (const one of listening) one.leave();
  if (listening.length > 0) await systemClock().sleep(config.stop_pause_ms);
}

/** The tools with which a zone sends its calls to providers. */
export function transportTools({ config, log }: Pick<Start, 'config' | 'log'>): Parameters<typeof openTransport>[1] {
  return { clock: systemClock(), log, egress: outsideOf(config) };
}

export function addressesOf({ base_url, vault_url, backoffice_url }: Config): Addresses {
  return { base_url, vault_url, backoffice_url };
}

/** Opens what wraps the vault's keys. In a sandbox it is a file, which makes the data folder for all. */
export function keyProviderOf({ config, egress }: Start): Promise<KeyProvider> {
  return openKeyProvider({ config, chance: systemChance(systemClock()), egress });
}

type VaultParts = {
  readonly provider: KeyProvider;
  readonly destinations: Destinations;
  readonly databases: VaultDatabase;
  readonly payment: PaymentLink;
};

export async function openVaultZone(
  start: Start,
  parts: VaultParts,
): Promise<{ readonly vault: VaultTools; readonly link: VaultVerbs }> {
  const { stack } = start;
  const vault = vaultTools(start, parts);
  stack.defer(() => vault.keys.close());
  stack.defer(await followVaultClock(vault));
  stack.defer(await watchVaultDatabaseClock(vault));
  await vault.keys.open();
  stack.defer(watchKeys(vault.keys));
  await vault.cvcs.sweep();
  const transport = openTransport(parts.destinations, transportTools(start));
  stack.defer(() => transport.close());
  stack.defer(sweep(vault));
  return { vault, link: vaultLink(vault, transport) };
}

function vaultTools(
  { config, log, addresses }: Start,
  { databases, destinations, provider, payment }: VaultParts,
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
    counts: new Counts(
      { clock, chance, log },
      config.database_url + config.vault_database_url === '' ? undefined : countStore(databases.vault_relaxed, 'vault'),
    ),
    payment,
    clock,
    database_clock: new ClockWatch(() => clock.ticks()),
    chance,
    log,
    environment: config.environment,
    numbers: numbersTaken(config),
    sweeps: new Sweeps({ ...key_tools, alike_cards_per_day: config.alike_cards_per_day }),
    tokens_per_minute: config.tokens_per_minute,
    server_ips: config.server_ips,
    addresses,
    ...readWalletFiles(config),
  };
}

type MoneyParts = Pick<Start, 'config' | 'log' | 'addresses' | 'egress'> & {
  readonly databases: PaymentDatabase;
  readonly simulator_url: string | undefined;
  readonly direct: Tools['direct'];
  readonly destinations: Destinations;
  /** The way to certificates that messages are signed with; absent: none are fetched. */
  readonly certified?: Pick<Egress, 'exchange'>;
};

export async function openMoneyZone(
  start: Start,
  {
    vault,
    destinations,
    ...parts
  }: Omit<MoneyParts, keyof Start | 'direct' | 'certified'> & { readonly vault: VaultLink },
): Promise<Tools> {
  const transport = openTransport(destinations, transportTools(start));
  start.stack.defer(() => transport.close());
  const direct = openDirect({ destinations, transport, log: start.log });
  const certified = openCertificateEgress(destinations);
  start.stack.defer(() => certified.close());
  const tools = await paymentTools({ ...start, ...parts, destinations, direct, certified }, vault);
  start.stack.defer(() => tools.request_log.close());
  start.stack.defer(() => tools.outside.destroy());
  for (const watch of [watchQueues, watchDataDeclines]) start.stack.defer(watch(tools));
  start.stack.defer(() => tools.running.drain());
  return tools;
}

const NOWHERE: Pick<Egress, 'exchange'> = { exchange: async () => ({ kind: 'not_sent' }) };

export async function paymentTools(
  { config, log, addresses, databases, egress, simulator_url, direct, destinations, certified = NOWHERE }: MoneyParts,
  vault: VaultLink,
): Promise<Tools> {
  const clock = systemClock();
  const chance = systemChance(clock, config.environment === 'sandbox' ? config.sandbox_seed : '');
  const server = simulator_url === undefined ? undefined : authenticator(config);
  return {
    db: databases.payment,
    relaxed_db: databases.payment_relaxed,
    vault,
    direct,
    sandbox: simulator_url === undefined ? undefined : sandboxControl(simulator_url, egress),
    outside: outsideTo(config),
    clock,
    database_clock: new ClockWatch(() => clock.ticks()),
    chance,
    secret_key: await openZoneKey({ db: databases.payment, log, chance }, config),
    log,
    counts: new Counts(
      { clock, chance, log },
      config.database_url === '' ? undefined : countStore(databases.payment_relaxed, 'payment'),
    ),
    request_log: openRequestLog({ db: databases.payment_relaxed, log, days: config.request_log_days }),
    retention: config,
    mail: mailOf(config),
    environment: config.environment,
    key_letters: config.key_letters,
    addresses,
    caps: makeCaps(),
    origins: openOrigins(config),
    running: new CallsInFlight(log),
    // of those that this build knows, the ones that calls may go to
    providers: new Map([...providers(config)].filter(([name]) => destinations.has(name))),
    authenticator: server,
    authenticator_secret:
      server && (await keepAuthenticatorSecret(databases.payment, server.name, chance.bytes(32).toString('hex'))),
    certificates: openCertificates({ clock, egress: certified, pinned: (name) => pinnedHost(destinations, name) }),
    breaker: makeBreaker({ db: databases.payment, log, clock, chance }),
    // the worker comes after the tools it works with
    wake_up: { wake: () => undefined },
    test_clock: noTestClock(),
    crash: crashAt(config.crash_at),
  };
}

/** Takes the clock from the database, and from now on moves it when a sandbox is asked to. */
export async function keepTime({ stack }: Start, tools: Tools) {
  const jobs = jobsOf(tools, noting(), [alarms(tools)]);
  const keeping = makeTestClock(tools, jobs);
  tools.test_clock.look = keeping.look;
  tools.test_clock.reach = keeping.reach;
  stack.defer(await keeping.follow());
  return { jobs, paused: keeping.driving };
}

/** `apart`: the hosts are other processes. */
export async function work(start: Start, tools: Tools, { apart = false } = {}): Promise<void> {
  const worker = startWorker(tools, { ...(await keepTime(start, tools)), log: start.log, apart });
  tools.wake_up.wake = () => worker.wake();
  start.stack.defer(() => worker.stop());
}

export async function serveVault(start: Start, vault: VaultTools, pages: Omit<VaultPages, 'egress'>): Promise<void> {
  start.stack.defer(await vault.counts.join());
  const host = await openVaultHost(start, vault, { ...pages, egress: start.egress });
  start.listening.push(host);
  start.stack.defer(() => host.close());
}

export async function servePayment(start: Start, tools: Tools): Promise<void> {
  start.stack.defer(await tools.counts.join());
  for (const host of await openPaymentHosts(start, tools)) {
    start.listening.push(host);
    start.stack.defer(() => host.close());
  }
  start.stack.defer(() => {
    tools.running.ending = true;
  });
}
