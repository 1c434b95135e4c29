// A trial: what a draft would have done with the orders of the last days. The rules of the day and the draft are both
// applied to every stored attempt; attempts that go elsewhere are counted and shown. A trial writes nothing.
import { DAY_MS } from '../../core/durations.ts';
import { idAt } from '../../core/ids.ts';
import { dayOf } from '../../core/retries/day.ts';
import type { RouteDraft } from '../../core/routing/table.ts';
import { givingWay } from '../../kit/process/giving-way.ts';
import { findAccount } from '../merchant/account.ts';
import type { Tools } from '../tools.ts';
import { Commons, type StoredAttempt, findRouteAttempts } from './trial/attempts-store.ts';
import { type FeesOfDays, dayNumber } from './trial/cost.ts';
import { asksHowItEnded } from './decide.ts';
import { feesByDay } from './fees.ts';
import { Judge } from './trial/judge.ts';
import { NoteShapes } from './trial/notes.ts';
import { tableOfDraft } from './publish.ts';
import { Versions } from './past-rules.ts';
import { Tally, type TrialCounts } from './trial/tally.ts';

/** Orders read at once, and attempts played at once: some milliseconds. */
const PAGE = 250;
const SLICE = 50;
const MOST = 1_000_000;
const EXAMPLES = 20;

export type Trying = {
  readonly draft: RouteDraft;
  readonly days?: number;
  /** Goes on behind this order; absent: from the first of the days. */
  readonly after?: string;
  readonly most?: number;
  readonly examples?: number;
  /** Orders that are read at once. */
  readonly page?: number;
  /** The process has nothing else to do: a page is read while the one before is played. */
  readonly alone?: true;
  /** Told after each page: orders looked at so far, and the share of the days that is done. */
  readonly progress?: (orders: number, done: number) => void;
  /** Stops after the page under way; what was counted so far is answered. */
  readonly signal?: AbortSignal;
};

export type RouteTrial = TrialCounts & {
  /** False: there were more orders than `most`, or it was stopped; the newest of the days were not reached. */
  readonly complete: boolean;
  readonly stopped: boolean;
  /** The order it came to; where none was looked at, where it began. */
  readonly last: string;
};

type TryTools = Pick<Tools, 'db' | 'clock' | 'secret_key' | 'origins' | 'providers'>;

/**
 * Plays a draft on the orders of the last `days` (30), at most `most` of them. Throws a Refusal for an unknown account.
 */
export async function tryRoutes(tools: TryTools, merchant_account_id: string, trying: Trying): Promise<RouteTrial> {
  const { draft, days = 30, most = MOST, examples = EXAMPLES, page: room = PAGE, alone = false } = trying;
  const account = await findAccount(tools, merchant_account_id);
  if (!account) throw new Error(`there is no merchant account ${merchant_account_id}`);
  const table = await tableOfDraft(tools, merchant_account_id, draft);
  const db = tools.db.tenant(merchant_account_id);
  const versions = new Versions(tools, merchant_account_id);
  const judge = new Judge(tools, account, table);
  const tally = new Tally(examples, account.contracts);
  const on = feesByDay(db);
  const until = tools.clock.now().getTime();
  const from = until - days * DAY_MS;
  const known = { notes: new NoteShapes(), commons: new Commons() };
  const read = { to: idAt(until + 1000), ended: asksHowItEnded(table), ...known };
  const way = givingWay(tools.clock, { alone });
  let after = trying.after ?? idAt(from);
  let orders = 0;
  const nextPage = async (): Promise<readonly StoredAttempt[]> => {
    const left = Math.min(room, most - orders);
    return left > 0 ? way.reading(findRouteAttempts(db, { ...read, after, room: left })) : [];
  };
  const play = async (rows: readonly StoredAttempt[]) => {
    await versions.learn(rows.map(({ route: noted }) => noted));
    const fees = await feesOf(on, rows);
    way.begin();
    for (let at = 0; at < rows.length; at += SLICE) {
      for (const row of rows.slice(at, at + SLICE))
        if (!row.refused_by_risk) tally.take(judge.judge(row, { then: versions.of(row.route), fees }));
      await way.give();
    }
  };
  let page = nextPage();
  for (;;) {
    const rows = await page;
    const last = rows.at(-1);
    const stopped = trying.signal?.aborted === true;
    if (!last || stopped) return { ...tally.counts(), complete: !last && orders < most, stopped, last: after };
    after = last.order_id;
    orders += new Set(rows.map(({ order_id }) => order_id)).size;
    // beside other work the next page is read once this one was played: the reading would count as that other work
    page = alone ? nextPage() : play(rows).then(nextPage);
    if (alone) await Promise.all([play(rows), page]);
    else await page;
    trying.progress?.(orders, (last.at.getTime() - from) / (until - from));
  }
}

/** The fees by the number of the attempt's day. */
async function feesOf(on: ReturnType<typeof feesByDay>, rows: readonly StoredAttempt[]): Promise<FeesOfDays> {
  const days = new Map(rows.map(({ at }) => [dayNumber(at), at]));
  const read = [...days].map(async ([number, at]) => [number, await on(dayOf(at))] as const);
  return new Map(await Promise.all(read));
}
