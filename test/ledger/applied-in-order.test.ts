// What `florin reconcile --apply` makes of lines that say one thing after the other of an operation in doubt: it was
// done, and the money came back.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { applyDifference } from '../../src/payment/order/review/apply.ts';
import { fileBooks } from '../../src/payment/ledger/reconcile/file.ts';
import { reconcile } from '../../src/payment/ledger/reconcile/reconcile.ts';
import { textAt, until } from '../client.ts';
import { type World, world } from '../world.ts';
import { idOf, verified } from './till.ts';

let w: World;
beforeAll(async () => {
  w = await world({ FLORIN_SIMULATOR_DEADLINE_S: '3' });
  await arm({ operation: 'inquiry', fault: 'http_500_before', times: 100 });
});
afterAll(() => w[Symbol.asyncDispose]());

async function arm(scenario: object): Promise<void> {
  expect((await w.shop.api('/sandbox/scenario', { body: scenario })).status).toBe(200);
}

async function rowOf(operation_id: string) {
  const [row] = await w.sql<{ state: string; provider: string }>(
    `SELECT state, provider FROM payment.operations WHERE id = decode($1, 'hex')`,
    [operation_id],
  );
  return row;
}

const stateOf = async (operation_id: string) => (await rowOf(operation_id))?.state;

let count = 0;

type Undoing = { readonly order_id: string; readonly authorize: string; readonly reversal: string };

/** An order that is being undone, whose reversal the provider never answers; nothing of it can arrive any more. */
async function undoing(): Promise<Undoing> {
  const { breaker } = w.service.tools;
  await until(() => !breaker.isOpen('simulator') || undefined);
  const order_merchant_id = `undoing-${++count}`;
  const match = { match: { order_merchant_id } };
  await arm({ operation: 'authorize', fault: 'http_500_after', ...match });
  await arm({ operation: 'cancel', fault: 'http_500_before', times: 100, ...match });
  const money = { operation_type: 'authorize', amount: '25.00', currency: 'EUR', order_merchant_id };
  const order = await w.shop.order({ token: await w.shop.token(), ...money }, { prefer: 'wait=1' });
  const order_id = textAt(order, 'order_id');
  await w.shop.api(`/payment/maintenance/cancel/${order_id}`, { body: {}, headers: { prefer: 'wait=1' } });
  const authorize = await idOf(w, order_id, 'authorize');
  await until(async () => (await stateOf(authorize)) === 'reversing' || undefined);
  const reversal = await idOf(w, order_id, 'reversal');
  await until(async () => (await stateOf(reversal)) === 'in_doubt' || undefined);
  await w.sql(
    `UPDATE payment.operations SET created_at = created_at - interval '1 hour', sent_at = sent_at - interval '1 hour'
     WHERE order_id = decode($1, 'hex')`,
    [order_id],
  );
  return { order_id, authorize, reversal };
}

const DONE = { state: 'done', provider_ref: 're_1' } as const;
const BACK = { state: 'undone', provider_ref: 're_1' } as const;
const nameless = (line: Said): Said => ({ ...line, provider_ref: null });
type Said = { readonly state: 'done' | 'undone'; readonly provider_ref: string | null };

/** Reads a file with these lines of the reversal, and applies what it tells; what it told. */
async function applied({ order_id, authorize }: Undoing, name: string, said: readonly Said[]) {
  const path = join(w.data_dir, name);
  const provider = (await rowOf(authorize))?.provider;
  const of = { provider, kind: 'reversal', reference: authorize, order_id, amount_minor: 2500 };
  const merchant_account_id = w.account;
  const lines = said.map((line) => JSON.stringify({ ...of, currency: 'EUR', merchant_account_id, ...line }));
  writeFileSync(path, `${lines.join('\n')}\n`);
  const found: string[] = [];
  await reconcile({
    db: w.service.tools.db,
    source: await fileBooks(path),
    in_flight: new Map(),
    account: merchant_account_id,
    from: new Date(Date.now() + 86_400_000),
    found: async (difference) => {
      const became = await applyDifference(w.service.tools, difference);
      found.push(`${difference.kind}: ${became.kind === 'applied' ? became.state : became.why}`);
    },
    progress: () => undefined,
  });
  return found;
}

test('an open reversal is done where its line stands alone', async () => {
  const one = await undoing();
  expect(await applied(one, 'alone.jsonl', [DONE])).toEqual(['state: successful']);
  expect([await stateOf(one.reversal), await stateOf(one.authorize)]).toEqual(['successful', 'declined']);
});

test.each([
  ['in one file', [[DONE, BACK]]],
  ['in one file, the other way round', [[BACK, DONE]]],
  ['in two files that are read in the wrong order', [[BACK], [DONE]]],
  ['in one file that gives it no name', [[nameless(DONE), nameless(BACK)]]],
] as const)('an open reversal whose money came back is not done: %s', async (_, files) => {
  const one = await undoing();
  let n = 0;
  for (const lines of files) await applied(one, `${one.order_id}-${++n}.jsonl`, lines);
  expect([await stateOf(one.authorize), await stateOf(one.reversal)]).toEqual(['reversing', 'in_doubt']);
  expect((await w.shop.read(one.order_id)).at('is_in_doubt')).toBe(true);
  // another one that followed it is
  const second = { state: 'done', provider_ref: 're_2' } as const;
  await applied(one, `${one.order_id}-last.jsonl`, [second]);
  expect([await stateOf(one.authorize), await stateOf(one.reversal)]).toEqual(['declined', 'successful']);
});

test('an open reversal that was done by one file, and came back by the next, contradicts what is final', async () => {
  const one = await undoing();
  expect(await applied(one, 'monday.jsonl', [DONE])).toEqual(['state: successful']);
  const told = await applied(one, 'tuesday.jsonl', [BACK]);
  expect(told).toEqual(['state: it contradicts a final state: the order is in doubt']);
  expect((await w.shop.read(one.order_id)).at('is_in_doubt')).toBe(true);
  expect((await verified(w)).first).toBeUndefined();
});
