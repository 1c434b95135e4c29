// One keep-alive connection that asks one thing at a time: the least a load generator can spend on an answer, because
// on a small machine what it spends is missing to the service. It reads answers with a content-length, which is all we
// get.
import { type Socket, connect } from 'node:net';

export type Reply = { readonly status: number; readonly body: string };

export class Connection {
  readonly host: string;
  /** The newest answer. */
  last: Reply = { status: 0, body: '' };
  private readonly url: URL;
  private socket: Socket | undefined;
  private text = '';
  private waiting: { resolve(reply: Reply): void; reject(error: Error): void } | undefined;

  constructor(origin: string) {
    this.url = new URL(origin);
    this.host = this.url.host;
  }

  /** Sends a whole request and gives its answer, its bytes as Latin-1. */
  ask(request: string): Promise<Reply> {
    const { promise, resolve, reject } = Promise.withResolvers<Reply>();
    this.waiting = { resolve, reject };
    this.socket ??= this.open();
    this.socket.write(request, 'latin1');
    return promise;
  }

  /** What is being asked fails; the next request opens a new connection. */
  close(): void {
    this.drop('the connection was closed');
  }

  private open(): Socket {
    const socket = connect({ host: this.url.hostname, port: Number(this.url.port), noDelay: true });
    socket.on('data', (chunk) => {
      if (this.socket === socket) this.read(chunk);
    });
    // an error is followed by a close
    socket.on('error', () => undefined);
    socket.on('close', () => {
      if (this.socket === socket) this.drop('the service closed the connection');
    });
    return socket;
  }

  private read(chunk: Buffer): void {
    this.text += chunk.toString('latin1');
    const head = this.text.indexOf('\r\n\r\n');
    if (head < 0) return;
    const length = /\r\ncontent-length: (\d+)/i.exec(this.text);
    if (!length) return this.drop('an answer came without content-length');
    const end = head + 4 + Number(length[1]);
    if (this.text.length < end) return;
    this.last = { status: Number(this.text.slice(9, 12)), body: this.text.slice(head + 4, end) };
    const closing = /\r\nconnection: close/i.test(this.text.slice(0, head));
    this.text = this.text.slice(end);
    if (closing) {
      // its requests are used up: the next one opens another
      this.socket?.destroy();
      this.socket = undefined;
    }
    const { waiting } = this;
    this.waiting = undefined;
    waiting?.resolve(this.last);
  }

  private drop(why: string): void {
    const { socket, waiting } = this;
    this.socket = undefined;
    this.waiting = undefined;
    this.text = '';
    socket?.destroy();
    waiting?.reject(new Error(why));
  }
}
