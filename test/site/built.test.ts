// The built pages as they are committed and served: fresh, of a size that opens quickly, complete, and with the headers
// they need.
import { readFileSync, readdirSync, statSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { siteContent } from '../../site/make/content.ts';
import { BUILT, FINGERPRINT, fingerprint } from '../../site/make/sources.ts';
import { PROBLEM_PAGES } from '../../src/core/refusals.ts';
import { RESULTS } from '../../src/core/results.ts';
import { StaticFiles } from '../../src/kit/web/static-files.ts';
import { type World, world } from '../world.ts';

const names = readdirSync(BUILT, { recursive: true, encoding: 'utf8' });
const pages = names.filter((name) => name.endsWith('.html'));
const read = (name: string) => readFileSync(`${BUILT}${name}`, 'utf8');

describe('web/site-built', () => {
  test('is made from the sources as they are now (else: npm run site)', () => {
    expect(read(FINGERPRINT).trim()).toBe(fingerprint(siteContent()));
  });

  test('a change of any source is seen', () => {
    const content = siteContent();
    expect(fingerprint(new Map([...content, ['settings.md', '']]))).not.toBe(fingerprint(content));
  });

  test('has no page of more than 150 kB, and none with a style or script in it', () => {
    expect(pages.length).toBeGreaterThan(100);
    expect(pages.filter((name) => read(name).length > 150_000)).toEqual([]);
    expect(
      pages.filter((name) => /\sstyle="|\son\w+="|<style/.test(read(name).replace(/<code[\s\S]*?<\/code>/g, ''))),
    ).toEqual([]);
    expect(pages.filter((name) => /<script(?![^>]*\ssrc=)/.test(read(name)))).toEqual([]);
  });

  test('is no more than 7 MB in 500 files, with 2 MB of pictures: what every page repeats is short', () => {
    const files = names.filter((name) => statSync(`${BUILT}${name}`).isFile());
    expect(files.length).toBeLessThan(500);
    const sizeOf = (some: readonly string[]) => some.reduce((sum, name) => sum + statSync(`${BUILT}${name}`).size, 0);
    const pictures = files.filter((name) => name.startsWith('pictures/'));
    expect(sizeOf(files) - sizeOf(pictures)).toBeLessThan(7_000_000);
    expect(sizeOf(pictures)).toBeLessThan(2_000_000);
  });

  test('has a place for each result code and each problem, which lead to each other', () => {
    const codes = RESULTS.filter(({ code, phase }) => {
      const page = read(`reference/codes/${phase === 'none' ? 'route' : phase}/index.html`);
      return !page.includes(`id="${code}"`);
    });
    expect(codes).toEqual([]);
    const problems = read('reference/problems/index.html');
    for (const slug of Object.keys(PROBLEM_PAGES)) {
      const own = problems.split(`id="${slug}"`)[1] ?? '';
      const [, phase = '', code = ''] = /\/docs\/reference\/codes\/(\w+)\/#(\d+)/.exec(own) ?? [];
      expect([slug, read(`reference/codes/${phase}/index.html`).includes(`/problems/#${slug}"`), code !== '']).toEqual([
        slug,
        true,
        true,
      ]);
    }
  });

  test('every page is there as Markdown, and llms.txt names it', () => {
    const list = read('llms.txt');
    const own = pages.filter((name) => read(name).includes('sl-markdown-content'));
    const addresses = own.map((name) => (name === 'index.html' ? 'index' : name.replace(/\/index\.html$/, '')));
    expect(addresses.filter((address) => !names.includes(`${address}.md`))).toEqual([]);
    expect(addresses.filter((address) => !list.includes(`(/docs/${address}.md)`))).toEqual([]);
    expect(read('llms-full.txt')).toContain('# Quick start');
  });
});

describe('at the payment host', () => {
  let w: World;
  beforeAll(async () => {
    w = await world();
  });
  afterAll(() => w[Symbol.asyncDispose]());
  const get = (path: string, headers: Readonly<Record<string, string>> = {}) =>
    fetch(w.service.addresses.base_url + path, { headers, redirect: 'manual' });

  test('pages come under a policy without unsafe-inline, and are asked for again with their tag', async () => {
    const page = await get('/docs/');
    expect([page.status, page.headers.get('content-type'), page.headers.get('cache-control')]).toEqual([
      200,
      'text/html; charset=utf-8',
      'no-cache',
    ]);
    const policy = page.headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'; script-src 'self' 'wasm-unsafe-eval';");
    expect(policy).toContain(`connect-src 'self' ${w.service.addresses.vault_url};`);
    expect(policy).not.toMatch(/unsafe-inline|'unsafe-eval'|\*/);
    const again = await get('/docs/', { 'if-none-match': page.headers.get('etag') ?? '' });
    expect([again.status, await again.text()]).toEqual([304, '']);
  });

  test('what has a hash in its name is kept by browsers', async () => {
    const [, asset = ''] = /"(\/docs\/assets\/[^"]+\.css)"/.exec(await (await get('/docs/')).text()) ?? [];
    const file = await get(asset, { 'accept-encoding': 'gzip' });
    expect([file.status, file.headers.get('cache-control'), file.headers.get('content-encoding')]).toEqual([
      200,
      'public, max-age=31536000, immutable',
      'gzip',
    ]);
  });

  test.each([
    ['/docs/reference', 308, '/docs/reference/'],
    ['/problems', 302, '/docs/reference/problems/'],
    ['/problems/invalid-card', 302, '/docs/reference/problems/#invalid-card'],
  ])('%s leads on', async (path, status, location) => {
    const answer = await get(path);
    expect([answer.status, answer.headers.get('location')]).toEqual([status, location]);
  });

  test.each([
    '/docs/no-such/',
    '/docs/..%2f..%2fpackage.json',
    '/docs/%2e%2e/%2e%2e/package.json',
    '/problems/no-such',
  ])('%s is not found', async (path) => {
    expect((await get(path)).status).toBe(404);
  });

  test('tells its pages where a sandbox is', async () => {
    const { base_url, vault_url } = w.service.addresses;
    expect(await (await get('/docs/host.json')).json()).toEqual({ environment: 'sandbox', base_url, vault_url });
  });

  test('a page of ours that sends a private key is no page of a stranger', async () => {
    const { base_url } = w.service.addresses;
    const seen = async () => {
      const [row] = await w.sql<{ used: boolean; in_page: boolean }>(
        `SELECT last_used_at IS NOT NULL AS used, in_page_at IS NOT NULL AS in_page FROM payment.api_keys WHERE kind = 'private' AND label = 'demo'`,
      );
      return row;
    };
    await get('/payment/order', { 'x-api-key': w.keys.private_key, origin: base_url });
    await expect.poll(seen).toEqual({ used: true, in_page: false });
    await get('/payment/order', { 'x-api-key': w.keys.private_key, origin: 'https://stranger.example' });
    await expect.poll(seen).toEqual({ used: true, in_page: true });
  });
});

test('a folder that was not built serves nothing', () => {
  const folder = new URL('no-such/', import.meta.url);
  expect(new StaticFiles({ folder, at: '/docs', headers: () => ({}), lasting: /^$/ }).answer('')).toBeUndefined();
});
