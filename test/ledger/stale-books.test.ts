// A file of a provider's books is as old as it is, and a settlement report lists what was settled, days later: what is
// not in it may have been done all the same. Nothing is taken from it that could be done twice by that.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { fileBooks, reportBooks } from '../../src/payment/ledger/reconcile/file.ts';
import type { BookSource } from '../../src/payment/ledger/reconcile/line.ts';
import { reconcile } from '../../src/payment/ledger/reconcile/reconcile.ts';
import { type Applied, applyDifference } from '../../src/payment/order/review/apply.ts';
import { adyen } from '../conformance/at/adyen.ts';
import { lostRefund, repeated, sold, told } from '../doubt/lost-at-adyen.ts';
import { operationsOf } from '../doubt/said.ts';
import { type World, world } from '../world.ts';

let w: World;
beforeAll(async () => {
  w = await world({ FLORIN_WITH: 'adyen' });
});
afterAll(() => w[Symbol.asyncDispose]());

async function applied(source: BookSource, operation_id: string, to?: Date): Promise<readonly Applied['kind'][]> {
  const { tools } = w.service;
  const became: Applied['kind'][] = [];
  await reconcile({
    db: tools.db,
    source,
    in_flight: new Map([['adyen', 90]]),
    account: w.account,
    to,
    progress: () => undefined,
    found: async (one) => {
      if (one.operation_id === operation_id) became.push((await applyDifference(tools, one)).kind);
    },
  });
  return became;
}

const pathOf = (name: string, text: string) => {
  const path = join(w.data_dir, name);
  writeFileSync(path, text);
  return path;
};

async function report(): Promise<BookSource> {
  const { tools, simulators } = w.service;
  const name = simulators?.get('adyen')?.credentials['merchant_account'] ?? '';
  const url = `${simulators?.get('adyen')?.control_url ?? ''}/control/settlement?merchant_account=${name}`;
  const text = await (await fetch(url)).text();
  const lines = text.split('\n').filter((line) => !line.includes('Refunded'));
  const provider = tools.providers.get('adyen');
  const source =
    provider &&
    (await reportBooks(pathOf('report.csv', lines.join('\n')), provider, {
      merchant_account_id: w.account,
      name,
    }));
  if (!source) throw new Error('no report');
  return source;
}

/** A file with a line of Adyen about an order of before, and none of the refund. */
async function file(order_id: string): Promise<BookSource> {
  const [reference = ''] = await operationsOf(w, order_id, 'capture');
  const line = { provider: 'adyen', kind: 'capture', reference, order_id, amount_minor: 2500, currency: 'EUR' };
  const of = { merchant_account_id: w.account, state: 'done' };
  return fileBooks(pathOf('books.jsonl', JSON.stringify({ ...line, ...of })));
}

async function endsOnce(order_id: string, operation_id: string): Promise<void> {
  await repeated(w, operation_id);
  await told(w, order_id);
  const there = await adyen.drive(w).books(order_id);
  expect(there.map(({ refunded }) => refunded)).toEqual([500n]);
}

test('a refund that is not in a settlement report is not sent under another key', async () => {
  const order_id = await sold(w);
  const operation_id = await lostRefund(w, order_id);
  expect(await applied(await report(), operation_id)).toEqual(['parked']);
  await endsOnce(order_id, operation_id);
});

test('a refund is not sent again because a file lacks it that does not cover the time of its last sending', async () => {
  const order_id = await sold(w);
  const operation_id = await lostRefund(w, order_id);
  const books = await file(order_id);
  expect(await applied(books, operation_id)).toEqual(['parked']);
  expect(await applied(books, operation_id, new Date(Date.now() - 9 * 60_000))).toEqual(['parked']);
  await endsOnce(order_id, operation_id);
});
