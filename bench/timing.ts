// npm run timing -- [--samples N] [--slow N]: what a caller can learn from how long an answer takes, and what slow
// clients cost everybody else (targets.md T3, T5, T9). Statistics over interleaved requests; it prints and asserts
// nothing.
import { mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { canary } from '../test/canary/forms.ts';
import { Connection } from './connection.ts';
import { type Florin, startFlorin } from './florin.ts';

const { values: asked } = parseArgs({
  options: { samples: { type: 'string', default: '10000' }, slow: { type: 'string', default: '2000' } },
});
const SAMPLES = Number(asked.samples);
const SLOW = Number(asked.slow);

type Kind = { readonly name: string; next(): { readonly key: string; readonly body: string } };

const data_dir = mkdtempSync(join(tmpdir(), 'florin-timing-'));
const florin = await startFlorin({ data_dir, env: { FLORIN_FAILED_KEYS_PER_MINUTE: '1000000' } });
try {
  let cards = 0;
  const card = (card_number: string) =>
    JSON.stringify({ card_number, card_validity_month: '12', card_validity_year: '2034', cvc: '123' });
  const known = canary(0);
  const { public_key, private_key } = florin;
  // as long as the real one, and like it but for the last letter: what a comparison letter by letter would take longest
  // for
  const nearly = public_key.slice(0, -1) + (public_key.endsWith('a') ? 'b' : 'a');
  const far = `x${public_key.slice(1, -1).replaceAll(/[A-Za-z]/g, 'q')}a`;
  const tokenize = (name: string, number: () => string): Kind => ({
    name,
    next: () => ({ key: public_key, body: card(number()) }),
  });
  const withKey = (name: string, key: string): Kind => ({ name, next: () => ({ key, body: card(known) }) });
  await compare(florin, [
    tokenize('T9 an unknown card', () => canary(++cards)),
    tokenize('T9 a card that is known', () => known),
  ]);
  await compare(florin, [
    tokenize('T9 one known card', () => known),
    tokenize('T9 another known card', () => canary(1)),
  ]);
  await compare(florin, [
    withKey('T3 a key wrong at its end', nearly),
    withKey('T3 a key wrong from its beginning', far),
  ]);
  await slowClients(florin, private_key);
} finally {
  await florin.stop();
  rmSync(data_dir, { recursive: true, force: true });
}

/**
 * The two kinds in turn, in an order that changes, over one connection; Welch's t over the quicker nine tenths of each.
 */
async function compare({ vault_url }: Florin, kinds: readonly [Kind, Kind]): Promise<void> {
  const connection = new Connection(vault_url);
  const times: [number[], number[]] = [[], []];
  const ask = async (index: 0 | 1) => {
    const { key, body } = kinds[index].next();
    const began = performance.now();
    await connection.ask(
      `POST /token HTTP/1.1\r\nhost: ${connection.host}\r\nx-api-key: ${key}\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
    );
    return performance.now() - began;
  };
  for (let n = 0; n < 200; n++) await ask(n % 2 === 0 ? 0 : 1);
  for (let n = 0; n < SAMPLES; n++) {
    const first = Math.random() < 0.5 ? 0 : 1;
    const second = first === 0 ? 1 : 0;
    times[first].push(await ask(first));
    times[second].push(await ask(second));
  }
  connection.close();
  const [a, b] = times.map(summary);
  if (!a || !b) return;
  const difference = ((b.median - a.median) / a.median) * 100;
  const t = (a.mean - b.mean) / Math.sqrt(a.variance / a.count + b.variance / b.count);
  console.log(
    `${kinds[0].name}: ${a.median.toFixed(3)} ms; ${kinds[1].name}: ${b.median.toFixed(3)} ms; medians differ by ${difference.toFixed(1)} %, t = ${t.toFixed(2)} (${SAMPLES} pairs)`,
  );
}

function summary(times: readonly number[]) {
  const kept = times.toSorted((x, y) => x - y).slice(0, Math.ceil(times.length * 0.9));
  const mean = kept.reduce((sum, x) => sum + x, 0) / kept.length;
  const variance = kept.reduce((sum, x) => sum + (x - mean) ** 2, 0) / (kept.length - 1);
  return { mean, variance, count: kept.length, median: quantile(times, 0.5) };
}

function quantile(times: readonly number[], share: number): number {
  const sorted = times.toSorted((x, y) => x - y);
  return sorted[Math.floor(sorted.length * share)] ?? 0;
}

/** Reads of a payment host before and while slow clients hold on to it, and how long each of them could. */
async function slowClients({ api_url }: Florin, key: string): Promise<void> {
  const connection = new Connection(api_url);
  const reads = async (while_true: () => boolean) => {
    const times: number[] = [];
    while (while_true()) {
      const began = performance.now();
      await connection.ask(
        `GET /payment/order/0123456789abcdef01234567 HTTP/1.1\r\nhost: ${connection.host}\r\nx-api-key: ${key}\r\n\r\n`,
      );
      times.push(performance.now() - began);
    }
    return times;
  };
  const until = performance.now() + 3000;
  const before = await reads(() => performance.now() < until);
  const { hostname, port } = new URL(api_url);
  const held: number[] = [];
  let open = 0;
  for (let n = 0; n < SLOW; n++) {
    const began = performance.now();
    const socket = connect(Number(port), hostname, () => socket.write('GET / HTTP/1.1\r\nhost: 127.0.0.1\r\nx-slow: '));
    const drip = setInterval(() => socket.writable && socket.write('x'), 500);
    open++;
    socket.on('error', () => undefined).resume();
    socket.on('close', () => {
      clearInterval(drip);
      held.push(performance.now() - began);
      open--;
    });
  }
  const during = await reads(() => open > 0);
  connection.close();
  const p99 = (times: readonly number[]) => quantile(times, 0.99).toFixed(2);
  console.log(
    `T5 ${SLOW} slow clients: reads p99 ${p99(before)} ms before, ${p99(during)} ms while they were there; the last was closed after ${(Math.max(...held) / 1000).toFixed(1)} s`,
  );
}
