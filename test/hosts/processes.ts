// Florin as the processes of a real deployment: payment, vault, worker and simulated providers, each started by its own
// command with its own settings and certificates, the databases logged into as the least-privileged roles.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { readConfig } from '../../src/settings/config.ts';
import { openPaymentDatabase } from '../../src/hosts/databases.ts';
import { demoAccount } from '../../src/hosts/demo-account.ts';
import { makeCerts } from '../../src/hosts/certs.ts';
import { systemClock } from '../../src/kit/clock.ts';
import { openEgress } from '../../src/kit/egress.ts';
import { openLinkClient } from '../../src/kit/link/client.ts';
import { openLog } from '../../src/kit/log.ts';
import { readIdentity } from '../../src/kit/tls/identity.ts';
import { remoteLink } from '../../src/payment/vault-link/remote.ts';
import type { Service } from '../../src/hosts/service.ts';
import { addressesOf, paymentTools, transportTools } from '../../src/hosts/zones.ts';
import { openDestinations } from '../../src/destinations.ts';
import { openDirect } from '../../src/provider/send/direct.ts';
import { openTransport } from '../../src/provider/send/transport.ts';
import { closable } from '../../src/kit/process/closable.ts';
import { send, until } from '../client.ts';
import { ownPort } from '../ports.ts';
import { type Run, type Settings, runFlorin } from '../start/child.ts';
import { gone, kill, livingOf, treeOf } from '../start/processes.ts';

export const HOSTS = ['simulator', 'vault', 'payment', 'worker'] as const;
export type HostName = (typeof HOSTS)[number];

export type Processes = Service & {
  readonly runs: ReadonlyMap<HostName, Run>;
  /** The settings each host was started with. */
  readonly settings: Readonly<Record<HostName, Settings>>;
  /** Starts a host that has ended again, and waits until it is there. */
  start(name: HostName): Promise<void>;
  signal(name: HostName, signal: NodeJS.Signals): void;
};

export type Place = {
  readonly folder: string;
  /** Database addresses of the two zones. */
  readonly payment_url: string;
  readonly vault_url: string;
  readonly settings: Settings;
};

/** Starts all four, and a payment host's tools in this process, which speak to the same vault over the same link. */
export function startProcesses(place: Place): Promise<Processes> {
  return closable(async (stack) => {
    const { folder } = place;
    makeCerts({ folder: join(folder, 'certs'), renew: false, days: 2 });
    const settings = await settingsOf(place);
    const runs = new Map<HostName, Run>();
    stack.defer(() => endAll(runs));
    const begin = (name: HostName) => {
      const cwd = join(folder, name);
      mkdirSync(cwd, { recursive: true });
      runs.set(name, runFlorin({ cwd, settings: settings[name], command: [name] }));
    };
    const start = async (name: HostName) => {
      begin(name);
      await isReady(name, runs.get(name));
    };
    for (const name of HOSTS) begin(name);
    await Promise.all(HOSTS.map((name) => isReady(name, runs.get(name))));
    const config = readConfig({ ...settings.payment, FLORIN_DATABASE_DURABLE: 'unchecked' }, 'payment');
    const tools = await toolsHere(config, stack);
    const demo = demoAccount(config, tools.chance);
    await until(() => runs.get('payment')?.out().includes('the vault has the demo keys') || undefined);
    const signal = (name: HostName, sent: NodeJS.Signals) => {
      const pid = runs.get(name)?.child.pid;
      if (pid === undefined) return;
      // what one host has started, freezes with it
      const whom = sent === 'SIGSTOP' || sent === 'SIGCONT' ? treeOf(pid) : treeOf(pid).slice(0, 1);
      kill(whom, sent);
    };
    return { addresses: tools.addresses, demo, tools, runs, settings, start, signal };
  });
}

/** How often an operation, or all of an order's, had its effect at the simulated bank. */
export async function effectsOf({ settings }: Processes, asked: 'reference' | 'order_id', id: string): Promise<number> {
  const reply = await send(`${settings.vault['FLORIN_SIMULATOR_URL']}/books?${asked}=${id}`, {});
  const entries = reply.at('entries');
  if (!Array.isArray(entries)) throw new Error(`no books: ${reply.text}`);
  return entries.reduce((sum: number, _, at) => sum + Number(reply.at(`entries.${at}.effects`)), 0);
}

async function settingsOf({ folder, payment_url, vault_url, settings }: Place): Promise<Processes['settings']> {
  const { FLORIN_VAULT_PORT } = settings;
  const at = async () => `127.0.0.1:${await ownPort()}`;
  const [api, backoffice, vault, vault_link, payment_link, simulator] = [
    await at(),
    await at(),
    // one that is known under another name, too
    FLORIN_VAULT_PORT === undefined ? await at() : `127.0.0.1:${FLORIN_VAULT_PORT}`,
    await at(),
    await at(),
    await at(),
  ];
  const port = (address = '') => address.split(':')[1] ?? '';
  const tls = (name: string) => ({ FLORIN_TLS_DIR: join(folder, 'certs', name) });
  const common = {
    ...settings,
    FLORIN_BASE_URL: `http://${api}`,
    FLORIN_VAULT_URL: `http://${vault}`,
    FLORIN_SIMULATOR_URL: `http://${simulator}`,
  };
  const data = (name: HostName) => ({ FLORIN_DATA_DIR: join(folder, name, 'data') });
  const money = { FLORIN_DATABASE_URL: payment_url, FLORIN_VAULT_LINK_URL: `https://${vault_link}` };
  return {
    // its journal lies where a start of everything has it
    simulator: { FLORIN_SIMULATOR_PORT: port(simulator), FLORIN_DATA_DIR: folder },
    vault: {
      ...common,
      ...data('vault'),
      ...tls('vault'),
      FLORIN_VAULT_PORT: port(vault),
      FLORIN_VAULT_DATABASE_URL: vault_url,
      FLORIN_VAULT_LINK_PORT: port(vault_link),
      FLORIN_PAYMENT_LINK_URL: `https://${payment_link}`,
    },
    payment: {
      ...common,
      ...data('payment'),
      ...tls('payment'),
      ...money,
      FLORIN_API_PORT: port(api),
      FLORIN_BACKOFFICE_PORT: port(backoffice),
      FLORIN_PAYMENT_LINK_PORT: port(payment_link),
    },
    // the money zone's key is one file
    worker: { ...common, ...data('payment'), ...tls('worker'), ...money },
  };
}

async function toolsHere(config: ReturnType<typeof readConfig>, stack: AsyncDisposableStack) {
  const log = openLog('silent');
  const nothing = () => undefined;
  const databases = await openPaymentDatabase({ config, log, say: nothing, failed: nothing });
  stack.defer(() => databases.close());
  const link = openLinkClient(config.vault_link_url, readIdentity(config.tls_dir, 'payment', nothing), 'vault');
  stack.defer(() => link.close());
  const egress = openEgress();
  stack.defer(() => egress.close());
  const vault = remoteLink({ link, clock: systemClock(), log });
  const { simulator_url } = config;
  const destinations = await openDestinations(config, { simulator_url, simulators: config.with });
  const transport = openTransport(destinations, transportTools({ config, log }));
  stack.defer(() => transport.close());
  const direct = openDirect({ destinations, transport, log });
  const addresses = addressesOf(config);
  return paymentTools({ config, log, databases, egress, simulator_url, addresses, direct, destinations }, vault);
}

async function isReady(name: HostName, run: Run | undefined): Promise<void> {
  await until(() => {
    if (!run || run.child.exitCode !== null || run.child.signalCode !== null)
      throw new Error(`${name} ended: ${run?.out()}${run?.err()}`);
    return / s {2}ready\n/.test(run.out()) || undefined;
  });
}

/** Asks them all to end as an operator would; what does not is killed, and that is an error. */
async function endAll(runs: ReadonlyMap<HostName, Run>): Promise<void> {
  const trees = [...runs.values()].map(({ child }) => treeOf(child.pid ?? 0));
  const all = trees.flat();
  kill(all, 'SIGCONT');
  kill(
    trees.flatMap((tree) => tree.slice(0, 1)),
    'SIGTERM',
  );
  await gone(all).finally(() => kill(livingOf(all), 'SIGKILL'));
}
