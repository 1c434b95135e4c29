// Ports of this process's own, below those that the system gives out: a service that is killed must find its port
// again. A file says whose each is, as another process of the tests may look at the same moment.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const FIRST = 12_000;
const COUNT = 18_000;
const CLAIMS = join(tmpdir(), 'florin-test-ports');

let next = (process.pid * 37) % COUNT;
const claimed: string[] = [];
process.once('exit', () => {
  for (const file of claimed) rmSync(file, { force: true });
});

export async function ownPort(): Promise<number> {
  for (let tries = 0; tries < COUNT; tries++) {
    const port = FIRST + (next++ % COUNT);
    if (claims(port) && (await isFree(port))) return port;
  }
  throw new Error('all ports of the tests are taken');
}

export async function ownPorts(count: number): Promise<readonly number[]> {
  const ports: number[] = [];
  while (ports.length < count) ports.push(await ownPort());
  return ports;
}

function claims(port: number): boolean {
  const file = join(CLAIMS, String(port));
  mkdirSync(CLAIMS, { recursive: true });
  try {
    writeFileSync(file, String(process.pid), { flag: 'wx' });
  } catch {
    if (isAlive(ownerOf(file))) return false;
    writeFileSync(file, String(process.pid));
  }
  claimed.push(file);
  return true;
}

/** 0: it has just been given up, or is not written yet. */
function ownerOf(file: string): number {
  try {
    return Number(readFileSync(file, 'utf8'));
  } catch {
    return 0;
  }
}

function isAlive(pid: number): boolean {
  if (pid === 0) return true;
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  const listens = await new Promise<boolean>((resolve) => {
    server.once('error', () => resolve(false)).listen(port, '127.0.0.1', () => resolve(true));
  });
  if (listens) await new Promise((resolve) => server.close(resolve));
  return listens;
}
