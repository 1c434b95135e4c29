// The acquirer simulator: an acquirer of ISO 8583 behind a real socket, with its own books, in memory. It listens on
// loopback for any number of lines, and on a second port for its control interface.
import { once } from 'node:events';
import { createServer as createControl } from 'node:http';
import { type Server, createServer } from 'node:net';
import type { Clock } from '../../kit/clock.ts';
import { listeningPort } from '../../kit/listening-port.ts';
import { control } from './control.ts';
import { Session } from './session.ts';
import { World } from './world.ts';

export type Acquirer = AsyncDisposable & {
  /** The port for lines. */
  readonly port: number;
  readonly control_port: number;
  /** For tests in the same process: the objects that the control interface works with. */
  readonly world: World;
  dropLines(): void;
  /** Sends an echo test on each line. */
  echoLines(): void;
  close(): Promise<void>;
};

export type AcquirerOptions = {
  /** 0 asks for any free port. */
  readonly port: number;
  readonly control_port: number;
  readonly clock: Clock;
};

export async function openAcquirer({ port, control_port, clock }: AcquirerOptions): Promise<Acquirer> {
  const world = new World(clock);
  const sessions = new Set<Session>();
  const lines = createServer((socket) => {
    const session = new Session(socket, world);
    sessions.add(session);
    socket.on('close', () => sessions.delete(session));
  });
  const dropLines = () => {
    for (const session of sessions) session.close();
  };
  const steered = {
    drop: dropLines,
    signedOn: () => [...sessions].filter(({ isSignedOn }) => isSignedOn).length,
    listen: async (is_open: boolean) => {
      if (is_open === lines.listening) return;
      if (is_open) await listen(lines, ports[0]);
      else await stop(lines, dropLines);
    },
  };
  const controls = createControl((request, response) => void control({ world, lines: steered }, request, response));
  const ports = [await listen(lines, port), await listen(controls, control_port)] as const;
  const close = async () => {
    const ended = once(controls, 'close');
    controls.close();
    controls.closeAllConnections();
    await Promise.all([ended, stop(lines, dropLines)]);
  };
  const echoLines = () => {
    for (const session of sessions) session.echo();
  };
  const [line_port, other_port] = ports;
  return {
    port: line_port,
    control_port: other_port,
    world,
    dropLines,
    echoLines,
    close,
    [Symbol.asyncDispose]: close,
  };
}

async function stop(lines: Server, drop: () => void): Promise<void> {
  const ended = lines.listening ? once(lines, 'close') : undefined;
  lines.close();
  drop();
  await ended;
}

async function listen(server: Server, port: number): Promise<number> {
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return listeningPort(server);
}
