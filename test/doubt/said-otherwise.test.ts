// A provider tells by itself the opposite of what is final here: a person has ruled that something was not done, and
// the provider's message that it was comes after that; or it was done, and the provider says later that it was not.
// Whatever the provider, nothing of it is dropped: the order is in doubt, the merchant is told, and people see it.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { listUndecided } from '../../src/payment/order/review/list.ts';
import { resolveByHand } from '../../src/payment/order/review/settle.ts';
import { verifyLedger } from '../../src/payment/ledger/verify/verify.ts';
import { controlOf } from '../conformance/at/by-control.ts';
import { PROVIDERS } from '../conformance/providers.ts';
import { type Bench, type Stand, doing, openStand } from '../conformance/stand.ts';
import { textAt, until } from '../client.ts';
import { operationsOf } from './said.ts';

let stand: Stand;
beforeAll(async () => {
  stand = await openStand();
});
afterAll(() => stand[Symbol.asyncDispose]());

const WORDS = {
  by: 'Anna',
  reason: 'their portal shows nothing of it, case 4711',
  two_people_above: () => 100_000n,
} as const;

/**
 * What became of the contradiction. A provider that can be asked proves at once what it said; the order of another one
 * stays in doubt, and is listed for a person.
 */
async function contradicted(order_id: string, kind: string) {
  const { tools } = stand.w.service;
  const [id = ''] = await operationsOf(stand.w, order_id, kind);
  await until(async () => {
    const told = await stand.w.sql(
      `SELECT 1 FROM payment.events WHERE subject_id = decode($1, 'hex') AND type = 'order.contradicted'`,
      [order_id],
    );
    return told.length > 0 || undefined;
  });
  const rowOf = async () => {
    const [row] = await stand.w.sql<{ provider: string; state: string; held: string; said: string; ended: string }>(
      `SELECT p.provider, p.state, c.held, c.said, c.state AS ended
       FROM payment.contradictions c JOIN payment.operations p ON p.id = c.operation_id
       WHERE c.operation_id = decode($1, 'hex')`,
      [id],
    );
    return row;
  };
  const { provider = '' } = (await rowOf()) ?? {};
  const { can } = tools.providers.get(provider) ?? {};
  if (can && can.inquiry.length > 0) await until(async () => (await rowOf())?.ended !== 'open' || undefined);
  const listed = (await listUndecided(tools.db, 1000)).some((one) => one.id === id);
  const { first } = await verifyLedger({ db: tools.db, progress: () => undefined });
  const is_in_doubt = (await stand.w.shop.read(order_id)).at('is_in_doubt');
  return { ...(await rowOf()), listed, is_in_doubt, ledger: first };
}

const OPEN = { ended: 'open', listed: true, is_in_doubt: true, ledger: undefined };
const PROVED = { ended: 'theirs', listed: false, is_in_doubt: false, ledger: undefined };

/** What was asked is done there, and the answer is lost. */
const LOST: ReadonlySet<string> = new Set(['closed_after', 'silent_after', 'error_after', 'half']);

/** Over ISO 8583 nothing is told; what the simulated providers tell is in contradictions.test.ts. */
const TELLING = new Set(['stripe', 'adyen', 'paypal']);

describe.each(PROVIDERS.filter(({ name }) => TELLING.has(name)))('$name', (at) => {
  let bench: Bench;
  beforeAll(() => {
    bench = stand.bench(at);
  });

  test.each(['capture', 'refund', 'cancel'] as const)(
    'a %s that a person ruled out is done there, and a message says so afterwards',
    async (kind) => {
      const lost = at.troubles.find((one) => LOST.has(one));
      if (!lost) throw new Error(`no answer of ${at.name} can be lost`);
      const order_id = await doing(bench, kind, async () => {
        await bench.drive.hold(true);
        await bench.drive.arm(lost, at.steps[kind].at(-1) ?? '');
      });
      await stand.leave(order_id);
      await stand.aged(order_id);
      const [operation_id = ''] = await operationsOf(stand.w, order_id, kind);
      await resolveByHand(stand.w.service.tools, { ...WORDS, operation_id, as: 'not-done' });
      expect((await stand.w.shop.read(order_id)).at('is_in_doubt')).toBe(false);
      await bench.drive.hold(false);
      await bench.drive.tellWaiting();
      const was = { held: 'declined', said: 'approved', provider: at.name };
      const ends = bench.can.inquiry.length > 0 ? { ...PROVED, state: 'successful' } : { ...OPEN, state: 'declined' };
      expect(await contradicted(order_id, kind)).toEqual({ ...was, ...ends });
    },
  );
});

test('a capture at PayPal that is done here, and that PayPal denies later', async () => {
  const at = PROVIDERS.find(({ name }) => name === 'paypal');
  if (!at) throw new Error('there is PayPal');
  const bench = stand.bench(at);
  const order_id = textAt(await bench.pay(), 'order_id');
  expect((await bench.maintain('capture', order_id)).code).toBe('955555');
  const [capture] = await operationsOf(stand.w, order_id, 'capture');
  const [row] = await stand.w.sql<{ ref: string }>(
    `SELECT provider_ref AS ref FROM payment.operations WHERE id = decode($1, 'hex')`,
    [capture],
  );
  await controlOf(stand.w, 'paypal')('POST', '/captures/status', { capture: row?.ref, status: 'DECLINED' });
  const was = { held: 'successful', said: 'declined', provider: 'paypal' };
  expect(await contradicted(order_id, 'capture')).toEqual({ ...was, ...PROVED, state: 'declined' });
});
