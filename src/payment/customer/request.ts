// The fields of DELETE /payment/information/id (contract 9.3).
import { id24, text, token64 } from '../../core/fields.ts';
import { type Read, type Shape, required } from '../../core/shape.ts';
import type { Notes } from '../../kit/http/schema.ts';

export const REMOVAL = {
  customer_id: required(text(255)),
  token: token64,
  id: id24,
} as const satisfies Shape;

export type RemovalRequest = Read<typeof REMOVAL>;

export const REMOVAL_NOTES: Readonly<Record<string, Notes>> = {
  Removal: {
    customer_id: 'Your own id of the customer. With neither token nor id, every saved card of the customer is removed',
    token: 'Removes only the saved card with this token; older tokens of the same card name it too',
    id: 'Removes only this saved card; with token, both must name the same one',
  },
};

export const REMOVAL_EXAMPLE = { customer_id: '5512' };
