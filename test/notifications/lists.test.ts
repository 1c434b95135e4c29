// Lists of notifications where there are very many: what is asked for is found by an index, whatever the values (the
// plans of a service are made without them).
import { type Plan, planNodes } from '../../bench/plans.ts';
import type pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { preparedStatements, withTransaction } from '../../src/kit/database.ts';
import { replayRange } from '../../src/payment/notification/history/store.ts';
import { textAt } from '../client.ts';
import { type World, world } from '../world.ts';
import { everyNotificationStatement } from './everything.ts';

/**
 * Of 50,000 orders, to an endpoint that got nearly all and one that got few; of the newest some wait, of the oldest
 * some are parked.
 */
const FILL = `
  INSERT INTO payment.notifications (id, merchant_account_id, endpoint_id, subject_id, order_id, event, sequence, facts, body, state, created_at, next_at, due_at)
  SELECT payment.new_id(x.at, 1), decode($1, 'hex'), decode(CASE WHEN x.g % 1000 = 0 THEN '22' ELSE '11' END || repeat('0', 22), 'hex'), x.subject, x.subject,
    CASE WHEN x.g % 997 = 0 THEN 'dispute.opened' ELSE (ARRAY['authorization_successful','capture_successful','refund_successful'])[1 + x.g % 3] END, 1 + x.g % 4, 'null', '{}',
    CASE WHEN x.g < 100 THEN 'parked' WHEN x.g > 199900 THEN 'waiting' ELSE 'delivered' END, x.at, x.at + interval '90 years', x.at + interval '90 years'
  FROM (SELECT g, '2026-01-01'::timestamptz + make_interval(secs => g) AS at, decode(left(md5((g / 4)::text), 24), 'hex') AS subject FROM generate_series(1, 200000) g) x`;

let w: World;
beforeAll(async () => {
  w = await world({ FLORIN_NOTIFICATION_PRIVATE_TARGETS: 'yes' });
  await everyNotificationStatement(w);
  await w.sql(FILL, [w.account]);
  await w.sql('ANALYZE payment.notifications');
});
afterAll(() => w[Symbol.asyncDispose]());

/** How the notifications of a statement are found, as the service itself would find them. */
async function planOf(name: string): Promise<readonly Plan[]> {
  const { text = '' } = preparedStatements().get(name) ?? {};
  return planNodes(<R extends pg.QueryResultRow>(statement: string) => w.sql<R>(statement), {
    text,
    role: 'payment_app',
  });
}

test.each([
  ['find_notifications_of_order', 'notifications_of_order', /order_id = /],
  ['find_notifications_of_state', 'notifications_undelivered', /state = /],
  ['find_notifications_of_event', 'notifications_of_event', /event = /],
  ['find_notifications_of_endpoint', 'notifications_of_endpoint', /endpoint_id = /],
  ['find_notifications', 'notifications_pkey', /id < /],
])('%s reads %s, in its order and from where the page begins', async (name, index, condition) => {
  const nodes = await planOf(name);
  const [scan, ...more] = nodes.filter((node) => node['Index Name'] !== undefined);
  expect([scan?.['Index Name'], more]).toEqual([index, []]);
  const by = scan?.['Index Cond']?.replaceAll(/\((?:\w+\.)?(\w+)\)::bytea/g, '$1') ?? '';
  expect(by).toMatch(condition);
  expect(by).toMatch(/\bid > .*\bid < /);
  expect(nodes.map((node) => node['Node Type'])).not.toContain('Sort');
});

test.each([
  ['replay_parked_notifications', 'notifications_parked'],
  ['replay_delivered_notifications', 'notifications_of_endpoint'],
])('%s finds the range by %s, the oldest first', async (name, index) => {
  const nodes = await planOf(name);
  const scans = nodes.filter((node) => node['Index Name'] !== undefined).map((node) => node['Index Name']);
  // those of the range, and each of them by its id
  expect(new Set(scans)).toEqual(new Set([index, 'notifications_pkey']));
  expect(scans).toHaveLength(2);
  expect(nodes.filter((node) => node['Node Type'] === 'Seq Scan')).toEqual([]);
});

test('a range is sent again piece by piece, each behind the one before, also where what was sent is delivered meanwhile', async () => {
  const account = w.account;
  const created = { created_from: new Date('2026-01-01T00:16:40Z'), created_to: null };
  const range = { ...created, endpoint_id: `22${'0'.repeat(22)}`, state: 'delivered' as const, room: 150 };
  const counts: number[] = [];
  const pieces = withTransaction(w.service.tools.db, account, async (tx) => {
    for (let after: string | null = null, done = false; !done;) {
      const piece = await replayRange(tx, { ...range, after });
      counts.push(piece.count);
      await tx.run(
        'deliver_all',
        `UPDATE payment.notifications SET state = 'delivered' WHERE state = 'waiting' AND next_at <= payment.now()`,
      );
      [after, done] = [piece.last, piece.count < range.room];
    }
    throw new Error('undone: nobody is to send them');
  });
  await expect(pieces).rejects.toThrow('undone');
  // one of the two hundred waits
  expect(counts).toEqual([150, 49]);
});

test('every filter finds its own among them, page by page', async () => {
  const { shop } = w;
  const walk = async (query: string): Promise<readonly unknown[]> => {
    const found: unknown[] = [];
    for (let cursor = ''; ;) {
      const page = await shop.api(`/notification?limit=100&${query}${cursor}`);
      expect(page.status).toBe(200);
      found.push(...(page.at('notifications') as unknown[]));
      if (page.at('has_more') !== true) return found;
      cursor = `&cursor=${textAt(page, 'next_cursor')}`;
    }
  };
  const of = (query: string) => walk(query).then(({ length }) => length);
  const [one] = await w.sql<{ id: string }>(`SELECT left(md5('25000'), 24) AS id`);
  expect(await of(`order_id=${one?.id}`)).toBe(4);
  expect(await of(`endpoint_id=22${'0'.repeat(22)}`)).toBe(200);
  expect(await of('event=dispute.opened')).toBe(200);
  expect(await of(`event=dispute.opened&endpoint_id=22${'0'.repeat(22)}`)).toBe(0);
  expect(await of(`state=waiting&endpoint_id=11${'0'.repeat(22)}`)).toBe(99);
  expect(await of('created_from=2026-01-01T00:00:01Z&created_to=2026-01-01T00:03:21Z')).toBe(200);
  expect(await of('state=parked&created_to=2026-01-02')).toBe(99);
});
