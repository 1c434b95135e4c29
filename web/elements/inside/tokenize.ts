// The only request of the frame: POST /token to its own origin. Only the token of the answer leaves the frame.
import type { Reason } from '../../messages.ts';

export type Card = Readonly<Record<string, string>>;

export type Tokenized =
  | {
      readonly kind: 'token';
      readonly token: string;
      readonly payment_method_name: string;
      readonly token_type: string;
    }
  | {
      readonly kind: 'refused';
      readonly reason: Reason;
      readonly code: string;
      readonly fields: readonly string[];
      /** False: the request has certainly not left the browser. */
      readonly left: boolean;
    };

const PATIENCE_MS = 25_000;
const OFFLINE = { kind: 'refused', reason: 'offline', code: '', fields: [] } as const;

/** `card` holds the members of the token request; empty ones are left out. */
export async function tokenize(card: Card, key: string): Promise<Tokenized> {
  if (!navigator.onLine) return { ...OFFLINE, left: false };
  const members = Object.entries(card).filter(([, value]) => value !== '');
  try {
    const response = await fetch('/token', {
      method: 'POST',
      // a header allows no other characters; a key that has some is wrong, and the vault is to report that
      headers: { 'content-type': 'application/json', 'x-api-key': key.replace(/[^!-~]/g, '?') },
      body: JSON.stringify(Object.fromEntries(members)),
      signal: AbortSignal.timeout(PATIENCE_MS),
      credentials: 'omit',
      referrerPolicy: 'no-referrer',
    });
    return read(response.status, await response.json());
  } catch {
    // without a readable answer the payer may try again; a token that was made but never seen does no harm
    return { ...OFFLINE, left: true };
  }
}

type Problem = { readonly field?: unknown };
type Answer = {
  readonly token?: unknown;
  readonly customer_scheme_name?: unknown;
  readonly token_type?: unknown;
  readonly result?: { readonly code?: unknown };
  readonly errors?: readonly Problem[];
  readonly detail?: unknown;
};

function read(status: number, answer: Answer): Tokenized {
  const text = (value: unknown) => (typeof value === 'string' ? value : '');
  if (status === 200 && text(answer.token) !== '')
    return {
      kind: 'token',
      token: text(answer.token),
      payment_method_name: text(answer.customer_scheme_name),
      token_type: text(answer.token_type),
    };
  const fields = (answer.errors ?? []).map((problem) => text(problem.field));
  const code = text(answer.result?.code);
  const reason = code === UNUSABLE ? 'saved_card' : reasonOf(status, fields);
  // whoever builds the page reads what is wrong with it; what is wrong with a card is the payer's
  if (reason !== 'card') console.error('POST /token:', status, text(answer.detail));
  return { kind: 'refused', reason, code, fields, left: true };
}

/** result.code of a token that cannot be used: for a saved card the cvc is entered again (contract 6.3). */
const UNUSABLE = '241021';

const CARD = ['card_number', 'card_validity_month', 'card_validity_year', 'cvc', 'cardholder_name'];

function reasonOf(status: number, fields: readonly string[]): Reason {
  if (status === 401 || status === 403) return 'setup';
  if (status === 409 || fields.includes('checkout_id')) return 'session';
  if (fields.includes('token')) return 'saved_card';
  if (fields.some((field) => CARD.includes(field))) return 'card';
  return status === 429 || status === 503 ? 'busy' : 'unknown';
}
