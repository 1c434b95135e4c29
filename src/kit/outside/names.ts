// The addresses of a name that a merchant gave. A name server that does not answer slows no other name down: DNS is
// asked without threads (getaddrinfo would take one of the process's four for as long as it hangs), once at a time for
// each name, and not for long.
import { Resolver, lookup as askMachine } from 'node:dns/promises';
import { readFile } from 'node:fs/promises';

/** Every address of a name. Throws where there is none, or none was learnt in time. */
export type Lookup = (hostname: string) => Promise<readonly string[]>;

export type NamesOptions = {
  /**
   * A name that DNS does not know as it is written is looked up as every program of this machine would, search domains
   * included: `shop` of the same cluster. For names within one's own walls; a caller of public hosts only does not need
   * it.
   */
  readonly as_machine: boolean;
  /** The DNS servers; if not given, those of /etc/resolv.conf. */
  readonly servers?: readonly string[];
  readonly hosts_file?: string;
  readonly deadline_ms?: number;
  /** Milliseconds that only grow. */
  ticks?(): number;
};

const DEADLINE_MS = 4000;
/** How long one server may take the first time; c-ares waits longer the second time. */
const SERVER_MS = 1000;
const KEPT_MS = 15_000;
/** A name that was not found is asked for again sooner. */
const FAILURE_KEPT_MS = 3000;
const MOST_NAMES = 1000;

type Known = { readonly addresses: Promise<readonly string[]>; until: number };

/** Caches what it learned for a moment; the addresses are checked at each connection. */
export function openNames(options: NamesOptions): Lookup {
  const { ticks = () => performance.now() } = options;
  const known = new Map<string, Known>();
  const machine = machineLookup(options.deadline_ms ?? DEADLINE_MS);
  return (hostname) => {
    const fresh = known.get(hostname);
    if (fresh && fresh.until > ticks()) return fresh.addresses;
    // under way it is as good as known
    const one: Known = { addresses: find(hostname, options, machine), until: Infinity };
    known.delete(hostname);
    known.set(hostname, one);
    const [oldest] = known.keys();
    if (known.size > MOST_NAMES && oldest !== undefined) known.delete(oldest);
    one.addresses.then(
      () => (one.until = ticks() + KEPT_MS),
      () => (one.until = ticks() + FAILURE_KEPT_MS),
    );
    return one.addresses;
  };
}

/** Looks in the order that every machine uses: its own list first, then DNS. */
async function find(hostname: string, options: NamesOptions, machine: Lookup): Promise<readonly string[]> {
  const listed = await inHostsFile(hostname, options.hosts_file ?? '/etc/hosts');
  if (listed.length > 0) return listed;
  const answer = await askServers(hostname, options);
  if (answer.addresses.length > 0) return answer.addresses;
  if (options.as_machine && !answer.hangs) return machine(hostname);
  throw new Error(answer.hangs ? 'the name servers do not answer in time' : 'the name has no address');
}

/** The machine's own list of names: this host, and names that containers get beside their DNS. */
async function inHostsFile(hostname: string, path: string): Promise<readonly string[]> {
  const name = hostname.replace(/\.$/, '').toLowerCase();
  const text = await readFile(path, 'utf8').catch(() => '');
  return text.split('\n').flatMap((line) => {
    const [address = '', ...names] = line.replace(/#.*/, '').trim().split(/\s+/);
    return names.some((one) => one.toLowerCase() === name) ? [address] : [];
  });
}

type Answer = { readonly addresses: readonly string[]; readonly hangs: boolean };

/** The name as it is written, under no search domain. */
async function askServers(hostname: string, { servers, deadline_ms = DEADLINE_MS }: NamesOptions): Promise<Answer> {
  const resolver = new Resolver({ timeout: Math.min(SERVER_MS, deadline_ms), tries: 2 });
  if (servers) resolver.setServers(servers);
  const deadline = setTimeout(() => resolver.cancel(), deadline_ms);
  const both = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
  clearTimeout(deadline);
  return {
    addresses: both.flatMap((one) => (one.status === 'fulfilled' ? one.value : [])),
    hangs: both.some((one) => one.status === 'rejected' && isHanging(one.reason)),
  };
}

function isHanging(error: unknown): boolean {
  return error instanceof Error && 'code' in error && /^(?:ETIMEOUT|ECANCELLED)$/.test(String(error.code));
}

/** Threads of the process that names may take. */
const MOST_THREADS = 2;

/**
 * Looks up by getaddrinfo, a few at a time. No caller waits longer than the deadline; the thread is free only when the
 * call comes back.
 */
function machineLookup(deadline_ms: number): Lookup {
  let running = 0;
  const waiting: (() => void)[] = [];
  const ask = async (hostname: string, late: AbortSignal): Promise<readonly string[]> => {
    while (running >= MOST_THREADS) await new Promise<void>((resolve) => waiting.push(resolve));
    running++;
    try {
      // no caller waits for it any more
      late.throwIfAborted();
      return (await askMachine(hostname, { all: true })).map(({ address }) => address);
    } finally {
      running--;
      waiting.shift()?.();
    }
  };
  return (hostname) => {
    const late = new AbortController();
    const told = Promise.withResolvers<never>();
    const deadline = setTimeout(() => {
      late.abort();
      told.reject(new Error('the machine does not know the name in time'));
    }, deadline_ms);
    return Promise.race([ask(hostname, late.signal), told.promise]).finally(() => clearTimeout(deadline));
  };
}
