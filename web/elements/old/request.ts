// POST /token from the merchant's page, as the old generation sends it: from another origin, which the vault accepts
// only for accounts with page_inputs (contract 6.1, 6.5).
import { BUILD } from '../outside/build.ts';
import type { Card } from './inputs.ts';

export type Done =
  | { readonly kind: 'token'; readonly token: string; readonly scheme: string; readonly last4: string }
  | { readonly kind: 'refused'; readonly says: string };

const PATIENCE_MS = 25_000;

export async function tokenizeCard(key: string, card: Card): Promise<Done> {
  const members = Object.entries(card).filter(([, value]) => value !== '');
  try {
    const response = await fetch(`${BUILD.vault_url}/token`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': key },
      body: JSON.stringify(Object.fromEntries(members)),
      signal: AbortSignal.timeout(PATIENCE_MS),
      credentials: 'omit',
    });
    return read(response.status, await response.json());
  } catch {
    // without a readable answer the payer may try again
    return { kind: 'refused', says: 'offline' };
  }
}

type Answer = Readonly<Record<'token' | 'customer_scheme_name' | 'card_4_digits', unknown>> & {
  readonly errors?: readonly { readonly field?: unknown }[];
};

function read(status: number, answer: Answer): Done {
  const text = (value: unknown) => (typeof value === 'string' ? value : '');
  const token = text(answer.token);
  if (status === 200 && token !== '')
    return {
      kind: 'token',
      token,
      scheme: text(answer.customer_scheme_name),
      last4: text(answer.card_4_digits),
    };
  if (status === 401 || status === 403) return { kind: 'refused', says: 'setup' };
  const [first = ''] = (answer.errors ?? []).map((problem) => text(problem.field));
  const says: Readonly<Record<string, string>> = {
    card_number: 'number',
    card_validity_month: 'expiry',
    card_validity_year: 'expiry',
    cvc: 'code',
    cardholder_name: 'holder',
  };
  return { kind: 'refused', says: says[first] ?? (status === 429 || status === 503 ? 'busy' : 'unknown') };
}
