// The columns of the list of orders; the browser keeps the choice of those that are shown.
import { type ReactNode, useState } from 'react';
import type { OrderRow } from '../../../../src/backoffice/wire/orders.ts';
import { sentence } from '../../base/format.ts';
import { Link } from '../../base/router.tsx';
import { t } from '../../base/texts.ts';
import { Method, Money, Status, Tag, When, isPart } from '../../parts/show.tsx';

export type Column = {
  readonly name: string;
  readonly title: string;
  readonly right?: boolean;
  readonly always?: boolean;
  readonly cell: (row: OrderRow) => ReactNode;
};

const partlyOf = ({ status, amount_minor, captured_minor, refunded_minor }: OrderRow) =>
  isPart(status, { ordered: amount_minor, captured: captured_minor, refunded: refunded_minor });

const none = <span className="muted none">–</span>;

export const COLUMNS: readonly Column[] = [
  {
    name: 'amount',
    title: t('Amount'),
    right: true,
    always: true,
    cell: (row) => (
      <Link to={`/orders/${row.id}`} className="cover strong">
        <Money minor={row.amount_minor} currency={row.currency} />
      </Link>
    ),
  },
  {
    name: 'status',
    title: t('Status'),
    always: true,
    cell: (row) => (
      <span className="row nowrap">
        <Status status={row.status} in_doubt={row.in_doubt} partly={partlyOf(row)} dispute={row.dispute} />
        {row.suspicious ? <Tag tone="warn">{t('Suspicious')}</Tag> : null}
      </span>
    ),
  },
  {
    name: 'reference',
    title: t('Reference'),
    cell: (row) => (
      <span className="clip" title={row.order_merchant_id}>
        {row.order_merchant_id || none}
      </span>
    ),
  },
  {
    name: 'customer',
    title: t('Customer'),
    cell: (row) => (
      <span className="clip" title={row.customer_email ?? row.customer_id ?? ''}>
        {row.customer_email ?? row.customer_id ?? none}
      </span>
    ),
  },
  {
    name: 'method',
    title: t('Method'),
    cell: (row) => (row.method === null ? none : <Method name={row.method} last4={row.last4} />),
  },
  { name: 'provider', title: t('Provider'), cell: (row) => (row.provider === null ? none : sentence(row.provider)) },
  { name: 'code', title: t('Code'), cell: (row) => <code>{row.code ?? '–'}</code> },
  {
    name: 'captured',
    title: t('Captured'),
    right: true,
    cell: (row) => (row.captured_minor === 0 ? none : <Money minor={row.captured_minor} currency={row.currency} />),
  },
  {
    name: 'refunded',
    title: t('Refunded'),
    right: true,
    cell: (row) => (row.refunded_minor === 0 ? none : <Money minor={row.refunded_minor} currency={row.currency} />),
  },
  { name: 'id', title: t('Order id'), cell: (row) => <code>{row.id}</code> },
  { name: 'created', title: t('Created [when]'), right: true, cell: (row) => <When at={row.created_at} /> },
];

const KEY = 'florin-order-columns';
const FIRST = ['amount', 'status', 'reference', 'customer', 'method', 'created'];

/** The chosen columns in their order, and a way to show or hide one. */
export function useColumns(): readonly [readonly Column[], (name: string) => void] {
  const [names, setNames] = useState<readonly string[]>(() => localStorage.getItem(KEY)?.split(',') ?? FIRST);
  const change = (name: string) => {
    const changed = names.includes(name) ? names.filter((one) => one !== name) : [...names, name];
    localStorage.setItem(KEY, changed.join(','));
    setNames(changed);
  };
  return [COLUMNS.filter((column) => column.always === true || names.includes(column.name)), change];
}
