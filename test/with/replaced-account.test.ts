// The merchant account of a contract at Adyen is replaced while answers are lost: what began under the first one is
// undone there, and messages of that account end it. In the second one a cancel by our reference finds nothing.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Person, firstOwner } from '../backoffice/person.ts';
import { textAt, until } from '../client.ts';
import { adyen } from '../conformance/at/adyen.ts';
import { controlOf } from '../conformance/at/by-control.ts';
import { type World, world } from '../world.ts';

let w: World;
let ada: Person;
beforeAll(async () => {
  w = await world({ FLORIN_WITH: 'adyen' });
  // where its calls fail, another one would take the next payment
  await w.sql(`UPDATE payment.contracts SET enabled = false WHERE provider <> 'adyen'`);
  ada = await firstOwner(w);
});
afterAll(() => w[Symbol.asyncDispose]());

async function contract(): Promise<string> {
  const contracts = (await ada.get('/api/providers')).at('contracts') as readonly { id: string; provider: string }[];
  return contracts.find(({ provider }) => provider === 'adyen')?.id ?? '';
}

async function advance(seconds: number): Promise<void> {
  const moved = await w.shop.api('/sandbox/clock/advance', { body: { seconds } });
  expect(moved.status, moved.text).toBe(200);
}

async function replace(values: object): Promise<void> {
  // what begins within seconds of a replacement may have been sent under either
  await advance(10);
  const path = `/api/providers/${await contract()}/credentials`;
  const said = await ada.post(path, { values, reason: 'the bank gave us others' });
  expect(said.status, said.text).toBe(200);
  await advance(10);
}

/** A payment whose outcome is not waited for. */
async function begin(fields: object): Promise<string> {
  const own = { token: await w.shop.token(), amount: '25.00', currency: 'EUR', order_merchant_id: 'lost' };
  return textAt(await w.shop.order({ ...own, ...fields }, { prefer: 'wait=0' }), 'order_id');
}

const FIRST = { merchant_account: 'FlorinSandbox', api_key: 'AQE-simulated', hmac_key: '5f1a'.repeat(16) };

/** Another account of the same company: key, webhook and secret reach both. */
async function openSecond(): Promise<void> {
  const webhook_url = `${w.service.addresses.base_url}/provider/adyen/${await contract()}/events`;
  await controlOf(w, 'adyen')('POST', '/accounts', { ...FIRST, merchant_account: 'Second', webhook_url });
}

const statusIs = (order_id: string, status: string) =>
  until(async () => ((await w.shop.read(order_id)).at('status') === status ? true : undefined));

test('at Adyen a hold without an answer is undone at its account, and a capture is ended by a message of its account', async () => {
  await openSecond();
  const [control, drive] = [controlOf(w, 'adyen'), adyen.drive(w)];
  const fields = { merchant_contract: 'adyen', payment_channel: 'e-commerce', operation_type: 'authorize' };
  const paid = await w.shop.pay({}, fields);
  expect(paid.at('payin_partner')).toBe('adyen');
  const captured = textAt(paid, 'order_id');
  await statusIs(captured, 'authorization_successful');
  await drive.hold(true);
  const capture = await w.shop.api(`/payment/maintenance/capture/${captured}`, { body: {} });
  expect(capture.status, capture.text).toBeLessThan(300);
  await control('POST', '/faults', { on: 'payments', how: 'close', effect: true });
  await control('POST', '/faults', { on: 'technical', how: 'close', times: 100_000 });
  const lost = await begin(fields);
  const held = async () => (await drive.books(lost)).map((one) => one.held);
  await until(async () => ((await held()).length > 0 ? true : undefined));
  await replace({ merchant_account: 'Second' });
  await control('POST', '/faults/clear');
  const can = w.service.tools.providers.get('adyen')?.can;
  await advance(can?.notice_wait_s ?? Number.NaN);
  type Undone = { readonly account: string; readonly payment_reference?: string };
  const asked = await until(async () => {
    await advance(30);
    const { modifications } = (await control('GET', '/books')) as { readonly modifications: readonly Undone[] };
    const own = modifications.filter(({ payment_reference: of = '' }) => of.startsWith(lost));
    return own.length > 0 ? own.map(({ account }) => account) : undefined;
  });
  expect(new Set(asked)).toEqual(new Set([FIRST.merchant_account]));
  await drive.hold(false);
  await drive.tellWaiting();
  await statusIs(captured, 'capture_successful');
  await advance(can?.in_flight_s ?? Number.NaN);
  await until(async () => {
    await advance(30);
    return (await w.shop.read(lost)).at('status') === 'authorization_declined' ? true : undefined;
  });
  expect(await held()).toEqual([0n]);
});
