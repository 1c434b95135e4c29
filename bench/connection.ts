// One keep-alive connection that asks one thing at a time: the least a load generator can spend on an answer, because on a
// small machine what it spends is missing to the service. It reads answers with a content-length, which is all we get.
import { type Socket, connect } from 'node:net';

export type Reply = { readonly status: number; readonly body: string };

export class Connection {
  readonly host: string;
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

  close(): void {
    this.socket?.destroy();
  }

  private open(): Socket {
    const socket = connect({ host: this.url.hostname, port: Number(this.url.port), noDelay: true });
    socket.on('data', (chunk) => this.read(chunk));
    socket.on('error', () => socket.destroy());
    socket.on('close', () => {
      if (this.socket === socket) this.socket = undefined;
      this.text = '';
      this.end(new Error('the connection was closed'));
    });
    return socket;
  }

  private read(chunk: Buffer): void {
    this.text += chunk.latin1Slice(0, chunk.length);
    const head = this.text.indexOf('\r\n\r\n');
    if (head < 0) return;
    const length = /\r\ncontent-length: (\d+)/i.exec(this.text);
    if (!length) {
      this.end(new Error('an answer without content-length'));
      this.socket?.destroy();
      return;
    }
    const end = head + 4 + Number(length[1]);
    if (this.text.length < end) return;
    const reply = { status: Number(this.text.slice(9, 12)), body: this.text.slice(head + 4, end) };
    this.text = this.text.slice(end);
    const { waiting } = this;
    this.waiting = undefined;
    waiting?.resolve(reply);
  }

  private end(error: Error): void {
    const { waiting } = this;
    this.waiting = undefined;
    waiting?.reject(error);
  }
}
