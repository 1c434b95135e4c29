// Errors in PayPal's format: https://developer.paypal.com/api/rest/responses/

const NAMES: Readonly<Record<number, readonly [string, string]>> = {
  400: ['INVALID_REQUEST', 'Request is not well-formed, syntactically incorrect, or violates schema.'],
  401: [
    'AUTHENTICATION_FAILURE',
    'Authentication failed due to missing authorization header, or invalid authentication credentials.',
  ],
  403: ['NOT_AUTHORIZED', 'Authorization failed due to insufficient permissions.'],
  404: ['RESOURCE_NOT_FOUND', 'The specified resource does not exist.'],
  409: ['RESOURCE_CONFLICT', 'The server has detected a conflict while processing this request.'],
  422: [
    'UNPROCESSABLE_ENTITY',
    'The requested action could not be performed, semantically incorrect, or failed business validation.',
  ],
  500: ['INTERNAL_SERVER_ERROR', 'An internal server error occurred.'],
};

type Link = { readonly href: string; readonly rel: string; readonly method: 'GET' };

/** An answer that is an error. */
export class Refusal extends Error {
  readonly status: number;
  readonly said: object;

  constructor(status: number, said: object) {
    super(`an answer of ${status}`);
    this.status = status;
    this.said = said;
  }
}

type More = { readonly field?: string; readonly links?: readonly Link[] };

export function refusal(status: number, issue?: string, { field, links = [] }: More = {}): Refusal {
  const [name, message] = NAMES[status] ?? ['ERROR', 'An error.'];
  const details = issue === undefined ? undefined : [{ issue, ...(field !== undefined && { field }) }];
  return new Refusal(status, { name, message, debug_id: 'simulated', ...(details && { details }), links });
}
