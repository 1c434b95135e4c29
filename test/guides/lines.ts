// The lines of a page as a reader runs them: in one shell, from the first to the last; those of the second terminal in
// another one. Only the address of the shop is another than printed; API and VAULT are variables that the lines
// themselves take.
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ownPort } from '../ports.ts';
import type { World } from '../world.ts';
import { type Block, type Page, ROOT, kindOf } from './pages.ts';

export type Played = {
  readonly code: number | null;
  /** What each block of lines printed, by its line on the page. */
  readonly printed: ReadonlyMap<number, string>;
  /** Everything, to be shown when it went wrong. */
  readonly all: string;
};

const PRINTED = 'http://127.0.0.1:3000';
/** Lines that wait for what does not come. */
const LONGEST_MS = 90_000;
/** A line on its own that no example prints. */
const mark = (block: Block) => `@@ line ${block.line}`;

/** A folder with what the lines expect beside them. */
export function readersFolder(w: World): Disposable & { readonly path: string } {
  const path = mkdtempSync(join(tmpdir(), 'florin-guide-'));
  for (const name of ['examples', 'bin', 'src', 'package.json', 'node_modules'])
    symlinkSync(fileURLToPath(new URL(name, ROOT)), join(path, name));
  symlinkSync(w.data_dir, join(path, 'data'));
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) };
}

/** Without what a run of tests itself is told; with where this Florin is, and the Node of the test. */
export function readersEnvironment(w: World, port: number): Readonly<Record<string, string | undefined>> {
  const { base_url, vault_url } = w.service.addresses;
  const inherited = Object.entries(process.env).filter(([name]) => !/^(?:FLORIN|VITEST|NODE)_|^PORT$/.test(name));
  return {
    ...Object.fromEntries(inherited),
    PATH: `${dirname(process.execPath)}:${process.env['PATH'] ?? ''}`,
    API: base_url,
    VAULT: vault_url,
    SHOP: `http://127.0.0.1:${port}`,
    PORT: String(port),
    FLORIN_API_PORT: new URL(base_url).port,
    FLORIN_VAULT_PORT: new URL(vault_url).port,
  };
}

export async function playLines(page: Page, w: World): Promise<Played> {
  using folder = readersFolder(w);
  const port = await ownPort();
  const out = join(folder.path, 'out');
  mkdirSync(out);
  const parts = page.blocks.map((block) => {
    const lines = block.text
      .replaceAll(PRINTED, `http://127.0.0.1:${port}`)
      .replaceAll('127.0.0.1:3000', `127.0.0.1:${port}`);
    const kind = kindOf(block);
    if (kind === 'lines') return `printf '\\n%s\\n' '${mark(block)}'\n${lines}`;
    if (kind !== 'second terminal') return '';
    const file = join(out, String(block.line));
    writeFileSync(`${file}.sh`, lines);
    return `env -u PRIVATE_KEY -u PUBLIC_KEY sh -e '${file}.sh' >'${file}' 2>&1 &
other=$!; until grep -Eqi 'listening|started' '${file}'; do kill -0 $other || { cat '${file}'; exit 9; }; sleep 0.1; done\n`;
  });
  const { code, printed } = await shell(parts.join('\n'), { cwd: folder.path, env: readersEnvironment(w, port) });
  const second = page.blocks.filter((block) => kindOf(block) === 'second terminal');
  const others = second.map(({ line }) => [line, readFileSync(join(out, String(line)), 'utf8')] as const);
  const own = printed
    .split(/^@@ line /m)
    .map((part) => [Number.parseInt(part, 10), part.replace(/^\d+\n/, '')] as const);
  return {
    code,
    printed: new Map([...own, ...others]),
    all: [printed, ...others.map(([, text]) => text)].join('\n'),
  };
}

type Where = { readonly cwd: string; readonly env: NodeJS.ProcessEnv };

/** Runs a script to its end, and ends whatever it left running. */
async function shell(script: string, where: Where): Promise<{ code: number | null; printed: string }> {
  const child = spawn('sh', ['-e', '-c', script], { ...where, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
  let printed = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (printed += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (printed += text));
  const end = () => {
    try {
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
    } catch {
      // nothing was left
    }
  };
  const give_up = setTimeout(end, LONGEST_MS);
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject).once('exit', resolve);
  });
  clearTimeout(give_up);
  end();
  return { code, printed };
}

/** Whether something is as a page shows it: `…` stands for what is another each time. */
export function isAs(shown: string, real: string): boolean {
  const parts = shown.split('…').map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${parts.join('[\\s\\S]*?')}$`).test(real);
}

/** Members that a page shows and the answer does not have so. */
export function differences(shown: unknown, real: unknown, path = ''): string[] {
  if (typeof shown === 'string' && shown.includes('…'))
    return isAs(shown, String(real)) ? [] : [`${path}: ${String(real)}`];
  if (typeof shown !== 'object' || shown === null)
    return Object.is(shown, real) ? [] : [`${path}: ${JSON.stringify(real)}, not ${JSON.stringify(shown)}`];
  if (typeof real !== 'object' || real === null) return [`${path}: ${JSON.stringify(real)}`];
  const members = new Map(Object.entries(real));
  return Object.entries(shown).flatMap(([name, value]) => differences(value, members.get(name), `${path}.${name}`));
}
