// What the long runs print: of each kind of fault how long merchants could not pay, and how long refusals took.
import type { Figures } from './shop.ts';

/** The faults of a run that ended well, by their kind. */
export type Seen = ReadonlyMap<string, readonly Figures[]>;

export function tableOf(seen: Seen, acknowledged: number): string {
  const all = [...seen.values()].flat();
  return [
    `${all.length} faults, ${acknowledged} orders acknowledged`,
    '',
    '| fault | times | s without a payment, median (most) | 503 | s until 503, median (p99) | 500 |',
    '|---|---|---|---|---|---|',
    ...[...seen].map(([name, some]) => line(name, some)),
    line('all', all),
  ].join('\n');
}

function line(name: string, all: readonly Figures[]): string {
  const without = all.map(({ without_ms }) => without_ms);
  const refused = all.flatMap(({ refused_ms }) => refused_ms);
  const unknown = all.reduce((sum, one) => sum + one.unknown, 0);
  return `| ${[
    name,
    all.length,
    `${seconds(at(without, 0.5))} (${seconds(at(without, 1))})`,
    refused.length,
    refused.length === 0 ? '' : `${seconds(at(refused, 0.5))} (${seconds(at(refused, 0.99))})`,
    unknown,
  ].join(' | ')} |`;
}

const at = (values: readonly number[], part: number): number =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * part))] ?? NaN;
const seconds = (ms: number): string => (ms / 1000).toFixed(1);
