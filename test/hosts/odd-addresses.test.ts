// Hosts that listen at all addresses of a machine, or at one of IPv6: callers get an address that can be called, and
// the commands beside them find them.
import { networkInterfaces } from 'node:os';
import { expect, inject, test } from 'vitest';
import { textAt } from '../client.ts';
import { runFlorin } from '../start/child.ts';
import { world } from '../world.ts';

const portOf = (url: string) => new URL(url).port;
const has_ipv6 = Object.values(networkInterfaces()).some((list) => list?.some(({ address }) => address === '::1'));

const HOSTS: readonly (readonly [host: string, called: string])[] = [
  ['0.0.0.0', 'http://127.0.0.1'],
  ...(has_ipv6
    ? ([
        ['::', 'http://[::1]'],
        ['::1', 'http://[::1]'],
      ] as const)
    : []),
];

test.each(HOSTS)(
  'FLORIN_HOST=%s: callers are told %s, and the commands on the same machine reach it',
  async (host, called) => {
    await using w = await world({ FLORIN_HOST: host });
    const { base_url, vault_url, backoffice_url } = w.service.addresses;
    expect([base_url, vault_url, backoffice_url].map((url) => url.replace(/:\d+$/, ''))).toEqual([
      called,
      called,
      called,
    ]);
    const { socket_dir, user } = inject('server');
    const run = async (...command: readonly string[]) => {
      const florin = runFlorin({
        cwd: w.data_dir,
        command,
        settings: {
          FLORIN_HOST: host,
          FLORIN_DATA_DIR: w.data_dir,
          FLORIN_DATABASE_URL: `postgres://${user}@/${w.database}?host=${encodeURIComponent(socket_dir)}`,
          FLORIN_API_PORT: portOf(base_url),
          FLORIN_VAULT_PORT: portOf(vault_url),
          FLORIN_BACKOFFICE_PORT: portOf(backoffice_url),
        },
      });
      await florin.ended;
      return florin;
    };
    const order_id = textAt(await w.shop.pay(), 'order_id');
    expect((await w.shop.decided(order_id)).at('status')).toBe('capture_successful');
    const clock = await run('clock');
    expect([clock.err(), clock.out()]).toEqual(['', expect.stringContaining('the real time')]);
    const { findings } = JSON.parse((await run('doctor', '--json')).out()) as {
      findings: readonly { readonly check: string; readonly says: string }[];
    };
    expect(findings.filter(({ check }) => / at port /.test(check)).map(({ says }) => says)).toEqual([
      'is ready',
      'is ready',
      'is ready',
    ]);
  },
);
