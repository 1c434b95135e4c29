// Reports: what was made and can be downloaded, what comes by itself, and a form for a new one.
import { Button } from '@mantine/core';
import { useState } from 'react';
import type { Report, ReportRun, Reports } from '../../../../src/backoffice/wire/reports.ts';
import { api } from '../../base/api.ts';
import { useAsk } from '../../base/ask.ts';
import { download } from '../../base/download.ts';
import { countText, sentence, sizeText } from '../../base/format.ts';
import { AskFirst, useAct } from '../../parts/act.tsx';
import { Icon } from '../../parts/icons.tsx';
import { Asked, Empty, PageHead, Panel } from '../../parts/page.tsx';
import { Tag, type Tone, When } from '../../parts/show.tsx';
import { NewReport } from './new-report.tsx';

const SOON_MS = 3000;
const LATER_MS = 60_000;

export function ReportsPage() {
  const [making, make] = useState(false);
  const [soon, hurry] = useState(false);
  const asked = useAsk('reports', 'GET /reports', { every_ms: soon ? SOON_MS : LATER_MS });
  const waits = asked.data?.runs.some(({ state }) => state === 'waiting') ?? false;
  if (waits !== soon) hurry(waits);
  return (
    <>
      <PageHead
        title="Reports"
        lead="Files of orders, captures, refunds and disputes, made once or by a schedule."
        actions={
          <Button leftSection={<Icon name="plus" size={16} />} onClick={() => make(true)}>
            New report
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
  waiting: ['info', 'Being made'],
  done: ['good', 'Ready'],
  failed: ['bad', 'Failed'],
  gone: ['plain', 'No longer kept'],
};
const FORMATS = { csv: 'CSV', jsonl: 'JSON lines', xlsx: 'Excel' } as const;

function Made({ reports: { runs, most_rows, kept_days, kept_bytes, most_kept_bytes } }: { readonly reports: Reports }) {
  const [dropping, drop] = useState<ReportRun>();
  const remove = useAct<ReportRun>({
    run: ({ id }) => api('DELETE /reports/:id/file', { params: { id } }),
    said: 'Report deleted',
    stale: ['reports'],
  });
  return (
    <Panel
      title="Made"
      lead={`Kept ${kept_days} days, ${sizeText(kept_bytes)} of ${sizeText(most_kept_bytes)} in use. A report has at most ${countText(most_rows)} rows. Fees are in none yet: providers' settlement files are not read in here.`}
    >
      {runs.length === 0 ? (
        <Empty
          icon="audit"
          title="No reports yet"
          text="A new one is made in the background; you need not wait for it."
        />
      ) : (
        <div className="table-wrap">
          <table className="table cards">
            <thead>
              <tr>
                <th scope="col">Report</th>
                <th scope="col">State</th>
                <th scope="col">From, to</th>
                <th scope="col" className="right">
                  Rows
                </th>
                <th scope="col">Asked for</th>
                <th scope="col" className="right">
                  Download or delete
                </th>
              </tr>
            </thead>
            <tbody>
              {runs.map((run) => (
                <RunLine key={run.id} run={run} drop={() => drop(run)} />
              ))}
            </tbody>
          </table>
        </div>
      )}
      {dropping ? (
        <AskFirst
          title={`Delete ${dropping.name}`}
          yes="Delete"
          danger
          run={() => remove.mutateAsync(dropping)}
          close={() => drop(undefined)}
        >
          <p>The file is gone at once. That it was made stays in this list.</p>
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
        <span className="strong">{name}</span> <span className="muted">{`${sentence(kind)}, ${FORMATS[format]}`}</span>
      </td>
      <td>
        <Tag tone={tone}>{word}</Tag> {note === '' ? null : <span className="small">{note}</span>}
      </td>
      <td className="num">
        {`${from_local.slice(0, 10)} to ${lastDay(to_local)}`} <span className="muted small">{zone}</span>
      </td>
      <td className="right num">{state === 'done' ? countText(rows) : ''}</td>
      <td>
        <When at={created_at} />
      </td>
      <td className="right">
        {state === 'done' ? (
          <div className="row end">
            <Button
              size="xs"
              variant="default"
              aria-label={`Download ${name}, ${sizeText(size)}`}
              onClick={() => void download(`/reports/${id}/file`, `${kind}-${from_local.slice(0, 10)}.${format}`)}
            >
              Download
            </Button>
            <Button size="xs" variant="default" aria-label={`Delete ${name}`} onClick={drop}>
              Delete
            </Button>
          </div>
        ) : null}
      </td>
    </tr>
  );
}

/** The end is the first moment behind the last day. */
function lastDay(to_local: string): string {
  const day = new Date(`${to_local.slice(0, 10)}T00:00:00Z`);
  day.setUTCDate(day.getUTCDate() - 1);
  return day.toISOString().slice(0, 10);
}

function Coming({ reports }: { readonly reports: readonly Report[] }) {
  const [ending, end] = useState<Report>();
  const remove = useAct<Report>({
    run: ({ id }) => api('DELETE /reports/:id', { params: { id } }),
    said: 'Schedule removed',
    stale: ['reports'],
  });
  return (
    <Panel title="Scheduled" lead="Each is made an hour after its day, week or month has ended.">
      {reports.length === 0 ? (
        <Empty icon="clock" title="Nothing is scheduled" text="Choose daily, weekly or monthly for a new report." />
      ) : (
        <div className="table-wrap">
          <table className="table cards">
            <thead>
              <tr>
                <th scope="col">Report</th>
                <th scope="col">Every</th>
                <th scope="col">Next</th>
                <th scope="col">By</th>
                <th scope="col" className="right">
                  Remove
                </th>
              </tr>
            </thead>
            <tbody>
              {reports.map((report) => (
                <tr key={report.id}>
                  <td>
                    <span className="strong">{report.name}</span>{' '}
                    <span className="muted">{`${sentence(report.kind)}, ${FORMATS[report.format]}`}</span>
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
                      aria-label={`Remove ${report.name}`}
                      onClick={() => end(report)}
                    >
                      Remove
                    </Button>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      {ending ? (
        <AskFirst
          title={`Remove ${ending.name}`}
          yes="Remove"
          danger
          run={() => remove.mutateAsync(ending)}
          close={() => end(undefined)}
        >
          <p>No more of them are made. What was made stays until its days are over.</p>
        </AskFirst>
      ) : null}
    </Panel>
  );
}
