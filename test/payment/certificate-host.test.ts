// A message that is signed under a certificate: which host the certificate may come from, and who vouches for it, is
// what the operator's signed file says of this provider.
import { generateKeyPairSync, sign } from 'node:crypto';
import { afterAll, expect, test } from 'vitest';
import { openCertificates } from '../../src/kit/proof/certificate.ts';
import { makeCertificate } from '../../src/kit/tls/certificate.ts';
import { isProved } from '../../src/payment/settlement/proof.ts';
import { pinnedHost } from '../../src/provider/send/certificate-host.ts';
import { readDestinations } from '../../src/provider/send/signed.ts';
import { newFolder } from '../start/child.ts';
import { pinned, signedFile, table } from '../vault/provider.ts';

const folder = newFolder('florin-certificate-host-');
afterAll(() => folder[Symbol.dispose]());

const MOMENT = new Date('2026-06-01T00:00:00Z');
const OVER = 'id|time|webhook|123';
const authority = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const signer = generateKeyPairSync('rsa', { modulusLength: 2048 });
const made = (issued: Pick<Parameters<typeof makeCertificate>[0], 'subject' | 'public_key' | 'for'>) =>
  makeCertificate({
    issuer: 'Ours',
    authority_key: authority.privateKey,
    serial: Buffer.alloc(16, 1),
    not_before: new Date(MOMENT.getTime() - 86_400_000),
    not_after: new Date(MOMENT.getTime() + 86_400_000),
    ...issued,
  });
const ROOT = made({ subject: 'Ours', public_key: authority.publicKey, for: 'authority' });
const LEAF = made({
  subject: 'messages.example',
  public_key: signer.publicKey,
  for: { dns_name: 'messages.example', uses: ['server'] },
});

async function destinationsOf() {
  const at = (base_url: string, ca: string) => pinned(443, ca, { base_url, tls: { ca, min: 'TLSv1.2' } });
  const files = signedFile(
    folder.path,
    { bank: at('https://api.bank.example', ROOT), other: at('https://api.other.example', 'system') },
    'production',
  );
  const { FLORIN_DESTINATIONS_FILE: file, FLORIN_DESTINATIONS_KEY_FILE: key_file } = files;
  return new Map(await readDestinations({ file, key_file, environment: 'production', table }));
}

test('the certificate comes from the host that the file names for the provider, and leads to the authority it names', async () => {
  const destinations = await destinationsOf();
  const asked: string[] = [];
  const certificates = openCertificates({
    clock: { now: () => MOMENT, ticks: () => 0 },
    egress: {
      exchange: async ({ origin, path }) => {
        asked.push(origin + path);
        return { kind: 'answered', status: 200, body: Buffer.from(LEAF) };
      },
    },
    pinned: (name) => pinnedHost(destinations, name),
  });
  const clock = { now: () => MOMENT, shift_ms: () => 0 };
  const given = sign('sha256', Buffer.from(OVER), signer.privateKey).toString('base64');
  const holds = (by: string, url: string, host = 'api') =>
    isProved(
      // the rest of the clock is asked by nobody here
      { certificates, clock: clock as Parameters<typeof isProved>[0]['clock'] },
      { by, proof: { kind: 'certificate', url, host, over: ['id|time|', { secret: 'webhook' }, '|123'], given } },
      { webhook: ['another', 'webhook'] },
    );
  expect(await holds('bank', 'https://api.bank.example/certs/1')).toBe(true);
  expect(await holds('bank', 'https://api.other.example/certs/1'), 'a host of another provider').toBe(false);
  expect(await holds('bank', 'https://api.bank.example/certs/1', 'pay'), 'no host of this name').toBe(false);
  expect(await holds('nobody', 'https://api.bank.example/certs/1')).toBe(false);
  expect(asked).toEqual(['https://api.bank.example/certs/1']);
  // the right address, and another authority than the file names
  expect(await holds('other', 'https://api.other.example/certs/1')).toBe(false);
});

test('a host without TLS and a member that every object has are no hosts', async () => {
  const destinations = await destinationsOf();
  expect(pinnedHost(destinations, 'bank/constructor')).toBeUndefined();
  const [one] = destinations.values();
  if (!one) throw new Error('the file has destinations');
  const plain = new Map([
    ['bank', { ...one, hosts: { api: { origin: 'http://127.0.0.1:1', prefix: '', tls: null } } }],
  ]);
  expect(pinnedHost(plain, 'bank/api')).toBeUndefined();
});
