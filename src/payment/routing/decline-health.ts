// The declines of contracts, as this process counts them and acts on them. The contracts of one account with one scheme
// are a family; they are compared with each other. The states are stored for all processes, which take turns to look at
// new counts.
import { HOUR_MS } from '../../core/durations.ts';
import {
  type DeclineCounts,
  type DeclineState,
  type DeclineWatch,
  UNWATCHED,
  watchedDeclines,
} from '../../core/routing/decline-watch.ts';
import type { Clock } from '../../kit/clock.ts';
import type { Database } from '../../kit/database.ts';
import type { Log } from '../../kit/log.ts';
import type { Decided } from '../tools.ts';
import {
  type ContractChange,
  type FamilyCounts,
  type UnwatchedFamily,
  type WatchedFamily,
  findUnwatchedFamilies,
  findUnwellFamilies,
  forgetDeclineCounts,
  insertDeclineCounts,
  putWatches,
} from './watch-store.ts';

/** Contracts with a scheme that are counted at once; what is beyond is not compared. */
const MOST = 512;
/** A card counts once an hour: who tries stolen numbers says nothing of the contract. So many are kept in mind. */
const CARDS = 50_000;
const FORGET_EVERY_MS = 600_000;

type Making = { readonly db: Database; readonly log: Log; readonly clock: Pick<Clock, 'now' | 'ticks'> };

export type ContractCell = {
  readonly contract_id: string;
  readonly merchant_account_id: string;
  readonly scheme: string;
};

const familyOf = ({ merchant_account_id, scheme }: Omit<ContractCell, 'contract_id'>) =>
  `${merchant_account_id} ${scheme}`;
const schemeOf = (family: string) => family.slice(family.indexOf(' ') + 1);

export class DeclineHealth {
  private readonly made: Making;
  private readonly counts = new Map<string, FamilyCounts>();
  private cards = new Set<string>();
  private hour = 0;
  private forgot_at = 0;
  /** The states, by family and contract. */
  private known: ReadonlyMap<string, DeclineWatch> = new Map();

  constructor(made: Making) {
    this.made = made;
  }

  watchOf(cell: ContractCell): DeclineWatch {
    return this.known.get(`${familyOf(cell)} ${cell.contract_id}`) ?? UNWATCHED;
  }

  decided({ card, provider, bad, ...cell }: Decided): void {
    if (this.wasSeen(card)) return;
    const family = familyOf(cell);
    const { contract_id } = cell;
    const key = `${family} ${contract_id}`;
    const counted = this.counts.get(key) ?? { family, contract_id, provider, seen: 0, bad: 0 };
    if (counted.seen === 0 && this.counts.size >= MOST) return;
    this.counts.set(key, { ...counted, seen: counted.seen + 1, bad: counted.bad + (bad ? 1 : 0) });
  }

  private wasSeen(card: string): boolean {
    const hour = Math.floor(this.made.clock.now().getTime() / HOUR_MS);
    if (hour !== this.hour || this.cards.size >= CARDS) this.cards = new Set();
    this.hour = hour;
    if (this.cards.has(card)) return true;
    this.cards.add(card);
    return false;
  }

  async look(): Promise<void> {
    const { db } = this.made;
    const counts = [...this.counts.values()];
    this.counts.clear();
    if (counts.length > 0) await insertDeclineCounts(db, counts);
    await this.watchAll();
    const unwell = await findUnwellFamilies(db.looks);
    this.known = new Map(
      unwell.flatMap(({ family, watches }) =>
        Object.entries(watches).map(([contract_id, { watch }]) => [`${family} ${contract_id}`, watch] as const),
      ),
    );
    const now = this.made.clock.ticks();
    if (now - this.forgot_at < FORGET_EVERY_MS) return;
    this.forgot_at = now;
    await forgetDeclineCounts(db);
  }

  private async watchAll(): Promise<void> {
    const { db, log } = this.made;
    const looked = (await findUnwatchedFamilies(db.looks)).map(lookedAt);
    if (looked.length === 0) return;
    const changes = looked.flatMap((one) => one.changes);
    await putWatches(
      db,
      looked.map(({ row }) => row),
      changes,
    );
    for (const { contract_id, scheme, from, to } of changes)
      log.warn({ contract_id, scheme, from, to }, 'a contract is given another share of payments');
  }
}

function lookedAt({ family, watches, counts, ...times }: UnwatchedFamily): {
  readonly row: WatchedFamily;
  readonly changes: readonly ContractChange[];
} {
  const providers = new Map([
    ...Object.entries(watches ?? {}).map(([id, { provider }]) => [id, provider] as const),
    ...counts.map(({ contract_id, provider }) => [contract_id, provider] as const),
  ]);
  const before = Object.fromEntries(Object.entries(watches ?? {}).map(([id, { watch }]) => [id, watch]));
  const counted = Object.fromEntries(
    counts.map(({ contract_id, ...one }): [string, DeclineCounts] => [contract_id, one]),
  );
  const after = Object.entries(watchedDeclines(before, counted, times.to.getTime()));
  const providerOf = (id: string) => providers.get(id) ?? '';
  return {
    row: {
      ...times,
      family,
      watches: Object.fromEntries(after.map(([id, watch]) => [id, { provider: providerOf(id), watch }])),
      unwell: after.some(([, { state }]) => state !== 'closed'),
    },
    changes: after.flatMap(([contract_id, watch]) => {
      const from = before[contract_id]?.state ?? 'closed';
      const of = { family, contract_id, provider: providerOf(contract_id), scheme: schemeOf(family) };
      return watch.state === from ? [] : [{ ...of, from, to: watch.state, reason: reasonOf(watch, from) }];
    }),
  };
}

const percent = (part: number, whole: number) => `${Math.round((part / Math.max(1, whole)) * 100)} of 100`;

function reasonOf({ state, own, others, rate, alarm }: DeclineWatch, from: DeclineState): string {
  switch (state) {
    case 'suspected':
      return `declined more than its usual ${percent(rate, 1)}; it is compared with the others`;
    case 'half':
      return from === 'half'
        ? `still declined as much as ${percent(alarm, 1)}`
        : `declined ${percent(own.bad, own.seen)}, the others ${percent(others.bad, others.seen)}`;
    case 'spread':
      return 'declined no more than usual';
    case 'closed':
      return from === 'suspected' ? 'the others declined as much' : 'its payments were well';
  }
}
