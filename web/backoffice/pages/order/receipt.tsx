// A receipt for the payer, to print or to save as PDF: what was paid, to whom, by which method, and what went back.
import { Button, Modal } from '@mantine/core';
import type { MoneyBox, OrderDetail } from '../../../../src/backoffice/wire/orders.ts';
import { moneyText, paperTimeText, plainText } from '../../base/format.ts';
import { useSession } from '../../base/session.tsx';
import { t } from '../../base/texts.ts';
import { Icon } from '../../parts/icons.tsx';
import { Method, Money } from '../../parts/show.tsx';

type Props = { readonly order: OrderDetail; readonly close: () => void };

/** A payment that neither holds nor took money has no receipt, nor one of which is not known whether it took any. */
export const hasReceipt = ({ money, in_doubt }: OrderDetail) =>
  money.captured_minor > 0 || (heldMinor(money) > 0 && money.capturing_minor === 0 && !in_doubt);

const heldMinor = ({ authorized_minor, released_minor }: MoneyBox) => authorized_minor - released_minor;

/** The sum that matters, and what became of it. */
function sumOf(money: MoneyBox): readonly [minor: number, word: string] {
  const { captured_minor, refunded_minor, charged_back_minor } = money;
  if (captured_minor === 0) return [heldMinor(money), t('Reserved, not charged yet')];
  const kept = captured_minor - refunded_minor - charged_back_minor;
  if (kept > 0) return [kept, t('Paid')];
  if (charged_back_minor === 0) return [refunded_minor, t('Refunded')];
  // more than was captured, where a refund was made all the same
  return [captured_minor, refunded_minor === 0 ? t('Charged back') : t('Refunded and charged back')];
}

/** What went back to the payer, and before it what was charged; empty: nothing went back. */
function wentBack({ captured_minor, refunded_minor, charged_back_minor, currency }: MoneyBox): readonly Row[] {
  const text = (minor: number) => `${moneyText(minor, currency)} ${currency}`;
  const back = [
    [t('Refunded'), refunded_minor],
    [t('Charged back'), charged_back_minor],
  ] as const;
  const rows = back.filter(([, minor]) => minor > 0).map(([name, minor]): Row => [name, `−${text(minor)}`]);
  return rows.length === 0 ? [] : [[t('Charged'), text(captured_minor)], ...rows];
}

type Row = readonly [name: string, text: string];

export function Receipt({ order, close }: Props) {
  const { session } = useSession();
  const { money, request } = order;
  const attempt = order.attempts.at(-1);
  const [sum_minor, word] = sumOf(money);
  const rows: readonly Row[] = [
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
          <Money minor={sum_minor} currency={money.currency} />
        </p>
        <p className="muted">{word}</p>
        <dl className="facts">
          <Rows rows={rows} />
          {attempt === undefined ? null : (
            <div className="receipt-row">
              <dt>{t('Card')}</dt>
              <dd>
                <Method name={attempt.method} last4={attempt.last4} />
              </dd>
            </div>
          )}
          <Rows rows={wentBack(money)} />
        </dl>
        <p className="muted small">{order.id}</p>
      </div>
      <div className="row end">
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

function Rows({ rows }: { readonly rows: readonly Row[] }) {
  return rows
    .filter(([, text]) => text !== '')
    .map(([name, text]) => (
      <div key={name} className="receipt-row">
        <dt>{name}</dt>
        <dd>{text}</dd>
      </div>
    ));
}
