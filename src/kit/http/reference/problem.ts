// The body of every refusal (contract 2.5), for openapi.json and the reference.
import { ORDER_STATUSES } from '../../../core/states.ts';
import { TEXT } from './headers.ts';

export const PROBLEM = {
  type: 'object',
  description: 'RFC 9457 problem details',
  required: ['type', 'title', 'status', 'detail', 'instance', 'result'],
  properties: {
    type: { ...TEXT, format: 'uri', description: 'Page that explains the problem' },
    title: { ...TEXT, description: 'The problem, in words' },
    status: { type: 'integer', minimum: 400, maximum: 599, description: 'HTTP status' },
    detail: { ...TEXT, description: 'The reason of this case, and what to do; never repeats a value' },
    instance: { ...TEXT, description: 'The request id' },
    result: {
      type: 'object',
      required: ['code', 'description'],
      properties: {
        code: { ...TEXT, description: 'Code of the first entry of errors' },
        description: { ...TEXT, description: 'What the code means' },
      },
    },
    ...Object.fromEntries(
      ['order_id', 'transaction_id', 'capture_id', 'refund_id'].map((name) => [
        name,
        { ...TEXT, description: 'Where such an object exists' },
      ]),
    ),
    order_status: {
      ...TEXT,
      enum: Object.keys(ORDER_STATUSES),
      description: "The order's status, where there is an order",
    },
    errors: {
      type: 'array',
      description: 'Every problem of the fields at once, missing ones first',
      items: {
        type: 'object',
        required: ['field', 'code', 'message'],
        properties: {
          field: { ...TEXT, description: 'Body path, query name, path parameter or header name' },
          code: TEXT,
          message: { ...TEXT, description: 'Completes the name of the field' },
        },
      },
    },
  },
};
