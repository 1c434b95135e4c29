// A payer without a script, who follows redirects and sends forms: from an order's redirect_url through the bank and
// back.
import type { Reply } from '../client.ts';
import { textAt } from '../client.ts';
import { goesOn } from '../hosted-page/payer.ts';

export type Seen = {
  readonly status: number;
  readonly url: string;
  readonly html: string;
  readonly location: string | null;
};

/** Opens an address, following 303s while they stay on one host, and pages that go on by themselves. */
export async function open(url: string, fields?: Readonly<Record<string, string>>): Promise<Seen> {
  const response = await fetch(url, {
    redirect: 'manual',
    ...(fields && { method: 'POST', body: new URLSearchParams(fields) }),
  });
  const html = await response.text();
  const location = response.headers.get('location');
  const seen = { status: response.status, url, html, location };
  const next = location?.startsWith('/') === true ? location : goesOn(html);
  return next === undefined ? seen : open(new URL(next, url).href);
}

export type Form = { readonly action: string; readonly fields: Readonly<Record<string, string>> };

/** The form with this id; throws with the page where there is none. */
export function formOf({ html, url }: Seen, id: string): Form {
  const form = new RegExp(`<form[^>]*\\bid="${id}"[^>]*>.*?</form>`, 's').exec(html)?.[0];
  if (form === undefined) throw new Error(`no form ${id} at ${url} in ${html.slice(0, 4000)}`);
  const action = textOf(/\baction="([^"]*)"/.exec(form)?.[1] ?? '');
  const inputs = [...form.matchAll(/<input[^>]*>/g)].map(([input]) => [
    attribute(input, 'name'),
    attribute(input, 'value'),
  ]);
  return { action: new URL(action, url).href, fields: Object.fromEntries(inputs) };
}

const attribute = (tag: string, name: string) => textOf(new RegExp(`\\b${name}="([^"]*)"`).exec(tag)?.[1] ?? '');
const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'", '#x27': "'" };
const textOf = (html: string) => html.replace(/&(\w+|#39|#x27);/g, (_, name: string) => ENTITIES[name] ?? '?');

export const redirectOf = (reply: Reply): string => textAt(reply, 'redirect_url');

/**
 * To the page of the bank that asks for a code; over the look at the browser, which such a payer does not take part in.
 */
export async function toBank(redirect_url: string): Promise<Seen & { readonly creq: string }> {
  const first = await open(redirect_url);
  const page = first.html.includes('id="method"') ? await open(formOf(first, 'on').action, {}) : first;
  const { action, fields } = formOf(page, 'bank');
  return { ...(await open(action, fields)), creq: fields['creq'] ?? '' };
}

/** Types a code at the bank, or presses cancel; comes back to our page and answers where that leads. */
export async function actAt(bank: Seen & { readonly creq: string }, act: { code: string } | 'cancel'): Promise<Seen> {
  const action = act === 'cancel' ? { action: 'cancel' } : { action: 'verify', ...act };
  const decided = await open(bank.url, action);
  const back = formOf(decided, 'back');
  return open(back.action, back.fields);
}

export async function authenticates(reply: Reply, code = '1234'): Promise<Seen> {
  return actAt(await toBank(redirectOf(reply)), { code });
}
