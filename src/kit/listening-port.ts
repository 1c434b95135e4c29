// The port of a server that was told to take any.
import type { AddressInfo } from 'node:net';

export function listeningPort(server: { address(): AddressInfo | string | null }): number {
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('a listening server has an address');
  return address.port;
}
