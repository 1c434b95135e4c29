// Reads what `node --cpu-prof` left: the functions a process spent its own time in.
import { readFileSync, readdirSync } from 'node:fs';
import { join, relative } from 'node:path';

type Node = {
  readonly id: number;
  readonly callFrame: { readonly functionName: string; readonly url: string; readonly lineNumber: number };
};
type CpuProfile = { readonly nodes: readonly Node[]; readonly samples: readonly number[]; readonly timeDeltas: readonly number[] };

export type Heavy = { readonly function: string; readonly place: string; readonly share: number; readonly us_each: number };

const ROOT = join(import.meta.dirname, '..');
/** Not work: waiting, and what the profiler itself calls outside. */
const NOT_WORK = new Set(['(idle)', '(root)']);

/** The heaviest by self time; `count` is how many flows the time was spent on. */
export function heaviest(folder: string, count: number, most: number): readonly Heavy[] {
  const file = readdirSync(folder).find((name) => name.endsWith('.cpuprofile'));
  if (file === undefined) return [];
  const profile = JSON.parse(readFileSync(join(folder, file), 'utf8')) as CpuProfile;
  const nodes = new Map(profile.nodes.map((node) => [node.id, node]));
  const spent = new Map<string, number>();
  let total = 0;
  profile.samples.forEach((id, i) => {
    const frame = nodes.get(id)?.callFrame;
    if (!frame || NOT_WORK.has(frame.functionName)) return;
    const us = profile.timeDeltas[i] ?? 0;
    const name = `${frame.functionName || '(anonymous)'}\t${placeOf(frame)}`;
    spent.set(name, (spent.get(name) ?? 0) + us);
    total += us;
  });
  return [...spent]
    .toSorted((a, b) => b[1] - a[1])
    .slice(0, most)
    .map(([name, us]) => {
      const [title = '', place = ''] = name.split('\t');
      return { function: title, place, share: us / total, us_each: us / count };
    });
}

function placeOf({ url, lineNumber }: Node['callFrame']): string {
  if (url === '') return 'native';
  const path = url.startsWith('file://') ? relative(ROOT, new URL(url).pathname) : url;
  return `${path}:${lineNumber + 1}`;
}
