// Loaded into a service before it starts (node --import): writes down what goes to PostgreSQL, statement by statement, with
// the values, and leaves it in a file at the end. Only the rehearsal runs with it; nothing that is measured does.
import { writeFileSync } from 'node:fs';
import pg from 'pg';
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
const open = new WeakMap<pg.Connection, Sent[]>();

const wire = pg.Connection.prototype as Wire;
const { startup, parse, bind, sync } = wire;

wire.startup = function (this: Wire, config) {
  options.set(this, config.options ?? '');
  startup.call(this, config);
};

wire.parse = function (this: Wire, query, more) {
  parsed.set(query.name, query.text);
  parse.call(this, query, more);
};

wire.bind = function (this: Wire, config, more) {
  const sent = open.get(this) ?? [];
  open.set(this, sent);
  if (config?.statement !== undefined)
    sent.push({
      statement: config.statement,
      values: (config.values ?? []).map((value) => value?.toString() ?? null),
    });
  bind.call(this, config, more);
};

wire.sync = function (this: Wire) {
  const sent = open.get(this);
  open.delete(this);
  if (sent) batches.push({ at: performance.timeOrigin + performance.now(), options: options.get(this) ?? '', sent });
  sync.call(this);
};

process.on('exit', () => {
  const known = preparedStatements();
  const texts = Object.fromEntries([...parsed].map(([name, text]) => [name, known.get(name) ?? { text, names: [] }]));
  const recording: Recording = { batches, texts };
  writeFileSync(file, JSON.stringify(recording));
});
