// What a person should look at, before any figure.
import type { Needs } from '../../../../src/backoffice/wire/overview.ts';
import { useAsk } from '../../base/ask.ts';
import { agoText, countText, moneyText, sentence } from '../../base/format.ts';
import { Link } from '../../base/router.tsx';
import { Icon, type IconName } from '../../parts/icons.tsx';
import { Asked } from '../../parts/page.tsx';

export function NeedsYou() {
  const asked = useAsk('overview', 'GET /needs', { every_ms: 30_000 });
  return (
    <Asked asked={asked} rows={3}>
      {(needs) => (
        <section className="tiles" aria-label="Needs you">
          <Disputes needs={needs} />
          <Unknown needs={needs} />
          <Health needs={needs} />
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

/** By currency: never added up. */
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
      title="Disputes to answer"
      value={none ? 'None' : countText(countOf(disputes))}
      text={
        none
          ? 'No dispute waits for an answer.'
          : `${moneyOf(disputes)} at stake${first ? `, the first is due ${agoText(first)}` : ''}`
      }
      act={none ? 'See disputes' : 'Answer them'}
    />
  );
}

function Unknown({ needs: { in_doubt, refunds_waiting } }: Props) {
  const oldest = oldestOf(in_doubt);
  const none = in_doubt.length === 0;
  const waiting = refunds_waiting === 0 ? '' : ` · ${countText(refunds_waiting)} refunds wait for a second person`;
  return (
    <Tile
      to="/in-doubt"
      tone={none && refunds_waiting === 0 ? 'good' : 'warn'}
      icon={none && refunds_waiting === 0 ? 'check' : 'doubt'}
      title="Outcome unknown"
      value={none ? 'None' : countText(countOf(in_doubt))}
      text={
        (none ? 'Every outcome is known.' : `${moneyOf(in_doubt)}${oldest ? `, oldest ${agoText(oldest)}` : ''}`) +
        waiting
      }
      act={none ? 'See the list' : 'See unknown outcomes'}
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
      ? 'no notification endpoint'
      : failing
        ? `${countText(failing_endpoints)} notification endpoints fail, ${countText(waiting)} waiting`
        : `${countText(waiting)} notifications waiting`;
  const bad = down.length > 0 || failing;
  return (
    <Tile
      to={down.length === 0 && failing ? '/notifications' : '/providers'}
      tone={bad ? 'bad' : 'good'}
      icon={bad ? 'alert' : 'check'}
      title="Providers and notifications"
      value={down.length > 0 ? 'Not responding' : failing ? 'Not delivered' : 'Operational'}
      text={`${down.length > 0 ? `${down.map(({ name }) => sentence(name)).join(', ')} · ` : ''}${well} of ${providers.length} providers · ${told}`}
      act="See the status"
    />
  );
}
