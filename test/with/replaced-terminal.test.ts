// The terminal of a contract with an acquirer is replaced while answers are lost: what began at the first one is
// repeated and undone from it. From the second one a repeat is another refund, and nothing is found to be undone.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { asOf, earlierAfter } from '../../src/payment/merchant/credentials/earlier.ts';
import { type Person, firstOwner } from '../backoffice/person.ts';
import { until } from '../client.ts';
import { controlOf } from '../conformance/at/by-control.ts';
import { type AtAcquirer, type Books, idOf, openAcquirerWorld } from './acquirer.ts';

let at: AtAcquirer;
let ada: Person;
beforeAll(async () => {
  at = await openAcquirerWorld();
  ada = await firstOwner(at.w);
});
afterAll(() => at[Symbol.asyncDispose]());

type Contract = { readonly id: string; readonly provider: string };

async function replace(values: object): Promise<void> {
  // what begins within seconds of a replacement may have been sent under either
  await advance(10);
  const contracts = (await ada.get('/api/providers')).at('contracts') as readonly Contract[];
  const path = `/api/providers/${contracts.find(({ provider }) => provider === 'iso8583')?.id}/credentials`;
  const said = await ada.post(path, { values, reason: 'the bank gave us others' });
  expect(said.status, said.text).toBe(200);
  await advance(10);
}

const advance = async (seconds: number) => {
  const moved = await at.w.shop.api('/sandbox/clock/advance', { body: { seconds } });
  expect(moved.status, moved.text).toBe(200);
};

const NOTHING: Books = { held: 0, captured: 0, refunded: 0 };
const SOLD: Books = { ...NOTHING, captured: 2500 };
const SALE = { operation_type: 'direct_capture' };
let replaced = 1;

/** The first message has its effect, and what follows it does not arrive before the terminal is another one. */
async function replacedBehind(types: readonly [string, string], begun: Books, begin: () => Promise<string>) {
  const [first, next] = types;
  await at.control('faults', { kind: 'close_after_commit', type: first });
  await at.control('faults', { kind: 'close_before_commit', type: next, times: 100_000 });
  const order_id = await begin();
  await until(async () => (JSON.stringify(await at.theirs(order_id)) === JSON.stringify(begun) ? true : undefined));
  await replace({ terminal_id: `TERM000${++replaced}`, merchant_id: `SHOP-${replaced}` });
  await controlOf(at.w, 'iso8583')('DELETE', '/faults');
  return order_id;
}

async function expectBooks(order_id: string, wanted: Books): Promise<void> {
  const both = { ours: await at.ours(order_id), theirs: await at.theirs(order_id) };
  expect(both).toEqual({ ours: wanted, theirs: wanted });
}

test('a refund is repeated from the terminal that sent it, and done once', async () => {
  const order_id = idOf(await at.pay(SALE));
  const once = { ...SOLD, refunded: 500 };
  await replacedBehind(['0200', '0200'], once, async () => {
    await at.maintain('refund', order_id, { amount: '5.00' }, 0);
    return order_id;
  });
  expect((await at.settled(order_id)).at('status')).toBe('refund_successful');
  await expectBooks(order_id, once);
});

test('a capture is repeated from the terminal that sent it, and is known to be done', async () => {
  const order_id = idOf(await at.pay());
  const taken = { held: 2000, captured: 500, refunded: 0 };
  await replacedBehind(['0220', '0220'], taken, async () => {
    await at.maintain('capture', order_id, { amount: '5.00' }, 0);
    return order_id;
  });
  expect((await at.settled(order_id)).at('status')).toBe('capture_successful');
  await expectBooks(order_id, taken);
});

const REVERSALS = `SELECT 1 FROM payment.observations v JOIN payment.operations o ON o.id = v.operation_id
  WHERE o.order_id = decode($1, 'hex') AND o.kind = 'reversal' AND v.outcome IN ('reversed', 'not_found')`;

test('a sale without an answer is undone at the terminal that made it', async () => {
  const order_id = await replacedBehind(['0200', '0420'], SOLD, () => at.begin(SALE));
  await until(async () => ((await at.w.sql(REVERSALS, [order_id])).length > 0 ? true : undefined));
  await advance(at.w.service.tools.providers.get('iso8583')?.can.in_flight_s ?? Number.NaN);
  await advance(60);
  expect((await at.settled(order_id)).at('status')).toBe('authorization_declined');
  await expectBooks(order_id, NOTHING);
});

test('of several replacements each moment has its own, and close to one nobody knows', () => {
  const names = ['terminal'];
  const minute = (m: number) => new Date(Date.UTC(2030, 0, 1, 0, m));
  const texts = (terminal: string) => ({ terminal, key: `key of ${terminal}` });
  const first = earlierAfter([], { names, before: {}, after: texts('A'), at: minute(0) });
  const same = earlierAfter(first, { names, before: texts('A'), after: { ...texts('A'), key: 'B' }, at: minute(5) });
  expect([first, same]).toEqual([[], []]);
  const once = earlierAfter(same, { names, before: texts('A'), after: texts('B'), at: minute(10) });
  const back = earlierAfter(once, { names, before: texts('B'), after: texts('A'), at: minute(20) });
  const now = earlierAfter(back, { names, before: texts('A'), after: texts('C'), at: minute(30) });
  const then = [0, 9, 11, 19, 21, 29, 31].map((m) => asOf(texts('C'), now, minute(m).toISOString()));
  expect(then.map((one) => one?.['terminal'])).toEqual(['A', 'A', 'B', 'B', 'A', 'A', 'C']);
  // a key is the present one, whatever it was
  expect(new Set(then.map((one) => one?.['key']))).toEqual(new Set(['key of C']));
  for (const ms of [-3999, 0, 1999])
    expect(asOf(texts('C'), now, new Date(minute(20).getTime() + ms).toISOString())).toBeUndefined();
});
