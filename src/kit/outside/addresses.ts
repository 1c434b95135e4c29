// Which addresses are public: they are reachable on the internet; all others are private.
import { BlockList, isIP } from 'node:net';

/**
 * IPv4 that is not public unicast (IANA's special-purpose registry): this network, private, shared, loopback,
 * link-local, protocols, documentation, AS112, AMT, 6to4 relays, benchmarks, multicast, reserved.
 */
const SPECIAL_4 =
  '0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24 192.31.196.0/24 192.52.193.0/24 ' +
  '192.88.99.0/24 192.168.0.0/16 192.175.48.0/24 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/4 240.0.0.0/4';
/**
 * Given out as public, and answering only the machines of one cloud: Azure's platform address, IBM Cloud's service
 * networks, the virtual addresses of Google's own services. The other clouds' addresses for their machines are special
 * or no public IPv6.
 */
const OF_CLOUDS_4 = '168.63.129.16/32 161.26.0.0/16 166.8.0.0/14 199.36.153.4/30 199.36.153.8/30';
/**
 * Of IPv6 only 2000::/3 is public: addresses that carry an IPv4 address (mapped, NAT64), unique local and link-local
 * ones are outside of it.
 */
const PUBLIC_6 = '2000::/3';
/** Within it: protocols (Teredo, ORCHID, benchmarks), documentation, 6to4, AS112. */
const SPECIAL_6 = '2001::/23 2001:db8::/32 2002::/16 2620:4f:8000::/48 3fff::/20';

// one list for each family: Node holds an IPv4 address against IPv6 ranges too, as ::ffff:a.b.c.d
const refused_4 = listOf(`${SPECIAL_4} ${OF_CLOUDS_4}`, 'ipv4');
const given_out_6 = listOf(PUBLIC_6, 'ipv6');
const refused_6 = listOf(SPECIAL_6, 'ipv6');

function listOf(subnets: string, family: 'ipv4' | 'ipv6'): BlockList {
  const list = new BlockList();
  for (const subnet of subnets.split(' ')) {
    const [net = '', prefix] = subnet.split('/');
    list.addSubnet(net, Number(prefix), family);
  }
  return list;
}

/** True for an address that is public on the internet. False for what is no address. */
export function isPublicAddress(address: string): boolean {
  const family = isIP(address);
  if (family === 4) return !refused_4.check(address, 'ipv4');
  return (
    family === 6 && !address.includes('%') && given_out_6.check(address, 'ipv6') && !refused_6.check(address, 'ipv6')
  );
}
