// The list of orders that a click on a figure opens.
import type { Overview } from '../../../../src/backoffice/wire/overview.ts';
import { type Filters, queryOf } from '../orders/filters.ts';

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
