// florin reconcile, the story: the provider's lines page by page against our operations, then our operations page by
// page against the lines that were seen. Kept in memory are the keys of the lines alone, about 100 bytes each.
import type { Database } from '../../../kit/database.ts';
import { findAccountsAfter } from '../verify/store.ts';
import { type Difference, type InFlight, compareLine, compareUnseen, keyOf, operationOf, twice } from './compare.ts';
import { type KeptFees, type OwnFee, insertFees } from './fees-store.ts';
import type { BookLine, BookSource, ReportedLine } from './line.ts';
import { type OwnOperation, type OwnOrder, findNow, findOwnOrders, findOwnOrdersAfter } from './store.ts';

export type Reconciling = {
  readonly db: Database;
  readonly source: BookSource;
  readonly in_flight: InFlight;
  /** Only this merchant account. */
  readonly account?: string | undefined;
  /** Only operations made between these moments are missed: a settlement file covers a day. */
  readonly from?: Date | undefined;
  readonly to?: Date | undefined;
  readonly page?: number;
  /** True: what the lines say that the provider took is kept, for reports of orders. */
  readonly keep_fees?: boolean;
  /** Called with each difference as it is found. */
  found(difference: Difference): Promise<void>;
  progress(step: string, done: number, total: number): void;
};

export type Reconciled = {
  readonly lines: number;
  readonly operations: number;
  /** Too young to tell: the provider may still act. */
  readonly young: number;
  readonly differences: number;
  readonly fees: KeptFees;
  readonly looked: Looked;
};

/** The lines that a run has seen, by their keys (`keyOf`). */
export type Looked = {
  readonly seen: ReadonlySet<string>;
  /** Those of the lines that were too young to tell. */
  readonly young: ReadonlySet<string>;
  /** Does it cover operations of this age? */
  covers(age_s: number): boolean;
  /** The time from findNow. */
  readonly now: number;
};

export const LOWEST_ID = '0'.repeat(24);
const PAGE = 500;

type Run = Reconciling & {
  readonly now: number;
  readonly seen: Set<string>;
  readonly young: Set<string>;
  readonly counts: Counts;
};

type Counts = { -readonly [K in Exclude<keyof Reconciled, 'looked'>]: Reconciled[K] };

export async function reconcile(reconciling: Reconciling): Promise<Reconciled> {
  const counts = { lines: 0, operations: 0, young: 0, differences: 0, fees: { kept: 0, known: 0, differ: 0 } };
  // what is done after this moment is young: the books may have been read before it
  const now = await findNow(reconciling.db);
  const run: Run = { ...reconciling, now, seen: new Set(), young: new Set(), counts };
  for await (const lines of run.source.pages()) {
    await compareLines(run, lines);
    run.progress('lines', counts.lines, 0);
  }
  for await (const merchant_account_id of accountsOf(run)) await findUnseen(run, merchant_account_id);
  const { seen, young } = run;
  return { ...counts, looked: { seen, young, now, covers: (age_s) => isWithin(run, age_s) } };
}

async function compareLines(run: Run, lines: readonly ReportedLine[]): Promise<void> {
  const wanted = lines.filter((line) => run.account === undefined || line.merchant_account_id === run.account);
  for (const [account, own] of Map.groupBy(wanted, (line) => line.merchant_account_id)) {
    const ids = [...new Set(own.map(({ order_id }) => order_id))];
    const orders = await findOwnOrders(run.db.tenant(account), { ids, now: run.now });
    const by_id = new Map(orders.map((order) => [order.id, order]));
    if (run.keep_fees === true) await keepFees(run, account, feesIn(own, by_id));
    for (const line of own) await compareOne(run, line, by_id.get(line.order_id));
  }
}

/**
 * Under the operation of ours that each was taken for: a provider may name a capture by its hold. A sale that was
 * undone has no capture; what was taken for it, and for giving it back, is kept under the operation that the line
 * names.
 */
function feesIn(lines: readonly ReportedLine[], orders: ReadonlyMap<string, OwnOrder>): readonly OwnFee[] {
  return lines.flatMap((line) => {
    const order = orders.get(line.order_id);
    const found = order && operationOf(line, order);
    const operation = found === 'spoken for' ? order?.operations.find(({ id }) => id === line.reference) : found;
    if (!operation) return [];
    // kept with its capture, once there is one
    if (found !== 'spoken for' && line.kind === 'capture' && operation.kind === 'authorize') return [];
    const { provider, order_id } = line;
    return (line.fees ?? []).map((fee) => ({ ...fee, provider, order_id, operation_id: operation.id }));
  });
}

async function keepFees({ db, counts }: Run, account: string, fees: readonly OwnFee[]): Promise<void> {
  if (fees.length === 0) return;
  const { kept, known, differ } = await insertFees(db.tenant(account), fees);
  const before = counts.fees;
  counts.fees = { kept: before.kept + kept, known: before.known + known, differ: before.differ + differ };
}

async function compareOne(run: Run, line: BookLine, order: OwnOrder | undefined): Promise<void> {
  run.counts.lines++;
  const key = keyOf(line);
  // that a refund was sent back is said by a line of its own, behind the one that it was made
  const mark = line.kind === 'refund' && line.state === 'undone' ? undoneOf(key) : key;
  if (run.seen.has(mark)) return tell(run, twice(line));
  run.seen.add(mark);
  const { is_live, kinds } = run.source;
  const books = { in_flight: run.in_flight, is_live, lists_authorizations: kinds.has('authorize') };
  const compared = compareLine(line, order, books);
  if (compared === 'young') {
    run.counts.young++;
    run.young.add(key);
  }
  if (typeof compared === 'string') return;
  for (const difference of compared) await tell(run, difference);
}

/** The key of the line that says that it was sent back. */
export const undoneOf = (key: string) => `${key} undone`;

async function findUnseen(run: Run, merchant_account_id: string): Promise<void> {
  const { db, page = PAGE, now, seen, in_flight, counts } = run;
  for (let after: string | undefined = LOWEST_ID; after !== undefined;) {
    const orders: readonly OwnOrder[] = await findOwnOrdersAfter(db.tenant(merchant_account_id), {
      after,
      room: page,
      now,
    });
    for (const order of orders) {
      const { providers, contracts, kinds } = run.source;
      const isAsked = ({ provider, contract_id, kind }: OwnOperation) =>
        providers.has(provider) && kinds.has(kind) && (contracts?.has(contract_id ?? '') ?? true);
      const operations = order.operations.filter((o) => isAsked(o) && isWithin(run, o.age_s));
      counts.operations += operations.length;
      const asked = {
        seen: (key: string) => seen.has(key) || seen.has(undoneOf(key)),
        in_flight,
        proves: (one: OwnOperation) => isProved(run, one),
      };
      for (const unseen of compareUnseen({ order, operations, merchant_account_id }, asked)) {
        if (unseen === 'young') counts.young++;
        else await tell(run, unseen);
      }
    }
    run.progress('our operations', counts.operations, 0);
    after = orders.length < page ? undefined : orders.at(-1)?.id;
  }
}

/**
 * Does it prove that an operation was not done, if it is not in these books? A file proves it only for the time that it
 * covers.
 */
function isProved({ source, to, now, in_flight }: Run, { provider, quiet_s }: OwnOperation): boolean {
  if (source.is_live) return true;
  return to !== undefined && (now - quiet_s + (in_flight.get(provider) ?? 0)) * 1000 < to.getTime();
}

function isWithin({ from, to, now }: Run, age_s: number): boolean {
  const made = (now - age_s) * 1000;
  return (from === undefined || made >= from.getTime()) && (to === undefined || made < to.getTime());
}

async function tell(run: Run, difference: Difference): Promise<void> {
  run.counts.differences++;
  await run.found(difference);
}

/** The account that is named, or all. */
export async function* accountsOf({ db, account }: Pick<Reconciling, 'db' | 'account'>): AsyncGenerator<string> {
  if (account !== undefined) {
    yield account;
    return;
  }
  for (let after: string | undefined = LOWEST_ID; after !== undefined;) {
    const accounts = await findAccountsAfter(db, after, PAGE);
    for (const { merchant_account_id } of accounts) yield merchant_account_id;
    after = accounts.length < PAGE ? undefined : accounts.at(-1)?.merchant_account_id;
  }
}
