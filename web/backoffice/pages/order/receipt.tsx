// A receipt for the payer, to print or to save as PDF: what was paid, to whom, by which method, and what was refunded.
import { Button, Modal } from '@mantine/core';
import type { OrderDetail } from '../../../../src/backoffice/wire/orders.ts';
import { moneyText, paperTimeText, plainText } from '../../base/format.ts';
import { useSession } from '../../base/session.tsx';
import { t } from '../../base/texts.ts';
import { Icon } from '../../parts/icons.tsx';
import { Method, Money } from '../../parts/show.tsx';

type Props = { readonly order: OrderDetail; readonly close: () => void };

/** A payment that neither holds nor took money has no receipt. */
export const hasReceipt = ({ money }: OrderDetail) => money.captured_minor > 0 || money.authorized_minor > 0;

export function Receipt({ order, close }: Props) {
  const { session } = useSession();
  const { money, request } = order;
  const attempt = order.attempts.at(-1);
  const kept = money.captured_minor - money.refunded_minor;
  const rows: readonly (readonly [string, string])[] = [
    [t('Order'), order.order_merchant_id === '' ? order.id : order.order_merchant_id],
    [t('Date'), paperTimeText(order.created_at)],
    [t('Description'), plainText(request['order_description'])],
    [
      t('Paid by'),
      [plainText(request['customer_first_name']), plainText(request['customer_last_name'])].join(' ').trim(),
    ],
  ];
  return (
    <Modal opened onClose={close} title={t('Receipt')}>
      <div className="receipt">
        <h2>{session.account.name}</h2>
        <p className="receipt-sum">
          <Money minor={money.captured_minor > 0 ? kept : money.authorized_minor} currency={money.currency} />
        </p>
        <p className="muted">{money.captured_minor > 0 ? t('Paid') : t('Reserved, not charged yet')}</p>
        <dl className="facts">
          {rows
            .filter(([, text]) => text !== '')
            .map(([name, text]) => (
              <div key={name} className="receipt-row">
                <dt>{name}</dt>
                <dd>{text}</dd>
              </div>
            ))}
          {attempt === undefined ? null : (
            <div className="receipt-row">
              <dt>{t('Card')}</dt>
              <dd>
                <Method name={attempt.method} last4={attempt.last4} />
              </dd>
            </div>
          )}
          {money.refunded_minor === 0 ? null : (
            <>
              <div className="receipt-row">
                <dt>{t('Charged')}</dt>
                <dd>{`${moneyText(money.captured_minor, money.currency)} ${money.currency}`}</dd>
              </div>
              <div className="receipt-row">
                <dt>{t('Refunded')}</dt>
                <dd>{`−${moneyText(money.refunded_minor, money.currency)} ${money.currency}`}</dd>
              </div>
            </>
          )}
        </dl>
        <p className="muted small">{order.id}</p>
      </div>
      <div className="row end no-print">
        <Button variant="default" onClick={close}>
          {t('Close')}
        </Button>
        <Button leftSection={<Icon name="download" size={16} />} onClick={() => window.print()}>
          {t('Print or save as PDF')}
        </Button>
      </div>
    </Modal>
  );
}
