// Hosts of the operator's file that certificates are fetched from, for messages that are signed with one.
import { type Egress, openEgress } from '../../kit/egress.ts';
import type { Pinned } from '../../kit/proof/certificate.ts';
import { authoritiesOf, pinnedTls } from '../../kit/tls/pinned.ts';
import type { Destinations } from './destinations.ts';

/** Names of hosts are those of one provider's table: two providers may both have an `api`. */
export const certificateHost = (provider: string, host: string): string => `${provider}/${host}`;

/**
 * The address of a host, and the authorities that calls to it trust. Undefined: the file names no such host, or one
 * without TLS.
 */
export function pinnedHost(destinations: Destinations, name: string): Pinned | undefined {
  const [provider = '', host = ''] = name.split('/');
  const hosts = destinations.get(provider)?.hosts ?? {};
  const found = Object.hasOwn(hosts, host) ? hosts[host] : undefined;
  if (!found?.tls || 'lines' in found) return undefined;
  return { origin: found.origin, authorities: authoritiesOf(found.tls) };
}

/** The way to those hosts: as calls to them, it trusts what the file pins and reaches no further. */
export function openCertificateEgress(destinations: Destinations): Pick<Egress, 'exchange' | 'close'> {
  const ways = new Map<string, Egress>();
  for (const { reach, hosts } of destinations.values())
    for (const host of Object.values(hosts)) {
      if ('lines' in host || !host.tls || ways.has(host.origin)) continue;
      const { origin, tls } = host;
      ways.set(origin, openEgress({ tls: () => pinnedTls(tls, reach) }));
    }
  return {
    exchange: async (sending) => (await ways.get(sending.origin)?.exchange(sending)) ?? { kind: 'not_sent' },
    close: async () => {
      await Promise.all([...ways.values()].map((way) => way.close()));
    },
  };
}
