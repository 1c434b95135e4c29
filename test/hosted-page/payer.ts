// A payer without a browser: opens a hosted page, types a card at the vault and sends the page's form, as the page's
// script does.
import type { RETURN_URLS } from '../../src/payment/page/state.ts';
import { type Client, GOOD_CARD, textAt } from '../client.ts';

export type Visit = {
  readonly status: number;
  readonly location: string | null;
  readonly headers: Headers;
  readonly html: string;
  /** The sentence or button that is on the page. */
  readonly heading: string;
};

export const URLS: Record<(typeof RETURN_URLS)[number], string> = {
  accept_url: 'https://shop.example/back?status=accept&n=1%2F2',
  decline_url: 'https://shop.example/back?status=decline#a',
  cancel_url: 'https://shop.example/cancel',
  pending_url: 'https://shop.example/pending?x=ü'.replace('ü', '%C3%BC'),
  exception_url: 'https://shop.example/exception?',
};

/** Creates a checkout with a hosted page; answers the page's address and the checkout. */
export async function hostedCheckout(shop: Client, fields: object = {}): Promise<{ url: string; checkout_id: string }> {
  const reply = await shop.api('/payment/checkout', {
    body: {
      type: 'hosted_page',
      operation_type: 'direct_capture',
      amount: '42.50',
      currency: 'EUR',
      order_merchant_id: `page-${process.pid}-${count++}`,
      ...fields,
    },
  });
  return { url: textAt(reply, 'redirect_url'), checkout_id: textAt(reply, 'checkout.checkout_id') };
}

let count = 0;

/** Opens a page; redirects are not followed. */
export async function open(url: string, headers: Readonly<Record<string, string>> = {}): Promise<Visit> {
  return visit(await fetch(url, { redirect: 'manual', headers }));
}

async function visit(response: Response): Promise<Visit> {
  const html = await response.text();
  return {
    status: response.status,
    location: response.headers.get('location'),
    headers: response.headers,
    html,
    heading: /<h1[^>]*>([^<]*)</.exec(html)?.[1] ?? '',
  };
}

export function nonceIn({ html }: Visit): string {
  return /name="nonce" value="([0-9a-f]{64})"/.exec(html)?.[1] ?? '';
}

/** What the page tells its script. */
export function dataIn({ html }: Visit): { readonly element: Readonly<Record<string, unknown>> } {
  const text = /id="page-data">([^<]*)</.exec(html)?.[1];
  if (text === undefined) throw new Error(`no data in ${html}`);
  const data: { readonly element: Readonly<Record<string, unknown>> } = JSON.parse(text);
  return data;
}

/** A token made with the page's own key, for the page's checkout. */
export async function typed(shop: Client, page: Visit, card: object = {}): Promise<string> {
  const { publicapikey, checkoutId } = dataIn(page).element;
  const reply = await shop.vault('/token', {
    key: String(publicapikey),
    body: { ...GOOD_CARD, checkout_id: checkoutId, ...card },
    headers: { origin: new URL(shop.addresses.vault_url).origin },
  });
  return textAt(reply, 'token');
}

export async function sendForm(
  url: string,
  fields: Readonly<Record<string, string>>,
  headers: Readonly<Record<string, string>> = {},
): Promise<Visit> {
  return visit(
    await fetch(url, {
      method: 'POST',
      redirect: 'manual',
      body: new URLSearchParams(fields),
      headers: { origin: new URL(url).origin, ...headers },
    }),
  );
}

/** Where a page goes on by itself; undefined: it is there to be read. */
export function goesOn(html: string): string | undefined {
  return /<meta http-equiv="refresh" content="0; url=([^"]*)">/.exec(html)?.[1];
}

/** Opens what a form's answer leads to, and what that goes on to by itself. */
export async function follow(url: string, sent: Visit): Promise<Visit> {
  const there = await open(new URL(sent.location ?? '', url).href);
  const next = goesOn(there.html);
  return next === undefined ? there : open(new URL(next, url).href);
}

/** Opens, types and pays; answers what the form's answer leads to, and then what is there. */
export async function pay(shop: Client, url: string, card: object = {}): Promise<Visit> {
  const page = await open(url);
  const token = await typed(shop, page, card);
  const sent = await sendForm(url, { token, nonce: nonceIn(page), token_type: 'oneshot' });
  return follow(url, sent);
}
