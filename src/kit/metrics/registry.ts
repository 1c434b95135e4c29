// The counts of a process about itself, as Prometheus reads them (text format 0.0.4). It is our own code, because it is
// small, and the process that holds cards should load no more than it must (docs/decisions/0045). A metric is defined
// once, beside the thing that it measures. A label is a word from a short list, never an id, and a metric has at most
// SERIES of them.
export type Labels = Readonly<Record<string, string>>;
type Kind = 'counter' | 'gauge' | 'histogram';
export type Reading = readonly [labels: Labels, value: number];
/** Reads a figure when it is asked for. What it throws leaves the figure out. */
export type Source = () => Iterable<Reading> | Promise<Iterable<Reading>>;

type Family = {
  readonly name: string;
  readonly help: string;
  readonly kind: Kind;
  lines(): Promise<readonly string[]>;
};

const FAMILIES = new Map<string, Family>();
const SERIES = 500;

function define(family: Family): void {
  if (FAMILIES.has(family.name)) throw new Error(`two metrics are called ${family.name}`);
  FAMILIES.set(family.name, family);
}

/** Names and kinds of all metrics that are defined so far. */
export function metricNames(): ReadonlyMap<string, Kind> {
  return new Map([...FAMILIES.values()].map(({ name, kind }) => [name, kind]));
}

export type Counter = { add(labels: Labels, by?: number): void };

/** A number that only grows. Its name ends with _total. */
export function counter(name: string, help: string): Counter {
  const series = new Map<string, number>();
  const lines = async () => [...series].map(([labels, value]) => `${name}${labels} ${value}`);
  define({ name, help, kind: 'counter', lines });
  return {
    add: (labels, by = 1) => {
      const key = keyOf(labels);
      const known = series.get(key);
      if (known !== undefined || series.size < SERIES) series.set(key, (known ?? 0) + by);
    },
  };
}

export type Gauge = {
  /** Reads here from now on, until what is answered is called. */
  from(source: Source): () => void;
};

/** A number that comes and goes. */
export function gauge(name: string, help: string): Gauge {
  const sources = new Set<Source>();
  const lines = async () => {
    const read = await Promise.all([...sources].map(async (source) => [...(await source())]).map(orNothing));
    return [...new Map(read.flat().map(([labels, value]) => [keyOf(labels), value]))]
      .slice(0, SERIES)
      .map(([labels, value]) => `${name}${labels} ${value}`);
  };
  define({ name, help, kind: 'gauge', lines });
  return {
    from: (source) => {
      sources.add(source);
      return () => sources.delete(source);
    },
  };
}

function orNothing(reading: Promise<Reading[]>): Promise<Reading[]> {
  return reading.catch(() => []);
}

export type Histogram = {
  observe(labels: Labels, value: number): void;
  /** `observe` for these labels: who does it for each request keeps it. */
  series(labels: Labels): (value: number) => void;
};

const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/** How often a value was no more than each bound; seconds unless other bounds are given. */
export function histogram(name: string, help: string, bounds: readonly number[] = SECONDS): Histogram {
  // `counts`: how many were above the bound before and no more than this one
  type Series = { readonly counts: number[]; sum: number; count: number; readonly labels: Labels };
  const series = new Map<string, Series>();
  const upTo = (counts: readonly number[], n: number) => counts.slice(0, n + 1).reduce((sum, one) => sum + one, 0);
  const linesOf = ({ counts, sum, count, labels }: Series) => [
    ...bounds.map((bound, n) => `${name}_bucket${keyOf({ ...labels, le: String(bound) })} ${upTo(counts, n)}`),
    `${name}_bucket${keyOf({ ...labels, le: '+Inf' })} ${count}`,
    `${name}_sum${keyOf(labels)} ${sum}`,
    `${name}_count${keyOf(labels)} ${count}`,
  ];
  define({ name, help, kind: 'histogram', lines: async () => [...series.values()].flatMap(linesOf) });
  const one = (labels: Labels): ((value: number) => void) => {
    const key = keyOf(labels);
    const known = series.get(key) ?? { counts: bounds.map(() => 0), sum: 0, count: 0, labels };
    if (!series.has(key) && series.size >= SERIES) return () => undefined;
    series.set(key, known);
    return (value) => {
      const n = bounds.findIndex((bound) => value <= bound);
      if (n >= 0) known.counts[n] = (known.counts[n] ?? 0) + 1;
      known.sum += value;
      known.count++;
    };
  };
  return { observe: (labels, value) => one(labels)(value), series: one };
}

function keyOf(labels: Labels): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${value.replace(/[\\"\n]/g, escaped)}"`);
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`;
}

function escaped(letter: string): string {
  return letter === '\n' ? '\\n' : `\\${letter}`;
}

/** Everything that is defined, as text. */
export async function exposition(): Promise<string> {
  const parts = await Promise.all(
    [...FAMILIES.values()].map(async ({ name, help, kind, lines }) =>
      [`# HELP ${name} ${help}`, `# TYPE ${name} ${kind}`, ...(await lines())].join('\n'),
    ),
  );
  return `${parts.join('\n')}\n`;
}
