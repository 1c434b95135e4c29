// Which server of a zone is believed. Every new connection is looked at before it is used, and a probe looks
// each second: at a standby, at a server of another history, and at none at all nothing is done, and callers get the
// error at once.
import type pg from 'pg';
import type { Log } from '../log.ts';
import { StartError } from '../start-error.ts';
import { type Seen, beginEpoch, lookAt } from './epochs.ts';
import { DatabaseUnavailable } from './errors.ts';
import { Recent } from './recent.ts';
import type { Row } from './statement.ts';
import type { History, SeenFile } from './seen-file.ts';

/** Asks one connection, whatever is thought of its server. */
export type Ask = (text: string, values: readonly unknown[]) => Promise<readonly Row[]>;

export type DoorOptions = {
  /** The zone's schema, where its epochs are. */
  readonly schema: string;
  readonly file: SeenFile;
  readonly log: Log;
  /** A commit must wait for a standby. */
  readonly replicated: boolean;
  readonly production: boolean;
  /** The real time, whatever a sandbox adds to it. */
  now_ms(): number;
  /** 24 hex digits, never used before. */
  newMark(): string;
  /** The database is another one than a moment ago: this process must end. */
  failed(error: Error): void;
  /** Which of these, by account, are not there; absent: nothing is acknowledged by ids. */
  missing?(ask: Ask, acknowledged: ReadonlyMap<string, readonly string[]>): Promise<readonly string[]>;
};

/** Clocks further apart than the first are logged; further than the second, production does not work with them. */
const CLOCK_WARN_MS = 1000;
const CLOCK_MOST_MS = 30_000;
/** A history is read again when another process was quicker, at most this often. */
const TRIES = 5;
const IDS_A_LINE = 100;

export class Door {
  /** Why nothing is taken at the moment; undefined: it is. */
  closed: string | undefined;
  /** Told when nothing is taken any more. */
  readonly onClosed = new Set<() => void>();
  /** Told when connections of an earlier history are of no use any more. */
  readonly onNewHistory = new Set<() => void>();
  /** Which of the servers of the address is in use, and what to call when it changes. */
  place = 0;
  readonly onPlace = new Set<() => void>();
  /** The commits that this process acknowledged in the last two minutes. */
  readonly recent = new Recent();
  private readonly options: DoorOptions;
  private history: History | undefined;
  private readonly marks = new WeakMap<pg.ClientBase, string>();
  private said = '';

  constructor(options: DoorOptions) {
    this.options = options;
    this.history = options.file.read();
  }

  /** Lets a new connection in, or throws: DatabaseUnavailable, as nothing was done. */
  async admit(client: pg.ClientBase, { starting = false } = {}): Promise<void> {
    const { schema } = this.options;
    for (let tries = 0; tries < TRIES; tries++) {
      const before = this.history;
      const seen = await lookAt(client, schema, before?.mark);
      if (this.isLost(seen)) throw await this.lost(client);
      this.requireOurs(seen);
      if (starting && this.options.replicated && seen.standbys === 0)
        throw this.refuse('no standby is connected: a commit would wait for ever');
      // another connection has learnt more meanwhile
      if (before !== this.history) continue;
      if (seen.mark === null || (seen.timeline ?? 0) > (seen.known_timeline ?? 0)) {
        await beginEpoch(client, schema, { mark: this.options.newMark() });
        continue;
      }
      this.clock(seen);
      this.marks.set(client, seen.mark);
      this.adopt({ system: seen.system, mark: seen.mark });
      return;
    }
    throw new DatabaseUnavailable('the history of the database is being written by others');
  }

  /** False: it was let in before the server changed; what it says now is not believed. */
  isOurs(client: pg.ClientBase): boolean {
    return this.marks.get(client) === this.history?.mark;
  }

  /** Takes the result of the probe; undefined: the server can be used. */
  found(why: string | undefined): void {
    const closes = this.closed === undefined && why !== undefined;
    this.closed = why;
    if (closes) for (const tell of this.onClosed) tell();
  }

  goTo(place: number): void {
    if (this.place === place) return;
    this.place = place;
    for (const tell of this.onPlace) tell();
  }

  /** A primary of our cluster that has not all of what was seen of it. */
  private isLost(seen: Seen): boolean {
    if (!this.history || seen.is_standby || (seen.known_system ?? seen.system) !== seen.system) return false;
    if (this.history.system !== seen.system && !seen.goes_on) return false;
    const is_behind = seen.timeline !== null && seen.timeline < (seen.known_timeline ?? 0);
    return !seen.goes_on || is_behind;
  }

  /** Throws unless the server may be worked with. */
  private requireOurs(seen: Seen): void {
    if (seen.is_standby) throw this.refuse('the server is a standby, which takes no writes');
    if (seen.known_system !== null && seen.known_system !== seen.system) throw this.foreign();
    if (this.history && this.history.system !== seen.system && !seen.goes_on) throw this.foreign();
    this.requireReplicated(seen);
  }

  private requireReplicated({ standby_names, synchronous_commit }: Seen): void {
    if (!this.options.replicated) return;
    if (standby_names === '')
      throw this.refuse('synchronous_standby_names is empty: a commit would be on one machine only');
    if (['local', 'remote_write'].includes(synchronous_commit))
      throw this.refuse(`synchronous_commit is ${synchronous_commit}: a commit would be on one machine only`);
  }

  /** A server whose clock is far from ours is not worked with in production: leases and tokens end by it. */
  private clock({ now_ms }: Seen): void {
    const apart_ms = Math.abs(now_ms - this.options.now_ms());
    const apart = `the clocks of database and process are ${Math.round(apart_ms / 1000)} s apart`;
    if (apart_ms > CLOCK_MOST_MS && this.options.production) throw this.refuse(apart);
    if (apart_ms > CLOCK_WARN_MS) this.say(apart);
    else this.said = '';
  }

  private foreign(): Error {
    const error = new StartError(
      `The database of schema ${this.options.schema} is another one than before: it was restored or moved into another cluster. If that is meant, run florin reconcile, then florin accept-timeline ${this.options.schema}`,
    );
    this.options.failed(error);
    return new DatabaseUnavailable(error.message, { cause: error });
  }

  /**
   * Two histories: what was acknowledged in the other one is not here. What this process acknowledged from it is
   * logged, once.
   */
  private async lost(client: pg.ClientBase): Promise<Error> {
    const { schema } = this.options;
    const before = this.said;
    const error = this.refuse(
      `the database has another history than the one last seen: acknowledged orders may be missing. Run florin reconcile, then florin accept-timeline ${schema} ${this.history?.mark}`,
    );
    if (this.said !== before) await this.nameMissing(client);
    return error;
  }

  private async nameMissing(client: pg.ClientBase): Promise<void> {
    const { schema, log, missing } = this.options;
    if (!missing) return;
    try {
      const ask: Ask = async (text, values) => (await client.query<Row>(text, [...values])).rows;
      const ids = await missing(ask, this.recent.byAccount());
      for (let at = 0; at < ids.length; at += IDS_A_LINE)
        log.error(
          { schema, ids: ids.slice(at, at + IDS_A_LINE).join(' ') },
          'acknowledged by this process, and not there',
        );
      log.error(
        { schema, missing: ids.length },
        'what this process acknowledged in the last two minutes was looked for',
      );
    } catch (error) {
      log.error({ schema, error: String(error) }, 'what this process acknowledged could not be looked for');
    }
  }

  private refuse(text: string): DatabaseUnavailable {
    this.say(text);
    return new DatabaseUnavailable(text);
  }

  /** Each state once, not each connection. */
  private say(text: string): void {
    if (this.said === text) return;
    this.said = text;
    this.options.log.error({ schema: this.options.schema }, text);
  }

  private adopt(history: History): void {
    if (this.history?.mark === history.mark) return;
    const first = this.history === undefined;
    this.history = history;
    if (!this.options.file.write(history) && first)
      this.options.log.warn({ schema: this.options.schema }, 'what was seen of the database cannot be kept in a file');
    for (const tell of this.onNewHistory) tell();
  }
}
