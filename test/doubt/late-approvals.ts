// Payments that the bank declined and approves late: they are in doubt until our reversal has reached it.
import { expect } from 'vitest';
import { until } from '../client.ts';
import { holdRecovery } from '../undecided.ts';
import type { World } from '../world.ts';
import { operationsOf, says } from './said.ts';

export type LateApprovals = {
  /** The bank approves late what was declined, so that it is to be undone; no reversal is sent yet. */
  approvedLate(order_id: string): Promise<void>;
  /** Reversals are sent again, and that of this order is at the bank. */
  undone(order_id: string): Promise<void>;
  /** For the end of each test: nothing of it is left in doubt. */
  end(): Promise<void>;
};

export function lateApprovals(w: World): LateApprovals {
  const doubtful: string[] = [];
  let letGo: (() => Promise<void>) | undefined;
  const undone = async (order_id: string) => {
    await letGo?.();
    letGo = undefined;
    await w.sql(`UPDATE payment.operations SET due_at = payment.now() WHERE kind = 'reversal' AND state = 'requested'`);
    await w.shop.api('/sandbox/clock/advance', { body: { seconds: 1 } });
    await until(async () => (await w.shop.read(order_id)).at('is_in_doubt') === false || undefined);
  };
  return {
    approvedLate: async (order_id) => {
      // calls that fail would make the router leave the bank alone, and the next payment go to another one
      letGo ??= await holdRecovery(w);
      const [reference = ''] = await operationsOf(w, order_id, 'authorize');
      const end = await says(w, { order_id, reference, kind: 'authorize', status: 'approved', code: '944444' });
      expect([end.state, (await w.shop.read(order_id)).at('is_in_doubt')]).toEqual(['applied', true]);
      doubtful.push(order_id);
    },
    undone,
    end: async () => {
      for (const order_id of doubtful.splice(0)) await undone(order_id);
    },
  };
}
