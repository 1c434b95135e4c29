// A worker that stood still while it erased somebody, for longer than its lease: another one has ended the erasure, and
// who has come back since is not erased. A worker that died in the middle is counted with what it did.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eraseDue } from '../../src/payment/privacy/erase.ts';
import { insertErasure } from '../../src/payment/privacy/store.ts';
import type { Tools } from '../../src/payment/tools.ts';
import { textAt, until } from '../client.ts';
import { type World, world } from '../world.ts';

let w: World;
beforeAll(async () => {
  w = await world();
});
afterAll(() => w[Symbol.asyncDispose]());

let count = 0;

type Person = { readonly customer_id: string; readonly customer_last_name: string };

async function buys(person: Person): Promise<void> {
  const sale = { operation_type: 'direct_capture', token_type: 'recurring', order_merchant_id: `cart-${++count}` };
  const paid = await w.shop.pay({ token_type: 'recurring' }, { ...sale, ...person });
  await w.shop.decided(textAt(paid, 'order_id'));
}

/** What is kept of them in clear, and how many cards. */
async function known({ customer_id, customer_last_name }: Person) {
  const saved = (await w.shop.api(`/payment/information/${customer_id}`)).at('payment_methods_saved');
  const [row] = await w.sql<{ orders: number }>(
    `SELECT count(*)::int AS orders FROM payment.orders WHERE body::text LIKE '%' || $1 || '%'`,
    [customer_last_name],
  );
  return { cards: Array.isArray(saved) ? saved.length : 0, orders: row?.orders };
}

const erasureOf = async (id: string) =>
  (await w.sql(`SELECT state, orders, cards FROM payment.erasures WHERE id = decode($1, 'hex')`, [id]))[0];

/** A worker that stands still where it tells the vault of a card that it has removed, until it is let go. */
async function stoodStill() {
  const { tools } = w.service;
  for (;;) {
    const person = { customer_id: `back-${++count}`, customer_last_name: `Returnson${count}x` };
    await buys(person);
    const [stands, goes] = [Promise.withResolvers<boolean>(), Promise.withResolvers<void>()];
    const remove: Tools['vault']['remove'] = async (removal) => {
      stands.resolve(true);
      await goes.promise;
      return tools.vault.remove(removal);
    };
    const id = tools.chance.id();
    await insertErasure(tools.db.tenant(w.account), {
      customer_id: person.customer_id,
      email: null,
      id,
      requested_by: 'a test',
    });
    const run = eraseDue({ ...tools, vault: { ...tools.vault, remove } });
    // the worker of this world may have been quicker
    if (await Promise.race([stands.promise, run.then(() => false)])) return { id, person, run, goOn: goes.resolve };
    await run;
  }
}

test('who came back after their erasure is left alone by a worker that wakes up in the middle of it', async () => {
  const { id, person, run, goOn } = await stoodStill();
  await w.sql(`UPDATE payment.erasures SET due_at = payment.now() WHERE id = decode($1, 'hex')`, [id]);
  const done = await until(async () => {
    const row = await erasureOf(id);
    return row?.['state'] === 'done' ? row : undefined;
  });
  // the card that the first one removed is counted, though it never came to say so
  expect(done).toEqual({ state: 'done', orders: 1, cards: 1 });
  expect(await known(person)).toEqual({ cards: 0, orders: 0 });
  await buys(person);
  expect(await known(person)).toEqual({ cards: 1, orders: 1 });
  goOn();
  expect(await run).toBe(true);
  expect(await known(person)).toEqual({ cards: 1, orders: 1 });
  expect(await erasureOf(id)).toEqual(done);
});
