// The way to a server, which can be cut: what is sent stays on the way, and new connections get no answer.
import { type Server, type Socket, connect, createServer } from 'node:net';

export class Wire {
  readonly port: number;
  private readonly server: Server;
  private readonly ends = new Set<Socket>();
  private is_cut = false;

  private constructor(port: number, to: number) {
    this.port = port;
    this.server = createServer((near) => this.join(near, to));
  }

  /** Listens at `port` and leads to another one of this machine. */
  static async open(port: number, to: number): Promise<Wire> {
    const wire = new Wire(port, to);
    await new Promise<void>((resolve) => wire.server.listen(port, '127.0.0.1', resolve));
    return wire;
  }

  private join(near: Socket, to: number): void {
    const far = connect(to, '127.0.0.1');
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      this.ends.add(one);
      one.setNoDelay();
      one.on('error', () => undefined);
      one.on('data', (bytes: Buffer) => {
        if (!this.is_cut) other.write(bytes);
      });
      one.on('close', () => {
        this.ends.delete(one);
        // who is cut off does not hear that the other one has gone
        if (!this.is_cut) other.destroy();
      });
    }
  }

  cut(): void {
    this.is_cut = true;
  }

  /** What was sent meanwhile is lost, and with it every connection. */
  heal(): void {
    this.is_cut = false;
    for (const one of this.ends) one.destroy();
  }

  close(): void {
    this.heal();
    this.server.close();
  }
}
