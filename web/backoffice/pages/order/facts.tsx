// The panels beside an order's timeline.
import { Button } from '@mantine/core';
import type { OrderAttempt, OrderDetail } from '../../../../src/backoffice/wire/orders.ts';
import { api } from '../../base/api.ts';
import { sentence } from '../../base/format.ts';
import { Link } from '../../base/router.tsx';
import { useSession } from '../../base/session.tsx';
import { plural, t } from '../../base/texts.ts';
import { useAct } from '../../parts/act.tsx';
import { Icon } from '../../parts/icons.tsx';
import { Empty, Panel } from '../../parts/page.tsx';
import { Method, Money, Tag, When } from '../../parts/show.tsx';
import { Heard } from '../../parts/table.tsx';

type Props = { readonly order: OrderDetail };

export function MoneyPanel({ order: { money } }: Props) {
  const rows: readonly (readonly [string, number, boolean])[] = [
    [t('Authorized'), money.authorized_minor, true],
    [t('Captured'), money.captured_minor, true],
    [t('Being captured'), money.capturing_minor, money.capturing_minor > 0],
    [t('Refunded'), money.refunded_minor, true],
    [t('Being refunded'), money.refunding_minor, money.refunding_minor > 0],
    [t('Charged back'), money.charged_back_minor, money.charged_back_minor > 0],
    [t('Released'), money.released_minor, money.released_minor > 0],
  ];
  const left: readonly (readonly [string, number])[] = [
    [t('Can be captured'), money.capturable_minor],
    [t('Can be refunded'), money.refundable_minor],
  ];
  return (
    <Panel title={t('Money')} padded>
      <dl className="money-box">
        {rows
          .filter(([, , shown]) => shown)
          .map(([name, minor]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>
                <Money minor={minor} currency={money.currency} />
              </dd>
            </div>
          ))}
        {left.map(([name, minor], i) => (
          <div key={name} className={i === 0 ? 'left first' : 'left'}>
            <dt>{name}</dt>
            <dd>
              <Money minor={minor} currency={money.currency} />
            </dd>
          </div>
        ))}
      </dl>
    </Panel>
  );
}

export function Attempts({ order: { attempts } }: Props) {
  return (
    <Panel
      title={
        attempts.length === 1
          ? t('Payment')
          : plural(attempts.length, 'Payment, {count} attempt', 'Payment, {count} attempts')
      }
      padded
    >
      {attempts.length === 0 ? <p className="muted">{t('Not sent to a provider.')}</p> : null}
      <div className="stack">
        {attempts.map((attempt) => (
          <Attempt key={attempt.id} attempt={attempt} />
        ))}
      </div>
    </Panel>
  );
}

function Attempt({ attempt }: { readonly attempt: OrderAttempt }) {
  const { exp_month, exp_year, first6, last4, contract, risk_score } = attempt;
  return (
    <dl className="facts">
      <dt>{t('Card')}</dt>
      <dd>
        <Method name={attempt.method} last4={last4} />{' '}
        {attempt.cascade_of === null ? null : <Tag tone="info">{t('Fallback')}</Tag>}
      </dd>
      {exp_month === null || exp_year === null ? null : (
        <>
          <dt>{t('Expires')}</dt>
          <dd className="num">{`${String(exp_month).padStart(2, '0')} / ${exp_year}`}</dd>
        </>
      )}
      {first6 === null ? null : (
        <>
          <dt>{t('First six')}</dt>
          <dd className="num">{first6}</dd>
        </>
      )}
      <dt>{t('Provider')}</dt>
      <dd>
        {sentence(attempt.provider)}
        {contract === null ? null : <span className="muted"> · {contract}</span>}
      </dd>
      {risk_score === null ? null : (
        <>
          <dt>{t('Risk score')}</dt>
          <dd className="num">{risk_score}</dd>
        </>
      )}
    </dl>
  );
}

const TOLD: readonly (readonly [string, readonly string[]])[] = [
  [t('Name'), ['customer_first_name', 'customer_last_name']],
  ['E-mail', ['customer_email']],
  [t('IP address'), ['customer_ip']],
  [t('Country'), ['customer_country']],
];

export function Customer({ order: { request } }: Props) {
  const textOf = (names: readonly string[]) =>
    names
      .map((name) => request[name])
      .filter((value) => typeof value === 'string' && value !== '')
      .join(' ');
  const id = textOf(['customer_id']);
  const rows = TOLD.map(([title, names]) => [title, textOf(names)] as const).filter(([, text]) => text !== '');
  if (id === '' && rows.length === 0) return null;
  return (
    <Panel title={t('Customer')} padded>
      <dl className="facts">
        {id === '' ? null : (
          <>
            <dt>{t('Customer id')}</dt>
            <dd>
              <Link to={`/customers/${encodeURIComponent(id)}`}>{id}</Link>
            </dd>
          </>
        )}
        {rows.map(([title, text]) => (
          <Row key={title} title={title} text={text} />
        ))}
      </dl>
    </Panel>
  );
}

function Row({ title, text }: { readonly title: string; readonly text: string }) {
  return (
    <>
      <dt>{title}</dt>
      <dd>{text}</dd>
    </>
  );
}

export function Route({ order: { route } }: Props) {
  if (route.length === 0) return null;
  return (
    <Panel title={t('Why this route')} padded>
      <ol className="route">
        {route.map((step, i) => (
          <li key={`${step.contract} ${i}`}>
            <div className="row apart">
              <span className="strong">{step.contract || sentence(step.provider)}</span>
              <Tag tone={step.chosen ? 'good' : 'plain'}>{step.chosen ? t('Chosen') : t('Not used')}</Tag>
            </div>
            <p className="muted small" lang="en">
              {step.why}
            </p>
          </li>
        ))}
      </ol>
    </Panel>
  );
}

export function Sent({ order }: Props) {
  const { may } = useSession();
  const again = useAct<string>({
    run: (id) => api('POST /notifications/deliveries/:notification_id/replay', { params: { notification_id: id } }),
    said: t('Notification sent again'),
    stale: ['order', 'deliveries'],
  });
  return (
    <Panel title={t('Notifications')}>
      {order.notifications.length === 0 ? (
        <Empty
          icon="bell"
          title={t('None sent')}
          text={t('This account had no endpoint for the events of this order.')}
        />
      ) : (
        <table className="table cards">
          <Heard columns={[t('Event'), t('State'), t('Attempts'), t('When'), t('Actions')]} />
          <tbody>
            {order.notifications.map((one) => (
              <tr key={one.id}>
                <td>
                  <span className="muted num">{one.sequence}</span> {sentence(one.event)}
                </td>
                <td>
                  <Tag tone={one.state === 'delivered' ? 'good' : one.state === 'parked' ? 'bad' : 'warn'}>
                    {sentence(one.state)}
                  </Tag>
                </td>
                <td className="muted small">
                  {plural(one.tries, '{count} attempt', '{count} attempts')}
                  {one.last_http_status === null ? '' : `, HTTP ${one.last_http_status}`}
                </td>
                <td className="right">
                  <When at={one.created_at} />
                </td>
                <td className="right">
                  {may('notifications') ? (
                    <Button
                      size="compact-sm"
                      variant="default"
                      leftSection={<Icon name="refresh" size={13} />}
                      onClick={() => again.mutate(one.id)}
                    >
                      {t('Send again')}
                    </Button>
                  ) : null}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Panel>
  );
}

const PAPERS = [
  ['answer', t('Current API response')],
  ['request', t('Your request')],
] as const;

/** The merchant's request, and the API's answer for this order; neither holds card data. */
export function Papers({ order }: Props) {
  return (
    <Panel title={t('Raw data')} padded>
      {PAPERS.map(([name, title]) => (
        <details key={name} className="fold">
          <summary>{title}</summary>
          <pre className="json" tabIndex={0} aria-label={title}>
            {JSON.stringify(order[name], null, 2)}
          </pre>
        </details>
      ))}
    </Panel>
  );
}
