// docs/operations.md is where each alarm leads to: a heading for each runbook, and each alarm under one of them.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { CIPHERS_OF_TLS_1_2 } from '../../src/kit/http/host.ts';
import { SETTINGS } from '../../src/settings/settings.ts';
import { ROOT } from '../start/root.ts';
import { copies } from './containerfile.ts';
import { deployText } from './place.ts';

const OPERATIONS = readFileSync(join(ROOT, 'docs/operations.md'), 'utf8');
const RULES = ['deploy/prometheus/database.yml', 'docs/observability/alerts.yml'].map((path) =>
  readFileSync(join(ROOT, path), 'utf8'),
);
const ALARMS = RULES.flatMap((text) => [...text.matchAll(/- alert: (\w+)/g)].map(([, name = '']) => name));
/** What stands under "What to do when", by heading. */
const PAGES = (/\n## What to do when\n([\s\S]*?)\n## /.exec(OPERATIONS)?.[1] ?? '').split('\n### ').slice(1);
const anchorOf = (page: string) =>
  (page.split('\n', 1)[0] ?? '')
    .toLowerCase()
    .replace(/[^\w -]/g, '')
    .replaceAll(' ', '-');

test('there are ten pages at least, and each alarm stands on one', () => {
  expect(PAGES.length).toBeGreaterThanOrEqual(10);
  const named = PAGES.map((page) => [...page.matchAll(/`(Florin\w+)`/g)].map(([, name = '']) => name)).flatMap(
    (names) => [...new Set(names)],
  );
  expect(ALARMS.filter((name) => !named.includes(name))).toEqual([]);
  expect(named.filter((name) => !ALARMS.includes(name))).toEqual([]);
});

test('each runbook that an alarm names is a heading', () => {
  const anchors = RULES.flatMap((text) =>
    [...text.matchAll(/runbook: docs\/operations\.md#(\S+)/g)].map(([, anchor = '']) => anchor),
  );
  expect(anchors.length).toBeGreaterThan(5);
  expect(anchors.filter((anchor) => !PAGES.some((page) => anchorOf(page) === anchor))).toEqual([]);
});

test('the ports of going-live.md can be opened by logins without rights, as both ways to install have them', () => {
  const settings = readFileSync(join(ROOT, 'docs/going-live.md'), 'utf8');
  const ports = [...settings.matchAll(/^FLORIN_\w+_PORT=(\d+)$/gm)].map(([, port]) => Number(port));
  expect(ports).toContain(443);
  for (const text of [deployText('systemd', 'sysctl.conf'), deployText('compose.yaml')])
    expect(Number(/ip_unprivileged_port_start\W+(\d+)/.exec(text)?.[1])).toBeLessThanOrEqual(Math.min(...ports));
  expect(OPERATIONS).toContain('`systemd/sysctl.conf`');
});

test.each(['api.cfg', 'vault.cfg'])(
  'haproxy/%s takes the ciphers from callers that a host itself takes, and no others',
  (name) => {
    const config = deployText('haproxy', name);
    expect(/^ {2}ssl-default-bind-ciphers (.+)$/m.exec(config)?.[1]).toBe(CIPHERS_OF_TLS_1_2);
    expect(config).toContain('  ssl-default-bind-options ssl-min-ver TLSv1.2\n');
    expect(config).not.toMatch(/\bbind .* ciphers /);
  },
);

test('compose.yaml and kubernetes/ name settings that there are', () => {
  const known = new Set<string>(Object.keys(SETTINGS));
  for (const text of [deployText('compose.yaml'), deployText('kubernetes', 'hosts.yaml')]) {
    const names = [...text.matchAll(/FLORIN_\w+/g)].map(([name]) => name);
    expect(names.length).toBeGreaterThan(0);
    expect(names.filter((name) => !known.has(name))).toEqual([]);
  }
});

test('the image copies what package.json names to be run, and no tests', () => {
  expect(copies().flatMap(({ from }) => from)).toEqual([
    'package.json',
    'package-lock.json',
    'tsconfig.json',
    '.npmrc',
    'bin',
    'src',
    'web',
  ]);
});
