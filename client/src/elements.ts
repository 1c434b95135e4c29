// @florin/client/elements: the payment form in a merchant's page. The card fields stand in a frame of the vault; this
// loads the vault's script, types it, and goes on to the payer's bank where that must be.
import type { PageOutcome } from './outcome.ts';

/** What the payer's form gave. The token is for your server; it pays once, within 15 minutes. */
export type CardToken = {
  readonly token: string;
  /** The scheme, such as visa. */
  readonly paymentMethodName: string;
  readonly tokenType: 'oneshot' | 'recurring';
};

export type FormFailure = {
  /** Result code; empty: no answer of the vault came. */
  readonly code: string;
  /** For the payer. */
  readonly message: string;
};

/** The form's configuration: each is described in site/src/content/docs/guides/payment-form.md. */
export type FormConfig = {
  readonly publicapikey: string;
  readonly locale?: string;
  readonly amount?: string;
  readonly currency?: string;
  readonly environment?: 'sandbox' | 'production';
  readonly tokentype?: 'oneshot' | 'recurring';
  /** `payment_methods` of a checkout's answer, or the whole answer; as JSON text or as it is. */
  readonly paymentmethods?: string | object;
  readonly displayButtons?: boolean;
  readonly displayCardHolder?: boolean;
  readonly displaySave?: boolean;
  readonly cardHolderValue?: string;
  readonly checkoutId?: string;
  readonly onSubmit?: (token: CardToken) => unknown;
  readonly onError?: (failure: FormFailure) => unknown;
};

export type PaymentForm = {
  readonly token?: string;
  readonly paymentMethodName?: string;
  readonly tokenType?: string;
  /** What the pay button does. Undefined: no token, and the form says why. */
  submit(): Promise<CardToken | undefined>;
  /** The order was declined: what was typed stays but for the security code, and the payer may press again. */
  again(): void;
};

/** What the script of the vault puts into the page. */
export type Elements = {
  new (config: FormConfig): PaymentForm;
  /** customer_browser_info_*: fields of the order, which 3-D Secure asks for. */
  browserData(): Readonly<Record<string, string | number | boolean>>;
};

export type LoadOptions = {
  readonly vault_url: string;
  /** The brand of the deployment: florin unless given. */
  readonly brand?: string;
  /**
   * The folder the script is loaded from: 2.3 unless given; the hash of /scripts.json, with `integrity`, for a script
   * that never changes.
   */
  readonly version?: string;
  /** sha384-…: the browser refuses any other script. */
  readonly integrity?: string;
};

const loads = new Map<string, Promise<Elements>>();

/**
 * Loads the vault's script, once a page. Needs no exception in a strict policy but `script-src`, `style-src`,
 * `frame-src` and `img-src` of the vault.
 */
export function loadElements(options: LoadOptions): Promise<Elements> {
  const { vault_url, brand = 'florin', version = '2.3' } = options;
  const url = `${vault_url.replace(/\/+$/, '')}/javascript/${encodeURIComponent(version)}/${brand}-client.min.js`;
  const found = loads.get(url) ?? load(url, options);
  loads.set(url, found);
  // a page that could not load it may try again
  found.catch(() => loads.delete(url));
  return found;
}

function load(url: string, { brand = 'florin', integrity }: LoadOptions): Promise<Elements> {
  const name = brand.charAt(0).toUpperCase() + brand.slice(1);
  return new Promise((resolve, reject) => {
    const script = document.createElement('script');
    Object.assign(script, {
      src: trusted(url),
      async: true,
      ...(integrity && { integrity, crossOrigin: 'anonymous' }),
    });
    script.addEventListener('load', () => {
      const elements: unknown = Reflect.get(globalThis, name);
      if (typeof elements === 'function') resolve(elements as unknown as Elements);
      else
        reject(new Error(`the script of the vault did not bring ${name}: is ${brand} the brand of this deployment?`));
    });
    script.addEventListener('error', () => {
      script.remove();
      reject(new Error(`the payment form could not be loaded from ${url}: see the page's Content-Security-Policy`));
    });
    document.head.append(script);
  });
}

type Policy = { createScriptURL(url: string): unknown };
type Policies = { createPolicy(name: string, rules: { createScriptURL(url: string): string }): Policy };
let policy: Policy | undefined;

/** Under `require-trusted-types-for 'script'` an address must come from a policy; ours is called florin-client. */
function trusted(url: string): unknown {
  const policies = Reflect.get(globalThis, 'trustedTypes') as Policies | undefined;
  if (!policies) return url;
  policy ??= policies.createPolicy('florin-client', { createScriptURL: (given) => given });
  return policy.createScriptURL(url);
}

/** What the fields of the form look like now. */
export type FormChange = {
  readonly complete: boolean;
  readonly scheme: string;
  readonly fields: Readonly<Record<string, { readonly empty: boolean; readonly valid: boolean }>>;
};

export type FormEvents = {
  ready: (detail: object) => void;
  change: (detail: FormChange) => void;
  submit: (detail: object) => void;
  token: (detail: CardToken) => void;
  error: (detail: FormFailure) => void;
};

/** Hears an event of the form; what it answers stops that. */
export function onForm<Name extends keyof FormEvents>(
  name: Name,
  hear: FormEvents[Name],
  brand = 'florin',
): () => void {
  const listener = (event: Event) => {
    if (event instanceof CustomEvent) hear(event.detail);
  };
  document.addEventListener(`${brand}-${name}`, listener);
  return () => document.removeEventListener(`${brand}-${name}`, listener);
}

/** For the server: the token, and what the bank wants to know of the browser. */
export type Payment = CardToken & { readonly browser_data: Readonly<Record<string, string | number | boolean>> };

/**
 * From the card fields to the outcome in one call: gets a token, gives it to your server (`pay`), and where the payer
 * must act leads them to their bank; the page is left then, and the promise stays open. Undefined: no token, and the
 * form says why.
 */
export async function payWith(
  { Elements: elements, form, go = (url) => location.assign(url) }: PayOptions,
  pay: (payment: Payment) => Promise<PageOutcome>,
): Promise<PageOutcome | undefined> {
  const given = await form.submit();
  if (!given) return undefined;
  return goOn(await pay({ ...given, browser_data: elements.browserData() }), go);
}

export type PayOptions = {
  readonly Elements: Elements;
  readonly form: PaymentForm;
  /** Instead of leaving the page. */
  readonly go?: (url: string) => unknown;
};

/** Leads the payer to their bank where the outcome says so; any other outcome is answered as it is. */
export function goOn(
  outcome: PageOutcome,
  go: (url: string) => unknown = (url) => location.assign(url),
): Promise<PageOutcome> {
  if (outcome.kind !== 'payer_must_act') return Promise.resolve(outcome);
  const { protocol } = new URL(outcome.redirect_url ?? '', location.href);
  // an address out of an answer: nothing that runs in this page
  if (outcome.redirect_url === undefined || !/^https?:$/.test(protocol))
    return Promise.reject(new Error('the payer must act, and there is no address to go to'));
  go(outcome.redirect_url);
  return new Promise(() => undefined);
}

export type { PageOutcome };
