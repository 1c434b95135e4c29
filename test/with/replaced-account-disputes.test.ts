// The merchant account of a contract at Adyen is replaced while a payment is disputed: the dispute is in the account of
// its payment, and in another one there is none of that name. It is looked at and answered where it is.
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

const FIRST = { merchant_account: 'FlorinSandbox', api_key: 'AQE-simulated', hmac_key: '5f1a'.repeat(16) };

/** Key, webhook and secret of the company reach the other account too. */
async function move(merchant_account: string): Promise<void> {
  const id = await contract();
  const webhook_url = `${w.service.addresses.base_url}/provider/adyen/${id}/events`;
  await controlOf(w, 'adyen')('POST', '/accounts', { ...FIRST, merchant_account, webhook_url });
  // what begins within seconds of a replacement may have been sent under either
  await advance(10);
  const values = { merchant_account };
  const said = await ada.post(`/api/providers/${id}/credentials`, { values, reason: 'the shop moves' });
  expect(said.status, said.text).toBe(200);
  await advance(10);
}

const theirs = () => adyen.disputes?.(w) ?? expect.unreachable();

type Disputed = { readonly order_id: string; readonly id: string };

async function disputed(): Promise<Disputed> {
  const paid = await w.shop.pay({}, { merchant_contract: 'adyen', payment_channel: 'e-commerce' });
  const order_id = textAt(paid, 'order_id');
  await until(async () => (await w.shop.read(order_id)).at('status') === 'capture_successful' || undefined);
  await theirs().open(order_id);
  const id = await until(async () => {
    const rows = ((await ada.get('/api/disputes')).at('disputes') ?? []) as readonly Disputed[];
    return rows.find((one) => one.order_id === order_id)?.id;
  });
  const content = Buffer.from('%PDF-1.4\n% what stays with the bank\ntrailer << >>\n%%EOF\n').toString('base64');
  const file = { field: 'uncategorized_file', name: 'case.pdf', content };
  const put = await ada.ask('PUT', `/api/disputes/${id}/files`, file);
  expect(put.status, put.text).toBe(200);
  return { order_id, id };
}

const answerIs = (id: string, state: string) =>
  until(async () => (await ada.get(`/api/disputes/${id}`)).at('answers.0.state') === state || undefined).catch(
    async () => {
      throw new Error(`not ${state}: ${(await ada.get(`/api/disputes/${id}`)).text}`);
    },
  );
const submit = (id: string) => ada.post(`/api/disputes/${id}/submit`, { reason: 'it was delivered' });

test('a dispute of a payment under an earlier account is answered under that account', async () => {
  const { order_id, id } = await disputed();
  await move('Second');
  expect((await submit(id)).status).toBe(200);
  await answerIs(id, 'taken');
  expect(await theirs().of(order_id)).toEqual({ state: 'answered', answers: 1 });
});

test('an answer that never arrived under an earlier account is given once more, there', async () => {
  const { order_id, id } = await disputed();
  await controlOf(w, 'adyen')('POST', '/faults', { on: 'defendDispute', how: 'close' });
  await submit(id);
  await answerIs(id, 'in_doubt');
  await move('Third');
  await until(async () => {
    await w.sql(
      `UPDATE payment.dispute_answers SET due_at = payment.now(), sent_at = sent_at - interval '10 minutes'
       WHERE dispute_id = decode($1, 'hex') AND state = 'in_doubt'`,
      [id],
    );
    w.service.tools.wake_up.wake();
    return (await ada.get(`/api/disputes/${id}`)).at('answers.0.state') === 'taken' || undefined;
  });
  expect(await theirs().of(order_id)).toEqual({ state: 'answered', answers: 1 });
});
