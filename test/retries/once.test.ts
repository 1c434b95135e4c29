// A purchase that is tried again later is paid once, and not behind the back of a merchant who gave it up: not beside
// another order of it that is being paid at that moment, and not after a cancel.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DAY_S } from '../../src/core/durations.ts';
import { makeLaterTries } from '../../src/payment/order/accept/later.ts';
import type { Tools } from '../../src/payment/tools.ts';
import { textAt, until } from '../client.ts';
import { lockWaits } from '../lock-waits.ts';
import { type World, world } from '../world.ts';

/** Not enough funds: for ever; from the third day on there are. */
const POOR = '4000000000009995';
const PAID_LATER = '4000009908000048';
const POLICY = { payment_channel: 'recurring', retry_policy: 'default' };
const GATE = 4711;

let w: World;
beforeAll(async () => {
  w = await world();
});
afterAll(() => w[Symbol.asyncDispose]());

/** A declined payment whose later try is due from the third day on, and made by nobody but `tryNow`. */
async function declined(order_merchant_id: string, card_number = PAID_LATER): Promise<string> {
  const token = { card_number, token_type: 'recurring' };
  const order_id = textAt(await w.shop.pay(token, { ...POLICY, order_merchant_id }), 'order_id');
  await w.sql(
    `UPDATE payment.retries SET next_at = payment.now(), due_at = payment.now() + interval '1 year'
     WHERE order_id = decode($1, 'hex') AND state = 'waiting'`,
    [order_id],
  );
  return order_id;
}

function triesOf(order_id: string): ReturnType<typeof makeLaterTries> {
  const { tools } = w.service;
  const claimed = [{ merchant_account_id: w.account, order_id }];
  const run: Tools['db']['looks']['run'] = async <R>() => claimed as R[];
  return makeLaterTries({ ...tools, db: { ...tools.db, looks: { run } } });
}

/** Backends that wait for a lock. */
const waiting = () => lockWaits(w);

/** The commits of captures wait from here on, as they do for a standby that is slow to confirm; what `open` ends. */
async function captures(): Promise<AsyncDisposable & { open(): Promise<void> }> {
  await w.sql(
    `CREATE FUNCTION public.gate() RETURNS trigger LANGUAGE plpgsql AS
     $$ BEGIN PERFORM pg_advisory_xact_lock_shared(${GATE}); RETURN NULL; END $$`,
  );
  await w.sql(
    `CREATE TRIGGER gate AFTER INSERT ON payment.events FOR EACH ROW
     WHEN (NEW.type = 'capture_successful') EXECUTE FUNCTION public.gate()`,
  );
  await w.sql(`SELECT pg_advisory_lock(${GATE})`);
  const open = async () => {
    await w.sql(`SELECT pg_advisory_unlock_all()`);
  };
  const end = async () => {
    await open();
    await w.sql(`DROP FUNCTION public.gate() CASCADE`);
  };
  return { open, [Symbol.asyncDispose]: end };
}

test('while the later try of an earlier order of it is being committed as paid, that of a later one begins none', async () => {
  const reference = 'rent-of-two-orders';
  const [earlier, later] = [await declined(reference), await declined(reference)];
  await w.shop.api('/sandbox/clock/advance', { body: { seconds: 4 * DAY_S } });
  const [first, second] = [triesOf(earlier), triesOf(later)];
  await using gate = await captures();
  await first.look(1);
  await until(async () => (await waiting()) > 0 || undefined);
  const looked = second.look(1).then(() => true);
  // it has found out that it must wait, or it waits for the commit
  await until(async () => (await Promise.race([looked, waiting().then((n) => n > 1)])) || undefined);
  await gate.open();
  await looked;
  await Promise.all([first.drain(), second.drain()]);
  const paid = await w.sql(`SELECT 1 FROM payment.orders WHERE order_merchant_id = $1 AND captured_minor > 0`, [
    reference,
  ]);
  expect(paid).toHaveLength(1);
});

/** The bank has answered the next authorization, and its answer is not heard here until it is let go. */
function unheard(): { readonly answered: Promise<void>; letGo(): void } {
  const { tools } = w.service;
  const { vault } = tools;
  const answered = Promise.withResolvers<void>();
  const gate = Promise.withResolvers<void>();
  const forward: typeof vault.forward = async (call) => {
    Object.assign(tools, { vault });
    const answer = await vault.forward(call);
    answered.resolve();
    await gate.promise;
    return answer;
  };
  Object.assign(tools, { vault: { ...vault, forward } });
  return { answered: answered.promise, letGo: () => gate.resolve() };
}

/** Cancels an order whose bank has declined it, which is not known here yet; what is planned of it then. */
async function cancelled(order_id: string, bank: ReturnType<typeof unheard>): Promise<readonly unknown[]> {
  await bank.answered;
  const headers = { prefer: 'wait=10' };
  const { code } = await w.shop.api(`/payment/maintenance/cancel/${order_id}`, { method: 'POST', headers });
  bank.letGo();
  await w.shop.decided(order_id);
  await w.shop.api('/sandbox/clock/advance', { body: { seconds: 31 * DAY_S } });
  const read = await w.shop.read(order_id);
  const tries = (read.at('transactions') as readonly object[]).length;
  return [code, read.at('status'), tries, read.at('retry.reason')];
}

test('a cancel of a declined order that waits for its next try says when that is, and what ends it', async () => {
  const order_id = await declined('given up between two tries', POOR);
  const cancel = () => w.shop.api(`/payment/maintenance/cancel/${order_id}`, { method: 'POST' });
  const refused = await cancel();
  expect([refused.status, refused.code]).toEqual([409, '720010']);
  const next_at = Date.parse(textAt(await w.shop.read(order_id), 'retry.next_try_date'));
  const said = /planned for (\S+): DELETE \/payment\/order\/\{order_id\}\/retry/.exec(textAt(refused, 'detail'));
  expect(Math.floor(Date.parse(said?.[1] ?? '') / 1000)).toBe(Math.floor(next_at / 1000));
  expect((await w.shop.api(`/payment/order/${order_id}/retry`, { method: 'DELETE' })).status).toBe(200);
  expect(textAt(await cancel(), 'detail')).not.toContain('planned');
});

describe('a cancel while the payment is under way, which the bank declines', () => {
  test('at its first try: no later one is planned', async () => {
    const bank = unheard();
    const token = await w.shop.token({ card_number: POOR, token_type: 'recurring' });
    const sale = { operation_type: 'direct_capture', amount: '25.00', currency: 'EUR', order_merchant_id: 'given up' };
    const order = await w.shop.order({ token, ...POLICY, ...sale }, { prefer: 'wait=0' });
    const stands = await cancelled(textAt(order, 'order_id'), bank);
    expect(stands).toEqual(['720010', 'authorization_declined', 1, undefined]);
  });

  test('at a later try: it is the last one', async () => {
    const order_id = await declined('given up later', POOR);
    const bank = unheard();
    const later = triesOf(order_id);
    await later.look(1);
    const stands = await cancelled(order_id, bank);
    await later.drain();
    expect(stands).toEqual(['720010', 'authorization_declined', 2, 'cancelled']);
  });
});
