// florin archive takes a month off while it holds the whole table. One that stands still in the middle of that, as its
// machine may, holds up no payment: the server ends its connection, and the month stays where it was.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { takeOff, takeTurn } from '../../src/commands/archive/store.ts';
import { idAt } from '../../src/core/ids.ts';
import { keepMonths } from '../../src/payment/months-store.ts';
import { textAt, until } from '../client.ts';
import { connectTo } from '../database/numbered.ts';
import { stillBefore } from '../database/stand-still.ts';
import { type World, world } from '../world.ts';

const NOW = new Date();
const MONTH = new Date(Date.UTC(NOW.getUTCFullYear(), NOW.getUTCMonth() - 20));
const PART = `observations_${MONTH.toISOString().slice(0, 7).replace('-', '')}`;

let w: World;
beforeAll(async () => {
  w = await world();
});
afterAll(() => w[Symbol.asyncDispose]());

test('payments go on though a run stands still while it takes a month off, and nothing is lost', async () => {
  const id = idAt(MONTH.getTime() + 86_400_000);
  const rows = () => w.sql(`SELECT FROM payment.observations WHERE transaction_id = decode($1, 'hex')`, [id]);
  await w.sql(
    `INSERT INTO payment.observations (at, merchant_account_id, transaction_id, source, outcome)
     VALUES ($1, decode($2, 'hex'), decode($3, 'hex'), 'answer', 'approved')`,
    [MONTH, w.account, id],
  );
  await keepMonths(w.service.tools.db);
  const own = await connectTo(w.database);
  // the server says on an idle connection that it ends it
  own.on('error', () => undefined);
  await takeTurn(own);
  const run = stillBefore(own, 'RENAME TO');
  const taken = takeOff(own, PART).catch((error: unknown) => error);
  await Promise.race([run.there, taken]);
  const paid = await until(async () => {
    const answer = await w.shop.pay({}, { operation_type: 'direct_capture', amount: '10.00', order_merchant_id: 'on' });
    return answer.status === 200 ? answer : undefined;
  });
  expect((await w.shop.decided(textAt(paid, 'order_id'))).at('status')).toBe('capture_successful');
  run.goOn();
  expect(await taken).toBeInstanceOf(Error);
  expect(await rows()).toHaveLength(1);
  await own.end();
  const again = await until(() => takenOff());
  expect(again).toMatchObject({ part: PART });
  expect(await rows()).toHaveLength(0);
});

/** By a run that does not stand still. Undefined: the lock of the table was not free. */
async function takenOff() {
  const client = await connectTo(w.database);
  try {
    await takeTurn(client);
    return await takeOff(client, PART);
  } finally {
    await client.end();
  }
}
