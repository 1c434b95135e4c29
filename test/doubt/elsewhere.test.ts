// What a merchant does at the provider's own site, and not through us. Its message is not dropped: the provider is
// asked, or believed where it cannot be asked and its messages say what happened; then it is an operation of the order,
// with its events and in the ledger, and the provider's books agree.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { PROVIDERS } from '../conformance/providers.ts';
import { type Bench, type Stand, openStand } from '../conformance/stand.ts';
import { textAt, until } from '../client.ts';
import { controlOf } from '../conformance/at/by-control.ts';
import { type Does, SITES, heldAtPayPal } from './at-their-site.ts';
import { lookingAt } from './made-there.ts';

let stand: Stand;
beforeAll(async () => {
  stand = await openStand();
});
afterAll(() => stand[Symbol.asyncDispose]());

const { becomes, eventsOf, madeThere, agrees, inboxOf, waiting } = lookingAt(() => stand);

describe.each(PROVIDERS.filter(({ name }) => name in SITES))('$name', (at) => {
  let bench: Bench;
  beforeAll(() => {
    bench = stand.bench(at);
  });
  const there = async (order_id: string, does: Does, minor?: number) =>
    (await SITES[at.name]?.(stand.w, order_id, does, minor)) ?? '';
  const held = async () => textAt(await bench.pay(), 'order_id');
  const sold = async () => {
    const order_id = textAt(await bench.pay({ operation_type: 'direct_capture' }), 'order_id');
    await becomes(order_id, 'capture_successful');
    return order_id;
  };

  test('a hold that is cancelled there is cancelled here', async () => {
    const order_id = await held();
    await there(order_id, 'cancel');
    await becomes(order_id, 'authorization_cancelled');
    expect(await madeThere(order_id)).toEqual([{ kind: 'cancel', state: 'successful', minor: '2500' }]);
    expect((await eventsOf(order_id)).slice(-2)).toEqual(['authorization_cancel_requested', 'authorization_cancelled']);
    await agrees(order_id);
    expect((await bench.maintain('capture', order_id)).code).toBe('520220');
    expect((await bench.maintain('cancel', order_id)).code).toBe('711032');
    expect(await inboxOf(order_id)).toEqual([]);
  });

  test('a hold that is captured there is captured here, and can be refunded from here', async () => {
    const order_id = await held();
    await there(order_id, 'capture');
    const order = await becomes(order_id, 'capture_successful');
    expect(order.at('is_captured')).toBe(true);
    expect(await madeThere(order_id)).toEqual([{ kind: 'capture', state: 'successful', minor: '2500' }]);
    expect((await eventsOf(order_id)).slice(-2)).toEqual(['capture_requested', 'capture_successful']);
    await agrees(order_id);
    await bench.maintain('refund', order_id);
    await becomes(order_id, 'refund_successful');
    await agrees(order_id);
  });

  test('a part of a hold that is captured there', async () => {
    const order_id = await held();
    await there(order_id, 'capture', 1000);
    await becomes(order_id, 'capture_successful');
    const rest = bench.can.captures === 'one' ? [{ kind: 'cancel', state: 'successful', minor: '1500' }] : [];
    expect(await madeThere(order_id)).toEqual([{ kind: 'capture', state: 'successful', minor: '1000' }, ...rest]);
    await agrees(order_id);
  });

  test('a part that is refunded there is refunded here, and no more than the rest from here', async () => {
    const order_id = await sold();
    await there(order_id, 'refund', 1000);
    await becomes(order_id, 'refund_successful');
    expect(await madeThere(order_id)).toEqual([{ kind: 'refund', state: 'successful', minor: '1000' }]);
    expect((await eventsOf(order_id)).slice(-2)).toEqual(['refund_requested', 'refund_successful']);
    await agrees(order_id);
    expect((await bench.maintain('refund', order_id, { amount: '20.00' })).code).toBe('611030');
    await bench.maintain('refund', order_id, { amount: '15.00' });
    await until(async () => (await stand.differences(order_id)).length === 0 || undefined);
    await there(order_id, 'refund', 1).catch(() => undefined);
    await agrees(order_id);
    expect((await madeThere(order_id)).length).toBe(1);
  });

  // PayPal tells nothing of a refund that fails later
  test.skipIf(at.name === 'paypal')(
    'a refund that was made there and is refused by the bank later is booked back (skipped at PayPal, which tells nothing of it)',
    async () => {
      const order_id = await sold();
      const id = await there(order_id, 'refund', 1000);
      await becomes(order_id, 'refund_successful');
      const control = controlOf(stand.w, at.name);
      if (at.name === 'stripe') await control('POST', '/refunds/status', { refund: id, status: 'failed' });
      else await control('POST', '/fail', { psp: id });
      await bench.drive.tellWaiting();
      await becomes(order_id, 'refund_declined');
      expect(await madeThere(order_id)).toEqual([{ kind: 'refund', state: 'declined', minor: '1000' }]);
      await agrees(order_id);
    },
  );
});

/** Their messages can be lost; the refusal of what is asked for then is looked into. */
describe.each(PROVIDERS.filter(({ name }) => name === 'stripe' || name === 'paypal'))(
  'lost messages of $name',
  (at) => {
    let bench: Bench;
    beforeAll(async () => {
      bench = stand.bench(at);
      await bench.drive.hold(true);
    });
    afterAll(() => bench.drive.hold(false));
    const there = async (order_id: string, does: Does, minor?: number) =>
      (await SITES[at.name]?.(stand.w, order_id, does, minor)) ?? '';
    /** The messages come after all, and change nothing: none waits or is parked, and no word is against another. */
    const changesNothing = async (order_id: string) => {
      await bench.drive.hold(false);
      await bench.drive.tellWaiting();
      await until(async () => (await waiting()).length === 0 || undefined);
      await bench.drive.hold(true);
      expect(await inboxOf(order_id)).toEqual([]);
      await agrees(order_id);
    };

    test.each(['capture', 'cancel'] as const)('a %s of a hold that was cancelled there', async (kind) => {
      const order_id = textAt(await bench.pay(), 'order_id');
      await there(order_id, 'cancel');
      await bench.maintain(kind, order_id);
      await becomes(order_id, 'authorization_cancelled');
      await changesNothing(order_id);
    });

    test.each(['capture', 'cancel'] as const)('a %s of a hold that was captured there', async (kind) => {
      const order_id = textAt(await bench.pay(), 'order_id');
      await there(order_id, 'capture');
      await bench.maintain(kind, order_id);
      await becomes(order_id, 'capture_successful');
      await changesNothing(order_id);
    });

    test('a refund of what was refunded there', async () => {
      const order_id = textAt(await bench.pay({ operation_type: 'direct_capture' }), 'order_id');
      await there(order_id, 'refund');
      await bench.maintain('refund', order_id);
      await becomes(order_id, 'refund_successful');
      expect((await bench.maintain('refund', order_id)).code).toBe('611031');
      await agrees(order_id);
    });
  },
);

test('a second cancel at Adyen, which is refused there, says nothing of the first', async () => {
  const at = PROVIDERS.find(({ name }) => name === 'adyen');
  if (!at) throw new Error('Adyen is conformed to');
  const order_id = textAt(await stand.bench(at).pay(), 'order_id');
  await SITES['adyen']?.(stand.w, order_id, 'cancel');
  await becomes(order_id, 'authorization_cancelled');
  const second = await SITES['adyen']?.(stand.w, order_id, 'cancel');
  await until(async () => {
    const rows = await stand.w.sql<{ state: string }>(
      `SELECT state FROM payment.provider_events WHERE event_ref LIKE '%' || $1 || '%' AND state <> 'received'`,
      [second],
    );
    return rows.length > 0 || undefined;
  });
  await agrees(order_id);
});

test('a message of PayPal that a hold was voided is not believed by itself', async () => {
  const at = PROVIDERS.find(({ name }) => name === 'paypal');
  if (!at?.tells) throw new Error('PayPal tells');
  const bench = stand.bench(at);
  const order_id = textAt(await bench.pay(), 'order_id');
  const held = await heldAtPayPal(stand.w, order_id);
  const tells = at.tells(stand.w);
  for (const expiration_time of ['2020-01-01T00:00:00Z', '2040-01-01T00:00:00Z']) {
    const id = `WH-MADE-UP-${expiration_time.slice(0, 4)}`;
    const event = { id, event_type: 'PAYMENT.AUTHORIZATION.VOIDED', create_time: '2030-01-01T00:00:00Z' };
    const { text, headers } = await tells.sign(
      JSON.stringify({ ...event, resource: { ...held, expiration_time } }),
      {},
    );
    const answer = await fetch(await tells.address(), {
      method: 'POST',
      body: text,
      headers: { 'content-type': 'application/json', ...headers },
    });
    expect(answer.status).toBe(200);
    const ended = await until(async () => {
      const [row] = await stand.w.sql<{ state: string }>(
        `SELECT state FROM payment.provider_events WHERE event_ref = $1 AND state <> 'received'`,
        [id],
      );
      return row;
    });
    expect(ended.state).toBe('ignored');
  }
  expect((await stand.w.shop.read(order_id)).at('status')).toBe('authorization_successful');
});
