// The headers of requests and answers (contract 2), for openapi.json and the reference.
export const TEXT = { type: 'string' };

export const RESPONSE_HEADERS = {
  'x-request-id': {
    schema: TEXT,
    description: '24 hexadecimal characters, on every answer; give it when you ask for help',
  },
  version: { schema: TEXT, description: 'Contract version used' },
  'x-ignored-fields': { schema: TEXT, description: 'Names of request fields that are not known, joined by commas' },
  'idempotent-replayed': { schema: TEXT, description: 'true when an earlier answer is repeated' },
  'preference-applied': { schema: TEXT, description: 'The Prefer header that was honoured' },
  'retry-after': { schema: { type: 'integer' }, description: 'Seconds to wait before the request is sent again' },
};
export const SUCCESS_HEADERS = [
  'x-request-id',
  'version',
  'x-ignored-fields',
  'idempotent-replayed',
  'preference-applied',
];

export const REQUEST_HEADERS = [
  {
    name: 'version',
    in: 'header',
    required: false,
    schema: TEXT,
    example: '2.3.0',
    description: 'Contract version, major 1 or 2; the newest when absent',
  },
  {
    name: 'Idempotency-Key',
    in: 'header',
    required: false,
    schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[!-~]+$' },
    description: 'A text of your choice: repeats of this request under it have one effect and the same answer',
  },
  {
    name: 'Prefer',
    in: 'header',
    required: false,
    schema: TEXT,
    example: 'wait=10',
    description: 'wait=N waits up to N seconds (1 to 25) for the outcome of a payment; respond-async does not wait',
  },
];
