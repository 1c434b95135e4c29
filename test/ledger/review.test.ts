// Operations that nothing proves: after 24 h they are in review, inquiry goes on, and a person who can prove it settles
// them, two people above a set amount (contract 14.1). A difference in the provider's books settles them too.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { lookNow } from '../../src/backoffice/order/store.ts';
import { type Applied, applyDifference } from '../../src/payment/order/review/apply.ts';
import { listUndecided } from '../../src/payment/order/review/list.ts';
import { CannotSettle, type Resolution, resolveByHand } from '../../src/payment/order/review/settle.ts';
import type { Difference } from '../../src/payment/ledger/reconcile/compare.ts';
import { reconcile } from '../../src/payment/ledger/reconcile/reconcile.ts';
import { simulatorBooks } from '../../src/payment/ledger/reconcile/simulator.ts';
import { textAt, until } from '../client.ts';
import { type World, world } from '../world.ts';
import { idOf, verified } from './till.ts';

let w: World;
beforeAll(async () => {
  w = await world({ FLORIN_SIMULATOR_DEADLINE_S: '3' });
  await arm(w, { operation: 'inquiry', fault: 'http_500_before', times: 100 });
});
afterAll(() => w[Symbol.asyncDispose]());

async function arm(at: World, scenario: object): Promise<void> {
  expect((await at.shop.api('/sandbox/scenario', { body: scenario })).status).toBe(200);
}

let count = 0;

/** An order of which the bank took what was asked, or not, and never said so: an operation of this kind is in doubt. */
async function inDoubt(kind: 'authorize' | 'direct_capture' | 'capture' | 'refund' | 'cancel', taken: boolean, at = w) {
  // the faults of the test before may have opened the breaker: then nothing is sent at all
  const { breaker } = at.service.tools;
  await until(() => !breaker.isOpen('simulator') || undefined);
  const order_merchant_id = `doubt-${++count}`;
  const fault = { fault: taken ? 'http_500_after' : 'http_500_before', match: { order_merchant_id } };
  const first = kind === 'authorize' || kind === 'direct_capture';
  if (first) await arm(at, { operation: kind, ...fault });
  const operation_type = kind === 'direct_capture' || kind === 'refund' ? 'direct_capture' : 'authorize';
  const money = { operation_type, amount: '25.00', currency: 'EUR', order_merchant_id };
  const order = await at.shop.order({ token: await at.shop.token(), ...money }, { prefer: `wait=${first ? 1 : 10}` });
  const order_id = textAt(order, 'order_id');
  if (!first) {
    await arm(at, { operation: kind, times: 100, ...fault });
    await at.shop.api(`/payment/maintenance/${kind}/${order_id}`, { body: {}, headers: { prefer: 'wait=1' } });
  }
  const operation_id = await idOf(at, order_id, kind === 'direct_capture' ? 'authorize' : kind);
  await until(async () => (await stateOf(operation_id, at)) === 'in_doubt' || undefined);
  return { order_id, operation_id };
}

async function stateOf(operation_id: string, at = w): Promise<string | undefined> {
  const rows = await at.sql<{ state: string }>(`SELECT state FROM payment.operations WHERE id = decode($1, 'hex')`, [
    operation_id,
  ]);
  return rows[0]?.state;
}

const WORDS = {
  reason: 'seen in the portal of the bank, case 4711',
  by: 'Anna',
  two_people_above: () => 100_000n,
} as const;

const rule = (ruling: Partial<Resolution> & Pick<Resolution, 'operation_id' | 'as'>) =>
  resolveByHand(w.service.tools, { ...WORDS, ...ruling });

async function refusal(ruling: Parameters<typeof rule>[0]): Promise<string> {
  const error = await rule(ruling).then(
    () => new Error('it was taken'),
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(CannotSettle);
  return error instanceof Error ? error.message : '';
}

/** Time enough that the provider cannot act any more. */
async function quiet(operation_id: string): Promise<void> {
  await w.sql(
    `UPDATE vault.forwards SET sent_at = sent_at - interval '1 minute' WHERE operation_id = decode($1, 'hex')`,
    [operation_id],
  );
  await w.sql(
    `UPDATE payment.operations SET created_at = created_at - interval '1 minute', sent_at = sent_at - interval '1 minute' WHERE id = decode($1, 'hex')`,
    [operation_id],
  );
}

test('an operation in doubt is listed with its age, its amount and what was last seen of it', async () => {
  const { operation_id, order_id } = await inDoubt('authorize', true);
  const row = (await listUndecided(w.service.tools.db, 1000)).find(({ id }) => id === operation_id);
  expect(row).toMatchObject({
    order_id,
    kind: 'authorize',
    provider: 'simulator',
    amount_minor: 2500n,
    currency: 'EUR',
    state: 'in_doubt',
  });
  expect(row?.age_s).toBeGreaterThan(0);
  expect(row?.sights.at(-1)).toMatchObject({ outcome: 'unknown', why: 'provider_error' });
});

test.each([
  ['authorize', 'done', 'authorization_successful', 'successful'],
  ['direct_capture', 'done', 'capture_successful', 'successful'],
  ['capture', 'done', 'capture_successful', 'successful'],
  ['refund', 'done', 'refund_successful', 'successful'],
  ['cancel', 'done', 'authorization_cancelled', 'successful'],
  ['authorize', 'not-done', 'authorization_declined', 'declined'],
  ['direct_capture', 'not-done', 'authorization_declined', 'declined'],
  ['capture', 'not-done', 'capture_declined', 'declined'],
  ['refund', 'not-done', 'refund_declined', 'declined'],
  ['cancel', 'not-done', 'authorization_cancel_declined', 'declined'],
] as const)('a person settles: %s, %s', async (kind, as, status, state) => {
  const { operation_id } = await inDoubt(kind, as === 'done');
  await quiet(operation_id);
  const provider_ref =
    kind === 'capture' || kind === 'refund' || kind === 'cancel' ? `x_${operation_id}` : `pay_${operation_id}`;
  const ruled = await rule({ operation_id, as, provider_ref });
  expect([ruled.kind, ruled.operation.state, ruled.order.status]).toEqual(['settled', state, status]);
  const kept = await w.sql<{ reason: string; source: string; outcome: string }>(
    `SELECT p.reason, b.source, b.outcome FROM payment.operations p JOIN payment.observations b ON b.operation_id = p.id
     WHERE p.id = decode($1, 'hex') ORDER BY b.id DESC LIMIT 1`,
    [operation_id],
  );
  expect(kept).toEqual([
    { reason: `${WORDS.reason} (Anna)`, source: 'operator', outcome: as === 'done' ? 'approved' : 'declined' },
  ]);
  expect((await verified(w)).first).toBeUndefined();
  expect(await refusal({ operation_id, as })).toMatch(new RegExp(`is ${state} and stays so; it was ruled on by Anna`));
});

test('an authorization settled as done can be captured, with the reference the person gave', async () => {
  const { operation_id, order_id } = await inDoubt('authorize', true);
  expect(await refusal({ operation_id, as: 'done' })).toMatch(/Give it as the reference/);
  await rule({ operation_id, as: 'done', provider_ref: `pay_${operation_id}` });
  const captured = await w.shop.api(`/payment/maintenance/capture/${order_id}`, {
    body: {},
    headers: { prefer: 'wait=10' },
  });
  expect(captured.code).toBe('955555');
});

const may = { whyNoSecond: async () => undefined };
const ANNA = { by: 'Anna', person_id: 'aa'.repeat(12), ...may } as const;
const BEN = { by: 'Ben', person_id: 'bb'.repeat(12), ...may } as const;

test('above the set amount two people must say the same; one who says it twice is one', async () => {
  const { operation_id } = await inDoubt('capture', true);
  const said = { operation_id, as: 'done', provider_ref: 'cap_1', two_people_above: () => 2499n, ...ANNA } as const;
  expect(await rule(said)).toMatchObject({ kind: 'waits', others: [] });
  expect(await rule({ ...said, by: ' anna ', person_id: ANNA.person_id })).toMatchObject({ kind: 'waits', others: [] });
  const other = await rule({ ...said, ...BEN, reason: 'the bank says so on the phone' });
  expect(other).toMatchObject({ kind: 'waits', others: [{ reason: WORDS.reason }] });
  expect(await rule({ ...said, ...BEN, as: 'done', provider_ref: 'cap_2' })).toMatchObject({ kind: 'waits' });
  expect(await stateOf(operation_id)).toBe('in_doubt');
  const ruled = await rule({ ...said, ...BEN });
  expect([ruled.kind, ruled.operation.state]).toEqual(['settled', 'successful']);
  const [kept] = await w.sql<{ reason: string; n: number }>(
    `SELECT p.reason, (SELECT count(*)::int FROM payment.rulings r WHERE r.operation_id = p.id) AS n FROM payment.operations p WHERE p.id = decode($1, 'hex')`,
    [operation_id],
  );
  expect(kept).toEqual({ reason: `${WORDS.reason} ( anna  and Ben)`.replace('( anna ', '(anna'), n: 5 });
});

test('above the set amount a name alone counts for nothing, and whoever cannot be the second person is told why', async () => {
  const { operation_id } = await inDoubt('capture', true);
  const said = { operation_id, as: 'done', provider_ref: 'cap_1', two_people_above: () => 2499n } as const;
  expect(await refusal(said)).toMatch(/takes two people, and each must prove who they are/);
  expect(await rule({ ...said, ...ANNA })).toMatchObject({ kind: 'waits' });
  const why = 'ben@shop.example was invited by anna@shop.example';
  const refused = await rule({ ...said, ...BEN, whyNoSecond: async () => why });
  expect(refused).toMatchObject({ kind: 'waits', reasons: [why] });
  expect(await stateOf(operation_id)).toBe('in_doubt');
  // the other way round: Ben's word is there already
  expect((await rule({ ...said, ...ANNA })).kind).toBe('settled');
});

test('the amount itself is not above the set amount', async () => {
  const { operation_id } = await inDoubt('capture', true);
  expect((await rule({ operation_id, as: 'done', provider_ref: 'cap_1', two_people_above: () => 2500n })).kind).toBe(
    'settled',
  );
});

test('a ruling on what cannot be settled is refused, and the refusal says what to do', async () => {
  const done = await w.shop.pay();
  const booked = await idOf(w, textAt(done, 'order_id'), 'capture');
  expect(await refusal({ operation_id: booked, as: 'not-done' })).toMatch(
    /The capture is successful and stays so\. What was captured can be refunded/,
  );
  expect(await refusal({ operation_id: 'ab'.repeat(12), as: 'done' })).toMatch(/Nothing is in doubt under the id abab/);
  const { operation_id } = await inDoubt('capture', false);
  // its time with the provider is 1.5 s, of which little is left here; recovery leaves it alone
  await w.sql(
    `UPDATE payment.operations SET sent_at = coalesce(sent_at, created_at) + interval '1 hour', due_at = due_at + interval '1 hour' WHERE id = decode($1, 'hex')`,
    [operation_id],
  );
  const words = await refusal({ operation_id: 'x', as: 'done', reason: 'short', by: ' ', provider_ref: 'a b' });
  for (const part of ['24 hex digits', 'the reason must say', 'your name must have', 'the reference must be'])
    expect(words).toContain(part);
  expect(await refusal({ operation_id, as: 'not-done' })).toMatch(/^simulator(?:_b)? may still do it until \d{4}-/);
  expect(await w.sql(`SELECT 1 FROM payment.rulings WHERE operation_id = decode($1, 'hex')`, [operation_id])).toEqual(
    [],
  );
});

test('an authorization that is being undone points to its reversal, which can only be done', async () => {
  const order_merchant_id = `doubt-${++count}`;
  const match = { match: { order_merchant_id } };
  await arm(w, { operation: 'authorize', fault: 'http_500_after', ...match });
  await arm(w, { operation: 'cancel', fault: 'http_500_before', times: 100, ...match });
  const money = { operation_type: 'authorize', amount: '25.00', currency: 'EUR', order_merchant_id };
  const order = await w.shop.order({ token: await w.shop.token(), ...money }, { prefer: 'wait=1' });
  const order_id = textAt(order, 'order_id');
  await w.shop.api(`/payment/maintenance/cancel/${order_id}`, { body: {}, headers: { prefer: 'wait=1' } });
  const authorize = await idOf(w, order_id, 'authorize');
  await until(async () => (await stateOf(authorize)) === 'reversing' || undefined);
  const reversal = await idOf(w, order_id, 'reversal');
  await until(async () => (await stateOf(reversal)) === 'in_doubt' || undefined);
  expect(await refusal({ operation_id: authorize, as: 'done' })).toContain(`Settle its reversal ${reversal} as done`);
  expect(await refusal({ operation_id: reversal, as: 'not-done' })).toMatch(/A reversal is repeated/);
  await quiet(authorize);
  const ruled = await rule({ operation_id: reversal, as: 'done' });
  expect([ruled.kind, ruled.order.status, await stateOf(authorize)]).toEqual([
    'settled',
    'authorization_cancelled',
    'declined',
  ]);
});

test('a reversal that never reaches the provider is settled, too, once its authorization can arrive no more', async () => {
  const order_merchant_id = `doubt-${++count}`;
  const match = { match: { order_merchant_id } };
  await until(() => !w.service.tools.breaker.isOpen('simulator') || undefined);
  await arm(w, { operation: 'authorize', fault: 'http_500_after', ...match });
  await arm(w, { operation: 'cancel', fault: 'refuse_connection', times: 100, ...match });
  const money = { operation_type: 'authorize', amount: '25.00', currency: 'EUR', order_merchant_id };
  const order = await w.shop.order({ token: await w.shop.token(), ...money }, { prefer: 'wait=1' });
  const order_id = textAt(order, 'order_id');
  await w.shop.api(`/payment/maintenance/cancel/${order_id}`, { body: {}, headers: { prefer: 'wait=1' } });
  const authorize = await idOf(w, order_id, 'authorize');
  await until(async () => (await stateOf(authorize)) === 'reversing' || undefined);
  const reversal = await idOf(w, order_id, 'reversal');
  // nothing of it was ever sent, so it is in no doubt either: it is tried again for ever
  await until(async () => {
    const rows = await w.sql(
      `SELECT FROM payment.observations WHERE operation_id = decode($1, 'hex') AND outcome = 'not_sent'`,
      [reversal],
    );
    return rows.length > 0 || undefined;
  });
  expect(await stateOf(reversal)).toBe('requested');
  const { db } = w.service.tools;
  expect((await listUndecided(db, 1000)).map(({ id }) => id)).toContain(reversal);
  expect(await lookNow(db.tenant(w.account), { order_id, id: reversal })).toBe(true);
  await w.sql(
    `UPDATE payment.operations SET sent_at = payment.now() + interval '1 hour' WHERE id = decode($1, 'hex')`,
    [authorize],
  );
  expect(await refusal({ operation_id: reversal, as: 'done' })).toMatch(
    /^The authorization may still arrive at simulator/,
  );
  await w.sql(
    `UPDATE payment.operations SET sent_at = payment.now() - interval '1 minute' WHERE id = decode($1, 'hex')`,
    [authorize],
  );
  const ruled = await rule({ operation_id: reversal, as: 'done' });
  expect([ruled.kind, ruled.order.status, await stateOf(authorize), await stateOf(reversal)]).toEqual([
    'settled',
    'authorization_cancelled',
    'declined',
    'successful',
  ]);
  expect((await verified(w)).first).toBeUndefined();
});

/** Applies what the bank's books tell of one order. */
async function applied(order_id: string): Promise<readonly (readonly [Difference, Applied])[]> {
  const { tools } = w.service;
  if (!tools.sandbox) throw new Error('a sandbox has simulated providers');
  const found: (readonly [Difference, Applied])[] = [];
  await reconcile({
    db: tools.db,
    source: simulatorBooks(tools.sandbox),
    in_flight: new Map(),
    progress: () => undefined,
    found: async (one) => {
      if (one.order_id === order_id) found.push([one, await applyDifference(tools, one)]);
    },
  });
  return found;
}

test.each([
  ['authorize', true, 'approved', 'successful'],
  ['capture', true, 'approved', 'successful'],
  ['refund', true, 'approved', 'successful'],
  ['cancel', true, 'approved', 'successful'],
  ['authorize', false, 'not_found', 'reversing'],
] as const)('a difference of %s that the bank took (%s) is applied: it is %s', async (kind, taken, tells, state) => {
  const { operation_id, order_id } = await inDoubt(kind, taken);
  if (tells === 'not_found') {
    expect((await applied(order_id)).map(([, became]) => became.kind)).toEqual(['parked']);
    await quiet(operation_id);
  }
  const found = await applied(order_id);
  expect(found.map(([one, became]) => [one.operation_id, one.tells, became])).toEqual([
    [operation_id, tells, { kind: 'applied', state }],
  ]);
  const rows = await w.sql<{ source: string }>(
    `SELECT source FROM payment.observations WHERE operation_id = decode($1, 'hex') AND source = 'file'`,
    [operation_id],
  );
  expect(rows).toHaveLength(tells === 'not_found' ? 2 : 1);
  if (state === 'successful') expect(await applied(order_id)).toEqual([]);
});

test('a sale whose authorization the books prove waits for the proof of its capture', async () => {
  const { operation_id, order_id } = await inDoubt('direct_capture', true);
  expect((await applied(order_id)).map(([, became]) => became)).toEqual([{ kind: 'applied', state: 'successful' }]);
  expect(await stateOf(operation_id)).toBe('successful');
  expect((await applied(order_id)).map(([one, became]) => [one.what, became])).toEqual([
    ['capture', { kind: 'applied', state: 'successful' }],
  ]);
  expect((await w.shop.read(order_id)).at('status')).toBe('capture_successful');
  expect((await verified(w)).first).toBeUndefined();
});

test.each([
  ['amount', undefined, 'parked'],
  ['state', 'declined', 'parked'],
  ['state', 'corrected', 'applied'],
] as const)(
  'a difference of %s that tells %s is %s; what contradicts leaves the order in doubt',
  async (kind, tells, is) => {
    const order_id = textAt(await w.shop.pay(), 'order_id');
    const capture = await idOf(w, order_id, 'capture');
    const sale = await idOf(w, order_id, 'authorize');
    const line = {
      ...({
        provider: 'simulator',
        kind: 'capture',
        reference: sale,
        order_id,
        effects: 0,
        state: 'declined',
      } as const),
      merchant_account_id: w.account,
      amount_minor: 2500n,
      currency: 'EUR',
      provider_ref: 'other',
    };
    const about = {
      ...line,
      what: 'capture',
      operation_id: capture,
      ours: '',
      theirs: '',
      apart_minor: 0n,
      line,
    } as const;
    const { tools } = w.service;
    expect(await applyDifference(tools, { ...about, kind, tells })).toMatchObject({ kind: is });
    const read = await w.shop.read(order_id);
    expect(read.at('status')).toBe(is === 'applied' ? 'capture_declined' : 'capture_successful');
    expect(read.at('is_in_doubt')).toBe(tells === 'declined');
    expect((await verified(w)).first).toBeUndefined();
  },
);
