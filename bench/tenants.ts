// npm run timing:tenants -- [--samples N]: can a merchant tell from how long an answer takes that an id is somebody else's
// (targets.md T1: medians within 5 %)? Interleaved requests over one connection; it prints and asserts nothing.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { Connection } from './connection.ts';
import { type Florin, startFlorin } from './florin.ts';

const { values: asked } = parseArgs({ options: { samples: { type: 'string', default: '5000' } } });
const SAMPLES = Number(asked.samples);
const UNKNOWN = '5'.repeat(24);

const data_dir = mkdtempSync(join(tmpdir(), 'florin-tenants-'));
const florin = await startFlorin({ data_dir });
try {
  const other = keysOf(join(data_dir, 'demo-page-inputs.json'));
  const theirs = await makeTheirs(florin, other);
  for (const [what, path] of [
    ['an order', (id: string) => `GET /payment/order/${id}`],
    ['a checkout', (id: string) => `GET /payment/checkout/${id}`],
    ['an order to capture', (id: string) => `POST /payment/maintenance/capture/${id}`],
  ] as const)
    await compare(florin, { what, path, theirs: what === 'a checkout' ? theirs.checkout_id : theirs.order_id });
} finally {
  await florin.stop();
  rmSync(data_dir, { recursive: true, force: true });
}

type Keys = { readonly private_key: string; readonly public_key: string };

function keysOf(file: string): Keys {
  return JSON.parse(readFileSync(file, 'utf8')) as Keys;
}

/** A checkout and an order of the other demo account. */
async function makeTheirs({ api_url, vault_url }: Florin, keys: Keys) {
  const post = async (url: string, key: string, body: object): Promise<Readonly<Record<string, string>>> => {
    const headers = { 'x-api-key': key, 'content-type': 'application/json', prefer: 'wait=10' };
    const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
    return JSON.parse(await answer.text()) as Readonly<Record<string, string>>;
  };
  const card = { card_number: '4242424242424242', card_validity_month: '12', card_validity_year: '2034', cvc: '123' };
  const { token = '' } = await post(`${vault_url}/token`, keys.public_key, card);
  const basket = { operation_type: 'authorize', amount: '12.00', currency: 'EUR', order_merchant_id: 'theirs' };
  const made: unknown = await post(`${api_url}/payment/checkout`, keys.private_key, { ...basket, type: 'api' });
  const checkout_id = /"checkout_id":"([0-9a-f]{24})"/.exec(JSON.stringify(made))?.[1] ?? '';
  const { order_id = '' } = await post(`${api_url}/payment/order`, keys.private_key, { ...basket, token });
  if (checkout_id === '' || order_id === '') throw new Error('the other account could not pay');
  return { checkout_id, order_id };
}

type Question = { readonly what: string; readonly path: (id: string) => string; readonly theirs: string };

async function compare({ api_url, private_key }: Florin, { what, path, theirs }: Question): Promise<void> {
  const connection = new Connection(api_url);
  const times: Readonly<Record<string, number[]>> = { [theirs]: [], [UNKNOWN]: [] };
  const ask = async (id: string) => {
    const began = performance.now();
    const { status } = await connection.ask(
      `${path(id)} HTTP/1.1\r\nhost: ${connection.host}\r\nx-api-key: ${private_key}\r\ncontent-length: 0\r\n\r\n`,
    );
    if (status !== 404) throw new Error(`${path(id)} was answered ${status}`);
    return performance.now() - began;
  };
  for (let n = 0; n < 400; n++) await ask(n % 2 === 0 ? theirs : UNKNOWN);
  for (let n = 0; n < SAMPLES; n++) {
    const turn = Math.random() < 0.5 ? [theirs, UNKNOWN] : [UNKNOWN, theirs];
    for (const id of turn) times[id]?.push(await ask(id));
  }
  connection.close();
  const [own, nobody] = [medianOf(times[theirs] ?? []), medianOf(times[UNKNOWN] ?? [])];
  const difference = ((own - nobody) / nobody) * 100;
  console.log(
    `T1 ${what} of another account: ${own.toFixed(3)} ms, of nobody: ${nobody.toFixed(3)} ms; medians differ by ${difference.toFixed(1)} % (${SAMPLES} pairs)`,
  );
}

function medianOf(times: readonly number[]): number {
  return times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0;
}
