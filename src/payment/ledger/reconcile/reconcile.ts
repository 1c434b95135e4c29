// florin reconcile, the story: the provider's lines page by page against our operations, then our operations page by
// page against the lines that were seen. Kept in memory are the keys of the lines alone, about 100 bytes each.
import { LOWEST_ID } from '../../../core/ids.ts';
import type { Database } from '../../../kit/database.ts';
import { findAccountsAfter } from '../verify/store.ts';
import { type Difference, type InFlight, compareLine, compareUnseen, keyOf, operationOf, twice } from './compare.ts';
import { type KeptFees, type OwnFee, insertFees } from './fees-store.ts';
import { type BookLine, type BookSource, type ReportedLine, nameOf } from './line.ts';
import { isReversal } from './reversal.ts';
import { type Beside, type Settled, findSettledAgain, insertSettled } from './settled-store.ts';
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
  /** True: nothing is written, also not that a line was read. */
  readonly only_looks?: boolean;
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

const PAGE = 500;

type Run = Reconciling & {
  readonly now: number;
  readonly seen: Set<string>;
  readonly young: Set<string>;
  /** What was sent back, by its key and the provider's name for it. */
  readonly back: Set<string>;
  /** Told of already, as settled more than once. */
  readonly twice: Set<string>;
  readonly counts: Counts;
};

type Counts = { -readonly [K in Exclude<keyof Reconciled, 'looked'>]: Reconciled[K] };

export async function reconcile(reconciling: Reconciling): Promise<Reconciled> {
  const counts = { lines: 0, operations: 0, young: 0, differences: 0, fees: { kept: 0, known: 0, differ: 0 } };
  // what is done after this moment is young: the books may have been read before it
  const now = await findNow(reconciling.db);
  const run: Run = {
    ...reconciling,
    now,
    seen: new Set(),
    young: new Set(),
    back: new Set(),
    twice: new Set(),
    counts,
  };
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
    const again = await settledAgain(run, account, { lines: own, orders: by_id });
    for (const line of own.filter(isSentBack)) run.back.add(namedOf(line));
    for (const line of own)
      await compareOne(run, line, { order: by_id.get(line.order_id), ...(again.get(line) ?? ALONE) });
  }
}

type Told = { readonly lines: readonly ReportedLine[]; readonly orders: ReadonlyMap<string, OwnOrder> };

const ALONE: Beside = { lines: null, came_back: false };

/**
 * What files, this one or another, say of the same with another line. Books that are read as they are now have one
 * entry for an operation, and nothing is kept of them.
 */
async function settledAgain(
  { db, source, only_looks = false }: Run,
  account: string,
  { lines, orders }: Told,
): Promise<ReadonlyMap<BookLine, Beside>> {
  const told = source.is_live === true ? [] : lines.filter((line) => orders.has(line.order_id) && isSettled(line));
  if (told.length === 0) return new Map();
  const settled = told.map((line) => settledOf(line, orders.get(line.order_id)));
  if (!only_looks) await insertSettled(db.tenant(account), { source: nameOf(source), settled });
  // behind the commit of it: of two runs at once, one sees what the other has read
  const found = await findSettledAgain(db.tenant(account), settled);
  return new Map(
    found.flatMap(({ n, ...beside }) => {
      const line = told[n - 1];
      return line ? [[line, beside] as const] : [];
    }),
  );
}

/** Only what moves money, and only what the provider has a name for, by which it is known when it is read again. */
function isSettled({ kind, state, effects, provider_ref }: ReportedLine): boolean {
  const moved = effects > 0 && (state === 'done' || state === 'undone');
  const moves = kind === 'capture' || kind === 'refund' || kind === 'reversal';
  return moved && moves && provider_ref !== null && provider_ref !== '';
}

function settledOf(line: ReportedLine, order: OwnOrder | undefined): Settled {
  const { order_id, provider, reference, provider_ref, fees = [] } = line;
  const what = isReversal(line, order) ? 'reversal' : line.kind;
  const names = { provider_ref: provider_ref ?? '', entry: fees[0]?.entry ?? '' };
  return { order_id, provider, what, reference, sent_back: isSentBack(line), ...names };
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

/** That a refund or reversal was sent back is said by a line of its own, behind the one that it was made. */
const isSentBack = ({ kind, state }: BookLine): boolean =>
  (kind === 'refund' || kind === 'reversal') && state === 'undone';

/** The key of a line, and the provider's name for it. */
const namedOf = (line: BookLine) => `${keyOf(line)} ${line.provider_ref ?? ''}`;

type Known = Beside & { readonly order: OwnOrder | undefined };

async function compareOne(run: Run, line: BookLine, { order, lines, came_back }: Known): Promise<void> {
  run.counts.lines++;
  const key = keyOf(line);
  const mark = isSentBack(line) ? undoneOf(key) : key;
  const is_second = run.seen.has(mark);
  run.seen.add(mark);
  // behind a reversal that came back another one may follow
  if (mark !== key && isReversal(line, order)) run.seen.delete(key);
  if ((is_second || lines !== null) && !run.twice.has(mark)) {
    run.twice.add(mark);
    await tell(run, twice(line, lines ?? undefined));
  }
  if (is_second) return;
  const { is_live, kinds } = run.source;
  const of_source = { in_flight: run.in_flight, is_live, lists_authorizations: kinds.has('authorize') };
  const compared = compareLine(line, order, { ...of_source, came_back: came_back || run.back.has(namedOf(line)) });
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
