// An account with several contracts at one provider: each has a report of its own.
import { expect, test } from 'vitest';
import type { Difference } from '../../src/payment/ledger/reconcile/compare.ts';
import type { BookLine } from '../../src/payment/ledger/reconcile/line.ts';
import { reconcile } from '../../src/payment/ledger/reconcile/reconcile.ts';
import { simulatorBooks } from '../../src/payment/ledger/reconcile/simulator.ts';
import { insertContract } from '../../src/payment/merchant/contract-store.ts';
import { textAt } from '../client.ts';
import { florin } from '../command.ts';
import { world } from '../world.ts';
import { settled } from './till.ts';

test('the books of one of several contracts at a provider miss nothing of the others', async () => {
  await using w = await world();
  const { db, sandbox } = w.service.tools;
  const account = w.account;
  if (!sandbox) throw new Error('a sandbox has simulated providers');
  const [one, other] = [textAt(await w.shop.pay(), 'order_id'), textAt(await w.shop.pay(), 'order_id')];
  await settled(w);
  const second = 'c0'.repeat(12);
  await insertContract(db.tenant(account), { id: second, name: 'second', provider: 'simulator', priority: 9 });
  await w.sql(`UPDATE payment.transactions SET contract_id = decode($1, 'hex') WHERE order_id = decode($2, 'hex')`, [
    second,
    other,
  ]);
  const [row] = await w.sql<{ id: string }>(
    `SELECT encode(contract_id, 'hex') AS id FROM payment.transactions WHERE order_id = decode($1, 'hex')`,
    [one],
  );
  const lines: BookLine[] = [];
  for await (const page of simulatorBooks(sandbox).pages()) lines.push(...page);
  const { is_live: _, ...books } = simulatorBooks(sandbox);

  /** The orders that the lines of the first one are said to miss. */
  async function missed(contracts?: ReadonlySet<string>): Promise<readonly string[]> {
    const found: Difference[] = [];
    const source = {
      ...books,
      ...(contracts && { contracts }),
      pages: async function* () {
        yield lines.filter(({ order_id }) => order_id === one);
      },
    };
    await reconcile({
      db,
      source,
      in_flight: new Map(),
      found: async (difference) => void found.push(difference),
      progress: () => undefined,
    });
    expect(found.filter(({ kind }) => kind !== 'missing there')).toEqual([]);
    return [...new Set(found.map(({ order_id }) => order_id))];
  }

  expect(await missed()).toEqual([other]);
  expect(await missed(new Set([row?.id ?? '']))).toEqual([]);
  // of the second one the same lines would miss its own
  expect(await missed(new Set([second]))).toEqual([other]);

  const words = ['--report', 'x.csv', '--provider', 'simulator', '--merchant', 'M', '--account', account];
  const refused = await florin(w, 'reconcile', ...words);
  expect(refused).toContain('--contract must say which contract the report is of');
  expect(refused).toContain(`${second} (second)`);
});
