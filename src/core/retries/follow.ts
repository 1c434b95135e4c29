// What may follow a declined authorization: the strictest of the class of its result, the provider's own words, the
// scheme's advice and Visa's category. Pure. Whether a further try is safe at all is decided elsewhere.
import type { ResultName } from '../results.ts';
import { findResult, result } from '../results.ts';
import { type Action, type Advice, adviceOn } from './advice.ts';
import { CLASSES, type RetryClass, type ScheduleName, classOf } from './classes.ts';
import type { Day } from './day.ts';
import { type Category, categoryOn } from './visa.ts';

/**
 * What the provider's own words allow after a decline. `fix_input`: the payer corrects the card. `later`: same card and
 * route after a delay. `with_3ds`: once more with authentication, if the payer is present. To try elsewhere, the result
 * must allow a `fallback` too.
 */
export type Retry = 'fix_input' | 'later' | 'another_route' | 'with_3ds' | 'never';

/** A card scheme's own codes about a declined authorization, if the provider passes them on. */
export type SchemeWords = {
  readonly advice?: Advice;
  /** Field 39 of ISO 8583: two characters. Absent: it was not told. */
  readonly response_code?: string;
};

const CODE = /^[0-9A-Z]{2}$/;

/** The scheme's codes from texts as they came; a text that is not two characters of a code is left out. */
export function schemeWords(source: Advice['source'], advice: string, response_code = ''): SchemeWords {
  return {
    ...(CODE.test(advice) && { advice: { source, code: advice } }),
    ...(CODE.test(response_code) && { response_code }),
  };
}

export type Decline = {
  readonly result: ResultName;
  /** Absent: the provider did not say. */
  readonly retry?: Retry | undefined;
  readonly advice?: Advice | undefined;
  readonly response_code?: string | undefined;
  readonly scheme: string;
  /** The day of the decline: rows of that day hold. */
  readonly day: Day;
};

export type Following = {
  readonly class: RetryClass;
  /** What Florin does not try again. */
  readonly stop: 'card' | 'order' | null;
  /** The next try comes at least this many seconds from now. */
  readonly wait_s: number | null;
  readonly schedule: ScheduleName | null;
  /** For a Visa card with a known response code: its category. */
  readonly category: Category | null;
  /**
   * May the issuer be asked again at once through another provider? Never after advice to wait or to stop, after
   * category 1, or after a lack of funds: an issuer that is asked twice in a second takes it for an attack.
   */
  readonly soft_allowed: boolean;
};

const BY_WORD: Readonly<Record<Retry, RetryClass>> = {
  another_route: 'other_route',
  later: 'later',
  with_3ds: 'with_3ds',
  fix_input: 'fix_input',
  never: 'stop',
};

const BY_ACTION: Readonly<Record<Action, RetryClass>> = {
  by_result: 'other_route',
  tell: 'other_route',
  wait: 'later',
  update_card: 'fix_input',
  stop: 'stop',
  stop_token: 'stop',
  stop_order: 'stop',
  stop_recurring: 'stop',
};

/** Not only of this payment, but of the card at this acceptor. */
const STOPS_CARD: ReadonlySet<Action> = new Set(['stop', 'stop_recurring']);

export function whatFollows({ result: name, retry, advice, response_code, scheme, day }: Decline): Following {
  const row = classOf(name);
  const said = advice && advice.source === scheme ? adviceOn(day, advice) : undefined;
  const category = scheme === 'visa' && response_code !== undefined ? categoryOn(day, response_code) : null;
  const strictest = strictestOf([
    row.class,
    ...(retry === undefined ? [] : [BY_WORD[retry]]),
    ...(said === undefined ? [] : [BY_ACTION[said.action]]),
    ...(category === 1 ? (['stop'] as const) : []),
  ]);
  const card = row.stop_scope === 'card' || category === 1 || (said !== undefined && STOPS_CARD.has(said.action));
  return {
    class: strictest,
    stop: card ? 'card' : strictest === 'stop' ? 'order' : null,
    wait_s: said?.wait_s ?? null,
    schedule: strictest === 'later' ? (row.schedule ?? 'generic') : row.schedule,
    category,
    soft_allowed: (said === undefined || ['by_result', 'tell'].includes(said.action)) && category !== 1,
  };
}

function strictestOf(classes: readonly RetryClass[]): RetryClass {
  return classes.reduce((one, other) => (CLASSES.indexOf(other) > CLASSES.indexOf(one) ? other : one), 'other_route');
}

/**
 * Was it declined where a card scheme sees it, and so in its books? Stricter where that is not known: what a provider
 * itself turns away, and what never was an answer to a payment, is not; all else is.
 */
export function sawScheme(name: ResultName): boolean {
  const row = findResult(result(name).code);
  const { class: of_result } = classOf(name);
  return row?.side !== 'psp' && of_result !== 'none' && of_result !== 'payer';
}

/** The advice as it is shown: whose it is, and its code. */
export const adviceText = ({ source, code }: Advice): string => `${source}:${code}`;
