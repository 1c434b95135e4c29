// A process that is stopped, or stands still, in the middle of its work, and another that goes on with it meanwhile.
import type { KillPoint } from '../../src/core/kill-points.ts';
import { recoverOperation } from '../../src/payment/order/engine/recovery/recover.ts';
import { findOrder } from '../../src/payment/order/facts/order-store.ts';
import { until } from '../client.ts';
import type { World } from '../world.ts';

export type Cut = { readonly hit: boolean; restore(): void };

/** Goes on at the end of its story at the latest. */
export type Stall = Disposable & { readonly reached: Promise<void>; goOn(): void };

export function cut(w: World, point: KillPoint, passes: number): Cut {
  const { tools } = w.service;
  const before = tools.crash;
  let left = passes;
  const made = { hit: false, restore: () => void Object.assign(tools, { crash: before }) };
  const at = (here: KillPoint) => {
    if (made.hit || here !== point || left-- > 0) return;
    made.hit = true;
    throw new Error(`the power was cut at ${point}`);
  };
  Object.assign(tools, { crash: { at, during: () => undefined } });
  return made;
}

export function stall(w: World, step: string): Stall {
  const { tools } = w.service;
  const { direct, vault } = tools;
  const [reached, going] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  let standing: string | undefined;
  const stalled =
    <Call extends { readonly step: string; readonly key: string }, Answer>(send: (call: Call) => Promise<Answer>) =>
    async (call: Call) => {
      const [operation_id = ''] = call.key.split('-');
      // what others send meanwhile is no earlier than what this one does next
      if (standing !== undefined && standing !== operation_id) {
        const before = standing;
        await going.promise;
        await until(() => Promise.resolve(!tools.running.has(before) || undefined));
      }
      const answer = await send(call);
      if (call.step !== step || standing !== undefined) return answer;
      standing = operation_id;
      reached.resolve();
      await going.promise;
      return answer;
    };
  const forward = stalled((call: Parameters<typeof vault.forward>[0]) => vault.forward(call));
  Object.assign(tools, { direct: stalled(direct), vault: { ...vault, forward } });
  const goOn = () => {
    Object.assign(tools, { direct, vault });
    going.resolve();
  };
  return { reached: reached.promise, goOn, [Symbol.dispose]: goOn };
}

/** At what is open, and at what undoes it where that followed. What the worker has taken up by itself is waited for. */
export async function looked(w: World, order_id: string): Promise<void> {
  const { tools } = w.service;
  const idle = () => until(() => tools.running.find(order_id) === undefined || undefined);
  await idle();
  for (const kind of ['authorize', 'refund', 'reversal'] as const) {
    const open = await take(w, order_id, kind);
    if (open) await recoverOperation(tools, open);
    await idle();
  }
}

export async function takeUp(w: World, order_id: string, does: 'nothing' | 'recovery'): Promise<void> {
  const open = await take(w, order_id, 'authorize');
  if (does === 'recovery' && open) await recoverOperation(w.service.tools, open);
}

/** Claims an operation as payment.claim_operations does. Undefined: none is open. */
async function take(
  { service: { tools, demo }, sql }: World,
  order_id: string,
  kind: 'authorize' | 'refund' | 'reversal',
) {
  const [claimed] = await sql<{ id: string; tries: number }>(
    `UPDATE payment.operations
     SET tries = tries + 1, due_at = payment.now() + interval '1 hour'
     WHERE order_id = decode($1, 'hex') AND kind = $2 AND state IN ('requested', 'in_doubt')
     RETURNING encode(id, 'hex') AS id, tries`,
    [order_id, kind],
  );
  const order = claimed && (await findOrder(tools.db.tenant(demo?.merchant_account_id ?? ''), order_id));
  const operation = order?.operations.find(({ id }) => id === claimed?.id);
  return claimed && order && operation && { order, operation, tries: claimed.tries };
}
