// A way to the database that ends behind one commit, exactly: from the moment at which the server says that it has
// committed a transaction with a certain statement in it, no other statement reaches it. Each is refused as by a server
// that has no room, which proves that it did nothing (src/kit/database/errors.ts).
import type { Socket } from 'node:net';
import { Between, type Relay } from './between.ts';
import { HEAD, type Message, nameIn, refusal } from './wire.ts';

export class LastCommit extends Between {
  /** The name of the statement whose commit is the last one. */
  statement: string | undefined;
  /** That commit has come, and nothing is taken any more. */
  is_over = false;

  static async open(server_dir: string): Promise<LastCommit> {
    return new LastCommit(server_dir).listen();
  }

  /** Everything is taken again; whether the commit had come. */
  heal(): boolean {
    const was_over = this.is_over;
    this.statement = undefined;
    this.is_over = false;
    return was_over;
  }

  protected relay(near: Socket, far: Socket): Relay {
    return new Way(this, near, far);
  }
}

/** One connection. */
class Way implements Relay {
  private readonly last: LastCommit;
  private readonly near: Socket;
  private readonly far: Socket;
  /** What becomes of the statements up to the next Sync. */
  private batch: 'none' | 'sent' | 'refused' = 'none';
  /** The statement is in the transaction that goes on. */
  private holds_it = false;
  private is_in_transaction = false;

  constructor(last: LastCommit, near: Socket, far: Socket) {
    this.last = last;
    this.near = near;
    this.far = far;
  }

  begin(bytes: Buffer): void {
    this.far.write(bytes);
  }

  ask(messages: readonly Message[]): void {
    const on = messages.filter((message) => this.takes(message));
    if (on.length > 0) this.far.write(Buffer.concat(on.map(({ whole }) => whole)));
  }

  /** Whether the server gets it. BEGIN, ROLLBACK and their like do nothing, and a server without room takes them. */
  private takes({ type, whole }: Message): boolean {
    if (!'PBDECHS'.includes(type)) return true;
    if (this.batch === 'none') this.batch = this.last.is_over ? 'refused' : 'sent';
    const refused = this.batch === 'refused';
    if (!refused && type === 'B' && nameIn(whole) === this.last.statement) this.holds_it = true;
    if (type === 'S') this.batch = 'none';
    if (type === 'S' && refused) this.near.write(this.is_in_transaction ? NO_ROOM_FAILED : NO_ROOM_IDLE);
    return !refused;
  }

  answer(messages: readonly Message[]): void {
    for (const message of messages) this.look(message);
    if (messages.length > 0) this.near.write(Buffer.concat(messages.map(({ whole }) => whole)));
  }

  private look({ type, whole }: Message): void {
    // an error, and the tag ROLLBACK: it is not committed
    if (type === 'E' || (type === 'C' && whole.toString('latin1', HEAD).startsWith('ROLLBACK'))) this.holds_it = false;
    if (type !== 'Z') return;
    this.is_in_transaction = whole.toString('latin1', HEAD) !== 'I';
    if (this.is_in_transaction || !this.holds_it) return;
    this.holds_it = false;
    this.last.is_over = true;
  }
}

const NO_ROOM_IDLE = refusal('53100', false);
const NO_ROOM_FAILED = refusal('53100', true);
