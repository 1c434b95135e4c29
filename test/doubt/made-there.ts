// What there is of an order whose merchant did something at the provider's own site: for tests of it.
import { expect } from 'vitest';
import { verifyLedger } from '../../src/payment/ledger/verify/verify.ts';
import { type Reply, until } from '../client.ts';
import type { Stand } from '../conformance/stand.ts';

type Made = { readonly kind: string; readonly state: string; readonly minor: string };

export function lookingAt(stand: () => Stand) {
  const inboxOf = (order_id: string): Promise<readonly { readonly state: string; readonly reason: string | null }[]> =>
    stand().w.sql(
      `SELECT state, reason FROM payment.provider_events WHERE order_id = decode($1, 'hex') AND state <> 'ignored'
       AND state <> 'applied'`,
      [order_id],
    );
  const waiting = () => stand().w.sql(`SELECT 1 FROM payment.provider_events WHERE state = 'received'`);
  return {
    /** How the inbox ended the messages of this order. */
    inboxOf,
    waiting,
    /** The order, once its status is this. */
    becomes: (order_id: string, status: string): Promise<Reply> =>
      until(async () => {
        const order = await stand().w.shop.read(order_id);
        return order.at('status') === status ? order : undefined;
      }),
    eventsOf: async (order_id: string): Promise<readonly string[]> => {
      const rows = await stand().w.sql<{ type: string }>(
        `SELECT type FROM payment.events WHERE subject_id = decode($1, 'hex') ORDER BY seq`,
        [order_id],
      );
      return rows.map(({ type }) => type);
    },
    /** What was not made through us. */
    madeThere: (order_id: string): Promise<readonly Made[]> =>
      stand().w.sql<Made>(
        `SELECT kind, state, amount_minor::text AS minor FROM payment.operations
         WHERE order_id = decode($1, 'hex') AND origin = 'provider' ORDER BY id`,
        [order_id],
      ),
    /** No difference between us, our ledger and the provider. */
    agrees: async (order_id: string): Promise<void> => {
      expect(await stand().differences(order_id)).toEqual([]);
      const { first } = await verifyLedger({ db: stand().w.service.tools.db, progress: () => undefined });
      expect(first).toBeUndefined();
    },
    /** Until no message waits; those that wait for something are looked at now, and not in half a minute. */
    looked: () =>
      until(async () => {
        await stand().w.sql(
          `UPDATE payment.provider_events SET received_at = received_at - interval '1 min', looked_at = NULL
           WHERE state = 'received'`,
        );
        stand().w.service.tools.wake_up.wake();
        return (await waiting()).length === 0 || undefined;
      }),
  };
}
