// compose.yaml and kubernetes/, read by a YAML reader. No cluster looks at them here: field names are not held against
// its schema.
import { spawnSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { inDeploy } from '../place.ts';

const READ = 'import json, sys, yaml; print(json.dumps(list(yaml.safe_load_all(open(sys.argv[1])))))';
const has_reader = spawnSync('python3', ['-c', 'import yaml']).status === 0;

function partsOf(...path: readonly string[]): readonly unknown[] {
  const { stdout, stderr } = spawnSync('python3', ['-c', READ, inDeploy(...path)], { encoding: 'utf8' });
  expect(stderr).toBe('');
  return JSON.parse(stdout) as unknown[];
}

type Part = { apiVersion: string; kind: string; metadata: { name: string; namespace?: string } };
type Compose = { services: Record<string, { command?: string[]; read_only?: boolean; cap_drop?: string[] }> };

describe.skipIf(!has_reader)('YAML (skipped without python3-yaml)', () => {
  test.each(['database.yaml', 'hosts.yaml', 'network.yaml'])(
    'kubernetes/%s: each part says what it is, and where',
    (name) => {
      const parts = partsOf('kubernetes', name) as Part[];
      expect(parts.length).toBeGreaterThan(1);
      for (const { apiVersion, kind, metadata } of parts) {
        expect([apiVersion, kind, metadata.name]).toEqual([expect.any(String), expect.any(String), expect.any(String)]);
        if (kind !== 'Namespace') expect(['florin-money', 'florin-cards']).toContain(metadata.namespace);
      }
    },
  );

  test('compose.yaml starts each host without rights, on files that it may not write to', () => {
    const [compose] = partsOf('compose.yaml') as [Compose];
    const hosts = Object.values(compose.services).filter(({ command }) => command);
    const seen = hosts.map(({ command, read_only, cap_drop }) => [command?.[0], read_only, cap_drop?.[0]]);
    const host = (name: string) => [name, true, 'ALL'];
    expect(seen).toEqual([host('payment'), host('payment'), host('vault'), host('vault'), host('worker')]);
  });
});
