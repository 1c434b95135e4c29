// A vault alone in its process, as a child of a test: node vault-only.ts SOCKET_DIR USER DATABASE DATA_DIR TLS_DIR
// CVC_STORE. It says its address in one line, and ends when its input does.
import { join } from 'node:path';
import { ClockWatch, systemChance, systemClock } from '../../src/kit/clock.ts';
import { crashAt } from '../../src/kit/crash.ts';
import { openDatabase } from '../../src/kit/database.ts';
import { NO_PROXIES } from '../../src/kit/http/callers/proxies.ts';
import { openHost } from '../../src/kit/http/host.ts';
import { openLog } from '../../src/kit/log.ts';
import { auditor } from '../../src/vault/audit/audit.ts';
import { MemoryCvcs } from '../../src/vault/card/cvcs.ts';
import { SealedCvcs } from '../../src/vault/cvc/sealed-cvcs.ts';
import { contractCache } from '../../src/vault/contracts/contracts.ts';
import { Answers } from '../../src/vault/forward/answers.ts';
import { callerOfKey } from '../../src/vault/keys/callers.ts';
import { fileProvider } from '../../src/vault/keys/file-provider.ts';
import { DataKeys } from '../../src/vault/keys/keys.ts';
import { routesWith } from '../../src/kit/http/route.ts';
import { openPublicTls } from '../../src/kit/tls/public.ts';
import { Counts } from '../../src/kit/http/counts.ts';
import { vaultRoutes } from '../../src/vault/routes.ts';
import { Sweeps } from '../../src/vault/card/sweeps.ts';
import { readWalletRoots } from '../../src/vault/wallet/recipients.ts';
import type { VaultTools } from '../../src/vault/tools.ts';

const [socket_dir = '', user = '', database = '', data_dir = '', tls = '', cvc_store = 'memory'] =
  process.argv.slice(2);
const clock = systemClock();
const chance = systemChance(clock);
const log = openLog('debug');
const environment = 'sandbox' as const;
const db = openDatabase({ at: { socket_dir, user, database }, role: 'vault_app', name: 'vault only', max: 4, log });
const provider = fileProvider({ folder: join(data_dir, 'keys'), environment, chance });
const audit = auditor({ actor: 'test', source: 'vault only', log });
const key_tools = { db, provider, environment, clock, chance, audit, log };
const counts = new Counts(key_tools);
const addresses = { base_url: 'http://127.0.0.1:1', vault_url: '', backoffice_url: '' };
const tools: VaultTools = {
  db,
  relaxed_db: db,
  clock,
  database_clock: new ClockWatch(() => clock.ticks()),
  chance,
  log,
  environment,
  addresses,
  numbers: 'all',
  keys: new DataKeys(key_tools),
  cvcs: cvc_store === 'database' ? new SealedCvcs(key_tools) : new MemoryCvcs(clock),
  audit,
  counts,
  answers: new Answers(log),
  destinations: new Map(),
  contracts: contractCache(clock),
  payment: { checkoutState: async () => 'open', keyUsed: async () => undefined },
  crash: crashAt(''),
  sweeps: new Sweeps({ ...key_tools, alike_cards_per_day: 1000 }),
  tokens_per_minute: 1e6,
  server_ips: new Set<string>(),
  wallet_roots: readWalletRoots({ environment, google_pay_keys_file: '', apple_pay_root_file: '' }),
  association: undefined,
  google_frame: undefined,
};

await tools.keys.open();
const host = await openHost(
  {
    name: 'vault',
    addresses,
    production: false,
    names: { loopback: true, allowed: new Set() },
    body_bytes: 8192,
    clock,
    chance,
    log,
    counts,
    public: [],
    card_data: true,
    routes: routesWith(vaultRoutes(), tools),
    connections: { behind_proxy: false, proxies: NO_PROXIES, exempt: new Set() },
    limits: { requests_per_second: 1e6, requests_running: 1e6, failed_keys_per_minute: 1e6 },
    tls:
      tls === ''
        ? undefined
        : openPublicTls({ cert_file: join(tls, 'cert.pem'), key_file: join(tls, 'key.pem') }, () => undefined),
    identify: callerOfKey(tools),
    ready: async () => ({ database: await db.ready() }),
  },
  { host: '127.0.0.1', port: 0, setting: 'none' },
);
addresses.vault_url = host.address;
console.log(host.address);
process.stdin.resume().on('end', () => process.exit(0));
