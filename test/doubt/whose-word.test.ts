// Who is believed about what: a true signature is not enough. A provider speaks of what it was asked itself, of the
// attempt that its news is about, and the bank of a payer by the server that asked it.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { DAY_S } from '../../src/core/durations.ts';
import { textAt, until } from '../client.ts';
import { findMatch } from '../../src/payment/settlement/match.ts';
import { applyWaiting } from '../../src/payment/settlement/apply.ts';
import { recordDispute } from '../../src/payment/dispute/record.ts';
import { findOrder } from '../../src/payment/order/facts/order-store.ts';
import { record } from '../../src/payment/order/engine/record.ts';
import { bankLater } from '../bank-clock.ts';
import { type World, world } from '../world.ts';
import { bankWord, contractOf, mail } from './mail.ts';

let w: World;
beforeAll(async () => {
  w = await world();
});
afterAll(() => w[Symbol.asyncDispose]());

let count = 0;
const fields = (given: object = {}) => ({
  operation_type: 'authorize',
  amount: '25.00',
  currency: 'EUR',
  order_merchant_id: `word-${++count}`,
  ...given,
});
const token = (card_number: string) => w.shop.token({ card_number });
const pay = async (card_number: string, given: object = {}) =>
  w.shop.order(fields({ token: await token(card_number), ...given }), { prefer: 'wait=5' });

type Operation = Readonly<Record<'id' | 'kind' | 'state' | 'provider' | 'provider_ref', string>>;
const operations = (order_id: string) =>
  w.sql<Operation>(
    `SELECT encode(id, 'hex') AS id, kind, state, provider, provider_ref FROM payment.operations WHERE order_id = decode($1, 'hex') ORDER BY created_at, id`,
    [order_id],
  );

async function tell(message: object, provider = 'simulator'): Promise<void> {
  expect((await mail(w, JSON.stringify(message), provider)).status).toBe(200);
}

type About = { readonly order_id: string; readonly reference: string | undefined } & Readonly<Record<string, unknown>>;
const news = (about: About) => ({
  id: `evt_word_${++count}`,
  provider: 'simulator',
  kind: 'authorize',
  status: 'approved',
  amount: 2500,
  currency: 'EUR',
  captured: false,
  provider_ref: 'pay_1',
  authorization_code: '',
  state: 'held',
  code: '',
  text: '',
  at: new Date().toISOString(),
  ...about,
});

async function ends(id: string): Promise<unknown> {
  return until(async () => {
    const [event] = await w.sql<{ state: string; reason: string | null }>(
      `SELECT state, reason FROM payment.provider_events WHERE event_ref = $1`,
      [id],
    );
    return event && event.state !== 'received' ? event : undefined;
  });
}

test('the end of an attempt that was declined is not the end of the one that was approved after it', async () => {
  const order_id = textAt(await pay('4000000000000002'), 'order_id');
  const again = await w.shop.api(`/payment/order/${order_id}`, {
    method: 'PUT',
    body: { token: await token('4242424242424242') },
  });
  expect(again.status).toBe(200);
  await until(async () => ((await w.shop.read(order_id)).code === '944444' ? true : undefined));
  const [dead, held] = await operations(order_id);
  const wrong = news({ order_id, reference: dead?.id, status: 'lapsed' });
  await tell(wrong);
  expect(await ends(wrong.id)).toMatchObject({ state: 'parked' });
  expect((await w.shop.read(order_id)).at('status')).toBe('authorization_successful');
  const right = news({ order_id, reference: held?.id, status: 'lapsed' });
  await tell(right);
  expect(await ends(right.id)).toMatchObject({ state: 'applied' });
  expect((await w.shop.read(order_id)).at('status')).toBe('authorization_expired');
});

test('the end that is told of an attempt still undecided does not end the one after it', async () => {
  const order_id = textAt(await pay('4000009901000128'), 'order_id');
  const [undecided] = await operations(order_id);
  await tell(news({ order_id, reference: undecided?.id, status: 'lapsed' }));
  const advance = (seconds: number) => w.shop.api('/sandbox/clock/advance', { body: { seconds } });
  await advance(120);
  expect((await w.shop.read(order_id)).at('status')).toBe('authorization_declined');
  await w.shop.api(`/payment/order/${order_id}`, { method: 'PUT', body: { token: await token('4242424242424242') } });
  await until(async () => ((await w.shop.read(order_id)).code === '944444' ? true : undefined));
  await advance(3700);
  expect((await w.shop.read(order_id)).at('status')).toBe('authorization_successful');
});

test('the bank is heard by the server that asked it, not by whoever else signs', async () => {
  const order_id = textAt(await pay('4000002760003184', { authentication_indicator: 'force_3ds' }), 'order_id');
  const [asked] = await w.sql<{ id: string; server_id: string }>(
    `SELECT encode(id, 'hex') AS id, server_id FROM payment.authentications WHERE order_id = decode($1, 'hex')`,
    [order_id],
  );
  const rreq = {
    messageType: 'RReq',
    messageVersion: '2.2.0',
    threeDSServerTransID: asked?.server_id,
    transStatus: 'N',
  };
  const result = {
    event_ref: `evt_${++count}`,
    type: 'three_ds.result',
    order_id,
    operation_id: asked?.id,
    rreq,
    merchant_account_id: w.account,
  };
  await tell(result, 'simulator_b');
  expect((await w.shop.read(order_id)).at('status')).toBe('authentication_requested');
  expect((await bankWord(w, JSON.stringify(result))).status).toBe(200);
  await until(async () =>
    (await w.shop.read(order_id)).at('status') === 'authentication_declined' ? true : undefined,
  );
});

test('a refund that a person made at the provider is not taken for one of ours of the same amount', async () => {
  const order_id = textAt(await pay('4242424242424242', { operation_type: 'direct_capture' }), 'order_id');
  await w.shop.api(`/payment/maintenance/refund/${order_id}`, {
    body: { amount: '10.00' },
    headers: { prefer: 'wait=5' },
  });
  await until(async () => ((await w.shop.read(order_id)).code === '966666' ? true : undefined));
  const all = await operations(order_id);
  const [sale, ours] = ['authorize', 'refund'].map((kind) => all.find((one) => one.kind === kind));
  const meant = (reference: string | null) =>
    findMatch(w.service.tools.db.tenant(w.account), {
      provider: 'simulator',
      news: 'approved',
      match: {
        kind: 'refund',
        ours: null,
        reference,
        authorization_reference: sale?.provider_ref ?? '',
        amount_minor: 1000n,
        currency: 'EUR',
      },
    });
  expect(await meant('made_by_hand')).toEqual({ reason: 'no such operation', order_id, is_none: true });
  for (const reference of [ours?.provider_ref ?? '', null])
    expect(await meant(reference)).toMatchObject({ operation: { id: ours?.id } });
});

test('a capture that a person made at the provider, and whose message names only the payment, is not taken for ours', async () => {
  const order_id = textAt(await pay('4242424242424242'), 'order_id');
  await w.shop.api(`/payment/maintenance/capture/${order_id}`, {
    body: { amount: '10.00' },
    headers: { prefer: 'wait=5' },
  });
  await until(async () => ((await w.shop.read(order_id)).code === '955555' ? true : undefined));
  const all = await operations(order_id);
  const [hold, ours] = ['authorize', 'capture'].map((kind) => all.find((one) => one.kind === kind));
  const meant = (reference: string | null) =>
    findMatch(w.service.tools.db.tenant(w.account), {
      provider: 'simulator',
      news: 'declined',
      match: {
        kind: 'capture',
        ours: { order_id, operation_id: hold?.id ?? '' },
        reference,
        authorization_reference: hold?.provider_ref ?? '',
        amount_minor: 1000n,
        currency: 'EUR',
      },
    });
  expect(await meant('made_by_hand')).toEqual({ reason: 'no such operation', order_id, is_none: true });
  for (const reference of [ours?.provider_ref ?? '', null])
    expect(await meant(reference)).toMatchObject({ operation: { id: ours?.id } });
});

test('a message that cannot be applied holds up none of those behind it', async () => {
  const order_id = textAt(await pay('4242424242424242', { operation_type: 'direct_capture' }), 'order_id');
  const sale = (await operations(order_id)).find(({ kind }) => kind === 'authorize');
  const dispute = { order_id, reference: sale?.id, kind: 'dispute', status: 'opened', provider_ref: 'dis_1' };
  const unkept = [news({ ...dispute, at: 'some day' }), news({ ...dispute, text: 'a \0 text' })];
  for (const message of unkept) await tell(message);
  const contract_id = await contractOf(w);
  const waiting = [
    news(dispute),
    news({ ...dispute, at: 'of a version before' }),
    news({ ...dispute, text: 'another' }),
  ];
  for (const message of waiting)
    await w.sql(
      `INSERT INTO payment.provider_events (provider, contract_id, event_ref, merchant_account_id, body, received_at)
       VALUES ('simulator', decode($1, 'hex'), $2, decode($3, 'hex'), $4, now() - interval '1 minute')`,
      [contract_id, message.id, w.account, Buffer.from(JSON.stringify(message))],
    );
  const apply = () =>
    applyWaiting(w.service.tools, 100, async (tools, order, told) => {
      if (told.dispute.reason === '') throw new Error('it cannot be applied');
      return recordDispute(tools, order, told);
    });
  await apply();
  expect(await ends(waiting[1]?.id ?? '')).toEqual({ state: 'parked', reason: 'not understood any more' });
  expect(await ends(waiting[2]?.id ?? '')).toMatchObject({ state: 'applied' });
  // what cannot be moved is no reason to look again at once
  expect(await apply()).toBe(0);
  // what nobody can read is kept under a name of our own, and shown
  const unread = await w.sql(
    `SELECT state, reason FROM payment.provider_events WHERE event_ref LIKE 'unread%' AND provider = 'simulator'`,
  );
  expect(unread).toEqual(unkept.map(() => ({ state: 'parked', reason: 'not understood' })));
});

test('a payment that was never captured cannot be disputed', async () => {
  const order_id = textAt(await pay('4000009902000010'), 'order_id');
  await w.shop.api(`/payment/maintenance/capture/${order_id}`, { body: {} });
  const refused = (await operations(order_id)).find(({ kind }) => kind === 'capture');
  expect(refused?.state).toBe('declined');
  const dispute = news({ order_id, reference: refused?.id, kind: 'dispute', status: 'opened' });
  await tell(dispute);
  expect(await ends(dispute.id)).toMatchObject({ state: 'parked' });
  expect(await w.sql(`SELECT 1 FROM payment.disputes WHERE order_id = decode($1, 'hex')`, [order_id])).toEqual([]);
});

test('the word of the second provider counts about what it was asked', async () => {
  const paid = await pay('4000009906000016', { operation_type: 'direct_capture', merchant_contract: 'simulator_b' });
  const order_id = textAt(paid, 'order_id');
  expect((await operations(order_id))[0]).toMatchObject({ provider: 'simulator_b', state: 'successful' });
  await bankLater(w, 41 * DAY_S);
  await until(async () => {
    const told = await w.sql(`SELECT 1 FROM payment.disputes WHERE order_id = decode($1, 'hex')`, [order_id]);
    return told.length > 0 ? true : undefined;
  });
});

test('a correction is believed under the reference that it was done by, and no other', async () => {
  const sold = textAt(await pay('4242424242424242', { operation_type: 'direct_capture' }), 'order_id');
  const held = textAt(await pay('4242424242424242'), 'order_id');
  await w.shop.api(`/payment/maintenance/capture/${held}`, { body: {} });
  for (const order_id of [sold, held]) {
    const named = (await operations(order_id)).find(
      ({ kind }) => kind === (order_id === held ? 'capture' : 'authorize'),
    );
    const failed = { order_id, reference: named?.id, kind: 'capture', status: 'failed', code: '521288' };
    const wrong = news({ ...failed, provider_ref: 'cap_of_somebody' });
    await tell(wrong);
    expect(await ends(wrong.id)).toMatchObject({ state: 'parked' });
    expect((await w.shop.read(order_id)).at('status')).toBe('capture_successful');
    const right = news({ ...failed, provider_ref: named?.provider_ref });
    await tell(right);
    expect(await ends(right.id)).toMatchObject({ state: 'applied' });
    expect((await w.shop.read(order_id)).at('status')).toBe('capture_declined');
  }
});

test("characters that no database can store do not keep a provider's answer from being stored", async () => {
  const order_id = textAt(await pay('4000009901000110'), 'order_id');
  const { tools } = w.service;
  const order = await findOrder(tools.db.tenant(w.account), order_id);
  const [operation] = order?.operations ?? [];
  if (!order || !operation) throw new Error('it was accepted');
  const said = {
    result: 'issuer_declined',
    reference: 'pay_1',
    provider_code: '420188',
    provider_text: 'no \0 way',
  } as const;
  await record(tools, order, { operation, observation: { source: 'answer', outcome: { kind: 'declined', ...said } } });
  expect((await w.shop.read(order_id)).at('status')).toBe('authorization_declined');
});

test('an approval under a reference that no later call could name is not believed', async () => {
  const order_id = textAt(await pay('4000009901000110'), 'order_id');
  const [asked] = await operations(order_id);
  const approval = { order_id, reference: asked?.id, code: '944444', authorization_code: 'A1B2C3' };
  for (const provider_ref of ['', '../refunds', 'a b', 'x'.repeat(65)]) await tell(news({ ...approval, provider_ref }));
  await tell(news({ ...approval, provider_ref: 'pay_right' }));
  await until(async () => ((await w.shop.read(order_id)).code === '944444' ? true : undefined));
  expect(await operations(order_id)).toMatchObject([{ state: 'successful', provider_ref: 'pay_right' }]);
});
