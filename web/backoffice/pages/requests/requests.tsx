// The requests of the account's programs with our answers, and what we sent them; in a sandbox also the check's
// comments.
import { Drawer, Select, Tabs } from '@mantine/core';
import { useState } from 'react';
import type { LoggedRequest, RequestFilters, RequestPage } from '../../../../src/backoffice/wire/requests.ts';
import { usePages } from '../../base/ask.ts';
import { countText } from '../../base/format.ts';
import { Link, go, useQueryText } from '../../base/router.tsx';
import { useSession } from '../../base/session.tsx';
import { t } from '../../base/texts.ts';
import { Late } from '../../parts/late.tsx';
import { MoreRows } from '../../parts/more.tsx';
import { Empty, Failed, PageHead, Panel, Waiting } from '../../parts/page.tsx';
import { Tag, When } from '../../parts/show.tsx';
import { Table, right } from '../../parts/table.tsx';
import { Check } from './check.tsx';
import { OneRequest } from './one.tsx';

const LEAD = t(
  'Every request of your programs with its answer, and every try of a notification. Values of fields that may hold a person, a card or a secret are not kept: only how long they are.',
);

export function Requests() {
  const { state } = useSession();
  const [query, change] = useQueryText();
  const tab = query.get('tab') === 'check' ? 'check' : 'log';
  return (
    <>
      <PageHead title={t('Requests')} lead={LEAD} />
      {state.environment === 'sandbox' ? (
        <Tabs value={tab} onChange={(to) => change({ tab: to === 'check' ? 'check' : '' })} keepMounted={false}>
          <Tabs.List>
            <Tabs.Tab value="log">{t('Log')}</Tabs.Tab>
            <Tabs.Tab value="check">{t('Check')}</Tabs.Tab>
          </Tabs.List>
          <Tabs.Panel value="log">
            <Log />
          </Tabs.Panel>
          <Tabs.Panel value="check">
            {/* the filters of the list are not those of the example */}
            <Check show={(id) => go(`/requests?id=${id}`)} />
          </Tabs.Panel>
        </Tabs>
      ) : (
        <Log />
      )}
    </>
  );
}

const NAMES = ['kind', 'status', 'key_id', 'path', 'order_id', 'id', 'from', 'to'] as const;

function Log() {
  const [text, change] = useQueryText();
  const query = Object.fromEntries(NAMES.map((name) => [name, text.get(name) ?? '']));
  const asked = usePages('requests', 'GET /requests', { query: query satisfies RequestFilters, every_ms: 10_000 });
  const [open, setOpen] = useState<LoggedRequest>();
  const first = asked.data?.pages[0];
  return (
    <Panel>
      <Filters query={query} change={change} first={first} />
      {asked.isPending ? <Waiting rows={10} /> : null}
      {asked.isError && !asked.data ? <Failed error={asked.error} again={() => void asked.refetch()} /> : null}
      {asked.data ? <RequestTable rows={asked.data.pages.flatMap(({ requests }) => requests)} open={setOpen} /> : null}
      <MoreRows asked={asked} text={t('Look further back')} />
      <Drawer opened={open !== undefined} onClose={() => setOpen(undefined)} size="lg" title={open ? nameOf(open) : ''}>
        {open ? <OneRequest row={open} keys={first?.keys ?? []} /> : null}
      </Drawer>
    </Panel>
  );
}

type FilterProps = {
  readonly query: Readonly<Record<string, string>>;
  readonly change: (changes: Readonly<Record<string, string>>) => void;
  readonly first: RequestPage | undefined;
};

const KINDS = [
  { value: 'request', label: t('Requests') },
  { value: 'notification', label: t('Notifications') },
];
const STATUS_TEXTS: Readonly<Record<string, string>> = {
  '2xx': t('2xx: went well'),
  '4xx': t('4xx: refused'),
  '5xx': t('5xx: failed'),
  none: t('Not answered'),
};

function Filters({ query, change, first }: FilterProps) {
  const choice = (name: string, label: string, data: readonly { readonly value: string; readonly label: string }[]) => (
    <Select
      aria-label={label}
      placeholder={label}
      data={[...data]}
      value={query[name] || null}
      onChange={(value) => change({ [name]: value ?? '' })}
      clearable
    />
  );
  const late = (name: string, label: string) => (
    <Late
      key={`${name} ${query[name] ?? ''}`}
      label={label}
      value={query[name] ?? ''}
      change={(value) => change({ [name]: value })}
    />
  );
  return (
    <div className="filters">
      {choice('kind', t('Requests and notifications'), KINDS)}
      {choice(
        'status',
        t('Any status'),
        (first?.statuses ?? []).map((value) => ({ value, label: STATUS_TEXTS[value] ?? value })),
      )}
      {choice(
        'key_id',
        t('Any key'),
        (first?.keys ?? []).map(({ id, label }) => ({ value: id, label: label === '' ? id : label })),
      )}
      {late('path', t('Path'))}
      {late('order_id', t('Order id'))}
      {late('id', t('Request id'))}
      {late('from', t('From (2026-12-24T08:00Z)'))}
      {late('to', t('To [day]'))}
    </div>
  );
}

const nameOf = ({ method, path }: LoggedRequest) => `${method} ${path}`;

type RequestTableProps = { readonly rows: readonly LoggedRequest[]; readonly open: (row: LoggedRequest) => void };

function RequestTable({ rows, open }: RequestTableProps) {
  if (rows.length === 0)
    return (
      <Empty icon="updown" title={t('No requests match')} text={t('They appear here a moment after their answer.')} />
    );
  return (
    <Table columns={[t('Request'), t('Status'), t('Code'), t('Order'), right(t('Took')), right(t('When'))]}>
      {rows.map((row) => (
        <tr key={`${row.id} ${row.at}`} className="opens">
          <td>
            <button type="button" className="plain-link strong break" onClick={() => open(row)}>
              {row.kind === 'notification' ? t('Notification to {path}', { path: row.path }) : nameOf(row)}
            </button>
          </td>
          <td>
            <StatusTag status={row.status} />
          </td>
          <td className="mono">{row.code ?? '–'}</td>
          <td>{row.order_id === null ? '–' : <Link to={`/orders/${row.order_id}`}>{row.order_id.slice(-8)}</Link>}</td>
          <td className="right num">{`${countText(row.duration_ms)} ms`}</td>
          <td className="right">
            <When at={row.at} seconds />
          </td>
        </tr>
      ))}
    </Table>
  );
}

function StatusTag({ status }: Pick<LoggedRequest, 'status'>) {
  if (status === null) return <Tag tone="bad">{t('No answer')}</Tag>;
  return <Tag tone={status < 300 ? 'good' : status < 500 ? 'warn' : 'bad'}>{status}</Tag>;
}
