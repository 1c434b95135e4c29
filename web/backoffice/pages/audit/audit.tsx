// The audit: every action of a person, each record linked to the one before it.
import { Button, Select } from '@mantine/core';
import { useState } from 'react';
import type { AuditFilters, AuditRecord, AuditVerdict } from '../../../../src/backoffice/wire/audit.ts';
import { api } from '../../base/api.ts';
import { usePages } from '../../base/ask.ts';
import { countText, sentence } from '../../base/format.ts';
import { rich } from '../../base/rich.ts';
import { useQueryText } from '../../base/router.tsx';
import { useSession } from '../../base/session.tsx';
import { said, t } from '../../base/texts.ts';
import { useAct } from '../../parts/act.tsx';
import { Icon } from '../../parts/icons.tsx';
import { Late } from '../../parts/late.tsx';
import { MoreRows } from '../../parts/more.tsx';
import { Empty, Failed, Notice, PageHead, Panel, Waiting } from '../../parts/page.tsx';
import { Tag, When } from '../../parts/show.tsx';
import { Table } from '../../parts/table.tsx';
import { ExportDialog } from '../orders/export.tsx';

export function Audit() {
  const { may } = useSession();
  const [exporting, setExporting] = useState(false);
  const verify = useAct({ run: () => api('GET /audit/verify'), quiet: true });
  return (
    <>
      <PageHead
        title={t('Audit log')}
        lead={t(
          'Who did what, when, from where and why. Each record holds the hash of the one before: changing or removing one is detected.',
        )}
        actions={
          may('audit') ? (
            <>
              <Button
                variant="default"
                leftSection={<Icon name="download" size={16} />}
                onClick={() => setExporting(true)}
              >
                {t('Export')}
              </Button>
              <Button
                leftSection={<Icon name="check" size={16} />}
                loading={verify.isPending}
                onClick={() => verify.mutate()}
              >
                {t('Verify integrity')}
              </Button>
            </>
          ) : undefined
        }
      />
      <div className="stack">
        {verify.error ? <Notice tone="bad">{verify.error instanceof Error ? verify.error.message : ''}</Notice> : null}
        {verify.data ? <Verdict verdict={verify.data} /> : null}
        <Records />
      </div>
      {exporting ? (
        <ExportDialog
          title={t('Export the audit log')}
          path="/audit/export"
          query={{}}
          close={() => setExporting(false)}
        />
      ) : null}
    </>
  );
}

function Verdict({ verdict }: { readonly verdict: AuditVerdict }) {
  return verdict.whole ? (
    <Notice tone="good" title={t('Audit log intact: {records} records', { records: countText(verdict.records) })}>
      <span className="break">{rich('Last hash {hash}', { hash: <code>{verdict.head}</code> })}</span>
    </Notice>
  ) : (
    <Notice tone="bad" title={t('Audit log broken at record {at}', { at: countText(verdict.at) })}>
      {verdict.why}
    </Notice>
  );
}

function Records() {
  const [query, change] = useQueryText();
  const filters: AuditFilters = {
    action: query.get('action') ?? '',
    actor: query.get('actor') ?? '',
    object: query.get('object') ?? '',
  };
  const asked = usePages('audit', 'GET /audit', { query: filters });
  const actions = asked.data?.pages[0]?.actions ?? [];
  return (
    <Panel>
      <div className="filters">
        <Select
          aria-label={t('Action')}
          placeholder={t('Any action')}
          data={actions.map((value) => ({ value, label: sentence(value) }))}
          value={filters.action || null}
          onChange={(action) => change({ action: action ?? '' })}
          clearable
          searchable
        />
        <Late label={t('Person')} value={filters.actor ?? ''} change={(actor) => change({ actor })} />
        <Late label={t('Object')} value={filters.object ?? ''} change={(object) => change({ object })} />
      </div>
      {asked.isPending ? <Waiting rows={10} /> : null}
      {asked.isError && !asked.data ? <Failed error={asked.error} again={() => void asked.refetch()} /> : null}
      {asked.data ? <RecordTable records={asked.data.pages.flatMap(({ records }) => records)} /> : null}
      <MoreRows asked={asked} />
    </Panel>
  );
}

const TONES = { done: 'good', failed: 'bad', refused: 'warn' } as const;

function RecordTable({ records }: { readonly records: readonly AuditRecord[] }) {
  if (records.length === 0) return <Empty icon="audit" title={t('No records match')} />;
  return (
    <Table columns={[t('When'), t('Who'), t('What'), t('Object'), t('Result'), t('From')]}>
      {records.map((record) => (
        <tr key={record.seq}>
          <td>
            <When at={record.at} seconds />
          </td>
          <td>{record.actor}</td>
          <td>
            <span className="strong">{sentence(record.action)}</span>
            {record.reason === null ? null : <div className="muted small break">{record.reason}</div>}
            <Detail record={record} />
          </td>
          <td>
            <code className="break">{record.object}</code>
          </td>
          <td>
            <Tag tone={TONES[record.result]}>{sentence(record.result)}</Tag>
          </td>
          <td className="mono muted">{said(record.source)}</td>
        </tr>
      ))}
    </Table>
  );
}

function Detail({ record }: { readonly record: AuditRecord }) {
  const json = JSON.stringify({ ...record.detail, hash: record.hash }, null, 2);
  return (
    <details className="small">
      <summary>{t('Record {seq}', { seq: record.seq })}</summary>
      <pre className="json" tabIndex={0}>
        {json}
      </pre>
      {/* a record is kept as it was hashed, with the names of the API */}
      {json.includes('"reader"') ? <p className="muted">{t('The role Viewer is called reader here.')}</p> : null}
    </details>
  );
}
