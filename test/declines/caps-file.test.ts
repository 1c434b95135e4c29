// Limits of card schemes that are newer than the release: read with every problem, loaded once for all, kept by every
// process; and what says that they are old.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { lookAtCaps } from '../../src/commands/doctor/database.ts';
import { capsDataText } from '../../src/commands/routing/caps-data.ts';
import { parseJson } from '../../src/core/json.ts';
import { type CapRow, SHIPPED } from '../../src/core/retries/caps.ts';
import { readCaps } from '../../src/core/retries/caps-file.ts';
import { dayOf } from '../../src/core/retries/day.ts';
import { Reading } from '../../src/core/shape.ts';
import { capsNow, loadCaps, makeCaps } from '../../src/payment/declines/caps.ts';
import { textAt } from '../client.ts';
import { florin } from '../command.ts';
import { type World, world } from '../world.ts';

let w: World;
beforeAll(async () => {
  w = await world();
});
afterAll(() => w[Symbol.asyncDispose]());

const NOW = { ...SHIPPED, as_of: '2026-11-01' };
const TODAY = '2026-11-20';
function problemsOf(written: object): readonly string[] {
  const reading = new Reading(false);
  readCaps(parseJson(JSON.stringify(written)), reading, { now: NOW, today: TODAY });
  return reading.problems.map(({ field, message }) => `${field} ${message}`);
}

const MORE: CapRow = {
  scheme: 'jcb',
  rule: 'reattempts',
  category: null,
  initiator: 'any',
  key: 'card+acceptor',
  limit: 12,
  window_s: 86_400,
  fee_from: 13,
  fee_amount: '0.20',
  fee_currency: 'EUR',
  fee_scope: null,
  valid_from: '2026-11-10',
  valid_to: null,
  confirmed: 'acquirer',
  source: 'a letter of our acquirer, 2026-11-05',
};

test('the table in force comes back as a file that may be loaded, with one more row, or with the end of one', () => {
  const as_of = '2026-11-10';
  expect(problemsOf({ as_of, rows: SHIPPED.rows })).toEqual([]);
  expect(problemsOf({ as_of, rows: [...SHIPPED.rows, MORE] })).toEqual([]);
  const ended = SHIPPED.rows.map((row) => (row.valid_to === null ? { ...row, valid_to: '2026-12-31' } : row));
  expect(problemsOf({ as_of, rows: ended })).toEqual([]);
});

test('every problem of a table is named at once, and what was known is neither left out nor edited', () => {
  const [first, ...rest] = SHIPPED.rows;
  const visa = rest.findIndex(({ scheme, valid_to }) => scheme === 'visa' && valid_to !== null);
  const rows = [
    ...rest.map((row, i) => (i === visa ? { ...row, limit: 500 } : row)),
    { ...MORE, scheme: 'visacard', source: '' },
    { ...MORE, limit: 2, window_s: 32 * 86_400, colour: 'red' },
    { ...MORE, valid_from: '2026-13-01', fee_amount: '-1' },
    { ...MORE, valid_to: '2026-11-09', window_s: null, fee_currency: null },
    MORE,
    { ...MORE, limit: 20, valid_from: '2026-12-01' },
    'no row',
  ];
  const at = rest.length;
  const row = rest[visa];
  expect(problemsOf({ as_of: '2026-10-31', rows, note: 'x' })).toEqual([
    'note is no member that is known here',
    'as_of must be after 2026-11-01, of which the table in force is',
    expect.stringMatching(new RegExp(`^rows\\[${at}\\]\\.scheme must be one of `)),
    `rows[${at}].source is required`,
    `rows[${at + 1}].window_s must be from 1 to 2678400`,
    `rows[${at + 1}].colour is no member that is known here`,
    `rows[${at + 1}].limit must be 0, or more than 2: so many are left to the scheme's own count`,
    `rows[${at + 2}].fee_amount must be an amount such as 0.25`,
    expect.stringMatching(new RegExp(`^rows\\[${at + 2}\\]\\.valid_from must be a date`)),
    `rows[${at + 3}].valid_to is before valid_from`,
    `rows[${at + 3}].window_s must be told where there is a limit`,
    `rows[${at + 3}].fee_currency must be told where there is a fee`,
    `rows[${at + 6}] must be an object`,
    `rows[${at + 5}] is the same rule on the same days as rows[${at + 4}]`,
    expect.stringContaining(
      `lacks a row that is known, or has another one in its place: ${first?.scheme} ${first?.rule}`,
    ),
    expect.stringContaining(`in its place: visa ${row?.rule} since ${row?.valid_from}`),
  ]);
  for (const none of [{}, { as_of: '2026-11-10', rows: [] }])
    expect(problemsOf(none)).toContain('rows must be a list of 1 to 500 rows');
  expect(problemsOf({ as_of: '2026-11-21', rows: SHIPPED.rows })).toEqual(['as_of is to come']);
});

const declined = () =>
  w.shop.pay({ card_number: '4000000000009995', token_type: 'recurring' }, { payment_channel: 'recurring' });

test('a table that is loaded by the command holds in every process that looks, and is kept beside the one before', async () => {
  const { tools } = w.service;
  const clock = tools.clock.now();
  const as_of = dayOf(clock);
  const yesterday = dayOf(new Date(clock.getTime() - 86_400_000));
  const rows = SHIPPED.rows.map((row) =>
    row.scheme === 'visa' && row.rule === 'reattempts' && row.valid_to === null ? { ...row, valid_to: yesterday } : row,
  );
  const [was] = SHIPPED.rows.filter(
    ({ scheme, rule, valid_to }) => scheme === 'visa' && rule === 'reattempts' && valid_to === null,
  );
  const strict = [{ initiator: 'cit' }, { initiator: 'mit' }].map((more) => ({
    ...was,
    ...more,
    limit: 4,
    valid_from: as_of,
  }));
  const file = join(w.data_dir, 'caps.json');
  writeFileSync(file, JSON.stringify({ as_of, rows: [...rows.slice(1), ...strict] }));
  const load = () => florin(w, 'routing', 'caps-data', '--file', file, '--by', 'ada', '--note', 'as our acquirer says');
  expect(await load()).toMatch(/^1\n[\s\S]*rows lacks a row that is known/);
  writeFileSync(file, JSON.stringify({ as_of, rows: [...rows, ...strict] }));
  expect(await load()).toMatch(/^0\nTable 1 of scheme limits is loaded/);
  expect(await florin(w, 'routing', 'caps-data')).toMatch(/reattempts: of 2-4; without the payer; 4 in 30 d/);
  // one that follows nothing yet keeps to the release's table
  expect(
    makeCaps()
      .limitsOn(as_of, 'visa')
      .map(({ most }) => most),
  ).toEqual([18]);
  await tools.caps.look(tools.db);
  expect(tools.caps.limitsOn(as_of, 'visa').map(({ most }) => most)).toEqual([2]);
  const codes = [];
  for (let i = 0; i < 3; i++) {
    const reply = await declined();
    codes.push([reply.code, textAt(reply, 'psp_result_description').startsWith('held back')]);
  }
  expect(codes.map(([, held]) => held)).toEqual([false, false, true]);
  // the same day again is no newer table
  expect(await load()).toMatch(/^1\n[\s\S]*as_of must be after/);
  await expect(w.sql("UPDATE payment.scheme_caps SET by_name = 'eve'")).rejects.toThrow('scheme_caps');
  expect((await capsNow(tools.db)).as_of).toBe(as_of);
  const other = { written: parseJson(JSON.stringify({ as_of, rows })), by: 'ada', note: 'x' };
  await expect(loadCaps(tools, other)).rejects.toThrow('parameter');
});

test('limits that were looked at more than 400 days ago are said to be old: by the doctor, and where they are shown', () => {
  const on = (days: number) => new Date(Date.parse(SHIPPED.as_of) + days * 86_400_000);
  expect(lookAtCaps(SHIPPED, on(400))).toMatchObject({ level: 'ok', says: 'as they were on 2026-11-23' });
  expect(lookAtCaps(SHIPPED, on(401))).toMatchObject({ level: 'warning', fix: expect.stringContaining('caps-data') });
  expect(capsDataText(SHIPPED, on(400))).toContain('Looked at on 2026-11-23.');
  expect(capsDataText(SHIPPED, on(401))).toContain('more than 400 days');
});
