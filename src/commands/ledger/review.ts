// florin review: lists operations that are not proved, and findings that no account shows; a person can settle both.
import { writeAudit } from '../../backoffice/audit/audit.ts';
import { provedMember, whyNoSecond } from '../../backoffice/people/second/second.ts';
import type { TwoPeopleAbove } from '../../core/people/two-people.ts';
import type { TenantRunner } from '../../kit/database.ts';
import { StartError } from '../../kit/start-error.ts';
import { findWhere } from '../../payment/order/review/review-store.ts';
import { type Undecided, listUndecided } from '../../payment/order/review/list.ts';
import { CannotSettle, type Resolved, type Resolution, resolveByHand } from '../../payment/order/review/settle.ts';
import { type Words, readText, readWords } from '../arguments.ts';
import { type MoneySession, openMoney } from './session.ts';
import { settleStray, straysText } from './strays.ts';
import { ageText, moneyText, tableOf } from './table.ts';

const USAGE = `florin review
       florin review settle OPERATION_ID --as done|not-done --reason TEXT --by NAME [--secret-file FILE] [--reference PROVIDER_ID]
       florin review settle-finding FINDING_ID --reason TEXT --by NAME`;
const ROOM = 1000;

export async function reviewCommand(args: readonly string[]): Promise<void> {
  const words = readWords(args, { usage: USAGE, texts: ['as', 'reason', 'by', 'reference', 'secret-file'] });
  const [verb, id, ...more] = words.rest;
  if (verb === undefined) return list();
  if (id === undefined || more.length > 0) throw new StartError(`Usage: ${USAGE}`);
  if (verb === 'settle') return settle(words, id);
  if (verb !== 'settle-finding') throw new StartError(`Usage: ${USAGE}`);
  const [reason, by] = [words.needed('reason'), words.needed('by')];
  await using money = await openMoney();
  console.log(await settleStray(money.tools, { id, reason, by }));
}

async function list(): Promise<void> {
  await using money = await openMoney();
  console.log(undecidedText(await listUndecided(money.tools.db, ROOM)));
  const strays = await straysText(money.tools);
  if (strays !== undefined) console.log(`\n${strays}`);
}

export function undecidedText(all: readonly Undecided[]): string {
  if (all.length === 0) return 'Nothing is in doubt.';
  return `${tableOf(COLUMNS, all.map(rowOf))}

${all.length === ROOM ? `The ${ROOM} oldest are shown` : `${all.length} in doubt, in review or contradicted`}. What the provider proves ends by itself. What you can prove:\n\n  florin review settle OPERATION_ID --as done|not-done --reason TEXT --by NAME${all.some(mayWantReference) ? REFERENCE : ''}
\nA large amount takes two people, each with --secret-file.`;
}

/** Later captures and refunds name it (payment/order/review/settle.ts refuses it without). */
const mayWantReference = ({ kind }: Undecided): boolean => kind === 'authorize' || kind === 'capture';

const REFERENCE = ` [--reference PROVIDER_ID]
\nAn authorize or a capture that is done takes --reference, the provider's own id of it, where that is not known here.`;

const COLUMNS = [
  { title: 'operation' },
  { title: 'order' },
  { title: 'what' },
  { title: 'provider' },
  { title: 'amount', right: true as const },
  { title: 'state' },
  { title: 'age', right: true as const },
  { title: 'next look', right: true as const },
  { title: 'last seen' },
];

function rowOf(row: Undecided): string[] {
  const { id, order_id, kind, provider, amount_minor, currency, age_s, next_s, sights, archives } = row;
  const state = row.held === null ? row.state : `${row.held} here, ${provider} says ${row.said}`;
  const seen = sights.map(({ source, outcome, provider_code, why, age_s: ago }) =>
    [source, outcome, why ?? provider_code ?? '', `${ageText(ago)} ago`].filter(Boolean).join(' '),
  );
  const away = archives.map((file) => (file === '' ? 'being archived' : `in ${file} (florin archive restore)`));
  const money = moneyText(amount_minor, currency);
  const next = next_s > 0 ? `in ${ageText(next_s)}` : 'now';
  return [id, order_id, kind, provider, money, state, ageText(age_s), next, [...seen, ...away].join('; ') || 'nothing'];
}

async function settle(words: Words, operation_id: string): Promise<void> {
  const as = words.needed('as');
  if (as !== 'done' && as !== 'not-done') throw new StartError(`--as must be done or not-done.\n\nUsage: ${USAGE}`);
  const [reason, by, provider_ref] = [words.needed('reason'), words.needed('by'), words.text('reference')];
  await using money = await openMoney();
  const two_people_above = money.config.review_two_people_above;
  try {
    const proved = await proof(money, words, operation_id);
    const ruling = { operation_id, as, reason, by, provider_ref, two_people_above, ...proved } as const;
    const also = (tx: TenantRunner, what: 'ruled' | 'settled') =>
      writeAudit(tx, { actor: by, source: 'command line' }, said(ruling, what));
    console.log(resolvedText(await resolveByHand(money.tools, { ...ruling, also }), ruling));
  } catch (error) {
    throw error instanceof CannotSettle
      ? new StartError(`${error.message}\n${WHAT_TO_DO[error.field ?? ''] ?? LISTS}`)
      : error;
  }
}

const LISTS = '`florin review` lists what can be settled; an operation that is final stays as it is.';

const SECRET = `Give --by with your e-mail address of the back office, and --secret-file with the secret that the page "Password and security" makes there.`;

const WHAT_TO_DO: Readonly<Record<string, string>> = {
  proof: SECRET,
  provider_ref: 'Run it again with --reference PROVIDER_ID, as the pages of the provider show it.',
};

/** A secret proves which member settles the operation; without one the given name is not proved. */
async function proof({ tools, config }: MoneySession, words: Words, operation_id: string): Promise<Proved> {
  const file = words.text('secret-file');
  const where = file === undefined ? undefined : await findWhere(tools.db, operation_id);
  if (file === undefined || !where) return {};
  const db = tools.db.tenant(where.merchant_account_id);
  const person_id = await provedMember(db, { email: words.needed('by'), secret: readText(file), right: 'rule' });
  if (person_id === undefined)
    throw new StartError(
      'The name and the secret do not belong together, or that person may not settle operations of this account.',
    );
  const of = { second: person_id, right: 'rule', member_hours: config.second_person_hours } as const;
  return { person_id, whyNoSecond: (first) => whyNoSecond(db, { ...of, first }) };
}

type Proved = Pick<Resolution, 'person_id' | 'whyNoSecond'>;

type Named = { readonly operation_id: string; readonly as: string; readonly reason: string } & Proved;

function said({ operation_id, as, reason, person_id }: Named, what: 'ruled' | 'settled') {
  const action = what === 'settled' ? 'review settled by an operator' : 'review ruled';
  return {
    action,
    object: operation_id,
    reason,
    detail: { operation_id, as, proved: person_id !== undefined },
  } as const;
}

type Said = {
  readonly as: string;
  readonly reason: string;
  readonly provider_ref: string | undefined;
  readonly two_people_above: TwoPeopleAbove;
};

function resolvedText(ruled: Resolved, { as, reason, provider_ref, two_people_above }: Said): string {
  const { order, operation } = ruled;
  const money = moneyText(operation.amount_minor, order.currency);
  if (ruled.kind === 'settled')
    return `The ${operation.kind} of ${money} is ${operation.state}; the order ${order.id} is ${order.status}.`;
  const others = ruled.others.map(
    (other) =>
      `  ${other.by_name}: --as ${other.ruling} --reason ${quoted(other.reason)}${referenceOf(other.provider_ref)}`,
  );
  const differ =
    others.length > 0
      ? `\n\nOthers said otherwise, and nothing takes effect until two say the same:\n${others.join('\n')}`
      : '';
  const why = ruled.reasons.length > 0 ? `\n\n${ruled.reasons.join('\n')}` : '';
  return `Noted, and nothing is settled yet: ${money} is above ${moneyText(two_people_above(order.currency), order.currency)}, so another person must say the same in the same words:

  florin review settle ${operation.id} --as ${as} --reason ${quoted(reason.trim())}${referenceOf(provider_ref)} --by NAME --secret-file FILE${why}${differ}`;
}

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;
const referenceOf = (reference: string | null | undefined): string =>
  reference ? ` --reference ${quoted(reference)}` : '';
