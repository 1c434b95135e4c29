// What is sent back.
import type { Refusal } from '../errors.ts';

export type Reply = {
  readonly status: number;
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
};

/** `close`: the line breaks without a byte of it; `half`: in the middle of it; `silence`: nothing, and the line stays open. */
export type Sent = { readonly reply: Reply; readonly way: 'whole' | 'close' | 'half' | 'silence' };

export const json = (status: number, value: object): Reply => ({
  status,
  body: JSON.stringify(value),
  headers: { 'content-type': 'application/json' },
});

export const refused = ({ status, said }: Refusal): Reply => json(status, said);

export const html = (status: number, body: string, headers: Readonly<Record<string, string>> = {}): Reply => ({
  status,
  body,
  headers: { 'content-type': 'text/html; charset=utf-8', ...headers },
});
