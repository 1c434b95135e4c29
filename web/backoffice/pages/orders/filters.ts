// The filters of the list of orders: the address holds them, under the server's names.
import type { OrderFilters } from '../../../../src/backoffice/wire/orders.ts';
import type { Outcome } from '../../../../src/backoffice/wire/overview.ts';
import { localDay } from '../../base/days.ts';
import { sentence, methodText } from '../../base/format.ts';
import { t } from '../../base/texts.ts';
import { statusText } from '../../parts/show.tsx';

export const FILTERS = [
  ...(['search', 'status', 'outcome', 'code', 'currency', 'provider', 'method', 'amount_from', 'amount_to'] as const),
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

/** The outcomes of payments in words, in the order in which the overview's chart stacks them. */
export const OUTCOMES: readonly (readonly [name: Outcome, word: string])[] = [
  ['captured', t('Captured')],
  ['authorized', t('Authorized')],
  ['refunded', t('Refunded')],
  ['released', t('Cancelled or expired')],
  ['declined', t('Declined')],
  ['open', t('Under way')],
];

/** The lists that are used most, one click away. */
export const TABS: readonly (readonly [name: string, filters: Filters])[] = [
  [t('All [orders]'), {}],
  [t('Authorized'), { outcome: 'authorized' }],
  [t('Captured'), { outcome: 'captured' }],
  [t('Refunded'), { outcome: 'refunded' }],
  [t('Declined'), { outcome: 'declined' }],
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
  outcome: t('Outcome'),
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
  if (name === 'outcome') return OUTCOMES.find(([outcome]) => outcome === value)?.[1] ?? sentence(value);
  if (name === 'method') return methodText(value);
  if (name === 'provider') return sentence(value);
  if (name === 'created_from' || name === 'created_to') return `${NAMES[name]} ${localDay(value)}`;
  return `${NAMES[name]} ${value}`;
}
