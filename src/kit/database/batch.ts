// Group commit: statements that arrive while a batch is on its way wait for it and then go together, in one round trip
// and one commit. The gain is the price of a commit and of a round trip, which cost more than a row (decision 0011).
// No timer is waited for: a batch begins when what the sockets hold at this moment is read (decision 0145). Rows of one
// statement go as one statement (decision 0092).
import { histogram } from '../metrics/registry.ts';
import { refusalIn } from './errors.ts';
import type { RowStatement } from './rows.ts';
import type { Parameter, Prepared, Row } from './statement.ts';

export type Asked = {
  readonly statement: Prepared;
  /** Set if the statement can be run for several rows at once. */
  readonly row?: {
    readonly of: RowStatement;
    readonly values: Readonly<Record<string, Parameter>>;
    prepare(values: Readonly<Record<string, Parameter>>): Prepared;
  };
};

type Waiting = { readonly asked: Asked; readonly settle: PromiseWithResolvers<Row[]> };
type Send = (all: readonly Prepared[]) => Promise<Row[][]>;

const sizes = histogram(
  'florin_database_commit_statements',
  'Statements that shared a commit',
  [1, 2, 4, 8, 16, 32, 64],
).series({});

/** Batches under way at once: while one waits for the disk, the next is filled and sent. */
const LANES = 2;
const MOST = 64;
/**
 * How many of the rows that stay apart (they write the same row of a table) go in one batch: all others in the batch
 * wait for each of them.
 */
const MOST_APART = 4;

/** So often it is asked whether those that wait for a lane may wait on. */
const LOOK_MS = 250;

export type Batcher = {
  /** Runs a statement with its neighbours. */
  run(asked: Asked): Promise<Row[]>;
  /** How many wait for a lane. */
  waiting(): number;
};

export type BatcherOptions = {
  /** Throws where nothing more is to wait: what has not been sent is then refused. */
  requireRoom?(waiting: number): void;
};

/**
 * Gives what runs a statement in a batch of its neighbours. What the database refuses takes the whole batch
 * back, so each of it is then run alone: one refused statement does not fail the others. Any other error fails all of
 * them: as with a statement alone, nothing is known of what it did.
 */
export function batcher(send: Send, { requireRoom = alwaysRoom }: BatcherOptions = {}): Batcher {
  const queue: Waiting[] = [];
  let lanes = 0;
  let watching = false;

  async function runLane(): Promise<void> {
    for (let batch = takeBatch(queue); batch.length > 0; batch = takeBatch(queue)) await sendBatch(send, batch);
    lanes--;
  }

  function watch(): void {
    if (watching) return;
    watching = true;
    setTimeout(() => {
      watching = false;
      if (queue.length === 0) return;
      try {
        requireRoom(0);
        watch();
      } catch (error) {
        for (const { settle } of queue.splice(0)) settle.reject(error);
      }
    }, LOOK_MS).unref();
  }

  return {
    waiting: () => queue.length,
    run: async (asked) => {
      requireRoom(queue.length);
      const settle = Promise.withResolvers<Row[]>();
      queue.push({ asked, settle });
      if (lanes < LANES) {
        lanes++;
        setImmediate(() => void runLane());
      } else watch();
      return settle.promise;
    },
  };
}

const alwaysRoom = () => undefined;

const DEADLOCK = '40P01';

/** `again`: a deadlock has rolled it back once, which says nothing against it. */
async function sendBatch(send: Send, batch: readonly Waiting[], again = false): Promise<void> {
  sizes(batch.length);
  const groups = groupsOf(batch);
  try {
    const rows = await send(groups.map(statementOf));
    const refused = groups.flatMap((group, i) => tell(group, rows[i] ?? []));
    // each gets its own error: what refused it among others may be gone, and what it would write is not among others'
    // any more
    if (refused.length > 0) await sendEach(send, refused);
  } catch (error) {
    const refused = refusalIn(error);
    if (refused && batch.length > 1) await sendParts(send, batch);
    else if (refused?.code === DEADLOCK && !again) await sendBatch(send, batch, true);
    else for (const { settle } of batch) settle.reject(error);
  }
}

/**
 * Sends the parts of a refused batch: each account has a commit of its own, and only the statements beside the refused
 * one are sent alone.
 */
async function sendParts(send: Send, batch: readonly Waiting[]): Promise<void> {
  const shares = [...Map.groupBy(batch, tenantOf).values()];
  const parts = shares.length > 1 ? shares : batch.map((one) => [one]);
  await Promise.all(parts.map((part) => sendBatch(send, part)));
}

const tenantOf = ({ asked }: Waiting) => asked.statement.tenant;

/**
 * The next of those that wait, in turns by account: one that asks for much waits for itself, not the others for it.
 * What it leaves waits on, first come first.
 */
function takeBatch(queue: Waiting[]): Waiting[] {
  let turns = [...Map.groupBy(queue.splice(0), tenantOf).values()];
  const batch: Waiting[] = [];
  const left: Waiting[] = [];
  const taken = new Map<string, number>();
  for (let n = 0; turns.length > 0; n++) {
    for (const turn of turns)
      for (const waiting of turn.slice(n, n + 1))
        (batch.length < MOST && mayJoin(waiting, taken) ? batch : left).push(waiting);
    turns = turns.filter(({ length }) => length > n + 1);
  }
  queue.push(...left);
  return batch;
}

function mayJoin({ asked: { row, statement } }: Waiting, taken: Map<string, number>): boolean {
  const wants = row?.of.apart(row.values).map((one) => `${statement.name} ${statement.tenant} ${one}`) ?? [];
  if (wants.some((one) => (taken.get(one) ?? 0) >= MOST_APART)) return false;
  for (const one of wants) taken.set(one, (taken.get(one) ?? 0) + 1);
  return true;
}

/** In one round trip, each by its own statement. */
async function sendEach(send: Send, batch: readonly Waiting[]): Promise<void> {
  try {
    const rows = await send(batch.map(({ asked }) => asked.statement));
    batch.forEach(({ settle }, i) => settle.resolve(rows[i] ?? []));
  } catch (error) {
    if (!refusalIn(error)) for (const { settle } of batch) settle.reject(error);
    else await Promise.all(batch.map((one) => sendBatch(send, [one])));
  }
}

/** Requests that go as one statement. */
type Group = readonly [Waiting, ...Waiting[]];

/** Rows of the same statement and merchant account, unless two of them would write the same row of a table. */
function groupsOf(batch: readonly Waiting[]): readonly Group[] {
  const groups: [Waiting, ...Waiting[]][] = [];
  const open = new Map<string, { readonly group: Waiting[]; readonly taken: Set<string> }>();
  for (const waiting of batch) {
    const { row, statement } = waiting.asked;
    const name = `${statement.name} ${statement.tenant}`;
    const known = open.get(name);
    const wants = row?.of.apart(row.values) ?? [];
    if (row && known && !wants.some((one) => known.taken.has(one))) {
      known.group.push(waiting);
      for (const one of wants) known.taken.add(one);
      continue;
    }
    const group: [Waiting, ...Waiting[]] = [waiting];
    groups.push(group);
    if (row && !known) open.set(name, { group, taken: new Set(wants) });
  }
  return groups;
}

function statementOf([first, ...others]: Group): Prepared {
  const { statement, row } = first.asked;
  if (!row || others.length === 0) return statement;
  const all = [first, ...others].map(({ asked }) => asked.row?.values ?? {});
  return row.prepare(row.of.together(all));
}

/** Answers whose rows are there; the others were refused. */
function tell(group: Group, rows: Row[]): readonly Waiting[] {
  const [first, ...others] = group;
  if (others.length === 0) {
    first.settle.resolve(rows);
    return [];
  }
  const by_number = Map.groupBy(rows, ({ n }) => Number(n));
  const missing = group.filter((_, i) => !by_number.has(i + 1));
  group.forEach(({ settle }, i) => {
    const own = by_number.get(i + 1);
    if (own) settle.resolve(own);
  });
  if (first.asked.row?.of.reads !== true) return missing;
  for (const { settle } of missing) settle.resolve([]);
  return [];
}
