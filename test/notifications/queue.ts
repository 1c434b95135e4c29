// A queue of notifications without a shop: accounts, endpoints and events straight in the database, and couriers of the
// test's own.
import { insertAccount } from '../../src/payment/merchant/store.ts';
import { EVENTS } from '../../src/payment/notification/events.ts';
import { type Dispatcher, makeDispatcher } from '../../src/payment/notification/dispatcher.ts';
import { insertEndpoint } from '../../src/payment/notification/endpoint/store.ts';
import { sealSecret } from '../../src/payment/notification/secret.ts';
import type { World } from '../world.ts';
import { MADE_UP } from './receiver.ts';
import type { Room } from '../../src/payment/notification/schedule.ts';

export const SECRET = 'whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=';

/** So many places for all, and no account held back. */
export const roomOf = (places: number): Room => ({ free: () => places, left: () => Number.MAX_SAFE_INTEGER });

export async function account({ service: { tools } }: World): Promise<string> {
  const id = tools.chance.id();
  MADE_UP.add(id);
  await insertAccount(tools.db.tenant(id), { name: 'a shop', rules: [], by: 'test' });
  return id;
}

export async function endpoint(
  { service: { tools } }: World,
  merchant_account_id: string,
  wanted: { readonly url: string; readonly events?: readonly string[] },
): Promise<string> {
  const id = tools.chance.id();
  const sealed = sealSecret(tools, { merchant_account_id, endpoint_id: id }, SECRET);
  await tools.db.begin(merchant_account_id, (tx) =>
    insertEndpoint({ ...tx, merchant_account_id }, { id, events: EVENTS, ...wanted, description: '', sealed }, 16),
  );
  return id;
}

/** The n-th event of an order that nobody else knows. */
export async function event(
  { sql }: World,
  merchant_account_id: string,
  { subject, seq, type = 'capture_successful' }: { subject: string; seq: number; type?: string },
): Promise<void> {
  await sql(
    `INSERT INTO payment.events (subject_id, seq, merchant_account_id, type, order_version) VALUES (decode($1, 'hex'), $2, decode($3, 'hex'), $4, $2)`,
    [subject, seq, merchant_account_id, type],
  );
}

/** Many events of many orders, one commit each order. */
export async function events(
  { sql, service: { tools } }: World,
  merchant_account_id: string,
  { orders, each }: { orders: number; each: number },
): Promise<readonly string[]> {
  const subjects = Array.from({ length: orders }, () => tools.chance.id());
  await sql(
    `INSERT INTO payment.events (subject_id, seq, merchant_account_id, type, order_version)
     SELECT decode(s, 'hex'), n, decode($1, 'hex'), CASE n % 3 WHEN 0 THEN 'refund_successful' WHEN 1 THEN 'capture_requested' ELSE 'capture_successful' END, n
     FROM unnest($2::text[]) s, generate_series(1, $3::int) n ORDER BY n, s`,
    [merchant_account_id, subjects, each],
  );
  return subjects;
}

/** Moves the deployment's clock forward. */
export async function later({ sql }: World, seconds: number): Promise<void> {
  await sql(`UPDATE payment.clock SET shift = shift + make_interval(secs => $1)`, [seconds]);
}

/** Moves it to when the next one is due, once nothing is. */
export async function laterWhenIdle(world: World): Promise<void> {
  const [row] = await world.sql<{ wait: number | null }>(
    `SELECT extract(epoch FROM min(due_at) - payment.now())::float8 AS wait FROM payment.notifications WHERE state = 'waiting'`,
  );
  if (row?.wait && row.wait > 0) await later(world, row.wait);
}

export async function count({ sql }: World, state: string): Promise<number> {
  const [row] = await sql<{ count: string }>(`SELECT count(*) FROM payment.notifications WHERE state = $1`, [state]);
  return Number(row?.count);
}

/** A dispatcher that looks again whenever something has ended, until it is stopped. */
export function worker({ service: { tools } }: World): { readonly dispatcher: Dispatcher; stop(): Promise<void> } {
  let stopped = false;
  let looking = Promise.resolve();
  let asked = false;
  const look = () => {
    if (stopped || asked) return;
    asked = true;
    const before = looking;
    looking = (async () => {
      await before;
      asked = false;
      if (!stopped) await dispatcher.look();
    })();
  };
  const dispatcher = makeDispatcher(tools, { ended: look });
  const timer = setInterval(look, 20);
  return {
    dispatcher,
    stop: async () => {
      stopped = true;
      clearInterval(timer);
      await looking;
      await dispatcher.drain();
    },
  };
}
