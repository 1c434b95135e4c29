// Messages that a provider sends by itself: they are believed with a valid signature, applied once, in any order.
// Messages that are not about ours are stored and shown.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { textAt, until } from '../client.ts';
import type { At, Signing, Tells } from './at/contract.ts';
import { isAble, lacks } from './outcomes.ts';
import { contractOf } from '../doubt/mail.ts';
import { PROVIDERS } from './providers.ts';
import { type Bench, type Stand, openStand } from './stand.ts';

let stand: Stand;
beforeAll(async () => {
  stand = await openStand();
});
afterAll(() => stand[Symbol.asyncDispose]());

const isUntold = ({ untold }: At, number: number) => untold.some(({ numbers }) => numbers.includes(number));

const TELLING = PROVIDERS.flatMap((at) => (at.tells ? [{ ...at, tells: at.tells }] : []));

describe.each(TELLING)('$name', (at) => {
  let bench: Bench;
  let tells: Tells;
  let url: string;
  beforeAll(async () => {
    bench = stand.bench(at);
    tells = at.tells(stand.w);
    await bench.quiet(true);
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
  const post = async (event: string, how: Parameters<Tells['sign']>[1] = {}, spoil = (text: string) => text) => {
    const { text, headers } = await tells.sign(event, how);
    const said = { 'content-type': 'application/json', ...headers };
    return (await fetch(url, { method: 'POST', body: spoil(text), headers: said })).status;
  };
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
    const spoil = (text: string) => text.replace('EUR', 'USD').replace('"eur"', '"usd"');
    expect(await post(event, {}, spoil)).toBe(403);
    expect(await events()).toBe(before);
    await agrees(order_id);
  });

  const unproved: readonly (readonly [string, () => Signing])[] = [
    ['59 another key', () => ({ secret: tells.another })],
    ['60 an old timestamp', () => ({ at_s: -3600 })],
  ];
  test.each(unproved.slice(0, isUntold(at, 60) ? 1 : 2))('%s signs nothing', async (_, how) => {
    const { event } = await sold();
    const before = await events();
    expect(await post(event, how())).toBe(403);
    expect(await events()).toBe(before);
  });

  test.each(isUntold(at, 61) ? [] : [at])('61 while a key is replaced, either signs', async () => {
    const { event } = await sold();
    expect(await post(event, { beside: tells.another })).toBe(200);
  });

  test('65, 66 an event that is not known and one of an order that is not ours are kept', async () => {
    const before = await events();
    expect(await post(tells.unknown())).toBe(200);
    expect(await post(tells.foreign())).toBe(200);
    expect(await events()).toBe(before + 2);
  });

  test.each(isUntold(at, 69) ? [] : [at])(
    '69 a refund that fails after it succeeded gives the money back to the merchant’s side',
    async () => {
      const { order_id } = await sold();
      expect((await bench.maintain('refund', order_id)).code).toBe('966666');
      await tells.failRefund?.(order_id);
      await bench.drive.retell();
      await until(async () => (await stand.w.shop.read(order_id)).at('status') === 'refund_declined' || undefined);
      await agrees(order_id);
    },
  );

  test('70 a dispute is recorded', async () => {
    const { order_id } = await sold();
    await tells.dispute(order_id);
    await bench.drive.retell();
    const disputes = () => stand.w.sql(`SELECT 1 FROM payment.disputes WHERE order_id = decode($1, 'hex')`, [order_id]);
    await until(async () => (await disputes()).length === 1 || undefined);
    await agrees(order_id);
  });

  test('63 messages that were kept back come twice, the newest first', async () => {
    await bench.drive.hold(true);
    const order_id = textAt(await bench.pay(), 'order_id');
    await bench.maintain('capture', order_id, { amount: '10.00', final: true });
    await bench.drive.hold(false);
    await bench.drive.tellWaiting();
    await agrees(order_id);
    expect(await bench.drive.books(order_id)).toMatchObject([{ captured: 1000n }]);
    await bench.drive.retell();
    await agrees(order_id);
    await bench.quiet(true);
  });

  test.each(isUntold(at, 67) ? [] : [at])('67 of two items one proves nothing: the other is kept', async () => {
    const { order_id } = await sold();
    const before = await events();
    const body = (await tells.batch?.(order_id)) ?? '';
    const headers = { 'content-type': 'application/json' };
    expect((await fetch(url, { method: 'POST', body, headers })).ok).toBe(true);
    expect(await events()).toBe(before + 1);
    await agrees(order_id);
  });
});

describe.each(PROVIDERS)('$name', (at) => {
  const steps = at.troubles.includes('silent_after') ? [at] : [];
  test.for(isAble(at.name, 'messages') ? steps : [])(
    '64 what a message tells before the call is answered is believed',
    async () => {
      const bench = stand.bench(at);
      await bench.drive.hold(false);
      await bench.drive.arm('silent_after', at.steps.sale.at(-1) ?? '');
      const order_id = textAt(await bench.pay({ operation_type: 'direct_capture' }), 'order_id');
      await stand.heal(order_id);
      await bench.drive.clear();
      expect((await stand.w.shop.read(order_id)).at('status')).toBe('capture_successful');
      expect(await stand.differences(order_id)).toEqual([]);
    },
  );

  test.for(isAble(at.name, 'messages') ? steps : [])(
    '64 what a message tells when we have looked already, and nothing is undone yet, is believed',
    async () => {
      const bench = stand.bench(at);
      await bench.drive.hold(true);
      await bench.drive.arm('silent_after', at.steps.authorize.at(-1) ?? '');
      const order_id = textAt(await bench.pay(), 'order_id');
      await stand.looked(order_id);
      await bench.drive.hold(false);
      await bench.drive.tellWaiting();
      await stand.heal(order_id);
      await bench.drive.clear();
      expect((await stand.w.shop.read(order_id)).at('status')).toBe('authorization_successful');
      expect(await stand.triedAt(order_id)).toEqual([at.name]);
      expect(await stand.differences(order_id)).toEqual([]);
    },
  );

  test.for(isAble(at.name, 'messages') ? [] : [at])(
    '57, 58, 59, 60, 61, 62, 63, 64, 65, 66, 67, 68, 69, 70 of who tells nothing no message is taken',
    async (_, { task }) => {
      lacks(task, 'messages');
      const contract_id = await contractOf(stand.w, at.name);
      const address = `${stand.w.service.addresses.base_url}/provider/${at.name}/${contract_id}/events`;
      const said = { method: 'POST', body: '{}', headers: { 'content-type': 'application/json' } };
      expect((await fetch(address, said)).ok).toBe(false);
      const kept = await stand.w.sql('SELECT 1 FROM payment.provider_events WHERE provider = $1', [at.name]);
      expect(kept).toEqual([]);
    },
  );
});
