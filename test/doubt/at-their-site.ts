// What a person does at the provider's own site with the payment of an order: in Stripe's Dashboard, at PayPal, in
// Adyen's Customer Area.
import type { World } from '../world.ts';
import { controlOf } from '../conformance/at/by-control.ts';

export type Does = 'cancel' | 'capture' | 'refund';

/** Minor units; without them all of it. Answers the provider's own id of what was made. */
type Site = (w: World, order_id: string, does: Does, minor?: number) => Promise<string>;

const stripe: Site = async (w, order_id, does, minor) => {
  const control = controlOf(w, 'stripe');
  const { intents } = (await control('POST', '/books', { order_id })) as { intents: readonly { id: string }[] };
  const amount = minor === undefined ? {} : { amount: String(minor) };
  const made = await control('POST', '/dashboard', { payment_intent: intents[0]?.id, does, ...amount });
  return (made as { id: string }).id;
};

export type Part = { readonly id: string; readonly custom_id?: string };

/** PayPal's own authorization of an order. */
export async function heldAtPayPal(w: World, order_id: string): Promise<Part | undefined> {
  const { authorizations } = (await controlOf(w, 'paypal')('GET', '/books')) as {
    readonly authorizations: readonly Part[];
  };
  return authorizations.find(({ custom_id = '' }) => custom_id.startsWith(order_id));
}

const paypal: Site = async (w, order_id, does, minor) => {
  const control = controlOf(w, 'paypal');
  type Books = { readonly authorizations: readonly Part[]; readonly captures: readonly Part[] };
  const { authorizations, captures } = (await control('GET', '/books')) as Books;
  const own = (all: readonly Part[]) => all.find(({ custom_id = '' }) => custom_id.startsWith(order_id))?.id;
  const amount = minor === undefined ? {} : { amount: { currency_code: 'EUR', value: (minor / 100).toFixed(2) } };
  const of = does === 'refund' ? { capture: own(captures) } : { authorization: own(authorizations) };
  const made = await control('POST', '/site', { ...of, ...amount, does: does === 'cancel' ? 'void' : does });
  return (made as Part).id;
};

const adyen: Site = async (w, order_id, does, value) => {
  const control = controlOf(w, 'adyen');
  const { payments } = (await control('GET', '/books')) as {
    payments: readonly { psp: string; reference: string }[];
  };
  const psp = payments.find(({ reference }) => reference.startsWith(order_id))?.psp;
  const made = await control('POST', '/area', { psp, does, ...(value !== undefined && { value }) });
  await control('POST', '/deliver', {});
  return (made as { psp: string }).psp;
};

export const SITES: Readonly<Record<string, Site>> = { stripe, paypal, adyen };
