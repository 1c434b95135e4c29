// Which wallets the hosted page offers: in a sandbox those that the account has switched on, by a sheet of our own
// (decision 131).
import type { PageWallet } from '../merchant/settings.ts';
import { takingContracts } from '../routing/choose.ts';
import type { Tools } from '../tools.ts';
import type { Page } from './load.ts';

/** A wallet's token pays once, is of the scheme that the payer chooses there, and goes to providers that take one. */
export function walletsOf(
  { environment, providers }: Pick<Tools, 'environment' | 'providers'>,
  { account, checkout }: Pick<Page, 'account' | 'checkout'>,
): readonly PageWallet[] {
  const { token_type, payment_method_name } = checkout.body;
  const once = token_type !== 'recurring' && payment_method_name === undefined;
  if (environment !== 'sandbox' || !once || account.settings.page_wallets.length === 0) return [];
  const paid_with = { partner: null, network_token: true, three_ds_data: false };
  const { contracts } = takingContracts(providers, account, paid_with);
  return contracts.length === 0 ? [] : account.settings.page_wallets;
}
