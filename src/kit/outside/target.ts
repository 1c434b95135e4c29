// The rules for calls to an address that a merchant gave: public unicast addresses at two ports, over TLS (hardening,
// "Outbound"). The name is resolved here, every address of it must be public, and the connection is made to one of
// these addresses, so a later change of the name has no effect. Forms such as 127.1 or 0x7f000001 were turned into
// addresses before they come here.
import { isIP } from 'node:net';
import { isPublicAddress } from './addresses.ts';
import { type Egress, type EgressOptions, TargetRefused, openEgress } from '../egress.ts';
import { type Lookup, openNames } from './names.ts';

export type TargetRules = {
  /** A sandbox may be allowed to call private hosts, over http and at any port. */
  readonly private_targets: boolean;
  readonly ports: readonly number[];
  readonly lookup: Lookup;
};

/** Names that never leave the machine or its network. */
const PRIVATE_NAME = /(?:^|\.)(?:localhost|local|internal|intranet|lan|home|corp|test|invalid|arpa)\.?$/i;

/** The problem of an address before it is resolved; undefined: none. The text completes "url …". */
export function problemOfTarget(
  url: string,
  rules: Pick<TargetRules, 'private_targets' | 'ports'>,
): string | undefined {
  const target = URL.parse(url);
  if (!target || !/^https?:$/.test(target.protocol)) return 'must be an https address';
  if (target.username !== '' || target.password !== '') return 'must not hold a user name';
  if (rules.private_targets) return undefined;
  if (target.protocol !== 'https:') return 'must be an https address';
  if (!rules.ports.includes(portOf(target))) return `must use port ${rules.ports.join(' or ')}`;
  const host = bare(target.hostname);
  if (isIP(host) !== 0) return isPublicAddress(host) ? undefined : 'must lead to a public host';
  return PRIVATE_NAME.test(host) || !host.includes('.') ? 'must lead to a public host' : undefined;
}

/** The address to connect to. Throws TargetRefused unless every address of the host is a public one. */
export async function chooseAddress(
  origin: { readonly protocol: string; readonly hostname: string; readonly port: string },
  rules: TargetRules,
): Promise<string> {
  const host = bare(origin.hostname);
  const port = origin.port === '' ? (origin.protocol === 'https:' ? 443 : 80) : Number(origin.port);
  if (!rules.private_targets && (origin.protocol !== 'https:' || !rules.ports.includes(port)))
    throw new TargetRefused('only https at the known ports');
  const addresses = isIP(host) === 0 ? await rules.lookup(host) : [host];
  if (!rules.private_targets && !addresses.every(isPublicAddress)) throw new TargetRefused('not a public address');
  const chosen = addresses.find((address) => isIP(address) === 4) ?? addresses[0];
  if (chosen === undefined) throw new Error('the name has no address');
  return chosen;
}

/** Calls to addresses that merchants gave: at most `connections` to each pool, and never to what the rules refuse. */
export function openPublicEgress(rules: TargetRules, more: Pick<EgressOptions, 'connections' | 'tls'> = {}): Egress {
  return openEgress({
    ...more,
    choose: (origin) => chooseAddress(origin, rules),
    checkPeer: (address) => {
      if (!rules.private_targets && !isPublicAddress(address ?? '')) throw new TargetRefused('not a public address');
    },
  });
}

const PUBLIC_PORTS: readonly number[] = [443, 8443];

export function targetRules(private_targets: boolean): TargetRules {
  return { private_targets, ports: PUBLIC_PORTS, lookup: openNames({ as_machine: private_targets }) };
}

function portOf({ protocol, port }: URL): number {
  return port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port);
}

function bare(hostname: string): string {
  return hostname.replace(/^\[|\]$/g, '');
}
