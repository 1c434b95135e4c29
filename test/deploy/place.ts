// A place where files lie at the paths that deploy/ names: a mount namespace with layers over /etc, /opt, /var and /run
// that are gone with it. Nothing of the machine is changed. Root only, on Linux: elsewhere these tests are skipped.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../start/root.ts';

export const inDeploy = (...path: readonly string[]) => join(ROOT, 'deploy', ...path);
export const deployText = (...path: readonly string[]) => readFileSync(inDeploy(...path), 'utf8');

/** Whether a program is there: by its own word, or as its name. */
export function hasProgram(name: string): boolean {
  return spawnSync('/bin/sh', ['-c', `command -v ${name}`]).status === 0;
}

export type Place = {
  /** By the path at which it is seen: the file or folder that is seen there, as read-only. */
  readonly sees: Readonly<Record<string, string>>;
  /** These may be written, too. */
  readonly writes?: readonly string[];
  /** Only processes are seen of /proc, and only one's own: as ProcSubset and ProtectProc have it. */
  readonly own_processes?: true;
  /** Who runs the command; root otherwise. */
  readonly uid?: number;
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
};

const LAYERS = ['etc', 'opt', 'var', 'run'];

const LAY = `mount -t tmpfs tmpfs /mnt
for d in ${LAYERS.join(' ')}; do
  mkdir -p /mnt/$d.up /mnt/$d.work
  mount -t overlay overlay -o lowerdir=/$d,upperdir=/mnt/$d.up,workdir=/mnt/$d.work /$d
done
`;

const quoted = (text: string) => `'${text.replaceAll("'", String.raw`'\''`)}'`;

function script({ sees, writes = [], own_processes, uid, cwd = '/' }: Place, command: readonly string[]): string {
  const mounts = Object.entries(sees).map(([at, real]) => {
    const made = `if [ -d ${quoted(real)} ]; then mkdir -p ${quoted(at)}; else mkdir -p "$(dirname ${quoted(at)})"; : >${quoted(at)}; fi`;
    const held = writes.includes(at) ? '' : `; mount -o remount,bind,ro ${quoted(at)}`;
    return `${made}; mount --bind ${quoted(real)} ${quoted(at)}${held}`;
  });
  const who =
    uid === undefined ? [] : ['setpriv', `--reuid=${uid}`, `--regid=${uid}`, '--clear-groups', '--no-new-privs'];
  if (own_processes) mounts.push('mount -t proc -o subset=pid,hidepid=invisible proc /proc');
  return `set -e\n${LAY}${mounts.join('\n')}\ncd ${quoted(cwd)}\nexec ${[...who, ...command].map(quoted).join(' ')}`;
}

function environment(env: Place['env']): Record<string, string> {
  return { PATH: process.env['PATH'] ?? '', LANG: 'C.UTF-8', ...env };
}

export type Said = { readonly code: number | null; readonly out: string };

/** Runs a command to its end. */
export function runIn(place: Place, command: readonly string[]): Said {
  const done = spawnSync('unshare', ['-m', '/bin/sh', '-c', script(place, command)], {
    env: environment(place.env),
    encoding: 'utf8',
    timeout: 300_000,
  });
  return { code: done.status, out: `${done.stdout}${done.stderr}` };
}

export function startIn(place: Place, command: readonly string[]): { readonly child: ChildProcess; out(): string } {
  const child = spawn('unshare', ['-m', '/bin/sh', '-c', script(place, command)], {
    env: environment(place.env),
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  let out = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (out += text));
  return { child, out: () => out };
}

/** Whether such places can be made here. */
export const has_places =
  process.platform === 'linux' &&
  process.getuid?.() === 0 &&
  hasProgram('unshare') &&
  hasProgram('setpriv') &&
  runIn({ sees: {} }, ['true']).code === 0;
