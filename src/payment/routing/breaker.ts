// How providers are, as this process acts on it. While one is open a new authorization is not sent at all, so it is
// proved never sent and another provider may be tried; everything else waits. One that is half or spread gets a share
// of the payments that another could take too. What its calls come to is counted here, and one process after the other
// looks at the counts of all.
import {
  type HealthState,
  WELL,
  type Watch,
  answered as hasAnswered,
  learntLatency,
  opened,
  slowAfter,
  watched,
} from '../../core/routing/health.ts';
import { type ShareState, shareOf } from '../../core/routing/way-back.ts';
import type { LeftOut } from '../../core/routing/route.ts';
import type { Chance, Clock } from '../../kit/clock.ts';
import type { Database } from '../../kit/database.ts';
import type { Log } from '../../kit/log.ts';
import type { Breaker, CallSeen, Candidate } from '../tools.ts';
import { DeclineHealth } from './decline-health.ts';
import {
  type HealthRow,
  claimProbes,
  closeProvider,
  findHealth,
  findUnwatched,
  forgetCounts,
  insertCounts,
  openProvider,
  putWatch,
} from './health-store.ts';
import { type Held, findContractHolds } from './hold-store.ts';

/** So many calls in a row without an answer. Single faults, even many, do not open it. */
const OPENS_AFTER = 5;
const PROBE_S = 5;
/** Waiting operations become due spread over this time. */
const SPREAD_S = 5;
/** A provider that is half gets one payment in this time at most, from each process. */
const HALF_EVERY_MS = 1000;
const FORGET_EVERY_MS = 600_000;
/** The assumed duration of a call before any was seen. */
const FIRST_LATENCY_MS = 1000;

type Making = {
  readonly db: Database;
  readonly log: Log;
  readonly clock: Pick<Clock, 'now' | 'ticks'>;
  readonly chance: Pick<Chance, 'bytes'>;
};

export function makeBreaker(making: Making): Breaker {
  const declines = new DeclineHealth(making);
  const health = new ProviderHealth(making, declines);
  return {
    isOpen: (provider) => health.isOpen(provider),
    refuses: (contract) => health.refuses(contract),
    holdOf: (contract_id) => health.holdOf(contract_id),
    stateOf: (provider) => health.stateOf(provider),
    isPart: (candidate) => health.isPart(candidate),
    leftOut: (provider) => health.leftOut(provider),
    suspects: (candidate) => health.suspects(candidate),
    saw: (provider, seen) => health.saw(provider, seen),
    decided: (decided) => declines.decided(decided),
    look: async (probe) => {
      // neither waits for the other, nor fails with it
      const looks = await Promise.allSettled([health.look(probe), declines.look()]);
      for (const one of looks) if (one.status === 'rejected') throw one.reason;
    },
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
  private holds: ReadonlyMap<string, Held> = new Map();
  private forgot_at = 0;

  private readonly declines: DeclineHealth;

  constructor(made: Making, declines: DeclineHealth) {
    this.made = made;
    this.declines = declines;
  }

  isOpen(provider: string): boolean {
    return this.stateOf(provider) === 'open';
  }

  private of(provider: string): Known {
    return this.known.get(provider) ?? { held: null, watch: WELL };
  }

  stateOf(provider: string): HealthState {
    const { held, watch } = this.of(provider);
    return held ?? watch.state;
  }

  holdOf(contract_id: string): Held | undefined {
    return this.holds.get(contract_id);
  }

  refuses({ provider, contract_id }: Parameters<Breaker['refuses']>[0]): boolean {
    const held = contract_id === null ? undefined : this.holdOf(contract_id);
    return held === undefined ? this.isOpen(provider) : held === 'open';
  }

  isPart(candidate: Candidate): boolean {
    const held = this.holdOf(candidate.contract_id);
    if (held !== undefined) return held === 'open';
    const state = this.stateOf(candidate.provider);
    return state === 'half' || state === 'spread' || this.declines.watchOf(candidate).state !== 'closed';
  }

  leftOut(provider: string): LeftOut | undefined {
    const { held, watch } = this.of(provider);
    if (held !== null) return held === 'open' ? 'held' : undefined;
    return watch.state === 'closed' || this.passes(provider, watch) ? undefined : watch.state;
  }

  suspects(candidate: Candidate): LeftOut | undefined {
    const { provider, contract_id, scheme } = candidate;
    // a person says that it is well
    if (this.of(provider).held === 'closed') return undefined;
    return this.passes(`${contract_id} ${scheme}`, this.declines.watchOf(candidate)) ? undefined : 'suspected';
  }

  /** Whether this payment is of its share. */
  private passes(name: string, watch: Pick<Watch, 'since_ms'> & { readonly state: ShareState }): boolean {
    const { state } = watch;
    if (state === 'closed' || state === 'open') return state === 'closed';
    const drawn = this.made.chance.bytes(4).readUInt32BE() / 2 ** 32;
    return drawn < shareOf(watch, this.made.clock.now().getTime()) && (state !== 'half' || this.isDue(name));
  }

  private isDue(name: string): boolean {
    const now = this.made.clock.ticks();
    if (now - (this.admitted.get(name) ?? -HALF_EVERY_MS) < HALF_EVERY_MS) return false;
    this.admitted.set(name, now);
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
    const { held, watch } = this.of(provider);
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
    const [rows, holds] = await Promise.all([findHealth(db.looks), findContractHolds(db.looks)]);
    this.known = new Map(rows.map(({ name, ...row }) => [name, knownOf(row)]));
    this.holds = new Map(holds.map(({ id, held }) => [id, held]));
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

  /** Judges the calls that no process has looked at yet. */
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
