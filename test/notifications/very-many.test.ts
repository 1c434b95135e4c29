// What waits for one endpoint may be very much: no statement does all of it, and it comes to its end all the same.
import { expect, test } from 'vitest';
import { deleteEndpoint } from '../../src/payment/notification/endpoint/store.ts';
import { claimDue } from '../../src/payment/notification/dispatcher.ts';
import { endDelivered, switchOff } from '../../src/payment/notification/try-store.ts';
import { idleWorld, type World } from '../world.ts';
import { account, endpoint, roomOf } from './queue.ts';

const MANY = 12_000;

/** An endpoint that has failed for an hour, with very many that are tried again in an hour. */
async function failing(w: World) {
  const merchant = await account(w);
  const endpoint_id = await endpoint(w, merchant, { url: 'https://shop.example/notifications' });
  await w.sql(
    `INSERT INTO payment.notifications (id, merchant_account_id, endpoint_id, subject_id, event, sequence, facts, state, created_at, next_at, due_at)
     SELECT i.id, decode($1, 'hex'), decode($2, 'hex'), i.id, 'capture_successful', 1, '{}', 'waiting', t.now, t.now + interval '1 hour', t.now + interval '1 hour'
     FROM (SELECT payment.now() AS now) t, (SELECT payment.new_id(payment.now(), 1) AS id FROM generate_series(1, $3::int)) i`,
    [merchant, endpoint_id, MANY],
  );
  await w.sql(
    `UPDATE payment.endpoints SET failing_since = payment.now() - interval '1 hour' WHERE id = decode($1, 'hex')`,
    [endpoint_id],
  );
  // no statement may change more than its share
  await w.sql(
    `CREATE OR REPLACE FUNCTION public.few() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
       IF (SELECT count(*) FROM changed) > 5001 THEN RAISE EXCEPTION 'too many for one statement'; END IF; RETURN NULL; END $$`,
  );
  await w.sql(
    `CREATE OR REPLACE TRIGGER few_changed AFTER UPDATE ON payment.notifications REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION public.few()`,
  );
  await w.sql(
    `CREATE OR REPLACE TRIGGER few_gone AFTER DELETE ON payment.notifications REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION public.few()`,
  );
  /** As if it was being sent. */
  const next = async () => {
    const [one] = await w.sql<{ id: string; subject_id: string }>(
      `UPDATE payment.notifications SET leased_until = clock_timestamp() + interval '20 seconds'
       WHERE (merchant_account_id, id) = (
         SELECT merchant_account_id, id FROM payment.notifications WHERE endpoint_id = decode($1, 'hex') AND state = 'waiting' ORDER BY due_at LIMIT 1)
       RETURNING encode(id, 'hex') AS id, encode(subject_id, 'hex') AS subject_id`,
      [endpoint_id],
    );
    return { id: '', subject_id: '', ...one, endpoint_id, sequence: 1, status: 200, duration_ms: 0 };
  };
  const count = async (what: string) => {
    const [row] = await w.sql<{ many: number }>(
      `SELECT count(*)::int AS many FROM payment.notifications WHERE endpoint_id = decode($1, 'hex') AND ${what}`,
      [endpoint_id],
    );
    return row?.many;
  };
  return { merchant, endpoint_id, next, count };
}

const claim = (w: World) => claimDue(w.service.tools.db, { room: roomOf(4), lease_s: 20 });

test('after an outage each success lets some of them go, until all may', async () => {
  await using w = await idleWorld();
  const { merchant, endpoint_id, next, count } = await failing(w);
  const is_failing = async () =>
    (
      await w.sql(`SELECT failing_since IS NOT NULL AS failing FROM payment.endpoints WHERE id = decode($1, 'hex')`, [
        endpoint_id,
      ])
    )[0];
  const later: unknown[] = [];
  for (let success = 0; success < 3; success++) {
    await endDelivered(w.service.tools.db.tenant(merchant), await next());
    later.push([await count(`state = 'waiting' AND due_at > payment.now()`), await is_failing()]);
  }
  expect(later).toEqual([
    [6999, { failing: true }],
    [1999, { failing: true }],
    [0, { failing: false }],
  ]);
  expect(await count(`state = 'delivered'`)).toBe(3);
});

test('the notifications of an endpoint are all parked when it is switched off, and dropped when it is deleted', async () => {
  await using w = await idleWorld();
  const off = await failing(w);
  await switchOff(w.service.tools.db.tenant(off.merchant), { ...(await off.next()), status: 410 });
  const deleted = await failing(w);
  await w.service.tools.db.begin(deleted.merchant, (tx) =>
    deleteEndpoint({ ...tx, merchant_account_id: deleted.merchant }, deleted.endpoint_id),
  );
  for (let round = 0; round < 8; round++) expect(await claim(w)).toEqual([]);
  expect(await off.count(`state = 'parked' AND last_error = 'the endpoint is switched off'`)).toBe(MANY);
  expect(await deleted.count('true')).toBe(0);
});
