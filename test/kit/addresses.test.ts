// Which addresses are public: one table for the targets that merchants give (kit/outside) and for those of providers
// (kit/tls).
import { describe, expect, test } from 'vitest';
import { isPublicAddress } from '../../src/kit/outside/addresses.ts';
import { mayReach } from '../../src/kit/tls/pinned.ts';

/** Where the machines of a cloud find their own secrets, or services meant for them alone. */
const OF_CLOUDS = [
  ['169.254.169.254', 'metadata of most clouds'],
  ['169.254.170.2', 'credentials of AWS tasks'],
  ['169.254.170.23', 'credentials of AWS pods'],
  ['169.254.0.23', 'metadata of Tencent Cloud'],
  ['169.254.42.42', 'metadata of Scaleway'],
  ['168.63.129.16', 'platform address of Azure'],
  ['100.100.100.200', 'metadata of Alibaba Cloud'],
  ['100.100.2.136', 'names of Alibaba Cloud'],
  ['192.0.0.192', 'metadata of Oracle Cloud'],
  ['161.26.0.10', 'services of IBM Cloud'],
  ['166.8.0.1', 'service endpoints of IBM Cloud'],
  ['166.11.255.254', 'service endpoints of IBM Cloud'],
  ['199.36.153.4', "Google's own services, restricted"],
  ['199.36.153.11', "Google's own services, private"],
  ['fd00:ec2::254', 'metadata of AWS'],
  ['fd00:ec2::23', 'credentials of AWS pods'],
  ['fd00:42::42', 'metadata of Scaleway'],
  ['fd20:ce::254', 'metadata of Google Cloud'],
  ['fd00:c1::a9fe:a9fe', 'metadata of Oracle Cloud'],
  ['fe80::a9fe:a9fe', 'metadata of OpenStack'],
] as const;

/** The same addresses in other clothes. */
const CARRIED = [
  ['::ffff:168.63.129.16', 'mapped'],
  ['::ffff:a8a3:8110', 'mapped, in hex'],
  ['::ffff:8.8.8.8', 'mapped, of a public one'],
  ['::ffff:0:127.0.0.1', 'translated (SIIT)'],
  ['::127.0.0.1', 'compatible'],
  ['64:ff9b::a9fe:a9fe', 'NAT64'],
  ['64:ff9b::169.254.169.254', 'NAT64, with dots'],
  ['64:ff9b:1::a9fe:a9fe', 'NAT64 of a network'],
  ['2002:a9fe:a9fe::1', '6to4'],
  ['2002:a83f:8110::1', '6to4 of the platform address'],
  ['2001:0:a9fe:a9fe::1', 'Teredo'],
  ['5f00::1', 'segment routing'],
  ['100::1', 'discard'],
  ['fec0::1', 'site-local'],
  ['ff02::1', 'multicast'],
  ['2001:db8::1', 'documentation'],
  ['3fff::1', 'documentation'],
  ['2620:4f:8000::1', 'AS112'],
  ['192.31.196.1', 'AS112'],
  ['192.52.193.1', 'AMT'],
  ['192.175.48.1', 'AS112'],
  ['192.88.99.1', '6to4 relays'],
] as const;

describe.each([...OF_CLOUDS, ...CARRIED])('%s (%s)', (address) => {
  test('is no public address, neither for merchants nor for providers', () => {
    expect([isPublicAddress(address), mayReach(address, 'public')]).toEqual([false, false]);
  });
});

test.each(
  [
    '168.63.129.15 168.63.129.17 161.25.255.255 161.27.0.0 166.7.255.255 166.12.0.0 199.36.153.3',
    '199.36.153.12 192.0.1.1 2606:4700::1111 2001:200::1 2620:4f:8001::1',
  ].flatMap((line) => line.split(' ')),
)('%s beside them is public', (address) => {
  expect([isPublicAddress(address), mayReach(address, 'public')]).toEqual([true, true]);
});
