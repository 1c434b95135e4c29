// What deploy/ names for the database, on one machine: three members of etcd, three machines with PostgreSQL under
// Patroni, and haproxy before them; a Florin behind it, and merchants who pay all the time.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '../../../src/kit/clock.ts';
import { deployText, hasProgram } from '../../deploy/place.ts';
import { ownPort, ownPorts } from '../../ports.ts';
import { accountOf, findPrograms } from '../server.ts';
import { type Shop, openShop } from '../shop.ts';
import { Machine, type Tools } from './machine.ts';

/** The command that starts Patroni, or words such as `python3 …/patroni`; Debian 12 has none that is new enough. */
const [PROGRAM = 'patroni', ...WORDS] = (process.env['PATRONI'] ?? 'patroni').split(' ');
const LEAST_PATRONI = 4;
const MOST_MS = 180_000;
const LOOK_MS = 200;
/** Standbys that follow, and may confirm a commit. */
const COUNTED = `SELECT count(*)::int AS counted
  FROM pg_stat_replication
  WHERE sync_state = 'quorum'`;

/** What is not there, in words; undefined: nothing is missing. */
export function missing(): string | undefined {
  if (findPrograms() === undefined) return 'a PostgreSQL with pg_basebackup (postgresql-15)';
  for (const name of ['etcd', 'haproxy']) if (!hasProgram(name)) return name;
  const { stdout } = spawnSync(PROGRAM, [...WORDS, '--version'], { encoding: 'utf8' });
  // a program that is not there says nothing
  const version = Number(/^patroni (\d+)/.exec(stdout ?? '')?.[1] ?? 0);
  return version >= LEAST_PATRONI ? undefined : `Patroni ${LEAST_PATRONI} (PATRONI names its command)`;
}

export class Managed {
  readonly machines: readonly Machine[];
  readonly shop: Shop;
  readonly etcd: Etcd;
  private readonly folder: string;
  private readonly proxy: ChildProcess;

  private constructor(at: {
    machines: readonly Machine[];
    shop: Shop;
    etcd: Etcd;
    folder: string;
    proxy: ChildProcess;
  }) {
    this.machines = at.machines;
    this.shop = at.shop;
    this.etcd = at.etcd;
    this.folder = at.folder;
    this.proxy = at.proxy;
  }

  static async open(): Promise<Managed> {
    const folder = mkdtempSync(join(tmpdir(), 'florin-patroni-'));
    chmodSync(folder, 0o711);
    const tools: Tools = { programs: findPrograms() ?? '', patroni: [PROGRAM, ...WORDS], ids: accountOf() };
    const etcd = await Etcd.open(folder, tools);
    const machines: Machine[] = [];
    for (const name of ['a', 'b', 'c']) machines.push(await Machine.open(name, { folder, etcd: etcd.ports, tools }));
    const port = await ownPort();
    const proxy = startProxy(folder, machines, port);
    for (const machine of machines) machine.start();
    await whole(machines, etcd);
    const url = (database: string) => `postgres://postgres@127.0.0.1:${port}/${database}`;
    const primary = await leaderOf(machines);
    const shop = await openShop({ nodes: [primary], url });
    return new Managed({ machines, shop, etcd, folder, proxy });
  }

  async close(): Promise<void> {
    await this.shop[Symbol.asyncDispose]();
    for (const machine of this.machines) machine.end();
    this.proxy.kill('SIGKILL');
    this.etcd.end();
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 10 });
  }

  /** Which machine leads, by its own word. */
  primary(): Promise<Machine> {
    return leaderOf(this.machines);
  }

  /** Waits until a machine leads that is not this one. */
  nextAfter(old: Machine): Promise<Machine> {
    return leaderOf(this.machines.filter((machine) => machine !== old));
  }

  /** Waits until one leads, and both others follow it and may be promoted. */
  whole(): Promise<void> {
    return whole(this.machines, this.etcd);
  }

  /** Throws unless it goes on, nothing was lost and no answer was wrong. */
  async requireSound(): Promise<void> {
    await this.shop.paid(20);
    const wrong = {
      lost: await this.shop.lost(await this.primary()),
      answers: this.shop.wrong(),
      ended: this.shop.failures.map(String),
    };
    if (Object.values(wrong).some((some) => some.length > 0)) throw new Error(JSON.stringify(wrong));
  }
}

async function leaderOf(machines: readonly Machine[]): Promise<Machine> {
  return first(async () => {
    const says = await Promise.all(machines.map((machine) => machine.says('/primary')));
    return machines.find((_, i) => says[i] === 200);
  }, machines);
}

/** Patroni promotes only who is named in etcd, which is a turn of its loop after a new primary has its standbys. */
async function whole(machines: readonly Machine[], etcd: Etcd): Promise<void> {
  await first(async () => {
    const says = await Promise.all(machines.map((machine) => machine.says('/primary')));
    const leaders = machines.filter((_, i) => says[i] === 200);
    const [leader] = leaders;
    if (!leader || leaders.length > 1) return false;
    const [row] = await leader.look<{ counted: number }>(COUNTED).catch(() => []);
    const others = machines.filter((machine) => machine !== leader).map(({ name }) => name);
    return row?.counted === others.length && (await etcd.heirs()).join(',') === `${leader.name},${others.join(',')}`;
  }, machines);
}

/** Waits for the first answer that is one. */
async function first<T>(look: () => Promise<T | undefined | false>, machines: readonly Machine[]): Promise<T> {
  const clock = systemClock();
  for (const give_up_at = clock.ticks() + MOST_MS; ;) {
    const found = await look();
    if (found !== undefined && found !== false) return found;
    if (clock.ticks() > give_up_at)
      throw new Error(
        `it took too long\n${machines.map((machine) => `${machine.name}: ${machine.said()}`).join('\n\n')}`,
      );
    await clock.sleep(LOOK_MS);
  }
}

/** deploy/haproxy/database.cfg as it stands, but for where things are and their certificates. */
function startProxy(folder: string, machines: readonly Machine[], port: number): ChildProcess {
  const servers = machines.map(({ way, rest_way }, i) => `server database${i + 1} 127.0.0.1:${way} port ${rest_way}`);
  const text = deployText('haproxy', 'database.cfg')
    .replace('bind 127.0.0.1:5432', `bind 127.0.0.1:${port}`)
    .replace('bind 127.0.0.1:5433', `bind unix@${join(folder, 'replica.sock')}`)
    .replace('bind 127.0.0.1:8405', `bind unix@${join(folder, 'metrics.sock')}`)
    .replace(/ check-ssl verify required ca-file \S+/, '')
    .replaceAll(/server database(\d) \S+/g, (_, number: string) => servers[Number(number) - 1] ?? '');
  const path = join(folder, 'database.cfg');
  writeFileSync(path, text);
  return spawn('haproxy', ['-db', '-f', path], { stdio: 'ignore' });
}

/** Three members, who decide who leads. */
class Etcd {
  readonly ports: readonly number[];
  private readonly starts: readonly (() => ChildProcess)[];
  private readonly members: ChildProcess[];

  private constructor(ports: readonly number[], starts: readonly (() => ChildProcess)[]) {
    this.ports = ports;
    this.starts = starts;
    this.members = starts.map((start) => start());
  }

  static async open(folder: string, { ids }: Tools): Promise<Etcd> {
    const all = await ownPorts(6);
    const [ports, peers] = [all.slice(0, 3), all.slice(3)];
    const at = (port: number | undefined) => `http://127.0.0.1:${port}`;
    const cluster = peers.map((port, i) => `etcd${i}=${at(port)}`).join(',');
    const starts = ports.map((port, i) => {
      const data = join(folder, `etcd${i}`);
      mkdirSync(data, { mode: 0o700 });
      if (ids) chownSync(data, ids.uid, ids.gid);
      const settings = {
        name: `etcd${i}`,
        'data-dir': data,
        'listen-client-urls': at(port),
        'advertise-client-urls': at(port),
        'listen-peer-urls': at(peers[i]),
        'initial-advertise-peer-urls': at(peers[i]),
        'initial-cluster': cluster,
        // six servers share two processors here: a beat that is late is no member that is lost
        'heartbeat-interval': '300',
        'election-timeout': '3000',
      };
      const words = Object.entries(settings).map(([key, value]) => `--${key}=${value}`);
      return () => spawn('etcd', words, { ...ids, cwd: data, stdio: 'ignore' });
    });
    const etcd = new Etcd(ports, starts);
    // Patroni ends where it reads a version that the members have not agreed on yet
    await first(() => etcd.hasVersion(), []);
    return etcd;
  }

  private async hasVersion(): Promise<boolean> {
    const asked = this.ports.map((port) => fetch(`http://127.0.0.1:${port}/version`).then((reply) => reply.json()));
    const said = await Promise.allSettled(asked);
    return said.every((one) => one.status === 'fulfilled' && /"etcdcluster":"\d/.test(JSON.stringify(one.value)));
  }

  /** The primary and those that may be promoted after it, as Patroni has written it down. */
  async heirs(): Promise<readonly string[]> {
    const body = JSON.stringify({ key: Buffer.from('/service/florin/sync').toString('base64') });
    const reply = await fetch(`http://127.0.0.1:${this.ports[0]}/v3/kv/range`, { method: 'POST', body });
    const { kvs } = (await reply.json()) as { readonly kvs?: readonly { readonly value: string }[] };
    const written = Buffer.from(kvs?.[0]?.value ?? '', 'base64').toString() || '{}';
    const { leader = '', sync_standby } = JSON.parse(written) as { leader?: string; sync_standby?: string | null };
    return [leader, ...(sync_standby ?? '').split(',').toSorted()];
  }

  /** Ends so many members at once. */
  kill(count: number): void {
    for (const member of this.members.slice(0, count)) member.kill('SIGKILL');
  }

  /** Those that ended start again, with what is on their disks. */
  restart(): void {
    this.members.forEach((member, i) => {
      if (member.exitCode === null && member.signalCode === null) return;
      const again = this.starts[i]?.();
      if (again) this.members[i] = again;
    });
  }

  end(): void {
    for (const member of this.members) member.kill('SIGKILL');
  }
}
