// One zone alone in its process: the payment hosts, the vault's host, a worker, or a sandbox's simulated
// providers. Between them are the links, with certificates both ways; each has its own database and secrets only.
import type { Config } from '../settings/config.ts';
import { PAYMENT_VERBS, type PaymentLink, VAULT_VERBS } from '../core/link/verbs.ts';
import { openPaymentDatabase, openVaultDatabase } from './databases.ts';
import type { DemoAccount } from './demo-account.ts';
import { openDestinations } from '../destinations.ts';
import { systemClock } from '../kit/clock.ts';
import { urlAt } from '../kit/http/listen.ts';
import { makeFolder } from '../kit/kept-file.ts';
import { type LinkClient, openLinkClient } from '../kit/link/client.ts';
import { type LinkRoute, openLinkServer } from '../kit/link/server.ts';
import { callsOf, routesOf } from '../kit/link/verbs.ts';
import { closable } from '../kit/process/closable.ts';
import { StartError } from '../kit/start-error.ts';
import { type Identity, type Peer, readIdentity } from '../kit/tls/identity.ts';
import { seedDemo } from '../payment/merchant/demo.ts';
import { pagePaths } from '../payment/page/paths.ts';
import { PAGE_SCRIPTS } from '../payment/page/scripts.ts';
import type { Tools } from '../payment/tools.ts';
import { paymentLink } from '../payment/vault-link/answers.ts';
import { remoteLink } from '../payment/vault-link/remote.ts';
import { buildElements } from '../vault/elements/assets.ts';
import type { VaultPages } from './listeners.ts';
import type { HostRole } from './needs.ts';
import { pageRoutes, relayedPages } from './page-relay.ts';
import { requireFreePorts } from './ports.ts';
import { demoOf, firstLink } from './service.ts';
import { pagesOf, runSimulator } from './simulator-process.ts';
import {
  type Start,
  type StartOptions,
  beginStart,
  keepTime,
  keyProviderOf,
  leaveFirst,
  openMoneyZone,
  openVaultZone,
  servePayment,
  serveVault,
  work,
} from './zones.ts';
import { followCaps, watchDatabaseClock, watchOverProviders } from '../worker/jobs.ts';
import { startWorker } from '../worker/loop.ts';

/** The facts about a host: name, address or key. */
type Facts = Readonly<Record<string, string>>;

export type Alone = { readonly facts: Facts; close(): Promise<void> };

export function startAlone(role: Exclude<HostRole, 'all'>, options: StartOptions): Promise<Alone> {
  return closable(async (stack) => {
    const start = await beginStart(role, options, stack);
    const facts = await ALONE[role](start);
    stack.defer(() => leaveFirst(start));
    return { facts: { ...facts, ...(start.metrics_url !== undefined && { Metrics: start.metrics_url }) } };
  });
}

const ALONE = { payment: paymentAlone, vault: vaultAlone, worker: workerAlone, simulator: simulatorAlone };

function identityOf({ config, log, say }: Start, peer: Peer): Identity {
  const warn = (problem: string) => log.error({ problem }, 'renewed certificates are not taken');
  const identity = readIdentity(config.tls_dir, peer, warn);
  say(`the certificates of this host end on ${identity.ends_at.toISOString().slice(0, 10)}`);
  return identity;
}

function linkTo(
  peer: Peer,
  url: string,
  { identity, stack }: Pick<Start, 'stack'> & { identity: Identity },
): LinkClient {
  const link = openLinkClient(url, identity, peer);
  stack.defer(() => link.close());
  return link;
}

/** Answers the hosts at the other end; what is under way there is answered before anything below ends. */
async function answerLink(
  { config, log, stack, listening }: Start,
  zone: 'payment' | 'vault',
  { identity, routes }: { readonly identity: Identity; readonly routes: readonly LinkRoute[] },
): Promise<string> {
  const at = {
    host: config.link_host,
    port: zone === 'vault' ? config.vault_link_port : config.payment_link_port,
    setting: `FLORIN_${zone.toUpperCase()}_LINK_PORT`,
    host_setting: 'FLORIN_LINK_HOST',
  };
  const server = await openLinkServer({ name: `${zone} link`, identity, routes, log }, at);
  listening.push(server);
  stack.defer(() => server.close());
  return urlAt(config.link_host, server.port, 'https');
}

/**
 * The tools of a payment host and of a worker: the money zone's database, and the vault at the other end of the link.
 */
async function linkedTools(start: Start, identity: Identity): Promise<Tools> {
  const { config, log, stack } = start;
  const simulator_url = simulatorOf(config);
  const destinations = await openDestinations(config, { simulator_url, simulators: config.with });
  const databases = await openPaymentDatabase(start);
  stack.defer(() => databases.close());
  const link = linkTo('vault', config.vault_link_url, { identity, stack });
  const vault = remoteLink({ link, clock: systemClock(), log });
  return openMoneyZone(start, { databases, vault, simulator_url, destinations });
}

function simulatorOf({ simulator_url }: Config): string | undefined {
  return simulator_url === '' ? undefined : simulator_url;
}

/** The work of a payment host beside answering, if the worker is another process. */
async function watchProviders(start: Start, tools: Tools): Promise<void> {
  const { paused } = await keepTime(start, tools);
  const worker = startWorker(tools, {
    jobs: [watchDatabaseClock(tools), watchOverProviders(tools), followCaps(tools)],
    log: start.log,
    paused,
  });
  start.stack.defer(() => worker.stop());
}

async function paymentAlone(start: Start): Promise<Facts> {
  const { config, stack } = start;
  const identity = identityOf(start, 'payment');
  const tools = await linkedTools(start, identity);
  await watchProviders(start, tools);
  const demo = demoOf(config, tools);
  if (demo) stack.defer(keepSeeding(tools, demo, start.say));
  await requireFreePorts(config, ['api', 'backoffice']);
  const pages = pageRoutes(pagePaths({ tools, brand: config.brand }));
  const routes = [...routesOf(PAYMENT_VERBS, paymentLink(tools)), ...pages];
  const link_url = await answerLink(start, 'payment', { identity, routes });
  await servePayment(start, tools);
  const { base_url, vault_url, backoffice_url } = tools.addresses;
  return {
    'Payment API': base_url,
    Vault: vault_url,
    'Back office': backoffice_url,
    'Payment link': link_url,
    ...(demo && { 'Private key': demo.private_key, 'Public key': demo.public_key }),
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

/** Without a payment host the use of keys is not reported, and no checkout is asked about: the order checks again. */
const NO_PAYMENT_HOST: PaymentLink = { checkoutState: async () => 'open', keyUsed: async () => undefined };

async function vaultAlone(start: Start): Promise<Facts> {
  const { config, stack } = start;
  const identity = identityOf(start, 'vault');
  const provider = await keyProviderOf(start);
  const destinations = await openDestinations(config, { simulator_url: simulatorOf(config), simulators: config.with });
  const databases = await openVaultDatabase(start);
  stack.defer(() => databases.close());
  const url = config.payment_link_url;
  const payment =
    url === ''
      ? NO_PAYMENT_HOST
      : callsOf(PAYMENT_VERBS, linkTo('payment', url, { identity, stack }), 'the payment host');
  const { vault, link } = await openVaultZone(start, { provider, destinations, databases, payment });
  const link_url = await answerLink(start, 'vault', { identity, routes: routesOf(VAULT_VERBS, link) });
  await serveVault(start, vault, await vaultPages(start, identity));
  return { Vault: vault.addresses.vault_url, 'Vault link': link_url };
}

/** Card form and scripts are the vault's own; the hosted page is the payment host's, where it knows one. */
async function vaultPages({ config, log, stack }: Start, identity: Identity): Promise<Omit<VaultPages, 'egress'>> {
  const { payment_link_url, brand, environment } = config;
  const bundles = await buildElements();
  if (payment_link_url === '') return { bundles, public: [], page_scripts: [] };
  const link = linkTo('payment', payment_link_url, { identity, stack });
  const page_scripts = PAGE_SCRIPTS;
  return { bundles, public: relayedPages({ link, log, brand, environment, page_scripts }), page_scripts };
}

async function workerAlone(start: Start): Promise<Facts> {
  await work(start, await linkedTools(start, identityOf(start, 'worker')), { apart: true });
  return { Worker: 'looks for work' };
}

async function simulatorAlone({ config, log, stack }: Start): Promise<Facts> {
  const { data_dir, simulator_port: port } = config;
  makeFolder(data_dir);
  const sleep = (ms: number) => systemClock().sleep(ms);
  const simulator = await runSimulator({ data_dir, log, port, ...pagesOf(config), sleep }).catch((error: unknown) => {
    const why = `The simulated providers did not start at port ${port}: if it is taken, set FLORIN_SIMULATOR_PORT.`;
    throw new StartError(why, { cause: error });
  });
  stack.defer(() => simulator.close());
  return { Simulator: simulator.url };
}
