// Each file of deploy/ is read by the program it is written for, at the paths it names; the proxy is run and answers.
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { until } from '../../client.ts';
import { newAuthority } from '../../hosts/going-live.ts';
import { gone, kill, treeOf } from '../../start/processes.ts';
import { ownPort } from '../../ports.ts';
import { ROOT, newFolder } from '../../start/child.ts';
import { type Place, deployText, hasProgram, has_places, inDeploy, runIn, startIn } from '../place.ts';

const folder = newFolder('florin-deploy-');
afterAll(() => folder[Symbol.dispose]());

const put = (name: string, text: string): string => {
  const path = join(folder.path, name);
  writeFileSync(path, text, { mode: 0o755 });
  return path;
};

/** Without a place, or without the program, a test is skipped, and its name says so. */
const needs = (...programs: readonly string[]) => !has_places || !programs.every(hasProgram);

const { cert, key } = newAuthority('deploy').issue('*.shop.example');
const tls = put('tls.pem', cert + key);
const authority = put('ca.pem', cert);
const UNITS = readdirSync(inDeploy('systemd')).filter((name) => name.endsWith('.service'));

describe.skipIf(needs('systemd-analyze'))('systemd (skipped without root or systemd)', () => {
  const node = put('node', '#!/bin/sh\n');
  const place: Place = {
    sees: { '/opt/florin/node': node, '/etc/systemd/florin': inDeploy('systemd') },
    cwd: '/etc/systemd/florin',
  };

  test('reads every unit without a word', () => {
    expect(UNITS).toHaveLength(3);
    expect(runIn(place, ['systemd-analyze', 'verify', '--man=no', ...UNITS, 'florin.target'])).toEqual({
      code: 0,
      out: '',
    });
  });

  test.each(UNITS)('finds %s exposed by 1.5 at most', (unit) => {
    // as it is installed: with the addresses it may speak with
    const drop_in = inDeploy('systemd', 'network.conf');
    const whole = { ...place, sees: { ...place.sees, [`/etc/systemd/system/${unit}.d/network.conf`]: drop_in } };
    for (const one of [place, whole]) {
      const { code, out } = runIn(one, ['systemd-analyze', 'security', '--offline=true', '--threshold=15', unit]);
      expect([code, out]).toEqual([0, expect.stringContaining('Overall exposure level')]);
    }
  });

  test('and a unit that opens the machine is found', () => {
    const open = put(
      'open.service',
      deployText('systemd', 'florin-vault.service').replace(/^(?:Protect|Restrict|System).*$/gm, ''),
    );
    const { code } = runIn({ sees: { '/etc/systemd/florin/open.service': open }, cwd: '/etc/systemd/florin' }, [
      'systemd-analyze',
      'security',
      '--offline=true',
      '--threshold=15',
      'open.service',
    ]);
    expect(code).not.toBe(0);
  });

  test('makes the logins of the units', () => {
    const { code, out } = runIn({ sees: { '/etc/sysusers.d/florin.conf': inDeploy('systemd', 'sysusers.conf') } }, [
      '/bin/sh',
      '-c',
      'systemd-sysusers && id florin-payment && id florin-vault && id florin-worker',
    ]);
    expect([code, out]).toEqual([0, expect.stringContaining('florin-worker')]);
  });
});

const ETC_HAPROXY = {
  '/etc/haproxy/errors': inDeploy('haproxy', 'errors'),
  ...Object.fromEntries(['api', 'backoffice', 'vault'].map((name) => [`/etc/haproxy/tls/${name}.pem`, tls])),
  '/etc/haproxy/tls/database-ca.pem': authority,
};

describe.skipIf(needs('haproxy'))('haproxy (skipped without root or haproxy)', () => {
  test.each(['database.cfg', 'api.cfg', 'vault.cfg'])('takes %s without a warning', (name) => {
    const place = { sees: { ...ETC_HAPROXY, '/etc/haproxy/florin.cfg': inDeploy('haproxy', name) } };
    expect(runIn(place, ['haproxy', '-c', '-V', '-f', '/etc/haproxy/florin.cfg'])).toEqual({
      code: 0,
      out: 'Configuration file is valid\n',
    });
  });

  test('answers 503 as Florin does while no host is ready', async () => {
    const port = await ownPort();
    const config = deployText('haproxy', 'api.cfg')
      .replace('bind :443 ', `bind 127.0.0.1:${port} `)
      .replace('bind :8443 ', 'bind unix@/run/backoffice.sock ')
      // nobody listens there
      .replaceAll(/10\.0\.0\.\d+:\d+/g, '127.0.0.1:9');
    const { child, out } = startIn({ sees: { ...ETC_HAPROXY, '/etc/haproxy/florin.cfg': put('api.cfg', config) } }, [
      'haproxy',
      '-db',
      '-f',
      '/etc/haproxy/florin.cfg',
    ]);
    try {
      const asked = [
        '-sS',
        '-k',
        '-i',
        '--resolve',
        `pay.shop.example:${port}:127.0.0.1`,
        `https://pay.shop.example:${port}/payment/order`,
      ];
      const answer = await until(() => {
        const { status, stdout } = spawnSync('curl', asked, { encoding: 'utf8' });
        return status === 0 ? stdout : undefined;
      }).catch(() => out());
      expect(answer).toMatch(/^HTTP\/\S+ 503/);
      expect(answer).toMatch(/retry-after: 2\r\n/i);
      expect(answer).toMatch(/content-type: application\/problem\+json\r\n/i);
      expect(JSON.parse(answer.slice(answer.indexOf('{')))).toMatchObject({ status: 503, result: { code: '111013' } });
    } finally {
      const tree = treeOf(child.pid ?? 0);
      kill(tree, 'SIGKILL');
      await gone(tree);
    }
  });
});

describe.skipIf(needs('patroni'))('Patroni (skipped without root or patroni)', () => {
  const place = (text: string): Place => ({
    sees: {
      '/etc/patroni/node.yml': put('node.yml', text),
      ...Object.fromEntries(['node.pem', 'node.key', 'ca.pem'].map((name) => [`/etc/patroni/tls/${name}`, tls])),
    },
  });
  // its check binds the addresses
  const here = deployText('patroni', 'node.yml').replaceAll('10.0.1.21', '127.0.1.21');
  const check = ['patroni', '--validate-config', '/etc/patroni/node.yml'];

  test('takes the file of a node', () => {
    expect(runIn(place(here), check)).toEqual({ code: 0, out: expect.not.stringMatching(/is not|missing|unknown/i) });
  });

  test('and finds a watchdog mode that is none', () => {
    expect(runIn(place(here.replace('mode: required', 'mode: maybe')), check).out).toMatch(/watchdog.*mode/);
  });

  test('its times leave room for the watchdog: ttl is at least loop_wait, two tries and the margin', () => {
    const number = (name: string) => Number(new RegExp(`${name}: (\\d+)`).exec(here)?.[1]);
    expect(number('ttl')).toBeGreaterThanOrEqual(
      number('loop_wait') + 2 * number('retry_timeout') + number('safety_margin'),
    );
  });
});

describe.skipIf(needs('etcd'))('etcd (skipped without root or etcd)', () => {
  test('knows every line of the file of a member, and waits for the others', async () => {
    mkdirSync(join(folder.path, 'etcd'));
    const text = deployText('etcd', 'etcd.conf').replaceAll(/10\.0\.1\.1(\d)/g, '127.0.1.1$1');
    const place: Place = {
      sees: {
        '/etc/etcd/etcd.conf': put('etcd.conf', text),
        '/var/lib/etcd': join(folder.path, 'etcd'),
        '/etc/etcd/tls/ca.pem': authority,
        ...Object.fromEntries(['member.pem', 'member.key'].map((name) => [`/etc/etcd/tls/${name}`, tls])),
      },
      writes: ['/var/lib/etcd'],
    };
    const { child, out } = startIn(place, ['etcd', '--config-file', '/etc/etcd/etcd.conf']);
    try {
      await until(
        () => /starting member|became candidate|starting a new election|cluster-id/.test(out()) || undefined,
      ).catch(() => {
        throw new Error(out());
      });
    } finally {
      const tree = treeOf(child.pid ?? 0);
      kill(tree, 'SIGKILL');
      await gone(tree);
    }
    expect(out()).not.toMatch(/unknown field|error verifying flags|insecure/);
    const known = new Set(
      [...spawnSync('etcd', ['--help'], { encoding: 'utf8' }).stdout.matchAll(/--([a-z-]+)/g)].map(([, name]) => name),
    );
    const flags = [...text.matchAll(/^([a-z-]+):/gm)].map(([, name = '']) => name);
    expect(flags.filter((name) => !known.has(name) && !/^(?:client|peer)-transport-security$/.test(name))).toEqual([]);
  });
});

const PROMETHEUS = ['deploy/prometheus/database.yml', 'docs/observability/alerts.yml'];

describe.skipIf(!hasProgram('promtool'))('Prometheus (skipped without promtool)', () => {
  test.each(PROMETHEUS)('takes the rules of %s', (name) => {
    expect(execFileSync('promtool', ['check', 'rules', join(ROOT, name)], { encoding: 'utf8' })).toMatch(
      /SUCCESS: \d+ rules/,
    );
  });

  test('alarms when nobody is primary, no standby confirms, the history goes back, a slot keeps the disk, and a backup is old', () => {
    const file = join(folder.path, 'rules.yml');
    writeFileSync(file, ruleTests());
    const { status, stdout, stderr } = spawnSync('promtool', ['test', 'rules', file], { encoding: 'utf8' });
    expect([status, `${stdout}${stderr}`]).toEqual([0, expect.stringContaining('SUCCESS')]);
  });
});

/** What each rule is to see, and when it must be quiet. */
function ruleTests(): string {
  const seen = (series: string, values: string) => `      - { series: '${series}', values: '${values}' }`;
  const count = (name: string, at: string, many: number) =>
    `      - { expr: 'count(ALERTS{alertname="${name}",alertstate="firing"}) or vector(0)', eval_time: ${at}, exp_samples: [{ value: ${many}, labels: '{}' }] }`;
  return [
    `rule_files: ['${inDeploy('prometheus', 'database.yml')}']`,
    'evaluation_interval: 30s',
    'tests:',
    '  - interval: 30s',
    '    input_series:',
    seen('patroni_primary{scope="florin",instance="a"}', '1x10 0x40'),
    seen('patroni_primary{scope="florin",instance="b"}', '0x50'),
    seen('patroni_postgres_timeline{scope="florin",instance="a"}', '3x30 2x30'),
    seen('patroni_replica{instance="b"}', '1x60'),
    seen('patroni_xlog_location{instance="a"}', '1000000000x60'),
    seen('patroni_xlog_replayed_location{instance="b"}', '1000000000x20 900000000x40'),
    seen('florin_postgres_in_recovery{stanza="money",instance="a"}', '0x60'),
    seen('florin_postgres_standbys{stanza="money",instance="a"}', '1x10 0x50'),
    seen('florin_postgres_wal_kept_bytes{stanza="money",slot="b"}', '0x10 40000000000x50'),
    seen('florin_postgres_archive_failing{stanza="money"}', '0x10 1x50'),
    seen('florin_postgres_oldest_xid_age{stanza="money",datname="florin"}', '1000000x60'),
    seen('florin_backup_ended_timestamp_seconds{stanza="money"}', '0x60'),
    '    promql_expr_test:',
    ...[
      'FlorinNoPrimary',
      'FlorinNoSyncStandby',
      'FlorinTimelineWentBack',
      'FlorinStandbyBehind',
      'FlorinWalKept',
      'FlorinArchiveFails',
    ].flatMap((name) => [count(name, '4m', 0), count(name, '24m', 1)]),
    ...['FlorinFreezeLate', 'FlorinTwoPrimaries', 'FlorinBackupOld'].map((name) => count(name, '24m', 0)),
    // of a drill nothing was ever heard
    count('FlorinDrillOld', '24m', 1),
    '',
  ].join('\n');
}
