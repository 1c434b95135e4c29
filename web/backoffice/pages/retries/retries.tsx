// Later tries of declined payments: the money they recovered, the planned ones, and the ended ones with their reason.
import { OLD_DAYS } from '../../../../src/core/retries/day.ts';
import type { Retries, RetryRow, RetrySum } from '../../../../src/backoffice/wire/retries.ts';
import { useAsk } from '../../base/ask.ts';
import { dayText, methodText } from '../../base/format.ts';
import { Link } from '../../base/router.tsx';
import { plural, said, t } from '../../base/texts.ts';
import { useSession } from '../../base/session.tsx';
import { Asked, Empty, Notice, PageHead, Panel } from '../../parts/page.tsx';
import { Money, Tag, When } from '../../parts/show.tsx';
import { Table, right, unseen } from '../../parts/table.tsx';
import { Stop } from './stop.tsx';
import { causeText, triesText } from './words.ts';

export function RetriesPage() {
  const asked = useAsk('retries', 'GET /retries', { every_ms: 30_000 });
  return (
    <>
      <PageHead
        title={t('Retries')}
        lead={t('Declined payments without the payer that are tried again later, where their request asked for it.')}
      />
      <Asked asked={asked}>{(retries) => <Everything retries={retries} />}</Asked>
    </>
  );
}

function Everything({ retries }: { readonly retries: Retries }) {
  const { planned, ended, days, sums, caps } = retries;
  return (
    <div className="stack">
      {caps.old ? (
        <Notice tone="warn" title={t('The limits of card schemes are old')}>
          <p>
            {t(
              'They are kept as they were on {day}, more than {old_days} days ago. The operator of Florin takes a newer release, or loads a newer table.',
              { day: dayText(caps.as_of), old_days: OLD_DAYS },
            )}
          </p>
        </Notice>
      ) : null}
      <section className="tiles" aria-label={t('Money')}>
        <Sum title={t('Recovered in {days} days', { days })} rows={sums.recovered} none={t('Nothing yet')} />
        <Sum title={t('Still to be tried')} rows={sums.planned} none={t('Nothing is planned')} />
        <Sum title={t('Not recovered in {days} days', { days })} rows={sums.not_recovered} none={t('Nothing')} />
      </section>
      <Panel title={t('Planned')} lead={t('The next one first. The payer gets no message of a try.')}>
        {planned.length === 0 ? (
          <Empty
            icon="clock"
            title={t('Nothing is planned')}
            text={t(
              'A declined renewal with retry_policy default appears here, unless nothing can come of another try.',
            )}
          />
        ) : (
          <Planned rows={planned} />
        )}
        {retries.more_planned ? (
          <p className="padded muted">{t('Only the first 100 are shown; the sums are of all.')}</p>
        ) : null}
      </Panel>
      <Panel title={t('Ended')} lead={t('In the last {days} days, the last one first.', { days })}>
        {ended.length === 0 ? <Empty icon="check" title={t('None has ended')} text="" /> : <Ended rows={ended} />}
        {retries.more_ended ? (
          <p className="padded muted">{t('Only the last 100 are shown; the sums are of all.')}</p>
        ) : null}
      </Panel>
      {sums.by_reason.length === 0 ? null : (
        <Panel title={t('Why they ended')} padded>
          <ul className="lines">
            {sums.by_reason.map(({ ending, text, count }) => (
              <li key={ending} className="row apart">
                <span>{said(text)}</span>
                <span className="num strong">{count}</span>
              </li>
            ))}
          </ul>
        </Panel>
      )}
    </div>
  );
}

type SumProps = { readonly title: string; readonly rows: readonly RetrySum[]; readonly none: string };

/** One sum for each currency, never added up. */
function Sum({ title, rows, none }: SumProps) {
  return (
    <div className="tile">
      <span className="tile-name">{title}</span>
      {rows.length === 0 ? <span className="tile-value">{none}</span> : null}
      {rows.map(({ currency, amount_minor, count }) => (
        <div key={currency}>
          <span className="tile-value">
            <Money minor={amount_minor} currency={currency} />
          </span>
          <div className="tile-text">{plural(count, '{count} payment', '{count} payments')}</div>
        </div>
      ))}
    </div>
  );
}

function OrderCell({ row }: { readonly row: RetryRow }) {
  return (
    <td>
      <Link to={`/orders/${row.order_id}`} className="strong">
        {row.reference}
      </Link>
      <div className="muted small nowrap">
        {methodText(row.scheme)} ···· {row.last4}
      </div>
    </td>
  );
}

function Planned({ rows }: { readonly rows: readonly RetryRow[] }) {
  const { may } = useSession();
  return (
    <Table
      columns={[t('Order'), right(t('Amount')), t('Next try'), t('Why'), t('Made'), may('money') && unseen(t('Stop'))]}
    >
      {rows.map((row) => (
        <tr key={row.order_id}>
          <OrderCell row={row} />
          <td className="right">
            <Money minor={row.amount_minor} currency={row.currency} />
          </td>
          <td>{row.next_at === null ? <Tag tone="accent">{t('Under way')}</Tag> : <When at={row.next_at} />}</td>
          <td>{causeText(row.cause)}</td>
          <td className="num">{t('{made} of {tries}', { made: row.tries, tries: triesText(row.most) })}</td>
          {may('money') ? (
            <td className="right">
              {row.state === 'waiting' ? <Stop order_id={row.order_id} reference={row.reference} /> : null}
            </td>
          ) : null}
        </tr>
      ))}
    </Table>
  );
}

function Ended({ rows }: { readonly rows: readonly RetryRow[] }) {
  return (
    <Table columns={[t('Order'), right(t('Amount')), t('Result'), t('Why'), t('Tries'), t('Ended')]}>
      {rows.map((row) => (
        <tr key={row.order_id}>
          <OrderCell row={row} />
          <td className="right">
            <Money minor={row.amount_minor} currency={row.currency} />
          </td>
          <td>
            {row.ending === 'approved' ? <Tag tone="good">{t('Recovered')}</Tag> : <Tag>{t('Not recovered')}</Tag>}
          </td>
          <td>{said(row.ending_text ?? '')}</td>
          <td className="num nowrap">{triesText(row.tries)}</td>
          <td>
            <When at={row.ended_at ?? ''} />
          </td>
        </tr>
      ))}
    </Table>
  );
}
