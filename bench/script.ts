// Turns the recording of two payments into a pgbench script: the same statements in the same order and transactions,
// with the same parameters. What differed between the two payments (ids, hashes, references) is made anew for each run
// of the script and stays the same wherever the payment used it again; everything else is sent as it was recorded.
import type { Batch, Recording, Sent } from './spy.ts';

export type Window = { readonly from: number; readonly to: number };

export type Script = {
  readonly text: string;
  /** For pgbench -D. Dates are shifted to the moment of the run. */
  defines(now: Date, seconds_hex: string): readonly string[];
  readonly statements: readonly string[];
  readonly round_trips: number;
};

/** Types of a statement's parameters, as PostgreSQL sees them. */
export type TypesOf = (text: string) => Promise<readonly string[]>;

type Form = 'id' | 'hash' | 'half' | 'uuid' | 'text';
/** A value that is new in each payment, and the SQL that makes it from a number of the script. */
type Atom = { readonly form: Form; readonly variable: string; readonly length: number };

const ID = /^\\x([0-9a-f]{24})$/;
const HASH = /^\\x([0-9a-f]{64})$/;
const HALF = /^\\x([0-9a-f]{32})$/;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const DATE = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;
/** Two digits tell the atoms of a payment apart. */
const MOST_ATOMS = 100;
/** Shorter ones may stand in a text by chance. */
const SHORTEST_INSIDE = 12;
/** Digits of the number that an atom is made of. */
const DIGITS = 16;

/** The statements of a payment, without what goes on beside it: that does not change from payment to payment. */
function flowOf(recording: Recording, window: Window): readonly Batch[] {
  const isWithin = ({ at }: Batch) => at >= window.from && at <= window.to;
  const others = recording.batches.filter((batch) => !isWithin(batch));
  const elsewhere = new Set(others.flatMap(({ sent }) => sent.map((one) => JSON.stringify(one))));
  return recording.batches
    .filter(isWithin)
    .filter(({ sent }) => sent.some((one) => !elsewhere.has(JSON.stringify(one))));
}

/** Finds what is new in each payment by comparing two. */
function atomsOf(first: readonly Batch[], second: readonly Batch[]): ReadonlyMap<string, Atom> {
  const atoms = new Map<string, Atom>();
  const pair = pairs(first, second);
  for (const [value, other] of pair) {
    if (value === null || value === other || DATE.test(value)) continue;
    const form = formOf(value);
    if (!form) continue;
    const key = value.replace(/^\\x/, '');
    if (!atoms.has(key)) atoms.set(key, { form, variable: `a${atoms.size}`, length: key.length });
  }
  if (atoms.size > MOST_ATOMS) throw new Error(`a payment has more new values than expected: ${atoms.size}`);
  return atoms;
}

function formOf(value: string): Form | undefined {
  if (ID.test(value)) return 'id';
  if (HASH.test(value)) return 'hash';
  if (HALF.test(value)) return 'half';
  if (UUID.test(value)) return 'uuid';
  // JSON and lists are searched for atoms; sealed bytes may stay as they are
  return /^[\w.:-]{4,64}$/.test(value) ? 'text' : undefined;
}

function pairs(first: readonly Batch[], second: readonly Batch[]): [string | null, string | null][] {
  const others = new Map<string, Sent[]>();
  for (const one of second.flatMap(({ sent }) => sent))
    others.set(one.statement, [...(others.get(one.statement) ?? []), one]);
  return first
    .flatMap(({ sent }) => sent)
    .flatMap(({ statement, values }): [string | null, string | null][] => {
      const other = others.get(statement)?.shift();
      if (!other) throw new Error(`the second payment did not run ${statement}: the two cannot be compared`);
      return values.map((value, i) => [value, other.values[i] ?? null]);
    });
}

/** SQL that gives an atom as it stands inside a text or list (hex without \x), and as a whole parameter. */
function inside({ form, variable, length }: Atom): string {
  // 8 hex of the second, then 16 digits that grow with the run: ordered by time, as our ids are
  const unique = `:seconds::text || :${variable}::text`;
  if (form === 'id') return unique;
  if (form === 'hash') return `encode(sha256((${unique})::bytea), 'hex')`;
  if (form === 'half' || form === 'uuid') return `md5(${unique})`;
  return length < DIGITS ? `right(:${variable}::text, ${length})` : `lpad(:${variable}::text, ${length}, '0')`;
}

function whole(atom: Atom): string {
  if (atom.form === 'id') return `decode(${inside(atom)}, 'hex')`;
  if (atom.form === 'hash') return `sha256((:seconds::text || :${atom.variable}::text)::bytea)`;
  if (atom.form === 'half') return `decode(${inside(atom)}, 'hex')`;
  return inside(atom);
}

/** What goes into the place of one parameter. */
class Values {
  readonly texts = new Map<string, string>();
  readonly dates = new Map<string, string>();
  private readonly atoms: ReadonlyMap<string, Atom>;
  private readonly search: RegExp;

  constructor(atoms: ReadonlyMap<string, Atom>) {
    this.atoms = atoms;
    const keys = [...atoms.keys()].filter((key) => key.length >= SHORTEST_INSIDE);
    this.search = new RegExp(`(${keys.map((key) => key.replace(/[.]/g, '\\.')).join('|')})`);
  }

  sql(value: string | null, type: string): string {
    // pgbench cannot send a null
    if (value === null) return `NULL::${type}`;
    if (DATE.test(value)) return `:${this.named(this.dates, value, 'd')}::${type}`;
    const atom = this.atoms.get(value.replace(/^\\x/, ''));
    if (atom) return `(${whole(atom)})::${type}`;
    const parts = value.split(this.search).filter((part) => part !== '');
    if (parts.length === 1) return `:${this.named(this.texts, value, 's')}::${type}`;
    const sql = parts.map((part) => {
      const found = this.atoms.get(part);
      return found ? inside(found) : `:${this.named(this.texts, part, 's')}::text`;
    });
    return `(${sql.join(' || ')})::${type}`;
  }

  private named(names: Map<string, string>, value: string, letter: string): string {
    const name = names.get(value) ?? `${letter}${names.size}`;
    names.set(value, name);
    return name;
  }
}

type Writing = { readonly recording: Recording; readonly first: Window; readonly second: Window };

export async function writeScript({ recording, first, second }: Writing, typesOf: TypesOf): Promise<Script> {
  const other = flowOf(recording, second);
  const of_both = new Set(other.flatMap(({ sent }) => sent.map(({ statement }) => statement)));
  // statistics of a grown table are taken once, by the process that comes then
  const flow = flowOf(recording, first)
    .map((batch) => ({ ...batch, sent: batch.sent.filter(({ statement }) => of_both.has(statement)) }))
    .filter(({ sent }) => sent.length > 0);
  const atoms = atomsOf(flow, other);
  const values = new Values(atoms);
  const lines = ['\\set n :n + 1'];
  let digit = 0;
  for (const { variable } of atoms.values())
    // 16 digits: the payments of this client, the client, the atom, chance
    lines.push(
      `\\set ${variable} 1000000000000000 + :n * 100000000 + :client_id * 1000000 + ${digit++} * 10000 + random(0, 9999)`,
    );
  for (const { sent, options } of flow) {
    const statements: string[] = [];
    // the service has a connection that does not wait for the disk; pgbench has only this way to say it
    if (options.includes('synchronous_commit=off'))
      statements.push(`SELECT set_config('synchronous_commit', 'off', true)`);
    for (const { statement, values: given } of sent) {
      const text = recording.texts[statement]?.text ?? '';
      if (/(?<!:):[a-z_]/i.test(text)) throw new Error(`pgbench would see a variable of its own in ${statement}`);
      const types = await typesOf(text);
      statements.push(
        text.replace(/\$(\d+)/g, (_, place: string) => {
          const at = Number(place) - 1;
          return values.sql(given[at] ?? null, types[at] ?? 'text');
        }),
      );
    }
    const block = statements.map((statement) => `${statement};`);
    lines.push(...(block.length === 1 ? block : ['\\startpipeline', ...block, '\\endpipeline']));
  }
  const shift = (date: string, now: Date) => new Date(Date.parse(date) - first.from + now.getTime()).toISOString();
  return {
    text: `${lines.join('\n')}\n`,
    defines: (now, seconds_hex) => [
      'n=0',
      `seconds=${seconds_hex}`,
      ...[...values.texts].map(([value, name]) => `${name}=${value}`),
      ...[...values.dates].map(([value, name]) => `${name}=${shift(value, now)}`),
    ],
    statements: flow.flatMap(({ sent }) => sent.map(({ statement }) => statement)),
    round_trips: flow.length,
  };
}
