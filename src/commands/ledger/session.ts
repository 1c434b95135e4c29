// The tools of a command on the money zone, beside the running service: its database under the zone's own role, and the
// tools to decide and commit. The command calls no provider and no vault; it learns from files, books and people.
import { createSecretKey } from 'node:crypto';
import { constants, setPriority } from 'node:os';
import { type Config, readConfig } from '../../settings/config.ts';
import { openPaymentBeside } from '../../hosts/databases.ts';
import { sandboxControl } from '../../destinations.ts';
import { ClockWatch, systemChance, systemClock } from '../../kit/clock.ts';
import { crashAt } from '../../kit/crash.ts';
import { openOrigins } from '../../kit/origin/origins.ts';
import { openEgress } from '../../kit/egress.ts';
import { Counts } from '../../kit/http/counts.ts';
import { openLog } from '../../kit/log.ts';
import { type Progress, openProgress } from '../../kit/terminal/progress.ts';
import { makeCaps } from '../../payment/declines/caps.ts';
import { readClock } from '../../payment/sandbox/clock/store.ts';
import { type Breaker, CallsInFlight, type Tools, noRequestLog, noTestClock } from '../../payment/tools.ts';
import type { VaultLink } from '../../payment/vault-link.ts';
import { providers } from '../../provider/registry.ts';
import { findSimulator } from '../../hosts/simulator-process.ts';

export type MoneySession = AsyncDisposable & {
  readonly config: Config;
  readonly tools: Tools;
  readonly bar: Progress;
};

/** These commands send merchants nothing. */
const NO_OUTSIDE: Tools['outside'] = {
  exchange: async () => ({ kind: 'not_sent' }),
  destroy: async () => undefined,
  rules: { private_targets: false, ports: [] },
  brand: '',
  clock: systemClock(),
  deadline_ms: 0,
};

/** A command that sends nothing treats every provider as well. */
export const ALL_WELL: Breaker = {
  isOpen: () => false,
  leftOut: () => undefined,
  stateOf: () => 'closed',
  isPart: () => false,
  refuses: () => false,
  holdOf: () => undefined,
  suspects: () => undefined,
  saw: () => undefined,
  decided: () => undefined,
  look: async () => undefined,
};

export async function openMoney(): Promise<MoneySession> {
  const config = readConfig(undefined, 'payment command');
  // the running service has the higher priority
  setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
  const log = openLog(config.log_level);
  const clock = systemClock();
  const egress = openEgress();
  const simulator =
    config.environment === 'sandbox' ? findSimulator({ ...config, url: config.simulator_url }) : undefined;
  const { db, close } = await openPaymentBeside(config, log);
  const chance = systemChance(clock);
  const tools: Tools = {
    db,
    relaxed_db: db,
    vault: NO_VAULT,
    direct: async () => ({ outcome: 'not_sent', reason: 'refused' }),
    providers: providers(config),
    authenticator: undefined,
    authenticator_secret: undefined,
    certificates: { isSignedUnder: async () => undefined },
    breaker: ALL_WELL,
    sandbox: simulator === undefined ? undefined : sandboxControl(simulator, egress),
    outside: NO_OUTSIDE,
    clock,
    // what a command is told by books and people is older than it
    database_clock: new ClockWatch(() => clock.ticks()),
    chance,
    log,
    counts: new Counts({ clock, chance, log }),
    request_log: noRequestLog,
    retention: config,
    mail: { way: 'none' },
    caps: makeCaps(),
    environment: config.environment,
    key_letters: config.key_letters,
    addresses: { base_url: config.base_url, vault_url: config.vault_url, backoffice_url: '' },
    origins: openOrigins(config),
    running: new CallsInFlight(log),
    wake_up: { wake: () => undefined },
    test_clock: noTestClock(),
    // commands open no saved card
    secret_key: createSecretKey(Buffer.alloc(0)),
    crash: crashAt(config.crash_at),
  };
  if (config.environment === 'sandbox') await goWithClock(tools);
  const bar = openProgress(process.stderr, clock);
  return {
    config,
    tools,
    bar,
    [Symbol.asyncDispose]: async () => {
      bar.end();
      await close();
      await egress.close();
    },
  };
}

/** A sandbox's clock may be ahead. The command uses that clock, so that recent rows are not in its future. */
export async function goWithClock({ db, clock }: Pick<Tools, 'db' | 'clock'>): Promise<void> {
  clock.moveTo((await readClock(db)).shift_ms);
}

const none = () => Promise.reject(new Error('a command calls no vault'));
const NO_VAULT: VaultLink = {
  forward: none,
  tombstone: none,
  settled: () => undefined,
  card: none,
  remove: none,
  putApiKey: none,
  removeApiKey: none,
  ready: async () => false,
  putPartner: none,
  keepCredentials: none,
  wallets: none,
  walletSession: none,
  moveClock: none,
};
