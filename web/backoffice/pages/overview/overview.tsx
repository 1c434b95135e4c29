// Today against the same day a week ago; every number leads to the orders it is made of.
import { Button, NumberInput, SegmentedControl, Select } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import type { Overview as Answer, Figures, OverviewOfCurrency } from '../../../../src/backoffice/wire/orders.ts';
import type { DemoOrdersForm } from '../../../../src/backoffice/wire/sandbox.ts';
import { api } from '../../base/api.ts';
import { useAsk } from '../../base/ask.ts';
import {
  agoText,
  countText,
  hourText,
  methodText,
  midnight,
  moneyText,
  percentText,
  sentence,
  utcText,
  zoneName,
} from '../../base/format.ts';
import { go } from '../../base/router.tsx';
import { useSession } from '../../base/session.tsx';
import { useAct } from '../../parts/act.tsx';
import { Icon } from '../../parts/icons.tsx';
import { Asked, Empty, PageHead, Panel } from '../../parts/page.tsx';
import { Money, Tag } from '../../parts/show.tsx';
import { AtStake } from '../disputes/disputes.tsx';
import { queryOf } from '../orders/filters.ts';
import { DayChart, Parts } from './chart.tsx';

export function Overview() {
  const asked = useAsk('overview', 'GET /overview', { every_ms: 30_000, query: { from: midnight() } });
  const [wanted, setWanted] = useState<string>();
  const currencies = asked.data?.currencies ?? [];
  const figures = currencies.find(({ currency }) => currency === wanted) ?? currencies[0];
  const names = currencies.map(({ currency }) => currency);
  return (
    <>
      <PageHead
        title="Overview"
        lead={`Today, in your time zone (${zoneName()}), against the same day a week ago.`}
        actions={
          names.length > 1 ? (
            <CurrencyChoice names={names} value={figures?.currency ?? ''} change={setWanted} />
          ) : undefined
        }
      />
      <Asked asked={asked} rows={14}>
        {(answer) =>
          answer.empty ? (
            <FirstOrders />
          ) : (
            <div className="stack">
              <AtStake leads />
              {figures ? <Day figures={figures} from={answer.from} /> : <QuietDay />}
              <Health answer={answer} />
              {figures ? <Why figures={figures} from={answer.from} /> : null}
            </div>
          )
        }
      </Asked>
    </>
  );
}

type ChoiceProps = {
  readonly names: readonly string[];
  readonly value: string;
  readonly change: (name: string) => void;
};

function CurrencyChoice({ names, value, change }: ChoiceProps) {
  return names.length <= 5 ? (
    <SegmentedControl aria-label="Currency" data={[...names]} value={value} onChange={change} />
  ) : (
    <Select aria-label="Currency" w={110} data={[...names]} value={value} onChange={(name) => change(name ?? '')} />
  );
}

function QuietDay() {
  return (
    <Panel>
      <Empty icon="orders" title="No payments today or a week ago" text="Earlier orders are in the list.">
        <Button variant="default" onClick={() => go('/orders')}>
          Go to orders
        </Button>
      </Empty>
    </Panel>
  );
}

type DayProps = { readonly figures: OverviewOfCurrency; /** The first of its hours. */ readonly from: string };
const HOUR_MS = 3_600_000;
const rateOf = ({ tried, approved }: Figures) => (tried === 0 ? undefined : approved / tried);

function Day({ figures, from: first }: DayProps) {
  const { currency, today: now, week_before: then } = figures;
  const [rate, rate_then] = [rateOf(now), rateOf(then)];
  const money = (minor: number) => `${moneyText(minor, currency)} ${currency}`;
  const hourOf = (hour: number) => new Date(new Date(first).getTime() + hour * HOUR_MS);
  const bars = figures.hours.map((hour, i) => {
    const before = figures.week_before_hours[i]?.volume_minor ?? 0;
    const label = hourText(hourOf(i));
    const utc = utcText(hourOf(i).toISOString()).slice(11, 16);
    const text = `${label} (${utc} UTC): ${money(hour.volume_minor)} in ${countText(hour.tried)} attempts; a week ago ${money(before)}`;
    return { label, value: hour.volume_minor, before, text };
  });
  const open = (hour: number) => {
    const from = hourOf(hour);
    const to = new Date(from.getTime() + HOUR_MS);
    go(`/orders${queryOf({ currency, created_from: from.toISOString(), created_to: to.toISOString() })}`);
  };
  return (
    <Panel>
      <div className="stats padded">
        <Stat label="Authorized volume" delta={part(now.volume_minor, then.volume_minor)}>
          <Money minor={now.volume_minor} currency={currency} />
        </Stat>
        <Stat label="Approval rate" delta={points(rate, rate_then)}>
          {rate === undefined ? '–' : percentText(rate)}
        </Stat>
        <Stat label="Attempts" delta={part(now.tried, then.tried)}>
          {countText(now.tried)}
        </Stat>
        <Stat label="Approved" delta={part(now.approved, then.approved)}>
          {countText(now.approved)}
        </Stat>
      </div>
      <div className="padded chart-wrap">
        <DayChart title={`Authorized volume by hour in ${currency}`} bars={bars} open={open} />
      </div>
    </Panel>
  );
}

type Delta = { readonly text: string; readonly way: 'up' | 'down' | 'same' };

function part(now: number, then: number): Delta | undefined {
  if (then === 0) return undefined;
  const change = now / then - 1;
  return { text: `${change > 0 ? '+' : ''}${percentText(change)}`, way: wayOf(change) };
}

function points(now: number | undefined, then: number | undefined): Delta | undefined {
  if (now === undefined || then === undefined) return undefined;
  const change = Math.round((now - then) * 1000) / 10;
  return { text: `${change > 0 ? '+' : ''}${change} points`, way: wayOf(change) };
}

const wayOf = (change: number) => (change > 0 ? 'up' : change < 0 ? 'down' : 'same');

type StatProps = { readonly label: string; readonly delta: Delta | undefined; readonly children: ReactNode };

function Stat({ label, delta, children }: StatProps) {
  return (
    <div className="stat">
      <div className="label">{label}</div>
      <div className="value">{children}</div>
      <div className={`delta ${delta?.way ?? ''}`}>
        {delta?.text ?? <span className="muted">No data last week</span>}
      </div>
    </div>
  );
}

function Health({ answer }: { readonly answer: Answer }) {
  const { in_doubt, notifications, providers } = answer;
  return (
    <div className="grid-3">
      <Panel title="Outcome unknown" padded>
        {in_doubt.length === 0 ? (
          <p className="muted">
            <Tag tone="good">None</Tag> Every outcome is known.
          </p>
        ) : (
          <ul className="lines">
            {in_doubt.map((row) => (
              <li key={row.currency} className="row apart">
                <button type="button" className="plain-link" onClick={() => go('/in-doubt')}>
                  <Money minor={row.amount_minor} currency={row.currency} />
                </button>
                <span className="muted">
                  {countText(row.count)}, oldest {row.oldest_at === null ? 'now' : agoText(row.oldest_at)}
                </span>
              </li>
            ))}
          </ul>
        )}
      </Panel>
      <Panel title="Notifications" padded>
        {notifications === null ? (
          <p className="muted">No endpoints.</p>
        ) : (
          <p>
            <Tag tone={notifications.failing_endpoints > 0 ? 'bad' : 'good'}>
              {notifications.failing_endpoints > 0 ? `${notifications.failing_endpoints} failing` : 'All delivered'}
            </Tag>{' '}
            <button type="button" className="plain-link" onClick={() => go('/notifications')}>
              {countText(notifications.waiting)} waiting
            </button>
            {notifications.oldest_at === null ? null : (
              <span className="muted">, the oldest from {agoText(notifications.oldest_at)}</span>
            )}
          </p>
        )}
      </Panel>
      <Panel title="Providers" padded>
        {providers.length === 0 ? <p className="muted">No providers.</p> : null}
        <ul className="lines">
          {providers.map(({ name, health }) => (
            <li key={name} className="row apart">
              <span>{sentence(name)}</span>
              <Tag tone={health === 'well' ? 'good' : 'bad'}>
                {health === 'well' ? 'Operational' : 'Not responding'}
              </Tag>
            </li>
          ))}
        </ul>
      </Panel>
    </div>
  );
}

const DECLINED = 'authorization_declined,authentication_declined,risk_assessment_declined';

function Why({ figures, from }: DayProps) {
  const { currency } = figures;
  const open = (filters: object) => () => go(`/orders${queryOf({ currency, created_from: from, ...filters })}`);
  const shares = (rows: readonly (Figures & { readonly name: string })[], filter: 'provider' | 'method') =>
    rows.map((row) => ({
      name: filter === 'method' ? methodText(row.name) : sentence(row.name),
      count: row.tried,
      note: row.tried === 0 ? '–' : `${percentText(row.approved / row.tried)} approved`,
      to: open({ [filter]: row.name }),
    }));
  return (
    <div className="grid-3">
      <Panel title="Declines by reason" padded>
        {figures.declines.length === 0 ? <p className="muted">None today.</p> : null}
        <Parts
          unit="declines"
          rows={figures.declines.map(({ code, text, count }) => ({
            name: sentence(text),
            count,
            note: code,
            to: open({ search: code, status: DECLINED }),
          }))}
        />
      </Panel>
      <Panel title="By provider" padded>
        <Parts unit="payments" rows={shares(figures.by_provider, 'provider')} />
      </Panel>
      <Panel title="By scheme" padded>
        <Parts unit="payments" rows={shares(figures.by_method, 'method')} />
      </Panel>
    </div>
  );
}

function FirstOrders() {
  const { may, state } = useSession();
  const [count, setCount] = useState(25);
  const make = useAct({
    run: () => api('POST /sandbox/orders', { body: { count } satisfies DemoOrdersForm }),
    said: ({ orders }) => `${orders} test orders were made`,
    stale: ['overview', 'orders'],
  });
  const can = state.environment === 'sandbox' && may('sandbox');
  return (
    <Panel>
      <Empty
        icon="overview"
        title="No payments yet"
        text={
          can
            ? 'Make some test orders to see what this page looks like, or send the first one with your sandbox key.'
            : 'Volume, approval rate and declines appear here with the first payment.'
        }
      >
        {can ? (
          <>
            <NumberInput
              aria-label="How many"
              w={90}
              min={1}
              max={200}
              value={count}
              onChange={(value) => setCount(Number(value) || 1)}
            />
            <Button loading={make.isPending} leftSection={<Icon name="play" size={16} />} onClick={() => make.mutate()}>
              Make test orders
            </Button>
          </>
        ) : null}
        <Button variant="default" onClick={() => go('/keys')}>
          Go to API keys
        </Button>
      </Empty>
    </Panel>
  );
}
