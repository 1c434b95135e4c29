// Whether a request came under a name of ours, and one at which that path is.
import type { FastifyRequest } from 'fastify';
import type { Refusal } from '../../../core/refusals.ts';
import { hasSeveralHosts, isMisplaced, knownNames } from '../callers/names.ts';
import type { HostOptions } from '../host.ts';
import { HOST_UNKNOWN } from './refusal.ts';

/** Answered under any name of ours or none: a probe knows a machine by its address, and reads no data. */
const PROBED = new Set(['/health', '/ready']);

type Named = Pick<HostOptions<never>, 'names' | 'addresses' | 'apart'>;

/** `misplaced`: there is no such path at that name. Undefined: all is well. */
export function nameRefusals({
  names,
  addresses,
  apart,
}: Named): (request: FastifyRequest) => Refusal | 'misplaced' | undefined {
  const isKnown = knownNames(names, () => [...Object.values(addresses), ...(apart ? [apart.url] : [])]);
  return ({ raw, routeOptions: { url } }) => {
    const { host } = raw.headers;
    if (apart && isMisplaced(apart, host, url)) return 'misplaced';
    if (PROBED.has(url ?? '')) return undefined;
    const asked = { host, local_address: raw.socket.localAddress };
    return hasSeveralHosts(raw.rawHeaders) || !isKnown(asked) ? HOST_UNKNOWN : undefined;
  };
}
