// Later tries of a run: what waits is made due at once, for its days are not waited for.
import type { Arena } from '../arena.ts';
import { pause } from '../ask.ts';
import { type Draining, type Violated, drain } from '../settle.ts';

/** Tries that have waited long enough, and tries of a worker that has died since. */
const HASTEN = `
  UPDATE payment.retries SET next_at = payment.now(), due_at = payment.now()
  WHERE state = 'waiting' AND (next_at > payment.now() OR due_at > payment.now() + interval '2 s')`;

/** Tries that are looked at again after an hour, because the try or its process has ended. */
const LOOK_AGAIN = `UPDATE payment.retries SET due_at = payment.now() WHERE state = 'running' AND due_at > payment.now() + interval '30 s'`;

const HASTEN_MS = 400;

export function hasten({ postgres }: Arena): { stop(): Promise<void> } {
  let going = true;
  const run = async () => {
    while (going) {
      await postgres.look(HASTEN);
      await pause(HASTEN_MS);
    }
  };
  const ended = run();
  return {
    stop: async () => {
      going = false;
      await ended;
    },
  };
}

/** After the last fault: every planned try is made, until every policy has ended. */
export async function endTries(arena: Arena, longest_s: number, violated: Violated, step: Draining): Promise<void> {
  const { postgres } = arena;
  const until = performance.now() + longest_s * 1000;
  for (;;) {
    const left = await postgres.sql<{ order_id: string; state: string }>(
      `SELECT encode(order_id, 'hex') AS order_id, state FROM payment.retries WHERE state <> 'ended'`,
    );
    if (left.length === 0) return;
    if (performance.now() > until) {
      for (const { order_id, state } of left) violated(order_id, `its later tries never end: ${state}`);
      return;
    }
    await postgres.sql(HASTEN);
    await pause(HASTEN_MS);
    await drain(arena, longest_s, violated, step);
    await postgres.sql(LOOK_AGAIN);
  }
}
