// A real browser for tests: the Chromium that npm brought, the same on every machine; another one only by
// CHROMIUM_PATH.
import { type Browser, chromium } from 'playwright-core';
import { USUAL } from '../temporary.ts';

const QUIET = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-sync'];
const NO_CALLS_HOME = ['--disable-background-networking', '--disable-component-update', '--disable-default-apps'];

let usual: Promise<Browser> | undefined;

/**
 * One browser for all files of a worker, which run one after the other: what a file opened in it is closed when it
 * closes it. With options of its own it is the file's alone.
 */
export function openBrowser(more: readonly string[] = []): Promise<Browser> {
  if (more.length > 0) return launch(more);
  usual ??= launch([]).then((browser) =>
    Object.assign(browser, {
      close: async () => {
        await Promise.all(browser.contexts().map((context) => context.close()));
      },
    }),
  );
  return usual;
}

/** What a page is waited for, as a poll is (vitest.config.ts); Playwright's own 30 s are over on a busy machine. */
const LONGEST_MS = 60_000;

async function launch(more: readonly string[]): Promise<Browser> {
  const browser = await chromium.launch({
    executablePath: await executable(),
    args: [...QUIET, ...NO_CALLS_HOME, ...more],
    timeout: LONGEST_MS,
  });
  const newContext = browser.newContext.bind(browser);
  // a page of its own is opened in a context of its own, by the same
  browser.newContext = async (options) => {
    const context = await newContext(options);
    context.setDefaultTimeout(LONGEST_MS);
    return context;
  };
  return browser;
}

async function executable(): Promise<string> {
  const named = process.env['CHROMIUM_PATH'];
  if (named !== undefined && named !== '') return named;
  // makes the package unpack the libraries it needs, too; its own fonts have no Arabic, so to look at pictures of that
  // FONTCONFIG_PATH=/etc/fonts is set
  process.env['AWS_LAMBDA_JS_RUNTIME'] ??= 'nodejs24.x';
  // unpacked once for all runs
  const { TMPDIR } = process.env;
  process.env['TMPDIR'] = USUAL;
  try {
    const { default: packed } = await import('@sparticuz/chromium');
    return await packed.executablePath();
  } finally {
    process.env['TMPDIR'] = TMPDIR ?? USUAL;
  }
}
