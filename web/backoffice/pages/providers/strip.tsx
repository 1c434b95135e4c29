// How a provider was over the last day: a strip, and what changed with its reason.
import type { ProviderInfo } from '../../../../src/backoffice/wire/account.ts';
import { t } from '../../base/texts.ts';
import { When } from '../../parts/show.tsx';

const WIDTH = 480;
const HEIGHT = 14;
const DAY_MS = 86_400_000;

const WORDS: Readonly<Record<string, string>> = {
  closed: t('takes payments'),
  open: t('gets none: it does not answer'),
  half: t('gets one in twenty'),
  spread: t('gets more from second to second'),
};

export function Strip({
  provider,
}: {
  readonly provider: Pick<ProviderInfo, 'display_name' | 'state' | 'changes' | 'at'>;
}) {
  const { changes, state, at } = provider;
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
    <div className="strip">
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        role="img"
        aria-label={t('{display_name} over the last 24 hours: {count} changes', {
          display_name: provider.display_name,
          count: changes.length,
        })}
      >
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
      {changes.length === 0 ? null : (
        <ul className="lines">
          {changes.slice(-4).map((change) => (
            <li key={`${change.at} ${change.to}`}>
              <When at={change.at} /> {WORDS[change.to] ?? change.to}{' '}
              <span className="muted">{change.by === null ? change.reason : `${change.reason}, ${change.by}`}</span>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
