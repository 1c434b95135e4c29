// Other orders of the same customer or the same card.
import type { OrderDetail, OrderRow } from '../../../../src/backoffice/wire/orders.ts';
import { useAsk } from '../../base/ask.ts';
import { Link } from '../../base/router.tsx';
import { t } from '../../base/texts.ts';
import { Panel } from '../../parts/page.tsx';
import { Method, Money, Status, When } from '../../parts/show.tsx';

export function Related({ order }: { readonly order: OrderDetail }) {
  const { data } = useAsk('orders', 'GET /orders/:id/related', { params: { id: order.id } });
  const attempt = order.attempts.at(-1);
  // an order that belongs to both is shown once
  const customer = data?.customer ?? [];
  const card = (data?.card ?? []).filter(({ id }) => !customer.some((one) => one.id === id));
  if (customer.length === 0 && card.length === 0) return null;
  return (
    <Panel title={t('Related orders')}>
      {customer.length === 0 ? null : <Rows title={t('Of this customer')} rows={customer} />}
      {card.length === 0 || attempt === undefined ? null : (
        <Rows title={t('Of cards that end alike')} rows={card} method={attempt} />
      )}
    </Panel>
  );
}

type RowsProps = {
  readonly title: string;
  readonly rows: readonly OrderRow[];
  readonly method?: { readonly method: string; readonly last4: string | null };
};

function Rows({ title, rows, method }: RowsProps) {
  return (
    <div className="related">
      <h3>
        {title}
        {method === undefined ? null : (
          <>
            {': '}
            <Method name={method.method} last4={method.last4} />
          </>
        )}
      </h3>
      <ul className="lines">
        {rows.map((row) => (
          <li key={row.id} className="row apart">
            <Link to={`/orders/${row.id}`}>{row.order_merchant_id || row.id.slice(-8)}</Link>
            <span className="row">
              <Status status={row.status} in_doubt={row.in_doubt} dispute={row.dispute} />
            </span>
            <Money minor={row.amount_minor} currency={row.currency} />
            <span className="muted small">
              <When at={row.created_at} />
            </span>
          </li>
        ))}
      </ul>
    </div>
  );
}
