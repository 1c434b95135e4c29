// The outcomes of payments in words, in the order in which the chart stacks them, and the list that a click opens.
import type { Outcome, Overview } from '../../../../src/backoffice/wire/overview.ts';
import { t } from '../../base/texts.ts';
import { type Filters, queryOf } from '../orders/filters.ts';

export const OUTCOMES: readonly (readonly [name: Outcome, word: string])[] = [
  ['captured', t('Captured')],
  ['authorized', t('Authorized')],
  ['refunded', t('Refunded')],
  ['released', t('Cancelled or expired')],
  ['declined', t('Declined')],
  ['open', t('Under way')],
];

/** The address of the list with these filters, for the whole range or for one bar. */
export function ordersOf({ series, currency }: Overview, filters: Filters, bar?: number): string {
  const [first, last] = bar === undefined ? [series[0], series.at(-1)] : [series[bar], series[bar]];
  return `/orders${queryOf({
    ...(currency === null ? {} : { currency }),
    ...filters,
    created_from: first?.begins ?? '',
    created_to: last?.ends ?? '',
  })}`;
}
