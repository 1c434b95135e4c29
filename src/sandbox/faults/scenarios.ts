// Armed scenarios (contract 15.4): they decide the next matching calls, the oldest scenario first, before the card's
// own behaviour.
import { DAY_S } from '../../core/durations.ts';
import { toMinor } from '../../core/money.ts';
import { type SchemeWords, schemeWords } from '../../core/retries/follow.ts';
import { findResult, result } from '../../core/results.ts';
import { isRecord } from '../entry.ts';
import { CALLED, type Called, type FaultName, type Twist, fits, isFault } from './fault.ts';

/**
 * The filter of a scenario, which applies only to matching operations. The amount is in major units, as in the
 * contract.
 */
const MATCHES = ['order_id', 'order_merchant_id', 'amount', 'card_4_digits'] as const;
type Match = Partial<Readonly<Record<(typeof MATCHES)[number], string>>>;

export type Scenario = {
  readonly id: string;
  /** Null matches calls of every account. */
  readonly merchant_account_id: string | null;
  readonly operation: Called;
  readonly fault: FaultName;
  readonly times: number;
  readonly remaining: number;
  readonly provider: string | null;
  /** For a decline its result; for a pending operation its later result. */
  readonly code: string | null;
  readonly delay_ms: number | null;
  readonly seconds: number | null;
  /** For a declined authorization: the scheme's advice. */
  readonly advice: SchemeWords['advice'] | null;
  readonly response_code: string | null;
  readonly match: Match;
};

/** The facts of a call that scenarios and the chaos table use. */
export type Facts = {
  readonly provider: string;
  readonly called: Called;
  readonly reference: string;
  readonly merchant_account_id: string;
  readonly order_id: string;
  readonly order_merchant_id: string;
  readonly amount: number;
  readonly currency: string;
  readonly card_4_digits: string | null;
};

/** A reversal cancels a payment that is not decided, so a scenario for cancel applies to it too. */
const isMeant = (operation: Called, called: Called): boolean =>
  operation === called || (operation === 'cancel' && called === 'reversal');

export function matches(scenario: Scenario, facts: Facts): boolean {
  const { operation, fault, provider, merchant_account_id, match } = scenario;
  if (!isMeant(operation, facts.called) || !fits(fault, facts.called)) return false;
  if (provider !== null && provider !== facts.provider) return false;
  if (merchant_account_id !== null && merchant_account_id !== facts.merchant_account_id) return false;
  return MATCHES.every((name) => {
    const wanted = match[name];
    return wanted === undefined || (name === 'amount' ? isAmount(wanted, facts) : wanted === facts[name]);
  });
}

function isAmount(wanted: string, { amount, currency }: Facts): boolean {
  const read = toMinor(wanted, currency);
  return 'minor' in read && read.minor === BigInt(amount);
}

export function twistOf({ fault, code, delay_ms, seconds, advice, response_code }: Scenario): Twist {
  const ends = code === null ? undefined : findResult(code)?.name;
  const scheme = schemeWords(advice?.source ?? 'mastercard', advice?.code ?? '', response_code ?? '');
  return {
    fault,
    ...(Object.keys(scheme).length > 0 && { scheme }),
    ...(ends !== undefined && { ends }),
    ...(delay_ms !== null && { delay_ms }),
    ...(seconds !== null && { seconds }),
  };
}

/** Reads a scenario from a control request or from the journal; returns the names of wrong members. */
export function readScenario(value: unknown): Scenario | { readonly members: readonly string[] } {
  if (!isRecord(value)) return { members: [''] };
  const { id, fault, times = 1, provider = null, merchant_account_id = null, match = {} } = value;
  const { remaining = times, delay_ms = null, seconds = null, code = null } = value;
  const { advice = null, response_code = null } = value;
  const called = CALLED.find((name) => name === value['operation']);
  const named = isFault(fault) && (called === undefined || fits(fault, called)) ? fault : undefined;
  const tied = readMatch(match);
  const right = {
    id: isText(id),
    operation: called !== undefined,
    fault: named !== undefined,
    times: isWithin(times, 1, 100),
    remaining: remaining === times || isWithin(remaining, 0, 100),
    provider: provider === null || isText(provider),
    merchant_account_id: merchant_account_id === null || isText(merchant_account_id),
    code: code === null || called === undefined || isEnding(code, called),
    delay_ms: delay_ms === null || isWithin(delay_ms, 0, 60_000),
    seconds: seconds === null || isWithin(seconds, 0, 400 * DAY_S),
    advice: advice === null || (isAuthorizing(called) && adviceIn(advice) !== undefined),
    response_code: response_code === null || (isAuthorizing(called) && isTwo(response_code)),
    match: tied !== undefined,
  };
  const members = Object.entries(right).flatMap(([name, good]) => (good ? [] : [name]));
  if (called === undefined || named === undefined || tied === undefined || members.length > 0) return { members };
  return {
    id: String(id),
    merchant_account_id: textOrNull(merchant_account_id),
    operation: called,
    fault: named,
    times: Number(times),
    remaining: Number(remaining),
    provider: textOrNull(provider),
    code: ending(named, called, textOrNull(code)),
    delay_ms: numberOrNull(delay_ms),
    seconds: numberOrNull(seconds),
    advice: adviceIn(advice) ?? null,
    response_code: textOrNull(response_code),
    match: tied,
  };
}

const isAuthorizing = (called: Called | undefined): boolean => called === 'authorize' || called === 'direct_capture';
const isTwo = (value: unknown): value is string => typeof value === 'string' && /^[0-9A-Z]{2}$/.test(value);

function adviceIn(value: unknown): SchemeWords['advice'] {
  if (!isRecord(value) || !isTwo(value['code'])) return undefined;
  const source = (['mastercard', 'visa'] as const).find((name) => name === value['source']);
  return source && { source, code: value['code'] };
}

function readMatch(match: unknown): Match | undefined {
  if (!isRecord(match) || !Object.values(match).every(isText)) return undefined;
  return Object.fromEntries(MATCHES.flatMap((name) => (isText(match[name]) ? [[name, match[name]]] : [])));
}

/** A decline without a code gets the plain one for its operation. */
function ending(fault: FaultName, called: Called, code: string | null): string | null {
  if (code !== null || fault !== 'decline' || called === 'inquiry' || called === 'reversal') return code;
  return result(PLAIN_DECLINES[called]).code;
}

const PLAIN_DECLINES = {
  authorize: 'issuer_declined',
  direct_capture: 'issuer_declined',
  capture: 'acquirer_capture_declined',
  refund: 'acquirer_refund_declined',
  cancel: 'acquirer_cancel_declined',
  authentication: 'authentication_incorrect',
} as const;

/**
 * True if this code can be the result of that operation: not a pending or successful one, and not one of our own rules.
 */
function isEnding(code: unknown, called: Called): code is string {
  const row = typeof code === 'string' ? findResult(code) : undefined;
  if (row === undefined || row.name.endsWith('_pending')) return false;
  if (called === 'inquiry' || called === 'reversal') return false;
  if (called === 'authentication') return row.phase === called;
  if (called !== 'authorize' && called !== 'direct_capture') return row.phase === called && row.kind !== 'technical';
  return row.phase === 'authorization' || row.phase === 'tokenization' || row.kind === 'routing';
}

const isWithin = (value: unknown, low: number, high: number): value is number =>
  typeof value === 'number' && Number.isInteger(value) && value >= low && value <= high;
const textOrNull = (value: unknown): string | null => (typeof value === 'string' ? value : null);
const numberOrNull = (value: unknown): number | null => (typeof value === 'number' ? value : null);
const isText = (value: unknown): value is string => typeof value === 'string' && value !== '' && value.length <= 255;
