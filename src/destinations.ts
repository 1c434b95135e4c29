// The pinned destinations of this deployment: in a sandbox the two simulated providers and the 3-D Secure server, made
// by the start itself; in production only what the operator's signed file says.
import type { Config } from './settings/config.ts';
import type { Egress } from './kit/egress.ts';
import { StartError } from './kit/start-error.ts';
import type { SandboxControl } from './payment/tools.ts';
import { type Destination, type Destinations, isHostOf, lineAddressOf } from './provider/send/destinations.ts';
import { readDestinations } from './provider/send/signed.ts';
import { type LoadTable, loadTable } from './provider/send/tables.ts';

/** Reads the destinations of this deployment. A file that is wrong, or not signed by the operator, is a StartError. */
export async function openDestinations(
  config: Config,
  { simulator_url, simulators, hosts }: Simulated,
  table: LoadTable = loadTable,
): Promise<Destinations> {
  const { destinations_file: file, destinations_key_file: key_file, environment } = config;
  const signed = file === '' ? [] : await readDestinations({ file, key_file, environment, table });
  const own = simulator_url === undefined ? [] : await sandboxDestinations(simulator_url);
  return new Map([...own, ...(await vendorDestinations(simulators, hosts)), ...signed]);
}

export type Simulated = {
  /** The address of the sandbox's own provider; undefined: there is none. */
  readonly simulator_url: string | undefined;
  /** Addresses of the simulators of real providers, by name. */
  readonly simulators: ReadonlyMap<string, string>;
  /** Further hosts of the simulators beside their API, with TLS of their own: by simulator and name. */
  readonly hosts?: ReadonlyMap<string, VendorHosts>;
};

type VendorHosts = Readonly<Record<string, { readonly base_url: string; readonly ca: string }>>;

/** The simulated destinations behind the simulator's address: the table of each, and where its paths begin. */
const SIMULATED = {
  simulator: { table: 'simulator', prefix: '/simulator' },
  simulator_b: { table: 'simulator', prefix: '/simulator_b' },
  three_ds: { table: 'three-ds', prefix: '/three_ds' },
} as const;

const SANDBOX = {
  reach: 'loopback',
  allow: new Map(),
  deadline_ms: 30_000,
  max_body: 32_768,
  max_answer: 262_144,
} as const;

function sandboxDestinations(simulator_url: string): Promise<readonly (readonly [string, Destination])[]> {
  const made = Object.entries(SIMULATED).map(async ([id, { table, prefix }]) => {
    const destination: Destination = {
      ...SANDBOX,
      table: await loadTable(table),
      hosts: { api: { origin: simulator_url, prefix, tls: null } },
    };
    return [id, destination] as const;
  });
  return Promise.all(made);
}

/** A simulator of a real provider stands in the place of its API, or of its lines, with the provider's own table. */
function vendorDestinations(
  simulators: Simulated['simulators'],
  hosts: Simulated['hosts'],
): Promise<readonly (readonly [string, Destination])[]> {
  const made = [...simulators].map(async ([name, url]) => {
    const table = await loadTable(name);
    const line = lineAddressOf(url);
    // two lines, as to an acquirer: both to the one address there is
    const host = line ? { lines: [line, line], tls: null } : { origin: url, prefix: '', tls: null };
    const names = new Set(Object.values(table.steps).map((step) => step.host));
    if (!Object.values(table.steps).every((step) => isHostOf(host, step)))
      throw new StartError(
        `FLORIN_WITH: the simulator of ${name} is at an address such as ${line ? 'http' : 'tcp'}://127.0.0.1:8100`,
      );
    const beside = Object.entries(hosts?.get(name) ?? {}).map(([one, { base_url, ca }]) => {
      const tls = { ca, certificates: [], min: 'TLSv1.2' } as const;
      return [one, { origin: base_url, prefix: '', tls }] as const;
    });
    const named = [...names].map((one) => [one, host] as const);
    return [name, { ...SANDBOX, table, hosts: Object.fromEntries([...named, ...beside]) }] as const;
  });
  return Promise.all(made);
}

/** The control of the simulated provider: not a call to a provider, and never there in production. */
export function sandboxControl(simulator_url: string, egress: Egress): SandboxControl {
  return async ({ method, path, body }) => {
    const exchange = await egress.exchange({
      method,
      origin: simulator_url,
      path,
      headers: { accept: 'application/json', ...(body && { 'content-type': 'application/json' }) },
      body: body === undefined ? null : Buffer.from(JSON.stringify(body)),
      deadline_ms: 25_000,
      max_answer_bytes: 4_194_304,
    });
    if (exchange.kind !== 'answered') return undefined;
    const said: unknown = JSON.parse(exchange.body.toString('utf8'));
    return typeof said === 'object' && said !== null ? { status: exchange.status, body: { ...said } } : undefined;
  };
}
