// The first start of the service, under the spy: plays two payments one after the other, so that their statements can
// be told from everything else, and one request of each kind, whose answers the bare server will repeat.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import type { Answers } from './ceiling.ts';
import { type Stock, type Worker, openWorker, play } from './flows.ts';
import { startFlorin } from './florin.ts';
import { type Script, type TypesOf, type Window, writeScript } from './script.ts';
import type { Recording } from './spy.ts';

export type Rehearsal = {
  readonly answers: Answers;
  /** PostgreSQL settings of the service's connections, without the role. */
  readonly options: string;
  /** From the first start with an empty folder to ready. */
  readonly ready_ms: number;
  /** Every statement that was prepared in it. */
  readonly texts: Recording['texts'];
  script(typesOf: TypesOf): Promise<Script>;
};

/** Longer than a key look-up is remembered, and long enough for what a payment leaves to be done behind it. */
const APART_MS = 300;

export async function rehearse(folder: string, data_dir: string): Promise<Rehearsal> {
  const file = join(folder, 'recording.json');
  const spy = pathToFileURL(join(import.meta.dirname, 'spy.ts')).href;
  const florin = await startFlorin({ data_dir, node: ['--import', spy], env: { BENCH_RECORDING: file } });
  const worker = openWorker(florin);
  const stock: Stock = { paid: [], payable: [] };
  const windows: Window[] = [];
  let answers: Answers = {};
  try {
    await play('flow', worker, stock);
    await wait(APART_MS);
    for (let i = 0; i < 2; i++) windows.push(await payOnce(worker, stock));
    answers = await answersOf(worker, stock);
  } finally {
    worker.api.close();
    worker.vault.close();
    await florin.stop();
  }
  const recording = JSON.parse(readFileSync(file, 'utf8')) as Recording;
  const [first, second] = windows;
  if (!first || !second) throw new Error('two payments were played');
  const options = recording.batches.find((batch) => /synchronous_commit=on/.test(batch.options))?.options ?? '';
  return {
    answers,
    options: options.replace(/-c role=\S+/, '').trim(),
    ready_ms: florin.ready_ms,
    texts: recording.texts,
    script: (typesOf) => writeScript({ recording, first, second }, typesOf),
  };
}

async function payOnce(worker: Worker, stock: Stock): Promise<Window> {
  const now = () => performance.timeOrigin + performance.now();
  const from = now();
  await play('flow', worker, stock);
  await wait(APART_MS);
  return { from, to: now() };
}

/** The real answers, by the path the bare server is asked at. */
async function answersOf(worker: Worker, stock: Stock): Promise<Answers> {
  await play('checkout', worker, stock);
  const checkout = worker.api.last.body;
  await play('token', worker, stock);
  const token = worker.vault.last.body;
  await play('read', worker, stock);
  return { '/payment/checkout': checkout, '/token': token, '/payment/order/': worker.api.last.body };
}
