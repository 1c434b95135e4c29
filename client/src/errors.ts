// What is thrown. Nothing of these holds a key, a token or a card: messages of the API never repeat a value, and
// neither do ours.
import { CODES, type ResultName } from './wire/codes.ts';
import type { Problem } from './wire/schemas.ts';

/** The name of a result code; a code that this version of the client does not know keeps its digits. */
export type CodeName = ResultName | (string & {});

const NAMES: Readonly<Record<string, string>> = CODES;

/** The name of a result code, such as `authorization_pending` for 421080. */
export function nameOfCode(code: string): CodeName {
  return Object.hasOwn(NAMES, code) ? (NAMES[code] ?? code) : code;
}

export type FieldError = { readonly field: string; readonly code: string; readonly message: string };

type Refused = {
  readonly status: number;
  readonly code: string;
  readonly slug: string;
  readonly detail: string;
  readonly request_id: string;
  readonly errors: readonly FieldError[];
  readonly order_id: string | undefined;
  readonly order_status: Problem['order_status'];
  readonly transaction_id: string | undefined;
  readonly capture_id: string | undefined;
  readonly refund_id: string | undefined;
  readonly retry_after_seconds: number | undefined;
};

/** The API refused the request, and nothing was done by it. `reason` is the name of the result code. */
export class FlorinRefusal extends Error {
  override readonly name = 'FlorinRefusal';
  /** HTTP status. */
  readonly status: number;
  /** Result code, such as '611030'. */
  readonly code: string;
  /** Its name, such as 'refund_above_captured'. */
  readonly reason: CodeName;
  /**
   * The kind of problem, the end of the address of its page: 'missing-parameter', 'state-conflict', 'rate-limited' …
   */
  readonly slug: string;
  /** The reason of this case, and what to do. */
  readonly detail: string;
  /** Name it when you ask for help. */
  readonly request_id: string;
  /** Every field that is at fault. */
  readonly errors: readonly FieldError[];
  /** The order it is about, where there is one. */
  readonly order_id: string | undefined;
  /** How that order stands. */
  readonly order_status: Problem['order_status'];
  /** Its transaction, the capture and the refund it is about, where there are such. */
  readonly transaction_id: string | undefined;
  readonly capture_id: string | undefined;
  readonly refund_id: string | undefined;
  /** When the same request may be sent again, where the API said so. */
  readonly retry_after_seconds: number | undefined;

  constructor(refused: Refused) {
    super(`${refused.status} ${refused.code} ${nameOfCode(refused.code)}: ${refused.detail}`);
    this.status = refused.status;
    this.code = refused.code;
    this.reason = nameOfCode(refused.code);
    this.slug = refused.slug;
    this.detail = refused.detail;
    this.request_id = refused.request_id;
    this.errors = refused.errors;
    this.order_id = refused.order_id;
    this.order_status = refused.order_status;
    this.transaction_id = refused.transaction_id;
    this.capture_id = refused.capture_id;
    this.refund_id = refused.refund_id;
    this.retry_after_seconds = refused.retry_after_seconds;
  }
}

/**
 * No answer that could be understood came, after every try. Only requests that move no money throw it; one that moves
 * money ends `in_doubt`. Repeat it with the same `idempotency_key`.
 */
export class FlorinNoAnswer extends Error {
  override readonly name = 'FlorinNoAnswer';
  readonly attempts: number;
  /** The key that all tries had; undefined for reads. */
  readonly idempotency_key: string | undefined;

  constructor({
    attempts,
    idempotency_key,
    cause,
  }: {
    attempts: number;
    idempotency_key?: string | undefined;
    cause: unknown;
  }) {
    super(`no answer from the payment API after ${attempts} ${attempts === 1 ? 'try' : 'tries'}`, { cause });
    this.attempts = attempts;
    this.idempotency_key = idempotency_key;
  }
}

/** True for a refusal of this name: `isRefusal(error, 'refund_above_captured')`; without names, for any refusal. */
export function isRefusal(error: unknown, ...reasons: readonly ResultName[]): error is FlorinRefusal {
  return error instanceof FlorinRefusal && (reasons.length === 0 || reasons.some((reason) => reason === error.reason));
}
