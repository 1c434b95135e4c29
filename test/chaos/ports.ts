// Ports of this process's own, below those that the system gives out: a service that is killed must find its port
// again.
import { createServer } from 'node:net';

let next_port = 15_000 + (process.pid % 500) * 30;

export async function takePorts(count: number): Promise<readonly number[]> {
  const taken: number[] = [];
  while (taken.length < count) {
    const port = next_port++;
    if (await isFree(port)) taken.push(port);
  }
  return taken;
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  const listens = await new Promise<boolean>((resolve) => {
    server.once('error', () => resolve(false)).listen(port, '127.0.0.1', () => resolve(true));
  });
  if (listens) await new Promise((resolve) => server.close(resolve));
  return listens;
}
