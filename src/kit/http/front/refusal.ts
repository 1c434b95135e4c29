// The refusals of the host front itself, and the answers to errors that reach it (contract 2.5).
import { Refusal, refuseField } from '../../../core/refusals.ts';
import { DatabaseUnavailable } from '../../database.ts';
import type { Log } from '../../log.ts';
import { LIMITS } from '../limits.ts';

export const ROUTE_UNKNOWN = new Refusal('route_unknown', { detail: 'there is no such route' });
export const TOO_MANY_HEADERS = new Refusal('parameter_invalid', {
  detail: `the request has more than ${LIMITS.headers} headers`,
});
export const HOST_UNKNOWN = refuseField(
  'Host',
  'parameter_invalid',
  'is no name this service is known by: use its own address, or let its operator add the name to FLORIN_HOST_NAMES',
);
export const ID_MISSING = new Refusal('route_unknown', { detail: 'the path ends where an id is expected' });
export const NOT_HTTP = new Refusal('parameter_invalid', { detail: 'the request is not valid HTTP' });
export const OUTCOME_UNKNOWN = new Refusal('outcome_unknown', {
  detail: 'the outcome is unknown: repeat with the same Idempotency-Key or the same one-shot token',
});

/** The refusal that a caller is answered with. What is no refusal yet is logged. */
export function toRefusal(
  error: Error & { readonly statusCode?: number },
  request_id: string,
  log: Pick<Log, 'error'>,
): Refusal {
  if (error instanceof Refusal) return error;
  if (error instanceof DatabaseUnavailable) {
    log.error({ request_id, error: error.message }, 'request refused');
    return new Refusal('unavailable', {
      detail: 'the database takes nothing at the moment: nothing was accepted; repeat after 2 s',
      headers: { 'retry-after': '2' },
    });
  }
  if (error.statusCode !== undefined && error.statusCode < 500) return NOT_HTTP;
  log.error({ request_id, error: error.message, stack: error.stack }, 'request failed');
  return OUTCOME_UNKNOWN;
}
