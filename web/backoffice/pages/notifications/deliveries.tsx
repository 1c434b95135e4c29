// The delivery log: what was sent, how often it was tried, and the answer. One delivery or a range can be sent again.
import { Button, Drawer, Select } from '@mantine/core';
import { useState } from 'react';
import type { Delivery, DeliveryFilters, Endpoint } from '../../../../src/backoffice/wire/notifications.ts';
import { api } from '../../base/api.ts';
import { usePages } from '../../base/ask.ts';
import { sentence } from '../../base/format.ts';
import { Link } from '../../base/router.tsx';
import { useSession } from '../../base/session.tsx';
import { plural, t } from '../../base/texts.ts';
import { useAct } from '../../parts/act.tsx';
import { Icon } from '../../parts/icons.tsx';
import { MoreRows } from '../../parts/more.tsx';
import { Empty, Failed, Panel, Waiting } from '../../parts/page.tsx';
import { Id, Tag, When } from '../../parts/show.tsx';
import { Table, right } from '../../parts/table.tsx';
import { ReplayRange } from './replay.tsx';

type Props = { readonly endpoints: readonly Endpoint[]; readonly events: readonly string[] };

export function Deliveries({ endpoints, events }: Props) {
  const [filters, setFilters] = useState({ state: '', endpoint_id: '', event: '' });
  const [range, setRange] = useState(false);
  const { may } = useSession();
  const set = (name: keyof typeof filters) => (value: string | null) => setFilters({ ...filters, [name]: value ?? '' });
  const choice = (name: keyof typeof filters, label: string, values: readonly (readonly [string, string])[]) => (
    <Select
      aria-label={label}
      placeholder={label}
      data={values.map(([value, text]) => ({ value, label: text }))}
      value={filters[name] === '' ? null : filters[name]}
      onChange={set(name)}
      clearable
    />
  );
  return (
    <Panel>
      <div className="filters">
        {choice(
          'state',
          t('Any state'),
          STATES.map((state) => [state, sentence(state)] as const),
        )}
        {choice(
          'endpoint_id',
          t('Any endpoint'),
          endpoints.map(({ id, url }) => [id, url] as const),
        )}
        {choice(
          'event',
          t('Any event'),
          events.map((event) => [event, sentence(event)] as const),
        )}
        {may('notifications') && endpoints.length > 0 ? (
          <Button variant="default" leftSection={<Icon name="refresh" size={16} />} onClick={() => setRange(true)}>
            {t('Replay a range')}
          </Button>
        ) : null}
      </div>
      <Log filters={wireOf(filters)} endpoints={endpoints} />
      {range ? <ReplayRange endpoints={endpoints} close={() => setRange(false)} /> : null}
    </Panel>
  );
}

const STATES = ['waiting', 'delivered', 'parked'] as const;

function wireOf({ state, ...rest }: Readonly<Record<'state' | 'endpoint_id' | 'event', string>>): DeliveryFilters {
  const known = STATES.find((one) => one === state);
  return known === undefined ? rest : { ...rest, state: known };
}

type LogProps = { readonly filters: DeliveryFilters; readonly endpoints: readonly Endpoint[] };

function Log({ filters, endpoints }: LogProps) {
  const asked = usePages('deliveries', 'GET /notifications/deliveries', { query: filters, every_ms: 10_000 });
  const [open, setOpen] = useState<Delivery>();
  if (asked.isPending) return <Waiting rows={8} />;
  if (!asked.data) return <Failed error={asked.error} again={() => void asked.refetch()} />;
  const rows = asked.data.pages.flatMap(({ deliveries }) => deliveries);
  if (rows.length === 0)
    return (
      <Empty
        icon="bell"
        title={t('No deliveries match')}
        text={t('The first appears with the next event of an order.')}
      />
    );
  return (
    <>
      <DeliveryTable rows={rows} endpoints={endpoints} open={setOpen} />
      <MoreRows asked={asked} />
      <Drawer opened={open !== undefined} onClose={() => setOpen(undefined)} title={open ? sentence(open.event) : ''}>
        {open ? <One row={open} close={() => setOpen(undefined)} /> : null}
      </Drawer>
    </>
  );
}

type TableProps = Pick<LogProps, 'endpoints'> & {
  readonly rows: readonly Delivery[];
  readonly open: (row: Delivery) => void;
};

function DeliveryTable({ rows, endpoints, open }: TableProps) {
  const urlOf = (id: string) => endpoints.find((endpoint) => endpoint.id === id)?.url ?? id;
  return (
    <Table columns={[t('Event'), t('State'), t('Endpoint'), t('Order'), t('Last response'), right(t('When'))]}>
      {rows.map((row) => (
        <tr key={row.id} className="opens">
          <td>
            <button type="button" className="plain-link strong" onClick={() => open(row)}>
              {sentence(row.event)}
            </button>
          </td>
          <td>
            <DeliveryState of={row} />
          </td>
          <td>
            <span className="clip" title={urlOf(row.endpoint_id)}>
              {urlOf(row.endpoint_id)}
            </span>
          </td>
          <td>{row.order_id === null ? '–' : <Link to={`/orders/${row.order_id}`}>{row.order_id.slice(-8)}</Link>}</td>
          <td className="muted">{answerText(row)}</td>
          <td className="right">
            <When at={row.created_at} />
          </td>
        </tr>
      ))}
    </Table>
  );
}

const answerText = ({ last_http_status, last_error }: Delivery) =>
  last_http_status === null ? (last_error ?? '–') : `HTTP ${last_http_status}`;

function DeliveryState({ of: row }: { readonly of: Delivery }) {
  const tone = row.state === 'delivered' ? 'good' : row.state === 'parked' ? 'bad' : 'warn';
  return (
    <span className="row nowrap">
      <Tag tone={tone}>{sentence(row.state)}</Tag>
      {row.tries > 1 ? <span className="muted small">{plural(row.tries, '{count} try', '{count} tries')}</span> : null}
    </span>
  );
}

function One({ row, close }: { readonly row: Delivery; readonly close: () => void }) {
  const { may } = useSession();
  const again = useAct({
    run: () => api('POST /notifications/deliveries/:notification_id/replay', { params: { notification_id: row.id } }),
    said: t('Sent again, with the same id and body'),
    stale: ['deliveries'],
    done: close,
  });
  return (
    <div className="stack">
      <dl className="facts">
        <dt>{t('Id')}</dt>
        <dd>
          <Id id={row.id} whole />
        </dd>
        <dt>{t('State')}</dt>
        <dd>
          <DeliveryState of={row} />
        </dd>
        <dt>{t('Last response')}</dt>
        <dd>
          {answerText(row)} {row.last_http_status !== null && row.last_error !== null ? row.last_error : ''}
        </dd>
        <dt>{t('Next attempt')}</dt>
        <dd>
          <When at={row.next_try_at} />
        </dd>
        <dt>{t('Sequence')}</dt>
        <dd>{row.sequence ?? '–'}</dd>
      </dl>
      <pre className="json" tabIndex={0} aria-label={t('Body')}>
        {JSON.stringify(row.body, null, 2)}
      </pre>
      {may('notifications') ? (
        <Button
          loading={again.isPending}
          leftSection={<Icon name="refresh" size={16} />}
          onClick={() => again.mutate()}
        >
          {t('Send again')}
        </Button>
      ) : null}
    </div>
  );
}
