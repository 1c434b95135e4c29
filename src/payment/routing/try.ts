// What a draft would have done with the orders of the last days: the rules of the day and the draft are both played on
// every stored attempt, and what goes elsewhere is counted and shown. Writes nothing.
import { idAt } from '../../core/ids.ts';
import { toCount } from '../../core/money.ts';
import { dayOf } from '../../core/retries/day.ts';
import { type LeftOut, type Routed, compiled, isUnwell, route } from '../../core/routing/route.ts';
import { NO_ORDERS, type SnipsSums, sumsOf } from '../../core/routing/learn/snips.ts';
import type { RouteDraft, RoutingInForce } from '../../core/routing/table.ts';
import type { TenantRunner } from '../../kit/database.ts';
import { givingWay } from '../../kit/process/giving-way.ts';
import { type Account, type Contract, findAccount } from '../merchant/account.ts';
import type { Tools } from '../tools.ts';
import { fits, takingContracts, wantedOf } from './choose.ts';
import { type FeesOfDays, costThen } from './cost.ts';
import { asksHowItEnded, laterFallbacks } from './decide.ts';
import { feesByDay } from './fees.ts';
import { type RouteKept, type RouteNote, idOf, noteOf } from './note.ts';
import { type Then, pastOf } from './past.ts';
import { tableOfDraft } from './publish.ts';
import { type AttemptsAsked, type StoredAttempt, findRouteAttempts } from './store.ts';
import { type Chosen, Versions, chosenThen } from './then.ts';
import { Tally, type TrialCounts } from './tally.ts';

/** Orders read at once, and attempts played at once: some milliseconds. */
const PAGE = 250;
const SLICE = 50;
const DAY_MS = 86_400_000;
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
  const { draft, days = 30, most = MOST, examples = EXAMPLES, page: room = PAGE } = trying;
  const account = await findAccount(tools, merchant_account_id);
  if (!account) throw new Error(`there is no merchant account ${merchant_account_id}`);
  const table = await tableOfDraft(tools, merchant_account_id, draft);
  const db = tools.db.tenant(merchant_account_id);
  const versions = new Versions(tools, merchant_account_id);
  const tally = new Tally(examples, account.contracts);
  const on = feesByDay(db);
  const until = tools.clock.now().getTime();
  const from = until - days * DAY_MS;
  const read = { to: idAt(until + 1000), ended: asksHowItEnded(table) };
  let after = trying.after ?? idAt(from);
  let orders = 0;
  const play = async (rows: readonly StoredAttempt[]) => {
    await versions.learn(rows.flatMap(({ route: note }) => note?.w ?? []));
    const fees = await feesOf(on, rows);
    const way = givingWay(tools.clock);
    for (let at = 0; at < rows.length; at += SLICE) {
      for (const row of rows.slice(at, at + SLICE))
        if (!row.refused_by_risk)
          judge(tools, row, { account, table, then: await versions.of(row.route), tally, fees });
      await way.give();
    }
  };
  let rows = await pageOf(db, { ...read, after, room: Math.min(room, most) });
  for (;;) {
    const last = rows.at(-1);
    const stopped = trying.signal?.aborted === true;
    if (!last || stopped) return { ...tally.counts(), complete: !last && orders < most, stopped, last: after };
    after = last.order_id;
    orders += new Set(rows.map(({ order_id }) => order_id)).size;
    // not while it is played: what reading takes of this process would be taken for the work of others
    await play(rows);
    rows = await pageOf(db, { ...read, after, room: Math.min(room, most - orders) });
    trying.progress?.(orders, (last.at.getTime() - from) / (until - from));
  }
}

async function pageOf(db: TenantRunner, asked: AttemptsAsked): Promise<readonly StoredAttempt[]> {
  return asked.room > 0 ? findRouteAttempts(db, asked) : [];
}

async function feesOf(on: ReturnType<typeof feesByDay>, rows: readonly StoredAttempt[]): Promise<FeesOfDays> {
  const days = [...new Set(rows.map(({ at }) => dayOf(at)))];
  return new Map(await Promise.all(days.map(async (day) => [day, await on(day)] as const)));
}

type Judging = {
  readonly fees: FeesOfDays;
  readonly account: Account;
  readonly table: RoutingInForce;
  readonly then: Then | undefined;
  readonly tally: Tally;
};

function judge(tools: TryTools, row: StoredAttempt, { account, table, then, tally, fees }: Judging): void {
  const { merchant_account_id } = account;
  const past = pastOf(tools, { merchant_account_id, contracts: then?.table.contracts ?? [] }, row);
  const chosen = chosenThen(row, past, then && { ...then, contracts: account.contracts });
  const routed = again(tools, row, { account, table, past, then });
  const kept: RouteKept = {
    note: noteOf(routed, { table, how: undefined, f: undefined, e: undefined }),
    of: { ...table, rule: null },
  };
  const first = account.contracts.find(({ id }) => id === routed.order[0]);
  const cost = costThen(row, { fees, origins: tools.origins });
  tally.take({
    row,
    before: chosen.first,
    after: first?.id ?? null,
    rule: routed.rule === undefined ? null : (table.rules[routed.rule]?.name ?? null),
    because: routed.because,
    replayed: chosen.replayed,
    fallbacks: first ? laterFallbacks(kept, { contracts: account.contracts, contract_id: first.id }) : [],
    sums: outcomeOf(row, row.approved === true ? 1 : 0, { chosen, routed }),
    cost,
    cost_sums: typeof cost === 'bigint' ? outcomeOf(row, toCount(cost), { chosen, routed }) : NO_ORDERS,
  });
}

type Compared = { readonly chosen: Chosen; readonly routed: Routed };

/** What came of it says of the draft: nothing where it was not drawn, or not tried again as it was. */
function outcomeOf(
  { attempt, approved, contract_id }: StoredAttempt,
  y: number,
  { chosen, routed }: Compared,
): SnipsSums {
  const { chances, replayed, first } = chosen;
  if (attempt !== 1 || approved === null || !chances || replayed !== 'same') return NO_ORDERS;
  // a contract that the request names goes there whatever the rules say
  if (routed.because === 'named' || first === null || first !== contract_id) return NO_ORDERS;
  return sumsOf(first, y, { then: chances, now: routed.chances });
}

type Again = Pick<Judging, 'account' | 'table' | 'then'> & { readonly past: ReturnType<typeof pastOf> };

/** The draft's choice, with the contracts of today, and the health of then and what was learnt by then. */
function again({ providers }: TryTools, row: StoredAttempt, { account, table, past, then }: Again): Routed {
  const may = takingContracts(providers, account, {
    partner: row.card_digest === null ? row.provider : null,
    network_token: row.network_token,
    three_ds_data: row.body['3ds_data'] !== undefined,
  });
  const wanted = wantedOf(row.body, { currency: row.currency, payment_method_name: row.scheme });
  const unwell = unwellOf(row.route, then?.table, account.contracts);
  const id = may.contracts.find((one) => one.id === past.named || one.name === past.named)?.id;
  return route(past.ended, compiled(table), {
    contracts: may.contracts,
    leftOut: (one) => {
      const contract = may.contracts.find((other) => other.id === one);
      if (!contract) return 'off';
      return fits(contract, wanted) ? (unwell.get(contract.provider) ?? unwell.get(contract.id)) : 'unfit';
    },
    draw: past.draw,
    weights: then?.weights ?? account.settings.weights,
    named: id === undefined ? undefined : { id, how: account.settings.named_contract },
  });
}

/** Providers that were passed over then, and contracts that were for what they declined. */
function unwellOf(
  note: RouteNote | null,
  then: RoutingInForce | undefined,
  contracts: readonly Contract[],
): ReadonlyMap<string, LeftOut> {
  const left = (note?.x ?? []).flatMap(([one, why]) => {
    const id = idOf(one, then?.contracts ?? []);
    const provider = contracts.find((contract) => contract.id === id)?.provider;
    if (provider === undefined || !isUnwell(why)) return [];
    return [[why === 'suspected' ? id : provider, why] as const];
  });
  return new Map(left);
}
