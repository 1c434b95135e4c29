// The metric of the dispatcher; what waits is among the figures of the queues (payment/figures).
import { histogram } from '../../kit/metrics/registry.ts';

const tries = histogram('florin_notification_try_seconds', 'Tries to deliver a notification, by how they ended');

/** parked: it was the last try of the schedule; gone: the endpoint said that it wants no more. */
export function sawTry(outcome: 'delivered' | 'failed' | 'parked' | 'gone', ms: number): void {
  tries.observe({ outcome }, ms / 1000);
}
