// What a person should look at before any figure.
import type { Needs } from '../../../../src/backoffice/wire/overview.ts';
import { useAsk } from '../../base/ask.ts';
import { agoText, countText, moneyText, sentence } from '../../base/format.ts';
import { Link } from '../../base/router.tsx';
import { plural, t } from '../../base/texts.ts';
import { Icon, type IconName } from '../../parts/icons.tsx';
import { Asked } from '../../parts/page.tsx';

export function NeedsYou() {
  const asked = useAsk('overview', 'GET /needs', { every_ms: 30_000 });
  return (
    <Asked asked={asked} rows={3}>
      {(needs) => (
        <section className="tiles" aria-label={t('Needs you')}>
          <Disputes needs={needs} />
          <Unknown needs={needs} />
          <Health needs={needs} />
          {needs.findings.length === 0 ? null : <Findings needs={needs} />}
          {needs.keys_ending.length === 0 ? null : <KeysEnding needs={needs} />}
        </section>
      )}
    </Asked>
  );
}

type TileProps = {
  readonly to: string;
  readonly tone: 'bad' | 'warn' | 'good';
  readonly icon: IconName;
  readonly title: string;
  readonly value: string;
  readonly text: string;
  readonly act: string;
};

function Tile({ to, tone, icon, title, value, text, act }: TileProps) {
  return (
    <Link to={to} className="tile">
      <span className="tile-name">
        <span className={`dot ${tone}`}>
          <Icon name={icon} size={15} />
        </span>
        {title}
      </span>
      <span className="tile-value">{value}</span>
      <span className="tile-text">{text}</span>
      <span className="tile-act">{act}</span>
    </Link>
  );
}

type Sums = readonly Pick<Needs['disputes'][number], 'currency' | 'amount_minor' | 'count'>[];

const countOf = (rows: Sums) => rows.reduce((sum, { count }) => sum + count, 0);

/** One sum for each currency, never added up. */
const moneyOf = (rows: Sums) =>
  rows.map(({ currency, amount_minor }) => `${moneyText(amount_minor, currency)} ${currency}`).join(', ');

const oldestOf = (rows: Needs['in_doubt']) =>
  rows
    .map(({ oldest_at }) => oldest_at ?? '')
    .filter((at) => at !== '')
    .toSorted()[0];

type Props = { readonly needs: Needs };

function Disputes({ needs: { disputes } }: Props) {
  const first = disputes.map(({ next_due_at }) => next_due_at).toSorted()[0];
  const none = disputes.length === 0;
  return (
    <Tile
      to="/disputes"
      tone={none ? 'good' : 'bad'}
      icon={none ? 'check' : 'flag'}
      title={t('Disputes to answer')}
      value={none ? t('None') : countText(countOf(disputes))}
      text={
        none
          ? t('No dispute waits for an answer.')
          : first
            ? t('{amount} at stake, the first is due {due}', { amount: moneyOf(disputes), due: agoText(first) })
            : t('{amount} at stake', { amount: moneyOf(disputes) })
      }
      act={none ? t('See disputes') : t('Answer them')}
    />
  );
}

function Unknown({ needs: { in_doubt, refunds_waiting } }: Props) {
  const oldest = oldestOf(in_doubt);
  const none = in_doubt.length === 0;
  const known = none
    ? t('Every outcome is known.')
    : oldest
      ? t('{amount}, oldest {ago}', { amount: moneyOf(in_doubt), ago: agoText(oldest) })
      : moneyOf(in_doubt);
  const waiting = plural(
    refunds_waiting,
    '{count} refund waits for a second person',
    '{count} refunds wait for a second person',
  );
  return (
    <Tile
      to="/in-doubt"
      tone={none && refunds_waiting === 0 ? 'good' : 'warn'}
      icon={none && refunds_waiting === 0 ? 'check' : 'doubt'}
      title={t('Outcome unknown')}
      value={none ? t('None [outcome]') : countText(countOf(in_doubt))}
      text={refunds_waiting === 0 ? known : `${known} · ${waiting}`}
      act={none ? t('See the list') : t('See unknown outcomes')}
    />
  );
}

function Findings({ needs: { findings } }: Props) {
  return (
    <Tile
      to="/findings"
      tone="bad"
      icon="columns"
      title={t('Reconciliation')}
      value={countText(countOf(findings))}
      text={t("{amount} apart from providers' books, oldest {ago}", {
        amount: moneyOf(findings),
        ago: agoText(findings.map(({ oldest_at }) => oldest_at).toSorted()[0] ?? ''),
      })}
      act={t('See the findings')}
    />
  );
}

function KeysEnding({ needs: { keys_ending } }: Props) {
  return (
    <Tile
      to="/keys"
      tone="warn"
      icon="key"
      title={t('API keys that end')}
      value={countText(keys_ending.length)}
      text={keys_ending
        .map(({ label, ends_at }) => t('{label} ends {due}', { label, due: agoText(ends_at) }))
        .join(' · ')}
      act={t('See the keys')}
    />
  );
}

function Health({ needs: { providers, notifications } }: Props) {
  const down = providers.filter(({ health }) => health === 'down');
  const { waiting, failing_endpoints, endpoints } = notifications;
  const failing = failing_endpoints > 0;
  const well = providers.length - down.length;
  const told =
    endpoints === 0
      ? t('no notification endpoint')
      : failing
        ? plural(
            failing_endpoints,
            '{count} notification endpoint fails, {waiting} waiting',
            '{count} notification endpoints fail, {waiting} waiting',
            { waiting: countText(waiting) },
          )
        : plural(waiting, '{count} notification waiting', '{count} notifications waiting');
  const bad = down.length > 0 || failing;
  return (
    <Tile
      to={down.length === 0 && failing ? '/notifications' : '/providers'}
      tone={bad ? 'bad' : 'good'}
      icon={bad ? 'alert' : 'check'}
      title={t('Providers and notifications')}
      value={down.length > 0 ? t('Not responding') : failing ? t('Not delivered') : t('Operational')}
      text={[
        ...(down.length > 0 ? [down.map(({ name }) => sentence(name)).join(', ')] : []),
        t('{well} of {count} providers', { well, count: providers.length }),
        told,
      ].join(' · ')}
      act={t('See the status')}
    />
  );
}
