// Declines that another payment company had: they count here as if they had been made here, all of a file or nothing of
// it.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { WrongLines, importDeclines } from '../../src/payment/declines/import/import.ts';
import { textAt } from '../client.ts';
import { accountOf } from '../risk/till.ts';
import { florin } from '../command.ts';
import { type World, world } from '../world.ts';

let w: World;
let account: string;
beforeAll(async () => {
  w = await world();
  account = await accountOf(w);
});
afterAll(() => w[Symbol.asyncDispose]());
beforeEach(() => w.sql('DELETE FROM payment.declines'));

const HEAD =
  'reference,card_unique_id,card_validity_month,card_validity_year,scheme,contract,initiator,amount,currency,date,outcome,result,advice,response_code';
const VISA = '4242424242424242';

async function uniqueId(card_number: string): Promise<string> {
  const body = { card_number, card_validity_month: '12', card_validity_year: '2034', cvc: '123' };
  return textAt(await w.shop.vault('/token', { body }), 'card_unique_id');
}

type Line = Partial<Record<string, string | number>>;
const ago = (minutes: number) => new Date(w.service.tools.clock.now().getTime() - minutes * 60_000).toISOString();

/** A file of lines that are right but for what is said; answers its path. */
function fileOf(lines: readonly (Line | string)[], head = HEAD): string {
  const rows = lines.map((line, i) => {
    if (typeof line === 'string') return line;
    const usual: Line = {
      reference: `their-${i}`,
      card_validity_month: 12,
      card_validity_year: 2034,
      scheme: 'visa',
      contract: 'simulator',
      initiator: 'merchant',
      amount: '25.00',
      currency: 'EUR',
      date: ago(i + 1),
    };
    return head
      .split(',')
      .map((name) => ({ ...usual, ...line })[name] ?? '')
      .join(',');
  });
  const path = join(w.data_dir, 'past.csv');
  writeFileSync(path, `${[head, ...rows].join('\r\n')}\r\n`);
  return path;
}

const nothing = async () => undefined;
const bring = (path: string) => importDeclines(w.service.tools, account, { path, also: nothing });
const problemsOf = async (path: string) => {
  try {
    await bring(path);
    return [];
  } catch (error) {
    if (!(error instanceof WrongLines)) throw error;
    return error.message.split('\n');
  }
};
const count = async () => Number((await w.sql<{ n: string }>('SELECT count(*) AS n FROM payment.declines'))[0]?.n);
const alone = (card_number: string, exp_year = '2034') =>
  w.shop.pay(
    { card_number, card_validity_month: '12', card_validity_year: exp_year, token_type: 'recurring' },
    { payment_channel: 'recurring' },
  );

test('eighteen declines elsewhere hold the nineteenth back here, and the file run again changes nothing', async () => {
  const card_unique_id = await uniqueId(VISA);
  const past = Array.from({ length: 18 }, (_, i) => ({ card_unique_id, response_code: '51', date: ago(i + 1) }));
  const lines = (many: number) => past.slice(0, many);
  expect(await bring(fileOf(lines(17)))).toMatchObject({ lines: 17, counted: 17, known: 0 });
  expect((await alone(VISA)).code).toBe('955555');
  const path = fileOf(lines(18));
  expect(await bring(path)).toMatchObject({ lines: 18, counted: 1, known: 17 });
  expect(await bring(path)).toMatchObject({ counted: 0, known: 18 });
  expect(await count()).toBe(18);
  const held = await alone(VISA);
  expect([held.code, textAt(held, 'psp_result_description')]).toEqual([
    '421081',
    expect.stringContaining('reattempts'),
  ]);
});

test('a card that a scheme stopped at another company is stopped here while the card is the same, until an approval ended that', async () => {
  const card_unique_id = await uniqueId(VISA);
  const stopped = { card_unique_id, response_code: '04', date: ago(600) };
  await bring(fileOf([stopped]));
  expect((await alone(VISA)).code).toBe('421081');
  expect((await alone(VISA, '2035')).code).toBe('955555');
  await w.sql('DELETE FROM payment.declines');
  const approved = { card_unique_id, outcome: 'approved', date: ago(300) };
  // in whatever order they stand
  expect(await bring(fileOf([approved, stopped]))).toMatchObject({ counted: 1, approved: 1 });
  expect((await alone(VISA)).code).toBe('955555');
  await w.sql('DELETE FROM payment.declines');
  await bring(fileOf([{ ...approved, date: ago(900) }, stopped]));
  expect((await alone(VISA)).code).toBe('421081');
});

test("Mastercard's advice to wait is kept from the moment it was given; what no scheme saw and what is old is not counted", async () => {
  const card_unique_id = await uniqueId('5555555555554444');
  const mastercard = { card_unique_id, scheme: 'mastercard' };
  const told = await bring(
    fileOf([
      { ...mastercard, advice: '25', date: ago(60), result: '420100' },
      { ...mastercard, result: '420410' },
      { ...mastercard, date: ago(32 * 24 * 60) },
    ]),
  );
  expect(told).toMatchObject({ lines: 3, counted: 1, unseen: 1, old: 1 });
  const [row] = await w.sql<{ advice: string; hours: string }>(
    'SELECT advice, extract(epoch FROM not_before - at) / 3600 AS hours FROM payment.declines',
  );
  expect([row?.advice, Number(row?.hours)]).toEqual(['mastercard:25', 24]);
  expect((await alone('5555555555554444')).code).toBe('421081');
});

test('every line that is wrong is named with its number and all that is wrong, and nothing of the file is imported', async () => {
  const card_unique_id = await uniqueId(VISA);
  const right = { card_unique_id };
  const path = fileOf([
    right,
    { ...right, amount: '1.234', currency: 'EUR', contract: 'elsewhere' },
    { card_unique_id: VISA, initiator: 'shop', date: '2099-01-01T00:00:00Z' },
    { ...right, advice: '03', scheme: 'visa', card_validity_month: 13 },
    { ...right, reference: `card ${VISA}`, result: '123456' },
    'a,b',
    'a,"b',
    '',
    { ...right, reference: '' },
  ]);
  const problems = await problemsOf(path);
  expect(problems).toEqual([
    'line 3: amount has more decimals than the currency allows; contract is none of this account',
    'line 4: card_unique_id must be a card_unique_id of this account; initiator must be one of payer, merchant; date is to come',
    'line 5: card_validity_month must be from 1 to 12; advice belongs to mastercard',
    'line 6: reference holds a card number: its first six and last four digits say as much; result is no code of the contract',
    'line 7: has 2 values for 14 columns',
    'line 8: leaves a quote open',
    'line 10: reference is required',
  ]);
  expect(problems.join('\n')).not.toContain(VISA);
  expect(await count()).toBe(0);
});

test('a head that lacks a column, or has one that is not known, is refused with the columns there are', async () => {
  const short = await problemsOf(fileOf([], 'reference,card_unique_id,card_number'));
  expect(short).toEqual([
    expect.stringMatching(
      /^line 1: lacks card_validity_month, .*, date; names 1 columns that are not known here\. Columns: /,
    ),
  ]);
  expect(short[0]).not.toContain('card_number,');
  const empty = join(w.data_dir, 'empty.csv');
  writeFileSync(empty, '');
  expect(await problemsOf(empty)).toEqual(['is empty']);
  const none = await problemsOf(join(w.data_dir, 'none.csv'));
  expect(none.join(' ')).toMatch(
    /^cannot be read: ENOENT.* That file, or the folder that it should be in, is not there/,
  );
});

test('nothing is imported without its record, and a run that was killed is finished by the next one', async () => {
  const card_unique_id = await uniqueId('4000000000000002');
  const path = fileOf(Array.from({ length: 2500 }, () => ({ card_unique_id })));
  const failing = importDeclines(w.service.tools, account, {
    path,
    also: async () => {
      throw new Error('the record was not written');
    },
  });
  await expect(failing).rejects.toThrow('the record was not written');
  expect(await count()).toBe(0);
  expect(await bring(path)).toMatchObject({ lines: 2500, counted: 2500 });
  await w.sql('DELETE FROM payment.declines WHERE get_byte(transaction_id, 0) < 100');
  const left = await count();
  expect(left).toBeLessThan(2500);
  expect(await bring(path)).toMatchObject({ counted: 2500 - left, known: left });
  expect(await count()).toBe(2500);
});

test('the command says what a file brought, keeps a record of it, and names what is wrong', async () => {
  const card_unique_id = await uniqueId(VISA);
  const approved = { card_unique_id, outcome: 'approved' };
  const file = fileOf([{ card_unique_id }, { card_unique_id, result: '420410' }, approved]);
  const command = (...more: readonly string[]) =>
    florin(w, 'routing', 'import-declines', file, '--account', account, ...more);
  expect(await command()).toContain('--by is required');
  expect(await command('--by', 'ada', '--note', 'from the former company')).toBe(
    [
      '0',
      '3 lines: 1 declines count from now on.',
      '  1 approvals, which end what was stopped before',
      '  1 that no scheme saw declined',
      '',
    ].join('\n'),
  );
  const audit = await w.sql("SELECT actor, detail FROM payment.audit WHERE action = 'declines imported'");
  expect(audit).toMatchObject([{ actor: 'ada', detail: { lines: 3, declined: 1, approved: 1, unseen: 1, old: 0 } }]);
  fileOf([{ card_unique_id }, { card_unique_id, amount: 'x' }]);
  expect(await command('--by', 'ada')).toMatch(/^1\n+Nothing was imported from \S+:\nline 3: amount is not an amount/);
});

test('a line ends where its file says, and not at a separator of Unicode in its reference', async () => {
  const card_unique_id = await uniqueId(VISA);
  expect(await bring(fileOf([{ card_unique_id, reference: 'their\u2028own' }]))).toMatchObject({
    lines: 1,
    counted: 1,
  });
});
