// One payment link: its address and QR code, its state, and the payments made with it.
import { Button } from '@mantine/core';
import { useState } from 'react';
import type { LinkChange, LinkOrder, PaymentLink } from '../../../../src/backoffice/wire/links.ts';
import { api } from '../../base/api.ts';
import { useAsk } from '../../base/ask.ts';
import { Link, go } from '../../base/router.tsx';
import { useSession } from '../../base/session.tsx';
import { t } from '../../base/texts.ts';
import { AskFirst, useAct } from '../../parts/act.tsx';
import { Icon } from '../../parts/icons.tsx';
import { Asked, Empty, PageHead, Panel } from '../../parts/page.tsx';
import { Qr, qrPicture } from '../../parts/qr.tsx';
import { Id, Money, Secret, Status, When } from '../../parts/show.tsx';
import { Table, right } from '../../parts/table.tsx';
import { LinkAmount, LinkState } from './links.tsx';
import { RETURN_ADDRESSES } from './link-more.tsx';

const UP = { to: '/links', text: t('Payment links') };

export function LinkPage({ params }: { readonly params: Readonly<Record<string, string>> }) {
  const link_id = params['id'] ?? '';
  const asked = useAsk('links', 'GET /links/:link_id', { params: { link_id } });
  return (
    <>
      <PageHead
        title={asked.data?.reference ?? t('Payment link')}
        up={UP}
        {...(asked.data ? { lead: asked.data.description, actions: <Actions of={asked.data} /> } : {})}
      />
      <Asked asked={asked}>
        {(link) => (
          <div className="stack">
            <Panel title={t('Share it')} padded>
              <div className="share">
                <Qr text={link.url} label={t('QR code of the link {reference}', { reference: link.reference })} />
                <div className="stack tight grow">
                  <Secret text={link.url} label={t('the link')} />
                  <div className="row">
                    <Button
                      component="a"
                      variant="default"
                      leftSection={<Icon name="download" size={16} />}
                      href={qrPicture(link.url)}
                      download={`${link.reference}.svg`}
                    >
                      {t('QR code as SVG')}
                    </Button>
                  </div>
                  <Facts of={link} />
                </div>
              </div>
            </Panel>
            <Panel title={t('Payments')}>
              <Orders link_id={link.id} />
            </Panel>
          </div>
        )}
      </Asked>
    </>
  );
}

function Facts({ of }: { readonly of: PaymentLink }) {
  return (
    <dl className="facts">
      <dt>{t('State')}</dt>
      <dd>
        <LinkState of={of} />
      </dd>
      <dt>{t('Amount')}</dt>
      <dd>
        <LinkAmount of={of} />
      </dd>
      <dt>{t('For')}</dt>
      <dd>{of.many ? t('Any number of payments') : t('One payment')}</dd>
      <dt>{t('Open until')}</dt>
      <dd>{of.expires_at === null ? t('You end it') : <When at={of.expires_at} />}</dd>
      <dt>{t('Opened [times]')}</dt>
      <dd className="num">{of.opened}</dd>
      {RETURN_ADDRESSES.flatMap(({ name, label }) => {
        const url = of.return_urls[name];
        return url === undefined ? [] : [<dt key={`${name} label`}>{label}</dt>, <dd key={name}>{url}</dd>];
      })}
      {of.merchant_data.map(({ key, value }) => [
        <dt key={`${key} name`}>{key}</dt>,
        <dd key={`${key} value`}>{value}</dd>,
      ])}
      <dt>{t('Id')}</dt>
      <dd>
        <Id id={of.id} />
      </dd>
    </dl>
  );
}

function Actions({ of }: { readonly of: PaymentLink }) {
  const { may } = useSession();
  const [ending, setEnding] = useState(false);
  const change = (status: LinkChange['status']) =>
    api('POST /links/:link_id', { params: { link_id: of.id }, body: { status } });
  const act = useAct<LinkChange['status']>({ run: change, stale: ['links'] });
  if (!may('links') || (of.status !== 'active' && of.status !== 'paused')) return null;
  return (
    <>
      <Button
        variant="default"
        loading={act.isPending}
        onClick={() => act.mutate(of.status === 'paused' ? 'active' : 'paused')}
      >
        {of.status === 'paused' ? t('Open again') : t('Pause')}
      </Button>
      <Button variant="default" onClick={() => setEnding(true)}>
        {t('End')}
      </Button>
      {ending ? <End of={of} close={() => setEnding(false)} run={() => act.mutateAsync('ended')} /> : null}
    </>
  );
}

type EndProps = { readonly of: PaymentLink; readonly close: () => void; readonly run: () => Promise<unknown> };

function End({ of, close, run }: EndProps) {
  return (
    <AskFirst
      title={t('End {reference}', { reference: of.reference })}
      yes={t('End it')}
      danger
      run={run}
      close={close}
    >
      <p>
        {t('The link takes no more payments. A payment that has begun goes on. An ended link cannot be opened again.')}
      </p>
    </AskFirst>
  );
}

function Orders({ link_id }: { readonly link_id: string }) {
  const [cursors, setCursors] = useState<readonly string[]>([]);
  const cursor = cursors.at(-1);
  const asked = useAsk('links', 'GET /links/:link_id/orders', { params: { link_id }, query: { cursor } });
  return (
    <Asked asked={asked}>
      {({ orders, next_cursor }) => (
        <>
          {orders.length === 0 ? (
            <Empty
              icon="orders"
              title={t('No payments by this link yet')}
              text={t('What payers pay, or try to, is shown here.')}
            />
          ) : (
            <OrderRows rows={orders} />
          )}
          {next_cursor === null && cursor === undefined ? null : (
            <div className="list-end row">
              <Button
                variant="default"
                size="xs"
                disabled={cursor === undefined}
                onClick={() => setCursors(cursors.slice(0, -1))}
              >
                {t('Newer')}
              </Button>
              <Button
                variant="default"
                size="xs"
                disabled={next_cursor === null}
                onClick={() => setCursors([...cursors, next_cursor ?? ''])}
              >
                {t('Older')}
              </Button>
            </div>
          )}
        </>
      )}
    </Asked>
  );
}

function OrderRows({ rows }: { readonly rows: readonly LinkOrder[] }) {
  return (
    <Table columns={[t('Reference'), right(t('Amount')), t('Status'), t('Created [when]')]}>
      {rows.map((row) => (
        <tr key={row.id} className="opens" onClick={() => go(`/orders/${row.id}`)}>
          <td>
            <Link to={`/orders/${row.id}`} className="strong">
              {row.reference}
            </Link>
          </td>
          <td className="right">
            <Money minor={row.amount_minor} currency={row.currency} />
          </td>
          <td>
            <Status status={row.status} in_doubt={row.in_doubt} />
          </td>
          <td>
            <When at={row.created_at} />
          </td>
        </tr>
      ))}
    </Table>
  );
}
