// PostgreSQL servers of one cluster, each with streaming replication, for tests: killed, frozen, promoted and made
// anew. Needs a PostgreSQL with pg_basebackup, as Debian's package postgresql-15; what npm brings has none.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import type pg from 'pg';
import { ownPorts } from '../ports.ts';
import { type Ids, type Server, USER, accountOf, findPrograms, lookAt, signalTree } from './server.ts';
import { Wire } from './wire.ts';

export class Node implements Server {
  readonly name: string;
  readonly port: number;
  private readonly wire: Wire;
  private readonly data: string;
  private readonly programs: string;
  private readonly ids: Ids;
  private child: ChildProcess | undefined;

  constructor(at: { name: string; port: number; wire: Wire; data: string; programs: string; ids: Ids }) {
    this.name = at.name;
    this.port = at.port;
    this.wire = at.wire;
    this.data = at.data;
    this.programs = at.programs;
    this.ids = at.ids;
  }

  /** Where all others reach it; a test looks at it by its own port. */
  get place(): string {
    return `127.0.0.1:${this.wire.port}`;
  }

  /** A new cluster, whose commits wait for any of these. */
  create(names: readonly string[]): void {
    this.run('initdb', [
      '-D',
      this.data,
      '-U',
      USER,
      '--auth=trust',
      '--data-checksums',
      '-N',
      '-E',
      'UTF8',
      '--locale=C',
    ]);
    const lines = {
      synchronous_standby_names: `'ANY 1 (${names.join(', ')})'`,
      wal_keep_size: '256MB',
      wal_log_hints: 'on',
      max_connections: '200',
      wal_receiver_timeout: '3s',
      wal_sender_timeout: '3s',
      wal_retrieve_retry_interval: '200ms',
      client_connection_check_interval: '1s',
      unix_socket_directories: "''",
      listen_addresses: "'127.0.0.1'",
    };
    const text = Object.entries(lines).map(([name, value]) => `${name} = ${value}\n`);
    appendFileSync(join(this.data, 'postgresql.conf'), text.join(''));
  }

  /** A copy of a running one, which follows it. */
  copy(primary: Node): void {
    for (const inside of readdirSync(this.data)) rmSync(join(this.data, inside), { recursive: true });
    this.run('pg_basebackup', [
      '-D',
      this.data,
      '-h',
      '127.0.0.1',
      '-p',
      String(primary.port),
      '-U',
      USER,
      '-c',
      'fast',
      '-X',
      'stream',
    ]);
    this.follow(primary);
  }

  /** Whether there is a file of this path in its data folder. */
  holds(path: string): boolean {
    return existsSync(join(this.data, path));
  }

  follow(primary: Node): void {
    writeFileSync(join(this.data, 'standby.signal'), '');
    if (this.ids) chownSync(join(this.data, 'standby.signal'), this.ids.uid, this.ids.gid);
    appendFileSync(join(this.data, 'postgresql.auto.conf'), `primary_conninfo = '${this.wayTo(primary)}'\n`);
  }

  async start(): Promise<void> {
    this.child = spawn(join(this.programs, 'postgres'), ['-D', this.data, '-p', String(this.port)], {
      ...this.ids,
      stdio: ['ignore', 'ignore', 'pipe'],
      cwd: this.data,
    });
    let said = '';
    this.child.stderr?.on('data', (bytes: Buffer) => {
      said = (said + String(bytes)).slice(-4000);
    });
    for (const give_up_at = performance.now() + 30_000; ;) {
      if (
        await this.look('SELECT 1').then(
          () => true,
          () => false,
        )
      )
        return;
      if (performance.now() > give_up_at || this.child.exitCode !== null)
        throw new Error(`${this.name} did not start: ${said}`);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }

  /** The machine dies: the server and every process of it at once. */
  async kill(): Promise<void> {
    const { child } = this;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const ended = new Promise((resolve) => child.once('exit', resolve));
    this.signal('SIGKILL');
    await ended;
  }

  /** As an operator stops it: who writes is ended, and standbys get what there is. */
  async stop(): Promise<void> {
    const { child } = this;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGINT');
    await ended;
  }

  /** Nothing comes to it any more, and nothing from it; it runs. */
  cut(): void {
    this.wire.cut();
  }

  heal(): void {
    this.wire.heal();
  }

  /** It is not there any more. */
  async end(): Promise<void> {
    await this.kill();
    this.wire.close();
  }

  /** Nothing of it runs, and nobody is told. */
  freeze(): void {
    this.signal('SIGSTOP');
  }

  thaw(): void {
    this.signal('SIGCONT');
  }

  promote(): Promise<unknown> {
    return this.look('SELECT pg_promote(true, 30)');
  }

  /** Follows another primary from now on. */
  async followNow(primary: Node): Promise<void> {
    await this.look(`ALTER SYSTEM SET primary_conninfo = '${this.wayTo(primary)}'`);
    await this.look('SELECT pg_reload_conf()');
  }

  private wayTo(primary: Node): string {
    const [host, port] = primary.place.split(':');
    return `host=${host} port=${port} user=${USER} application_name=${this.name}`;
  }

  /** How much WAL it has, in bytes. */
  async received(): Promise<number> {
    const [row] = await this.look<{ at: string }>(
      `SELECT pg_wal_lsn_diff(greatest(pg_last_wal_receive_lsn(), pg_last_wal_replay_lsn()), '0/0')::text AS at`,
    );
    return Number(row?.at ?? 0);
  }

  look<R extends pg.QueryResultRow>(text: string, database?: string): Promise<R[]> {
    return lookAt<R>(this.port, text, database);
  }

  private signal(signal: NodeJS.Signals): void {
    if (this.child?.pid !== undefined) signalTree(this.child.pid, signal);
  }

  private run(program: string, words: readonly string[]): void {
    execFileSync(join(this.programs, program), words, { ...this.ids, stdio: 'pipe', cwd: '/' });
  }
}

/** Of two standbys the one that has more is primary, and the other follows it. */
export async function promoteOneOf([one, two]: readonly Node[]): Promise<Node> {
  if (!one || !two) throw new Error('there are two standbys');
  const [next, other] = (await one.received()) >= (await two.received()) ? [one, two] : [two, one];
  await next.promote();
  await other.followNow(next);
  return next;
}

export type Cluster = AsyncDisposable & {
  readonly nodes: readonly Node[];
  /** The address of all of them. */
  url(database: string): string;
};

/** A primary (the first) and standbys of it, all up. Commits wait for one standby, whichever server is the primary. */
export async function openCluster(folder: string, names: readonly string[]): Promise<Cluster> {
  const programs = findPrograms();
  if (programs === undefined) throw new Error('there is no PostgreSQL with replication on this machine');
  const ids = accountOf();
  mkdirSync(folder, { recursive: true });
  chmodSync(folder, 0o711);
  const nodes: Node[] = [];
  for (const name of names) {
    const data = join(folder, name);
    mkdirSync(data, { mode: 0o700 });
    if (ids) chownSync(data, ids.uid, ids.gid);
    const [port = 0, way = 0] = await ownPorts(2);
    nodes.push(new Node({ name, port, wire: await Wire.open(way, port), data, programs, ids }));
  }
  const [primary, ...standbys] = nodes;
  if (!primary) throw new Error('a cluster has a primary');
  primary.create(names);
  await primary.start();
  for (const standby of standbys) {
    standby.copy(primary);
    await standby.start();
  }
  return {
    nodes,
    url: (database) =>
      `postgres://${USER}@${nodes.map(({ place }) => place).join(',')}/${database}?target_session_attrs=read-write`,
    [Symbol.asyncDispose]: async () => {
      for (const node of nodes) await node.end();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
