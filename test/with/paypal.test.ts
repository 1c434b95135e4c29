// Orders at the simulated PayPal, through the public API: access tokens in a whole service, and what becomes of them.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { textAt, until } from '../client.ts';
import { type World, world } from '../world.ts';
import { reconciledAt } from './reconciled.ts';

let w: World;
beforeAll(async () => {
  w = await world({ FLORIN_WITH: 'paypal' });
});
afterAll(() => w[Symbol.asyncDispose]());

const AT_PAYPAL = { merchant_contract: 'paypal', payment_channel: 'e-commerce' };

async function control(method: string, path: string, body?: object): Promise<Record<string, unknown>> {
  const url = w.service.simulators?.get('paypal')?.control_url ?? '';
  const reply = await fetch(`${url}/control/${path}`, { method, ...(body && { body: JSON.stringify(body) }) });
  expect(reply.status).toBe(200);
  return (await reply.json()) as Record<string, unknown>;
}
const given = async () => (await control('GET', 'tokens'))['given'] as readonly string[];
const pay = (fields: object = {}) => w.shop.pay({}, { ...AT_PAYPAL, operation_type: 'authorize', ...fields });

test('each zone gets a token of its own, once, however many pay at the same time', async () => {
  const paid = await Promise.all(Array.from({ length: 6 }, () => pay()));
  expect(paid.map((reply) => [reply.code, reply.at('payin_partner')])).toEqual(paid.map(() => ['944444', 'paypal']));
  expect(await given()).toHaveLength(2);
});

test('tokens that PayPal takes back are replaced, and the payment is made', async () => {
  await control('POST', 'tokens', { revoke: true });
  expect((await pay()).code).toBe('944444');
  expect(await given()).toHaveLength(4);
});

test('a payer whom the bank authenticated without asking is shown as authenticated, once; nobody else is', async () => {
  const forced = await pay({ authentication_indicator: 'force_3ds' });
  expect([forced.code, forced.at('is_authenticated'), forced.at('authentication_result')], forced.text).toEqual([
    '944444',
    true,
    'success',
  ]);
  const read = await w.shop.read(textAt(forced, 'order_id'));
  expect([read.at('is_authenticated'), read.at('transactions.0.operations.0.type')]).toEqual([true, 'authentication']);
  expect(read.at('transactions.0.operations.2'), read.text).toBe(undefined);
  const plain = await pay();
  expect([plain.code, plain.at('is_authenticated'), plain.at('authentication_result')]).toEqual(['944444', false, '']);
});

test('a second payment of the same reference is authenticated and kept, though the first was paid', async () => {
  const fields = { authentication_indicator: 'force_3ds', order_merchant_id: 'paid twice' };
  const paid = [await pay(fields), await pay(fields)];
  expect(paid.map((reply) => [reply.code, reply.at('is_authenticated')])).toEqual(paid.map(() => ['944444', true]));
});

test('a hold is captured in two parts and given back by capture; messages are proved by certificate, and taken', async () => {
  const order_id = textAt(await pay(), 'order_id');
  const say = (kind: string, body: object) => w.shop.api(`/payment/maintenance/${kind}/${order_id}`, { body });
  for (const [kind, amount] of [
    ['capture', '10.00'],
    ['capture', '2.50'],
    ['refund', '1.25'],
  ] as const) {
    const reply = await say(kind, { amount });
    expect(reply.status, reply.text).toBeLessThan(300);
    await until(async () => (await w.shop.read(order_id)).at('status') === `${kind}_successful` || undefined);
  }
  await until(async () => {
    const { events } = (await control('GET', 'books')) as { events: readonly { told: boolean }[] };
    return events.every(({ told }) => told) || undefined;
  });
  const parked = await w.sql(
    `SELECT event_ref FROM payment.provider_events WHERE provider = 'paypal' AND state = 'parked'`,
    [],
  );
  expect(parked).toEqual([]);
});

test("PayPal's settlement report is reconciled: a row that is gone, doubled or of another amount is found", async () => {
  const order_id = textAt(await w.shop.pay({}, AT_PAYPAL), 'order_id');
  await until(async () => (await w.shop.read(order_id)).at('status') === 'capture_successful' || undefined);
  const reconciled = (change?: (report: string) => string) =>
    reconciledAt(w, { provider: 'paypal', name: 'S1MULATEDPAYEE', from: 'settlement' }, change);
  // the two captures and the refund of the story above, and the sale
  expect(await reconciled()).toMatchObject({
    lines: 4,
    operations: 4,
    differences: 0,
    found: [],
    others: [['T0403', 1]],
  });
  const rowOf = (report: string, code: string) => report.split('\n').find((row) => row.includes(`"${code}"`)) ?? '';
  const gone = await reconciled((report) => report.replace(`${rowOf(report, 'T1107')}\n`, ''));
  expect(gone.found).toEqual(['missing there refund']);
  const doubled = await reconciled((report) =>
    report.replace(rowOf(report, 'T0005'), `${rowOf(report, 'T0005')}\n${rowOf(report, 'T0005')}`),
  );
  expect(doubled.found).toEqual(['double effect capture']);
  const other = await reconciled((report) =>
    report.replace(rowOf(report, 'T1107'), rowOf(report, 'T1107').replace('"125"', '"126"')),
  );
  expect(other.found).toEqual(['amount refund']);
  await expect(reconciled((report) => report.replaceAll('S1MULATEDPAYEE', 'ANOTHER'))).rejects.toThrow(
    'is of the account ANOTHER',
  );
});

test('no table of the money zone holds a token or the client’s secret', async () => {
  const { client_secret = '' } = w.service.simulators?.get('paypal')?.credentials ?? {};
  const tables = await w.sql<{ name: string }>(
    `SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables WHERE schemaname = 'payment'`,
    [],
  );
  const texts = [...(await given()), client_secret];
  const either = texts.flatMap((text) => [text, Buffer.from(text).toString('hex')]).join('|');
  expect(tables.length).toBeGreaterThan(20);
  for (const { name } of tables)
    expect([name, await w.sql(`SELECT 1 FROM ${name} t WHERE t::text ~ $1 LIMIT 1`, [either])]).toEqual([name, []]);
});
