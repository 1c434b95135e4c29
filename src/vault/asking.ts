// The common part of the three kinds of POST /token: the caller, the fields, and the checkout.
import { refuseField } from '../core/refusals.ts';
import type { Members } from './card/byte-fields.ts';
import type { VaultCaller } from './keys/callers.ts';
import type { Key } from './repeat.ts';
import type { VaultTools } from './tools.ts';

/** The facts that each of the three kinds of request gets. `once`: only with an Idempotency-Key. */
export type Asking = {
  readonly caller: VaultCaller;
  readonly members: Members;
  readonly now: Date;
  readonly once: Key | undefined;
  /** Names the request has and its kind does not know. */
  ignore(names: readonly string[]): void;
};

/** Refuses a checkout that could not take an order now. */
export async function refuseClosedCheckout(
  tools: VaultTools,
  checkout_id: string | null,
  merchant_account_id: string,
): Promise<void> {
  if (checkout_id !== null && (await isClosed(tools, checkout_id, merchant_account_id)))
    throw refuseField('checkout_id', 'parameter_invalid', 'is unknown, expired, or could not take an order now');
}

/** No answer within a second, or a money zone that cannot answer: accepted here, and the order checks again. */
async function isClosed(tools: VaultTools, checkout_id: string, merchant_account_id: string): Promise<boolean> {
  const patience = tools.clock.timer(1000);
  const asked = tools.payment.checkoutState({ checkout_id, merchant_account_id }).catch((error: unknown) => {
    tools.log.warn({ error: String(error) }, 'the checkout question was not answered');
    return 'open' as const;
  });
  const answer = await Promise.race([asked, patience.done]).finally(() => patience.end());
  return answer === 'closed';
}
