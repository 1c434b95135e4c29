// A small chart of the hours of a day against those of a week ago. One can point at an hour, walk to it with the keyboard, and
// open the orders of it; what it shows stands in a table for those who do not see it.
import { type KeyboardEvent, useState } from 'react';
import { countText } from '../../base/format.ts';
import { useWidth } from '../../base/width.ts';

export type Bar = { readonly label: string; readonly value: number; readonly before: number; readonly text: string };

type Props = {
  readonly title: string;
  readonly bars: readonly Bar[];
  /** Opens what the bar is made of. */
  readonly open: (index: number) => void;
};

/** Until the place of the chart is measured. */
const USUAL_WIDTH = 720;
const HEIGHT = 200;
const FOOT = 22;
const SIDE = 4;
/** What the label of an hour takes, with room beside it. */
const LABEL_WIDTH = 54;

export function DayChart({ title, bars, open }: Props) {
  const [at, setAt] = useState<number>();
  // drawn in the pixels of its place: what is scaled would scale its text too
  const [place, width] = useWidth<HTMLElement>(USUAL_WIDTH);
  const top = Math.max(1, ...bars.flatMap(({ value, before }) => [value, before]));
  const step = (width - 2 * SIDE) / bars.length;
  const y = (value: number) => (HEIGHT - FOOT) * (1 - value / top) + 4;
  const before = bars.map((bar, i) => `${i === 0 ? 'M' : 'L'}${SIDE + (i + 0.5) * step} ${y(bar.before)}`).join('');
  const shown = at === undefined ? undefined : bars[at];
  const keys = (event: KeyboardEvent) => {
    const by = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
    if (by !== 0) setAt(Math.max(0, Math.min(bars.length - 1, (at ?? (by > 0 ? -1 : bars.length)) + by)));
    if (event.key === 'Enter' && at !== undefined) open(at);
  };
  return (
    <figure className="chart" ref={place}>
      <figcaption className="row apart">
        <span className="legend">
          <i /> Today <i className="then" /> A week ago
        </span>
        <span className="muted num" aria-live="polite">
          {shown?.text ?? ' '}
        </span>
      </figcaption>
      <svg
        viewBox={`0 0 ${width} ${HEIGHT}`}
        role="application"
        aria-label={`${title}. Arrow keys walk through the hours, Enter opens the orders of one.`}
        tabIndex={0}
        onKeyDown={keys}
        onMouseLeave={() => setAt(undefined)}
        onBlur={() => setAt(undefined)}
      >
        {[0.25, 0.5, 0.75, 1].map((part) => (
          <line key={part} x1="0" x2={width} y1={y(top * part)} y2={y(top * part)} className="rule" />
        ))}
        <Bars bars={bars} step={step} at={at} y={y} show={setAt} open={open} />
        <path d={before} className="before" />
      </svg>
    </figure>
  );
}

/** Labels stand so many hours apart: the fewest that leave them room. */
const HOURS_APART = [1, 2, 3, 4, 6, 12];

type BarsProps = Pick<Props, 'bars' | 'open'> & {
  /** From one bar to the next, in pixels. */
  readonly step: number;
  readonly at: number | undefined;
  readonly y: (value: number) => number;
  readonly show: (index: number) => void;
};

function Bars({ bars, step, at, y, show, open }: BarsProps) {
  const every = HOURS_APART.find((hours) => hours * step >= LABEL_WIDTH) ?? bars.length;
  return bars.map((bar, i) => (
    <g key={bar.label} onMouseEnter={() => show(i)} onClick={() => open(i)} className={i === at ? 'bar at' : 'bar'}>
      <rect className="hit" x={SIDE + i * step} y="0" width={step} height={HEIGHT - FOOT} />
      <rect
        className="value"
        x={SIDE + i * step + step * 0.2}
        y={y(bar.value)}
        width={step * 0.6}
        height={Math.max(0, HEIGHT - FOOT + 4 - y(bar.value))}
        rx="2"
      />
      {i % every === 0 ? (
        <text x={SIDE + (i + 0.5) * step} y={HEIGHT - 3} textAnchor="middle">
          {bar.label}
        </text>
      ) : null}
    </g>
  ));
}

export type Part = { readonly name: string; readonly count: number; readonly note?: string; readonly to?: () => void };

/** Names with a bar each, the longest first; a name that leads somewhere is a button. */
export function Parts({ rows, unit }: { readonly rows: readonly Part[]; readonly unit: string }) {
  const top = Math.max(1, ...rows.map(({ count }) => count));
  return (
    <ul className="parts">
      {rows.map(({ name, count, note, to }) => (
        <li key={name}>
          <div className="row apart">
            {to ? (
              <button type="button" className="plain-link" onClick={to}>
                {name}
              </button>
            ) : (
              <span>{name}</span>
            )}
            <span className="num nowrap">
              {note === undefined ? null : <span className="muted">{note} · </span>}
              {countText(count)} <span className="unseen">{unit}</span>
            </span>
          </div>
          <svg viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true">
            <rect width="100" height="4" className="ground" />
            <rect width={(100 * count) / top} height="4" className="value" />
          </svg>
        </li>
      ))}
    </ul>
  );
}
