// Which wallets the hosted page offers: in a sandbox those that the account has switched on, by a sheet of our own
// (decision 131); Apple Pay and Google Pay themselves where the vault has everything that they ask for (decisions 152
// and 153).
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
  /** Wallets of the simulated sheet of a sandbox. */
  readonly simulated: readonly PageWallet[];
  /** The request to the browser's Apple Pay; undefined: it is not offered. */
  readonly apple_pay: ApplePayRequest | undefined;
  readonly google_pay: OfferedGoogle | undefined;
};

export type OfferedGoogle = {
  /** The frame that Google's script runs in. */
  readonly frame_url: string;
  readonly request: GooglePayRequest;
};

/** Google's PaymentDataRequest, as far as it is used. */
type GooglePayRequest = {
  readonly apiVersion: 2;
  readonly apiVersionMinor: 0;
  readonly merchantInfo: { readonly merchantId: string; readonly merchantName: string };
  readonly allowedPaymentMethods: readonly {
    readonly type: 'CARD';
    readonly parameters: {
      readonly allowedAuthMethods: readonly ['PAN_ONLY', 'CRYPTOGRAM_3DS'];
      readonly allowedCardNetworks: readonly string[];
    };
    readonly tokenizationSpecification: {
      readonly type: 'DIRECT';
      readonly parameters: { readonly protocolVersion: 'ECv2'; readonly publicKey: string };
    };
  }[];
  readonly transactionInfo: {
    readonly totalPriceStatus: 'FINAL';
    readonly totalPrice: string;
    readonly currencyCode: string;
    readonly countryCode: string;
  };
};

/** Apple's ApplePayPaymentRequest, as far as it is used. */
export type ApplePayRequest = {
  readonly countryCode: string;
  readonly currencyCode: string;
  readonly merchantCapabilities: readonly ['supports3DS'];
  readonly supportedNetworks: readonly string[];
  readonly total: { readonly label: string; readonly amount: string; readonly type: 'final' };
};

/**
 * The networks as Apple names them. A browser refuses a name that its version does not know (`web/page/pay.js` asks for
 * one).
 */
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

const GOOGLE_NETWORKS: Partial<Record<Scheme, string>> = {
  visa: 'VISA',
  mastercard: 'MASTERCARD',
  amex: 'AMEX',
  discover: 'DISCOVER',
  jcb: 'JCB',
};

/** Google takes no more than two decimals. */
const GOOGLE_PRICE = /^\d+(?:\.\d\d)?$/;

const NONE: OfferedWallets = { simulated: [], apple_pay: undefined, google_pay: undefined };

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
  const said = await askVault(tools, account.merchant_account_id);
  const is_wanted = (name: PageWallet) => page_wallets.includes(name);
  const apple_pay = is_wanted('apple_pay') ? appleOf(said.apple_pay, page, contracts) : undefined;
  const google_pay = is_wanted('google_pay') ? googleOf(said.google_pay, page, contracts) : undefined;
  const own = { apple_pay, google_pay };
  if (tools.environment !== 'sandbox') return { simulated: [], ...own };
  return { simulated: page_wallets.filter((name) => own[name] === undefined), ...own };
}

type Said = Awaited<ReturnType<Tools['vault']['wallets']>>;

/** If the vault does not answer, or is of the version before, there is no button; cards are paid with as ever. */
function askVault({ vault, log }: Asking, merchant_account_id: string): Promise<Said> {
  return vault.wallets({ merchant_account_id }).catch((error: unknown) => {
    log.warn({ merchant_account_id, error: String(error) }, 'the vault did not say which wallets can be shown');
    return {};
  });
}

/** The schemes that a contract of the account accepts for this checkout, as a wallet names them. */
function networksOf(
  names: Partial<Record<Scheme, string>>,
  { checkout }: Offering,
  contracts: readonly Contract[],
): readonly string[] {
  const wanted = wantedOf(checkout);
  const taken = Object.entries(names).filter(([payment_method_name]) =>
    contracts.some((contract) => fits(contract, { ...wanted, payment_method_name })),
  );
  return taken.map(([, name]) => name);
}

const labelOf = ({ account, checkout }: Offering) => merchantOf({ handle: '', account, checkout });

function appleOf(said: Said['apple_pay'], page: Offering, contracts: readonly Contract[]): ApplePayRequest | undefined {
  const supportedNetworks = networksOf(APPLE_NETWORKS, page, contracts);
  if (!said || supportedNetworks.length === 0) return undefined;
  const { amount_minor, currency } = page.checkout;
  return {
    countryCode: said.country,
    currencyCode: currency,
    merchantCapabilities: ['supports3DS'],
    supportedNetworks,
    total: { label: labelOf(page), amount: moneyText(amount_minor, currency), type: 'final' },
  };
}

function googleOf(said: Said['google_pay'], page: Offering, contracts: readonly Contract[]): OfferedGoogle | undefined {
  const allowedCardNetworks = networksOf(GOOGLE_NETWORKS, page, contracts);
  const { amount_minor, currency } = page.checkout;
  const totalPrice = moneyText(amount_minor, currency);
  if (!said || allowedCardNetworks.length === 0 || !GOOGLE_PRICE.test(totalPrice)) return undefined;
  const { frame_url, merchant_id: merchantId, public_key: publicKey, country: countryCode } = said;
  return {
    frame_url,
    request: {
      apiVersion: 2,
      apiVersionMinor: 0,
      merchantInfo: { merchantId, merchantName: labelOf(page) },
      allowedPaymentMethods: [
        {
          type: 'CARD',
          parameters: { allowedAuthMethods: ['PAN_ONLY', 'CRYPTOGRAM_3DS'], allowedCardNetworks },
          tokenizationSpecification: { type: 'DIRECT', parameters: { protocolVersion: 'ECv2', publicKey } },
        },
      ],
      transactionInfo: { totalPriceStatus: 'FINAL', totalPrice, currencyCode: currency, countryCode },
    },
  };
}
