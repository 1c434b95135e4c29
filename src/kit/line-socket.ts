// A connection that is kept open and carries bytes both ways, in clear text or under a pinned certificate.
import { type Socket, connect as connectPlain, isIP } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { type TlsPin, mayReach, pinnedTls } from './tls/pinned.ts';

export type SocketTarget = {
  readonly host: string;
  readonly port: number;
  /** Null: in clear, for a leased line that is protected by itself, or a simulator. */
  readonly tls: TlsPin | null;
  /** Addresses it may lead to. `any`: a leased line's, which are no public ones. */
  readonly reach: 'public' | 'loopback' | 'any';
  readonly connect_ms: number;
};

export type SocketEvents = { bytes(chunk: Uint8Array): void; ended(): void };
export type OpenSocket = { write(bytes: Uint8Array, done: () => void): void; destroy(): void };

/** Rejects if there is no connection within its time. `ended` comes once, and only after a connection. */
export async function openSocket(target: SocketTarget, events: SocketEvents): Promise<OpenSocket> {
  const { host, port, tls, reach, connect_ms } = target;
  if (!tls && reach === 'public') throw new Error('nothing goes to a public address in clear');
  if (reach !== 'any' && !mayReach(host, reach)) throw new Error('this address may not be reached');
  const pinned = tls && pinnedTls(tls, reach === 'any' ? 'public' : reach);
  const { lookup, ...how } = pinned ?? {};
  const where = { host, port, ...(reach !== 'any' && lookup && { lookup }) };
  // whose name is checked, where it is a name
  const name = isIP(host) === 0 ? { servername: host } : {};
  const socket: Socket = tls ? connectTls({ ...where, ...name, ...how }) : connectPlain(where);
  await connected(socket, tls ? 'secureConnect' : 'connect', connect_ms);
  socket.setNoDelay(true);
  socket.on('data', (chunk) => events.bytes(chunk));
  // the other side takes no more: no answer will come either
  socket.on('end', () => socket.destroy());
  socket.on('error', () => socket.destroy());
  socket.on('close', () => events.ended());
  return {
    write: (bytes, done) => void socket.write(bytes, () => done()),
    destroy: () => void socket.destroy(),
  };
}

function connected(socket: Socket, event: 'connect' | 'secureConnect', connect_ms: number): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const timer = setTimeout(() => socket.destroy(new Error('no connection was had in time')), connect_ms);
  const failed = (error: Error) => {
    clearTimeout(timer);
    socket.destroy();
    reject(error);
  };
  socket.once('error', failed);
  socket.once(event, () => {
    clearTimeout(timer);
    socket.off('error', failed);
    resolve();
  });
  return promise;
}
