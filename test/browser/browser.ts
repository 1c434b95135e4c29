// A real browser for tests: the machine's Chromium when there is one, else the one npm ci brought.
import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

const ON_THE_MACHINE = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
const QUIET = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-sync'];
const NO_CALLS_HOME = ['--disable-background-networking', '--disable-component-update', '--disable-default-apps'];

export async function openBrowser(more: readonly string[] = []): Promise<Browser> {
  return chromium.launch({ executablePath: await executable(), args: [...QUIET, ...NO_CALLS_HOME, ...more] });
}

async function executable(): Promise<string> {
  const named = process.env['CHROMIUM_PATH'];
  const found = [...(named === undefined ? [] : [named]), ...ON_THE_MACHINE].find((path) => existsSync(path));
  if (found !== undefined) return found;
  // makes the package unpack the libraries it needs, too; its own fonts have no Arabic, so whoever wants to look at pictures of
  // that says FONTCONFIG_PATH=/etc/fonts
  process.env['AWS_LAMBDA_JS_RUNTIME'] ??= 'nodejs24.x';
  const { default: packed } = await import('@sparticuz/chromium');
  return packed.executablePath();
}
