// The money of an order that the payer's bank took back, and a provider's contradiction of a final state.
import type { OrderContradiction, OrderDetail } from '../../../../src/backoffice/wire/orders.ts';
import { sentence } from '../../base/format.ts';
import { Link } from '../../base/router.tsx';
import { t } from '../../base/texts.ts';
import { Panel } from '../../parts/page.tsx';
import { Dispute, Id, Money, Tag, When } from '../../parts/show.tsx';

export function Disputes({ order: { disputes, contradictions, money } }: { readonly order: OrderDetail }) {
  if (disputes.length === 0 && contradictions.length === 0) return null;
  return (
    <Panel title={t('Disputes and contradictions')} padded>
      <div className="stack">
        {disputes.map(({ id, state, amount_minor, reason, reason_code, opened_at }) => (
          <dl key={id} className="facts">
            <dt>{t('Dispute')}</dt>
            <dd>
              <Money minor={amount_minor} currency={money.currency} /> <Dispute state={state} />{' '}
              <Link to={`/disputes/${id}`}>{state === 'opened' ? t('Answer it') : t('See it')}</Link>
            </dd>
            <dt>{t('Reason')}</dt>
            <dd>
              <code>{reason_code}</code> {sentence(reason)}
            </dd>
            <dt>{t('Opened')}</dt>
            <dd>
              <When at={opened_at} />
            </dd>
            <dt>{t('Id')}</dt>
            <dd>
              <Id id={id} />
            </dd>
          </dl>
        ))}
        {contradictions.map((one) => (
          <Contradiction key={one.operation_id} one={one} currency={money.currency} />
        ))}
      </div>
    </Panel>
  );
}

type Props = { readonly one: OrderContradiction; readonly currency: string };

function Contradiction({ one: { about, held, said, amount_minor, since }, currency }: Props) {
  return (
    <dl className="facts">
      <dt>{sentence(about)}</dt>
      <dd>
        <Money minor={amount_minor} currency={currency} /> <Tag tone="bad">{t('Contradicted by the provider')}</Tag>
      </dd>
      <dt>{t('Recorded here')}</dt>
      <dd>{sentence(held)}</dd>
      <dt>{t('Provider says')}</dt>
      <dd>{sentence(said)}</dd>
      <dt>{t('Since')}</dt>
      <dd>
        <When at={since} />
      </dd>
    </dl>
  );
}
