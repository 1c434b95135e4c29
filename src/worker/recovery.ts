// Recovery of operations: takes what is due, each on its own, with places that the providers share. A provider that
// answers just before its deadline keeps its share of them, and none of the others'.
import { makePlaces } from '../kit/places.ts';
import { type ClaimedOperation, claimOperations } from '../payment/order/engine/queue-store.ts';
import { LEASE_S, recoverClaimed } from '../payment/order/engine/recovery/recover.ts';
import type { Tools } from '../payment/tools.ts';

/** Over all providers, in this process. */
const PLACES = 64;
const LOOK_AGAIN_MS = 250;

export type Recovery = {
  /** Takes what is due and begins to work on it. Answers whether there may be more at once. */
  look(): Promise<boolean>;
  /** Done when nothing is under way. */
  drain(): Promise<void>;
};

export function makeRecovery(tools: Tools): Recovery {
  const places = makePlaces(PLACES);
  return {
    look: async () => {
      const room = places.room();
      const crowded = places.crowded();
      const claimed = room === 0 ? [] : await claimOperations(tools.db.looks, { room, lease_s: LEASE_S, crowded });
      if (claimed.length > 0) tools.crash.at('claim_committed');
      for (const operation of claimed) places.hold(operation.provider, recoverOne(tools, operation));
      if (claimed.length === room && room > 0) return true;
      if (crowded.length === 0) return false;
      // more may be due of providers that have their share: a place of theirs is soon free, or another provider comes
      const pause = tools.clock.timer(LOOK_AGAIN_MS);
      await Promise.race([places.freed(), pause.done]);
      pause.end();
      return true;
    },
    drain: () => places.drain(),
  };
}

const recoverOne = (tools: Tools, operation: ClaimedOperation) =>
  recoverClaimed(tools, operation).catch((error: unknown) =>
    tools.log.error(
      { order_id: operation.order_id, operation_id: operation.id, error: String(error) },
      'recovery will try again',
    ),
  );
