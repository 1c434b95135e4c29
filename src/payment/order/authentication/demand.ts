// What the merchant asked for of the payer's authentication holds wherever the order is paid (contract 10.1). Where the
// next provider sees no payer, and nobody has seen this one yet, ours asks before it is called. Where a provider was to
// authenticate in any case, and did not, nothing is paid.
import { demandedOf } from '../../order-rules/indicator.ts';
import type { Tools } from '../../tools.ts';
import { authenticationOf } from '../facts/authentication-facts.ts';
import { type OrderFacts, type TransactionFacts, transactionOf } from '../facts/order-facts.ts';

type Passed = {
  /** Of the try that failed. */
  readonly operation: { readonly transaction_id: string };
  /** The provider that goes on. */
  readonly provider: string;
};

/** Undefined: the payer is not to be asked by us, or was asked in this attempt. */
export function demandOfFallback(
  { providers }: Pick<Tools, 'providers'>,
  order: OrderFacts,
  { operation, provider }: Passed,
): 'ask_3ds' | 'force_3ds' | undefined {
  const before = transactionOf(order, operation);
  if (!before || !hasCardNumber(before) || order.body['3ds_data'] !== undefined) return undefined;
  if (authenticationOf(order, before.id) || providers.get(provider)?.can.three_ds.includes('redirect'))
    return undefined;
  const said = demandedOf(order);
  return said === 'ask_3ds' || said === 'force_3ds' ? said : undefined;
}

/** The 3-D Secure directory and the bank are asked by card number. */
export const hasCardNumber = ({ foreign, network_token }: TransactionFacts): boolean => !foreign && !network_token;

/**
 * Approved without the authentication that was forced, as the provider says. Ours is one, as is one made elsewhere, and
 * that of a wallet for its token (contract 6.6).
 */
export function lacksAuthentication(
  order: OrderFacts,
  operation: { readonly transaction_id: string },
  { unauthenticated }: { readonly unauthenticated?: true },
): boolean {
  if (unauthenticated !== true || demandedOf(order) !== 'force_3ds' || order.body['3ds_data'] !== undefined)
    return false;
  const is_wallets = transactionOf(order, operation)?.network_token === true;
  return !is_wallets && authenticationOf(order, operation.transaction_id) === undefined;
}
