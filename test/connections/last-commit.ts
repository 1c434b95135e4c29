// A way to the database that ends behind one commit, exactly: from the moment at which the server says that it has
// committed a transaction with a certain statement in it, no other statement reaches it. Each is refused as by a server
// that has no room, which proves that it did nothing (src/kit/database/errors.ts).
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { type Server, type Socket, connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const SOCKET = '.s.PGSQL.5432';

export class LastCommit implements AsyncDisposable {
  /** The folder with the socket, in place of the server's own. */
  readonly socket_dir = mkdtempSync(join(tmpdir(), 'florin-last-'));
  /** The name of the statement whose commit is the last one. */
  statement: string | undefined;
  /** That commit has come, and nothing is taken any more. */
  is_over = false;
  private readonly server: Server;
  private readonly ends = new Set<Socket>();

  private constructor(server_dir: string) {
    this.server = createServer((near) => {
      const far = connect(join(server_dir, SOCKET));
      const way = new Way(this, near, far);
      this.join(near, far, (bytes) => way.ask(bytes));
      this.join(far, near, (bytes) => way.answer(bytes));
    });
  }

  static async open(server_dir: string): Promise<LastCommit> {
    const last = new LastCommit(server_dir);
    last.server.listen(join(last.socket_dir, SOCKET));
    await once(last.server, 'listening');
    return last;
  }

  /** Everything is taken again; whether the commit had come. */
  heal(): boolean {
    const was_over = this.is_over;
    this.statement = undefined;
    this.is_over = false;
    return was_over;
  }

  private join(one: Socket, other: Socket, read: (bytes: Buffer) => void): void {
    this.ends.add(one);
    one.on('data', read);
    one.on('error', () => undefined);
    one.on('close', () => {
      this.ends.delete(one);
      other.destroy();
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const end of this.ends) end.destroy();
    this.server.close();
    await once(this.server, 'close');
    rmSync(this.socket_dir, { recursive: true, force: true });
  }
}

type Message = { readonly type: string; readonly whole: Buffer };

const HEAD = 5;

/** Takes the whole messages from the front of what came. */
function messagesIn(bytes: Buffer): { readonly messages: readonly Message[]; readonly rest: Buffer } {
  const messages: Message[] = [];
  let at = 0;
  while (bytes.length - at >= HEAD && bytes.length - at > bytes.readInt32BE(at + 1)) {
    const end = at + 1 + bytes.readInt32BE(at + 1);
    messages.push({ type: bytes.toString('latin1', at, at + 1), whole: bytes.subarray(at, end) });
    at = end;
  }
  return { messages, rest: bytes.subarray(at) };
}

/** One connection. */
class Way {
  private readonly last: LastCommit;
  private readonly near: Socket;
  private readonly far: Socket;
  private asked = Buffer.alloc(0);
  private answered = Buffer.alloc(0);
  private has_begun = false;
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

  ask(bytes: Buffer): void {
    // the first message has no type, and nothing is asked before its answer
    if (!this.has_begun) {
      this.has_begun = true;
      this.far.write(bytes);
      return;
    }
    const { messages, rest } = messagesIn(Buffer.concat([this.asked, bytes]));
    this.asked = Buffer.from(rest);
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

  answer(bytes: Buffer): void {
    const { messages, rest } = messagesIn(Buffer.concat([this.answered, bytes]));
    this.answered = Buffer.from(rest);
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

/** Of a Bind: the name of the portal, then that of the statement. */
function nameIn(whole: Buffer): string {
  const from = whole.indexOf(0, HEAD) + 1;
  return whole.toString('utf8', from, whole.indexOf(0, from));
}

function written(type: string, text: string): Buffer {
  const bytes = Buffer.from(`${type}0000${text}`, 'latin1');
  bytes.writeInt32BE(bytes.length - 1, 1);
  return bytes;
}

const NO_ROOM = written('E', 'SERROR\0VERROR\0C53100\0MNo space left on device\0\0');
const NO_ROOM_IDLE = Buffer.concat([NO_ROOM, written('Z', 'I')]);
const NO_ROOM_FAILED = Buffer.concat([NO_ROOM, written('Z', 'E')]);
