// npm run site: writes what the pages are made of, installs Astro where that was not done yet, builds, and puts the pages where
// the payment host finds them. With --check nothing is kept: what is committed must be what a build makes now.
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { siteContent } from './content.ts';
import { BUILT, FINGERPRINT, SITE, filesBelow, fingerprint } from './sources.ts';

const OUT = join(SITE, '.out');
const MADE = join(SITE, '.made');
const LOCK = join(SITE, 'package-lock.json');
const INSTALLED = join(SITE, 'node_modules/.installed');

const content = siteContent();
writeContent();
install();
// what an earlier build kept of pages is not made anew for another setting
for (const kept of ['.astro', 'node_modules/.astro']) rmSync(join(SITE, kept), { recursive: true, force: true });
run(process.execPath, ['node_modules/astro/bin/astro.mjs', 'build', '--silent']);
writeFileSync(join(OUT, FINGERPRINT), `${fingerprint(content)}\n`);
if (process.argv.includes('--check')) check();
else keep();

function writeContent(): void {
  rmSync(MADE, { recursive: true, force: true });
  for (const [name, text] of content) {
    const file = join(MADE, name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
}

function install(): void {
  const wanted = readFileSync(LOCK, 'utf8');
  if (existsSync(INSTALLED) && readFileSync(INSTALLED, 'utf8') === wanted) return;
  run('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error']);
  writeFileSync(INSTALLED, wanted);
}

/** In site/, with the Node of this project first: npm chooses by it what fits. */
function run(command: string, args: readonly string[]): void {
  const { status, error } = spawnSync(command, args, {
    cwd: SITE,
    stdio: ['ignore', 'inherit', 'inherit'],
    shell: process.platform === 'win32' && command === 'npm',
    env: {
      ...process.env,
      PATH: [dirname(process.execPath), process.env['PATH']].join(delimiter),
      ASTRO_TELEMETRY_DISABLED: '1',
    },
  });
  if (error) throw error;
  if (status !== 0) process.exit(status ?? 1);
}

function keep(): void {
  rmSync(BUILT, { recursive: true, force: true });
  cpSync(OUT, BUILT, { recursive: true });
  console.log(`written: ${filesBelow(BUILT).length} files in web/site-built`);
}

function check(): void {
  const names = new Set([...filesBelow(OUT), ...filesBelow(BUILT)]);
  const stale = [...names].filter((name) => !same(join(OUT, name), join(BUILT, name)));
  if (stale.length === 0) return console.log('web/site-built is what its sources make');
  console.error(`Not what their sources make, in web/site-built: ${stale.join(', ')}. Make them with: npm run site`);
  process.exit(1);
}

function same(a: string, b: string): boolean {
  return existsSync(a) && existsSync(b) && readFileSync(a).equals(readFileSync(b));
}
