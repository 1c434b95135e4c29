// The sources of the search. Each one is a route that the person's role may use, and the server answers for their
// account only: it does not answer what a person may not see.
import type { OrderRow } from '../../../src/backoffice/wire/orders.ts';
import { answered } from '../base/api.ts';
import { methodText, moneyText, timeText } from '../base/format.ts';
import { plural, t } from '../base/texts.ts';
import type { IconName } from '../parts/icons.tsx';
import { statusText } from '../parts/show.tsx';
import {
  CARD_ROWS,
  ORIGINS,
  PAYMENT_ROWS,
  PICTURE_HOSTS,
  REFUND_LIMITS,
  RETURN_HOSTS,
  WAIT_ROWS,
} from '../pages/integration/settings-text.ts';

export type Found = {
  readonly to: string;
  readonly title: string;
  readonly text?: string;
  readonly icon: IconName;
};

export type Group = { readonly name: string; readonly found: readonly Found[] };

const FEW = 6;

/** The text without capital letters and accents. */
const plain = (text: string) =>
  text
    .normalize('NFKD')
    .replaceAll(/[\u0300-\u036f]/g, '')
    .toLowerCase();

/** True if every typed word is the beginning of a word in the texts. */
function matches(typed: string, ...texts: readonly string[]): boolean {
  const wordsIn = (text: string) => plain(text).split(/[^\p{L}\p{N}]+/u);
  const words = texts.flatMap(wordsIn);
  const wanted = wordsIn(typed).filter((word) => word !== '');
  return wanted.length > 0 && wanted.every((beginning) => words.some((word) => word.startsWith(beginning)));
}

const SETTINGS: readonly { readonly title: string; readonly text: string }[] = [
  ...PAYMENT_ROWS,
  ...WAIT_ROWS,
  ...CARD_ROWS,
  ORIGINS,
  RETURN_HOSTS,
  PICTURE_HOSTS,
  REFUND_LIMITS,
];

/** The results that need no request. */
export function findHere(typed: string, pages: readonly Found[]): readonly Group[] {
  const settings = SETTINGS.filter(
    ({ title, text }) => matches(typed, title) || (typed.length > 3 && matches(typed, title, text)),
  );
  return [
    { name: t('Pages'), found: pages.filter(({ title }) => matches(typed, title)) },
    {
      name: t('Settings'),
      found: settings
        .slice(0, FEW)
        .map(({ title, text }) => ({ to: '/integration', title, text, icon: 'settings' as const })),
    },
  ];
}

type Asking = { readonly typed: string; readonly requests: boolean; readonly signal: AbortSignal };

/**
 * Finds orders by everything that the list searches by (also a card's last four digits), customers, and requests by
 * their id.
 */
export async function findThere({ typed, requests, signal }: Asking): Promise<readonly Group[]> {
  const wants_request = requests && /^[0-9a-f]{24}$/i.test(typed);
  const [orders, customers, log] = await Promise.all([
    answered('GET /orders', { signal, query: { search: typed, limit: FEW } }),
    answered('GET /customers', { signal, query: { search: typed } }),
    wants_request ? answered('GET /requests', { signal, query: { id: typed.toLowerCase() } }) : undefined,
  ]);
  // a customer with this exact id comes before the orders that they made
  const is_customer = customers.customers.some(({ customer_id }) => plain(customer_id) === plain(typed));
  const found: readonly Group[] = [
    {
      name: /^\d{4}$/.test(typed) ? t('Orders, and cards that end so') : t('Orders'),
      found: orders.orders.map(orderFound),
    },
    {
      name: t('Customers'),
      found: customers.customers.slice(0, FEW).map(({ customer_id, cards }) => ({
        to: `/customers/${encodeURIComponent(customer_id)}`,
        title: customer_id,
        text: plural(cards, '{count} saved card', '{count} saved cards'),
        icon: 'customers' as const,
      })),
    },
  ];
  return [
    ...(is_customer ? found.toReversed() : found),
    {
      name: t('Requests'),
      found: (log?.requests ?? []).slice(0, FEW).map(({ id, method, path, status, at }) => ({
        to: `/requests?id=${id}`,
        title: `${method} ${path}`,
        text: `${status ?? t('no answer')}, ${timeText(at)}`,
        icon: 'updown' as const,
      })),
    },
  ];
}

function orderFound({ id, order_merchant_id, amount_minor, currency, status, dispute, ...row }: OrderRow): Found {
  const method = row.method === null ? '' : `${methodText(row.method)}${row.last4 === null ? '' : ` ${row.last4}`}`;
  const state = dispute === 'opened' ? t('Charged back') : statusText(status);
  const text = [state, row.customer_email ?? row.customer_id ?? '', method, timeText(row.created_at)];
  return {
    to: `/orders/${id}`,
    title: `${moneyText(amount_minor, currency)} ${currency}${order_merchant_id === '' ? '' : ` · ${order_merchant_id}`}`,
    text: text.filter((part) => part !== '').join(' · '),
    icon: 'orders',
  };
}
