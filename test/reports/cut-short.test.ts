// A report that is deleted while somebody takes it out ends there as a failure, not as a report of fewer rows.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { seal } from '../../src/kit/crypto.ts';
import { readRun } from '../../src/payment/report/make.ts';
import { insertPiece } from '../../src/payment/report/piece-store.ts';
import { reportSealing } from '../../src/payment/sealings.ts';
import { type Person, firstOwner } from '../backoffice/person.ts';
import { type World, world } from '../world.ts';

const PIECES = ['order_id,amount\r\n', 'first,1.00\r\n', 'second,2.00\r\n'];
const size = BigInt(PIECES.join('').length);

let w: World;
let ada: Person;
beforeAll(async () => {
  w = await world();
  ada = await firstOwner(w);
});
afterAll(() => w[Symbol.asyncDispose]());

/** A report that was made, in several pieces. Answers its id. */
async function made(): Promise<string> {
  const { tools } = w.service;
  const id = tools.chance.id();
  await w.sql(
    `INSERT INTO payment.report_runs (
       id, merchant_account_id, name, kind, format, zone, from_at, to_at, requested_by, state, rows, size, made_at)
     VALUES (decode($1, 'hex'), decode($2, 'hex'), 'long', 'orders', 'csv', 'UTC', payment.now() - interval '1 day',
       payment.now(), 'ada@shop.example', 'done', 2, $3::bigint, payment.now())`,
    [id, w.account, String(size)],
  );
  for (const [n, text] of PIECES.entries()) {
    const sealing = reportSealing(tools.secret_key, w.account, `${id}|${n}`);
    const sealed = seal(Buffer.from(text), tools.chance.bytes(12), sealing);
    await insertPiece(tools.db.tenant(w.account), { run_id: id, n, sealed });
  }
  return id;
}

const remove = (id: string) => ada.ask('DELETE', `/api/reports/${id}/file`);
const download = (id: string) => fetch(`${ada.url}/api/reports/${id}/file`, { headers: { cookie: ada.cookie } });

test('what is read of a report that is deleted meanwhile is not taken for all of it', async () => {
  const id = await made();
  const pieces = readRun(w.service.tools, { merchant_account_id: w.account, id, size });
  expect(String((await pieces.next()).value)).toBe(PIECES[0]);
  expect((await remove(id)).status).toBe(200);
  await expect(pieces.next()).rejects.toThrow('deleted while it was taken out');
});

test('a download that does not come to the end of the report breaks off', async () => {
  const id = await made();
  expect(await (await download(id)).text()).toBe(PIECES.join(''));
  await w.sql(`DELETE FROM payment.report_pieces WHERE run_id = decode($1, 'hex') AND n = 2`, [id]);
  await expect(download(id).then((answer) => answer.text())).rejects.toThrow('terminated');
});
