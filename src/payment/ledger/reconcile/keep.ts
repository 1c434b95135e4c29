// Stores the result of a run of florin reconcile: each difference is kept as a finding, and the run resolves findings
// that its books do not show any more. Nothing is ever deleted.
import { LOWEST_ID } from '../../../core/ids.ts';
import type { Database, TenantRunner } from '../../../kit/database.ts';
import { type Difference, type InFlight, compareUnseen, keyOf } from './compare.ts';
import { type OpenFinding, findOpenFindingsAfter, keepFindings, resolveFindings } from './finding-store.ts';
import { type BookSource, nameOf } from './line.ts';
import { type Looked, accountsOf, undoneOf } from './reconcile.ts';
import { type OwnOrder, findOwnOrders } from './store.ts';

const PAGE = 500;

export type Keeping = {
  readonly db: Database;
  readonly source: BookSource;
  readonly in_flight: InFlight;
  readonly account?: string | undefined;
  /** The end of the time that these books cover, if they say so. */
  readonly to?: Date | undefined;
};

/** How the run changed the findings. */
export type Kept = {
  /** Open now, of this run's differences. */
  readonly open: number;
  /** Were open before, and are not shown by its books any more. */
  readonly resolved: number;
};

export type Keeper = {
  /** Within the transaction that applies it: open, for the next run if this one ends before it says more. */
  keepIn(tx: TenantRunner, difference: Difference): Promise<void>;
  /** `became`: what was made of it ('' where nothing was tried). `applied`: the books agree by that. */
  keep(difference: Difference, after: { readonly became: string; readonly applied: boolean }): Promise<void>;
  /** At the end of the run. */
  end(looked: Looked): Promise<Kept>;
};

export function keeperOf(keeping: Keeping): Keeper {
  const { db, source } = keeping;
  const books = { source: nameOf(source), books_to: keeping.to ?? null };
  const told = new Set<string>();
  const waiting = new Map<string, KeptDifference[]>();
  let open = 0;
  const flush = async (account: string, kept: readonly KeptDifference[]) => {
    waiting.delete(account);
    open += await keepFindings(db.tenant(account), books, kept);
  };
  return {
    keepIn: async (tx, difference) => {
      await keepFindings(tx, books, [{ ...difference, became: '', applied: false }]);
    },
    keep: async (difference, after) => {
      const same = identityOf(difference);
      if (told.has(same)) return;
      told.add(same);
      const own = waiting.get(difference.merchant_account_id) ?? [];
      own.push({ ...difference, ...after });
      waiting.set(difference.merchant_account_id, own);
      if (own.length >= PAGE) await flush(difference.merchant_account_id, own);
    },
    end: async (looked) => {
      for (const [account, own] of waiting) await flush(account, own);
      let resolved = 0;
      for await (const account of accountsOf(keeping))
        resolved += await resolveOf({ ...keeping, looked, told, name: books.source }, account);
      return { open, resolved };
    },
  };
}

export type KeptDifference = Difference & { readonly became: string; readonly applied: boolean };

const lineKeyOf = (of: OpenFinding | Difference) => keyOf({ ...of, kind: of.what });

function identityOf(of: OpenFinding | Difference): string {
  return `${of.kind} ${lineKeyOf(of)}`;
}

type Ending = Keeping & { readonly looked: Looked; readonly told: ReadonlySet<string>; readonly name: string };

async function resolveOf(ending: Ending, merchant_account_id: string): Promise<number> {
  const { source, told, name } = ending;
  const db = ending.db.tenant(merchant_account_id);
  let resolved = 0;
  for (let after: string | undefined = LOWEST_ID; after !== undefined;) {
    const page: readonly OpenFinding[] = await findOpenFindingsAfter(db, { after, room: PAGE });
    const asked = page.filter(
      (one) =>
        source.providers.has(one.provider) &&
        source.kinds.has(one.what) &&
        !told.has(identityOf(one)) &&
        areAsNew(ending, one),
    );
    const ids = [...new Set(asked.map(({ order_id }) => order_id))];
    const orders = ids.length === 0 ? [] : await findOwnOrders(db, { ids, now: ending.looked.now });
    const by_id = new Map(orders.map((order) => [order.id, order]));
    const over = asked.filter((one) => isOver(ending, one, by_id.get(one.order_id)));
    if (over.length > 0) resolved += await resolveFindings(db, { ids: over.map(({ id }) => id), resolved_by: name });
    after = page.length < PAGE ? undefined : page.at(-1)?.id;
  }
  return resolved;
}

/**
 * Are these books as new as those that showed the finding? A line in an older file may have changed since. A file that
 * does not say until when it covers may be older.
 */
function areAsNew({ source, to }: Ending, { books_to }: OpenFinding): boolean {
  return books_to === null || source.is_live === true || (to !== undefined && to >= books_to);
}

/** Do these books prove that a finding, which they did not show again, is none any more? */
function isOver({ source, looked, in_flight }: Ending, finding: OpenFinding, order: OwnOrder | undefined): boolean {
  const { kind, what, theirs, operation_id, merchant_account_id, reference } = finding;
  if (kind === 'missing there') {
    const operations = order?.operations.filter(({ id }) => id === operation_id) ?? [];
    if (!order || operations.length === 0) return false;
    const seen = (key: string) => looked.seen.has(key);
    return compareUnseen({ order, operations, merchant_account_id }, { seen, in_flight }).length === 0;
  }
  const key = lineKeyOf(finding);
  // in a file the line that a refund was made stands, whatever became of the refund; so does that of a reversal
  const gives_back = what === 'refund' || what === 'reversal';
  const is_sent_back = kind === 'state' && gives_back && theirs === 'undone' && source.is_live !== true;
  if (!looked.seen.has(is_sent_back ? undoneOf(key) : key) || looked.young.has(key)) return false;
  if (kind !== 'double effect') return true;
  // another day's file lists it once more: only one that covers the day of the operation says that it was done once
  const named = order?.operations.find(({ id }) => id === reference);
  return named !== undefined && looked.covers(named.age_s);
}
