// florin ledger verify: a clean world agrees; whatever is wrong is found, named and counted.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { verdictText } from '../../src/commands/ledger/ledger.ts';
import { verifyLedger } from '../../src/payment/ledger/verify/verify.ts';
import { findOrder } from '../../src/payment/order/facts/order-store.ts';
import { record } from '../../src/payment/order/engine/record.ts';
import { textAt } from '../client.ts';
import { type World, world } from '../world.ts';
import { everyForm, idOf, settled, tamper, verified } from './till.ts';

let w: World;
let held: string;
let parts: string;
let sold: string;
let declined: string;
beforeAll(async () => {
  w = await world();
  const orders = await everyForm(w.shop);
  [held = '', parts = '', sold = ''] = orders;
  declined = orders.at(-1) ?? '';
  await (await w.otherShop()).pay();
  await settled(w);
});
afterAll(() => w[Symbol.asyncDispose]());

test('a world of every form of order agrees, in every page, and each currency sums to zero', async () => {
  const verdict = await verifyLedger({ db: w.service.tools.db, page: 2, progress: () => undefined });
  expect(verdict.first).toBeUndefined();
  expect([verdict.accounts, verdict.orders]).toEqual([2, 7]);
  const [rows] = await w.sql<{ n: number }>(`SELECT count(*)::int AS n FROM payment.ledger_entries`);
  expect(verdict.transfers).toBe(rows?.n);
  for (const own of verdict.balances.values()) expect([...own.values()].reduce((a, b) => a + b, 0n)).toBe(0n);
  // 25.00 held, 15.00 captured of another, two sold and one retried, 4.50 given back
  const euro = Object.fromEntries(verdict.balances.get('EUR') ?? []);
  expect(euro['authorized_hold']).toBe(2500n);
  expect(euro['merchant_payable']).toBe(-(1500n + 2500n + 2500n + 2500n));
  expect(euro['refunds']).toBe(300n + 150n);
  expect(Object.fromEntries(verdict.balances.get('JPY') ?? [])['provider_receivable']).toBe(0n);
  expect(verdictText(verdict)).toMatch(/2 merchant accounts, 7 orders[\s\S]*The ledger agrees with every order\.$/);
});

test('a correction by the provider, of a sale and of a capture, agrees', async () => {
  await using other = await world();
  const { tools } = other.service;
  const demo = other.account;
  const [, captured = '', sale = ''] = await everyForm(other.shop);
  const spare = await other.shop.pay();
  for (const order_id of [textAt(spare, 'order_id'), captured, sale]) {
    const order = await findOrder(tools.db.tenant(demo), order_id);
    for (const kind of ['refund', 'capture'] as const) {
      const operation = order?.operations.find((o) => o.kind === kind);
      if (!order || !operation) continue;
      const now = (await findOrder(tools.db.tenant(demo), order_id)) ?? order;
      const outcome = { kind: 'corrected', result: `${kind}_declined`, reference: null } as const;
      await record(tools, now, { operation, observation: { source: 'file', outcome } });
    }
  }
  const [unbooked] = await other.sql<{ n: number }>(
    `SELECT count(*)::int AS n FROM payment.ledger_entries WHERE posting = 'unbook'`,
  );
  expect(unbooked?.n).toBe(2 + 1 + 2 + 1 + 2);
  expect(await verified(other)).toEqual({ first: undefined, counts: {} });
});

/** Runs in a transaction-like bracket: what was tampered with is put back by the second statement. */
async function found(statement: string, back: string, values: readonly unknown[] = []) {
  await tamper(w, statement, values);
  try {
    return await verified(w);
  } finally {
    await tamper(w, back, back.includes('$1') ? values : []);
    expect((await verified(w)).first).toBeUndefined();
  }
}

const KEEP = `CREATE TABLE IF NOT EXISTS public.kept AS SELECT * FROM payment.ledger_entries WHERE false`;

describe('what is wrong is found and named:', () => {
  test('a posting that is not there', async () => {
    const id = await idOf(w, held, 'authorize');
    await w.sql(KEEP);
    await w.sql(`INSERT INTO public.kept SELECT * FROM payment.ledger_entries WHERE source_id = decode($1, 'hex')`, [
      id,
    ]);
    const { first, counts } = await found(
      `DELETE FROM payment.ledger_entries WHERE source_id = decode($1, 'hex')`,
      `WITH k AS (DELETE FROM public.kept WHERE source_id = decode($1, 'hex') RETURNING *) INSERT INTO payment.ledger_entries SELECT * FROM k`,
      [id],
    );
    expect(first).toEqual({
      kind: 'posting missing',
      merchant_account_id: w.account,
      order_id: held,
      source_id: id,
      posting: 'book',
      expected: '1: authorized_hold from authorized_contra 2500 EUR at simulator',
      stands: 'nothing',
    });
    expect(counts).toEqual({ 'posting missing': 1, 'counters differ from the ledger': 1 });
  });

  test('one of two transfers that is not there', async () => {
    const id = await idOf(w, parts, 'capture');
    await w.sql(KEEP);
    await w.sql(
      `INSERT INTO public.kept SELECT * FROM payment.ledger_entries WHERE source_id = decode($1, 'hex') AND line = 2`,
      [id],
    );
    const { first } = await found(
      `DELETE FROM payment.ledger_entries WHERE source_id = decode($1, 'hex') AND line = 2`,
      `WITH k AS (DELETE FROM public.kept WHERE source_id = decode($1, 'hex') RETURNING *) INSERT INTO payment.ledger_entries SELECT * FROM k`,
      [id],
    );
    expect([first?.kind, first?.source_id, first?.expected]).toEqual([
      'transfer missing',
      id,
      '2: provider_receivable from merchant_payable 1000 EUR at simulator',
    ]);
  });

  test.each([
    ['amount', 'amount_minor = amount_minor + 1', 'amount_minor = amount_minor - 1', '1 EUR'],
    ['currency', `currency = 'USD'`, `currency = 'EUR'`, 'USD'],
    ['provider', `provider = 'simulator_b'`, `provider = 'simulator'`, 'simulator_b'],
    ['debit', `debit = 'fees'`, `debit = 'provider_receivable'`, 'fees'],
    [
      'side',
      `debit = credit, credit = debit`,
      `debit = credit, credit = debit`,
      'merchant_payable from provider_receivable',
    ],
  ])('a transfer of a wrong %s', async (_, change, back, says) => {
    const id = await idOf(w, sold, 'capture');
    const update = (set: string) => `UPDATE payment.ledger_entries SET ${set} WHERE source_id = decode($1, 'hex')`;
    const { first } = await found(update(change), update(back), [id]);
    expect([first?.kind, first?.order_id, first?.source_id]).toEqual(['transfer wrong', sold, id]);
    expect(first?.expected).toBe('1: provider_receivable from merchant_payable 2500 EUR at simulator');
    expect(first?.stands).toContain(says);
  });

  test('a transfer too many in a posting', async () => {
    const id = await idOf(w, sold, 'refund');
    const { first } = await found(
      `INSERT INTO payment.ledger_entries SELECT source_id, posting, 2, merchant_account_id, order_id, provider, at, debit, credit, currency, amount_minor
       FROM payment.ledger_entries WHERE source_id = decode($1, 'hex')`,
      `DELETE FROM payment.ledger_entries WHERE source_id = decode($1, 'hex') AND line = 2`,
      [id],
    );
    expect([first?.kind, first?.source_id, first?.expected]).toEqual(['transfer not called for', id, 'nothing']);
  });

  test('a posting of an operation that was declined, also when it is taken back at once', async () => {
    const id = await idOf(w, declined, 'authorize');
    const values = (posting: string, debit: string, credit: string) =>
      `(decode($1, 'hex'), '${posting}', 1, decode('${w.account}', 'hex'), decode('${declined}', 'hex'), 'simulator', now(), '${debit}', '${credit}', 'EUR', 2500)`;
    const { first, counts } = await found(
      `INSERT INTO payment.ledger_entries (source_id, posting, line, merchant_account_id, order_id, provider, at, debit, credit, currency, amount_minor)
       VALUES ${values('book', 'authorized_hold', 'authorized_contra')}, ${values('unbook', 'authorized_contra', 'authorized_hold')}`,
      `DELETE FROM payment.ledger_entries WHERE source_id = decode($1, 'hex')`,
      [id],
    );
    expect([first?.kind, first?.source_id, first?.expected]).toEqual([
      'posting not called for',
      id,
      'nothing: the authorize is declined',
    ]);
    expect(counts).toEqual({ 'posting not called for': 2 });
  });

  test('a posting of no operation, and one under another merchant account', async () => {
    const nobody = 'ff'.repeat(12);
    const orphan = await found(
      `INSERT INTO payment.ledger_entries (source_id, posting, line, merchant_account_id, order_id, provider, at, debit, credit, currency, amount_minor)
       VALUES (decode($1, 'hex'), 'book', 1, decode('${w.account}', 'hex'), decode('${sold}', 'hex'), 'simulator', now(), 'fees', 'payouts', 'EUR', 1)`,
      `DELETE FROM payment.ledger_entries WHERE source_id = decode($1, 'hex')`,
      [nobody],
    );
    expect(orphan.counts).toEqual({ 'posting of no operation': 1 });
    expect([orphan.first?.source_id, orphan.first?.order_id]).toEqual([nobody, sold]);
    const id = await idOf(w, sold, 'refund');
    const move = (to: string) =>
      `UPDATE payment.ledger_entries SET merchant_account_id = decode('${to}', 'hex') WHERE source_id = decode($1, 'hex')`;
    const moved = await found(move(nobody), move(w.account), [id]);
    expect(moved.counts).toEqual({
      'posting missing': 1,
      'counters differ from the ledger': 1,
      'posting of no operation': 1,
    });
  });

  test.each([
    ['authorized', -1, 'held', { 'counters differ from operations': 1, 'counters differ from the ledger': 1 }],
    ['released', 1, 'held', { 'counters differ from operations': 1, 'counters differ from the ledger': 1 }],
    ['captured', 1, 'held', { 'counters differ from operations': 1, 'counters differ from the ledger': 1 }],
    ['capturing', 1, 'held', { 'counters differ from operations': 1 }],
    ['refunded', 1, 'sold', { 'counters differ from operations': 1, 'counters differ from the ledger': 1 }],
    ['refunding', 1, 'sold', { 'counters differ from operations': 1 }],
  ])('the counter %s', async (name, by, which, counts) => {
    const order_id = which === 'held' ? held : sold;
    const move = (amount: number) =>
      `UPDATE payment.orders SET ${name}_minor = ${name}_minor + ${amount} WHERE id = decode($1, 'hex')`;
    const seen = await found(move(by), move(-by), [order_id]);
    expect(seen.counts).toEqual(counts);
    expect([seen.first?.kind, seen.first?.order_id]).toEqual(['counters differ from operations', order_id]);
    expect(seen.first?.stands).toMatch(new RegExp(`^${name} \\d+$`));
  });

  test('an operation that became successful without its money', async () => {
    const id = await idOf(w, declined, 'authorize');
    const move = (to: string) => `UPDATE payment.operations SET state = '${to}' WHERE id = decode($1, 'hex')`;
    const { first, counts } = await found(move('successful'), move('declined'), [id]);
    expect([first?.kind, first?.source_id]).toEqual(['posting missing', id]);
    expect(counts).toEqual({ 'posting missing': 1, 'counters differ from operations': 1 });
  });

  test('an operation in another currency than its order', async () => {
    const id = await idOf(w, sold, 'capture');
    const move = (to: string) => `UPDATE payment.operations SET currency = '${to}' WHERE id = decode($1, 'hex')`;
    const { first, counts } = await found(move('USD'), move('EUR'), [id]);
    expect([first?.kind, first?.order_id]).toEqual(['counters differ from operations', sold]);
    expect(counts).toEqual({ 'counters differ from operations': 1 });
  });

  test('an event that is not there, and a version that is behind', async () => {
    const seq = (to: number, from: number) =>
      `UPDATE payment.events SET seq = ${to} WHERE subject_id = decode($1, 'hex') AND seq = ${from}`;
    const gap = await found(seq(99, 1), seq(1, 99), [sold]);
    expect(gap.counts).toEqual({ 'events not gapless': 1 });
    const version = (by: number) => `UPDATE payment.orders SET version = version + ${by} WHERE id = decode($1, 'hex')`;
    const behind = await found(version(-1), version(1), [sold]);
    expect(behind.counts).toEqual({ 'version behind its events': 1 });
  });

  test('the first of several, and only those of the account that is asked for', async () => {
    const ids = [await idOf(w, sold, 'capture'), await idOf(w, held, 'authorize')];
    const update = (by: number) =>
      `UPDATE payment.ledger_entries SET amount_minor = amount_minor + ${by} WHERE encode(source_id, 'hex') IN ('${ids.join("','")}')`;
    await tamper(w, update(1));
    const { first, counts } = await verified(w, w.account);
    expect([first?.order_id, first?.kind]).toEqual([held, 'transfer wrong']);
    expect(counts).toEqual({ 'transfer wrong': 2, 'counters differ from the ledger': 2 });
    expect((await verified(w, 'ee'.repeat(12))).first).toBeUndefined();
    const said = verdictText(await verifyLedger({ db: w.service.tools.db, progress: () => undefined }));
    expect(said).toContain('First: transfer wrong');
    expect(said).toContain(held);
    expect(said).toMatch(/does not agree: 4 findings\.$/);
    await tamper(w, update(-1));
  });
});
