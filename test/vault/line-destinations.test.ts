// What the operator signs of lines: their addresses, and whom they must prove to lead to.
import { expect, test } from 'vitest';
import { openDestinations } from '../../src/destinations.ts';
import { readDestinations } from '../../src/provider/send/signed.ts';
import { loadTable } from '../../src/provider/send/tables.ts';
import { readConfig } from '../../src/settings/config.ts';
import { newFolder } from '../start/child.ts';
import { signedFile } from './provider.ts';

const { hash } = await loadTable('iso8583');
const TLS = { ca: 'system', min: 'TLSv1.3' };

async function said(environment: 'sandbox' | 'production', acquirer: object): Promise<unknown> {
  using folder = newFolder();
  const limits = { deadline_ms: 20_000, max_body: 8192, max_answer: 16_384 };
  const destinations = { iso8583: { provider: 'iso8583', table: hash, hosts: { acquirer }, ...limits } };
  const { FLORIN_DESTINATIONS_FILE: file, FLORIN_DESTINATIONS_KEY_FILE: key_file } = signedFile(
    folder.path,
    destinations,
    environment,
  );
  return readDestinations({ file, key_file, environment }).then(
    (read) => read[0]?.[1].hosts['acquirer'],
    (error: unknown) => String(error),
  );
}

test('two addresses, the first preferred; a leased line leads to no public address', async () => {
  const lines = ['tcp://10.0.0.7:8583', 'tcp://[fd00::7]:8583'];
  expect(await said('production', { lines, tls: TLS })).toEqual({
    lines: [
      { host: '10.0.0.7', port: 8583 },
      { host: 'fd00::7', port: 8583 },
    ],
    tls: { ca: 'system', certificates: [], min: 'TLSv1.3' },
  });
});

test('in clear on loopback in a sandbox', async () => {
  expect(await said('sandbox', { lines: ['tcp://localhost:8583'] })).toEqual({
    lines: [{ host: 'localhost', port: 8583 }],
    tls: null,
  });
});

test.each([
  ['production', { lines: ['tcp://10.0.0.7:8583'] }, 'acquirer.tls must be an object'],
  ['sandbox', { lines: ['tcp://acquirer.example:8583'] }, 'must be on loopback in a sandbox'],
  ['sandbox', { lines: ['tcp://10.0.0.7:8583'], tls: TLS }, 'must be on loopback in a sandbox'],
  ['production', { base_url: 'https://acquirer.example', tls: TLS }, 'acquirer must have lines, for authorize'],
  ['production', { base_url: 'https://acquirer.example', lines: ['tcp://a:1'], tls: TLS }, 'not both'],
  ...[[], 'tcp://a:1', ['https://a:1'], ['tcp://a'], ['tcp://a:70000'], ['tcp://a:1/x'], ['tcp://u@a:1'], [7]].map(
    (lines) => ['production', { lines, tls: TLS }, 'must be a list of 1 to 4 addresses'] as const,
  ),
  ['production', { lines: Array.from({ length: 5 }, () => 'tcp://a:1'), tls: TLS }, 'must be a list of 1 to 4'],
] as const)('in %s not %j', async (environment, acquirer, problem) => {
  expect(await said(environment, acquirer)).toContain(problem);
});

test.each([
  ['iso8583', 'http://127.0.0.1:1', 'such as tcp://'],
  ['stripe', 'tcp://127.0.0.1:1', 'such as http://'],
])('a simulator of %s is not at %s', async (name, url, problem) => {
  const simulated = { simulator_url: undefined, simulators: new Map([[name, url]]) };
  await expect(openDestinations(readConfig({}), simulated)).rejects.toThrow(problem);
});
