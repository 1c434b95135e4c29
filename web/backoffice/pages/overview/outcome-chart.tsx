// Payments by day (for one day by hour): by their outcome, or the volume of one currency.
import { ActionIcon, Menu, SegmentedControl } from '@mantine/core';
import { useRef, useState } from 'react';
import type { Figures, Overview } from '../../../../src/backoffice/wire/overview.ts';
import { countText, hourText, moneyText, percentText, shortDayText, utcText, zoneName } from '../../base/format.ts';
import { Link, go } from '../../base/router.tsx';
import { plural, t } from '../../base/texts.ts';
import { Icon } from '../../parts/icons.tsx';
import { Panel } from '../../parts/page.tsx';
import { Said } from '../../parts/show.tsx';
import { OUTCOMES } from '../orders/filters.ts';
import { type Bar, Chart } from './chart.tsx';
import { saveCsv, savePicture } from './take-out.ts';
import { ordersOf } from './outcomes.ts';

type Props = { readonly answer: Overview };
type Measure = 'orders' | 'volume';

export function OutcomeChart({ answer }: Props) {
  const { currency, series, step } = answer;
  const [wanted, setWanted] = useState<Measure>('orders');
  const measure = currency === null ? 'orders' : wanted;
  const drawing = useRef<SVGSVGElement>(null);
  const title =
    measure === 'orders'
      ? t('Payments by outcome')
      : t('Authorized volume in {currency}', { currency: currency ?? '' });
  const bars = series.map((_, n) => barOf(answer, n, measure));
  const name = `florin-overview-${answer.from}-${answer.to}${currency === null ? '' : `-${currency}`}`;
  const open = (bar: number, outcome?: string) => {
    const [part] = OUTCOMES.find(([key]) => key === outcome) ?? [];
    go(ordersOf(answer, part === undefined ? {} : { outcome: part }, bar));
  };
  return (
    <Panel
      title={title}
      lead={step === 'hour' ? t('By hour, {zone}', { zone: zoneName() }) : t('By day, {zone}', { zone: zoneName() })}
      actions={
        <div className="row">
          {currency === null ? null : (
            <SegmentedControl
              aria-label={t('What the chart shows')}
              size="xs"
              data={[
                { value: 'orders', label: t('Payments') },
                { value: 'volume', label: t('Volume') },
              ]}
              value={measure}
              onChange={(value) => setWanted(value === 'volume' ? 'volume' : 'orders')}
            />
          )}
          <TakeOut
            picture={() =>
              savePicture(
                drawing.current,
                t('{title}, {from} to {to}', { title, from: answer.from, to: answer.to }),
                `${name}.png`,
              )
            }
            csv={() => saveCsv(answer, `${name}.csv`)}
          />
        </div>
      }
      padded
    >
      <Legend answer={answer} measure={measure} />
      <Chart
        ref={drawing}
        title={title}
        bars={bars}
        before={answer.series_before?.map((one) => valueOf(one, measure))}
        text={(value) => (measure === 'volume' ? moneyText(Math.round(value), currency ?? '') : countText(value))}
        step={step}
        open={open}
      />
      <AsTable answer={answer} />
    </Panel>
  );
}

const valueOf = ({ orders, volume_minor }: Figures, measure: Measure) =>
  measure === 'orders' ? orders : Number(volume_minor ?? 0);

function barOf({ series, series_before, step, currency }: Overview, n: number, measure: Measure): Bar {
  const one = series[n];
  if (!one) throw new Error('a bar is of the series');
  const begins = new Date(one.begins);
  const label = step === 'hour' ? hourText(begins) : shortDayText(one.begins);
  const utc = step === 'hour' ? ` (${utcText(one.begins).slice(11, 16)} UTC)` : '';
  const before = series_before?.[n];
  const facts = [
    plural(one.orders, '{count} payment', '{count} payments'),
    ...(one.approval === null ? [] : [t('{share} approved', { share: percentText(one.approval.share) })]),
    ...(one.volume_minor === null ? [] : [`${moneyText(one.volume_minor, currency ?? '')} ${currency ?? ''}`]),
  ];
  const parts = OUTCOMES.filter(([key]) => one.outcomes[key] > 0).map(
    ([key, word]) => `${countText(one.outcomes[key])} ${word.toLowerCase()}`,
  );
  return {
    label,
    text: [
      `${label}${utc}: ${facts.join(', ')}`,
      ...(parts.length > 0 ? [parts.join(', ')] : []),
      ...(before ? [t('before {orders}', { orders: countText(before.orders) })] : []),
    ].join(' · '),
    parts:
      measure === 'orders'
        ? OUTCOMES.map(([key]) => ({ name: key, value: one.outcomes[key] }))
        : [{ name: 'captured', value: Number(one.volume_minor ?? 0) }],
  };
}

type LegendProps = Props & { readonly measure: Measure };

function Legend({ answer, measure }: LegendProps) {
  return (
    <ul className="legend">
      {measure === 'volume'
        ? null
        : OUTCOMES.filter(([key]) => answer.now.outcomes[key] > 0).map(([key, word]) => (
            <li key={key}>
              <i className={`swatch ${key}`} />
              <Link to={ordersOf(answer, { outcome: key })}>{word}</Link>{' '}
              <b className="num">{countText(answer.now.outcomes[key])}</b>
            </li>
          ))}
      {answer.series_before === null ? null : (
        <li>
          <i className="then" /> {t('Before')}
        </li>
      )}
    </ul>
  );
}

type TakeOutProps = { readonly picture: () => void; readonly csv: () => void };

function TakeOut({ picture, csv }: TakeOutProps) {
  return (
    <Menu width={200} position="bottom-end">
      <Menu.Target>
        <ActionIcon variant="default" size="lg" aria-label={t('Export the chart')}>
          <Icon name="download" />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={picture}>{t('Picture (PNG)')}</Menu.Item>
        <Menu.Item onClick={csv}>{t('Table (CSV)')}</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

function AsTable({ answer: { series, step } }: Props) {
  return (
    <details className="fold">
      <summary>{t('Show as a table')}</summary>
      <div className="table-wrap" tabIndex={0} role="region" aria-label={t('The chart as a table')}>
        <table className="table folds">
          <thead>
            <tr>
              <th scope="col">{step === 'hour' ? t('Hour') : t('Day')}</th>
              <th scope="col" className="right">
                {t('Payments')}
              </th>
              {OUTCOMES.map(([key, word]) => (
                <th key={key} scope="col" className="right second">
                  {word}
                </th>
              ))}
              <th scope="col" className="right">
                {t('Approval')}
              </th>
            </tr>
          </thead>
          <tbody>
            {series.map((one) => (
              <tr key={one.begins}>
                <th scope="row">{step === 'hour' ? hourText(new Date(one.begins)) : shortDayText(one.begins)}</th>
                <td className="right num">{countText(one.orders)}</td>
                {OUTCOMES.map(([key, word]) => (
                  <td key={key} className={`right num second ${one.outcomes[key] === 0 ? 'none' : ''}`}>
                    <Said word={word} />
                    {countText(one.outcomes[key])}
                  </td>
                ))}
                <td className="right num">{one.approval === null ? '–' : percentText(one.approval.share)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </details>
  );
}
