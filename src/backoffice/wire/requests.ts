// Wire: the request log of an account, and what the check says about it.
//
//   GET /api/requests?…RequestFilters    RequestPage
//   GET /api/requests/check              CheckAnswer      404 in production
import type { Page } from '../wire.ts';

export type RequestFilters = {
  readonly kind?: 'request' | 'notification';
  readonly id?: string;
  readonly order_id?: string;
  readonly key_id?: string;
  readonly path?: string;
  /** 409, or one of `statuses`. */
  readonly status?: string;
  readonly from?: string;
  readonly to?: string;
  readonly cursor?: string;
};
export type LoggedRequest = {
  /** The id of the request, or of the notification that was tried. */
  readonly id: string;
  readonly at: string;
  readonly kind: 'request' | 'notification';
  readonly key_id: string | null;
  readonly method: string;
  readonly path: string;
  /** Null: there was no answer. */
  readonly status: number | null;
  readonly code: string | null;
  readonly duration_ms: number;
  readonly order_id: string | null;
  /** JSON, masked. */
  readonly headers: string;
  readonly request: string;
  readonly answer: string;
};
/** A page may be empty and not the last: much was looked at, and nothing fits so far. */
export type RequestPage = Page & {
  readonly requests: readonly LoggedRequest[];
  readonly keys: readonly { readonly id: string; readonly label: string }[];
  readonly statuses: readonly string[];
};
export type Finding = {
  readonly name: string;
  readonly severity: 'error' | 'warning' | 'advice';
  readonly says: string;
  readonly times: number;
  readonly more: string;
  readonly example: string | null;
  /** Address of the page in the guide. */
  readonly guide: string;
};
export type CheckAnswer = { readonly looked_at: number; readonly findings: readonly Finding[] };
