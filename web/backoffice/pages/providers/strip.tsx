// The health of a provider over the last day, and of this contract with it: strips, and each change with its reason.
import type { Contract, HealthStep, ProviderInfo } from '../../../../src/backoffice/wire/account.ts';
import { DAY_MS } from '../../../../src/core/durations.ts';
import { sentence } from '../../base/format.ts';
import { plural, t } from '../../base/texts.ts';
import { When } from '../../parts/show.tsx';

const WIDTH = 480;
const HEIGHT = 14;
const SHOWN = 4;

const WORDS: Readonly<Record<string, string>> = {
  closed: t('takes payments'),
  suspected: t('gets four payments of five'),
  open: t('gets none: it does not answer'),
  half: t('gets one in twenty'),
  spread: t('gets more from second to second'),
};

type Props = {
  readonly provider: Pick<ProviderInfo, 'display_name' | 'state' | 'changes' | 'at'>;
  readonly contract: Pick<Contract, 'name' | 'held' | 'changes'>;
};

export function Strip({ provider, contract }: Props) {
  const { display_name, changes, state, at } = provider;
  const holds = contract.changes.filter(({ scheme }) => scheme === null);
  const all = [
    ...changes.map((step) => ({ step, own: false })),
    ...contract.changes.map((step) => ({ step, own: true })),
  ];
  const newest = all.toSorted((a, b) => Date.parse(a.step.at) - Date.parse(b.step.at)).slice(-SHOWN);
  return (
    <div className="strip">
      <Bar name={display_name} changes={changes} state={state} at={at} />
      {holds.length === 0 ? null : (
        <Bar name={contract.name} changes={holds} state={contract.held === 'open' ? 'open' : 'closed'} at={at} />
      )}
      {newest.length === 0 ? null : (
        <ul className="lines">
          {newest.map(({ step, own }) => (
            <li key={`${step.at} ${step.to}`}>
              <When at={step.at} /> {stepText(step, own)}{' '}
              <span className="muted">{step.by === null ? step.reason : `${step.reason}, ${step.by}`}</span>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

function stepText({ to, from, scheme, by }: HealthStep, own: boolean): string {
  if (scheme !== null) return `${sentence(scheme)}: ${WORDS[to] ?? to}`;
  if (own && to === 'open') return t('this contract gets no new payments');
  if (own) return by !== null && from === 'closed' ? t('this contract takes payments') : t('the hold has ended');
  return WORDS[to] ?? to;
}

type BarProps = {
  readonly name: string;
  readonly changes: readonly HealthStep[];
  readonly state: string;
  readonly at: string;
};

function Bar({ name, changes, state, at }: BarProps) {
  const until = Date.parse(at);
  const from = until - DAY_MS;
  const place = (moment: string) => Math.max(0, ((Date.parse(moment) - from) / DAY_MS) * WIDTH);
  const parts = changes.map((change, i) => {
    const next = changes[i + 1];
    const left = place(change.at);
    return { key: change.at, state: change.to, left, right: next ? place(next.at) : WIDTH };
  });
  const [first] = changes;
  const before = { key: 'before', state: first?.from ?? state, left: 0, right: parts[0]?.left ?? WIDTH };
  return (
    <figure>
      <figcaption className="muted small">
        {plural(
          changes.length,
          '{display_name} over the last 24 hours: {count} change',
          '{display_name} over the last 24 hours: {count} changes',
          { display_name: name },
        )}
      </figcaption>
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
        {[before, ...parts].map((part) => (
          <rect
            key={part.key}
            className={part.state}
            x={part.left}
            y={0}
            width={Math.max(1, part.right - part.left)}
            height={HEIGHT}
          />
        ))}
      </svg>
    </figure>
  );
}
