// Whether ports are free, before anything is started, and what went wrong when one was to be opened, in the operator's
// words.
import { once } from 'node:events';
import { createServer } from 'node:net';
import { StartError } from '../start-error.ts';

export type Listening = {
  readonly host: string;
  readonly port: number;
  /** The settings of port and host, for the message. */
  readonly setting: string;
  readonly host_setting?: string;
};

/** The address at which this machine itself reaches what listens there: nobody is called `0.0.0.0` or `::`. */
export function urlAt(host: string, port: number, scheme: 'http' | 'https' = 'http'): string {
  const name = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host;
  return `${scheme}://${name.includes(':') ? `[${name}]` : name}:${port}`;
}

/** The message about a port that another program holds. */
function takenText(name: string, { port, setting }: Pick<Listening, 'port' | 'setting'>): string {
  return `Port ${port} (${name}) is taken by another program. End it, or set ${setting} to a free port.`;
}

/** What to do where this account may not open it. */
export function openedBy({ port, setting }: Pick<Listening, 'port' | 'setting'>): string {
  return `Set ${setting} to a port above 1023, or let every account open it: sysctl net.ipv4.ip_unprivileged_port_start=${port}.`;
}

export function listenProblem(error: Error, name: string, at: Listening): Error {
  const code = 'code' in error ? error.code : '';
  if (code === 'EADDRINUSE') return new StartError(takenText(name, at));
  if (code === 'EACCES')
    return new StartError(`Port ${at.port} (${name}) may not be opened by this user. ${openedBy(at)}`);
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
    return new StartError(
      `${at.host_setting ?? 'FLORIN_HOST'} ${at.host} is not an address of this machine. Set it to 127.0.0.1 or 0.0.0.0.`,
    );
  return error;
}

export type WantedPort = Omit<Listening, 'host'> & { readonly name: string };

/** Nothing listens there now. */
async function isFree(host: string, port: number): Promise<boolean> {
  // other faults, such as a host that is not ours, are reported by the listener itself
  return (await whyNotOpened(host, port)) !== 'EADDRINUSE';
}

/** The system's word for why this account cannot open the port now; undefined: it can. */
export async function whyNotOpened(host: string, port: number): Promise<string | undefined> {
  const server = createServer().listen(port, host);
  return once(server, 'listening').then(
    () => {
      server.close();
      return undefined;
    },
    (error: unknown) => (error instanceof Error && 'code' in error ? String(error.code) : ''),
  );
}

/** StartError with a line for each port that another program holds. Port 0 takes any that is free. */
export async function requireFree(host: string, wanted: readonly WantedPort[]): Promise<void> {
  const known = wanted.filter(({ port }) => port !== 0);
  const free = await Promise.all(known.map(({ port }) => isFree(host, port)));
  const taken = known.filter((_, i) => free[i] === false);
  if (taken.length > 0) throw new StartError(taken.map((at) => takenText(at.name, at)).join('\n'));
}
