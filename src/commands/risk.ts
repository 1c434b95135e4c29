// florin risk: changes rules and lists of a merchant account; the running service follows within a second.
import { differences } from '../core/differences.ts';
import { Refusal } from '../core/refusals.ts';
import type { TenantRunner } from '../kit/database.ts';
import { StartError } from '../kit/start-error.ts';
import { type DryRun, dryRun } from '../payment/risk/dry-run.ts';
import { isListKind, listEntries, putListEntry, removeListEntry } from '../payment/risk/lists.ts';
import { draftOf, publishRules, readRules, rollBack, rulesOf } from '../payment/risk/publish.ts';
import { openSecretKey } from '../payment/secret-key.ts';
import type { Tools } from '../payment/tools.ts';
import { type Words, readWords } from './arguments.ts';
import { accountOf, refuseUnknown } from './ledger/ledger.ts';
import { openMoney } from './ledger/session.ts';
import { grouped, tableOf } from './ledger/table.ts';
import {
  differencesText,
  numberOf,
  publishRecorded,
  readJsonFile,
  record,
  rollBackRecorded,
  versionsText,
  wordsOf,
} from './published.ts';

const USAGE = `florin risk list --account ID
       florin risk show [VERSION] --account ID
       florin risk try FILE --account ID [--days 7]
       florin risk publish FILE --account ID --by NAME [--note TEXT] [--based-on VERSION]
       florin risk roll-back VERSION --account ID --by NAME [--note TEXT] [--based-on VERSION]
       florin risk entries --account ID
       florin risk block|allow KIND VALUE --account ID --by NAME [--note TEXT] [--until DATE]
       florin risk remove ENTRY_ID --account ID --by NAME`;

type Doing = { readonly tools: Tools; readonly account: string; readonly words: Words };
type Verb = { readonly wants: number; run(doing: Doing, rest: readonly string[]): Promise<string> };

const VERBS: Readonly<Record<string, Verb>> = {
  list: { wants: 0, run: list },
  show: { wants: 1, run: show },
  try: { wants: 1, run: tryDraft },
  publish: { wants: 1, run: publish },
  'roll-back': { wants: 1, run: back },
  entries: { wants: 0, run: entries },
  block: { wants: 2, run: put('block') },
  allow: { wants: 2, run: put('allow') },
  remove: { wants: 1, run: remove },
};

export async function riskCommand(args: readonly string[]): Promise<void> {
  const texts = ['account', 'by', 'note', 'days', 'until', 'based-on'];
  const words = readWords(args, { usage: USAGE, texts });
  const [name = '', ...rest] = words.rest;
  const verb = Object.hasOwn(VERBS, name) ? VERBS[name] : undefined;
  if (!verb || rest.length > verb.wants || (rest.length < verb.wants && name !== 'show'))
    throw new StartError(`Usage: ${USAGE}`);
  const account = accountOf(words.needed('account')) ?? '';
  await using money = await openMoney();
  const { config } = money;
  await refuseUnknown(money.tools, account);
  const secret_key = await openSecretKey(money.tools, config);
  try {
    console.log(await verb.run({ tools: { ...money.tools, secret_key }, account, words }, rest));
  } catch (error) {
    throw error instanceof Refusal ? new StartError(wordsOf(error)) : error;
  }
}

async function list({ tools, account }: Doing): Promise<string> {
  const versions = await readRules(tools, account);
  if (versions.length === 0) return 'No rules were ever published: every payment is let through.';
  return versionsText(versions.map(({ rules, ...row }) => ({ ...row, rules: rules.length })));
}

async function show({ tools, account }: Doing, [version]: readonly string[]): Promise<string> {
  const [now] = await readRules(tools, account);
  const rules = version === undefined ? (now?.rules ?? []) : await rulesOf(tools, account, numberOf(version, USAGE));
  return JSON.stringify(rules, undefined, 2);
}

async function tryDraft({ tools, account, words }: Doing, [file = '']: readonly string[]): Promise<string> {
  const rules = draftOf(readJsonFile(file));
  const [now] = await readRules(tools, account);
  const tried = await dryRun(tools, account, { rules, days: numberOf(words.text('days') ?? '7', USAGE) });
  return [differencesText(differences(now?.rules ?? [], rules)), triedText(tried)].join('\n\n');
}

function publish({ tools, account, words }: Doing, [file = '']: readonly string[]): Promise<string> {
  const rules = draftOf(readJsonFile(file));
  const of = { kind: 'risk', usage: USAGE, detail: { rules: rules.length } } as const;
  return publishRecorded(words, of, (publishing) => publishRules(tools, account, { rules, ...publishing }));
}

function back({ tools, account, words }: Doing, [version = '']: readonly string[]): Promise<string> {
  const of = { kind: 'risk', usage: USAGE, version } as const;
  return rollBackRecorded(words, of, (rolling) => rollBack(tools, account, rolling));
}

const MOST_ENTRIES = 1000;

async function entries({ tools, account }: Doing): Promise<string> {
  const found = await listEntries(tools, account, { room: MOST_ENTRIES + 1 });
  if (found.length === 0) return 'Nothing is on a list.';
  const rows = found
    .slice(0, MOST_ENTRIES)
    .map(({ id, verdict, kind, shown, until, by_name, note }) => [
      id,
      verdict,
      kind,
      shown,
      until?.toISOString() ?? 'always',
      by_name,
      note ?? '',
    ]);
  const table = tableOf(
    ['entry', 'list', 'kind', 'value', 'until', 'by', 'note'].map((title) => ({ title })),
    rows,
  );
  return found.length > MOST_ENTRIES ? `${table}\n\nOnly the newest ${MOST_ENTRIES} are shown.` : table;
}

function put(verdict: 'block' | 'allow'): Verb['run'] {
  return async (doing, [kind = '', value = '']) => {
    const { tools, account, words } = doing;
    if (!isListKind(kind)) throw new StartError(`There is no list of ${kind}.\n\nUsage: ${USAGE}`);
    const id = await putListEntry(tools, account, {
      verdict,
      kind,
      value,
      by: words.needed('by'),
      note: words.text('note'),
      until: words.time('until'),
      also: (tx, object) =>
        record(words, tx, { action: 'risk list changed', object, detail: { list: verdict, subject: kind } }),
    });
    return `On the ${verdict} list: ${id}`;
  };
}

async function remove(doing: Doing, [id = '']: readonly string[]): Promise<string> {
  const { tools, account, words } = doing;
  // a missing name is reported before anything is looked up
  words.needed('by');
  const also = (tx: TenantRunner) =>
    record(words, tx, { action: 'risk list changed', object: id, detail: { removed: true } });
  if (!(await removeListEntry(tools, account, { id, also }))) throw new StartError('There is no such entry.');
  return 'It is on no list any more.';
}

function triedText({ attempts, complete, refused, refused_then, rules }: DryRun): string {
  const rest = complete ? '' : ' There were more orders: the newest were not looked at.';
  const said = `Of ${grouped(attempts)} attempts ${grouped(refused)} would have been refused; ${grouped(refused_then)} were.${rest}`;
  if (rules.length === 0) return said;
  const rows = rules.map(({ rule, code, hits, paid, order_ids }) => [
    rule,
    code,
    grouped(hits),
    grouped(paid),
    order_ids[0] ?? '',
  ]);
  const columns = [
    { title: 'rule' },
    { title: 'code' },
    { title: 'hits', right: true as const },
    { title: 'of them paid', right: true as const },
    { title: 'for example' },
  ];
  return `${tableOf(columns, rows)}\n\n${said}`;
}
