// Reports: those that can be downloaded, those that are made regularly, and a form for a new one.
import { Button } from '@mantine/core';
import { useState } from 'react';
import type { Report, ReportRun, Reports } from '../../../../src/backoffice/wire/reports.ts';
import { api } from '../../base/api.ts';
import { useAsk } from '../../base/ask.ts';
import { download } from '../../base/download.ts';
import { countText, sentence, sizeText } from '../../base/format.ts';
import { useNew } from '../../base/router.tsx';
import { t } from '../../base/texts.ts';
import { AskFirst, useAct } from '../../parts/act.tsx';
import { Icon } from '../../parts/icons.tsx';
import { Asked, Empty, PageHead, Panel } from '../../parts/page.tsx';
import { Tag, type Tone, When } from '../../parts/show.tsx';
import { Table, right } from '../../parts/table.tsx';
import { NewReport } from './new-report.tsx';

const SOON_MS = 3000;
const LATER_MS = 60_000;

export function ReportsPage() {
  const [making, make] = useNew();
  const [soon, hurry] = useState(false);
  const asked = useAsk('reports', 'GET /reports', { every_ms: soon ? SOON_MS : LATER_MS });
  const waits = asked.data?.runs.some(({ state }) => state === 'waiting') ?? false;
  if (waits !== soon) hurry(waits);
  return (
    <>
      <PageHead
        title={t('Reports')}
        lead={t('Files of orders, captures, refunds, disputes and bookings, made once or by a schedule.')}
        actions={
          <Button leftSection={<Icon name="plus" size={16} />} onClick={() => make(true)}>
            {t('New report')}
          </Button>
        }
      />
      <Asked asked={asked}>
        {(reports) => (
          <div className="stack">
            <Made reports={reports} />
            <Coming reports={reports.reports} />
          </div>
        )}
      </Asked>
      {making ? <NewReport close={() => make(false)} /> : null}
    </>
  );
}

const STATES: Readonly<Record<ReportRun['state'], readonly [Tone, string]>> = {
  waiting: ['info', t('Being made')],
  done: ['good', t('Ready')],
  failed: ['bad', t('Failed')],
  gone: ['plain', t('No longer kept')],
};
const FORMATS = { csv: 'CSV', jsonl: t('JSON lines'), xlsx: t('Excel') } as const;

function Made({ reports: { runs, most_rows, kept_days, kept_bytes, most_kept_bytes } }: { readonly reports: Reports }) {
  const [dropping, drop] = useState<ReportRun>();
  const remove = useAct<ReportRun>({
    run: ({ id }) => api('DELETE /reports/:id/file', { params: { id } }),
    said: t('Report deleted'),
    stale: ['reports'],
  });
  return (
    <Panel
      title={t('Made')}
      lead={t(
        "Kept {days} days, {used} of {most} in use. A report has at most {rows} rows. In the column fee_estimated is what a payment costs by the fees that you stated (Providers, Fees); in fee_settled what the provider's own report says that it took. Empty: not known.",
        {
          days: kept_days,
          used: sizeText(kept_bytes),
          most: sizeText(most_kept_bytes),
          rows: countText(most_rows),
        },
      )}
    >
      {runs.length === 0 ? (
        <Empty
          icon="audit"
          title={t('No reports yet')}
          text={t('A new one is made in the background; you need not wait for it.')}
        />
      ) : (
        <Table
          columns={[
            t('Report'),
            t('State'),
            t('From, to'),
            right(t('Rows')),
            t('Asked for'),
            right(t('Download or delete')),
          ]}
        >
          {runs.map((run) => (
            <RunLine key={run.id} run={run} drop={() => drop(run)} />
          ))}
        </Table>
      )}
      {dropping ? (
        <AskFirst
          title={t('Delete {name}', { name: dropping.name })}
          yes={t('Delete')}
          danger
          run={() => remove.mutateAsync(dropping)}
          close={() => drop(undefined)}
        >
          <p>{t('The file is gone at once. That it was made stays in this list.')}</p>
        </AskFirst>
      ) : null}
    </Panel>
  );
}

function RunLine({ run, drop }: { readonly run: ReportRun; readonly drop: () => void }) {
  const { id, name, kind, format, state, rows, size, note, zone, from_local, to_local, created_at } = run;
  const [tone, word] = STATES[state];
  return (
    <tr>
      <td>
        <span className="strong">{name}</span>{' '}
        <span className="muted nowrap">{`${sentence(kind)}, ${FORMATS[format]}`}</span>
      </td>
      <td>
        <Tag tone={tone}>{word}</Tag> {note === '' ? null : <span className="small">{note}</span>}
      </td>
      <td className="num">
        {t('{from_local} to {to_local}', { from_local: from_local.slice(0, 10), to_local: lastDay(to_local) })}{' '}
        <span className="muted small">{zone}</span>
      </td>
      <td className="right num">{state === 'done' ? countText(rows) : ''}</td>
      <td>
        <When at={created_at} />
      </td>
      <td className="right">
        {state === 'done' ? (
          <div className="row end nowrap">
            <Button
              size="xs"
              variant="default"
              aria-label={t('Download {name}, {size}', { name, size: sizeText(size) })}
              onClick={() => void download(`/reports/${id}/file`, `${kind}-${from_local.slice(0, 10)}.${format}`)}
            >
              {t('Download')}
            </Button>
            <Button size="xs" variant="default" aria-label={t('Delete {name}', { name })} onClick={drop}>
              {t('Delete')}
            </Button>
          </div>
        ) : null}
      </td>
    </tr>
  );
}

/** `to_local` is the first moment after the last day. */
function lastDay(to_local: string): string {
  const day = new Date(`${to_local.slice(0, 10)}T00:00:00Z`);
  day.setUTCDate(day.getUTCDate() - 1);
  return day.toISOString().slice(0, 10);
}

function Coming({ reports }: { readonly reports: readonly Report[] }) {
  const [ending, end] = useState<Report>();
  const remove = useAct<Report>({
    run: ({ id }) => api('DELETE /reports/:id', { params: { id } }),
    said: t('Schedule removed'),
    stale: ['reports'],
  });
  return (
    <Panel title={t('Scheduled')} lead={t('Each is made an hour after its day, week or month has ended.')}>
      {reports.length === 0 ? (
        <Empty
          icon="clock"
          title={t('Nothing is scheduled')}
          text={t('Choose daily, weekly or monthly for a new report.')}
        />
      ) : (
        <Table columns={[t('Report'), t('Every'), t('Next'), t('By'), right(t('Remove'))]}>
          {reports.map((report) => (
            <tr key={report.id}>
              <td>
                <span className="strong">{report.name}</span>{' '}
                <span className="muted nowrap">{`${sentence(report.kind)}, ${FORMATS[report.format]}`}</span>
              </td>
              <td>
                {sentence(report.every)} <span className="muted small">{report.zone}</span>
              </td>
              <td>
                <When at={report.next_at} />
              </td>
              <td className="muted">{report.created_by}</td>
              <td className="right">
                <Button
                  size="xs"
                  variant="default"
                  aria-label={t('Remove {name}', { name: report.name })}
                  onClick={() => end(report)}
                >
                  {t('Remove')}
                </Button>
              </td>
            </tr>
          ))}
        </Table>
      )}
      {ending ? (
        <AskFirst
          title={t('Remove {name}', { name: ending.name })}
          yes={t('Remove')}
          danger
          run={() => remove.mutateAsync(ending)}
          close={() => end(undefined)}
        >
          <p>{t('No more of them are made. What was made stays until its days are over.')}</p>
        </AskFirst>
      ) : null}
    </Panel>
  );
}
