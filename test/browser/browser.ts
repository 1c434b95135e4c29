// A real browser for tests: the Chromium that npm brought, the same on every machine; another one only by CHROMIUM_PATH.
import { type Browser, chromium } from 'playwright-core';

const QUIET = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-sync'];
const NO_CALLS_HOME = ['--disable-background-networking', '--disable-component-update', '--disable-default-apps'];

export async function openBrowser(more: readonly string[] = []): Promise<Browser> {
  return chromium.launch({ executablePath: await executable(), args: [...QUIET, ...NO_CALLS_HOME, ...more] });
}

async function executable(): Promise<string> {
  const named = process.env['CHROMIUM_PATH'];
  if (named !== undefined && named !== '') return named;
  // makes the package unpack the libraries it needs, too; its own fonts have no Arabic, so to look at pictures of that
  // FONTCONFIG_PATH=/etc/fonts is set
  process.env['AWS_LAMBDA_JS_RUNTIME'] ??= 'nodejs24.x';
  const { default: packed } = await import('@sparticuz/chromium');
  return packed.executablePath();
}
