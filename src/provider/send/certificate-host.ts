// Hosts of the operator's file that certificates are fetched from, for messages that are signed with one.
import type { Pinned } from '../../kit/proof/certificate.ts';
import { authoritiesOf } from '../../kit/tls/pinned.ts';
import type { Destinations } from './destinations.ts';

/** Names of hosts are those of one provider's table: two providers may both have an `api`. */
export const certificateHost = (provider: string, host: string): string => `${provider}/${host}`;

/** Its address, and the authorities that calls to it trust; undefined: the file names no such host, or one without TLS. */
export function pinnedHost(destinations: Destinations, name: string): Pinned | undefined {
  const [provider = '', host = ''] = name.split('/');
  const hosts = destinations.get(provider)?.hosts ?? {};
  const found = Object.hasOwn(hosts, host) ? hosts[host] : undefined;
  if (!found?.tls || 'lines' in found) return undefined;
  return { origin: found.origin, authorities: authoritiesOf(found.tls) };
}
