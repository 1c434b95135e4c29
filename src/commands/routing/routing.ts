// florin routing: changes the rules that choose a payment's contract; the running service follows within a second.
import { differences } from '../../core/differences.ts';
import { DAY_MS } from '../../core/durations.ts';
import { isId } from '../../core/ids.ts';
import { Refusal } from '../../core/refusals.ts';
import type { Warning } from '../../core/routing/lint.ts';
import { withTransaction } from '../../kit/database.ts';
import { StartError } from '../../kit/start-error.ts';
import { cardDigest } from '../../payment/card-digest.ts';
import { capsNow, loadCaps } from '../../payment/declines/caps.ts';
import { findCardOf, findDeclines, findHeldBack, updateAcceptor } from '../../payment/declines/store.ts';
import { findOrder } from '../../payment/order/facts/order-store.ts';
import {
  documentOf,
  draftRoutes,
  publishRoutes,
  readRoutes,
  rollBackRoutes,
  tableOf as versionOf,
} from '../../payment/routing/publish.ts';
import { tryRoutes } from '../../payment/routing/try.ts';
import { whyOf } from '../../payment/routing/why.ts';
import { openSecretKey } from '../../payment/secret-key.ts';
import type { Tools } from '../../payment/tools.ts';
import { type Words, readWords } from '../arguments.ts';
import { accountOf, refuseUnknown } from '../ledger/ledger.ts';
import { type MoneySession, openMoney } from '../ledger/session.ts';
import {
  differencesText,
  numberOf,
  publishRecorded,
  readJsonFile,
  record,
  rollBackRecorded,
  versionsText,
  wordsOf,
} from '../published.ts';
import { compare, end, experiments } from './compare.ts';
import { fees } from './fees.ts';
import { healthText, hold } from './health.ts';
import { goOn, learnt } from './learnt.ts';
import { importPast } from './import-declines.ts';
import { capsDataText } from './caps-data.ts';
import { heldBackText, ledgerText } from './caps-text.ts';
import { trialText } from './trial-text.ts';

const USAGE = `florin routing list --account ID
       florin routing show [VERSION] --account ID
       florin routing try FILE --account ID [--since 30d] [--most 1000000] [--examples 20] [--json]
       florin routing publish FILE --account ID --by NAME [--note TEXT] [--based-on VERSION]
       florin routing roll-back VERSION --account ID --by NAME [--note TEXT] [--based-on VERSION]
       florin routing why ORDER --account ID
       florin routing learnt --account ID [--json]           shares that best_of rules have learnt
       florin routing go-on RULE --account ID --by NAME --note TEXT     one that was stopped
       florin routing compare A B --account ID --by NAME --note TEXT [--share 50] [--stays order|customer|card]
                          [--method sequential|fixed] [--metric approval|value] [--horizon 28d]    two published versions on live orders
       florin routing experiments --account ID [--json]
       florin routing end EXPERIMENT --account ID --by NAME --note TEXT
       florin routing fees [FILE --contract NAME --by NAME [--from DAY] [--note TEXT]] --account ID [--json]
                          what you pay under your contracts, for rules with best_of by value
       florin routing health [--json]
       florin routing hold PROVIDER open|closed|free --by NAME --note TEXT [--tell TEXT] [--for 4h]
       florin routing caps CARD|ORDER --account ID        what schemes' limits count of a card (its card_unique_id, or an order of it)
       florin routing caps-data [--json]                  the limits themselves, as they hold today, with their sources
       florin routing caps-data --file FILE --by NAME --note TEXT      loads newer ones, for the whole deployment
       florin routing held --account ID [--since 30d] [--region EU]    what was held back by them
       florin routing import-declines FILE --account ID --by NAME [--note TEXT]
                          what schemes have counted of your cards at another payment company (CSV)
       florin routing acceptor CONTRACT [NAME] --account ID --by NAME    contracts of one name count together`;

export type Doing = Pick<MoneySession, 'bar'> & {
  readonly tools: Tools;
  readonly account: string;
  readonly words: Words;
};
/** `alone`: the verb concerns the deployment, not an account. */
type Verb = {
  readonly wants: number;
  readonly alone?: true;
  run(doing: Doing, rest: readonly string[]): Promise<string>;
};

const VERBS: Readonly<Record<string, Verb>> = {
  list: { wants: 0, run: list },
  show: { wants: 1, run: show },
  try: { wants: 1, run: tryDraft },
  publish: { wants: 1, run: publish },
  'roll-back': { wants: 1, run: back },
  why: { wants: 1, run: why },
  learnt: { wants: 0, run: learnt },
  'go-on': { wants: 1, run: goOn },
  compare: { wants: 2, run: compare },
  experiments: { wants: 0, run: experiments },
  end: { wants: 1, run: end },
  fees: { wants: 1, run: fees },
  health: { wants: 0, alone: true, run: ({ tools, words }) => healthText(tools.db, words.flag('json')) },
  hold: { wants: 2, alone: true, run: hold },
  caps: { wants: 1, run: caps },
  'caps-data': { wants: 0, alone: true, run: capsData },
  held: { wants: 0, run: held },
  'import-declines': { wants: 1, run: importPast },
  acceptor: { wants: 2, run: acceptor },
};

/** The last word of these verbs is optional. */
const MAY_END_EARLY = new Set(['show', 'acceptor', 'fees']);

export async function routingCommand(args: readonly string[]): Promise<void> {
  const texts = [
    'account',
    'by',
    'note',
    'since',
    'most',
    'examples',
    'based-on',
    'region',
    'share',
    'stays',
    'method',
    'horizon',
    'metric',
    'contract',
    'from',
    'file',
    'for',
    'tell',
  ];
  const words = readWords(args, { usage: USAGE, texts, flags: ['json'] });
  const [name = '', ...rest] = words.rest;
  const verb = Object.hasOwn(VERBS, name) ? VERBS[name] : undefined;
  if (!verb || rest.length > verb.wants || (rest.length < verb.wants && !MAY_END_EARLY.has(name)))
    throw new StartError(`Usage: ${USAGE}`);
  const account = verb.alone ? '' : (accountOf(words.needed('account')) ?? '');
  await using money = await openMoney();
  if (!verb.alone) await refuseUnknown(money.tools, account);
  const secret_key = await openSecretKey(money.tools, money.config);
  try {
    console.log(await verb.run({ tools: { ...money.tools, secret_key }, bar: money.bar, account, words }, rest));
  } catch (error) {
    throw error instanceof Refusal ? new StartError(wordsOf(error)) : error;
  }
}

async function list({ tools, account }: Doing): Promise<string> {
  const versions = await readRoutes(tools, account);
  if (versions.length === 0)
    return 'No rules were ever published: the first contract that fits takes a payment, by their priority.';
  return versionsText(versions.map(({ rules, ...row }) => ({ ...row, rules: rules.rules.length })));
}

/** Prints the rules as a file that can be published again. */
async function show({ tools, account }: Doing, [version]: readonly string[]): Promise<string> {
  const [now] = await readRoutes(tools, account);
  const number = version === undefined ? (now?.version ?? 0) : numberOf(version, USAGE);
  return JSON.stringify(documentOf(await versionOf(tools, account, number)), undefined, 2);
}

async function tryDraft({ tools, account, words, bar }: Doing, [file = '']: readonly string[]): Promise<string> {
  const { draft, warnings } = await draftRoutes(tools, account, readJsonFile(file));
  const [now] = await readRoutes(tools, account);
  const most = words.text('most');
  const examples = words.text('examples');
  const stopping = new AbortController();
  const stop = () => stopping.abort();
  // a second Ctrl-C ends the process, as it does without this handler
  process.once('SIGINT', stop);
  const trial = await tryRoutes(tools, account, {
    draft,
    days: daysOf(words.text('since') ?? '30d'),
    signal: stopping.signal,
    alone: true,
    ...(most !== undefined && { most: numberOf(most, USAGE) }),
    ...(examples !== undefined && { examples: numberOf(examples, USAGE) }),
    progress: (orders, done) =>
      bar.report('Orders played', orders, Math.round(orders / Math.min(1, Math.max(done, 0.001)))),
  });
  process.off('SIGINT', stop);
  bar.end();
  if (words.flag('json')) return JSON.stringify({ ...trial, warnings }, undefined, 2);
  const changed = differences(now?.rules.rules.map(bare) ?? [], draft.rules);
  return [differencesText(changed), warningsText(warnings), trialText(trial)].filter(Boolean).join('\n\n');
}

const bare = ({ name, when, then }: { readonly name: string; readonly when: object; readonly then: object }) => ({
  name,
  when,
  then,
});

function daysOf(since: string): number {
  const [, days] = /^(\d{1,4})d$/.exec(since) ?? [];
  if (days === undefined) throw new StartError(`--since must be days such as 30d.\n\nUsage: ${USAGE}`);
  return Number(days);
}

function warningsText(warnings: readonly Warning[]): string {
  return warnings.map(({ rule, says }) => `warning  ${rule === null ? '' : `${rule}: `}${says}`).join('\n');
}

async function publish({ tools, account, words }: Doing, [file = '']: readonly string[]): Promise<string> {
  const { draft, warnings } = await draftRoutes(tools, account, readJsonFile(file));
  const detail = { rules: draft.rules.length, warnings: warnings.length };
  const said = await publishRecorded(words, { kind: 'routing', usage: USAGE, detail }, (publishing) =>
    publishRoutes(tools, account, { draft, ...publishing }),
  );
  return [said, warningsText(warnings)].filter(Boolean).join('\n');
}

function back({ tools, account, words }: Doing, [version = '']: readonly string[]): Promise<string> {
  const of = { kind: 'routing', usage: USAGE, version } as const;
  return rollBackRecorded(words, of, (rolling) => rollBackRoutes(tools, account, rolling));
}

async function why({ tools, account }: Doing, [id = '']: readonly string[]): Promise<string> {
  const order = isId(id) ? await findOrder(tools.db.tenant(account), id) : undefined;
  if (!order) throw new StartError(`The account ${account} has no order ${id}.`);
  const told = await whyOf(tools, order);
  if (told.length === 0)
    return 'No routing rules were in force: the first contract that fits took it, by their priority.';
  return told
    .map(({ transaction_id, lines }) => [transaction_id, ...lines.map((line) => `  ${line}`)].join('\n'))
    .join('\n');
}

async function caps({ tools, account }: Doing, [named = '']: readonly string[]): Promise<string> {
  const db = tools.db.tenant(account);
  const is_card = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(named);
  const card = is_card
    ? cardDigest(tools.secret_key, account, named.toLowerCase())
    : isId(named) && (await findCardOf(db, { merchant_account_id: account, id: named }));
  if (!card)
    throw new StartError(`${named} is neither a card_unique_id nor an order of the account ${account} with a card.`);
  return ledgerText(await findDeclines(db, card), await capsNow(tools.db), tools.clock.now());
}

/** As JSON it prints every row, also of past and future days, as a file that can be changed and loaded. */
async function capsData({ tools, words }: Doing): Promise<string> {
  const file = words.text('file');
  if (file !== undefined) {
    const written = readJsonFile(file);
    const version = await loadCaps(tools, { written, by: words.needed('by'), note: words.needed('note') });
    return `Table ${version} of scheme limits is loaded; every process keeps to it within a minute.`;
  }
  const table = await capsNow(tools.db);
  return words.flag('json') ? JSON.stringify(table, undefined, 2) : capsDataText(table, tools.clock.now());
}

const MANY = 1000;

async function held({ tools, account, words }: Doing): Promise<string> {
  const since = new Date(tools.clock.now().getTime() - daysOf(words.text('since') ?? '30d') * DAY_MS);
  const rows = await findHeldBack(tools.db.tenant(account), { since, room: MANY });
  return heldBackText(rows, await capsNow(tools.db), words.text('region'));
}

async function acceptor({ tools, account, words }: Doing, [id = '', name = '']: readonly string[]): Promise<string> {
  if (!isId(id) || name.length > 64) throw new StartError(`Usage: ${USAGE}`);
  const done = await withTransaction(tools.db, account, async (tx) => {
    const found = await updateAcceptor(tx, id, name);
    if (found) await record(words, tx, { action: 'acceptor named', object: `contract ${id}`, detail: { name } });
    return found;
  });
  if (!done) throw new StartError(`The account ${account} has no contract ${id}.`);
  return name === '' ? `Contract ${id} counts by itself.` : `Contract ${id} counts with all that name ${name}.`;
}
