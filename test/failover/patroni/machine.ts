// A database machine as deploy/ has it, on a port of its own: PostgreSQL, started and led by Patroni. Everything that
// others send to it, and what it sends to etcd, goes over wires that can be cut.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { chownSync, existsSync, mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type pg from 'pg';
import { inDeploy } from '../../deploy/place.ts';
import { ownPorts } from '../../ports.ts';
import { type Ids, type Server, lookAt, signalTree } from '../server.ts';
import { Wire } from '../wire.ts';

export type Tools = {
  /** Where PostgreSQL's programs are. */
  readonly programs: string;
  /** The command that starts Patroni. */
  readonly patroni: readonly [string, ...string[]];
  readonly ids: Ids;
};

type Config = {
  readonly bootstrap: {
    readonly dcs: { readonly postgresql: { readonly parameters: Readonly<Record<string, unknown>> } };
    readonly initdb: unknown;
  };
};

const READ = 'import json, sys, yaml; print(json.dumps(yaml.safe_load(open(sys.argv[1]))))';

/** deploy/patroni/node.yml. Patroni needs the reader of YAML itself. */
function deployed(): Config {
  const { stdout, stderr } = spawnSync('/usr/bin/python3', ['-c', READ, inDeploy('patroni', 'node.yml')], {
    encoding: 'utf8',
  });
  if (stderr !== '') throw new Error(stderr);
  return JSON.parse(stdout) as Config;
}

export class Machine implements Server {
  readonly name: string;
  readonly port: number;
  private readonly rest_port: number;
  /** To PostgreSQL, to Patroni's interface, and from here to each member of etcd. */
  private readonly wires: readonly Wire[];
  private readonly folder: string;
  private readonly tools: Tools;
  private manager: ChildProcess | undefined;

  private constructor(at: {
    name: string;
    port: number;
    rest_port: number;
    wires: readonly Wire[];
    folder: string;
    tools: Tools;
  }) {
    this.name = at.name;
    this.port = at.port;
    this.rest_port = at.rest_port;
    this.wires = at.wires;
    this.folder = at.folder;
    this.tools = at.tools;
  }

  static async open(name: string, at: { folder: string; etcd: readonly number[]; tools: Tools }): Promise<Machine> {
    const { etcd, tools } = at;
    const folder = join(at.folder, name);
    mkdirSync(folder, { mode: 0o711 });
    if (tools.ids) chownSync(folder, tools.ids.uid, tools.ids.gid);
    const [port = 0, rest_port = 0, ...ways] = await ownPorts(4 + etcd.length);
    const wires = await Promise.all([port, rest_port, ...etcd].map((to, i) => Wire.open(ways[i] ?? 0, to)));
    const machine = new Machine({ name, port, rest_port, wires, folder, tools });
    machine.configure();
    return machine;
  }

  /** As others reach its PostgreSQL. */
  get way(): number {
    return this.wires[0]?.port ?? 0;
  }

  /** As others reach its Patroni. */
  get rest_way(): number {
    return this.wires[1]?.port ?? 0;
  }

  /**
   * The file of deploy/ as it stands, but for what one machine cannot have: addresses and certificates of its own, an
   * archive, and a watchdog.
   */
  private configure(): void {
    const { bootstrap } = deployed();
    const { dcs } = bootstrap;
    const parameters = Object.entries(dcs.postgresql.parameters).filter(([key]) => !/^(ssl|archive)/.test(key));
    const config = {
      scope: 'florin',
      name: this.name,
      restapi: { listen: `127.0.0.1:${this.rest_port}`, connect_address: `127.0.0.1:${this.rest_way}` },
      // or it would find the members by themselves, past the wires
      etcd3: { hosts: this.wires.slice(2).map(({ port }) => `127.0.0.1:${port}`), use_proxies: true },
      bootstrap: {
        ...bootstrap,
        dcs: { ...dcs, postgresql: { ...dcs.postgresql, parameters: Object.fromEntries(parameters) } },
        pg_hba: ['host all all 127.0.0.1/32 trust', 'host replication all 127.0.0.1/32 trust'],
      },
      postgresql: {
        listen: `127.0.0.1:${this.port}`,
        connect_address: `127.0.0.1:${this.way}`,
        data_dir: this.data,
        bin_dir: this.tools.programs,
        pgpass: join(this.folder, 'pgpass'),
        parameters: { unix_socket_directories: '' },
        authentication: {
          superuser: { username: 'postgres' },
          replication: { username: 'replicator' },
          rewind: { username: 'rewind' },
        },
      },
      watchdog: { mode: 'off' },
    };
    // what is JSON is YAML
    writeFileSync(join(this.folder, 'node.yml'), JSON.stringify(config));
  }

  private get data(): string {
    return join(this.folder, 'data');
  }

  start(): void {
    const log = openSync(join(this.folder, 'patroni.log'), 'a', 0o644);
    const [program, ...words] = this.tools.patroni;
    this.manager = spawn(program, [...words, join(this.folder, 'node.yml')], {
      ...this.tools.ids,
      cwd: this.folder,
      env: { PATH: process.env['PATH'], PYTHONPATH: process.env['PYTHONPATH'], LANG: 'C.UTF-8' },
      stdio: ['ignore', log, log],
    });
  }

  /** What its Patroni says at a path of its interface: 200 or another status; 0: it does not answer. */
  async says(path: string): Promise<number> {
    return fetch(`http://127.0.0.1:${this.rest_port}${path}`, { signal: AbortSignal.timeout(2000) }).then(
      async (reply) => {
        await reply.arrayBuffer();
        return reply.status;
      },
      () => 0,
    );
  }

  /** Asks Patroni for something; it must say yes. */
  async ask(path: string, body: object): Promise<void> {
    const reply = await fetch(`http://127.0.0.1:${this.rest_port}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    const text = await reply.text();
    if (!reply.ok) throw new Error(`Patroni says ${reply.status} to ${path}: ${text}`);
  }

  look<R extends pg.QueryResultRow>(text: string, database?: string): Promise<R[]> {
    return lookAt<R>(this.port, text, database);
  }

  /** The machine dies. */
  kill(): void {
    this.killManager();
    this.killServer();
  }

  /** Only Patroni ends: its PostgreSQL goes on, and nobody leads it. */
  killManager(): void {
    this.manager?.kill('SIGKILL');
    this.manager = undefined;
  }

  /** Only PostgreSQL ends, with every process of it. */
  killServer(): void {
    this.signalServer('SIGKILL');
  }

  /** Nothing of it runs, and nobody is told. */
  freeze(): void {
    this.manager?.kill('SIGSTOP');
    this.signalServer('SIGSTOP');
  }

  thaw(): void {
    this.signalServer('SIGCONT');
    this.manager?.kill('SIGCONT');
  }

  cut(): void {
    for (const wire of this.wires) wire.cut();
  }

  heal(): void {
    for (const wire of this.wires) wire.heal();
  }

  end(): void {
    this.thaw();
    this.kill();
    for (const wire of this.wires) wire.close();
  }

  /** The last of what its Patroni wrote, for whoever looks for a cause. */
  said(): string {
    return readFileSync(join(this.folder, 'patroni.log'), 'utf8').slice(-3000);
  }

  /** Patroni starts it apart, so it is found by its own file. */
  private signalServer(signal: NodeJS.Signals): void {
    const file = join(this.data, 'postmaster.pid');
    if (existsSync(file)) signalTree(Number(readFileSync(file, 'utf8').split('\n')[0]), signal);
  }
}
