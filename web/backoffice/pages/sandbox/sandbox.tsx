// The sandbox's own page: test cards with their meaning, the clock, and faults to arm.
import { Button, TextInput } from '@mantine/core';
import { useState } from 'react';
import { grouped } from '../../../../src/core/card.ts';
import type { DemoOrdersForm, SandboxState, Scenario, TestCard } from '../../../../src/backoffice/wire/sandbox.ts';
import { DAY_S, HOUR_S } from '../../../../src/core/durations.ts';
import { api } from '../../base/api.ts';
import { useAsk } from '../../base/ask.ts';
import { plainText, sentence, timeText, utcText } from '../../base/format.ts';
import { useSession } from '../../base/session.tsx';
import { plural, t } from '../../base/texts.ts';
import { useAct } from '../../parts/act.tsx';
import { Asked, Empty, PageHead, Panel } from '../../parts/page.tsx';
import { CopyButton, Tag } from '../../parts/show.tsx';
import { Arm } from './arm.tsx';
import { MailboxPanel } from './mailbox.tsx';
import { Heard } from '../../parts/table.tsx';

export function Sandbox() {
  const asked = useAsk('sandbox', 'GET /sandbox', { every_ms: 15_000 });
  const make = useAct({
    run: () => api('POST /sandbox/orders', { body: { count: 25 } satisfies DemoOrdersForm }),
    said: ({ orders }) => plural(orders, '{count} test order was made', '{count} test orders were made'),
    stale: ['overview', 'orders'],
  });
  const { may } = useSession();
  return (
    <>
      <PageHead
        title={t('Sandbox')}
        lead={t(
          'No real provider is ever called from here. Cards do what the table says; the clock moves every expiry; an armed fault applies to the next matching call.',
        )}
        actions={
          may('sandbox') && asked.data?.can_make_orders ? (
            <Button variant="default" loading={make.isPending} onClick={() => make.mutate()}>
              {t('Make 25 test orders')}
            </Button>
          ) : undefined
        }
      />
      <Asked asked={asked}>
        {(state) => (
          <div className="stack">
            <div className="grid-2">
              <Clock state={state} />
              <Arm state={state} />
            </div>
            <Armed scenarios={state.scenarios} />
            <MailboxPanel />
            <Cards cards={state.cards} />
          </div>
        )}
      </Asked>
    </>
  );
}

const STEPS = [
  [900, t('15 minutes')],
  [HOUR_S, t('1 hour')],
  [DAY_S, t('1 day')],
  [604_800, t('7 days')],
  [2_678_400, t('31 days')],
] as const;

function Clock({ state: { clock } }: { readonly state: SandboxState }) {
  const advance = useAct<number>({
    run: (advance_s) => api('POST /sandbox/clock', { body: { advance_s } }),
    said: t('Clock moved; everything due has run'),
    stale: ['sandbox', 'orders', 'order', 'overview', 'doubt', 'deliveries'],
  });
  return (
    <Panel title={t('Clock')} lead={t('It only moves forward.')} padded>
      <div className="stack">
        <div>
          <div className="big num" title={utcText(clock.now)}>
            {timeText(clock.now, true)}
          </div>
          <p className="muted">
            {clock.shift_s === 0
              ? t('Real time')
              : t('Ahead of the real time by {length}', { length: lengthText(clock.shift_s) })}
          </p>
        </div>
        <div className="row" role="group" aria-label={t('Move the clock forward by')}>
          {STEPS.map(([seconds, text]) => (
            <Button
              key={seconds}
              size="xs"
              variant="default"
              loading={advance.isPending && advance.variables === seconds}
              disabled={advance.isPending}
              onClick={() => advance.mutate(seconds)}
            >
              {`+ ${text}`}
            </Button>
          ))}
        </div>
      </div>
    </Panel>
  );
}

function lengthText(seconds: number): string {
  const days = Math.trunc(seconds / DAY_S);
  const hours = Math.trunc((seconds % DAY_S) / HOUR_S);
  const minutes = Math.trunc((seconds % HOUR_S) / 60);
  return [
    days > 0 ? t('{days} d', { days }) : '',
    hours > 0 ? t('{hours} h', { hours }) : '',
    t('{minutes} min', { minutes }),
  ]
    .filter((part) => part !== '')
    .join(' ');
}

function Armed({ scenarios }: { readonly scenarios: readonly Scenario[] }) {
  const clear = useAct({
    run: () => api('DELETE /sandbox/scenarios'),
    said: t('All faults removed'),
    stale: ['sandbox'],
  });
  return (
    <Panel
      title={t('Armed faults')}
      actions={
        scenarios.length > 0 ? (
          <Button size="xs" variant="default" loading={clear.isPending} onClick={() => clear.mutate()}>
            {t('Remove all')}
          </Button>
        ) : undefined
      }
    >
      {scenarios.length === 0 ? (
        <p className="padded muted">{t('None: every call does what its card says.')}</p>
      ) : (
        <table className="table cards">
          <Heard columns={[t('Operation'), t('Fault'), t('Limited to'), t('Calls left')]} />
          <tbody>
            {scenarios.map((scenario, i) => (
              <tr key={`${i} ${plainText(scenario['operation'])}`}>
                <td className="strong">{sentence(plainText(scenario['operation']))}</td>
                <td>
                  <Tag tone="warn">{sentence(plainText(scenario['fault']))}</Tag>
                </td>
                <td className="muted">{narrowed(scenario)}</td>
                <td className="muted nowrap">{toGo(scenario)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Panel>
  );
}

const NARROWING: readonly (readonly [string, (said: string) => string])[] = [
  ['provider', (provider) => t('at {provider}', { provider })],
  ['code', (code) => t('code {code}', { code })],
  ['delay_ms', (ms) => t('{ms} ms late', { ms })],
  ['seconds', (seconds) => t('for {seconds} s', { seconds })],
  ['order_id', (id) => t('order {id}', { id })],
  ['order_merchant_id', (id) => t('order {id}', { id })],
  ['amount', (amount) => t('amount {amount}', { amount })],
  ['card_4_digits', (said) => `card ···· ${said}`],
];

/** The filter of a scenario in words: at simulator, code 420100, card ···· 4242. */
function narrowed(scenario: Scenario): string {
  const match = scenario['match'];
  const said: Readonly<Record<string, unknown>> = { ...scenario, ...(typeof match === 'object' ? match : {}) };
  const given = NARROWING.map(([name, words]) => [plainText(said[name]), words] as const);
  const parts = given.filter(([text]) => text !== '').map(([text, words]) => words(text));
  return parts.join(', ') || t('Any call');
}

function toGo(scenario: Scenario): string {
  const remaining = plainText(scenario['remaining']) || '1';
  return plural(Number(remaining), '{count} call left', '{count} calls left');
}

function Cards({ cards }: { readonly cards: readonly TestCard[] }) {
  const [search, setSearch] = useState('');
  const wanted = search.toLowerCase().replaceAll(' ', '');
  const shown = cards.filter((card) =>
    `${card.number}${card.does}${card.codes.join('')}`.toLowerCase().replaceAll(' ', '').includes(wanted),
  );
  return (
    <Panel title={t('Test cards')} lead={t('Any expiry in the future and any cvc of the right length.')}>
      <div className="filters">
        <TextInput
          className="search"
          aria-label={t('Search test cards')}
          placeholder={t('Number, what it does, or code')}
          value={search}
          onChange={(event) => setSearch(event.currentTarget.value)}
        />
      </div>
      {shown.length === 0 ? <Empty icon="card" title={t('No cards match')} /> : null}
      <div className="table-wrap">
        <table className="table cards">
          <Heard columns={[t('Card'), t('What it does'), t('Result codes')]} />
          <tbody>
            {shown.map((card) => (
              <tr key={card.number}>
                <td>
                  <span className="row nowrap">
                    <code className="num">{grouped(card.number)}</code>
                    <CopyButton text={card.number} label={t('Copy {number}', { number: card.number })} />
                  </span>
                </td>
                <td className="line" lang="en">
                  {sentence(card.does)}
                </td>
                <td className="right">
                  <code>{card.codes.join(', ')}</code>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Panel>
  );
}
