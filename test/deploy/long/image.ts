// The image and the units, as they stand: what Containerfile says is done in an empty folder, and what ExecStart says
// is run from there, by a login that owns nothing, on files that nobody may write to.
import { execFile, spawnSync } from 'node:child_process';
import { chownSync, cpSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { until } from '../../client.ts';
import { newFolder } from '../../start/child.ts';
import { gone, kill, livingOf, treeOf } from '../../start/processes.ts';
import { carryOut, entrypoint } from '../containerfile.ts';
import { type Place, deployText, hasProgram, has_places, runIn, startIn } from '../place.ts';
import { HOSTS, type Host, type Production, openProduction } from '../production.ts';

const UID = 10001;
const folder = newFolder('florin-image-');
let image = '';
let production: Production | undefined;
const running: ReturnType<typeof startIn>[] = [];

const stop = async (one: ReturnType<typeof startIn>) => {
  const tree = treeOf(one.child.pid ?? 0);
  // as systemd (KillMode=mixed) and container runtimes do: the first process alone hears of it
  one.child.kill('SIGTERM');
  await gone(tree).finally(() => kill(livingOf(tree), 'SIGKILL'));
};

describe.skipIf(!has_places || !hasProgram('npm') || !hasProgram('curl'))(
  'the image (skipped without root, npm or curl)',
  () => {
    beforeAll(async () => {
      image = carryOut(folder.path);
      production = await openProduction(folder.path, UID);
    });
    afterAll(async () => {
      for (const one of running) await stop(one);
      await production?.[Symbol.asyncDispose]();
      folder[Symbol.dispose]();
    });

    const place = (more: Partial<Place> = {}): Place => ({
      sees: { '/opt/florin': image },
      uid: UID,
      cwd: '/opt/florin',
      ...more,
    });

    test('holds no tools, no tests and nothing that its login may write', () => {
      const { out } = runIn(place(), [
        '/bin/sh',
        '-c',
        'ls; find . -writable ! -type l | head -n 3; ls node_modules/.bin | head',
      ]);
      expect(out).not.toMatch(/^(?:test|bench|docs|\.git)$|vitest|oxlint|typescript|^\.\//m);
    });

    test('starts a whole sandbox, with its pages, and writes in its data folder alone', async () => {
      const data = join(folder.path, 'data');
      mkdirSync(data);
      chownSync(data, UID, UID);
      const env = {
        FLORIN_DATA_DIR: '/var/lib/florin/data',
        FLORIN_API_PORT: '0',
        FLORIN_VAULT_PORT: '0',
        FLORIN_BACKOFFICE_PORT: '0',
        HOME: '/',
      };
      const sees = { '/opt/florin': image, '/var/lib/florin': data };
      const one = startIn(place({ sees, writes: ['/var/lib/florin'], env }), [...entrypoint(), 'start']);
      running.push(one);
      await until(() => one.out().includes('npm run demo') || undefined, 120).catch(() => {
        throw new Error(one.out());
      });
      const office = /Back office\s+(\S+)/.exec(one.out())?.[1] ?? '';
      expect((await fetch(office)).status).toBe(200);
      expect((await fetch(`${/Payment API\s+(\S+)/.exec(one.out())?.[1]}/docs`)).status).toBe(200);
      await stop(one);
    });

    const unit = (host: Host) => deployText('systemd', `florin-${host}.service`);
    const word = (host: Host, name: string) => new RegExp(`^${name}=(.*)$`, 'm').exec(unit(host))?.[1] ?? '';
    const at = (host: Host, path: string): Place =>
      place({
        sees: { '/opt/florin': image, [`/etc/florin/${host}`]: path },
        own_processes: true,
        cwd: word(host, 'WorkingDirectory'),
        // systemd and container runtimes say where home is; a login without a line in passwd has none otherwise
        env: { HOME: '/', ...production?.settings(host) },
      });
    const start = async (one: ReturnType<typeof startIn>) => {
      running.push(one);
      await until(() => (/ s {2}ready\n/.test(one.out()) || one.child.exitCode !== null ? true : undefined), 90);
      expect(one.out()).toMatch(/ s {2}ready\n/);
      return one;
    };
    /**
     * Its status once it is 200, or what it says instead in the end. Not by a spawnSync: the way to the database leads
     * through this process.
     */
    const asked = async (port: number, name: string, path: string) => {
      const url = ['--resolve', `${name}:${port}:127.0.0.1`, `https://${name}:${port}${path}`];
      let said = '';
      const ask = async () => {
        said = (await promisify(execFile)('curl', ['-sS', '-k', '-w', '\n%{http_code}', ...url])).stdout;
        return said.endsWith('\n200') ? '200' : undefined;
      };
      return await until(ask, 20).catch(() => said);
    };

    test.each(HOSTS)(
      'the unit of %s reads its settings where they are, and its ExecStart runs as it stands',
      async (host) => {
        expect(word(host, 'EnvironmentFile')).toBe(`/etc/florin/${host}/settings.env`);
        await start(startIn(at(host, production?.folders[host] ?? ''), word(host, 'ExecStart').split(' ')));
      },
    );

    test('each host is ready, and the back office shows its app, which such a host may not make', async () => {
      const { ports } = production ?? { ports: { api: 0, office: 0, vault: 0 } };
      expect([
        await asked(ports.vault, 'vault.shop.example', '/ready'),
        await asked(ports.api, 'pay.shop.example', '/ready'),
        await asked(ports.office, 'office.shop.example', '/'),
      ]).toEqual(['200', '200', '200']);
    });

    test('a host reads its files where Kubernetes lays them, behind links', async () => {
      const secret = join(folder.path, 'secret');
      cpSync(production?.folders.worker ?? '', join(secret, '..2026_11_24'), { recursive: true });
      symlinkSync('..2026_11_24', join(secret, '..data'));
      for (const name of [
        'ca.pem',
        'identity.pem',
        'destinations.json',
        'destinations.json.sig',
        'operator.pub',
        'data',
      ])
        symlinkSync(join('..data', name), join(secret, name));
      // root's, and read by the group (fsGroup)
      spawnSync('chown', ['-R', '-h', `0:${UID}`, secret]);
      spawnSync('chmod', ['-R', 'u=rX,g=rX,o=', secret]);
      await stop(await start(startIn(at('worker', secret), [...entrypoint(), 'worker'])));
    });

    test.skipIf(!hasProgram('strace') || !hasProgram('systemd-analyze'))(
      'the vault asks the kernel for nothing that its unit does not allow (skipped without strace or systemd)',
      async () => {
        const [first] = running.filter(({ out }) => out().includes('Vault link') && !out().includes('Payment link'));
        if (first) await stop(first);
        const counts = join(folder.path, 'strace');
        const command = [
          'strace',
          '-f',
          '-qq',
          '-c',
          '-U',
          'name',
          '-o',
          '/var/strace',
          ...word('vault', 'ExecStart').split(' '),
        ];
        mkdirSync(counts);
        chownSync(counts, UID, UID);
        const whole = at('vault', production?.folders.vault ?? '');
        command[command.indexOf('/var/strace')] = '/var/strace/used';
        const seen = { ...whole, sees: { ...whole.sees, '/var/strace': counts }, writes: ['/var/strace'] };
        const one = await start(startIn(seen, command));
        expect(await asked(production?.ports.vault ?? 0, 'vault.shop.example', '/ready')).toBe('200');
        const [, ...tracees] = treeOf(one.child.pid ?? 0);
        kill(tracees, 'SIGTERM');
        await gone(treeOf(one.child.pid ?? 0));
        const used = readFileSync(join(counts, 'used'), 'utf8').match(/^[a-z]\w+$/gm) ?? [];
        const lists = [...unit('vault').matchAll(/^SystemCallFilter=(~?)(@[\w-]+)$/gm)];
        const allowed = new Set(lists.filter(([, not]) => !not).flatMap(([, , name = '']) => callsOf(name)));
        for (const [, not, name = ''] of lists) if (not) for (const call of callsOf(name)) allowed.delete(call);
        expect(used.length).toBeGreaterThan(40);
        // execve: the launcher's; systemd lets every unit start its program. The two others are the table's heading and
        // its sum
        expect(used.filter((call) => !allowed.has(call) && !['execve', 'syscall', 'total'].includes(call))).toEqual([]);
      },
    );
  },
);

/** What is in a set of systemd's, sets within it, too. */
function callsOf(set: string): readonly string[] {
  const { stdout } = spawnSync('systemd-analyze', ['syscall-filter', set], { encoding: 'utf8' });
  const words = stdout
    .split('\n')
    .slice(1)
    .map((line) => line.trim())
    .filter((line) => /^@?\w/.test(line));
  return words.flatMap((word) => (word.startsWith('@') ? callsOf(word) : [word]));
}
