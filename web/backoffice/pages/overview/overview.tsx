// The first page: what needs a person, then figures with their uncertainty, then their parts. Every number leads to its
// orders.
import { lazy } from 'react';
import type { Overview as Answer, OverviewFilters } from '../../../../src/backoffice/wire/overview.ts';
import { useAsk } from '../../base/ask.ts';
import { dayText, daysText, zoneName } from '../../base/format.ts';
import { useQueryText } from '../../base/router.tsx';
import { t } from '../../base/texts.ts';
import { Asked, Notice, PageHead } from '../../parts/page.tsx';
import { ByCurrency, ByName, DayHours, Reasons, Tries } from './details.tsx';
import { KeyFigures } from './key-figures.tsx';
import { NeedsYou } from './needs.tsx';
import { OutcomeChart } from './outcome-chart.tsx';
import { type Choice, Tools, choiceOf } from './tools.tsx';

/** Loaded only for accounts without an order. */
const FirstOrders = lazy(async () => ({ default: (await import('./first-orders.tsx')).FirstOrders }));

export function Overview() {
  const [query, change] = useQueryText();
  const choice = choiceOf(query);
  const asked = useAsk('overview', 'GET /overview', { every_ms: 30_000, query: wireQuery(choice) });
  return (
    <>
      <PageHead
        title={t('Overview')}
        lead={asked.data ? `${daysText(asked.data.from, asked.data.to)}, ${zoneName()}` : zoneName()}
      />
      {asked.data?.empty ? null : (
        <Tools choice={choice} change={change} currencies={asked.data?.currencies.map(({ name }) => name) ?? []} />
      )}
      <Asked asked={asked} rows={14}>
        {(answer) => (answer.empty ? <FirstOrders /> : <Figures answer={answer} />)}
      </Asked>
    </>
  );
}

function wireQuery({ range, from, to, currency, compare }: Choice): OverviewFilters {
  const days = range === 'own' ? { from, to } : { days: range };
  return { ...days, zone: zoneName(), compare, ...(currency === '' ? {} : { currency }) };
}

function Figures({ answer }: { readonly answer: Answer }) {
  return (
    <div className="stack">
      <NeedsYou />
      {answer.counted_from === null ? null : (
        <Notice title={t('Earlier orders are still being counted')}>
          {t('After an upgrade the figures of orders made before {counted_from} come in the background.', {
            counted_from: dayText(answer.counted_from),
          })}
        </Notice>
      )}
      <KeyFigures answer={answer} />
      <OutcomeChart answer={answer} />
      <ByCurrency answer={answer} />
      <div className="halves">
        <div className="stack">
          <ByName answer={answer} title={t('By provider')} rows={answer.providers} filter="provider" />
          <Reasons answer={answer} />
          <Tries tries={answer.tries} />
        </div>
        <div className="stack">
          <ByName answer={answer} title={t('By scheme')} rows={answer.schemes} filter="method" />
          <ByName answer={answer} title={t('By country of the payer')} rows={answer.countries} />
        </div>
      </div>
      <DayHours answer={answer} />
      <p className="muted small">
        {t(
          'Intervals are at 95% (Wilson): with so many payments, the true rate lies between the two values with 95% certainty. A change inside the interval may be chance. Money is never added across currencies.',
        )}
      </p>
    </div>
  );
}
