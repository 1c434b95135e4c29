// Simulators of real providers beside the sandbox's own (FLORIN_WITH): started with it, each in the place of its
// provider's API, with an account there that the demo account has a contract with.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { Config } from '../settings/config.ts';
import type { Egress } from '../kit/egress.ts';
import { withTransaction } from '../kit/database.ts';
import { StartError } from '../kit/start-error.ts';
import { changeCredentials } from '../payment/merchant/credentials/credentials.ts';
import { insertContract, listContracts } from '../payment/merchant/contract-store.ts';
import type { Tools } from '../payment/tools.ts';
import type { Simulated } from '../destinations.ts';

const SCRIPT = fileURLToPath(new URL('../simulators/main.ts', import.meta.url));

export type Simulator = {
  readonly url: string;
  readonly control_url: string;
  readonly credentials: Readonly<Record<string, string>>;
  readonly signs_with: string | null;
  readonly hosts?: Readonly<Record<string, { readonly base_url: string; readonly ca: string }>>;
};

export type Simulators = ReadonlyMap<string, Simulator>;

/** Starts the simulators that have no address of their own; they end with the stack. */
export async function runSimulators(config: Config, stack: AsyncDisposableStack): Promise<Simulators> {
  const names = [...config.with].flatMap(([name, url]) => (url === '' ? [name] : []));
  if (names.length === 0) return new Map();
  const child = spawn(process.execPath, [SCRIPT, JSON.stringify(names)], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: {},
    detached: true,
  });
  const ended = once(child, 'exit').then(() => undefined);
  stack.defer(async () => {
    child.stdin.end();
    await ended;
  });
  const line = await Promise.race([once(createInterface({ input: child.stdout }), 'line'), ended]);
  if (line === undefined)
    throw new StartError(`FLORIN_WITH: there is no simulator for one of ${names.join(', ')}, or it did not start`);
  return new Map(Object.entries(JSON.parse(String(line)) as Readonly<Record<string, Simulator>>));
}

/** The addresses of all simulators, including those that run already. */
export function addressesOfSimulators(config: Config, started: Simulators): ReadonlyMap<string, string> {
  return new Map([...config.with].map(([name, url]) => [name, started.get(name)?.url ?? url] as const));
}

/** The further hosts, beside their API, of the simulators that were started. */
export function hostsOfSimulators(started: Simulators): NonNullable<Simulated['hosts']> {
  return new Map([...started].map(([name, { hosts }]) => [name, hosts ?? {}] as const));
}

type Seeding = { readonly merchant_account_id: string; readonly egress: Egress };

/** A contract of the demo account with each, behind those that it has, and where messages about it go. */
export async function seedSimulators(tools: Tools, simulators: Simulators, seeding: Seeding): Promise<void> {
  const { merchant_account_id, egress } = seeding;
  const db = tools.db.tenant(merchant_account_id);
  for (const [name, { control_url, credentials, signs_with }] of simulators) {
    const before = await listContracts(db);
    const known = before.some((contract) => contract.name === name);
    const priority = Math.max(0, ...before.map((contract) => contract.priority)) + 1;
    if (!known) await insertContract(db, { id: tools.chance.id(), name, provider: name, priority });
    const contract_id = (await listContracts(db)).find((contract) => contract.name === name)?.id ?? '';
    const change = { contract_id, provider: name, values: credentials };
    await withTransaction(tools.db, merchant_account_id, (tx) => changeCredentials(tools, tx, change));
    const secret = signs_with === null ? undefined : credentials[signs_with];
    if (secret === undefined) continue;
    const url = `${tools.addresses.base_url}/provider/${name}/${contract_id}/events`;
    await egress.exchange({
      method: 'POST',
      origin: control_url,
      path: '/control/endpoints',
      headers: { 'content-type': 'application/json' },
      body: Buffer.from(JSON.stringify({ url, secrets: [secret] })),
      deadline_ms: 5000,
      max_answer_bytes: 65_536,
    });
  }
}
