// What a provider tells by itself: believed with its signature, once, in any order; what is not about ours is kept and shown.
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { textAt, until } from '../client.ts';
import { type Tells } from './at/contract.ts';
import { PROVIDERS } from './providers.ts';
import { type Bench, type Stand, openStand } from './stand.ts';

vi.setConfig({ testTimeout: 60_000 });
let stand: Stand;
beforeAll(async () => {
  stand = await openStand();
});
afterAll(() => stand[Symbol.asyncDispose]());

const TELLING = PROVIDERS.flatMap((at) => (at.tells ? [{ ...at, tells: at.tells }] : []));

describe.each(TELLING)('$name', (at) => {
  let bench: Bench;
  let tells: Tells;
  let url: string;
  beforeAll(async () => {
    bench = stand.bench(at);
    tells = at.tells(stand.w);
    await bench.drive.hold(true);
    url = await tells.address();
  });

  const events = async () => {
    const [row] = await stand.w.sql<{ n: number }>(
      'SELECT count(*)::int AS n FROM payment.provider_events WHERE provider = $1',
      [at.name],
    );
    return row?.n ?? 0;
  };
  /** The raw event about a sale, and its order. */
  async function sold(card?: string) {
    const reply = await bench.pay({ operation_type: 'direct_capture' }, card);
    expect(reply.code).toBe('955555');
    const order_id = textAt(reply, 'order_id');
    return { order_id, event: await tells.eventOf(order_id) };
  }
  const post = async (body: string, how: Parameters<Tells['sign']>[1] = {}, said = body) =>
    (
      await fetch(url, {
        method: 'POST',
        body: said,
        headers: { 'content-type': 'application/json', ...tells.sign(body, how) },
      })
    ).status;
  const agrees = async (order_id: string) => {
    await stand.heal(order_id);
    expect(await stand.differences(order_id)).toEqual([]);
  };

  test('57, 62 a good message is taken, and a second time changes nothing', async () => {
    const { order_id, event } = await sold();
    const before = await events();
    expect([await post(event), await post(event)]).toEqual([200, 200]);
    expect(await events()).toBe(before + 1);
    await agrees(order_id);
  });

  test('58 one byte of it is changed', async () => {
    const { order_id, event } = await sold();
    const before = await events();
    expect(await post(event, {}, event.replace('EUR', 'USD').replace('"eur"', '"usd"'))).toBe(403);
    expect(await events()).toBe(before);
    await agrees(order_id);
  });

  test.each([
    ['59 another key', { secret: 'whsec_another' }],
    ['60 an old timestamp', { at_s: -3600 }],
  ])('%s signs nothing', async (_, how) => {
    const { event } = await sold();
    const before = await events();
    expect(await post(event, how)).toBe(403);
    expect(await events()).toBe(before);
  });

  test('61 while a key is replaced, either signs', async () => {
    const { event } = await sold();
    expect(await post(event, { beside: 'whsec_another' })).toBe(200);
  });

  test('65, 66 an event that is not known and one of an order that is not ours are kept', async () => {
    const before = await events();
    expect(await post(tells.unknown())).toBe(200);
    expect(await post(tells.foreign())).toBe(200);
    expect(await events()).toBe(before + 2);
  });

  test('69 a refund that fails after it succeeded gives the money back to the merchant’s side', async () => {
    const { order_id } = await sold();
    expect((await bench.maintain('refund', order_id)).code).toBe('966666');
    await tells.failRefund(order_id);
    await bench.drive.retell();
    await until(async () => (await stand.w.shop.read(order_id)).at('status') === 'refund_declined' || undefined);
    await agrees(order_id);
  });

  test('70 a dispute is recorded', async () => {
    const { order_id } = await sold();
    await tells.dispute(order_id);
    await bench.drive.retell();
    const disputes = () => stand.w.sql(`SELECT 1 FROM payment.disputes WHERE order_id = decode($1, 'hex')`, [order_id]);
    await until(async () => (await disputes()).length === 1 || undefined);
    await agrees(order_id);
  });
});
