// Loaded into a service before it starts (node --import): writes down what goes to PostgreSQL, statement by statement,
// with the values, and leaves it in a file at the end. Only the rehearsal runs with it; nothing that is measured does.
import { writeFileSync } from 'node:fs';
import pg from 'pg';
import { serialize } from 'pg-protocol';
import { preparedStatements } from '../src/kit/database.ts';

export type Sent = { readonly statement: string; readonly values: readonly (string | null)[] };
/** What went out in one round trip and, as nothing of it opens a transaction, in one commit. */
export type Batch = { readonly at: number; readonly options: string; readonly sent: readonly Sent[] };
export type Recording = {
  readonly batches: readonly Batch[];
  /** As PostgreSQL gets them, with the name of every parameter in the service's own words. */
  readonly texts: Readonly<Record<string, { readonly text: string; readonly names: readonly string[] }>>;
};

type Startup = { readonly options?: string };
type Wire = pg.Connection & { startup(config: Startup): void };

const file = process.env['BENCH_RECORDING'] ?? '';

const batches: Batch[] = [];
const parsed = new Map<string, string>();
const options = new WeakMap<pg.Connection, string>();

const wire = pg.Connection.prototype as Wire;
const { startup } = wire;

wire.startup = function (this: Wire, config) {
  options.set(this, config.options ?? '');
  startup.call(this, config);
};

/** What the statement that is being written has sent so far; statements are written in one go. */
let sending: Sent[] | undefined;

const { bind, parse } = serialize;
serialize.bind = (config) => {
  const values = (config?.values ?? []).map((value: unknown) => (typeof value === 'string' ? value : null));
  if (config?.statement !== undefined) sending?.push({ statement: config.statement, values });
  return bind(config);
};
serialize.parse = (query) => {
  if (query.name !== undefined) parsed.set(query.name, query.text);
  return parse(query);
};

const { query } = pg.Client.prototype;
Object.assign(pg.Client.prototype, {
  query(this: pg.Client, ...args: readonly unknown[]): unknown {
    const [asked] = args;
    if (isSubmittable(asked)) {
      const { submit } = asked;
      asked.submit = (connection) => {
        sending = [];
        submit.call(asked, connection);
        const at = performance.timeOrigin + performance.now();
        batches.push({ at, options: options.get(connection) ?? '', sent: sending });
        sending = undefined;
      };
    }
    return Reflect.apply(query, this, args);
  },
});

function isSubmittable(value: unknown): value is { submit: pg.Submittable['submit'] } {
  return typeof value === 'object' && value !== null && 'submit' in value && typeof value.submit === 'function';
}

process.on('exit', () => {
  const known = preparedStatements();
  const texts = Object.fromEntries([...parsed].map(([name, text]) => [name, known.get(name) ?? { text, names: [] }]));
  const recording: Recording = { batches, texts };
  writeFileSync(file, JSON.stringify(recording));
});
