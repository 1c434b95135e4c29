// The providers of docs/going-live.md as a production host finds them: simulators behind TLS, at the addresses that the
// page prints.
import { createHash } from 'node:crypto';
import { openAdyen } from '../../src/simulators/adyen/adyen.ts';
import { openAcquirer } from '../../src/simulators/iso8583/acquirer.ts';
import { openPaypal } from '../../src/simulators/paypal/paypal.ts';
import { openStripe } from '../../src/simulators/stripe/stripe.ts';
import { systemClock } from '../../src/kit/clock.ts';
import { type Authority, type Front, memberOf, openFront, openLineFront } from './going-live.ts';
import type { Internet } from './internet.ts';

const now = () => Date.now();
const CHECKOUT = '1a2b3c4d5e6f-ourshop-checkout-live.adyenpayments.com';
const CERTIFICATES = 'api.paypal.com';

/**
 * A contract's credentials at each but Stripe; those that `allow` names are printed on the page, or fill in what it
 * leaves open.
 */
export const CREDENTIALS = {
  adyen: { api_key: 'AQE-live-ourshop', merchant_account: 'OurShopECOM', hmac_key: 'ab12'.repeat(16) },
  paypal: { client_id: 'client_live', client_secret: 'secret_live', webhook_id: '1L1VEW3BH00K00001' },
  iso8583: { acquirer_id: '123456', merchant_id: 'OUR-SHOP', terminal_id: 'SHOP0001' },
} as const;
export type Elsewhere = keyof typeof CREDENTIALS;
export const ELSEWHERE = Object.keys(CREDENTIALS) as readonly Elsewhere[];
const SECTIONS: Readonly<Record<Elsewhere, string>> = {
  adyen: 'With Adyen',
  paypal: 'With PayPal',
  iso8583: 'With an acquirer that speaks ISO 8583',
};

export type OutThere = AsyncDisposable & {
  /** Of Stripe: its simulator's control, and its front. */
  readonly stripe_control: string;
  readonly stripe_front: Front;
  readonly internet: Internet;
  /** The members of the signed file for all but Stripe, by the hashes of their tables. */
  members(hashes: Readonly<Record<Elsewhere, string>>): string;
  /** Registers the address for messages. */
  tell(provider: Elsewhere, url: string): Promise<void>;
  /** What was captured and given back there, of all payments, in minor units. */
  taken(provider: Elsewhere): Promise<Taken>;
};

type Taken = { readonly captured: number; readonly refunded: number };
type Rows = Readonly<Record<string, readonly Readonly<Record<string, unknown>>[]>>;
const sum = (rows: Rows[string] = [], amount: (row: Rows[string][number]) => unknown) =>
  rows.reduce((total, row) => total + Number(amount(row)), 0);
const valueIn = (row: Rows[string][number]) => Math.round(Number((row['amount'] as { value: string }).value) * 100);

/** As each says it in its books. */
const TAKEN: Readonly<Record<Elsewhere, (books: Rows) => Taken>> = {
  adyen: ({ payments }) => ({
    captured: sum(payments, ({ captured }) => captured),
    refunded: sum(payments, ({ refunded }) => refunded),
  }),
  paypal: ({ captures, refunds }) => ({ captured: sum(captures, valueIn), refunded: sum(refunds, valueIn) }),
  iso8583: ({ entries }) => ({
    captured: sum(entries, ({ captured }) => captured),
    refunded: sum(entries, ({ refunded }) => refunded),
  }),
};

export async function openOutThere(authority: Authority): Promise<OutThere> {
  const { merchant_account, api_key, hmac_key } = CREDENTIALS.adyen;
  const account = { merchant_account, api_key, hmac_key, webhook_url: null };
  const [stripe, adyen, paypal, acquirer] = await Promise.all([
    openStripe({ port: 0, control_port: 0, clock: now }),
    openAdyen({ port: 0, now, automatic: true, accounts: [account] }),
    openPaypal({ port: 0, control_port: 0, clock: now, certificates_url: `https://${CERTIFICATES}` }),
    openAcquirer({ port: 0, control_port: 0, clock: systemClock() }),
  ]);
  const { base_url, ca } = paypal.hosts['certificates'] ?? { base_url: '', ca: '' };
  const [of_stripe, of_files, of_adyen, of_disputes, of_paypal, of_certificates, lines] = await Promise.all([
    openFront(authority.issue('api.stripe.com'), { url: stripe.url }),
    openFront(authority.issue('files.stripe.com'), { url: stripe.url }),
    openFront(authority.issue(CHECKOUT), { url: adyen.url, path: '/checkout' }),
    openFront(authority.issue('ca-live.adyen.com'), { url: adyen.url }),
    openFront(authority.issue('api-m.paypal.com'), { url: paypal.url }),
    openFront(authority.issue(CERTIFICATES), { url: base_url, ca }),
    openLineFront(authority.issue('*.acquirer.example'), acquirer.port),
  ]);
  const control = {
    adyen: adyen.control_url,
    paypal: paypal.control_url,
    iso8583: `http://127.0.0.1:${acquirer.control_port}`,
  };
  const members = (hashes: Readonly<Record<Elsewhere, string>>) =>
    ELSEWHERE.map((name) =>
      memberOf(SECTIONS[name])
        .replace('<the hash that show printed>', hashes[name])
        .replace('<the SHA-256 of your key>', createHash('sha256').update(api_key).digest('hex'))
        .replace('<your client ID>', CREDENTIALS.paypal.client_id)
        // Node's own authorities did not sign this certificate, and messages are proved by no other
        .replace(/("https:\/\/api\.paypal\.com", "tls": \{ "ca": )"system"/, (_, before) => {
          return String(before) + JSON.stringify(`${authority.pem}${ca}`);
        }),
    ).join(',\n');
  return {
    stripe_control: stripe.control_url,
    stripe_front: of_stripe,
    internet: {
      'api.stripe.com': { address: '54.187.174.169', port: of_stripe.port },
      'files.stripe.com': { address: '54.187.174.170', port: of_files.port },
      [CHECKOUT]: { address: '147.12.16.10', port: of_adyen.port },
      'ca-live.adyen.com': { address: '147.12.16.11', port: of_disputes.port },
      'api-m.paypal.com': { address: '151.101.3.1', port: of_paypal.port },
      [CERTIFICATES]: { address: '151.101.67.1', port: of_certificates.port },
      'a.acquirer.example': { address: '93.184.216.20', port: lines.port },
      'b.acquirer.example': { address: '93.184.216.21', port: lines.port },
    },
    members,
    tell: async (provider, url) => {
      const secrets = provider === 'adyen' ? [hmac_key] : [CREDENTIALS.paypal.webhook_id];
      await fetch(`${control[provider]}/control/endpoints`, { method: 'POST', body: JSON.stringify({ url, secrets }) });
    },
    taken: async (provider) =>
      TAKEN[provider]((await (await fetch(`${control[provider]}/control/books`)).json()) as Rows),
    [Symbol.asyncDispose]: async () => {
      for (const front of [of_stripe, of_files, of_adyen, of_disputes, of_paypal, of_certificates, lines])
        await front[Symbol.asyncDispose]();
      await Promise.all([stripe, adyen, paypal, acquirer].map((one) => one.close()));
    },
  };
}
