// The parts of the figures: by currency, provider, scheme, reason, country, try and hour of the day.
import type { ReactNode } from 'react';
import type { Compared, Figures, Overview, Share } from '../../../../src/backoffice/wire/overview.ts';
import { countText, countryText, methodText, percentText, sentence } from '../../base/format.ts';
import { Link } from '../../base/router.tsx';
import { plural, t } from '../../base/texts.ts';
import { Panel } from '../../parts/page.tsx';
import { Money } from '../../parts/show.tsx';
import { OUTCOMES } from '../orders/filters.ts';
import { intervalText } from './key-figures.tsx';
import { ordersOf } from './outcomes.ts';
import { Interval } from './spark.tsx';

type Props = { readonly answer: Overview };

/** The start of the scale for rates: the multiple of a tenth below the lowest interval. */
function scaleOf(rows: readonly { readonly now: Figures }[]): number {
  const lows = rows.flatMap(({ now }) => (now.approval === null ? [] : [now.approval.low]));
  return Math.min(0.9, Math.floor(Math.min(0.9, ...lows) * 10) / 10);
}

function Rate({ share, from }: { readonly share: Share | null; readonly from: number }) {
  if (share === null) return <td className="right muted">–</td>;
  return (
    <td className="rate">
      <span className="num" title={intervalText(share)}>
        {percentText(share.share)}
      </span>
      <Interval share={share} from={from} />
      <span className="unseen">{intervalText(share)}</span>
    </td>
  );
}

function Before({ now, before }: { readonly now: number; readonly before: number | undefined }) {
  if (before === undefined) return null;
  const change = before === 0 ? '' : ` (${now >= before ? '+' : '−'}${percentText(Math.abs(now / before - 1))})`;
  return (
    <span className="muted small nowrap">
      {countText(before)}
      {change}
    </span>
  );
}

type HeadProps = {
  readonly first: string;
  readonly from: number;
  readonly compared: boolean;
  readonly children?: ReactNode;
};

function Head({ first, from, compared, children }: HeadProps) {
  return (
    <thead>
      <tr>
        <th scope="col">{first}</th>
        <th scope="col" className="right">
          {t('Payments')}
        </th>
        {compared ? (
          <th scope="col" className="right">
            {t('Before')}
          </th>
        ) : null}
        <th scope="col" className="rate">
          {t('Approval, {from} to 100%', { from: Math.round(from * 100) })}
        </th>
        {children}
      </tr>
    </thead>
  );
}

export function ByCurrency({ answer }: Props) {
  const { currencies } = answer;
  if (currencies.length === 0) return null;
  const from = scaleOf(currencies);
  const compared = answer.series_before !== null;
  return (
    <Panel title={t('By currency')} lead={t('Most used first; money is never added across currencies')}>
      <div className="table-wrap" tabIndex={0} role="region" aria-label={t('Payments by currency')}>
        <table className="table folds details">
          <Head first={t('Currency')} from={from} compared={compared}>
            <th scope="col" className="right">
              {t('Authorized volume')}
            </th>
          </Head>
          <tbody>
            {currencies.map(({ name, now, before }) => (
              <tr key={name}>
                <th scope="row">
                  <Link to={ordersOf(answer, { currency: name })}>{name}</Link>
                </th>
                <td className="right num">{countText(now.orders)}</td>
                {compared ? (
                  <td className="right num">
                    <Before now={now.orders} before={before?.orders} />
                  </td>
                ) : null}
                <Rate share={now.approval} from={from} />
                <td className="right num">
                  <Money minor={now.volume_minor ?? 0} currency={name} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Panel>
  );
}

type ByNameProps = Props & {
  readonly title: string;
  readonly rows: readonly Compared[];
  /** The filter of the list of orders for these names, if there is one. */
  readonly filter?: 'provider' | 'method';
};

const MOST_ROWS = 10;

function nameText(name: string, filter: ByNameProps['filter']): string {
  if (filter === 'method') return methodText(name);
  if (filter === 'provider') return sentence(name);
  return name === '' ? t('Not given') : countryText(name);
}

export function ByName({ answer, title, rows, filter }: ByNameProps) {
  const from = scaleOf(rows);
  const compared = answer.series_before !== null;
  return (
    <Panel
      title={title}
      {...(rows.length > MOST_ROWS
        ? { lead: t('The first {shown} of {count}', { shown: MOST_ROWS, count: rows.length }) }
        : {})}
    >
      {rows.length === 0 ? <p className="padded muted">{t('No payments in these days.')}</p> : null}
      {rows.length === 0 ? null : (
        <div className="table-wrap" tabIndex={0} role="region" aria-label={title}>
          <table className="table folds details">
            <Head first={t('Name')} from={from} compared={compared} />
            <tbody>
              {rows.slice(0, MOST_ROWS).map(({ name, now, before }) => (
                <tr key={name}>
                  <th scope="row">
                    {filter === undefined ? (
                      nameText(name, filter)
                    ) : (
                      <Link to={ordersOf(answer, { [filter]: name })}>{nameText(name, filter)}</Link>
                    )}
                  </th>
                  <td className="right num">{countText(now.orders)}</td>
                  {compared ? (
                    <td className="right num">
                      <Before now={now.orders} before={before?.orders} />
                    </td>
                  ) : null}
                  <Rate share={now.approval} from={from} />
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </Panel>
  );
}

export function Reasons({ answer }: Props) {
  const { reasons, now } = answer;
  const all = now.outcomes.declined;
  return (
    <Panel
      title={t('Declines by reason')}
      {...(reasons.length > MOST_ROWS
        ? { lead: t('The first {shown} of {count}', { shown: MOST_ROWS, count: reasons.length }) }
        : {})}
    >
      {all === 0 ? <p className="padded muted">{t('None in these days.')}</p> : null}
      <ol className="bars padded">
        {reasons.slice(0, MOST_ROWS).map(({ code, text, now: count, before }) => (
          <li key={code}>
            <div className="row apart">
              <span>
                <Link to={ordersOf(answer, { code, outcome: 'declined' })}>{text === '' ? code : sentence(text)}</Link>{' '}
                {text === '' ? null : <code className="muted">{code}</code>}
              </span>
              <span className="num nowrap">
                {countText(count)} <span className="unseen">{t('declined [several]')}</span>
                {before === null ? null : (
                  <span className="muted small">{`, ${t('before {orders}', { orders: countText(before) })}`}</span>
                )}
              </span>
            </div>
            <svg viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true">
              <rect width="100" height="4" className="ground" />
              <rect width={(100 * count) / Math.max(1, all)} height="4" className="value declined" />
            </svg>
          </li>
        ))}
      </ol>
    </Panel>
  );
}

/** The share approved at the first try, and what further tries added; each line includes the ones above it. */
export function Tries({ tries: { decided, first, fallback, again } }: { readonly tries: Overview['tries'] }) {
  const rows = [
    [t('At the first try'), first.share, t('{approved} approved', { approved: countText(first.approved) })],
    [
      t('With another provider'),
      fallback.share,
      t('{approved} of {orders} more', { approved: countText(fallback.approved), orders: countText(fallback.orders) }),
    ],
    [
      t('With another try of the payer'),
      again.share,
      t('{approved} of {orders} more', { approved: countText(again.approved), orders: countText(again.orders) }),
    ],
  ] as const;
  return (
    <Panel
      title={t('First try and after retries')}
      lead={t('Of {decided} payments that were decided', { decided: countText(decided) })}
    >
      <table className="table folds details">
        <thead>
          <tr>
            <th scope="col">{t('Approved')}</th>
            <th scope="col" className="rate">
              {t('Rate, 0 to 100%')}
            </th>
            <th scope="col" className="right">
              {t('Payments')}
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map(([name, share, text]) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <Rate share={share} from={0} />
              <td className="right num">{text}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Panel>
  );
}

export function DayHours({ answer: { day_hours } }: Props) {
  const top = Math.max(1, ...day_hours.map(({ orders }) => orders));
  return (
    <Panel
      title={t('By hour of the day')}
      lead={t('Payments of all these days, and how many of those decided were approved')}
    >
      <ol className="hours padded">
        {day_hours.map(({ orders, outcomes, approval }, hour) => (
          <li key={hour} title={`${hour}:00${told(orders, approval)}`}>
            <svg viewBox="0 0 10 100" preserveAspectRatio="none" aria-hidden="true">
              <HourBar outcomes={outcomes} top={top} />
            </svg>
            <span className={hour % 6 === 0 ? 'num' : 'num between'}>{hour}</span>
            <span className="unseen">{told(orders, approval)}</span>
          </li>
        ))}
      </ol>
    </Panel>
  );
}

const told = (orders: number, approval: Figures['approval']) =>
  approval === null
    ? plural(orders, ': {count} payment', ': {count} payments')
    : plural(orders, ': {count} payment, {share} approved', ': {count} payments, {share} approved', {
        share: percentText(approval.share),
      });

function HourBar({ outcomes, top }: { readonly outcomes: Figures['outcomes']; readonly top: number }) {
  let below = 0;
  return OUTCOMES.map(([key]) => {
    const height = (100 * outcomes[key]) / top;
    below += height;
    return height === 0 ? null : (
      <rect key={key} className={`value ${key}`} x="1" width="8" y={100 - below} height={height} />
    );
  });
}
