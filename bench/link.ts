// What forwarding over mutual TLS adds to forwarding in the same process: node bin/florin.mjs tool bench/link.ts
// [FORWARDS] Both vaults run at once, over one database server and one kind of simulated provider; blocks of forwards
// alternate between them, so that whatever else the machine does meets both alike. Target: at most 3 ms at the median.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { readConfig } from '../src/settings/config.ts';
import { sha256 } from '../src/kit/crypto.ts';
import { startEmbedded } from '../src/kit/embedded.ts';
import { migrate } from '../src/kit/migrate.ts';
import { PAYMENT_ZONE } from '../src/payment/zone.ts';
import { providers } from '../src/provider/registry.ts';
import { type Service, startService } from '../src/hosts/service.ts';
import { VAULT_ZONE } from '../src/vault/zone.ts';
import { Client } from '../test/client.ts';
import { startProcesses } from '../test/hosts/processes.ts';

const ROUNDS = 10;
const SETTINGS = {
  FLORIN_REQUESTS_PER_SECOND: '100000',
  FLORIN_REQUESTS_RUNNING: '1000',
  FLORIN_TOKENS_PER_MINUTE: '1000000',
  FLORIN_ALIKE_CARDS_PER_DAY: '1000000',
  FLORIN_LOG_LEVEL: 'silent',
};

const folder = mkdtempSync(join(tmpdir(), 'florin-link-'));
const server = await startEmbedded({ data_dir: join(folder, 'server'), settings: {} });
const address = (login: string, database: string) =>
  `postgres://${login}@/${database}?host=${encodeURIComponent(server.socket_dir)}`;
for (const name of ['one', 'two']) await makeDatabase(name);

const one = await startService({
  config: readConfig({
    ...SETTINGS,
    FLORIN_API_PORT: '0',
    FLORIN_VAULT_PORT: '0',
    FLORIN_BACKOFFICE_PORT: '0',
    FLORIN_DATA_DIR: join(folder, 'one'),
    FLORIN_DATABASE_URL: address(server.user, 'one'),
  }),
  version: '0.0.0',
  say: () => undefined,
  failed: (error) => console.error(error),
});
const two = await startProcesses({
  folder: join(folder, 'two'),
  payment_url: address('payment_app', 'two'),
  vault_url: address('vault_app', 'two'),
  settings: SETTINGS,
});

const forwards = Number(process.argv[2] ?? 2000);
const shapes = { 'in process': one, 'mutual TLS': two };
const took = { 'in process': [] as number[], 'mutual TLS': [] as number[] };
try {
  // each round once before, for the compiler and the connections
  for (const [name, service] of entries(shapes))
    console.log(`warming up: ${name} ${median(await block(service, 200)).toFixed(2)} ms`);
  for (let round = 0; round < ROUNDS; round++)
    for (const [name, service] of entries(shapes)) took[name].push(...(await block(service, forwards / ROUNDS)));
  for (const [name] of entries(shapes))
    console.log(
      `${name}: median ${median(took[name]).toFixed(2)} ms, p90 ${quantile(took[name], 0.9).toFixed(2)} ms, ${took[name].length} forwards`,
    );
  console.log(
    `mutual TLS adds ${(median(took['mutual TLS']) - median(took['in process'])).toFixed(2)} ms at the median`,
  );
} finally {
  await one.close();
  await two.close();
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
}

async function makeDatabase(name: string): Promise<void> {
  const at = { host: server.socket_dir, user: server.user };
  const admin = new pg.Client({ ...at, database: server.database });
  await admin.connect();
  await admin.query(`CREATE DATABASE ${name}`);
  await admin.end();
  const client = new pg.Client({ ...at, database: name });
  await client.connect();
  await migrate(client, PAYMENT_ZONE);
  await migrate(client, VAULT_ZONE);
  await client.end();
}

/** Authorizations one behind the other, each with a token of its own; what each took, in milliseconds. */
async function block({ addresses, demo, tools }: Service, count: number): Promise<number[]> {
  if (!demo) throw new Error('a sandbox has a demo account');
  const shop = new Client(addresses, demo);
  const times: number[] = [];
  for (let done = 0; done < count; done++) {
    const token_hash = sha256(Buffer.from(await shop.token(), 'hex'));
    const [operation_id, order_id] = [tools.chance.id(), tools.chance.id()];
    const call = providers().get('simulator')?.write(
      'authorize',
      {
        operation_id,
        order_id,
        kind: 'authorize',
        amount_minor: 500n,
        currency: 'EUR',
        with_capture: false,
        merchant_account_id: demo.merchant_account_id,
        order_merchant_id: 'bench',
        scheme: 'visa',
        authorization_reference: null,
        authorization_code: null,
        authorization_kept: {},
        capture_reference: null,
      },
      {},
    );
    if (!call) throw new Error('the simulator authorizes');
    const { merchant_account_id } = demo;
    const began = performance.now();
    const { outcome } = await tools.vault.forward({
      ...call,
      destination: 'simulator',
      step: 'authorize',
      key: operation_id,
      deadline_ms: 10_000,
      operation_id,
      order_id,
      merchant_account_id,
      token_hash,
      checkout_id: null,
      request_id: null,
      contract_id: null,
    });
    times.push(performance.now() - began);
    if (outcome !== 'answered') throw new Error(`a forward was ${outcome}`);
    tools.vault.settled(operation_id);
  }
  return times;
}

function entries(of: typeof shapes): readonly (readonly [keyof typeof shapes, Service])[] {
  return [
    ['in process', of['in process']],
    ['mutual TLS', of['mutual TLS']],
  ];
}

function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor((sorted.length - 1) * share)] ?? 0;
}
