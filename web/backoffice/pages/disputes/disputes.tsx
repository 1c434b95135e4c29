// Disputes: those that need an answer come first, ordered by the day it is due.
import { SegmentedControl } from '@mantine/core';
import type { DisputeRow } from '../../../../src/backoffice/wire/disputes.ts';
import { useAsk, usePages } from '../../base/ask.ts';
import { rich } from '../../base/rich.ts';
import { Link, go, useQueryText } from '../../base/router.tsx';
import { plural, said, t } from '../../base/texts.ts';
import { MoreRows } from '../../parts/more.tsx';
import { Empty, Failed, Notice, PageHead, Panel, Waiting } from '../../parts/page.tsx';
import { Money, When } from '../../parts/show.tsx';
import { Table, right } from '../../parts/table.tsx';
import { Due, Stage } from './words.tsx';

const SHOWN = [
  { value: 'needs_answer', label: t('Need an answer') },
  { value: 'open', label: t('Open [disputes]') },
  { value: 'won', label: t('Won') },
  { value: 'lost', label: t('Lost') },
  { value: 'all', label: t('All [disputes]') },
];

export function Disputes() {
  const [query, change] = useQueryText();
  const show = query.get('show') ?? 'needs_answer';
  return (
    <>
      <PageHead
        title={t('Disputes')}
        lead={t(
          "Payments that a payer's bank took back. Who answers in time, with the right evidence, can have them back.",
        )}
      />
      <div className="stack">
        <AtStake />
        <Panel>
          <div className="filters">
            <SegmentedControl
              aria-label={t('Which disputes')}
              data={SHOWN}
              value={show}
              onChange={(value) => change({ show: value === 'needs_answer' ? '' : value })}
            />
          </div>
          <Rows show={show} />
        </Panel>
      </div>
    </>
  );
}

/** The disputes that wait for an answer, in a sentence; nothing if there are none. */
function AtStake() {
  const { data } = useAsk('disputes', 'GET /disputes/due', { every_ms: 60_000 });
  const due = data?.due ?? [];
  const count = due.reduce((sum, one) => sum + one.count, 0);
  const first = due.map(({ next_due_at }) => next_due_at).toSorted()[0];
  if (count === 0) return null;
  return (
    <Notice tone="warn" title={plural(count, '{count} dispute needs an answer', '{count} disputes need an answer')}>
      <p>
        {rich('{amounts} at stake; the first is due {at}.', {
          amounts: due.map(({ currency, amount_minor }, i) => (
            <span key={currency}>
              {i === 0 ? '' : ', '}
              <Money minor={amount_minor} currency={currency} />
            </span>
          )),
          at: <When at={first} />,
        })}
      </p>
    </Notice>
  );
}

const NONE: Readonly<Record<string, readonly [title: string, text: string]>> = {
  needs_answer: [t('Nothing needs an answer'), t('A dispute appears here as soon as a provider reports it.')],
  open: [t('No open disputes'), t('Those that banks have decided are under Won and Lost.')],
  won: [t('None won yet'), t('What usually wins stands on the page of each dispute.')],
  lost: [t('None lost'), ''],
  all: [t('No disputes'), t('No payer has taken a payment back.')],
};

function Rows({ show }: { readonly show: string }) {
  const asked = usePages('disputes', 'GET /disputes', { query: { show }, every_ms: 60_000 });
  if (asked.isPending) return <Waiting rows={6} />;
  if (!asked.data) return <Failed error={asked.error} again={() => void asked.refetch()} />;
  const rows = asked.data.pages.flatMap(({ disputes }) => disputes);
  const [title, text] = NONE[show] ?? [t('No disputes'), ''];
  if (rows.length === 0) return <Empty icon="check" title={title} text={text} />;
  return (
    <>
      <DisputeTable rows={rows} />
      <MoreRows asked={asked} />
    </>
  );
}

function DisputeTable({ rows }: { readonly rows: readonly DisputeRow[] }) {
  return (
    <Table columns={[right(t('Amount')), t('State'), t('Reason'), t('Answer due'), t('Order'), t('Opened')]}>
      {rows.map((row) => (
        <tr key={row.id} className="opens" onClick={() => go(`/disputes/${row.id}`)}>
          <td className="right strong">
            <Money minor={row.amount_minor} currency={row.currency} />
          </td>
          <td>
            <Stage stage={row.stage} />
          </td>
          <td>
            <Link to={`/disputes/${row.id}`} className="cover strong">
              {said(row.title)}
            </Link>{' '}
            <span className="muted">{row.reason_code}</span>
          </td>
          <td>
            <Due of={row} />
          </td>
          <td>
            <div className="clip mono" title={row.order_merchant_id}>
              {row.order_merchant_id}
            </div>
          </td>
          <td>
            <When at={row.opened_at} />
          </td>
        </tr>
      ))}
    </Table>
  );
}
