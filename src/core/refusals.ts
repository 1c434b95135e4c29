// Every way in which a request is refused before anything was done (contract 2.5): a clause, its status, its problem
// page and its result code. Every refusal has its name from this table.
import { type Result, type ResultName, result } from './results.ts';

type Row = { readonly status: number; readonly slug: ProblemSlug; readonly result: ResultName };

export const PROBLEM_PAGES = {
  'missing-parameter': 'A required parameter is missing',
  'invalid-parameter': 'A parameter is not valid',
  'invalid-card': 'The card data are refused',
  'unusable-token': 'The token cannot be used',
  'unknown-contract': 'No such provider contract',
  'missing-key': 'The api key is missing',
  'invalid-key': 'The api key is not valid',
  'forbidden-key': 'The api key does not allow this request',
  'signed-out': 'No one is signed in to the back office',
  'sign-in-failed': 'The sign-in to the back office failed',
  'not-allowed': 'The role in the back office does not allow this',
  'unknown-route': 'The route does not exist',
  'unknown-object': 'The object does not exist',
  'state-conflict': 'The state of the object does not allow this',
  'amount-exceeded': 'The amount is above what is left',
  'provider-declined': 'The provider refused it',
  'too-large': 'The body is too large',
  'media-type': 'The body must be JSON',
  'idempotency-mismatch': 'The Idempotency-Key was used with another body',
  'rate-limited': 'Too many requests',
  internal: 'The outcome is unknown',
  unavailable: 'The service is not available',
} as const;

export type ProblemSlug = keyof typeof PROBLEM_PAGES;

const row = (status: number, slug: ProblemSlug, name: ResultName): Row => ({ status, slug, result: name });

export const REFUSALS = {
  parameter_missing: row(400, 'missing-parameter', 'parameter_missing'),
  parameter_invalid: row(400, 'invalid-parameter', 'parameter_invalid'),
  card_number_invalid: row(400, 'invalid-card', 'card_number_invalid'),
  card_expired: row(400, 'invalid-card', 'card_expired_at_tokenization'),
  card_data_invalid: row(400, 'invalid-card', 'card_data_invalid'),
  token_unusable: row(400, 'unusable-token', 'token_unusable'),
  contract_unknown: row(400, 'unknown-contract', 'no_route_partner'),
  key_missing: row(401, 'missing-key', 'api_key_invalid'),
  key_invalid: row(403, 'invalid-key', 'api_key_invalid'),
  key_forbidden: row(403, 'forbidden-key', 'api_key_rights_missing'),
  session_missing: row(401, 'signed-out', 'api_key_invalid'),
  sign_in_failed: row(401, 'sign-in-failed', 'api_key_invalid'),
  not_allowed: row(403, 'not-allowed', 'api_key_rights_missing'),
  route_unknown: row(404, 'unknown-route', 'route_unknown'),
  method_unknown: row(405, 'unknown-route', 'route_unknown'),
  object_unknown: row(404, 'unknown-object', 'parameter_invalid'),
  change_conflict: row(409, 'state-conflict', 'order_in_process'),
  attempts_used_up: row(409, 'state-conflict', 'attempts_used_up'),
  order_in_process: row(409, 'state-conflict', 'order_in_process'),
  capture_already_done: row(409, 'state-conflict', 'capture_already_done'),
  capture_duplicated: row(409, 'state-conflict', 'capture_duplicated'),
  captures_too_many: row(409, 'state-conflict', 'captures_too_many'),
  capture_after_lapse: row(409, 'state-conflict', 'capture_after_lapse'),
  capture_unavailable: row(409, 'state-conflict', 'capture_unavailable'),
  capture_order_cancelled: row(409, 'state-conflict', 'capture_order_cancelled'),
  refund_already_done: row(409, 'state-conflict', 'refund_already_done'),
  refund_duplicated: row(409, 'state-conflict', 'refund_duplicated'),
  refunds_too_many: row(409, 'state-conflict', 'refunds_too_many'),
  refund_unavailable: row(409, 'state-conflict', 'refund_unavailable'),
  cancel_after_lapse: row(409, 'state-conflict', 'cancel_after_lapse'),
  cancel_after_capture: row(409, 'state-conflict', 'cancel_after_capture'),
  cancel_already_done: row(409, 'state-conflict', 'cancel_already_done'),
  cancel_duplicated: row(409, 'state-conflict', 'cancel_duplicated'),
  cancel_unavailable: row(409, 'state-conflict', 'cancel_unavailable'),
  capture_above_authorization: row(422, 'amount-exceeded', 'capture_above_authorization'),
  refund_above_captured: row(422, 'amount-exceeded', 'refund_above_captured'),
  // a reason that the provider gave takes the place of the result
  capture_declined: row(422, 'provider-declined', 'capture_declined'),
  refund_declined: row(422, 'provider-declined', 'refund_declined'),
  cancel_declined: row(422, 'provider-declined', 'cancel_declined'),
  body_too_large: row(413, 'too-large', 'parameter_invalid'),
  media_type_unknown: row(415, 'media-type', 'parameter_invalid'),
  idempotency_mismatch: row(422, 'idempotency-mismatch', 'parameter_invalid'),
  rate_limited: row(429, 'rate-limited', 'internal_error'),
  outcome_unknown: row(500, 'internal', 'internal_error'),
  unavailable: row(503, 'unavailable', 'internal_error'),
} as const satisfies Record<string, Row>;

export type RefusalName = keyof typeof REFUSALS;

/** One thing that is wrong with one field; `message` completes "<field> …" and never repeats a value. */
export type FieldProblem = { readonly field: string; readonly refusal: RefusalName; readonly message: string };

/**
 * Added to the body where such an object exists. The order's status has a name of its own: `status` is the HTTP number.
 */
export type ProblemMembers = Readonly<
  Partial<Record<'order_id' | 'transaction_id' | 'order_status' | 'capture_id' | 'refund_id', string>>
>;

/**
 * Either fields are at fault, and the detail is made of their messages; or the detail gives the reason and what to do.
 */
type Reason =
  | { readonly problems: readonly FieldProblem[]; readonly detail?: string }
  | { readonly problems?: never; readonly detail: string };

export type RefusalExtras = Reason & {
  readonly members?: ProblemMembers;
  readonly headers?: Readonly<Record<string, string>>;
  /** Instead of the row's result: what a provider said. */
  readonly result?: ResultName;
};

/** A refused request. Becomes application/problem+json (RFC 9457) at the door. */
export class Refusal extends Error {
  readonly refusal: RefusalName;
  readonly extras: RefusalExtras;

  constructor(refusal: RefusalName, extras: RefusalExtras) {
    super(extras.detail ?? refusal);
    this.refusal = refusal;
    this.extras = extras;
  }
}

/** Refuses one field, with the message that completes its name. */
export function refuseField(field: string, refusal: RefusalName, message: string): Refusal {
  return new Refusal(refusal, { problems: [{ field, refusal, message }] });
}

/** 404, the same for an id that is unknown, malformed or another account's. */
export function refuseUnknown(what: string, hint = 'check the id and the key'): Refusal {
  return new Refusal('object_unknown', { detail: `there is no such ${what} in this account: ${hint}` });
}

/**
 * Refuses all problems at once, missing ones first; the first one decides status and code. Undefined: there are none.
 */
export function refuseProblems(problems: readonly FieldProblem[]): Refusal | undefined {
  const missing = problems.filter((p) => p.refusal === 'parameter_missing');
  const ordered = [...missing, ...problems.filter((p) => p.refusal !== 'parameter_missing')];
  const first = ordered[0];
  return first && new Refusal(first.refusal, { problems: ordered });
}

export type ProblemBody = {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  readonly instance: string;
  readonly result: Result;
  readonly errors?: readonly { readonly field: string; readonly code: string; readonly message: string }[];
  readonly [member: string]: unknown;
};

/** The body of contract 2.5. `base_url` is where the problem pages are, `request_id` becomes `instance`. */
export function problemBody(refusal: Refusal, base_url: string, request_id: string): ProblemBody {
  const { status, slug, result: usual } = REFUSALS[refusal.refusal];
  const { problems = [], detail, members, result: name = usual } = refusal.extras;
  const title = PROBLEM_PAGES[slug];
  return {
    type: `${base_url}/problems/${slug}`,
    title,
    status,
    detail: detail ?? problems.map((p) => `${p.field} ${p.message}`).join('; '),
    instance: request_id,
    result: result(name),
    ...members,
    ...(problems.length > 0 && {
      errors: problems.map((p) => ({
        field: p.field,
        code: result(REFUSALS[p.refusal].result).code,
        message: p.message,
      })),
    }),
  };
}
