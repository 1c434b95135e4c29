// A way to the database through which every message goes, so that a test decides what becomes of it.
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { type Server, type Socket, connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Message, SOCKET, messagesIn } from './wire.ts';

/** What is done with one connection's messages; only what it writes arrives. */
export type Relay = {
  /** The first message of the client, which has no type: nothing is asked before its answer. */
  begin(bytes: Buffer): void;
  ask(messages: readonly Message[]): void;
  answer(messages: readonly Message[]): void;
};

export abstract class Between implements AsyncDisposable {
  /** The folder with the socket, in place of the server's own. */
  readonly socket_dir = mkdtempSync(join(tmpdir(), 'florin-between-'));
  private readonly server: Server;
  private readonly ends = new Set<Socket>();

  protected constructor(server_dir: string) {
    this.server = createServer((near) => {
      const far = connect(join(server_dir, SOCKET));
      const relay = this.relay(near, far);
      const ask = whole((messages) => relay.ask(messages));
      let has_begun = false;
      this.join(near, far, (bytes) => {
        if (has_begun) return ask(bytes);
        has_begun = true;
        relay.begin(bytes);
      });
      this.join(
        far,
        near,
        whole((messages) => relay.answer(messages)),
      );
    });
  }

  protected abstract relay(near: Socket, far: Socket): Relay;

  protected async listen(): Promise<this> {
    this.server.listen(join(this.socket_dir, SOCKET));
    await once(this.server, 'listening');
    return this;
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

/** Reads whole messages out of what comes in pieces. */
function whole(read: (messages: readonly Message[]) => void): (bytes: Buffer) => void {
  let kept = Buffer.alloc(0);
  return (bytes) => {
    const { messages, rest } = messagesIn(Buffer.concat([kept, bytes]));
    kept = Buffer.from(rest);
    read(messages);
  };
}
