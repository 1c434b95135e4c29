// Which events there are (contract 13.2), and which a new endpoint gets that names none.
import { ORDER_STATUSES } from '../../core/states.ts';

const OTHERS = [
  'checkout.expired',
  'customer.updated',
  'dispute.opened',
  'dispute.updated',
  'dispute.due',
  'dispute.won',
  'dispute.lost',
  'order.contradicted',
  'order.retries_ended',
  'provider.health_changed',
] as const;

/** Every event that can be subscribed to; `test` is sent to any endpoint, when asked for. */
export const EVENTS: readonly string[] = [
  ...Object.keys(ORDER_STATUSES).filter((status) => status !== 'created'),
  ...OTHERS,
];

export const USUAL_EVENTS: readonly string[] = EVENTS.filter(
  (name) => /_(?:successful|declined|cancelled|expired)$/.test(name) || name.includes('.'),
);
