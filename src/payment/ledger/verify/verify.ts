// florin ledger verify, the story: every order of every account page by page, then the ledger itself for rows that no
// order knows.
import { LOWEST_ID } from '../../../core/ids.ts';
import { type LedgerAccount, LEDGER_ACCOUNTS } from '../../../core/ledger-accounts.ts';
import type { Database } from '../../../kit/database.ts';
import { type Finding, type FindingKind, checkOrder, checkRow } from './check.ts';
import { type AccountRow, estimateOrders, findAccountsAfter, findLedgerAfter, findOrdersToCheck } from './store.ts';

export type Verdict = {
  readonly accounts: number;
  readonly orders: number;
  readonly operations: number;
  readonly transfers: number;
  /** The first in the order of accounts, orders and postings; undefined: everything agrees. */
  readonly first: Finding | undefined;
  readonly counts: ReadonlyMap<FindingKind, number>;
  /** Debits less credits by currency and account, minor units; each currency sums to zero. */
  readonly balances: ReadonlyMap<string, ReadonlyMap<LedgerAccount, bigint>>;
};

export type Verifying = {
  readonly db: Database;
  /** Only this merchant account. */
  readonly account?: string | undefined;
  readonly page?: number;
  /** `total` 0: not known. */
  progress(step: string, done: number, total: number): void;
};

const PAGE = 500;

export async function verifyLedger({ db, account, page = PAGE, progress }: Verifying): Promise<Verdict> {
  const tally = new Tally();
  const total = account === undefined ? await estimateOrders(db) : 0;
  for await (const { merchant_account_id } of accountsOf(db, account)) {
    tally.accounts++;
    const own = db.tenant(merchant_account_id);
    for (let after: string | undefined = LOWEST_ID; after !== undefined;) {
      const orders = await findOrdersToCheck(own, after, page);
      for (const order of orders) {
        tally.orders++;
        tally.operations += order.operations.length;
        for (const finding of checkOrder(merchant_account_id, order)) tally.add(finding);
      }
      progress('orders', tally.orders, Math.max(total, total > 0 ? tally.orders : 0));
      after = orders.length < page ? undefined : orders.at(-1)?.id;
    }
  }
  await readLedger(tally, { db, account, page, progress });
  return tally.verdict();
}

async function* accountsOf(
  db: Database,
  account: string | undefined,
): AsyncGenerator<Pick<AccountRow, 'merchant_account_id'>> {
  if (account !== undefined) {
    yield { merchant_account_id: account };
    return;
  }
  for (let after: string | undefined = LOWEST_ID; after !== undefined;) {
    const accounts = await findAccountsAfter(db, after, PAGE);
    yield* accounts;
    after = accounts.length < PAGE ? undefined : accounts.at(-1)?.merchant_account_id;
  }
}

async function readLedger(tally: Tally, { db, account, page = PAGE, progress }: Verifying): Promise<void> {
  let place = { source_id: LOWEST_ID, posting: '', line: 0 };
  for (let more = true; more;) {
    const rows = await findLedgerAfter(db, place, page * 4);
    for (const row of rows) {
      if (account !== undefined && row.merchant_account_id !== account && row.owner !== account) continue;
      tally.transfers++;
      tally.book(row);
      const finding = checkRow(row);
      if (finding) tally.add(finding);
    }
    progress('ledger', tally.transfers, 0);
    place = rows.at(-1) ?? place;
    more = rows.length === page * 4;
  }
}

class Tally {
  accounts = 0;
  orders = 0;
  operations = 0;
  transfers = 0;
  private first: Finding | undefined;
  private readonly counts = new Map<FindingKind, number>();
  private readonly balances = new Map<string, Map<LedgerAccount, bigint>>();

  add(finding: Finding): void {
    this.first ??= finding;
    this.counts.set(finding.kind, (this.counts.get(finding.kind) ?? 0) + 1);
  }

  book(row: { currency: string; debit: LedgerAccount; credit: LedgerAccount; amount_minor: bigint }): void {
    const empty = () => new Map(LEDGER_ACCOUNTS.map((name) => [name, 0n] as const));
    const balances = this.balances.get(row.currency) ?? empty();
    balances.set(row.debit, (balances.get(row.debit) ?? 0n) + row.amount_minor);
    balances.set(row.credit, (balances.get(row.credit) ?? 0n) - row.amount_minor);
    this.balances.set(row.currency, balances);
  }

  verdict(): Verdict {
    const { accounts, orders, operations, transfers, first, counts, balances } = this;
    return { accounts, orders, operations, transfers, first, counts, balances };
  }
}
