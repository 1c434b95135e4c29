// The account of a contract at its provider is replaced while answers of the provider are lost: what began under the
// first one is repeated, undone and ended under it. Under the second one a repeat is another refund, and nothing is
// found that could be undone.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { asOf, earlierAfter } from '../../src/payment/merchant/credentials/earlier.ts';
import { type Person, firstOwner } from '../backoffice/person.ts';
import { textAt, until } from '../client.ts';
import { adyen } from '../conformance/at/adyen.ts';
import { controlOf } from '../conformance/at/by-control.ts';
import { type AtAcquirer, type Books, idOf, openAcquirerWorld } from './acquirer.ts';

let at: AtAcquirer;
let ada: Person;
beforeAll(async () => {
  at = await openAcquirerWorld(['adyen']);
  ada = await firstOwner(at.w);
});
afterAll(() => at[Symbol.asyncDispose]());

type Contract = { readonly id: string; readonly provider: string };

async function contractAt(provider: string): Promise<string> {
  const contracts = (await ada.get('/api/providers')).at('contracts') as readonly Contract[];
  return contracts.find((one) => one.provider === provider)?.id ?? '';
}

async function replace(provider: string, values: object): Promise<void> {
  // what begins within seconds of a replacement may have been sent under either
  await advance(10);
  const path = `/api/providers/${await contractAt(provider)}/credentials`;
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
  await replace('iso8583', { terminal_id: `TERM000${++replaced}`, merchant_id: `SHOP-${replaced}` });
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

const FIRST = { merchant_account: 'FlorinSandbox', api_key: 'AQE-simulated', hmac_key: '5f1a'.repeat(16) };

/** Another account of the same company: key, webhook and secret reach both. */
async function openSecond(): Promise<void> {
  const webhook_url = `${at.w.service.addresses.base_url}/provider/adyen/${await contractAt('adyen')}/events`;
  await controlOf(at.w, 'adyen')('POST', '/accounts', { ...FIRST, merchant_account: 'Second', webhook_url });
}

const statusIs = (order_id: string, status: string) =>
  until(async () => ((await at.w.shop.read(order_id)).at('status') === status ? true : undefined));

test('at Adyen a hold without an answer is undone at its account, and a capture is ended by a message of its account', async () => {
  await at.w.sql(`UPDATE payment.contracts SET enabled = true WHERE provider = 'adyen'`);
  await openSecond();
  const [control, drive] = [controlOf(at.w, 'adyen'), adyen.drive(at.w)];
  const fields = { merchant_contract: 'adyen', payment_channel: 'e-commerce', operation_type: 'authorize' };
  const captured = textAt(await at.w.shop.pay({}, fields), 'order_id');
  await statusIs(captured, 'authorization_successful');
  await drive.hold(true);
  const capture = await at.maintain('capture', captured, {}, 0);
  expect(capture.status, capture.text).toBeLessThan(300);
  await control('POST', '/faults', { on: 'payments', how: 'close', effect: true });
  await control('POST', '/faults', { on: 'technical', how: 'close', times: 100_000 });
  const lost = await at.begin(fields);
  const held = async () => (await drive.books(lost)).map((one) => one.held);
  await until(async () => ((await held()).length > 0 ? true : undefined));
  await replace('adyen', { merchant_account: 'Second' });
  await control('POST', '/faults/clear');
  const can = at.w.service.tools.providers.get('adyen')?.can;
  await advance(can?.notice_wait_s ?? Number.NaN);
  type Undone = { readonly account: string; readonly payment_reference?: string };
  const asked = await until(async () => {
    const { modifications } = (await control('GET', '/books')) as { readonly modifications: readonly Undone[] };
    const own = modifications.filter(({ payment_reference: of = '' }) => of.startsWith(lost));
    return own.length > 0 ? own.map(({ account }) => account) : undefined;
  });
  expect(new Set(asked)).toEqual(new Set([FIRST.merchant_account]));
  await drive.hold(false);
  await drive.tellWaiting();
  await statusIs(captured, 'capture_successful');
  await advance(can?.in_flight_s ?? Number.NaN);
  await statusIs(lost, 'authorization_declined');
  expect(await held()).toEqual([0n]);
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
