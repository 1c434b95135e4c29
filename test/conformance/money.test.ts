// Money, plain: what a merchant asks for is done once, at every provider, and the books agree; what a provider cannot
// do is refused first.
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { textAt } from '../client.ts';
import { PROVIDERS } from './providers.ts';
import { lacks } from './outcomes.ts';
import { type Bench, type Stand, openStand } from './stand.ts';

let stand: Stand;
beforeAll(async () => {
  stand = await openStand();
});
afterAll(() => stand[Symbol.asyncDispose]());

describe.each(PROVIDERS)('$name', (at) => {
  let bench: Bench;
  beforeAll(() => {
    bench = stand.bench(at);
  });
  const made: string[] = [];
  afterEach(async () => {
    for (const order_id of made.splice(0)) {
      await stand.heal(order_id);
      const found = await stand.differences(order_id);
      if (found.length > 0) throw new Error(found.join('; '));
    }
  });
  const paid = async (fields: object = {}) => {
    const reply = await bench.pay(fields);
    const order_id = textAt(reply, 'order_id');
    made.push(order_id);
    expect(reply.at('payin_partner')).toBe(at.name);
    return { reply, order_id };
  };
  const sold = (fields: object = {}) => paid({ operation_type: 'direct_capture', ...fields });
  const codeOf = async (kind: 'capture' | 'refund' | 'cancel', order_id: string, body?: object) =>
    (await bench.maintain(kind, order_id, body, { prefer: 'wait=20' })).code;
  const statusOf = async (order_id: string) => (await stand.w.shop.read(order_id)).at('status');

  test('1 an authorization holds the amount', async () => {
    const { reply } = await paid();
    expect([reply.code, reply.at('status')]).toEqual(['944444', 'authorization_successful']);
  });

  test('2 a sale holds it and takes it', async () => {
    const { reply } = await sold();
    expect([reply.code, reply.at('status')]).toEqual(['955555', 'capture_successful']);
  });

  test('3 all of it is captured', async () => {
    const { order_id } = await paid();
    expect(await codeOf('capture', order_id)).toBe('955555');
  });

  test('4 it is captured in parts until nothing is left, or once where there is one capture', async ({ task }) => {
    if (bench.can.captures !== 'many') lacks(task, 'captures');
    const { order_id } = await paid();
    expect(await codeOf('capture', order_id, { amount: '10.00' })).toBe('955555');
    const second = await codeOf('capture', order_id, { amount: '15.00' });
    expect(second).toBe(bench.can.captures === 'many' ? '955555' : '521273');
    const third = await bench.maintain('capture', order_id, { amount: '0.01' });
    expect([third.status, third.code]).not.toEqual([200, '955555']);
  });

  test('5 the last capture gives back what is left of the hold', async () => {
    const { order_id } = await paid();
    expect(await codeOf('capture', order_id, { amount: '10.00', final: true })).toBe('955555');
    const held = bench.can.rest_after_last_capture === 'stays' ? 1500n : 0n;
    expect(await bench.drive.books(order_id)).toMatchObject([{ held, captured: 1000n }]);
  });

  test('6 a capture above the hold is refused before any call', async () => {
    const { order_id } = await paid();
    const before = await bench.drive.books(order_id);
    expect((await bench.maintain('capture', order_id, { amount: '25.01' })).status).not.toBe(200);
    expect(await bench.drive.books(order_id)).toEqual(before);
  });

  test('7 all of it is paid back', async () => {
    const { order_id } = await sold();
    expect(await codeOf('refund', order_id)).toBe('966666');
  });

  test('8 it is paid back in parts', async () => {
    const { order_id } = await sold();
    expect(await codeOf('refund', order_id, { amount: '10.00' })).toBe('966666');
    expect(await codeOf('refund', order_id, { amount: '14.99' })).toBe('966666');
    expect(await codeOf('refund', order_id, { amount: '0.01' })).toBe('966666');
  });

  test('9 a refund above what was captured is refused before any call', async () => {
    const { order_id } = await sold();
    expect((await bench.maintain('refund', order_id, { amount: '25.01' })).status).not.toBe(200);
    expect(await codeOf('refund', order_id, { amount: '20.00' })).toBe('966666');
    expect((await bench.maintain('refund', order_id, { amount: '5.01' })).status).not.toBe(200);
  });

  test('10 it is paid back right after its capture', async () => {
    const { order_id } = await paid();
    await codeOf('capture', order_id);
    expect(await codeOf('refund', order_id)).toBe('966666');
  });

  test('11 a hold is cancelled', async () => {
    const { order_id } = await paid();
    await codeOf('cancel', order_id);
    expect(await statusOf(order_id)).toBe('authorization_cancelled');
  });

  test('12 what is captured is not cancelled', async () => {
    const { order_id } = await sold();
    expect((await bench.maintain('cancel', order_id)).status).not.toBe(200);
    expect(await statusOf(order_id)).toBe('capture_successful');
  });

  test('13 what is cancelled is not cancelled again', async () => {
    const { order_id } = await paid();
    await codeOf('cancel', order_id);
    expect((await bench.maintain('cancel', order_id)).status).not.toBe(200);
  });

  test('14 what is cancelled is not captured', async () => {
    const { order_id } = await paid();
    await codeOf('cancel', order_id);
    expect((await bench.maintain('capture', order_id)).status).not.toBe(200);
  });

  test.each([
    ['17', '0.01', 'EUR', 1n],
    ['16', '50', 'JPY', 50n],
    ['16', '1.230', 'KWD', 1230n],
    ['16, 17', '9999.99', 'EUR', 999_999n],
  ])('%s %s %s arrives exactly, or not at all', async (_, amount, currency, minor) => {
    if (at.refuses_currencies?.includes(currency) === true) {
      const reply = await bench.pay({ operation_type: 'direct_capture', amount, currency });
      expect(reply.at('payin_partner')).not.toBe(at.name);
      expect(await bench.drive.books(textAt(reply, 'order_id'))).toEqual([]);
      return;
    }
    const { order_id } = await sold({ amount, currency });
    expect(await bench.drive.books(order_id)).toMatchObject([{ captured: minor, currency }]);
    expect(await codeOf('refund', order_id)).toBe('966666');
  });

  test.each(at.refuses_currencies?.includes('KWD') === true ? [] : (['capture', 'refund'] as const))(
    '16 a %s of a part is done exactly, or refused at once where there is no such amount',
    async (kind) => {
      const money = { amount: '10.000', currency: 'KWD' };
      const { order_id } = await (kind === 'capture' ? paid(money) : sold(money));
      const reply = await bench.maintain(kind, order_id, { amount: '1.234' });
      const [booked] = await bench.drive.books(order_id);
      const moved = kind === 'capture' ? booked?.captured : booked?.refunded;
      const done = [200, kind === 'capture' ? '955555' : '966666', 1234n];
      const refused = [422, kind === 'capture' ? '521260' : '621260', 0n];
      expect([done, refused]).toContainEqual([reply.status, reply.code, moved]);
    },
  );

  test.each(['Größe "é" \\ & <b> 🙂', 'x'.repeat(64), "' OR 1=1 --"])(
    '18 a reference %j is taken',
    async (order_merchant_id) => {
      const { reply } = await paid({ order_merchant_id });
      expect([reply.code, reply.at('order_merchant_id')]).toEqual(['944444', order_merchant_id]);
    },
  );
});

test('no table of the money zone holds a card’s number or a credential', async () => {
  const names = PROVIDERS.flatMap((at) => at.names);
  const secrets = [...(stand.w.service.simulators ?? [])]
    .flatMap(([, { credentials }]) => Object.entries(credentials))
    .flatMap(([name, value]) => (names.includes(name) ? [] : [value]));
  expect(await stand.leaks(['4242424242424242', ...secrets])).toEqual([]);
});
