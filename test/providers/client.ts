// A client of the simulated provider that knows its wire form and nothing of the provider file: the second witness.
import { newId } from './wire.ts';

export type Said = {
  readonly status: string;
  readonly id: string;
  readonly code: string;
  readonly kind: string;
  readonly amount: number;
  readonly captured: boolean;
  readonly text: string;
  readonly risk_score?: number;
};
export type Given = Readonly<Record<string, unknown>>;
export type Row = {
  readonly provider: string;
  readonly kind: string;
  readonly reference: string;
  readonly state: string;
  readonly effects: number;
  readonly calls: number;
  readonly amount: number;
};

export const common = (given: Given = {}) => {
  const reference = newId();
  return { reference, order_id: reference, order_merchant_id: 'cart-1', amount: 1000, currency: 'EUR', ...given };
};
export const card = (number: string, given: Given = {}) => {
  return { number, cvc: '123', expiry_month: '12', expiry_year: '2030', holder: 'Ada Lovelace', ...given };
};
export const payment = (number: string, given: Given = {}) => {
  return { ...common(), capture: 'later', scheme: 'visa', card: card(number), ...given };
};

export function clientOf(url: () => string) {
  const post = async (
    path: string,
    body: unknown,
    headers: Record<string, string> = { 'idempotency-key': 'key-1' },
  ) => {
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    const response = await fetch(`${url()}${path}`, { method: 'POST', headers, body: text });
    const said: Said = JSON.parse(await response.text());
    return { status: response.status, said };
  };
  const get = async (path: string): Promise<unknown> => JSON.parse(await (await fetch(`${url()}${path}`)).text());
  return {
    post,
    get,
    /** What was answered about a new payment with this card, and under which reference. */
    authorize: async (number: string, given: Given = {}): Promise<Said & { reference: string }> => {
      const body = payment(number, given);
      const { said } = await post('/simulator/payments', body);
      return { ...said, reference: body.reference };
    },
    /** A new operation on something that exists. */
    follow: async (path: string, given: Given = {}) => (await post(`/simulator${path}`, common(given))).said,
    books: async (query: string): Promise<readonly Row[]> => {
      const said: { entries: Row[] } = JSON.parse(await (await fetch(`${url()}/books?${query}`)).text());
      return said.entries;
    },
  };
}

/** The number that stands for a code (contract 15.3). */
export function numberOf(code: string): string {
  const digits = `400000999${code}`;
  const sum = [...digits].toReversed().reduce((total, digit, i) => {
    const value = Number(digit) * (i % 2 === 0 ? 2 : 1);
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return `${digits}${(10 - (sum % 10)) % 10}`;
}
