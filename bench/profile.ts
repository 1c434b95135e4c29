// Reads what `node --cpu-prof` left: the functions a process spent its own time in.
import { readFileSync, readdirSync } from 'node:fs';
import { join, relative } from 'node:path';

type Node = {
  readonly id: number;
  readonly callFrame: { readonly functionName: string; readonly url: string; readonly lineNumber: number };
};
type CpuProfile = {
  readonly nodes: readonly Node[];
  readonly samples: readonly number[];
  readonly timeDeltas: readonly number[];
};

export type Heavy = {
  readonly function: string;
  readonly place: string;
  readonly share: number;
  readonly us_each: number;
};

const ROOT = join(import.meta.dirname, '..');
/** Not work: waiting, and what the profiler itself calls outside. */
const NOT_WORK = new Set(['(idle)', '(root)']);

export type Profile = {
  /** By self time. */
  readonly functions: readonly Heavy[];
  /** The same by where the code comes from: a folder of ours, a package, a part of Node. */
  readonly areas: readonly Heavy[];
};

type Reading = {
  /** How many flows the time was spent on. */
  readonly count: number;
  /** The start of the process, which is not looked at. */
  readonly skip_ms: number;
  readonly most: number;
};

export function readProfile(folder: string, { count, skip_ms, most }: Reading): Profile {
  const file = readdirSync(folder).find((name) => name.endsWith('.cpuprofile'));
  if (file === undefined) throw new Error(`the service left no profile in ${folder}`);
  const profile = JSON.parse(readFileSync(join(folder, file), 'utf8')) as CpuProfile;
  const nodes = new Map(profile.nodes.map((node) => [node.id, node]));
  const functions = new Map<string, number>();
  const areas = new Map<string, number>();
  let total = 0;
  let at = 0;
  profile.samples.forEach((id, i) => {
    const us = profile.timeDeltas[i] ?? 0;
    at += us;
    const frame = nodes.get(id)?.callFrame;
    if (!frame || NOT_WORK.has(frame.functionName) || at < skip_ms * 1000) return;
    const place = placeOf(frame);
    add(functions, `${frame.functionName || '(anonymous)'}\t${place}`, us);
    add(areas, `${place === 'native' ? frame.functionName : areaOf(place)}\t`, us);
    total += us;
  });
  const sorted = (spent: ReadonlyMap<string, number>) =>
    [...spent]
      .toSorted((a, b) => b[1] - a[1])
      .slice(0, most)
      .map(([name, us]) => {
        const [title = '', place = ''] = name.split('\t');
        return { function: title, place, share: us / total, us_each: us / count };
      });
  return { functions: sorted(functions), areas: sorted(areas) };
}

function add(spent: Map<string, number>, name: string, us: number): void {
  spent.set(name, (spent.get(name) ?? 0) + us);
}

function areaOf(place: string): string {
  const [first = '', second = '', third = ''] = place.split('/');
  if (first === 'node_modules') return second.startsWith('@') ? `${second}/${third}` : second;
  return place.startsWith('node:') ? place.replace(/:\d+$/, '') : `${first}/${second}`;
}

function placeOf({ url, lineNumber }: Node['callFrame']): string {
  if (url === '') return 'native';
  const path = url.startsWith('file://') ? relative(ROOT, new URL(url).pathname) : url;
  return `${path}:${lineNumber + 1}`;
}
