// Checks of one order: counters, operations and ledger must say the same, and so must history. Pure.
import type { LedgerAccount, Transfer } from '../../../core/ledger-accounts.ts';
import { expectedPostings } from './expected.ts';
import type { CheckedLine, CheckedOperation, CheckedOrder, LedgerRow } from './store.ts';

export type FindingKind =
  | 'counters differ from operations'
  | 'counters differ from the ledger'
  | 'posting missing'
  | 'posting not called for'
  | 'transfer missing'
  | 'transfer not called for'
  | 'transfer wrong'
  | 'posting of no operation'
  | 'events not gapless'
  | 'version behind its events';

/** Something that does not agree. Amounts are minor units. */
export type Finding = {
  readonly kind: FindingKind;
  readonly merchant_account_id: string;
  readonly order_id: string | null;
  /** For a posting: the operation under which it is booked, and whether it books or books back. */
  readonly source_id?: string;
  readonly posting?: string;
  readonly expected: string;
  readonly stands: string;
};

type Where = Pick<Finding, 'merchant_account_id' | 'order_id'>;

/** The differences, the postings first. */
export function checkOrder(merchant_account_id: string, order: CheckedOrder): readonly Finding[] {
  const where = { merchant_account_id, order_id: order.id };
  return [...postingsOf(where, order), ...countersOf(where, order), ...historyOf(where, order)];
}

function postingsOf(where: Where, order: CheckedOrder): readonly Finding[] {
  const keyOf = (source_id: string, posting: string) => `${source_id} ${posting}`;
  const standing = Map.groupBy(order.lines, (line) => keyOf(line.source_id, line.posting));
  const findings: Finding[] = [];
  for (const { source, posting, transfers } of expectedPostings(order)) {
    const key = keyOf(source.id, posting);
    const about = { ...where, source_id: source.id, posting };
    findings.push(...transfersOf(about, { source, order, transfers, lines: standing.get(key) ?? [] }));
    standing.delete(key);
  }
  for (const lines of standing.values()) {
    const [{ source_id, posting }] = lines as [CheckedLine];
    const source = order.operations.find(({ id }) => id === source_id);
    const expected = `nothing: the ${source?.kind ?? 'operation'} is ${source?.state ?? 'not there'}`;
    findings.push({ ...where, kind: 'posting not called for', source_id, posting, expected, stands: textOf(lines) });
  }
  return findings;
}

type Compared = {
  readonly source: CheckedOperation;
  readonly order: CheckedOrder;
  readonly transfers: readonly Transfer[];
  readonly lines: readonly CheckedLine[];
};
type About = Where & { readonly source_id: string; readonly posting: string };

/** Line by line: the first transfer of a posting is its line 1. */
function transfersOf(about: About, { source, order, transfers, lines }: Compared): readonly Finding[] {
  const wanted = transfers.map((transfer, i) => ({
    ...transfer,
    line: i + 1,
    currency: order.currency,
    provider: source.provider,
  }));
  if (lines.length === 0) return [{ ...about, kind: 'posting missing', expected: textOf(wanted), stands: 'nothing' }];
  const missing = wanted.filter(({ line }) => !lines.some((one) => one.line === line));
  const surplus = lines.filter(({ line }) => line > wanted.length);
  const wrong = lines.filter((one) => {
    const want = wanted[one.line - 1];
    return want !== undefined && (textOf([one]) !== textOf([want]) || one.provider !== want.provider);
  });
  const found = (kind: FindingKind, expected: readonly Shown[], stands: readonly Shown[]): Finding => ({
    ...about,
    kind,
    expected: textOf(expected),
    stands: textOf(stands),
  });
  return [
    ...missing.map((want) => found('transfer missing', [want], [])),
    ...surplus.map((line) => found('transfer not called for', [], [line])),
    ...wrong.map((line) => found('transfer wrong', wanted.slice(line.line - 1, line.line), [line])),
  ];
}

type Shown = {
  readonly line: number;
  readonly debit: LedgerAccount;
  readonly credit: LedgerAccount;
  readonly currency: string;
  readonly provider: string;
  readonly amount_minor: string | bigint;
};

function textOf(lines: readonly Shown[]): string {
  const texts = lines.map(
    (one) => `${one.line}: ${one.debit} from ${one.credit} ${one.amount_minor} ${one.currency} at ${one.provider}`,
  );
  return texts.length > 0 ? texts.join(', ') : 'nothing';
}

function countersOf(where: Where, order: CheckedOrder): readonly Finding[] {
  const counters = [
    order.authorized_minor,
    order.released_minor,
    order.captured_minor,
    order.capturing_minor,
    order.refunded_minor,
    order.refunding_minor,
  ];
  // an amount in another currency is no part of these sums
  const operations = order.operations.filter(({ currency }) => currency === order.currency);
  const done = operations.filter(({ state }) => state === 'successful');
  const open = operations.filter(({ state }) => ['requested', 'in_doubt', 'review'].includes(state));
  const sum = (all: readonly CheckedOperation[], kind: string) =>
    all.filter((o) => o.kind === kind).reduce((total, o) => total + BigInt(o.amount_minor), 0n);
  const won = done.filter(({ transaction_id }) => transaction_id === order.winner_id);
  const summed = [
    sum(done, 'authorize'),
    sum(won, 'cancel'),
    sum(done, 'capture'),
    sum(open, 'capture'),
    sum(done, 'refund'),
    sum(open, 'refund'),
  ];
  const { authorized_minor, released_minor, captured_minor, refunded_minor } = order;
  const held = authorized_minor - released_minor - captured_minor;
  const balance = (account: LedgerAccount) => balanceOf(order.lines, account);
  const booked = [balance('authorized_hold'), -balance('merchant_payable'), balance('refunds')];
  return [
    ...compared(where, 'counters differ from operations', { names: COUNTERS, stands: counters, expected: summed }),
    ...compared(where, 'counters differ from the ledger', {
      names: ['held', 'captured', 'refunded'],
      stands: [held, captured_minor, refunded_minor],
      expected: booked,
    }),
  ];
}

const COUNTERS = ['authorized', 'released', 'captured', 'capturing', 'refunded', 'refunding'];

/** Debits less credits of an account. */
function balanceOf(lines: readonly CheckedLine[], account: LedgerAccount): bigint {
  return lines.reduce((sum, { debit, credit, amount_minor }) => {
    const amount = BigInt(amount_minor);
    return sum + (debit === account ? amount : 0n) - (credit === account ? amount : 0n);
  }, 0n);
}

type Sides = {
  readonly names: readonly string[];
  readonly stands: readonly bigint[];
  readonly expected: readonly bigint[];
};

function compared(where: Where, kind: FindingKind, { names, stands, expected }: Sides): readonly Finding[] {
  const apart = [...names.keys()].filter((i) => stands[i] !== expected[i]);
  if (apart.length === 0) return [];
  const say = (side: readonly bigint[]) => apart.map((i) => `${names[i]} ${side[i]}`).join(', ');
  return [{ ...where, kind, expected: say(expected), stands: say(stands) }];
}

function historyOf(where: Where, order: CheckedOrder): readonly Finding[] {
  const { next_seq, events, first_seq, last_seq, version, last_version } = order;
  const count = next_seq - 1;
  const gapless = events === count && (first_seq ?? 1) === 1 && (last_seq ?? 0) === count;
  const findings: Finding[] = [];
  if (!gapless)
    findings.push({
      ...where,
      kind: 'events not gapless',
      expected: `${count} events, 1 to ${count}`,
      stands: `${events} events, ${first_seq ?? '-'} to ${last_seq ?? '-'}`,
    });
  if ((last_version ?? 0) > version)
    findings.push({
      ...where,
      kind: 'version behind its events',
      expected: `version ${last_version} or later`,
      stands: `version ${version}`,
    });
  return findings;
}

/** A row of the ledger that stands by itself: what it names does not exist, or belongs to another account. */
export function checkRow(row: LedgerRow): Finding | undefined {
  const { source_id, posting, merchant_account_id, order_id, owner, has_order } = row;
  if (owner === merchant_account_id && has_order) return undefined;
  const expected =
    owner === null
      ? 'an operation of this id in this order'
      : owner === merchant_account_id
        ? 'an order of this id'
        : `merchant account ${owner}`;
  const stands = `${row.line}: ${row.debit} from ${row.credit} ${row.amount_minor} ${row.currency}`;
  return { kind: 'posting of no operation', merchant_account_id, order_id, source_id, posting, expected, stands };
}
