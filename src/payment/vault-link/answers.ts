// The money zone as the vault sees it: every verb of core/link/verbs.ts, in this process. The payment host's link
// answers with the same.
import type { PaymentLink } from '../../core/link/verbs.ts';
import { checkoutState } from '../checkout/read.ts';
import { touchKey } from '../merchant/store.ts';
import type { Tools } from '../tools.ts';

export function paymentLink(tools: Pick<Tools, 'db'>): PaymentLink {
  return {
    checkoutState: ({ checkout_id, merchant_account_id }) => checkoutState(tools, checkout_id, merchant_account_id),
    keyUsed: ({ merchant_account_id, digest, in_page }) =>
      touchKey(tools.db.tenant(merchant_account_id), digest, in_page),
  };
}
