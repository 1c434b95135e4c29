// The simulated provider as a process of the run, with its own books. It is killed and started again; its journal keeps
// the books, and what it was told. Steered and looked at over its own port.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Child, launch } from './process.ts';

/** A row of GET /books: an entry of the simulated provider. A sale is two rows of one reference. */
export type BookRow = {
  readonly reference: string;
  /** The entry that this one works on: a capture's payment, a refund's capture; a sale is its own capture. */
  readonly parent: string | null;
  readonly order_id: string;
  readonly provider: string;
  readonly kind: 'authorize' | 'capture' | 'refund' | 'cancel' | 'reversal';
  readonly amount: number;
  readonly currency: string;
  readonly effects: number;
  readonly calls: number;
  readonly state: string;
};

export type Subscription = {
  readonly provider: string;
  readonly merchant_account_id: string;
  readonly contract_id: string;
  readonly secret: string;
};

type Filter = Readonly<Record<string, string>>;

export type Bank = {
  readonly url: string;
  kill(): Promise<void>;
  /** Stops it in mid-step, and lets it go on. */
  freeze(): void;
  thaw(): void;
  /** Tells it how to misbehave (POST /control). */
  steer(control: object): Promise<void>;
  /** Arms a scenario (POST /scenarios), or lets it have as many calls as it says once more. */
  arm(scenario: Readonly<Record<string, string | number>>): Promise<void>;
  disarm(): Promise<void>;
  books(filter?: Filter): Promise<readonly BookRow[]>;
  /** The contract to which it sends messages about an account's payments, and how it signs: as its journal keeps it. */
  subscriptions(): readonly Subscription[];
  /** One page; `next` is null where nothing follows. */
  page(filter: Filter, offset: number): Promise<{ readonly rows: readonly BookRow[]; readonly next: number | null }>;
  stop(): Promise<void>;
};

type BankOptions = {
  readonly tree: string;
  readonly folder: string;
  /** Of launch. */
  readonly compiled: string;
  readonly port: number;
};

const DOWN_MS = 150;
const PATIENCE_MS = 20_000;
const AGAIN_MS = 50;
const PAGE = '500';

export async function startBank(options: BankOptions): Promise<Bank> {
  const { tree, folder, compiled, port } = options;
  const settings = { host: '127.0.0.1', port, journal_file: join(folder, 'bank.journal') };
  const url = `http://127.0.0.1:${port}`;
  let child: Child;
  const start = async () => {
    const ready = Promise.withResolvers<void>();
    const words: string[] = [];
    child = launch({
      script: join(tree, 'src/sandbox/main.ts'),
      args: [JSON.stringify(settings)],
      cwd: folder,
      env: {},
      compiled,
      nice: 0,
      line: (text) => {
        words.push(text);
        if (text.includes('"port"')) ready.resolve();
      },
    });
    const fallen = child.ended.then(() => {
      throw new Error(`the simulated provider did not start: ${words.join(' ').slice(-500)}`);
    });
    await Promise.race([ready.promise, fallen]);
  };
  await start();
  const ask = async (path: string, asked?: Asked): Promise<Record<string, unknown>> => {
    const give_up_at = performance.now() + PATIENCE_MS;
    for (;;) {
      const told = await request(url + path, asked);
      if (told !== undefined) return told;
      if (performance.now() > give_up_at) throw new Error(`the simulated provider does not answer ${path}`);
      await pause(AGAIN_MS);
    }
  };
  const page: Bank['page'] = async (filter, offset) => {
    const query = new URLSearchParams({ ...filter, limit: PAGE, offset: String(offset) });
    const { entries, next_offset } = await ask(`/books?${query.toString()}`);
    const rows = Array.isArray(entries) ? (entries as BookRow[]) : [];
    return { rows, next: typeof next_offset === 'number' ? next_offset : null };
  };
  return {
    url,
    subscriptions: () =>
      readFileSync(settings.journal_file, 'utf8')
        .split('\n')
        .filter((line) => line.startsWith('{"subscription"'))
        .map((line): Subscription => JSON.parse(line).subscription),
    kill: async () => {
      child.signal('SIGKILL');
      await child.ended;
      await pause(DOWN_MS);
      await start();
    },
    freeze: () => child.signal('SIGSTOP'),
    thaw: () => child.signal('SIGCONT'),
    steer: async (control) => {
      await ask('/control', { method: 'POST', body: control });
    },
    arm: async (scenario) => {
      await ask('/scenarios', { method: 'POST', body: scenario });
    },
    disarm: async () => {
      await ask('/scenarios/clear', { method: 'POST', body: {} });
    },
    page,
    books: async (filter = {}) => {
      const all: BookRow[] = [];
      for (let offset: number | null = 0; offset !== null;) {
        const { rows, next } = await page(filter, offset);
        all.push(...rows);
        offset = next;
      }
      return all;
    },
    stop: async () => {
      child.signal('SIGKILL');
      await child.ended;
    },
  };
}

type Asked = { readonly method: string; readonly body?: object };

/** Undefined: nobody there. An answer of another status than 200 is an error of the run. */
async function request(url: string, asked: Asked = { method: 'GET' }): Promise<Record<string, unknown> | undefined> {
  const headers = { 'content-type': 'application/json' };
  const { method, body } = asked;
  const init = body === undefined ? { method } : { method, headers, body: JSON.stringify(body) };
  const response = await fetch(url, { ...init, signal: AbortSignal.timeout(PATIENCE_MS) }).catch(() => undefined);
  if (response === undefined) return undefined;
  const text = await response.text().catch(() => undefined);
  if (text === undefined) return undefined;
  if (response.status !== 200) throw new Error(`the simulated provider refuses ${url}: ${response.status} ${text}`);
  const value: unknown = JSON.parse(text);
  return typeof value === 'object' && value !== null ? { ...value } : {};
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
