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
export const NOT_HTTP = new Refusal('parameter_invalid', { detail: 'the request is not valid HTTP' });
export const OUTCOME_UNKNOWN = new Refusal('outcome_unknown', {
  detail: 'the outcome is unknown: repeat with the same Idempotency-Key or the same one-shot token',
});

type Asked = { readonly method: string; readonly url: string };
type There = { readonly method: string; readonly path: string; readonly aliases: readonly string[] };

/** An id that is empty, or a slash too many at the end of a path that there is. */
export function idMissing({ method, url }: Asked, routes: readonly There[]): Refusal {
  const bare = (url.split('?')[0] ?? '').replace(/\/$/, '');
  const is_there = routes.some((one) => one.method === method && [one.path, ...one.aliases].includes(bare));
  const meant = is_there ? `; without the slash at its end it is ${method} ${bare}` : '';
  return new Refusal('route_unknown', { detail: `the path ends where an id is expected${meant}` });
}

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
