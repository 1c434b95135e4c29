// The hosts that callers see: the vault's, the payment API's and the back office's.
import { hostname } from 'node:os';
import { join } from 'node:path';
import { DEPLOYMENT, writeAudit } from '../backoffice/audit/audit.ts';
import type { BackofficeContext } from '../backoffice/context.ts';
import { backofficeRoutes } from '../backoffice/host.ts';
import { backofficePages } from '../backoffice/pages.ts';
import type { Config } from '../settings/config.ts';
import { demoAccount } from './demo-account.ts';
import { makeOrders } from '../commands/demo.ts';
import type { Chance, Clock } from '../kit/clock.ts';
import type { Egress } from '../kit/egress.ts';
import { withTransaction } from '../kit/database.ts';
import type { Counts } from '../kit/http/counts.ts';
import { type Addresses, type Host, type HostOptions, openHost } from '../kit/http/host.ts';
import type { Signpost } from '../kit/http/front/nearest.ts';
import type { PublicPath } from '../kit/http/public.ts';
import { type Caller, type Route, routesWith } from '../kit/http/route.ts';
import type { Log } from '../kit/log.ts';
import { lagState } from '../kit/metrics/process.ts';
import { descriptorState } from '../kit/process/descriptors.ts';
import { type PublicTls, openPublicTls } from '../kit/tls/public.ts';
import { accountOfKey, keyNotes } from '../payment/merchant/account.ts';
import { EVENT_GROUPS } from '../payment/notification/event-schema.ts';
import { paymentPages } from '../payment/pages.ts';
import { everyAccount } from '../payment/ledger/verify/store.ts';
import { subscribeSimulator } from '../payment/merchant/credentials/simulated.ts';
import { entryOfRequest } from '../payment/request-log/entry.ts';
import { paymentRoutes } from '../payment/routes.ts';
import type { Tools } from '../payment/tools.ts';
import { callerOfKey, keyNotes as vaultKeyNotes } from '../vault/keys/callers.ts';
import type { Bundles } from '../vault/elements/assets.ts';
import { elementPaths } from '../vault/elements/pages.ts';
import type { PageScript } from '../vault/elements/manifest.ts';
import { ScriptWatch } from '../vault/elements/watch.ts';
import { logoPaths } from '../vault/logos/pages.ts';
import { associationPaths } from '../vault/wallet/apple/association.ts';
import { GOOGLE_FRAME_PATH, framePaths, frameScripts } from '../vault/wallet/google/frame.ts';
import { sheetPaths } from '../vault/wallet/sandbox/sheet.ts';
import { vaultRoutes } from '../vault/routes.ts';
import type { VaultTools } from '../vault/tools.ts';

const API_BODY_BYTES = 65_536;
const VAULT_BODY_BYTES = 8192;

type Opening = { readonly config: Config; readonly version: string };

/** The pages that the vault's host shows to a browser; `public`: those that need the money zone. */
export type VaultPages = {
  readonly bundles: Bundles;
  readonly public: readonly PublicPath[];
  readonly page_scripts: readonly PageScript[];
  /** The way to this host's own public address. */
  readonly egress: Egress;
};

/** Opens the vault's public host; notes its address where the settings name none. */
export async function openVaultHost({ config }: Opening, vault: VaultTools, pages: VaultPages): Promise<Host> {
  const identify = callerOfKey(vault);
  const { google_frame } = vault;
  const { own, ...beside } = frameScripts(google_frame);
  const page_scripts = [...pages.page_scripts, ...own];
  const elements = elementPaths({
    ...config,
    ...pages,
    page_scripts,
    beside,
    addresses: vault.addresses,
    identify,
  });
  const shown = [...elements, ...sheetPaths(vault), ...pages.public];
  const { brand } = config;
  const watch = new ScriptWatch({ ...vault, brand, egress: pages.egress, paths: shown });
  const host = await openOne(config, vault, {
    at: { port: config.vault_port, setting: 'FLORIN_VAULT_PORT' },
    name: 'vault',
    routes: routesWith(vaultRoutes(), vault),
    elsewhere: () => signposts(paymentRoutes(config), 'payment API', vault.addresses.base_url),
    card_data: true,
    body_bytes: VAULT_BODY_BYTES,
    identify,
    inPage: vaultKeyNotes(vault, { in_page: true }),
    ready: async () => ({
      database: await vault.db.ready(),
      keys: await vault.keys.status(),
      ...processParts(),
    }),
    notes: () => ({ scripts: watch.state }),
    public: [
      ...logoPaths(join(config.data_dir, 'logos'), vault.log),
      ...associationPaths(vault.association),
      ...framePaths(google_frame, vault.addresses),
      ...shown,
    ],
    apart: google_frame && { url: google_frame.origin, paths: new Set([GOOGLE_FRAME_PATH]) },
  });
  vault.addresses.vault_url ||= host.address;
  const stop = watch.start();
  const close = async () => {
    await stop();
    await host.close();
  };
  return { ...host, close };
}

/** Opens the payment API and the back office. The vault's routes are only described here. */
export async function openPaymentHosts({ config, version }: Opening, tools: Tools): Promise<readonly Host[]> {
  const { addresses } = tools;
  const routes = paymentRoutes(tools);
  const vault_routes = () => vaultRoutes().map((route) => ({ ...route, server: addresses.vault_url }));
  const api = await openOne(config, tools, {
    at: { port: config.api_port, setting: 'FLORIN_API_PORT' },
    name: 'payment API',
    routes: routesWith(routes, tools),
    elsewhere: () => signposts(vault_routes(), 'vault', addresses.vault_url),
    body_bytes: API_BODY_BYTES,
    identify: accountOfKey(tools),
    suspect: (ip) => noteSuspect(tools, ip),
    inPage: keyNotes(tools, { in_page: true }),
    told: (told) => tools.request_log.note(() => entryOfRequest(told, tools.outside.clock.now())),
    ready: () => readyParts(tools),
    public: paymentPages({
      addresses,
      version,
      environment: config.environment,
      brand: config.brand,
      told: EVENT_GROUPS,
      routes,
      vault_routes,
    }),
  });
  addresses.base_url ||= api.address;
  await tellSimulator(tools, api.address);
  try {
    const secure = config.environment === 'production' || config.tls_cert_file !== '';
    const two_people = { above: config.review_two_people_above, member_hours: config.second_person_hours };
    const backoffice = await openOne(config, tools, {
      at: { port: config.backoffice_port, setting: 'FLORIN_BACKOFFICE_PORT' },
      name: 'back office',
      routes: backofficeRoutes({
        tools,
        brand: config.brand,
        two_people,
        secure,
        ...(config.environment === 'sandbox' && { makeOrders: ordersOfDemo(config, tools) }),
      }),
      elsewhere: () => [
        ...signposts(routes, 'payment API', addresses.base_url),
        ...signposts(vault_routes(), 'vault', addresses.vault_url),
      ],
      body_bytes: API_BODY_BYTES,
      identify: async () => undefined,
      ready: () => readyParts(tools),
      public: backofficePages(addresses),
    });
    addresses.backoffice_url ||= backoffice.address;
    await noteProcess(tools, 'process started');
    const close = async () => {
      await backoffice.close();
      await noteProcess(tools, 'process stopped');
    };
    return [api, { ...backoffice, close }];
  } catch (error) {
    await api.close();
    throw error;
  }
}

/** Without the vault no card is paid with, but everything else goes on: the host stays ready. */
async function readyParts({ db, vault }: Tools): Promise<Record<string, boolean | string>> {
  const [database, reached] = await Promise.all([db.ready(), vault.ready({})]);
  return { database, vault: reached ? 'ok' : 'away', ...processParts() };
}

/** What /ready says of the process itself. */
const processParts = () => ({ lag: lagState(), descriptors: descriptorState() });

/** Orders to look at, for the demo account: it is the one whose keys are known here. */
function ordersOfDemo(config: Config, tools: Tools): NonNullable<BackofficeContext['makeOrders']> {
  return async (account_id, count) => {
    const demo = demoAccount(config, tools.chance);
    if (account_id !== demo.merchant_account_id) return undefined;
    return makeOrders(tools.addresses, demo, count);
  };
}

/** Writes a record to the audit of the deployment. If that fails, the start or end goes on; the log has it then. */
async function noteProcess(tools: Tools, action: 'process started' | 'process stopped'): Promise<void> {
  const who = { actor: 'florin', source: hostname() };
  const object = `payment host ${process.pid}`;
  await withTransaction(tools.db, DEPLOYMENT, (tx) => writeAudit(tx, who, { action, object })).catch((error: unknown) =>
    tools.log.error({ action, error: String(error) }, 'an audit record was lost'),
  );
}

/** Notes a suspicious request, beside the refusal that it gets in any case. */
function noteSuspect(tools: Tools, source: string): void {
  const event = { action: 'repeated failed API authentication', object: 'payment API', result: 'refused' } as const;
  withTransaction(tools.db, DEPLOYMENT, (tx) => writeAudit(tx, { actor: 'unknown key', source }, event)).catch(
    (error: unknown) => tools.log.error({ action: event.action, error: String(error) }, 'an audit record was lost'),
  );
}

/**
 * Tells the simulated bank where its messages go: to the payment API as it listens here, whatever callers name it; and
 * to which contract of each account. The code that makes an account later tells the bank of its contract.
 */
async function tellSimulator(tools: Tools, api_address: string): Promise<void> {
  if (!tools.sandbox) return;
  const receiver = { url: api_address, secret: tools.authenticator_secret };
  await tools.sandbox({ method: 'POST', path: '/control', body: { receiver } });
  for await (const { merchant_account_id } of everyAccount(tools.db))
    await subscribeSimulator(tools, merchant_account_id);
}

function signposts(
  routes: readonly Pick<Route<Caller>, 'method' | 'path'>[],
  host: string,
  url: string,
): readonly Signpost[] {
  return routes.map(({ method, path }) => ({ method, path, at: { host, url } }));
}

type Own<C extends Caller> = Pick<
  HostOptions<C>,
  | 'name'
  | 'routes'
  | 'elsewhere'
  | 'card_data'
  | 'body_bytes'
  | 'identify'
  | 'suspect'
  | 'inPage'
  | 'told'
  | 'ready'
  | 'notes'
  | 'public'
  | 'apart'
> & { readonly routes: readonly Route<C>[]; readonly at: { readonly port: number; readonly setting: string } };

type Shared = {
  readonly addresses: Addresses;
  readonly clock: Clock;
  readonly chance: Chance;
  readonly log: Log;
  readonly counts: Counts;
};

function openOne<C extends Caller>(config: Config, shared: Shared, { at, ...own }: Own<C>): Promise<Host> {
  const { addresses, clock, chance, log, counts } = shared;
  const { requests_per_second, requests_running, failed_keys_per_minute } = config;
  return openHost<C>(
    {
      addresses,
      clock,
      chance,
      log,
      counts,
      ...own,
      production: config.environment === 'production',
      limits: { requests_per_second, requests_running, failed_keys_per_minute },
      names: { loopback: config.environment === 'sandbox', allowed: config.host_names },
      connections: { behind_proxy: config.behind_proxy, proxies: config.trusted_proxies, exempt: config.server_ips },
      tls: publicTls(config, log),
    },
    { host: config.host, ...at },
  );
}

function publicTls({ tls_cert_file, tls_key_file }: Config, log: Log): PublicTls | undefined {
  if (tls_cert_file === '' && tls_key_file === '') return undefined;
  const files = { cert_file: tls_cert_file, key_file: tls_key_file };
  return openPublicTls(files, (problem) => log.error({ problem }, 'a renewed certificate cannot be used'));
}
