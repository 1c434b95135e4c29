// florin reconcile: compares our operations with a provider's books. Differences are kept as findings, which the back
// office shows. It exits with 1 if there is a difference.
import { StartError } from '../../kit/start-error.ts';
import { DIFFERENCES, type Difference } from '../../payment/ledger/reconcile/compare.ts';
import { type Others, fileBooks, reportBooks } from '../../payment/ledger/reconcile/file.ts';
import { type Keeper, type Kept, keeperOf } from '../../payment/ledger/reconcile/keep.ts';
import { type BookSource, UnreadableLine } from '../../payment/ledger/reconcile/line.ts';
import { type Reconciled, reconcile } from '../../payment/ledger/reconcile/reconcile.ts';
import { findStrayFindings } from '../../payment/ledger/reconcile/stray-store.ts';
import { simulatorBooks } from '../../payment/ledger/reconcile/simulator.ts';
import { listContracts } from '../../payment/merchant/contract-store.ts';
import { applyDifference } from '../../payment/order/review/apply.ts';
import type { Tools } from '../../payment/tools.ts';
import { type Words, readWords } from '../arguments.ts';
import { accountOf, refuseUnknown } from './ledger.ts';
import { openMoney } from './session.ts';
import { grouped, tableOf } from './table.ts';

const USAGE = `florin reconcile [--file FILE.jsonl] [--account ID] [--from TIME] [--to TIME] [--apply | --look]
florin reconcile --report FILE --provider NAME --merchant NAME --account ID [--contract ID] [--from TIME] [--to TIME] [--apply | --look] [--fees]

  Without --file the books of the simulated providers are read (sandbox). Each line of a file is a JSON object:
  {"provider","kind","reference","merchant_account_id","order_id","amount_minor","currency","effects","state","provider_ref"}
  kind: authorize, capture, refund, cancel, reversal; state: done, undone, pending, declined; reference: our operation id.
  --report: the settlement report that the provider itself gives (CSV; docs/going-live.md says which one), of the merchant account
  that has this name there. It lists captures and refunds; its payouts, disputes and other fees are counted and left to people.
  --contract says which of several contracts of the account with that provider it is of: only operations of that one are
  missed in it. Of several that share one account there: their ids with commas between.
  --fees keeps what it says that the provider took for each of them, for the back office's reports (fee_settled).
  --from and --to (ISO 8601) say what the file covers: operations made before or after are not missed in it. What a file
  with --to has shown is ended by one with the same or a later --to, and by no other file.
  --apply takes what the books tell of undecided operations as an observation; what cannot be applied is parked. That an
  authorization is not in a file proves something with --to alone; a capture or refund that is not in it proves nothing.
  Differences are kept: the back office shows them (Reconciliation) until the books agree or a person has said what they
  are. --look only prints them.`;

/** At most this many are shown; all are counted. */
const SHOWN = 1000;

export async function reconcileCommand(args: readonly string[]): Promise<void> {
  const words = readWords(args, {
    usage: USAGE,
    texts: ['file', 'report', 'provider', 'merchant', 'account', 'contract', 'from', 'to'],
    flags: ['apply', 'look', 'fees'],
  });
  if (words.rest.length > 0) throw new StartError(`Usage: ${USAGE}`);
  refuseAtOdds(words);
  const keep_fees = words.flag('fees');
  const account = accountOf(words.text('account'));
  const span = { from: words.time('from'), to: words.time('to') };
  await using money = await openMoney();
  const { bar, tools } = money;
  refuseEmpty(span, tools.clock.now());
  const rows: string[][] = [];
  const counts = new Map<string, number>();
  const count = (name: string) => counts.set(name, (counts.get(name) ?? 0) + 1);
  try {
    const source = await sourceOf(tools, words, account);
    const asked = { db: tools.db, source, in_flight: inFlightOf(tools), account };
    const keeper = words.flag('look') ? undefined : keeperOf({ ...asked, to: span.to });
    const done = await reconcile({
      ...asked,
      ...span,
      keep_fees,
      only_looks: keeper === undefined,
      progress: bar.report,
      found: async (difference) => {
        count(difference.kind);
        const { became, applied } = words.flag('apply') ? await becameOf(tools, difference, keeper) : NOT_TRIED;
        if (words.flag('apply')) count(applied ? 'applied' : 'parked');
        await keeper?.keep(difference, { became, applied });
        if (rows.length < SHOWN) rows.push(rowOf(difference, became));
      },
    });
    // an account that a restored backup has lost may have lines: then there are differences, and they are kept
    if (done.differences === 0) await refuseUnknown(tools, account);
    const kept = await keeper?.end(done.looked);
    bar.end();
    if (rows.length > 0) console.log(`${tableOf(COLUMNS, rows)}\n`);
    if (done.differences > rows.length) console.log(`… and ${grouped(done.differences - rows.length)} more\n`);
    console.log(
      `${source.name}: ${grouped(done.lines)} lines, ${grouped(done.operations)} operations of ours, ${grouped(done.young)} too young to tell`,
    );
    for (const [type, many] of source.others ?? [])
      console.log(`  ${grouped(many)} of type ${type}: for people to look at`);
    for (const kind of [...DIFFERENCES, 'applied', 'parked'])
      if (counts.has(kind)) console.log(`  ${kind.padEnd(14)}${grouped(counts.get(kind) ?? 0)}`);
    if (keep_fees) console.log(feesText(done));
    console.log(
      done.differences === 0
        ? 'The books agree.'
        : `The books differ: ${grouped(done.differences)} ${done.differences === 1 ? 'difference' : 'differences'}.`,
    );
    if (kept) await sayKept(tools, kept);
    if (done.differences + done.fees.differ > 0) process.exitCode = 1;
  } catch (error) {
    throw error instanceof UnreadableLine ? new StartError(error.message) : error;
  }
}

/** Refuses options that do not go together. */
function refuseAtOdds(words: Words): void {
  const [looks, fees] = [words.flag('look'), words.flag('fees')];
  if (words.flag('apply') && looks) throw new StartError('--look changes nothing: leave out --apply.');
  if (fees && looks) throw new StartError('--look changes nothing: leave out --fees.');
  if (fees && words.text('report') === undefined)
    throw new StartError("--fees belongs to --report: it is the provider's own report that says them.");
}

async function sayKept({ db }: Tools, { open, resolved }: Kept): Promise<void> {
  if (open + resolved > 0)
    console.log(
      `Kept: ${grouped(open)} open, ${grouped(resolved)} resolved by these books. The back office shows them under Reconciliation.`,
    );
  if ((await findStrayFindings(db, 1)).length > 0)
    console.log('Some name a merchant account that is not here: `florin review` lists them.');
}

function feesText({ fees: { kept, known, differ } }: Reconciled): string {
  if (kept + known === 0) return '  no fees: the report has no columns of them';
  const other = differ === 0 ? '' : `, ${grouped(differ)} of these with another figure then, which stays`;
  return `  ${grouped(kept)} fees kept; ${grouped(known)} were known${other}`;
}

async function sourceOf(tools: Tools, words: Words, account: string | undefined): Promise<Source> {
  const [file, report] = [words.text('file'), words.text('report')];
  if (report !== undefined) return reportOf(tools, report, words);
  if (file !== undefined) return fileBooks(file);
  if (tools.environment === 'production')
    throw new StartError(`Name the provider's file: production has no simulated books.\n\nUsage: ${USAGE}`);
  if (!tools.sandbox)
    throw new StartError(
      'The simulated providers do not run on this data folder. Start Florin first, or name a --file.',
    );
  return simulatorBooks(tools.sandbox, account);
}

type Source = BookSource & { readonly others?: Others };

async function reportOf({ db, providers }: Tools, path: string, words: Words): Promise<Source> {
  const [name, merchant] = [words.needed('provider'), words.needed('merchant')];
  const merchant_account_id = accountOf(words.needed('account')) ?? '';
  const provider = providers.get(name);
  const own = await listContracts(db.tenant(merchant_account_id));
  const contracts = contractsOf(
    own.filter((one) => one.provider === name),
    words.text('contract'),
  );
  const source = provider && (await reportBooks(path, provider, { merchant_account_id, name: merchant }));
  if (source) return contracts ? { ...source, contracts } : source;
  const known = [...providers.values()].filter(({ settlement }) => settlement).map((one) => one.name);
  throw new StartError(`--provider must be one whose report can be read: ${known.join(', ')}.`);
}

type Contract = { readonly id: string; readonly name: string };

/** The contracts that a report is of; undefined: the only one. Another one's payments are not in it. */
function contractsOf(own: readonly Contract[], said: string | undefined): ReadonlySet<string> | undefined {
  if (said === undefined && own.length < 2) return undefined;
  const ids = said?.split(',').map((id) => id.trim()) ?? [];
  if (ids.length > 0 && ids.every((id) => own.some((one) => one.id === id))) return new Set(ids);
  const known = own.map(({ id, name }) => `${id} (${name})`).join(', ');
  throw new StartError(`--contract must say which contract the report is of: ${known || 'there is none'}.`);
}

function inFlightOf({ providers }: Tools): ReadonlyMap<string, number> {
  return new Map([...providers].map(([name, { can }]) => [name, can.in_flight_s]));
}

const NOT_TRIED = { became: '', applied: false } as const;

async function becameOf(
  tools: Tools,
  difference: Difference,
  keeper: Keeper | undefined,
): Promise<Parameters<Keeper['keep']>[1]> {
  const tried = await applyDifference(tools, difference, async (tx) => keeper?.keepIn(tx, difference));
  return tried.kind === 'applied'
    ? { became: `applied: ${tried.state}`, applied: true }
    : { became: `parked: ${tried.why}`, applied: false };
}

const COLUMNS = [
  { title: 'difference' },
  { title: 'provider' },
  { title: 'order' },
  { title: 'what' },
  { title: 'reference' },
  { title: 'ours' },
  { title: 'theirs' },
  { title: '' },
];

function rowOf({ kind, provider, order_id, what, reference, ours, theirs }: Difference, became: string): string[] {
  return [kind, provider, order_id, what, reference, ours, theirs, became];
}

type Span = { readonly from: Date | undefined; readonly to: Date | undefined };

/** Within a time that never was, nothing of ours can be missing: the books would agree, whatever they hold. */
function refuseEmpty({ from, to }: Span, now: Date): void {
  if (from !== undefined && from >= (to ?? now))
    throw new StartError('--from must be before --to, and before now: no operation of ours was made in that time.');
}
