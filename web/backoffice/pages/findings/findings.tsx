// Reconciliation: differences between our books and a provider's, as florin reconcile found them. They stay until the
// books agree or a person has settled them.
import { SegmentedControl } from '@mantine/core';
import type { FindingRow } from '../../../../src/backoffice/wire/reports.ts';
import { useAsk, usePages } from '../../base/ask.ts';
import { sentence } from '../../base/format.ts';
import { rich } from '../../base/rich.ts';
import { Link, useQueryText } from '../../base/router.tsx';
import { useSession } from '../../base/session.tsx';
import { plural, t } from '../../base/texts.ts';
import { MoreRows } from '../../parts/more.tsx';
import { Empty, Failed, Notice, PageHead, Panel, Waiting } from '../../parts/page.tsx';
import { Id, Money, Tag, When } from '../../parts/show.tsx';
import { Table, right } from '../../parts/table.tsx';
import { Settle } from './settle.tsx';
import { BookText, kindText } from './words.tsx';

const SHOWN = [
  { value: 'open', label: t('Open [findings]') },
  { value: 'resolved', label: t('Resolved by a file') },
  { value: 'settled', label: t('Settled by a person') },
  { value: 'all', label: t('All [findings]') },
];

export function Findings() {
  const [query, change] = useQueryText();
  const show = query.get('show') ?? 'open';
  return (
    <>
      <PageHead
        title={t('Reconciliation')}
        lead={t(
          "Where your books and a provider's differ, as florin reconcile found it. A finding is resolved by a later file that agrees, or settled by a person who says what it is.",
        )}
      />
      <div className="stack">
        <Apart />
        <Panel>
          <div className="filters">
            <SegmentedControl
              aria-label={t('Which findings')}
              data={SHOWN}
              value={show}
              onChange={(value) => change({ show: value === 'open' ? '' : value })}
            />
          </div>
          <Rows show={show} />
        </Panel>
      </div>
    </>
  );
}

/** The difference of the books, by currency; nothing if they agree. */
function Apart() {
  const { data } = useAsk('overview', 'GET /needs', { every_ms: 60_000 });
  const sums = data?.findings ?? [];
  const count = sums.reduce((sum, one) => sum + one.count, 0);
  const oldest = sums.map(({ oldest_at }) => oldest_at).toSorted()[0];
  if (count === 0 || oldest === undefined) return null;
  return (
    <Notice tone="warn" title={plural(count, '{count} finding is open', '{count} findings are open')}>
      <p>
        {rich('The books are apart by {amounts}; the oldest was found {at}.', {
          amounts: sums.map(({ currency, amount_minor }, i) => (
            <span key={currency}>
              {i === 0 ? '' : ', '}
              <Money minor={amount_minor} currency={currency} />
            </span>
          )),
          at: <When at={oldest} />,
        })}
      </p>
    </Notice>
  );
}

const NONE: Readonly<Record<string, readonly [title: string, text: string]>> = {
  open: [t('No open findings'), t("What florin reconcile finds in a provider's file appears here.")],
  resolved: [t('None resolved yet'), t('A later file that agrees resolves a finding by itself.')],
  settled: [t('None settled yet'), ''],
  all: [t('No findings'), t("What florin reconcile finds in a provider's file appears here.")],
};

function Rows({ show }: { readonly show: string }) {
  const asked = usePages('findings', 'GET /findings', { query: { show }, every_ms: 60_000 });
  if (asked.isPending) return <Waiting rows={6} />;
  if (!asked.data) return <Failed error={asked.error} again={() => void asked.refetch()} />;
  const rows = asked.data.pages.flatMap(({ findings }) => findings);
  const [title, text] = NONE[show] ?? [t('No findings'), ''];
  if (rows.length === 0) return <Empty icon="check" title={title} text={text} />;
  return (
    <>
      <FindingTable rows={rows} />
      <MoreRows asked={asked} />
    </>
  );
}

function FindingTable({ rows }: { readonly rows: readonly FindingRow[] }) {
  const { may } = useSession();
  return (
    <Table columns={[t('Difference'), right(t('Apart by')), t('What each says'), t('Order'), t('State')]} lines>
      {rows.map((row) => (
        <tr key={row.id}>
          <td>
            <span className="strong">{kindText(row.kind)}</span>
            <div className="muted small">
              {sentence(row.what)} · {sentence(row.provider)}
            </div>
            <div className="muted small break">
              {rich('found {at} in {file}', { at: <When at={row.found_at} />, file: row.source })}
            </div>
          </td>
          <td className="right strong">
            <Money minor={row.amount_minor} currency={row.currency} />
          </td>
          <td className="second grow">
            <Says who={t('You')} text={row.ours} currency={row.currency} />
            <Says who={sentence(row.provider)} text={row.theirs} currency={row.currency} />
          </td>
          <OrderCell row={row} />
          <td className="third line">
            <div className="row apart">
              <div>
                <StateOf row={row} />
              </div>
              {may('rule') && row.state === 'open' ? <Settle row={row} /> : null}
            </div>
          </td>
        </tr>
      ))}
    </Table>
  );
}

function OrderCell({ row }: { readonly row: FindingRow }) {
  return (
    <td className="second">
      {row.order_merchant_id === null ? (
        <span className="muted">{t('No such order here')}</span>
      ) : (
        <Link to={`/orders/${row.order_id}`} className="clip">
          {row.order_merchant_id}
        </Link>
      )}
      <div className="muted small">
        <Id id={row.reference} />
      </div>
    </td>
  );
}

type SaysProps = { readonly who: string; readonly text: string; readonly currency: string };

function Says({ who, text, currency }: SaysProps) {
  return (
    <div>
      {rich('{who}: {says}', {
        who: <span className="muted">{who}</span>,
        says: <BookText text={text} currency={currency} />,
      })}
    </div>
  );
}

function StateOf({ row }: { readonly row: FindingRow }) {
  const settled =
    row.note === null ? null : (
      <div className="muted small">
        {rich('{who}: {note}', { who: <span className="strong">{row.by}</span>, note: row.note })}
      </div>
    );
  switch (row.state) {
    case 'resolved':
      return (
        <>
          <Tag tone="good">{t('Resolved [finding]')}</Tag>
          <div className="muted small break">
            {rich('by {file}, {at}', { file: row.resolved_by ?? '', at: <When at={row.ended_at ?? ''} /> })}
          </div>
          {settled}
        </>
      );
    case 'settled':
      return (
        <>
          <Tag>{t('Settled')}</Tag>
          {settled}
        </>
      );
    case 'open':
      return (
        <>
          <Tag tone="warn">{row.note === null ? t('Open') : t('Open again [finding]')}</Tag>
          {row.became === '' ? null : (
            <div className="muted small" lang="en">
              {row.became}
            </div>
          )}
          {settled}
        </>
      );
  }
}
