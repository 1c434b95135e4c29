// The main figures, each with its uncertainty and its earlier value.
import type { ReactNode } from 'react';
import type { Overview, Rated, Share } from '../../../../src/backoffice/wire/overview.ts';
import { countText, percentText, smallPercentText } from '../../base/format.ts';
import { plural, t } from '../../base/texts.ts';
import { Money } from '../../parts/show.tsx';
import { Spark } from './spark.tsx';

type Props = { readonly answer: Overview };

export function KeyFigures({ answer }: Props) {
  const { now, earlier, series, currency } = answer;
  return (
    <section className="tiles figures" aria-label={t('Key figures')}>
      <Figure
        title={t('Payments')}
        change={earlier && partOf(now.orders, earlier.orders)}
        note={earlier ? t('{orders} before', { orders: countText(earlier.orders) }) : undefined}
        drawn={<Spark label={t('Payments over the days')} values={series.map(({ orders }) => orders)} />}
      >
        {countText(now.orders)}
      </Figure>
      <Figure
        title={t('Approval rate')}
        change={pointsOf(now.approval, earlier?.approval ?? null)}
        note={intervalText(now.approval)}
        drawn={
          <Spark
            label={t('Approval rate over the days, with its interval')}
            shares={series.map(({ approval }) => approval)}
          />
        }
      >
        {now.approval === null ? '–' : percentText(now.approval.share)}
      </Figure>
      {currency === null || now.volume_minor === null ? null : (
        <Figure
          title={t('Authorized volume')}
          change={earlier && partOf(Number(now.volume_minor), Number(earlier.volume_minor ?? 0))}
          drawn={
            <Spark
              label={t('Authorized volume over the days')}
              values={series.map((one) => Number(one.volume_minor ?? 0))}
            />
          }
        >
          <Money minor={now.volume_minor} currency={currency} />
        </Figure>
      )}
      <RatedFigure title={t('Refunded orders')} {...answer.refunded} />
      <RatedFigure title={t('Disputed orders')} {...answer.disputed} />
    </section>
  );
}

type Change = { readonly text: string; readonly way: 'up' | 'down' | 'same' };

const wayOf = (change: number) => (change > 0 ? 'up' : change < 0 ? 'down' : 'same');
const signed = (change: number, text: string) => (change > 0 ? `+${text}` : text.replace('-', '−'));

function partOf(now: number, before: number): Change | null {
  if (before === 0) return null;
  const change = now / before - 1;
  return { text: signed(change, percentText(change)), way: wayOf(change) };
}

function pointsOf(now: Share | null, before: Share | null): Change | null {
  if (now === null || before === null) return null;
  const change = Math.round((now.share - before.share) * 1000) / 10;
  return {
    text: change === 0 ? t('no change') : t('{change} points', { change: signed(change, String(change)) }),
    way: wayOf(change),
  };
}

/** The interval of the true share; undefined without a share. */
export function intervalText(share: Share | null, text: (part: number) => string = percentText): string | undefined {
  return share === null
    ? undefined
    : t('95% interval {low} to {high}', { low: text(share.low), high: text(share.high) });
}

type RatedProps = { readonly title: string; readonly now: Rated; readonly earlier: Rated | null };

/** A share that is better if it is lower. */
function RatedFigure({ title, now, earlier }: RatedProps) {
  const change = pointsOf(now.share, earlier?.share ?? null);
  return (
    <Figure
      title={title}
      change={change && { ...change, way: change.way === 'up' ? 'down' : change.way === 'down' ? 'up' : 'same' }}
      note={[
        plural(now.orders, '{count} order', '{count} orders'),
        ...(now.share === null
          ? []
          : [t('{low} to {high}', { low: smallPercentText(now.share.low), high: smallPercentText(now.share.high) })]),
      ].join(', ')}
    >
      {now.share === null ? '–' : smallPercentText(now.share.share)}
    </Figure>
  );
}

type FigureProps = {
  readonly title: string;
  readonly change: Change | null;
  readonly note?: string | undefined;
  readonly drawn?: ReactNode;
  readonly children: ReactNode;
};

function Figure({ title, change, note, drawn, children }: FigureProps) {
  return (
    <article className="tile">
      <h2 className="tile-name">{title}</h2>
      <div className="tile-value">{children}</div>
      <div className={`delta ${change?.way ?? ''}`}>
        {change?.text ?? <span className="muted">{t('nothing before')}</span>}
      </div>
      {note === undefined ? null : <div className="tile-text">{note}</div>}
      {drawn}
    </article>
  );
}
