// Two runs of florin reconcile at once, over files that have the same lines in another order: the file of a day, and
// that of its month.
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { TenantRunner } from '../../src/kit/database.ts';
import { keepFindings } from '../../src/payment/ledger/reconcile/finding-store.ts';
import { insertFees } from '../../src/payment/ledger/reconcile/fees-store.ts';
import { insertSettled } from '../../src/payment/ledger/reconcile/settled-store.ts';
import { type World, world } from '../world.ts';

let w: World;
let db: TenantRunner;
beforeAll(async () => {
  w = await world();
  db = w.service.tools.db.tenant(w.account);
});
afterAll(() => w[Symbol.asyncDispose]());

const idOf = (n: number) => n.toString(16).padStart(24, '0');
const about = (n: number) => ({ order_id: idOf(n), provider: 'stripe', reference: idOf(n), what: 'capture' }) as const;

const KEPT: readonly (readonly [string, (lines: readonly number[]) => Promise<unknown>])[] = [
  [
    'lines',
    (lines) => {
      const names = { sent_back: false, provider_ref: 'ch_1', entry: '' };
      return insertSettled(db, { source: 'a.csv', settled: lines.map((n) => ({ ...about(n), ...names })) });
    },
  ],
  [
    'fees',
    (lines) => {
      const fee = { entry: 'txn_1', fee_minor: 1n, currency: 'EUR' };
      return insertFees(
        db,
        lines.map((n) => ({ ...about(n), ...fee, operation_id: idOf(n) })),
      );
    },
  ],
  [
    'findings',
    (lines) => {
      const { merchant_account_id } = db;
      const differs = { kind: 'amount', ours: '2', theirs: '1', apart_minor: 1n, currency: 'EUR' } as const;
      const nothing = { operation_id: null, tells: undefined, line: undefined, became: '', applied: false };
      const found = lines.map((n) => ({ ...about(n), ...differs, ...nothing, merchant_account_id }));
      return keepFindings(db, { source: 'a.csv', books_to: null }, found);
    },
  ],
];

test.each(KEPT)('neither waits for the other in a circle where both keep the same %s', async (_, keep) => {
  for (let round = 0; round < 4; round++) {
    const lines = Array.from({ length: 500 }, (__, n) => round * 500 + n);
    // where one gives up, its run ends with an error
    await expect(Promise.all([keep(lines), keep(lines.toReversed())])).resolves.toHaveLength(2);
  }
});
