// Rules are not published while versions are compared: the groups would be other ones than the experiment was begun
// with.
import { Refusal } from '../../../core/refusals.ts';
import type { TenantRunner } from '../../../kit/database.ts';
import { findExperiments } from './experiments-store.ts';

/** Runs in the transaction that publishes, which holds the lock of the account. */
export async function refuseWhileCompared(tx: TenantRunner): Promise<void> {
  const running = (await findExperiments(tx)).find(({ ended_at }) => ended_at === null);
  if (running)
    throw new Refusal('order_in_process', {
      detail: `experiment ${running.number} compares version ${running.version_a} with ${running.version_b}: end it first`,
    });
}
