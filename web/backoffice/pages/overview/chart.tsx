// Stacked bars with an axis, and a dashed line for the earlier period. A person can point at a bar, move to it with the
// keyboard, and open the orders of a bar or of one part. A table has the same figures for people who cannot see the
// chart.
import { type KeyboardEvent, type Ref, useState } from 'react';
import { t } from '../../base/texts.ts';
import { useWidth } from '../../base/width.ts';

export type Bar = {
  readonly label: string;
  /** Shown when the bar is chosen. */
  readonly text: string;
  /** From the bottom to the top. */
  readonly parts: readonly { readonly name: string; readonly value: number }[];
};

type Props = {
  readonly ref: Ref<SVGSVGElement>;
  readonly title: string;
  readonly bars: readonly Bar[];
  /** One value for each bar. */
  readonly before: readonly number[] | undefined;
  /** The label of a value on the axis. */
  readonly text: (value: number) => string;
  readonly step: 'hour' | 'day';
  /** Opens the orders of a bar, or of one part of it. */
  readonly open: (bar: number, part?: string) => void;
};

/** The width until the place is measured. */
const USUAL_WIDTH = 720;
const HEIGHT = 260;
const HEAD = 10;
const FOOT = 22;
const PLOT = HEIGHT - HEAD - FOOT;
/** The largest width of a letter on the axis, in pixels. */
const LETTER = 7;
const LABEL_WIDTH = 58;
const TICKS = 4;

/** The smallest round step with which at most TICKS steps reach the top. */
function stepOf(top: number): number {
  const least = Math.max(1, top / TICKS);
  const power = 10 ** Math.floor(Math.log10(least));
  const found = [1, 2, 2.5, 5, 10].map((factor) => factor * power).find((step) => step >= least) ?? least;
  return Math.ceil(found);
}

const sumOf = ({ parts }: Bar) => parts.reduce((sum, { value }) => sum + value, 0);

export function Chart({ ref, title, bars, before, text, step, open }: Props) {
  const [at, setAt] = useState<number>();
  // drawn in real pixels, because scaling would also scale the text
  const [place, width] = useWidth<HTMLElement>(USUAL_WIDTH);
  const top = Math.max(1, ...bars.map(sumOf), ...(before ?? []));
  const tick = stepOf(top);
  const count = Math.ceil(top / tick);
  const ticks = Array.from({ length: count + 1 }, (_, n) => n * tick);
  const y = (value: number) => HEAD + PLOT * (1 - value / (tick * count));
  const left = Math.max(...ticks.map((value) => text(value).length)) * LETTER + 8;
  const each = (width - left) / bars.length;
  const middle = (n: number) => left + (n + 0.5) * each;
  const line = before
    ?.map((value, n) => `${n === 0 ? 'M' : 'L'}${middle(n).toFixed(1)} ${y(value).toFixed(1)}`)
    .join('');
  const keys = (event: KeyboardEvent) => {
    const by = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
    if (by !== 0) {
      event.preventDefault();
      setAt(Math.max(0, Math.min(bars.length - 1, (at ?? (by > 0 ? -1 : bars.length)) + by)));
    }
    if (event.key === 'Enter' && at !== undefined) open(at);
  };
  return (
    <figure className="chart" ref={place}>
      <figcaption className="muted num" aria-live="polite">
        {at === undefined
          ? t('Point at a bar, or walk with the arrow keys; a click opens its orders.')
          : bars[at]?.text}
      </figcaption>
      <svg
        ref={ref}
        viewBox={`0 0 ${width} ${HEIGHT}`}
        role="application"
        aria-label={
          step === 'hour'
            ? t('{title}. Arrow keys walk through the hours, Enter opens the orders of one.', { title })
            : t('{title}. Arrow keys walk through the days, Enter opens the orders of one.', { title })
        }
        tabIndex={0}
        onKeyDown={keys}
        onMouseLeave={() => setAt(undefined)}
        onBlur={() => setAt(undefined)}
      >
        {ticks.map((value) => (
          <g key={value}>
            <line x1={left} x2={width} y1={y(value)} y2={y(value)} className="rule" />
            <text className="axis" x={left - 8} y={y(value) + 4} textAnchor="end">
              {text(value)}
            </text>
          </g>
        ))}
        {bars.map((bar, n) => (
          <g
            key={bar.label + String(n)}
            className={n === at ? 'bar at' : 'bar'}
            onMouseEnter={() => setAt(n)}
            onClick={() => open(n)}
          >
            <rect className="hit" x={left + n * each} y="0" width={each} height={HEIGHT - FOOT} />
            <Stack
              bar={bar}
              x={left + n * each + each * 0.16}
              width={each * 0.68}
              y={y}
              open={(part) => open(n, part)}
            />
          </g>
        ))}
        <Labels bars={bars} each={each} middle={middle} width={width} />
        {line === undefined ? null : <path d={line} className="before" />}
      </svg>
    </figure>
  );
}

type StackProps = {
  readonly bar: Bar;
  readonly x: number;
  readonly width: number;
  readonly y: (value: number) => number;
  readonly open: (part: string) => void;
};

function Stack({ bar, x, width, y, open }: StackProps) {
  let below = 0;
  return bar.parts.map(({ name, value }) => {
    const [from, to] = [y(below), y(below + value)];
    below += value;
    return value === 0 ? null : (
      <rect
        key={name}
        className={`value ${name}`}
        x={x}
        y={to}
        width={width}
        height={from - to}
        onClick={(event) => {
          event.stopPropagation();
          open(name);
        }}
      />
    );
  });
}

/** Possible distances between labels, in bars; the chart takes the smallest that leaves room for them. */
const APART = [1, 2, 3, 4, 6, 7, 12, 14, 30, 61, 91];

type LabelsProps = {
  readonly bars: readonly Bar[];
  readonly each: number;
  readonly middle: (n: number) => number;
  readonly width: number;
};

function Labels({ bars, each, middle, width }: LabelsProps) {
  const every = APART.find((count) => count * each >= LABEL_WIDTH) ?? bars.length;
  const half = LABEL_WIDTH / 2 - 4;
  return bars.map((bar, n) =>
    n % every === 0 && middle(n) <= width - half ? (
      <text key={n} x={middle(n)} y={HEIGHT - 4} textAnchor="middle">
        {bar.label}
      </text>
    ) : null,
  );
}
