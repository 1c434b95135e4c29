// npm run rotation -- [--cards N] [--rate N] [--kills N] [--json FILE]
// Rotates the keys of a vault with many cards while the service takes requests at an even rate, kills the rotation on
// its way, and says what the requests felt: failures, and the 99th percentile before and during (targets.md V8).
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { Agent, request } from 'undici';
import { type Florin, bareEnvironment, socketOf, startFlorin } from './florin.ts';

const { values: asked } = parseArgs({
  options: {
    cards: { type: 'string', default: '100000' },
    rate: { type: 'string', default: '100' },
    kills: { type: 'string', default: '3' },
    json: { type: 'string' },
  },
});
const CARDS = Number(asked.cards);
const RATE = Number(asked.rate);
const KILLS = Number(asked.kills);
const WARM_S = 10;
const BEFORE_S = 30;
const LAUNCHER = join(import.meta.dirname, '../bin/florin.mjs');

/** Digits with a check digit that fits. */
function numberOf(count: number): string {
  const body = `424200${String(count).padStart(9, '0')}`;
  let sum = 0;
  for (let i = body.length - 1, double = true; i >= 0; i--, double = !double) {
    const digit = Number(body[i]) * (double ? 2 : 1);
    sum += digit > 9 ? digit - 9 : digit;
  }
  return body + String((10 - (sum % 10)) % 10);
}

function command(data_dir: string, words: readonly string[]): ChildProcess {
  return spawn(process.execPath, [LAUNCHER, ...words], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...bareEnvironment(), FLORIN_DATA_DIR: data_dir },
  });
}

async function toEnd(child: ChildProcess): Promise<void> {
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new Error(`a command ended with ${String(code)}`);
}

type Load = { readonly latencies: number[]; readonly failures: string[]; stop(): Promise<void> };

const agent = new Agent({ connections: 64, pipelining: 1 });

/**
 * Requests at an even rate, whether the ones before are answered or not: two in three tokenize, one pays with a saved
 * card.
 */
function startLoad(florin: Florin, tokens: readonly string[]): Load {
  const latencies: number[] = [];
  const failures: string[] = [];
  const open = new Set<Promise<void>>();
  let count = 0;
  let ending = false;
  const one = async (n: number): Promise<void> => {
    const began = performance.now();
    try {
      const answer = n % 3 === 0 ? await pay(florin, tokens[n % tokens.length] ?? '', n) : await tokenize(florin, n);
      latencies.push(performance.now() - began);
      if (answer !== undefined) failures.push(answer);
    } catch (error) {
      failures.push(String(error));
    }
  };
  const tick = async () => {
    const began = performance.now();
    while (!ending) {
      const due = Math.floor(((performance.now() - began) * RATE) / 1000);
      for (; count < due; count++) {
        const running = one(count).finally(() => open.delete(running));
        open.add(running);
      }
      await wait(2);
    }
  };
  const ticking = tick();
  return {
    latencies,
    failures,
    stop: async () => {
      ending = true;
      await ticking;
      await Promise.all(open);
    },
  };
}

async function post(url: string, key: string, body: object, headers: Readonly<Record<string, string>> = {}) {
  const reply = await request(url, {
    method: 'POST',
    dispatcher: agent,
    headers: { 'content-type': 'application/json', 'x-api-key': key, ...headers },
    body: JSON.stringify(body),
  });
  return { status: reply.statusCode, text: await reply.body.text() };
}

async function tokenize({ vault_url, public_key }: Florin, n: number): Promise<string | undefined> {
  const card = { card_number: numberOf(n % CARDS), card_validity_month: '12', card_validity_year: '2034', cvc: '123' };
  const { status, text } = await post(`${vault_url}/token`, public_key, card);
  return status === 200 ? undefined : `${status} ${text.slice(0, 200)}`;
}

async function pay({ api_url, private_key }: Florin, token: string, n: number): Promise<string | undefined> {
  const order = {
    token,
    operation_type: 'authorize',
    amount: '5.00',
    currency: 'EUR',
    order_merchant_id: `r-${process.pid}-${n}-${Math.trunc(performance.now())}`,
  };
  const { status, text } = await post(`${api_url}/payment/order`, private_key, order, { prefer: 'wait=10' });
  return status === 200 && text.includes('"944444"') ? undefined : `${status} ${text.slice(0, 200)}`;
}

function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}

type Figures = {
  seconds: number;
  requests: number;
  failed: number;
  p50_ms: number;
  p99_ms: number;
  samples: readonly string[];
};

async function measured(florin: Florin, tokens: readonly string[], work: () => Promise<void>): Promise<Figures> {
  const load = startLoad(florin, tokens);
  const began = performance.now();
  await work();
  const seconds = (performance.now() - began) / 1000;
  await load.stop();
  const { latencies, failures } = load;
  return {
    seconds,
    requests: latencies.length,
    failed: failures.length,
    p50_ms: quantile(latencies, 0.5),
    p99_ms: quantile(latencies, 0.99),
    samples: failures.slice(0, 3),
  };
}

/** Runs a rotation, killing it as often as asked for, each time after another part of the cards. */
async function rotate(data_dir: string, kind: string, remaining: () => Promise<number>, kills: number): Promise<void> {
  // the next key is made first, and taken into use by what is measured
  if (kind === 'kek') await toEnd(command(data_dir, ['rotate-keys', kind]));
  const words = ['rotate-keys', kind, ...(kind === 'kek' ? ['--backed-up'] : [])];
  for (let kill = 1; kill <= kills; kill++) {
    const child = command(data_dir, words);
    const gone = once(child, 'exit');
    const enough = CARDS * (1 - kill / (kills + 1));
    while ((await remaining()) > enough && child.exitCode === null) await wait(20);
    child.kill('SIGKILL');
    await gone;
    console.log(`  killed with ${await remaining()} cards to go`);
  }
  const child = command(data_dir, words);
  child.stdout?.on('data', (said: Buffer) => process.stdout.write(`  ${said.toString()}`));
  await toEnd(child);
}

function show(name: string, { seconds, requests, failed, p50_ms, p99_ms, samples }: Figures, before?: Figures): void {
  const ratio = before ? `  ${(p99_ms / before.p99_ms).toFixed(2)} x` : '';
  console.log(
    `${name.padEnd(24)}${seconds.toFixed(1).padStart(7)} s  ${String(requests).padStart(6)} requests  ${String(failed).padStart(3)} failed  p50 ${p50_ms.toFixed(1).padStart(6)} ms  p99 ${p99_ms.toFixed(1).padStart(6)} ms${ratio}`,
  );
  for (const sample of samples) console.log(`    ${sample}`);
}

const data_dir = mkdtempSync(join(tmpdir(), 'florin-rotation-'));
const florin = await startFlorin({ data_dir });
try {
  const sql = new pg.Client({ host: socketOf(data_dir), user: 'florin', database: 'florin' });
  await sql.connect();
  const [account] = (
    await sql.query<{ id: string }>(`SELECT encode(merchant_account_id, 'hex') AS id FROM payment.merchant_accounts`)
  ).rows;
  const input = join(data_dir, 'cards.csv');
  const file = createWriteStream(input);
  file.write('card_number,card_validity_month,card_validity_year\n');
  for (let i = 0; i < CARDS; i++) if (!file.write(`${numberOf(i)},12,2034\n`)) await once(file, 'drain');
  file.end();
  await once(file, 'finish');
  const importing = performance.now();
  await toEnd(
    command(data_dir, ['import-cards', input, '--merchant', account?.id ?? '', '--out', join(data_dir, 'tokens.csv')]),
  );
  const import_s = (performance.now() - importing) / 1000;
  console.log(`${CARDS} cards imported in ${import_s.toFixed(1)} s, ${Math.round(CARDS / import_s)}/s`);
  await sql.query('ANALYZE');
  const { readFileSync } = await import('node:fs');
  const tokens = readFileSync(join(data_dir, 'tokens.csv'), 'utf8')
    .split('\n')
    .slice(1, 2001)
    .map((line) => line.split(',')[1] ?? '');
  const remaining = async () => {
    const { rows } = await sql.query<{ n: number }>(
      `SELECT count(*)::int AS n
       FROM vault.cards
       WHERE data_key_id = (SELECT min(id) FROM vault.data_keys WHERE purpose = 'card')`,
    );
    return rows[0]?.n ?? 0;
  };
  await measured(florin, tokens, () => wait(WARM_S * 1000));
  const before = await measured(florin, tokens, () => wait(BEFORE_S * 1000));
  show('before', before);
  const figures: Record<string, Figures> = { before };
  for (const [kind, kills] of [
    ['data', KILLS],
    ['fingerprint', 0],
    ['kek', 0],
  ] as const) {
    figures[kind] = await measured(florin, tokens, () => rotate(data_dir, kind, remaining, kills));
    show(kind, figures[kind], before);
  }
  const after = await measured(florin, tokens, () => wait(BEFORE_S * 1000));
  show('after', after, before);
  const left = await sql.query<{ purpose: string; state: string; n: number }>(
    `SELECT purpose, state, count(*)::int AS n
     FROM vault.data_keys
     GROUP BY 1, 2
     ORDER BY 1, 2`,
  );
  console.log(
    left.rows.map(({ purpose, state, n }) => `${purpose} ${state} ${n}`).join(', '),
    `; cards with the first key: ${await remaining()}`,
  );
  if (asked.json !== undefined)
    writeFileSync(
      asked.json,
      `${JSON.stringify({ cards: CARDS, rate: RATE, kills: KILLS, import_s, ...figures, after }, undefined, 2)}\n`,
    );
  await sql.end();
} finally {
  await florin.stop();
  await agent.close();
  rmSync(data_dir, { recursive: true, force: true });
}
