// One zone alone in its process (architecture.md 1): the payment hosts, the vault's host, a worker, or a sandbox's simulated
// providers. Between them are the links, with certificates both ways; each is told its own database and secrets only.
import { mkdirSync } from 'node:fs';
import { openKeyProvider } from '../commands/key-provider.ts';
import type { Config } from '../config.ts';
import { PAYMENT_VERBS, type PaymentLink, VAULT_VERBS } from '../core/link/verbs.ts';
import { openPaymentDatabase, openVaultDatabase } from '../databases.ts';
import { type DemoAccount, demoAccount } from '../demo-account.ts';
import { openDestinations } from '../destinations.ts';
import { systemChance, systemClock } from '../kit/clock.ts';
import { openLinkClient } from '../kit/link/client.ts';
import { callsOf, routesOf } from '../kit/link/verbs.ts';
import { openLinkServer } from '../kit/link/server.ts';
import { keepPrivate } from '../kit/process/private-folder.ts';
import { type Log, openLog } from '../kit/log.ts';
import { StartError } from '../kit/start-error.ts';
import { type Identity, type Peer, readIdentity } from '../kit/tls/identity.ts';
import { seedDemo } from '../payment/merchant/demo.ts';
import { paymentLink } from '../payment/vault-link/answers.ts';
import { remoteLink } from '../payment/vault-link/remote.ts';
import { pagePaths } from '../payment/page/paths.ts';
import { PAGE_SCRIPTS } from '../payment/page/scripts.ts';
import type { Tools } from '../payment/tools.ts';
import {
  type Later,
  type ServiceOptions,
  addressesOf,
  firstLink,
  inOrder,
  keepTime,
  outsideOf,
  paymentTools,
  sweep,
  vaultTools,
} from '../service.ts';
import { watchQueues } from '../payment/figures/figures.ts';
import { watchKeys } from '../vault/figures/figures.ts';
import { observe } from './observe.ts';
import { pagesOf, runSimulator } from './simulator-process.ts';
import { buildElements } from '../vault/elements/assets.ts';
import { openCarrier } from '../vault/forward/destinations.ts';
import { followVaultClock } from '../vault/clock/move.ts';
import { vaultLink } from '../vault/link.ts';
import { jobsOf } from '../worker/jobs.ts';
import { startWorker } from '../worker/loop.ts';
import { type VaultPages, openPaymentHosts, openVaultHost } from './listeners.ts';
import { requireFreePorts } from './ports.ts';
import { pageRoutes, relayedPages } from './page-relay.ts';
import type { HostShape } from './needs.ts';

export type Alone = {
  /** What there is to say of it: name, address or key. */
  readonly facts: Readonly<Record<string, string>>;
  close(): Promise<void>;
};

export function startAlone(shape: Exclude<HostShape, 'all'>, options: ServiceOptions): Promise<Alone> {
  const log = openLog(options.config.log_level);
  keepPrivate(options.config.data_dir);
  return inOrder(async (later) => {
    const metrics = await observe({ ...options, shape }, later);
    const { facts } = await ALONE[shape]({ ...options, log }, later);
    return { facts: { ...facts, ...(metrics !== undefined && { Metrics: metrics }) } };
  });
}

type Options = ServiceOptions & { readonly log: Log };
type Facts = Pick<Alone, 'facts'>;

const ALONE = { payment: paymentAlone, vault: vaultAlone, worker: workerAlone, simulator: simulatorAlone };

function identityOf({ config, log, say }: Options, peer: Peer): Identity {
  const warn = (problem: string) => log.error({ problem }, 'renewed certificates are not taken');
  const identity = readIdentity(config.tls_dir, peer, warn);
  say(`the certificates of this host end on ${identity.ends_at.toISOString().slice(0, 10)}`);
  return identity;
}

/** What a payment host and a worker work with: the money zone's database, and the vault at the other end of the link. */
async function linkedTools(options: Options, identity: Identity, later: Later): Promise<Tools> {
  const { config, log } = options;
  const databases = await openPaymentDatabase(options);
  later(() => databases.close());
  const egress = outsideOf(config)();
  later(() => egress.close());
  const link = openLinkClient(config.vault_link_url, identity, 'vault');
  later(() => link.close());
  const vault = remoteLink({ link, clock: systemClock(), log });
  const parts = { config, log, databases, egress, simulator_url: simulatorOf(config), addresses: addressesOf(config) };
  const tools = await paymentTools(parts, vault);
  later(() => tools.outside.destroy());
  const end = watchQueues(tools);
  later(async () => end());
  later(() => tools.running.drain());
  return tools;
}

function simulatorOf({ simulator_url }: Config): string | undefined {
  return simulator_url === '' ? undefined : simulator_url;
}

async function paymentAlone(options: Options, later: Later): Promise<Facts> {
  const { config, log } = options;
  const identity = identityOf(options, 'payment');
  const tools = await linkedTools(options, identity, later);
  await keepTime(tools, jobsOf(tools), later);
  const demo = config.environment === 'sandbox' ? demoAccount(config, tools.chance) : undefined;
  if (demo) later(keepSeeding(tools, demo, options.say));
  const at = {
    ...{ host: config.link_host, port: config.payment_link_port },
    ...{ setting: 'FLORIN_PAYMENT_LINK_PORT', host_setting: 'FLORIN_LINK_HOST' },
  };
  const routes = [
    ...routesOf(PAYMENT_VERBS, paymentLink(tools)),
    ...pageRoutes(pagePaths({ tools, brand: config.brand })),
  ];
  const link = { name: 'payment link', identity, routes, log };
  await requireFreePorts(config, ['api', 'backoffice']);
  const server = await openLinkServer(link, at);
  later(() => server.close());
  for (const host of await openPaymentHosts(options, tools)) later(() => host.close());
  later(async () => {
    tools.running.ending = true;
  });
  const { base_url, vault_url, backoffice_url } = tools.addresses;
  return {
    facts: {
      'Payment API': base_url,
      Vault: vault_url,
      'Back office': backoffice_url,
      'Payment link': `https://${config.link_host}:${server.port}`,
      ...(demo && { 'Private key': demo.private_key, 'Public key': demo.public_key }),
    },
  };
}

const AGAIN_MS = 250;

/** The vault may come later than we do: the demo keys are pushed to it until it has them. */
function keepSeeding(tools: Tools, demo: DemoAccount, say: (line: string) => void): () => Promise<void> {
  const stop = new AbortController();
  const seeding = async () => {
    for (let tries = 0; !stop.signal.aborted; tries++) {
      const done = await seedDemo(tools, demo.merchant_account_id, demo).then(
        () => true,
        (error: unknown) => {
          if (tries === 0) tools.log.warn({ error: String(error) }, 'the vault has not got the demo keys yet');
          return false;
        },
      );
      if (done) {
        const link = await firstLink(tools, demo);
        if (link !== undefined) say(`sign up to the back office once, as the owner of the demo account: ${link}`);
        return say('the vault has the demo keys');
      }
      await tools.clock.sleep(AGAIN_MS, stop.signal);
    }
  };
  const running = seeding();
  return async () => {
    stop.abort();
    await running;
  };
}

/** Nobody is told of keys, and no checkout is asked about: the order checks again. */
const NO_PAYMENT_HOST: PaymentLink = { checkoutState: async () => 'open', keyUsed: async () => undefined };

async function vaultAlone(options: Options, later: Later): Promise<Facts> {
  const { config, log } = options;
  const identity = identityOf(options, 'vault');
  const egress = outsideOf(config)();
  later(() => egress.close());
  const provider = await openKeyProvider({ config, chance: systemChance(systemClock()), egress });
  const destinations = openDestinations(config, simulatorOf(config));
  const databases = await openVaultDatabase(options);
  later(() => databases.close());
  const addresses = addressesOf(config);
  const client = config.payment_link_url && openLinkClient(config.payment_link_url, identity, 'payment');
  if (client) later(() => client.close());
  const payment = client ? callsOf(PAYMENT_VERBS, client, 'the payment host') : NO_PAYMENT_HOST;
  const vault = vaultTools({ config, log, databases, destinations, addresses }, provider, payment);
  later(() => vault.keys.close());
  later(await followVaultClock(vault));
  await vault.keys.open();
  const end = watchKeys(vault.keys);
  later(async () => end());
  await vault.cvcs.sweep();
  const carrier = openCarrier(destinations, outsideOf(config));
  later(() => carrier.close());
  later(sweep(vault, async () => undefined));
  const at = {
    ...{ host: config.link_host, port: config.vault_link_port },
    ...{ setting: 'FLORIN_VAULT_LINK_PORT', host_setting: 'FLORIN_LINK_HOST' },
  };
  const routes = routesOf(VAULT_VERBS, vaultLink(vault, carrier));
  const server = await openLinkServer({ name: 'vault link', identity, routes, log }, at);
  // forwards that are under way get their answers before the cvcs are swept
  later(() => server.close());
  const host = await openVaultHost(options, vault, { ...(await vaultPages(options, identity, later)), egress });
  later(() => host.close());
  return { facts: { Vault: addresses.vault_url, 'Vault link': `https://${config.link_host}:${server.port}` } };
}

/** Card form and scripts are the vault's own; the hosted page is the payment host's, where it knows one. */
async function vaultPages(
  { config, log }: Options,
  identity: Identity,
  later: Later,
): Promise<Omit<VaultPages, 'egress'>> {
  const { payment_link_url, brand, environment } = config;
  const bundles = await buildElements();
  if (payment_link_url === '') return { bundles, public: [], page_scripts: [] };
  const link = openLinkClient(payment_link_url, identity, 'payment');
  later(() => link.close());
  const page_scripts = PAGE_SCRIPTS;
  return { bundles, public: relayedPages({ link, log, brand, environment, page_scripts }), page_scripts };
}

async function workerAlone(options: Options, later: Later): Promise<Facts> {
  const tools = await linkedTools(options, identityOf(options, 'worker'), later);
  const jobs = jobsOf(tools);
  const { driving: paused } = await keepTime(tools, jobs, later);
  const worker = startWorker(tools, { jobs, log: options.log, paused });
  tools.waker.wake = () => worker.wake();
  later(() => worker.stop());
  return { facts: { Worker: 'looks for work' } };
}

async function simulatorAlone({ config, log }: Options, later: Later): Promise<Facts> {
  const { data_dir, simulator_port: port } = config;
  mkdirSync(data_dir, { recursive: true });
  const sleep = (ms: number) => systemClock().sleep(ms);
  const simulator = await runSimulator({ data_dir, log, port, ...pagesOf(config), sleep }).catch((error: unknown) => {
    const why = `The simulated providers did not start at port ${port}: if it is taken, set FLORIN_SIMULATOR_PORT.`;
    throw new StartError(why, { cause: error });
  });
  later(() => simulator.close());
  return { facts: { Simulator: simulator.url } };
}
