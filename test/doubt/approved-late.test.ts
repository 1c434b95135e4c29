// An authorization that its provider approves after its decline is undone there. Until the provider has acknowledged
// that, it may hold the payer's money: the same is said wherever the order is shown.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { merchantAt } from '../../src/commands/sandbox/session.ts';
import { readerOf } from '../../src/commands/mcp/hands.ts';
import { READ_TOOLS } from '../../src/commands/mcp/read-tools.ts';
import { firstOwner } from '../backoffice/person.ts';
import { textAt, until } from '../client.ts';
import { type World, world } from '../world.ts';
import { operationsOf, says } from './said.ts';

let w: World;
beforeAll(async () => {
  w = await world();
});
afterAll(() => w[Symbol.asyncDispose]());

/** A declined order whose approval came late, and whose reversal does not reach the provider. */
async function approvedLate(order_merchant_id: string): Promise<string> {
  await w.shop.api('/sandbox/scenario', {
    body: { operation: 'cancel', fault: 'refuse_connection', times: 100, match: { order_merchant_id } },
  });
  const declined = { card_number: '4000000000000002' };
  const order_id = textAt(await w.shop.pay(declined, { operation_type: 'authorize', order_merchant_id }), 'order_id');
  const [reference = ''] = await operationsOf(w, order_id, 'authorize');
  await says(w, { order_id, reference, kind: 'authorize', status: 'approved', code: '944444' });
  await until(async () => {
    const rows = await w.sql(
      `SELECT FROM payment.operations WHERE order_id = decode($1, 'hex') AND kind = 'reversal' AND state = 'requested' AND tries > 0`,
      [order_id],
    );
    return rows.length === 1 || undefined;
  });
  return order_id;
}

/** The worker has put the order where it is searched. */
const followed = (order_id: string) =>
  until(async () => {
    const rows = await w.sql(
      `SELECT FROM payment.events, payment.order_search_state WHERE subject_id = decode($1, 'hex') AND tx >= next_tx`,
      [order_id],
    );
    return rows.length === 0 || undefined;
  });

/** What a program that writes code is told of it. */
function explained(order_id: string): Promise<string> {
  const merchant = merchantAt(w.shop.addresses, w.keys.private_key);
  const tool = READ_TOOLS.find(({ name }) => name === 'explain_doubt');
  const prepared = tool?.prepare(new Map([['order_id', order_id]]));
  if (!prepared || !('run' in prepared)) throw new Error('explain_doubt takes an order_id');
  return prepared.run(readerOf(merchant));
}

test('an order whose late approval is not undone yet is in doubt in every list, on its page and in the API', async () => {
  const owner = await firstOwner(w);
  const order_id = await approvedLate('approved-late');
  await followed(order_id);
  const rowOf = async (page: string) => {
    const { orders } = (await owner.get(page)).body as { orders: readonly { id: string; in_doubt: boolean }[] };
    return orders.find(({ id }) => id === order_id)?.in_doubt;
  };
  const doubts = (await owner.get('/api/in-doubt')).at('operations') as readonly { order_id: string }[];
  expect({
    overview: (await owner.get('/api/needs')).at('in_doubt.0.count'),
    doubts: doubts.filter((row) => row.order_id === order_id).length,
    filtered: await rowOf('/api/orders?in_doubt=true'),
    found: await rowOf('/api/orders?search=approved-late'),
    named: await rowOf('/api/orders?search=approved-late&in_doubt=true'),
    page: (await owner.get(`/api/orders/${order_id}`)).at('in_doubt'),
    read: (await w.shop.read(order_id)).at('is_in_doubt'),
    explained: (await explained(order_id)).includes('reverses an authorization that must not stay'),
  }).toEqual({
    overview: 1,
    doubts: 1,
    filtered: true,
    found: true,
    named: true,
    page: true,
    read: true,
    explained: true,
  });
});
