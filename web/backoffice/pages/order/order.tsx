// One order in full: its history, where the money is, and what a person may do.
import { Button, SegmentedControl, Tooltip } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { OrderDetail, OrderPage } from '../../../../src/backoffice/wire/orders.ts';
import { keyOf, useAsk } from '../../base/ask.ts';
import { rich } from '../../base/rich.ts';
import { go } from '../../base/router.tsx';
import { useSession } from '../../base/session.tsx';
import { useShortcuts } from '../../base/shortcuts.ts';
import { t } from '../../base/texts.ts';
import { archivedText } from '../../parts/archived.ts';
import { Icon } from '../../parts/icons.tsx';
import { Asked, PageHead, Panel } from '../../parts/page.tsx';
import { When } from '../../parts/show.tsx';
import { ActionDialog, type ActionName } from './actions.tsx';
import { Disputes } from './disputes.tsx';
import { Attempts, Customer, MoneyPanel, Papers, Route, Sent } from './facts.tsx';
import { DisputeBanner, DoubtNotice, OrderHead } from './head.tsx';
import { LaterTries } from './later.tsx';
import { Notes } from './notes.tsx';
import { Receipt, hasReceipt } from './receipt.tsx';
import { WaitingRefunds } from './refund-requests.tsx';
import { Related } from './related.tsx';
import { storyOf } from './story.ts';
import { Timeline } from './timeline.tsx';
import { Why } from './why.tsx';

const LIVE_MS = 5000;

export function Order({ params }: { readonly params: Readonly<Record<string, string>> }) {
  const id = params['id'] ?? '';
  const asked = useAsk('order', 'GET /orders/:id', { params: { id }, every_ms: LIVE_MS });
  useNeighbours(id);
  if (!asked.data) {
    return (
      <>
        <PageHead title={t('Order')} up={{ to: '/orders', text: t('Orders') }} />
        <Panel>
          <Asked asked={asked} rows={12}>
            {() => null}
          </Asked>
        </Panel>
      </>
    );
  }
  return <Whole order={asked.data} />;
}

/** j and k go to the next and the previous order of the list from which the person came. */
function useNeighbours(id: string): void {
  const client = useQueryClient();
  const step = (by: number) => {
    const lists = client.getQueriesData<{ pages: readonly OrderPage[] }>({ queryKey: keyOf('orders', 'GET /orders') });
    const rows = lists.flatMap(([, list]) => list?.pages.flatMap(({ orders }) => orders) ?? []);
    const at = rows.findIndex((row) => row.id === id);
    const next = at < 0 ? undefined : rows[at + by];
    if (next) go(`/orders/${next.id}`);
  };
  useShortcuts({
    j: () => step(1),
    k: () => step(-1),
    '/': (event) => {
      event.preventDefault();
      go('/orders');
    },
  });
}

function Whole({ order }: { readonly order: OrderDetail }) {
  const [doing, setDoing] = useState<ActionName>();
  const [receipt, setReceipt] = useState(false);
  return (
    <>
      <PageHead
        title={order.order_merchant_id === '' ? t('Order {id}', { id: order.id.slice(-8) }) : order.order_merchant_id}
        up={{ to: '/orders', text: t('Orders') }}
        actions={
          <>
            <Actions order={order} choose={setDoing} />
            {hasReceipt(order) ? (
              <Button variant="default" onClick={() => setReceipt(true)}>
                {t('Receipt')}
              </Button>
            ) : null}
          </>
        }
      />
      <OrderHead order={order} />
      <DisputeBanner order={order} />
      {order.in_doubt ? <DoubtNotice /> : null}
      <LaterTries order={order} />
      <WaitingRefunds order_id={order.id} />
      <div className="order-columns">
        <div className="stack">
          <History order={order} />
          <Notes order_id={order.id} />
          <Related order={order} />
          <Sent order={order} />
          <Papers order={order} />
        </div>
        <div className="stack">
          <MoneyPanel order={order} />
          <Disputes order={order} />
          <Attempts order={order} />
          <Customer order={order} />
          {order.why.length > 0 ? <Why order={order} /> : <Route order={order} />}
        </div>
      </div>
      {receipt ? <Receipt order={order} close={() => setReceipt(false)} /> : null}
      {doing ? <ActionDialog name={doing} order={order} close={() => setDoing(undefined)} /> : null}
    </>
  );
}

type ActionsProps = { readonly order: OrderDetail; readonly choose: (name: ActionName) => void };

function Actions({ order, choose }: ActionsProps) {
  const { may } = useSession();
  const { capturable_minor, refundable_minor, cancellable_minor } = order.money;
  const rows: readonly (readonly [ActionName, string, string, boolean, string])[] = [
    ['refund', t('Refund [verb]'), 'r', refundable_minor > 0, t('Nothing is left to refund')],
    ['cancel', t('Cancel'), 'x', cancellable_minor > 0, t('Nothing is held that could be released')],
    ['capture', t('Capture [verb]'), 'c', capturable_minor > 0, t('Nothing is left to capture')],
  ];
  const allowed = may('money');
  const open = (name: ActionName, can: boolean) => () => (can && allowed ? choose(name) : undefined);
  useShortcuts(Object.fromEntries(rows.map(([name, , key, can]) => [key, open(name, can)])));
  return rows.map(([name, text, key, can, why]) => {
    const off = !can || !allowed;
    return (
      <Tooltip key={name} label={!allowed ? t('Your role cannot move money') : can ? t('Key {key}', { key }) : why}>
        <Button
          variant={name === 'capture' && can ? 'filled' : 'default'}
          aria-disabled={off}
          data-disabled={off}
          onClick={open(name, can)}
        >
          {text}
        </Button>
      </Tooltip>
    );
  });
}

function History({ order }: { readonly order: OrderDetail }) {
  const [shown, setShown] = useState('story');
  const steps = shown === 'story' ? storyOf(order.timeline) : order.timeline.map((entry) => ({ entry, calls: [] }));
  return (
    <Panel
      title={t('Timeline')}
      actions={
        <SegmentedControl
          aria-label={t('What the timeline shows')}
          data={[
            { value: 'story', label: t('What happened') },
            { value: 'all', label: t('Every call') },
          ]}
          value={shown}
          onChange={setShown}
        />
      }
      footer={<span>{rich('As of {at}', { at: <When at={order.read_at} seconds /> })}</span>}
    >
      {steps.length === 0 ? (
        <div className="padded muted">
          <Icon name="clock" /> {t('Nothing has happened yet.')}
        </div>
      ) : (
        <Timeline steps={steps} currency={order.money.currency} />
      )}
      {order.archives.map((file) => (
        <div key={file} className="padded muted">
          <Icon name="clock" /> {archivedText(file)}
        </div>
      ))}
    </Panel>
  );
}
