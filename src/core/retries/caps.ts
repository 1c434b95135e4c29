// How often card schemes let a declined card be tried again, and what more costs. Facts from public pages, each with
// its days, its source and how sure it is; a change is a new row and an end date in the old one, never an edit. Where
// sources differ, the stricter reading holds. Only an acquirer's contract settles what a merchant pays.
import { toMinor } from '../money.ts';
import { type Day, isInForce } from './day.ts';

export type CapRow = {
  /** `any`: schemes without rows of their own. */
  readonly scheme: string;
  readonly rule: string;
  /** For Visa: its categories; for advice: its codes. */
  readonly category: string | null;
  /** cit: the payer's own tries alone; mit: those without the payer. */
  readonly initiator: 'any' | 'cit' | 'mit' | null;
  readonly key: string | null;
  /** The number of tries that the scheme allows. Null: none is published. */
  readonly limit: number | null;
  readonly window_s: number | null;
  /** The try from which a fee falls due. */
  readonly fee_from: number | null;
  /** In major units. */
  readonly fee_amount: string | null;
  readonly fee_currency: string | null;
  /** The region in which the fee is taken. */
  readonly fee_scope: string | null;
  readonly valid_from: Day;
  readonly valid_to: Day | null;
  /** acquirer, provider, rulebook second hand, secondary, unconfirmed, or own: our choice. */
  readonly confirmed: string;
  readonly source: string;
};

type Written = readonly [
  string,
  string,
  string | null,
  CapRow['initiator'],
  string | null,
  number | null,
  number | null,
  number | null,
  string | null,
  string | null,
  string | null,
  Day,
  Day | null,
  string,
  string,
];

// prettier-ignore
const TABLE: readonly Written[] = [
  ['visa', 'never_approve', '1', 'any', 'card+acceptor', 0, 2592000, 1, '0.10', 'USD', 'domestic US; +0.05 cross-border', '2022-04-01', '2026-04-24', 'secondary', 'docs.bill1st.com/docs/mac-response-codes'],
  ['visa', 'never_approve', '1', 'any', 'card+acceptor', 0, 2592000, 1, '0.25', 'USD', 'interregional; AP, Europe, Canada, UAE, US', '2026-04-25', null, 'acquirer', 'www.checkout.com/merchant-communications/changes-to-visa-system-integrity-fees (2026-03-04)'],
  ['visa', 'reattempts', '2-4', 'any', 'card+acceptor+amount', 15, 2592000, 16, '0.10', 'USD', 'domestic US; +0.05 cross-border', '2021-04-17', '2025-05-24', 'secondary', 'developers.getevolved.com/enterprise/docs/visas-processing-integrity-fee-program; support.forte.net 11000097635'],
  ['visa', 'reattempts', '2-4', 'cit', 'card+acceptor+amount', 20, 2592000, 21, '0.15', 'USD', 'interregional', '2025-05-25', '2026-04-24', 'acquirer', 'docs.cielo.com.br changelog new-limit-for-visa-retries-starting-may-25-2025; developers.tabapay.com changelog-122724'],
  ['visa', 'reattempts', '2-4', 'mit', 'card+acceptor+amount', 20, 2592000, 21, '0.15', 'USD', 'interregional', '2025-05-25', '2026-04-24', 'acquirer', 'same'],
  ['visa', 'reattempts', '2-4', 'cit', 'card+acceptor+amount', 20, 2592000, 21, '0.25', 'USD', 'interregional; AP, Europe, Canada, UAE, US', '2026-04-25', null, 'acquirer', 'www.checkout.com/merchant-communications/changes-to-visa-system-integrity-fees (2026-03-04); limit also in Visa Core Rules 2026-04-18 Table 7-2 as quoted by ianfoxdev/decline-codes'],
  ['visa', 'reattempts', '2-4', 'mit', 'card+acceptor+amount', 20, 2592000, 21, '0.25', 'USD', 'interregional; AP, Europe, Canada, UAE, US', '2026-04-25', null, 'acquirer', 'same'],
  ['visa', 'data_quality', '3', 'any', 'acceptor', 25000, 2592000, 25001, '0.25', 'USD', 'interregional; AP, Europe, Canada, UAE, US', '2026-04-25', null, 'acquirer', 'www.checkout.com/merchant-communications/changes-to-visa-system-integrity-fees (2026-03-04)'],
  ['visa', 'stop_payment', 'R0 R1 R3', 'mit', 'card+acceptor', 0, 2592000, 4, '1.00', 'EUR or USD', null, '2023-04-27', null, 'acquirer', 'www.checkout.com/merchant-communications/manage-your-decline-response-codes (2023-04-27)'],
  ['mastercard', 'excessive_attempts_day', 'any', 'any', 'card+acceptor', 20, 86400, 21, '0.10', 'USD', 'US; Canada', '2019-10-14', '2022-09-30', 'secondary', 'community.moneris.com development-considerations-for-new-mastercard-fees'],
  ['mastercard', 'excessive_attempts_day', 'any', 'any', 'card+acceptor', 10, 86400, 11, '0.50', 'USD', 'US; Canada', '2022-10-01', null, 'secondary', 'retries.com/guides/transaction-processing-excellence; developers.tabapay.com/docs/excessive-retry-rules'],
  ['mastercard', 'excessive_attempts_day', 'any', 'any', 'card+acceptor', 10, 86400, 11, '0.55', 'EUR', 'EU', '2024-08-01', null, 'unconfirmed', 'retries.com/guides/transaction-processing-excellence'],
  ['mastercard', 'excessive_attempts_month', 'any', 'any', 'card+acceptor+amount', 35, 2592000, 36, '0.50', 'USD', 'US', '2023-11-01', null, 'acquirer', 'developer.paypal.com/braintree network-updates/2023/mastercard-f23'],
  ['mastercard', 'excessive_attempts_month', 'any', 'any', 'card+acceptor+amount', 35, 2592000, 36, '0.50', 'USD', 'Canada', '2024-04-01', null, 'acquirer', 'developers.tabapay.com/docs/mastercard-1'],
  ['mastercard', 'advice_stop', 'MAC 03 21', 'any', 'card+acceptor+amount', 0, 2592000, 1, '0.03', 'USD', 'US', '2021-11-01', null, 'secondary', 'help.maast.com/help/mastercards-decline-code-grouping-and-mac'],
  ['mastercard', 'authorization_optimizer', 'MAC 24-30', 'mit', 'card', null, null, 1, '0.02', 'USD', 'US; Canada', '2023-10-09', null, 'acquirer', 'developers.tabapay.com/docs/mastercard-authorization-optimizer-service; braintree mastercard-f23'],
  ['amex', 'none_published', null, 'any', null, null, null, null, null, null, null, '2026-11-23', null, 'unconfirmed', 'developer.cybersource.com ccAuthReply_merchantAdviceCode: Amex and Discover send no category'],
  ['discover', 'none_published', null, 'any', null, null, null, null, null, null, null, '2026-11-23', null, 'unconfirmed', 'same'],
  ['elo', 'reattempts', 'any', 'any', 'card+acceptor', null, null, null, null, 'BRL', 'Brazil', '2026-11-23', null, 'unconfirmed', 'docs.payzu.com.br/docs/payments/card-brand-retry-program'],
  ['any', 'default', 'any', 'any', 'card+acceptor', 10, 2592000, null, null, null, 'every scheme without rows of its own', '2026-11-23', null, 'own', 'own choice'],
  ['any', 'default_day', 'any', 'any', 'card+acceptor', 5, 86400, null, null, null, 'every scheme without rows of its own', '2026-11-23', null, 'own', 'own choice'],
];

export const CAPS: readonly CapRow[] = TABLE.map(
  ([scheme, rule, category, initiator, key, limit, window_s, fee_from, fee_amount, ...rest]) => {
    const [fee_currency, fee_scope, valid_from, valid_to, confirmed, source] = rest;
    return {
      scheme,
      rule,
      category,
      initiator,
      key,
      limit,
      window_s,
      fee_from,
      fee_amount,
      fee_currency,
      fee_scope,
      valid_from,
      valid_to,
      confirmed,
      source,
    };
  },
);

/** Florin stops this many tries before the scheme's own limit: the scheme may have begun to count before we did. */
export const MARGIN = 2;

/** A limit on the tries of one card at one acceptor: what is counted, and how many are allowed. */
export type Limit = {
  readonly rule: string;
  readonly window_s: number;
  /** The most tries that are allowed. */
  readonly most: number;
  /** Only tries of the same amount are counted together. */
  readonly by_amount: boolean;
  /** The payer's own tries and those without the payer have a number each. */
  readonly by_initiator: boolean;
};

/** Rows with the day on which their sources were looked at. */
export type CapsTable = { readonly as_of: Day; readonly rows: readonly CapRow[] };

/** The table of this release. */
export const SHIPPED: CapsTable = { as_of: '2026-11-23', rows: CAPS };

/** The rows of a scheme on a day; for a scheme that has published none, our own choice. */
function capsOn(rows: readonly CapRow[], day: Day, scheme: string): readonly CapRow[] {
  const of = (name: string) => rows.filter((row) => row.scheme === name && row.limit !== null && isInForce(row, day));
  const own = of(scheme);
  return own.length > 0 ? own : of('any');
}

/**
 * The limits that a try at this scheme must keep on this day. Two sources say that Visa counts by amount as well. We
 * count without the amount: that is stricter, and a lower amount then avoids nothing. A try that is never allowed
 * (limit 0) is stopped, not counted.
 */
export function limitsOn(rows: readonly CapRow[], day: Day, scheme: string): readonly Limit[] {
  const limits = capsOn(rows, day, scheme).flatMap((row) => {
    const counted =
      row.limit !== null && row.limit > 0 && row.window_s !== null && row.key?.startsWith('card') === true;
    return counted ? [limitOf(row, row.limit, row.window_s)] : [];
  });
  // rows that differ only in their fee are one limit
  return [...new Map(limits.map((limit) => [JSON.stringify(limit), limit])).values()];
}

function limitOf({ rule, scheme, key, initiator, confirmed }: CapRow, limit: number, window_s: number): Limit {
  return {
    rule,
    window_s,
    most: confirmed === 'own' ? limit : limit - MARGIN,
    by_amount: scheme !== 'visa' && key?.includes('amount') === true,
    by_initiator: initiator === 'cit' || initiator === 'mit',
  };
}

/**
 * How many declines for wrong data a merchant number may have at Visa before each further one costs a fee. Undefined:
 * no row of that day says so.
 */
export function dataQualityOn(
  rows: readonly CapRow[],
  day: Day,
): { readonly limit: number; readonly window_s: number } | undefined {
  const { limit = null, window_s = null } = capsOn(rows, day, 'visa').find(({ rule }) => rule === 'data_quality') ?? {};
  return limit === null || window_s === null ? undefined : { limit, window_s };
}

type Asking = { readonly scheme: string; readonly rule: string; readonly region: string };

/**
 * The fee for a try above a limit in a region; the lowest, if several rows name one. Undefined: no row of that day
 * names one.
 */
export function feesOn(
  rows: readonly CapRow[],
  day: Day,
  { scheme, rule, region }: Asking,
): { readonly currency: string; readonly minor: bigint } | undefined {
  const named = (scope: string) =>
    scope.split(/[^A-Za-z]+/).some((word) => word.toLowerCase() === region.toLowerCase());
  const fees = capsOn(rows, day, scheme)
    .filter(({ rule: of, fee_scope }) => of === rule && named(fee_scope ?? ''))
    .flatMap(({ fee_amount, fee_currency: currency }) => {
      // one that is taken in either of two currencies is known in none
      const read = fee_amount !== null && currency?.length === 3 ? toMinor(fee_amount, currency) : undefined;
      return read && currency !== null && 'minor' in read ? [{ currency, minor: read.minor }] : [];
    });
  return fees.toSorted((one, other) => (one.minor < other.minor ? -1 : 1))[0];
}
