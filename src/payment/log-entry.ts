// A row of the request log: what one request and its answer leave, or one try of a notification, masked.

export type LogEntry = {
  readonly merchant_account_id: string;
  readonly at: Date;
  readonly id: string;
  readonly kind: 'request' | 'notification';
  readonly key_id: string | null;
  readonly method: string;
  readonly path: string;
  /** Null: there was no answer. */
  readonly status: number | null;
  readonly code: string | null;
  readonly duration_ms: number;
  readonly order_id: string | null;
  /** JSON. */
  readonly headers: string;
  readonly request: string;
  readonly answer: string;
};
