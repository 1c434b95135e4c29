// Where events are sent, and the result of each delivery.
import { Button, Tabs } from '@mantine/core';
import { useState } from 'react';
import type { Endpoint, NewEndpoint } from '../../../../src/backoffice/wire/notifications.ts';
import { api } from '../../base/api.ts';
import { useAsk } from '../../base/ask.ts';
import { countText, sentence } from '../../base/format.ts';
import { rich } from '../../base/rich.ts';
import { useSession } from '../../base/session.tsx';
import { t } from '../../base/texts.ts';
import { tell, tellError } from '../../base/toast.tsx';
import { AskFirst, useAct } from '../../parts/act.tsx';
import { Icon } from '../../parts/icons.tsx';
import { Asked, Empty, PageHead, Panel } from '../../parts/page.tsx';
import { Id, Tag, When } from '../../parts/show.tsx';
import { Deliveries } from './deliveries.tsx';
import { MakeEndpoint, RotateSecret, ShowSecret } from './endpoint.tsx';

export function Notifications() {
  const asked = useAsk('endpoints', 'GET /notifications', { every_ms: 15_000 });
  const { may } = useSession();
  const [adding, setAdding] = useState(false);
  const [made, setMade] = useState<NewEndpoint>();
  return (
    <>
      <PageHead
        title={t('Notifications')}
        lead={t(
          'Every change of an order is sent to your servers: signed, in order, and repeated until it is accepted.',
        )}
        actions={
          may('notifications') ? (
            <Button leftSection={<Icon name="plus" size={16} />} onClick={() => setAdding(true)}>
              {t('Add an endpoint')}
            </Button>
          ) : undefined
        }
      />
      <Asked asked={asked}>
        {({ endpoints, events }) => (
          <Tabs defaultValue="endpoints" keepMounted={false}>
            <Tabs.List>
              <Tabs.Tab value="endpoints">{t('Endpoints')}</Tabs.Tab>
              <Tabs.Tab value="log">{t('Delivery log')}</Tabs.Tab>
            </Tabs.List>
            <Tabs.Panel value="endpoints">
              <div className="stack">
                {endpoints.length === 0 ? (
                  <Panel>
                    <Empty
                      icon="bell"
                      title={t('No endpoint yet')}
                      text={t(
                        'Add the https address of your server. The secret that signs what we send is shown once.',
                      )}
                    />
                  </Panel>
                ) : null}
                {endpoints.map((endpoint) => (
                  <One key={endpoint.id} endpoint={endpoint} made={setMade} />
                ))}
              </div>
            </Tabs.Panel>
            <Tabs.Panel value="log">
              <Deliveries endpoints={endpoints} events={events} />
            </Tabs.Panel>
            {adding ? <MakeEndpoint events={events} made={setMade} close={() => setAdding(false)} /> : null}
          </Tabs>
        )}
      </Asked>
      {made ? <ShowSecret made={made} close={() => setMade(undefined)} /> : null}
    </>
  );
}

function Health({ endpoint: { active, health } }: { readonly endpoint: Endpoint }) {
  if (!active) return <Tag>{t('Off')}</Tag>;
  if (health.failing_since === null) return <Tag tone="good">{t('Operational')}</Tag>;
  return (
    <span className="row nowrap">
      <Tag tone="bad">{t('Failing')}</Tag>
      <span className="muted small">
        {rich('since {ago}', { ago: <When at={health.failing_since} ago="payments" /> })}
      </span>
    </span>
  );
}

type OneProps = { readonly endpoint: Endpoint; readonly made: (made: NewEndpoint) => void };

function One({ endpoint, made }: OneProps) {
  const { may } = useSession();
  const [open, setOpen] = useState<'rotate' | 'remove' | 'activate'>();
  const close = () => setOpen(undefined);
  const test = useAct({
    run: () => api('POST /notifications/endpoints/:endpoint_id/test', { params: { endpoint_id: endpoint.id } }),
    stale: ['deliveries'],
    done: ({ delivered, http_status, duration_ms }) => {
      const how = `${http_status === null ? t('No response') : `HTTP ${http_status}`}, ${countText(duration_ms)} ms`;
      if (delivered) tell(t('Test delivered'), how);
      else tellError(t('Test not delivered'), how);
    },
  });
  return (
    <Panel
      title={endpoint.url}
      lead={endpoint.description === '' ? undefined : endpoint.description}
      actions={<Health endpoint={endpoint} />}
      footer={
        <>
          <span>
            {rich('{waiting} waiting · added {at}', {
              waiting: countText(endpoint.health.waiting),
              at: <When at={endpoint.created_at} />,
            })}
          </span>
          {may('notifications') ? (
            <span className="row">
              {endpoint.active ? null : (
                <Button size="xs" onClick={() => setOpen('activate')}>
                  {t('Turn on again')}
                </Button>
              )}
              <Button size="xs" variant="default" loading={test.isPending} onClick={() => test.mutate()}>
                {t('Send a test')}
              </Button>
              <Button size="xs" variant="default" onClick={() => setOpen('rotate')}>
                {t('Rotate the secret')}
              </Button>
              <Button size="xs" variant="default" onClick={() => setOpen('remove')}>
                {t('Remove')}
              </Button>
            </span>
          ) : null}
        </>
      }
      padded
    >
      <div className="stack tight">
        <div className="row">
          {endpoint.events.map((event) => (
            <Tag key={event}>{sentence(event)}</Tag>
          ))}
        </div>
        <Id id={endpoint.id} whole />
      </div>
      {open === 'rotate' ? <RotateSecret endpoint={endpoint} made={made} close={close} /> : null}
      {open === 'activate' ? <Activate endpoint={endpoint} close={close} /> : null}
      {open === 'remove' ? <Remove endpoint={endpoint} close={close} /> : null}
    </Panel>
  );
}

function Activate({ endpoint, close }: { readonly endpoint: Endpoint; readonly close: () => void }) {
  const act = useAct({
    run: () => api('POST /notifications/endpoints/:endpoint_id/activate', { params: { endpoint_id: endpoint.id } }),
    said: t('The endpoint is switched on'),
    quiet: true,
    stale: ['endpoints'],
  });
  return (
    <AskFirst
      title={t('Switch this endpoint on again')}
      yes={t('Switch on')}
      run={() => act.mutateAsync()}
      close={close}
    >
      <p className="break">
        {t(
          '{url} answered HTTP 410, which means that it wants no more. From now on it is sent what is new; of what happened while it was off nothing is kept for it. What waited before is parked: send it with Replay a range, in the delivery log.',
          { url: endpoint.url },
        )}
      </p>
    </AskFirst>
  );
}

function Remove({ endpoint, close }: { readonly endpoint: Endpoint; readonly close: () => void }) {
  const act = useAct({
    run: () => api('DELETE /notifications/endpoints/:endpoint_id', { params: { endpoint_id: endpoint.id } }),
    said: t('The endpoint was removed'),
    quiet: true,
    stale: ['endpoints'],
  });
  return (
    <AskFirst title={t('Remove this endpoint')} yes={t('Remove')} danger run={() => act.mutateAsync()} close={close}>
      <p className="break">
        {t('Nothing more is sent to {url}; {waiting} waiting deliveries are dropped.', {
          url: endpoint.url,
          waiting: countText(endpoint.health.waiting),
        })}
      </p>
    </AskFirst>
  );
}
