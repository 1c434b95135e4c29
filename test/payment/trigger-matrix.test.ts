// The second line of defence: whatever the code decides, the database lets an operation move only forward.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { OPERATION_KINDS, OPERATION_STATES, type OperationState } from '../../src/core/states.ts';
import { textAt } from '../client.ts';
import { type World, world } from '../world.ts';
import { stepOk } from './decide/rules.ts';

let w: World;
beforeAll(async () => {
  w = await world();
});
afterAll(() => w[Symbol.asyncDispose]());

const STATES = Object.keys(OPERATION_STATES).filter((state): state is OperationState => state !== '');
const PAIRS = OPERATION_KINDS.flatMap((kind) =>
  STATES.flatMap((was) => STATES.map((becomes) => ({ kind, was, becomes }))),
);
type Pair = (typeof PAIRS)[number];
const named = ({ kind, was, becomes }: Pair) => `${kind}: ${was} -> ${becomes}`;

/** Only an authorization is ever being reversed: a row that is not one cannot even be there. */
const cannotBe = ({ kind, was }: Pair) => kind !== 'authorize' && was === 'reversing';

test('step_ok of the database allows the moves of the rules here, for all 7 x 7 x 5', async () => {
  expect(PAIRS).toHaveLength(245);
  const rows = await w.sql<{ ok: boolean }>(
    `SELECT payment.step_ok(kind, was, becomes) AS ok FROM unnest($1::text[], $2::text[], $3::text[]) WITH ORDINALITY AS x (kind, was, becomes, n) ORDER BY n`,
    [PAIRS.map((pair) => pair.kind), PAIRS.map((pair) => pair.was), PAIRS.map((pair) => pair.becomes)],
  );
  const wrong = PAIRS.filter((pair, i) => rows[i]?.ok !== stepOk(pair.kind, pair.was, pair.becomes));
  expect(wrong.map(named)).toEqual([]);
});

test('every illegal move is refused, and every legal one is not', async () => {
  const wrong: string[] = [];
  let refused = 0;
  for (const pair of PAIRS) {
    const answer = await move(pair);
    const legal = stepOk(pair.kind, pair.was, pair.becomes) && !cannotBe(pair);
    if (!legal) refused++;
    const expected = legal ? 'moved' : cannotBe(pair) ? 'refused by a constraint' : 'refused by the trigger';
    if (answer !== expected) wrong.push(`${named(pair)} is ${answer}, not ${expected}`);
  }
  expect(wrong).toEqual([]);
  expect(refused).toBeGreaterThan(100);
});

/** An operation of this kind in this state, moved by the role of the service; undone in any case. */
async function move({ kind, was, becomes }: Pair): Promise<string> {
  const account = w.account;
  const id = w.service.tools.chance.id();
  const other = w.service.tools.chance.id();
  await w.sql('BEGIN');
  try {
    await w.sql('SET LOCAL ROLE payment_app');
    await w.sql(`SELECT set_config('app.merchant_account_id', $1, true)`, [account]);
    await w.sql(
      `INSERT INTO payment.operations (id, order_id, merchant_account_id, transaction_id, provider, kind, target_id, amount_minor, currency, created_at, due_at, state)
       VALUES (decode($1, 'hex'), decode($2, 'hex'), decode($3, 'hex'), decode($4, 'hex'), 'simulator', $5, decode($2, 'hex'), 1, 'EUR', now(), now() + interval '1 day', $6)`,
      [id, other, account, kind === 'authorize' ? id : other, kind, was],
    );
    await w.sql(`UPDATE payment.operations SET state = $2 WHERE id = decode($1, 'hex')`, [id, becomes]);
    const rows = await w.sql<{ state: string }>(`SELECT state FROM payment.operations WHERE id = decode($1, 'hex')`, [
      id,
    ]);
    return rows[0]?.state === becomes ? 'moved' : 'lost';
  } catch (error) {
    return refusalOf(error);
  } finally {
    await w.sql('ROLLBACK');
  }
}

function refusalOf(error: unknown): string {
  if (!(error instanceof Error) || !('code' in error) || error.code !== '23514') throw error;
  return error.message === 'state change refused on payment.operations'
    ? 'refused by the trigger'
    : 'refused by a constraint';
}

test('a booking or an observation cannot be changed or deleted, not even by the owner of the tables', async () => {
  const order = await w.shop.pay();
  expect(order.code).toBe('955555');
  for (const table of ['ledger_entries', 'observations'])
    for (const statement of [
      `UPDATE payment.${table} SET amount_minor = amount_minor`,
      `DELETE FROM payment.${table}`,
      `TRUNCATE payment.${table}`,
    ])
      for (const role of ['payment_app', 'payment_queue', 'florin_owner', '']) {
        const refused = await asRole(role, statement);
        expect([statement, role, refused]).toEqual([
          statement,
          role,
          expect.stringMatching(/permission denied|change refused/),
        ]);
      }
});

test('the version of an order only rises, also by the owner of the tables', async () => {
  const order_id = textAt(await w.shop.pay(), 'order_id');
  for (const becomes of ['version', 'version - 1'])
    expect(
      await asRole('', `UPDATE payment.orders SET version = ${becomes} WHERE id = decode('${order_id}', 'hex')`),
    ).toBe('version change refused on payment.orders');
  expect(
    await asRole('', `UPDATE payment.orders SET version = version + 1 WHERE id = decode('${order_id}', 'hex')`),
  ).toBe('done');
});

async function asRole(role: string, statement: string): Promise<string> {
  await w.sql('BEGIN');
  try {
    if (role !== '') await w.sql(`SET LOCAL ROLE ${role}`);
    await w.sql(statement);
    return 'done';
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  } finally {
    await w.sql('ROLLBACK');
  }
}
