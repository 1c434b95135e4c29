// Where a row of a report ends: texts in it may hold line ends of their own, and signs that some programs take for one.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { fileBooks, reportBooks } from '../../src/payment/ledger/reconcile/file.ts';
import type { ReportedLine } from '../../src/payment/ledger/reconcile/line.ts';
import { providers } from '../../src/provider/registry.ts';
import { newFolder } from '../start/child.ts';

const folder = newFolder('florin-report-');
afterAll(() => folder[Symbol.dispose]());

const HEAD =
  'description,reporting_category,currency,gross,source_id,customer_facing_amount,customer_facing_currency,payment_metadata[order_id],payment_metadata[operation_id],refund_metadata[order_id],refund_metadata[operation_id],refund_metadata[operation]';
const order_id = 'b'.repeat(24);
const merchant_account_id = '6'.repeat(24);
const sold = (n: number, said: string) =>
  `${said},charge,eur,42.50,ch_${n},42.50,eur,${order_id},${String(n).repeat(24)},,,`;

async function linesOf(text: string): Promise<readonly ReportedLine[]> {
  const path = join(folder.path, 'report.csv');
  writeFileSync(path, text);
  const stripe = providers().get('stripe');
  const books = stripe && (await reportBooks(path, stripe, { merchant_account_id, name: 'acct_1' }));
  const lines: ReportedLine[] = [];
  for await (const page of books?.pages() ?? []) lines.push(...page);
  return lines;
}

test('a report with a foot that is cut off behind a whole row is refused as a whole', async () => {
  const path = join(folder.path, 'cut.csv');
  const names = [
    'CH,Transaction ID,Invoice ID,Transaction Event Code,Transaction Debit or Credit',
    'Gross Transaction Amount,Gross Transaction Currency,Custom Field',
  ].join(',');
  const row = ['SB', 'TX1', 'd'.repeat(24), 'T0005', 'CR', '4250', 'EUR', `${order_id}-${'a'.repeat(24)}`].join(',');
  const paypal = providers().get('paypal');
  const read = (lines: readonly string[]) => {
    writeFileSync(path, `${lines.join('\n')}\n`);
    return paypal && reportBooks(path, paypal, { merchant_account_id, name: 'PAYEE1' });
  };
  const whole = ['RH,x', 'FH,01', 'SH,x,y,PAYEE1,', names, row, 'SF,EUR', 'SC,1', 'RF,EUR', 'RC,1', 'FF,1'];
  expect(await read(whole)).toBeDefined();
  for (const lines of [whole.slice(0, 5), whole.slice(0, -1)])
    await expect(read(lines)).rejects.toThrow('the file ends without its foot (FF): it is cut off');
});

test.each(['stripe', 'adyen', 'paypal'])('an empty file is no report of %s: nothing is missed for it', async (name) => {
  const path = join(folder.path, 'empty.csv');
  const provider = providers().get(name);
  for (const text of ['', '\n\n']) {
    writeFileSync(path, text);
    await expect(provider && reportBooks(path, provider, { merchant_account_id, name: 'acct_1' })).rejects.toThrow(
      'the file ends without its head: it is cut off',
    );
  }
});

test('a file of lines without one is refused: it does not say whose books it is, so nothing would be compared', async () => {
  const path = join(folder.path, 'empty.jsonl');
  for (const text of ['', '\n']) {
    writeFileSync(path, text);
    await expect(fileBooks(path)).rejects.toThrow('has no line');
  }
});

test.each([
  ['a line end in a quoted text', '"two parcels\nby post"'],
  ['a line end of Windows in a quoted text', '"two parcels\r\nby ""post"""'],
  ['a line separator of Unicode', 'two parcels\u2028by post'],
  ['a paragraph separator of Unicode in a quoted text', '"two parcels,\u2029by post"'],
])('%s is part of its row', async (_, said) => {
  const lines = await linesOf([HEAD, sold(1, said), sold(2, 'one')].join('\n'));
  expect(lines.map(({ reference }) => reference)).toEqual(['1'.repeat(24), '2'.repeat(24)]);
});

test.each([
  ['\n', ''],
  ['\r\n', '\r\n'],
  ['\r', '\r'],
  ['\n', '\n\n'],
])('rows that end with %j, and a file that ends with %j', async (end, last) => {
  const lines = await linesOf(`\uFEFF${[HEAD, sold(1, 'one'), sold(2, 'two')].join(end)}${last}`);
  expect(lines.map(({ reference }) => reference)).toEqual(['1'.repeat(24), '2'.repeat(24)]);
});

test('a file of lines of JSON may begin with a byte order mark, as Windows writes it', async () => {
  const path = join(folder.path, 'books.jsonl');
  const line = {
    provider: 'stripe',
    kind: 'capture',
    reference: '1'.repeat(24),
    merchant_account_id,
    order_id,
    amount_minor: 4250,
    currency: 'EUR',
    effects: 1,
    state: 'done',
    provider_ref: 'ch_1',
  };
  writeFileSync(path, `\uFEFF${JSON.stringify(line)}\r\n${JSON.stringify({ ...line, reference: '2'.repeat(24) })}\r\n`);
  const references: string[] = [];
  for await (const page of (await fileBooks(path)).pages()) references.push(...page.map(({ reference }) => reference));
  expect(references).toEqual(['1'.repeat(24), '2'.repeat(24)]);
});

test('a quote that is never closed is a problem of the row it stands in', async () => {
  await expect(linesOf([HEAD, sold(1, '"two parcels'), sold(2, 'one')].join('\n'))).rejects.toThrow('line 2: ');
  await expect(linesOf([HEAD, sold(1, 'one'), sold(2, 'one'), sold(3, '5" disk')].join('\n'))).rejects.toThrow(
    'line 4: ',
  );
});

test('a row with more than any operation can have is a problem', async () => {
  const row = sold(1, 'one').replaceAll('42.50', '10000000000.01');
  await expect(linesOf([HEAD, row].join('\n'))).rejects.toThrow('line 2: has more than the largest amount');
  expect(await linesOf([HEAD, row.replaceAll('.01', '.00')].join('\n'))).toHaveLength(1);
});
