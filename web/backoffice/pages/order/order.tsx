// One order, whole: what happened in its order, where the money is, and what may be done about it.
import { Button, SegmentedControl, Tooltip } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { OrderDetail, OrderPage } from '../../../../src/backoffice/wire/orders.ts';
import { keyOf, useAsk } from '../../base/ask.ts';
import { go } from '../../base/router.tsx';
import { useSession } from '../../base/session.tsx';
import { useShortcuts } from '../../base/shortcuts.ts';
import { Icon } from '../../parts/icons.tsx';
import { Asked, Notice, PageHead, Panel } from '../../parts/page.tsx';
import { Id, Money, Status, When, isAway, isPart } from '../../parts/show.tsx';
import { ActionDialog, type ActionName } from './actions.tsx';
import { Disputes } from './disputes.tsx';
import { Attempts, Customer, MoneyPanel, Papers, Route, Sent } from './facts.tsx';
import { WaitingRefunds } from './refund-requests.tsx';
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
        <PageHead title="Order" up={{ to: '/orders', text: 'Orders' }} />
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

/** j and k go to the next and the previous order of the list one came from. */
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
  const { money } = order;
  const moved = { ordered: money.ordered_minor, captured: money.captured_minor, refunded: money.refunded_minor };
  return (
    <>
      <PageHead
        title={order.order_merchant_id === '' ? `Order ${order.id.slice(-8)}` : order.order_merchant_id}
        up={{ to: '/orders', text: 'Orders' }}
        actions={<Actions order={order} choose={setDoing} />}
      />
      <div className="order-head">
        <span className="amount">
          <Money minor={money.ordered_minor} currency={money.currency} />
        </span>
        <Status
          status={order.status}
          in_doubt={order.in_doubt}
          partly={isPart(order.status, moved)}
          dispute={order.dispute}
        />
        <span className="muted">
          <code>{order.code}</code> {order.code_text}
        </span>
        <span className="muted">
          <When at={order.created_at} />
        </span>
        <Id id={order.id} whole />
      </div>
      {order.in_doubt ? <DoubtNotice /> : null}
      {isAway(order.dispute) ? <DisputeNotice order={order} /> : null}
      <WaitingRefunds order_id={order.id} />
      <div className="order-columns">
        <div className="stack">
          <History order={order} />
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
      {doing ? <ActionDialog name={doing} order={order} close={() => setDoing(undefined)} /> : null}
    </>
  );
}

function DoubtNotice() {
  return (
    <div className="below-head">
      <Notice tone="warn" title="The outcome of an operation is unknown">
        A provider did not answer, or not clearly. Nothing is guessed: the service asks again until it is proved.{' '}
        <Button variant="subtle" size="compact-sm" onClick={() => go('/in-doubt')}>
          See unknown outcomes
        </Button>
      </Notice>
    </div>
  );
}

function DisputeNotice({ order: { money } }: { readonly order: OrderDetail }) {
  return (
    <div className="below-head">
      <Notice tone="bad" title="The payer's bank took this money back">
        <Money minor={money.charged_back_minor} currency={money.currency} /> of this order is charged back. A refund
        would pay the payer a second time.
      </Notice>
    </div>
  );
}

type ActionsProps = { readonly order: OrderDetail; readonly choose: (name: ActionName) => void };

function Actions({ order, choose }: ActionsProps) {
  const { may } = useSession();
  const { capturable_minor, refundable_minor, cancellable_minor } = order.money;
  const rows: readonly (readonly [ActionName, string, string, boolean, string])[] = [
    ['refund', 'Refund', 'r', refundable_minor > 0, 'Nothing is left to refund'],
    ['cancel', 'Cancel', 'x', cancellable_minor > 0, 'Nothing is held that could be released'],
    ['capture', 'Capture', 'c', capturable_minor > 0, 'Nothing is left to capture'],
  ];
  const allowed = may('money');
  const open = (name: ActionName, can: boolean) => () => (can && allowed ? choose(name) : undefined);
  useShortcuts(Object.fromEntries(rows.map(([name, , key, can]) => [key, open(name, can)])));
  return rows.map(([name, text, key, can, why]) => {
    const off = !can || !allowed;
    return (
      <Tooltip key={name} label={!allowed ? 'Your role cannot move money' : can ? `Key ${key}` : why}>
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
  const [shown, setShown] = useState('all');
  const entries = order.timeline.filter(({ kind }) => shown === 'all' || kind !== 'call');
  return (
    <Panel
      title="Timeline"
      actions={
        <SegmentedControl
          aria-label="What the timeline shows"
          data={[
            { value: 'all', label: 'Everything' },
            { value: 'events', label: 'Without provider calls' },
          ]}
          value={shown}
          onChange={setShown}
        />
      }
      footer={
        <span>
          As of <When at={order.read_at} seconds />
        </span>
      }
    >
      {entries.length === 0 ? (
        <div className="padded muted">
          <Icon name="clock" /> Nothing has happened yet.
        </div>
      ) : (
        <Timeline entries={entries} currency={order.money.currency} />
      )}
    </Panel>
  );
}
