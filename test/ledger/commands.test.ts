// The commands as an operator runs them, beside a running service: what they print, and how they end.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readWords } from '../../src/commands/arguments.ts';
import { command } from '../command.ts';
import { textAt } from '../client.ts';
import { type World, world } from '../world.ts';
import { idOf, settled, tamper } from './till.ts';

let w: World;
let order_id: string;
beforeAll(async () => {
  w = await world();
  order_id = textAt(await w.shop.pay(), 'order_id');
  await settled(w);
  await w.sql(`UPDATE payment.clock SET shift = '1 hour'`);
});
afterAll(() => w[Symbol.asyncDispose]());

const florin = (...args: readonly string[]) => command(w, args);

test('ledger verify ends with 0 where all agrees, and names what does not', async () => {
  const good = await florin('ledger', 'verify');
  expect([good.code, good.out]).toEqual([0, expect.stringContaining('The ledger agrees with every order.')]);
  expect(good.out).toMatch(/EUR +25\.00 +-25\.00 +0\.00/);
  expect(good.err).toContain('orders  1');
  const id = await idOf(w, order_id, 'capture');
  const move = (by: number) =>
    tamper(
      w,
      `UPDATE payment.ledger_entries SET amount_minor = amount_minor + ${by} WHERE source_id = decode($1, 'hex')`,
      [id],
    );
  await move(1);
  const bad = await florin('ledger', 'verify', '--account', w.account);
  await move(-1);
  expect(bad.code).toBe(1);
  expect(bad.out).toMatch(
    new RegExp(`First: transfer wrong[\\s\\S]*${order_id}[\\s\\S]*${id} book[\\s\\S]*2 findings\\.`),
  );
});

test('reconcile reads the books of the running sandbox, and ends with 1 where they differ', async () => {
  const good = await florin('reconcile');
  expect([good.code, good.out]).toEqual([0, expect.stringContaining('The books agree.')]);
  const id = await idOf(w, order_id, 'capture');
  const amount = (minor: number) =>
    tamper(w, `UPDATE payment.operations SET amount_minor = ${minor} WHERE id = decode($1, 'hex')`, [id]);
  await amount(2400);
  const bad = await florin('reconcile', '--apply');
  await amount(2500);
  expect(bad.code).toBe(1);
  expect(bad.out).toMatch(/amount +simulator .*2400 +2500 +parked: a difference of money is never applied/);
  expect(bad.out).toContain('The books differ: 1 difference.');
});

test('an account that is not here agrees with nothing, and no rule of it lets payments through', async () => {
  const id = 'f'.repeat(24);
  for (const args of [
    ['ledger', 'verify'],
    ['reconcile'],
    ['risk', 'list'],
    ['routing', 'list'],
    ['logs'],
    ['check'],
  ]) {
    const said = await florin(...args, '--account', id);
    expect([args, said.code, said.err]).toEqual([args, 1, expect.stringContaining(`There is no account ${id}.`)]);
    expect(said.out).not.toMatch(/agree|let through|takes a payment/);
  }
});

test('reconcile refuses a time in which nothing could be missed', async () => {
  for (const span of [
    ['--from', '2026-12-01', '--to', '2026-11-01'],
    ['--from', '2026-11-01', '--to', '2026-11-01'],
    ['--from', '2099-01-01'],
  ]) {
    const said = await florin('reconcile', ...span);
    expect([span, said.code, said.out]).toEqual([span, 1, '']);
    expect(said.err).toContain('--from must be before --to');
  }
});

test('reconcile does not guess a time: what a file covers may prove that nothing was done', async () => {
  const said = await florin('reconcile', '--to', '12.1.2026');
  expect([said.code, said.out]).toEqual([1, '']);
  expect(said.err).toContain('--to must be a time such as 2026-11-21 or 2026-11-21T08:00:00Z, not 12.1.2026.');
});

const timeOf = (text: string) => readWords(['--to', text], { usage: '', texts: ['to'] }).time('to');

test.each(['12.1.2026', '1/12/2026', '2026-11-31', '2026-1-5', '5', ''])('no command takes %s as a time', (text) => {
  expect(() => timeOf(text)).toThrow('--to must be a time such as');
});

test.each([
  ['2026-11-21', '2026-11-21T00:00:00.000Z'],
  ['2026-11-21T08:00', '2026-11-21T08:00:00.000Z'],
  ['2026-11-21T08:00:00+01:00', '2026-11-21T07:00:00.000Z'],
])('a command takes %s as %s, on every machine', (text, moment) => {
  expect(timeOf(text)?.toISOString()).toBe(moment);
});

test('review lists and refuses in words; a mistyped command says how it is used', async () => {
  expect(await florin('review')).toMatchObject({ code: 0, out: 'Nothing is in doubt.\n' });
  const id = await idOf(w, order_id, 'capture');
  const words = ['--as', 'not-done', '--reason', 'seen in the portal', '--by', 'anna'];
  const refused = await florin('review', 'settle', id, ...words);
  expect([refused.code, refused.err]).toEqual([1, expect.stringContaining('The capture is successful and stays so.')]);
  for (const args of [
    ['ledger'],
    ['reconcile', 'x'],
    ['review', 'settle'],
    ['review', 'settle', id, '--as', 'maybe'],
  ]) {
    const said = await florin(...args);
    expect([said.code, said.err]).toEqual([1, expect.stringContaining('Usage: florin')]);
  }
});
