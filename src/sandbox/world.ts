// The whole state of the simulated provider: the books of both providers, its clock, armed faults, the addresses for
// messages, and the settings. The settings are in the journal beside the books, so a kill does not change them.
import type { Chance } from '../kit/clock.ts';
import { Books } from './books.ts';
import { type Chaos, draw, readChaos } from './faults/chaos.ts';
import { PENDING_S, PLAIN, type Twist } from './faults/fault.ts';
import { type Facts, type Scenario, matches, readScenario, twistOf } from './faults/scenarios.ts';
import { isRecord, readEntries } from './entry.ts';
import type { Journal } from './journal.ts';
import { Agenda, type Due } from './later/agenda.ts';
import { happen } from './later/events.ts';
import { Messenger, type Receiver } from './later/messages.ts';
import { type Subscription, Subscriptions, isSubscription } from './later/subscriptions.ts';
import { isAuthentication } from './three-ds/authentication.ts';
import { Register } from './three-ds/register.ts';
import { Teller } from './three-ds/teller.ts';

export const PROVIDER_NAMES = ['simulator', 'simulator_b'] as const;

/** When messages are sent: never, after a later change, or about every operation. */
export const CALLBACKS = ['none', 'later', 'all'] as const;

/** The settings, which can all be changed while the sandbox runs. */
export type Control = {
  readonly shift_ms: number;
  readonly scenarios: readonly Scenario[];
  /** Scenarios that a caller armed under a key, the latest last: the same key arms nothing a second time. */
  readonly once: readonly Once[];
  readonly chaos: Chaos | null;
  readonly callbacks: (typeof CALLBACKS)[number];
  /** The providers that deduplicate repeats. */
  readonly deduplicates: readonly string[];
  readonly receiver: Receiver | null;
  /** How long a call without an answer is held; null: until its caller gives up. */
  readonly hang_ms: number | null;
  readonly outages: readonly Outage[];
};

/** An outage of a provider for one account, or for all if the account is null. `until` is on the sandbox clock. */
export type Outage = { readonly merchant_account_id: string | null; readonly provider: string; readonly until: number };

export type Once = { readonly key: string; readonly fingerprint: string; readonly scenario: Scenario };

const UNTOLD: Control = {
  shift_ms: 0,
  scenarios: [],
  once: [],
  chaos: null,
  callbacks: 'later',
  deduplicates: [],
  receiver: null,
  hang_ms: null,
  outages: [],
};

export class World {
  readonly books: ReadonlyMap<string, Books>;
  readonly agenda: Agenda;
  readonly messenger: Messenger;
  /** The subscriptions to messages about an account's payments. */
  readonly subscriptions = new Subscriptions();
  /** The authentications of the simulated directory and bank. */
  readonly register: Register;
  readonly teller: Teller;
  readonly chance: Chance;
  /** The address of the simulated bank for a browser; null: the address that our side uses. */
  public_url: string | null = null;
  journal: Journal | undefined;
  private told = UNTOLD;
  /** Calls that left nothing in the books; kept so that an inquiry about one has its facts. */
  private readonly seen = new Map<string, Facts>();
  private readonly counts = new Map<string, number>();

  constructor(real: () => number, chance: Chance) {
    this.chance = chance;
    this.agenda = new Agenda({ real, run: (due) => this.happen(due) });
    this.messenger = new Messenger(real, this.subscriptions);
    const append = (line: string) => this.journal?.append(line);
    const waits: Agenda['add'] = (entry) => this.agenda.add(entry);
    this.books = new Map(PROVIDER_NAMES.map((name) => [name, new Books(name, { append, waits })]));
    this.teller = new Teller({ messenger: this.messenger, is_quiet: () => this.told.callbacks === 'none' });
    this.register = new Register({
      append,
      waits: ({ id, tells_at }) => {
        if (tells_at !== null)
          this.agenda.await({ at: tells_at, provider: 'three_ds', kind: 'authentication', reference: id });
      },
    });
  }

  get control(): Control {
    return this.told;
  }

  now(): number {
    return this.agenda.now();
  }

  /** Changes settings; the change is valid once it is written. */
  tell(change: Partial<Control>): void {
    const told = { ...this.told, ...change };
    this.journal?.append(JSON.stringify({ control: told }));
    this.believe(told);
  }

  subscribe(subscription: Subscription): void {
    if (this.subscriptions.keep(subscription)) this.journal?.append(JSON.stringify({ subscription }));
  }

  /** Applies one line of the journal; throws if the line is not ours. */
  restore(line: string): void {
    const value: unknown = JSON.parse(line);
    if (isRecord(value) && isRecord(value['control'])) return this.believe(readControl(value['control']));
    if (isRecord(value) && typeof value['lot'] === 'string') return void this.count(value['lot']);
    if (isRecord(value) && isSubscription(value['subscription']))
      return void this.subscriptions.keep(value['subscription']);
    if (isRecord(value) && isAuthentication(value['three_ds'])) return this.register.restore(value['three_ds']);
    for (const entry of readEntries(value)) this.books.get(entry.provider)?.restore(entry);
  }

  /**
   * Forgets the books and all settings, except the clock (which never goes back), the receiver and the subscriptions.
   */
  reset(): void {
    this.journal?.clear();
    for (const subscription of this.subscriptions.list()) this.journal?.append(JSON.stringify({ subscription }));
    for (const books of this.books.values()) books.clear();
    this.register.clear();
    this.teller.clear();
    this.seen.clear();
    this.counts.clear();
    this.agenda.clear();
    this.tell({ ...UNTOLD, shift_ms: this.told.shift_ms, receiver: this.told.receiver });
  }

  /** True if the books are empty and the clock is the real one. */
  isUntouched(): boolean {
    return (
      this.told.shift_ms === 0 && [...this.books.values()].every((own) => own.list()[Symbol.iterator]().next().done)
    );
  }

  isDown({ provider, merchant_account_id }: Pick<Facts, 'provider' | 'merchant_account_id'>): boolean {
    return this.told.outages.some(
      (one) =>
        one.provider === provider &&
        one.until > this.now() &&
        (one.merchant_account_id === null || one.merchant_account_id === merchant_account_id),
    );
  }

  /** The fault of this call: from an armed scenario, which it uses up, or from the chaos table. */
  armedFor(facts: Facts): Twist {
    const { scenarios, chaos } = this.told;
    const scenario = scenarios.find((one) => matches(one, facts));
    if (scenario !== undefined) {
      const left = { ...scenario, remaining: scenario.remaining - 1 };
      this.tell({
        scenarios: scenarios.flatMap((one) => (one !== scenario ? [one] : left.remaining > 0 ? [left] : [])),
        outages: [...this.told.outages.filter(({ until }) => until > this.now()), ...this.outageOf(scenario, facts)],
      });
      return twistOf(scenario);
    }
    if (chaos === null) return PLAIN;
    const { called, reference } = facts;
    const lot = `${called}|${reference}`;
    // in the journal, because a kill must not reset it: the same inquiry would get the same fault again and again
    this.journal?.append(JSON.stringify({ lot }));
    return draw(chaos, { called, reference, nth: this.count(lot) });
  }

  /** Counts this call, and returns how many there were. */
  private count(lot: string): number {
    const nth = (this.counts.get(lot) ?? 0) + 1;
    this.counts.set(lot, nth);
    return nth;
  }

  /** The call that matches the scenario is the first one in the outage. */
  private outageOf({ fault, merchant_account_id, seconds }: Scenario, { provider }: Facts): readonly Outage[] {
    if (fault !== 'provider_down') return [];
    return [{ merchant_account_id, provider, until: this.now() + (seconds ?? PENDING_S) * 1000 }];
  }

  remember(facts: Facts): void {
    if (this.seen.size >= MOST_SEEN) this.seen.clear();
    this.seen.set(facts.reference, facts);
  }

  findSeen(reference: string): Facts | undefined {
    return this.seen.get(reference);
  }

  async close(): Promise<void> {
    this.agenda.stop();
    await this.messenger.stop();
    this.journal?.close();
  }

  private believe(told: Control): void {
    this.told = told;
    this.messenger.receiver = told.receiver;
    for (const [name, books] of this.books) books.deduplicates = told.deduplicates.includes(name);
    if (told.shift_ms !== this.agenda.shift_ms) this.agenda.restore(told.shift_ms);
  }

  /**
   * The entry itself says what still waits, because a due change may have happened already, or may not apply any more.
   */
  private happen({ provider, kind, reference, at }: Due): void {
    if (kind === 'authentication') {
      const authentication = this.register.find(reference);
      if (authentication !== undefined) void this.teller.tell(authentication);
      return;
    }
    const books = this.books.get(provider);
    const entry = kind === 'reversal' ? books?.findReversal(reference) : books?.find(reference);
    const later = entry?.later.find((one) => one.at === at);
    if (books === undefined || entry === undefined || later === undefined) return;
    const news = happen(books, { entry, later }, at);
    if (news !== undefined && this.told.callbacks !== 'none') void this.messenger.send(news);
  }
}

const MOST_SEEN = 100_000;

function readControl(value: Record<string, unknown>): Control {
  const { shift_ms, scenarios, once, chaos, callbacks, deduplicates, receiver, hang_ms, outages } = value;
  const known = CALLBACKS.find((name) => name === callbacks);
  const armed = Array.isArray(scenarios) ? scenarios.map(readScenario) : [];
  const table = chaos === null ? null : readChaos(chaos);
  if (typeof shift_ms !== 'number' || known === undefined || !Array.isArray(deduplicates)) {
    throw new Error('a line of the journal is not what was told');
  }
  return {
    shift_ms,
    scenarios: armed.filter((one): one is Scenario => !('members' in one)),
    once: Array.isArray(once) ? once.filter(isOnce) : [],
    chaos: table !== null && 'member' in table ? null : table,
    callbacks: known,
    deduplicates: deduplicates.map(String),
    receiver: isReceiver(receiver) ? receiver : null,
    hang_ms: typeof hang_ms === 'number' ? hang_ms : null,
    outages: Array.isArray(outages) ? outages.filter(isOutage) : [],
  };
}

export const isReceiver = (value: unknown): value is Receiver =>
  isRecord(value) && typeof value['url'] === 'string' && typeof value['secret'] === 'string';

const isOutage = (value: unknown): value is Outage =>
  isRecord(value) && typeof value['provider'] === 'string' && typeof value['until'] === 'number';

const isOnce = (value: unknown): value is Once =>
  isRecord(value) && typeof value['key'] === 'string' && typeof value['fingerprint'] === 'string';
