// The services of a run: real `florin start` processes on one database and one simulated provider. Whichever ends,
// however it ends, is started again.
import { join } from 'node:path';
import { type Child, launch } from './process.ts';

export type Service = {
  readonly name: string;
  readonly api_url: string;
  readonly vault_url: string;
  isReady(): boolean;
  /** The service is to die at a kill point, and has not come to it. */
  isArmed(): boolean;
  /** kill -9; it is started again by itself. */
  kill(): void;
  /** Stops it in mid-step, and lets it go on. */
  freeze(): void;
  thaw(): void;
};

/** What happened to the services. */
export type Tally = {
  starts: number;
  /** Deaths by our hand. */
  killed: number;
  /** Deaths at a kill point, by its name. */
  readonly points: Map<string, number>;
  /** Starts that failed, as they do while the database is away. */
  failed_starts: number;
  /** Ends that nobody caused: exit codes with last words. */
  readonly exits: string[];
  /** Writes that the database refused as a second line, by constraint or trigger. */
  readonly refused: Map<string, number>;
  /** Log lines of level error, by their message. */
  readonly errors: Map<string, number>;
};

export type Services = {
  readonly all: readonly Service[];
  readonly keys: { readonly private_key: string; readonly public_key: string };
  readonly tally: Tally;
  stop(): Promise<void>;
};

export type ServicesOptions = {
  readonly tree: string;
  readonly folder: string;
  /** Of launch. */
  readonly compiled: string;
  readonly ports: readonly number[];
  readonly count: number;
  readonly settings: Readonly<Record<string, string>>;
  /** The kill point to arm at the next start, as FLORIN_CRASH_AT takes it; empty: none. */
  nextPoint(): string;
  /** A start that had this point armed ended otherwise: it is to be tried again. */
  pointMissed(point: string): void;
};

const LIMITS = {
  FLORIN_REQUESTS_PER_SECOND: '1000000',
  FLORIN_REQUESTS_RUNNING: '100000',
  FLORIN_TOKENS_PER_MINUTE: '1000000',
  FLORIN_FAILED_KEYS_PER_MINUTE: '1000000',
};
const NICE = 5;
const FAILED_MS = 200;
/** How long the first start may take, which migrates, on a busy machine. */
const START_MS = 120_000;
const LAST_LINES = 12;
const READY = /npm run demo/;

export async function startServices(options: ServicesOptions): Promise<Services> {
  const tally: Tally = {
    starts: 0,
    killed: 0,
    points: new Map(),
    failed_starts: 0,
    exits: [],
    refused: new Map(),
    errors: new Map(),
  };
  const words: string[] = [];
  const keepers: Keeper[] = [];
  // one after the other: the first one migrates
  for (let n = 0; n < options.count; n++) {
    const keeper = new Keeper(options, { n, tally, hear: (line) => words.push(line) });
    keepers.push(keeper);
    await keeper.first();
  }
  const said = words.join('\n');
  const word = (label: string) => new RegExp(`${label}\\s+(\\S+)`).exec(said)?.[1] ?? '';
  return {
    all: keepers.map((keeper) => keeper.service),
    keys: { private_key: word('Private key'), public_key: word('Public key') },
    tally,
    stop: async () => {
      await Promise.all(keepers.map((keeper) => keeper.stop()));
    },
  };
}

type Of = { readonly n: number; readonly tally: Tally; hear(line: string): void };

class Keeper {
  readonly service: Service;
  private readonly options: ServicesOptions;
  private readonly of: Of;
  private child: Child | undefined;
  private ready = false;
  private armed = false;
  private by_us = false;
  private stopping = false;
  private last: string[] = [];
  private running: Promise<void> = Promise.resolve();

  constructor(options: ServicesOptions, of: Of) {
    this.options = options;
    this.of = of;
    const [api = 0, vault = 0] = options.ports.slice(of.n * 3);
    this.service = {
      name: `service ${of.n + 1}`,
      api_url: `http://127.0.0.1:${api}`,
      vault_url: `http://127.0.0.1:${vault}`,
      isReady: () => this.ready,
      isArmed: () => this.armed,
      kill: () => {
        if (!this.child?.isAlive()) return;
        this.by_us = true;
        this.of.tally.killed++;
        this.child.signal('SIGKILL');
      },
      freeze: () => this.child?.signal('SIGSTOP'),
      thaw: () => this.child?.signal('SIGCONT'),
    };
  }

  /** The first start: without kill points, and a failure is a failure of the run. */
  async first(): Promise<void> {
    const child = this.start('');
    const give_up_at = performance.now() + START_MS;
    while (!this.ready) {
      if (!child.isAlive() || performance.now() > give_up_at)
        throw new Error(`the service did not start:\n${this.last.join('\n')}`);
      await pause(20);
    }
    this.running = this.watch(child, '');
  }

  async stop(): Promise<void> {
    this.stopping = true;
    this.by_us = true;
    this.child?.signal('SIGKILL');
    await this.running;
  }

  private start(point: string): Child {
    const { tree, folder, compiled, settings, ports } = this.options;
    const [api, vault, backoffice] = ports.slice(this.of.n * 3);
    this.of.tally.starts++;
    this.by_us = false;
    this.armed = point !== '';
    this.child = launch({
      script: join(tree, 'bin/florin.mjs'),
      args: ['start'],
      cwd: folder,
      env: {
        ...LIMITS,
        FLORIN_API_PORT: String(api),
        FLORIN_VAULT_PORT: String(vault),
        FLORIN_BACKOFFICE_PORT: String(backoffice),
        FLORIN_DATA_DIR: join(folder, 'data'),
        FLORIN_LOG_LEVEL: 'warn',
        FLORIN_CRASH_AT: point,
        ...settings,
      },
      compiled,
      nice: NICE,
      line: (text) => this.hear(text),
    });
    return this.child;
  }

  private async watch(first: Child, armed: string): Promise<void> {
    let [child, point] = [first, armed];
    for (;;) {
      const { code, signal } = await child.ended;
      const was_ready = this.ready;
      this.ready = false;
      if (this.stopping) return;
      this.tell({ code, signal, was_ready, point });
      if (!was_ready && code !== null) await pause(FAILED_MS);
      if (this.stopping) return;
      point = this.options.nextPoint();
      child = this.start(point);
    }
  }

  private tell(end: { code: number | null; signal: string | null; was_ready: boolean; point: string }): void {
    const { tally } = this.of;
    const name = end.point.split(':')[0] ?? '';
    const at_point = end.signal === 'SIGKILL' && !this.by_us && name !== '';
    if (at_point) tally.points.set(name, (tally.points.get(name) ?? 0) + 1);
    else if (name !== '') this.options.pointMissed(end.point);
    if (this.by_us || at_point) return;
    if (!end.was_ready && end.code !== null) tally.failed_starts++;
    else tally.exits.push(`${this.service.name} ended (${end.signal ?? end.code}):\n${this.last.join('\n')}`);
  }

  private hear(text: string): void {
    this.of.hear(text);
    this.last = [...this.last.slice(1 - LAST_LINES), text];
    if (READY.test(text)) this.ready = true;
    if (!text.startsWith('{')) return;
    const refused = /violates (?:check|unique) constraint \\?"(\w+)|(\w+ change refused on [\w.]+)/.exec(text);
    const add = (map: Map<string, number>, name: string) => map.set(name, (map.get(name) ?? 0) + 1);
    if (refused) add(this.of.tally.refused, refused[1] ?? refused[2] ?? '');
    const level = /"level":(\d+)/.exec(text)?.[1];
    if (level === '50') add(this.of.tally.errors, /"msg":"([^"]*)"/.exec(text)?.[1] ?? text);
  }
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
