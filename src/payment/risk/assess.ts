// May this attempt be made at all? RiskRequest before it is accepted (contract 2.8). An account without rules and lists
// is answered without a look at the database; any other with one statement at most, which also counts what it lets
// through.
import { Refusal } from '../../core/refusals.ts';
import { type ListKind, type RiskInForce, type Rule, type VelocityRule, resultOfRule } from '../../core/risk/rules.ts';
import { type ResultName, findResult, result } from '../../core/results.ts';
import { isLockTimeout } from '../../kit/database.ts';
import type { Account } from '../merchant/account.ts';
import { DEFAULT_SETTINGS } from '../merchant/settings.ts';
import type { Tools } from '../tools.ts';
import { counts, findLocal, isOver, limitOf, velocityWords } from './local.ts';
import type { RiskNote } from './note.ts';
import { type Known, assessRisk } from './assess-store.ts';
import { type Hasher, type Payment, SUBJECT_WORDS, countedAs, hasherOf, listedAs } from './subjects.ts';

export type Assessed = {
  /** The ids the attempt will have: what is counted is counted under them. */
  readonly order_id: string;
  readonly transaction_id: string;
  readonly refused: ResultName | undefined;
  readonly note: RiskNote | null;
};

export type RiskRequest = {
  readonly account: Account;
  readonly order_id: string;
  readonly terms: Pick<Payment, 'body' | 'amount_minor' | 'currency'>;
  readonly card: {
    /** Null: of a partner's token, which says nothing of its card. */
    readonly card_digest: string | null;
    readonly first6: string | null;
    readonly sandbox_risk?: string;
  };
};

/** Assesses an attempt and counts it, unless it is refused. */
export async function assess(tools: Tools, { account, order_id, terms, card }: RiskRequest): Promise<Assessed> {
  const ids = { order_id, transaction_id: tools.chance.id() };
  const { risk, risk_score_suspicious: from } = account.settings;
  const suspicious = from === DEFAULT_SETTINGS.risk_score_suspicious ? {} : { suspicious_from: from };
  const works = risk && risk.rules.length + risk.lists.length > 0;
  const listed = sandboxFinding(tools, card);
  const finding = listed ?? (works && (await findingOf(tools, account, { ...ids, risk, terms, card })));
  if (!finding) return { ...ids, refused: undefined, note: noteOf(suspicious) };
  const { outcome, rule, says, marked } = finding;
  const note: RiskNote = {
    assessed: { code: result(outcome).code, version: listed ? 0 : (risk?.version ?? 0), rule, says },
    ...(marked !== undefined && { marked }),
    ...suspicious,
  };
  return { ...ids, refused: outcome === 'risk_accepted' ? undefined : outcome, note };
}

function noteOf(note: RiskNote): RiskNote | null {
  return Object.keys(note).length > 0 ? note : null;
}

type Finding = {
  readonly outcome: ResultName;
  readonly rule: string | null;
  readonly says: string;
  readonly marked?: string | undefined;
};

/**
 * A number of the sandbox that risk decides on (contract 15.2, 15.3); the vault knows the number and tells the code
 * alone.
 */
function sandboxFinding(tools: Tools, { sandbox_risk }: RiskRequest['card']): Finding | undefined {
  const named = tools.environment === 'sandbox' ? findResult(sandbox_risk ?? '') : undefined;
  if (named?.kind !== 'risk') return undefined;
  return { outcome: named.name, rule: 'sandbox card', says: 'this number of the sandbox ends so' };
}

type RecordRequest = Pick<RiskRequest, 'terms' | 'card'> & {
  readonly order_id: string;
  readonly transaction_id: string;
  readonly risk: RiskInForce;
};

async function findingOf(tools: Tools, account: Account, asking: RecordRequest): Promise<Finding> {
  const { risk, terms, card, order_id, transaction_id } = asking;
  const { card_digest, first6 } = card;
  const payment: Payment = { ...terms, card_digest, first6 };
  const hash = hasherOf(tools.secret_key, account.merchant_account_id);
  const question = questionOf(risk, payment, hash);
  const needed = question.listed.length > 0 || question.counted.length > 0;
  const known = needed
    ? await assessRisk(tools, account.merchant_account_id, {
        ...question,
        listed: question.listed.map((one) => one.hash),
        counted: question.counted.map(({ hash: subject, rule }) => ({
          subject,
          measure: rule.measure ?? 'attempts',
          window_s: rule.window_s,
          limit: limitOf(rule),
          refuses: rule.action === 'refuse',
        })),
        order_id,
        transaction_id,
        amount_minor: terms.amount_minor,
        currency: terms.currency,
      }).catch(refuseBusy)
    : NOTHING_KNOWN;
  return verdictOf(question, known, payment);
}

/** Too many attempts of one subject at once: those that waited too long may come again. */
function refuseBusy(error: unknown): never {
  if (!isLockTimeout(error)) throw error;
  throw new Refusal('unavailable', {
    detail: 'too much is asked at once of what a risk rule counts; nothing was accepted, and the token was not spent',
    headers: { 'retry-after': '2' },
  });
}

const NOTHING_KNOWN = { blocked: null, allowed: null, seen: [] } as const;

export type Listed = { readonly kind: ListKind; readonly hash: string };
export type Counted = { readonly rule: VelocityRule; readonly hash: string };
/** The result of a rule that needs no database. */
type Local = { readonly rule: Rule; readonly says: string };

export type RiskQuery = {
  readonly listed: readonly Listed[];
  /** Velocity rules up to the first local rule that refuses: what comes behind it decides nothing. */
  readonly counted: readonly Counted[];
  /** All that count the attempt if it is let through. */
  readonly counting: readonly Counted[];
  readonly found: readonly Local[];
  readonly rules: readonly Rule[];
  /** The subjects that are counted if the attempt is let through, each once, in the same order everywhere. */
  readonly recorded: readonly string[];
  /** No local rule refuses. What an allow list lets through is counted too. */
  readonly may_record: boolean;
};

/** The question that needs the database, and the results that do not. */
export function questionOf(risk: RiskInForce, payment: Payment, hash: Hasher): RiskQuery {
  const found: Local[] = [];
  const counted: Counted[] = [];
  const counting: Counted[] = [];
  const recorded = new Set<string>();
  let refused = false;
  for (const rule of risk.rules) {
    if (rule.kind !== 'velocity') {
      const says = findLocal(rule, payment);
      if (says === undefined) continue;
      found.push({ rule, says });
      refused ||= rule.action === 'refuse';
      continue;
    }
    const value = countedAs(payment, rule);
    if (value === undefined) continue;
    const subject = hash(rule.subject, value);
    recorded.add(subject);
    if (!counts(rule, payment)) continue;
    counting.push({ rule, hash: subject });
    if (!refused) counted.push({ rule, hash: subject });
  }
  const listed = risk.lists.flatMap((kind) =>
    listedAs(payment, kind).map((value) => ({ kind, hash: hash(kind, value) })),
  );
  const { rules } = risk;
  return { listed, counted, counting, found, rules, recorded: [...recorded].toSorted(), may_record: !refused };
}

/** A block list first, then an allow list, then the rules in their order. */
export function verdictOf(question: RiskQuery, known: Known, payment: Payment): Finding {
  const wordOf = (found: string) => SUBJECT_WORDS[question.listed.find(({ hash }) => hash === found)?.kind ?? 'all'];
  if (known.blocked !== null)
    return { outcome: 'risk_listed', rule: 'block list', says: `${wordOf(known.blocked)} is on the block list` };
  if (known.allowed !== null)
    return { outcome: 'risk_accepted', rule: 'allow list', says: `${wordOf(known.allowed)} is on the allow list` };
  const hits = new Map(question.found.map(({ rule, says }) => [rule.name, says]));
  for (const [i, { rule }] of question.counted.entries()) {
    const seen = known.seen[i] ?? 0n;
    if (isOver(rule, seen, payment)) hits.set(rule.name, velocityWords(rule, seen, payment));
  }
  let marked: string | undefined;
  for (const rule of question.rules) {
    const says = hits.get(rule.name);
    if (says === undefined) continue;
    if (rule.action === 'refuse') return { outcome: resultOfRule(rule), rule: rule.name, says, marked };
    marked ??= `${rule.name}: ${says}`;
  }
  return { outcome: 'risk_accepted', rule: null, says: 'no rule objects', marked };
}
