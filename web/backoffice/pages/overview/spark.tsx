// Small drawings that stretch to the width of their place; they have no text that stretching would distort.
import type { Share } from '../../../../src/backoffice/wire/overview.ts';

const WIDTH = 100;
const HEIGHT = 30;

type Props = {
  readonly label: string;
  readonly values?: readonly number[];
  /** Drawn with their intervals; a day without a share is left out. */
  readonly shares?: readonly (Share | null)[];
};

export function Spark({ label, values = [], shares = [] }: Props) {
  const points = shares.length > 0 ? shares : values.map((share) => ({ share, low: share, high: share }));
  const known = points.flatMap((point, n) => (point === null ? [] : [{ ...point, n }]));
  if (known.length < 2) return null;
  const low = shares.length > 0 ? Math.min(...known.map((one) => one.low)) : 0;
  const top = Math.max(...known.map((one) => one.high));
  const x = (n: number) => ((n / (points.length - 1)) * WIDTH).toFixed(1);
  const y = (value: number) => (HEIGHT - 1 - ((value - low) / (top - low || 1)) * (HEIGHT - 2)).toFixed(1);
  const line = known.map(({ n, share }) => `${x(n)},${y(share)}`).join(' ');
  const band = [
    ...known.map((one) => `${x(one.n)},${y(one.high)}`),
    ...known.toReversed().map((one) => `${x(one.n)},${y(one.low)}`),
  ].join(' ');
  return (
    <svg className="spark" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" role="img" aria-label={label}>
      {shares.length > 0 ? <polygon points={band} /> : null}
      <polyline points={line} />
    </svg>
  );
}

type IntervalProps = {
  readonly share: Share;
  /** The start of the scale, 0 to 1; its end is 1. */ readonly from: number;
};

/** Shows a rate and its interval. The same values stand beside it as text. */
export function Interval({ share, from }: IntervalProps) {
  const x = (value: number) => Math.max(0, (value - from) / (1 - from)) * WIDTH;
  return (
    <svg className="interval" viewBox={`0 0 ${WIDTH} 12`} preserveAspectRatio="none" aria-hidden="true">
      <rect className="base" y="5" width={WIDTH} height="2" />
      <rect className="band" x={x(share.low)} y="2" width={Math.max(0.5, x(share.high) - x(share.low))} height="8" />
      <rect className="at" x={Math.min(WIDTH - 1, x(share.share))} y="0" width="1" height="12" />
    </svg>
  );
}
