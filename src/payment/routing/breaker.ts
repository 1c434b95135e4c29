// How providers are, as this process acts on it (engine.md 9). While one is open a new authorization is not sent at all, so it is
// proved never sent and another provider may be tried; everything else waits. One that is half or spread gets a share of the payments
// that another could take too. What its calls come to is counted here, and one process after the other looks at the counts of all.
import {
  type HealthState,
  WELL,
  type Watch,
  answered as hasAnswered,
  learntLatency,
  opened,
  shareOf,
  slowAfter,
  watched,
} from '../../core/routing/health.ts';
import type { LeftOut } from '../../core/routing/route.ts';
import type { Chance, Clock } from '../../kit/clock.ts';
import type { Database } from '../../kit/database.ts';
import type { Log } from '../../kit/log.ts';
import type { Breaker, CallSeen } from '../tools.ts';
import { type HealthRow, findHealth, findUnwatched, forgetCounts, insertCounts, putWatch } from './health-store.ts';
import { claimProbes, closeProvider, openProvider } from './store.ts';

/** So many calls in a row without an answer. Single faults, even many, do not open it. */
const OPENS_AFTER = 5;
const PROBE_S = 5;
/** What waited comes back spread over this time. */
const SPREAD_S = 5;
/** A provider that is half gets one payment in this time at most, from each process. */
const HALF_EVERY_MS = 1000;
const FORGET_EVERY_MS = 600_000;
/** What a call is taken to last before any was seen. */
const FIRST_LATENCY_MS = 1000;

type Making = {
  readonly db: Database;
  readonly log: Log;
  readonly clock: Pick<Clock, 'now' | 'ticks'>;
  readonly chance: Pick<Chance, 'bytes'>;
};

export function makeBreaker(making: Making): Breaker {
  const health = new ProviderHealth(making);
  return {
    isOpen: (provider) => health.isOpen(provider),
    stateOf: (provider) => health.stateOf(provider),
    leftOut: (provider) => health.leftOut(provider),
    saw: (provider, seen) => health.saw(provider, seen),
    look: (probe) => health.look(probe),
  };
}

type Known = Pick<HealthRow, 'held'> & { readonly watch: Watch };

class ProviderHealth {
  private readonly made: Making;
  /** Calls in a row without an answer. */
  private readonly unanswered = new Map<string, number>();
  private readonly counts = new Map<string, { seen: number; bad: number; slow: number }>();
  private readonly latencies = new Map<string, number>();
  private readonly admitted = new Map<string, number>();
  private known: ReadonlyMap<string, Known> = new Map();
  private forgot_at = 0;

  constructor(made: Making) {
    this.made = made;
  }

  isOpen(provider: string): boolean {
    return this.stateOf(provider) === 'open';
  }

  stateOf(provider: string): HealthState {
    const { held, watch } = this.known.get(provider) ?? { held: null, watch: WELL };
    return held ?? watch.state;
  }

  leftOut(provider: string): LeftOut | undefined {
    const { held, watch } = this.known.get(provider) ?? { held: null, watch: WELL };
    if (held !== null) return held === 'open' ? 'held' : undefined;
    if (watch.state === 'closed' || watch.state === 'open') return watch.state === 'open' ? 'open' : undefined;
    const share = shareOf(watch, this.made.clock.now().getTime());
    const drawn = this.made.chance.bytes(4).readUInt32BE() / 2 ** 32;
    const passes = drawn < share && (watch.state === 'spread' || this.isDue(provider));
    return passes ? undefined : watch.state;
  }

  private isDue(provider: string): boolean {
    const now = this.made.clock.ticks();
    if (now - (this.admitted.get(provider) ?? -HALF_EVERY_MS) < HALF_EVERY_MS) return false;
    this.admitted.set(provider, now);
    return true;
  }

  saw(provider: string, { answered, trouble, ms }: CallSeen): void {
    this.count(provider, { bad: !answered || trouble, ms });
    const count = answered ? 0 : (this.unanswered.get(provider) ?? 0) + 1;
    this.unanswered.set(provider, count);
    if (count !== OPENS_AFTER) return;
    this.unanswered.set(provider, 0);
    this.trip(provider).catch((error: unknown) =>
      this.made.log.warn({ provider, error: String(error) }, 'a breaker could not be stored'),
    );
  }

  private count(provider: string, { bad, ms }: { readonly bad: boolean; readonly ms: number }): void {
    const latency = this.latencies.get(provider) ?? FIRST_LATENCY_MS;
    this.latencies.set(provider, learntLatency(latency, ms));
    const counted = this.counts.get(provider) ?? { seen: 0, bad: 0, slow: 0 };
    counted.seen += 1;
    if (bad) counted.bad += 1;
    if (ms > slowAfter(latency)) counted.slow += 1;
    this.counts.set(provider, counted);
  }

  private async trip(provider: string): Promise<void> {
    const { db, log, clock } = this.made;
    log.error(
      { provider },
      `${OPENS_AFTER} calls in a row without an answer: the provider is left alone until it answers`,
    );
    const { held, watch } = this.known.get(provider) ?? { held: null, watch: WELL };
    const open = opened(watch, clock.now().getTime());
    this.known = new Map([...this.known, [provider, { held, watch: open }]]);
    await openProvider(db, { name: provider, watch: open, probe_s: PROBE_S });
  }

  async look(probe: (provider: string) => Promise<boolean>): Promise<void> {
    const { db, log } = this.made;
    await this.writeCounts();
    await this.watchAll();
    // each on its own: one that hangs, or whose probe fails, leaves none of the others shut
    const claimed = await claimProbes(db, PROBE_S);
    await Promise.all(
      claimed.map((provider) =>
        this.closeIfWell(provider, probe).catch((error: unknown) =>
          log.warn({ provider, error: String(error) }, 'a provider will be probed again'),
        ),
      ),
    );
    this.known = new Map((await findHealth(db.looks)).map(({ name, ...row }) => [name, knownOf(row)]));
  }

  private async writeCounts(): Promise<void> {
    const counts = [...this.counts].map(([provider, counted]) => ({ provider, ...counted }));
    this.counts.clear();
    if (counts.length > 0) await insertCounts(this.made.db, counts);
    const now = this.made.clock.ticks();
    if (now - this.forgot_at < FORGET_EVERY_MS) return;
    this.forgot_at = now;
    await forgetCounts(this.made.db);
  }

  /** Of the calls that nobody has looked at. */
  private async watchAll(): Promise<void> {
    const { db, log } = this.made;
    for (const row of await findUnwatched(db.looks)) {
      const { watch: before } = knownOf(row);
      const watch = watched(before, row, row.to.getTime());
      const { name, watched_to, to } = row;
      const written = await putWatch(db, { name, watched_to, to, from: row.health, watch, reason: reasonOf(watch) });
      if (!written || watch.state === before.state) continue;
      log.warn(
        { provider: name, from: before.state, to: watch.state },
        'a provider is given another share of payments',
      );
    }
  }

  private async closeIfWell(provider: string, probe: (provider: string) => Promise<boolean>): Promise<void> {
    if (!(await probe(provider))) return;
    const { db, log, clock } = this.made;
    this.unanswered.set(provider, 0);
    const [row] = (await findHealth(db)).filter(({ name }) => name === provider);
    const { watch } = row ? knownOf(row) : { watch: opened(WELL, clock.now().getTime()) };
    const half = hasAnswered({ ...watch, state: 'open' }, clock.now().getTime());
    await closeProvider(db, { name: provider, watch: half, spread_s: SPREAD_S });
    log.info({ provider }, 'the provider is tried again');
  }
}

/** Rows of an earlier version have no watch; the state of the row holds. */
function knownOf({ watch, health, held }: Omit<HealthRow, 'name'>): Known {
  return { held, watch: { ...(watch ?? WELL), state: health } };
}

function reasonOf({ state, alarm }: Watch): string {
  if (state !== 'half' || !alarm)
    return state === 'closed' ? 'all of its payments were well' : 'its payments were well';
  const what = alarm.watch === 'technical' ? 'went unanswered or failed' : 'were slow';
  return `${Math.round(alarm.rate * 100)} of 100 calls ${what}`;
}
