// Starts a whole Florin in one process: databases, simulated provider, both zones, worker and hosts. alone.ts starts
// one zone in a process of its own.
import { inviteFirstOwner } from '../backoffice/people/invite.ts';
import type { Config } from '../settings/config.ts';
import { type Databases, openDatabases } from './databases.ts';
import { type DemoAccount, demoAccount } from './demo-account.ts';
import { openDestinations } from '../destinations.ts';
import { systemClock } from '../kit/clock.ts';
import type { Addresses } from '../kit/http/host.ts';
import { closable } from '../kit/process/closable.ts';
import { StartError } from '../kit/start-error.ts';
import { seedDemo } from '../payment/merchant/demo.ts';
import { pagePaths } from '../payment/page/paths.ts';
import { PAGE_SCRIPTS } from '../payment/page/scripts.ts';
import { wakeAbandoned } from '../payment/order/engine/queue-store.ts';
import { beginClock } from '../payment/sandbox/clock/store.ts';
import type { Tools } from '../payment/tools.ts';
import { inOneProcess } from '../payment/vault-link.ts';
import { paymentLink } from '../payment/vault-link/answers.ts';
import { beginShift } from '../vault/clock/store.ts';
import { buildElements } from '../vault/elements/assets.ts';
import { requireFreePorts } from './ports.ts';
import { pagesOf, runSimulator } from './simulator-process.ts';
import {
  type Simulators,
  addressesOfSimulators,
  hostsOfSimulators,
  runSimulators,
  seedSimulators,
} from './with-simulators.ts';
import {
  type Start,
  type StartOptions,
  beginStart,
  keyProviderOf,
  leaveFirst,
  openMoneyZone,
  openVaultZone,
  servePayment,
  serveVault,
  work,
} from './zones.ts';

export type Service = {
  readonly addresses: Addresses;
  readonly demo: DemoAccount | undefined;
  /** The link with which the first owner of the demo account signs up; undefined: the account has an owner. */
  readonly first_link?: string | undefined;
  readonly tools: Tools;
  /** The address that Prometheus reads; undefined: no port is set. */
  readonly metrics_url?: string | undefined;
  /**
   * The simulated vendors (Stripe and others) that were started with it; absent if each host is a process of its own.
   */
  readonly simulators?: Simulators;
  close(): Promise<void>;
};

export function startService(options: StartOptions): Promise<Service> {
  return closable(async (stack) => {
    const start = await beginStart('all', options, stack);
    const service = await assemble(start);
    stack.defer(() => leaveFirst(start));
    return service;
  });
}

async function assemble(start: Start): Promise<Omit<Service, 'close'>> {
  const { config, addresses, metrics_url, stack } = start;
  const provider = await keyProviderOf(start);
  const simulator_url = config.environment === 'sandbox' ? await simulate(start) : undefined;
  const started = await runSimulators(config, stack);
  const simulators = addressesOfSimulators(config, started);
  const destinations = await openDestinations(
    config,
    { simulator_url, simulators, hosts: hostsOfSimulators(started) },
    start.table,
  );
  const databases = await openDatabases(start);
  stack.defer(() => databases.close());
  await requireFreePorts(config);
  if (start.begins_at) await beginAt(databases, start.begins_at);
  const payment = paymentLink({ db: databases.payment });
  const { vault, link } = await openVaultZone(start, { provider, destinations, databases, payment });
  const tools = await openMoneyZone(start, { databases, simulator_url, destinations, vault: inOneProcess(link) });
  const demo = demoOf(config, tools);
  if (demo) await seedDemo(tools, demo.merchant_account_id, demo);
  // only with our own database: with an operator's, another process may still work on these operations
  if (config.database_url === '') await wakeAbandoned(tools.db);
  await work(start, tools);
  const bundles = await buildElements();
  await serveVault(start, vault, {
    bundles,
    page_scripts: PAGE_SCRIPTS,
    public: pagePaths({ tools, brand: config.brand }),
  });
  await servePayment(start, tools);
  if (demo) await seedSimulators(tools, started, { ...demo, egress: start.egress });
  const first_link = demo && (await firstLink(tools, demo));
  return { addresses, demo, first_link, tools, metrics_url, simulators: started };
}

export function demoOf(config: Config, { chance }: Tools): DemoAccount | undefined {
  return config.environment === 'sandbox' ? demoAccount(config, chance) : undefined;
}

/**
 * Starts the simulated provider. It is controlled through any free port of this machine; only the bank's pages have a
 * fixed port, so that a proxy finds them.
 */
async function simulate({ config, log, stack }: Start): Promise<string> {
  const { data_dir, simulator_url: url, simulator_public_url, simulator_pages_port } = config;
  const sleep = (ms: number) => systemClock().sleep(ms);
  const options = { url, data_dir, log, ...pagesOf(config), sleep };
  const simulator = await runSimulator(options).catch((error: unknown) => {
    if (simulator_public_url === '') throw error;
    const why = `The simulated bank's pages did not start at port ${simulator_pages_port}: if it is taken, set FLORIN_SIMULATOR_PAGES_PORT.`;
    throw new StartError(why, { cause: error });
  });
  stack.defer(() => simulator.close());
  return simulator.url;
}

/** Each start makes a new link, until one was used. */
export async function firstLink(tools: Tools, demo: DemoAccount): Promise<string | undefined> {
  const path = await inviteFirstOwner(tools, demo.merchant_account_id);
  return path && tools.addresses.backoffice_url + path;
}

async function beginAt({ payment, vault }: Databases, moment: Date): Promise<void> {
  const shift_ms = moment.getTime() - systemClock().now().getTime();
  await beginClock(payment, shift_ms);
  await beginShift(vault, shift_ms);
}
