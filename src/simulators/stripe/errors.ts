// Errors in Stripe's format: https://docs.stripe.com/api/errors.

export type ErrorBody = Readonly<Record<string, unknown>>;

/** An answer that is an error. */
export class Refusal extends Error {
  readonly status: number;
  readonly error: ErrorBody;

  constructor(status: number, error: ErrorBody) {
    super(String(error['message']));
    this.status = status;
    this.error = error;
  }
}

export const invalid = (code: string | null, message: string, param?: string): Refusal =>
  new Refusal(400, {
    ...(code !== null && { code, doc_url: `https://stripe.com/docs/error-codes/${code.replaceAll('_', '-')}` }),
    message,
    ...(param !== undefined && { param }),
    type: 'invalid_request_error',
  });

export const parameterUnknown = (name: string): Refusal =>
  invalid('parameter_unknown', `Received unknown parameter: ${name}`, name);

/** An id `in_path` that is unknown gives 404; an unknown id among the parameters gives 400. */
export function missing(what: string, id: string, param: string): Refusal {
  const status = param === 'in_path' ? 404 : 400;
  const { error } = invalid('resource_missing', `No such ${what}: '${id}'`, param === 'in_path' ? 'intent' : param);
  return new Refusal(status, error);
}

export const cardError = (error: ErrorBody): Refusal => new Refusal(402, { ...error, type: 'card_error' });

export const unexpectedState = (message: string, payment_intent: ErrorBody): Refusal =>
  new Refusal(400, { ...invalid('payment_intent_unexpected_state', message).error, payment_intent });

export const turnedAway = (status: 401 | 403, message: string): Refusal =>
  new Refusal(status, { message, type: 'invalid_request_error' });

export const SERVER_ERROR = new Refusal(500, { message: 'An unknown error occurred', type: 'api_error' });
export const RATE_LIMIT = new Refusal(429, {
  code: 'rate_limit',
  message: 'Too many requests hit the API too quickly.',
  type: 'invalid_request_error',
});
export const KEY_IN_USE = new Refusal(409, {
  code: 'idempotency_key_in_use',
  message: 'There is currently another in-progress request using this key.',
  type: 'idempotency_error',
});
export const OTHER_REQUEST = new Refusal(400, {
  message: 'Keys for idempotent requests can only be used with the same parameters they were first used with.',
  type: 'idempotency_error',
});
