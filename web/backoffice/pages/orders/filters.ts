// The filters of the list of orders: the address holds them, under the server's names.
import type { OrderFilters } from '../../../../src/backoffice/wire/orders.ts';
import { sentence, methodText } from '../../base/format.ts';
import { t } from '../../base/texts.ts';
import { statusText } from '../../parts/show.tsx';

export const FILTERS = [
  ...(['search', 'status', 'code', 'currency', 'provider', 'method', 'amount_from', 'amount_to'] as const),
  ...(['created_from', 'created_to', 'in_doubt', 'disputed', 'suspicious'] as const),
] as const;

export type FilterName = (typeof FILTERS)[number];
/** Filters from the address; the server refuses values that it does not know. */
export type Filters = { readonly [name in FilterName]?: string };

/** The same filters in the server's type. */
export function wireFilters({ in_doubt, disputed, suspicious, ...rest }: Filters): OrderFilters {
  return {
    ...rest,
    ...(in_doubt === 'true' ? { in_doubt } : {}),
    ...(disputed === 'true' ? { disputed } : {}),
    ...(suspicious === 'true' ? { suspicious } : {}),
  };
}

export function filtersOf(query: URLSearchParams): Filters {
  const given = FILTERS.map((name) => [name, query.get(name) ?? ''] as const);
  return Object.fromEntries(given.filter(([, value]) => value !== ''));
}

export function queryOf(filters: Filters): string {
  const text = new URLSearchParams(Object.entries(filters).filter(([, value]) => value !== '')).toString();
  return text === '' ? '' : `?${text}`;
}

/** The lists that are used most, one click away. */
export const TABS: readonly (readonly [name: string, filters: Filters])[] = [
  [t('All [orders]'), {}],
  [t('Authorized'), { status: 'authorization_successful' }],
  [t('Captured'), { status: 'capture_successful' }],
  [t('Refunded'), { status: 'refund_successful' }],
  [t('Declined'), { status: 'authorization_declined,authentication_declined,risk_assessment_declined' }],
  [t('Requires action'), { status: 'authentication_requested' }],
  [t('Disputed'), { disputed: 'true' }],
  [t('Outcome unknown'), { in_doubt: 'true' }],
];

/** The tab that shows exactly these filters, if there is one; a search does not change the tab. */
export function tabOf({ search: _, ...filters }: Filters): string | undefined {
  return TABS.find(([, tab]) => FILTERS.every((name) => name === 'search' || tab[name] === filters[name]))?.[0];
}

const NAMES: Readonly<Record<FilterName, string>> = {
  search: t('Search'),
  status: t('Status'),
  code: t('Code'),
  currency: t('Currency'),
  provider: t('Provider'),
  method: t('Method'),
  amount_from: t('Amount from'),
  amount_to: t('Amount to'),
  created_from: t('From [day]'),
  created_to: t('Until'),
  in_doubt: t('Outcome unknown'),
  disputed: t('Disputed'),
  suspicious: t('Suspicious'),
};

/** The text of a filter, for its chip. */
export function filterText(name: FilterName, value: string): string {
  if (name === 'in_doubt' || name === 'disputed' || name === 'suspicious') return NAMES[name];
  if (name === 'status') return value.split(',').map(statusText).join(', ');
  if (name === 'method') return methodText(value);
  if (name === 'provider') return sentence(value);
  if (name === 'created_from' || name === 'created_to') return `${NAMES[name]} ${localDay(value)}`;
  return `${NAMES[name]} ${value}`;
}

/** The day of a moment in the viewer's zone, in the form of a date field. */
export function localDay(iso: string): string {
  const date = new Date(iso);
  const two = (value: number) => String(value).padStart(2, '0');
  return Number.isNaN(date.getTime()) ? '' : `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

/** The first moment of a day in the viewer's zone, or of the day `after` days later. */
export function dayStart(day: string, after = 0): string {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
  return day === '' ? '' : new Date(year, month - 1, date + after).toISOString();
}
