// Which wallets the hosted page offers: in a sandbox those that the account has switched on, by a sheet of our own
// (decision 131); Apple Pay by its own sheet where the vault has everything that Apple asks for (decision 152).
import type { Scheme } from '../../core/card.ts';
import { moneyText } from '../../core/money.ts';
import { wantedOf } from '../checkout/view.ts';
import type { Contract } from '../merchant/account.ts';
import type { PageWallet } from '../merchant/settings.ts';
import { fits, takingContracts } from '../routing/choose.ts';
import type { Tools } from '../tools.ts';
import type { Page } from './load.ts';
import { merchantOf } from './view/shown.ts';

export type OfferedWallets = {
  /** By the simulated sheet of a sandbox. */
  readonly simulated: readonly PageWallet[];
  /** What the browser's Apple Pay is asked with; undefined: it is not offered. */
  readonly apple_pay: ApplePayRequest | undefined;
};

/** Apple's ApplePayPaymentRequest, as far as it is used. */
export type ApplePayRequest = {
  readonly countryCode: string;
  readonly currencyCode: string;
  readonly merchantCapabilities: readonly ['supports3DS'];
  readonly supportedNetworks: readonly string[];
  readonly total: { readonly label: string; readonly amount: string; readonly type: 'final' };
};

/** As Apple names them; a browser refuses a name that its version does not know (`web/page/pay.js` asks for one). */
const APPLE_NETWORKS: Partial<Record<Scheme, string>> = {
  visa: 'visa',
  mastercard: 'masterCard',
  amex: 'amex',
  discover: 'discover',
  jcb: 'jcb',
  unionpay: 'chinaUnionPay',
  cb: 'cartesBancaires',
  maestro: 'maestro',
};

const NONE: OfferedWallets = { simulated: [], apple_pay: undefined };

type Asking = Pick<Tools, 'environment' | 'providers' | 'vault' | 'log'>;
type Offering = Pick<Page, 'account' | 'checkout'>;

/** A wallet's token pays once, is of the scheme that the payer chooses there, and goes to providers that take one. */
export async function walletsOf(tools: Asking, page: Offering): Promise<OfferedWallets> {
  const { account, checkout } = page;
  const { token_type, payment_method_name } = checkout.body;
  const { page_wallets } = account.settings;
  const once = token_type !== 'recurring' && payment_method_name === undefined;
  if (!once || page_wallets.length === 0) return NONE;
  const paid_with = { partner: null, network_token: true, three_ds_data: false };
  const { contracts } = takingContracts(tools.providers, account, paid_with);
  if (contracts.length === 0) return NONE;
  const apple_pay = page_wallets.includes('apple_pay') ? await appleOf(tools, page, contracts) : undefined;
  if (tools.environment !== 'sandbox') return { simulated: [], apple_pay };
  return { simulated: page_wallets.filter((name) => name !== 'apple_pay' || !apple_pay), apple_pay };
}

/** Where the vault does not answer, or is of the version before, there is no button: cards are paid with as ever. */
async function appleOf(
  { vault, log }: Asking,
  { account, checkout }: Offering,
  contracts: readonly Contract[],
): Promise<ApplePayRequest | undefined> {
  const { merchant_account_id } = account;
  const said = await vault.wallets({ merchant_account_id }).catch((error: unknown) => {
    log.warn({ merchant_account_id, error: String(error) }, 'the vault did not say which wallets can be shown');
    return undefined;
  });
  const wanted = wantedOf(checkout);
  const networks = Object.entries(APPLE_NETWORKS).filter(([payment_method_name]) =>
    contracts.some((contract) => fits(contract, { ...wanted, payment_method_name })),
  );
  if (!said?.apple_pay || networks.length === 0) return undefined;
  const { amount_minor, currency } = checkout;
  const label = merchantOf({ handle: '', account, checkout });
  return {
    countryCode: said.apple_pay.country,
    currencyCode: currency,
    merchantCapabilities: ['supports3DS'],
    supportedNetworks: networks.map(([, name]) => name),
    total: { label, amount: moneyText(amount_minor, currency), type: 'final' },
  };
}
