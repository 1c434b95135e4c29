// deploy/Containerfile, read and carried out: each COPY and RUN of its first stage in an empty folder that is seen as
// /opt/florin.
import { cpSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../start/root.ts';
import { deployText, runIn } from './place.ts';

type Line = { readonly word: string; readonly rest: string };

/** Its lines by stages; comments are left out. */
function stages(): readonly (readonly Line[])[] {
  const lines = deployText('Containerfile')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => ({ word: line.split(' ', 1)[0] ?? '', rest: line.slice(line.indexOf(' ') + 1) }));
  const starts = lines.flatMap(({ word }, i) => (word === 'FROM' ? [i] : []));
  return starts.map((start, i) => lines.slice(start, starts[i + 1]));
}

/** What COPY takes, and where to, in the first stage. */
export function copies(): readonly { readonly from: readonly string[]; readonly to: string }[] {
  return (stages()[0] ?? [])
    .filter(({ word }) => word === 'COPY')
    .map(({ rest }) => {
      const words = rest.split(' ');
      return { from: words.slice(0, -1), to: words.at(-1) ?? '' };
    });
}

export const entrypoint = (): readonly string[] =>
  JSON.parse(
    stages()
      .at(-1)
      ?.find(({ word }) => word === 'ENTRYPOINT')?.rest ?? '[]',
  ) as string[];

/** Answers the folder of /opt/florin as the image has it. */
export function carryOut(folder: string): string {
  const image = join(folder, 'image');
  mkdirSync(image);
  for (const { word, rest } of stages()[0] ?? []) {
    if (word === 'COPY') {
      const words = rest.split(' ');
      const [to = ''] = words.slice(-1);
      for (const from of words.slice(0, -1))
        cpSync(join(ROOT, from), join(image, to === './' ? from : to), { recursive: true });
    }
    if (word === 'RUN') {
      const place = { sees: { '/opt/florin': image }, writes: ['/opt/florin'], cwd: '/opt/florin' };
      // npm finds its registry and its cache as this machine has them
      const machine = Object.entries(process.env).filter(
        ([name]) => !/^(?:FLORIN|VITEST|NODE_(?:OPTIONS|ENV|COMPILE))/.test(name),
      );
      const env = {
        ...Object.fromEntries(machine.map(([name, value = '']) => [name, value])),
        npm_config_prefer_offline: 'true',
      };
      const { code, out } = runIn({ ...place, env }, ['/bin/sh', '-c', rest]);
      if (code !== 0) throw new Error(`${rest}: ${out}`);
    }
  }
  return image;
}
