// Messages that are signed with the key of a certificate: fetched from the host that is known, leading to an authority
// that was given.
import { type KeyObject, generateKeyPairSync, sign } from 'node:crypto';
import { expect, test } from 'vitest';
import { DAY_MS } from '../../src/core/durations.ts';
import type { Exchange } from '../../src/kit/egress.ts';
import { openCertificates } from '../../src/kit/proof/certificate.ts';
import { makeCertificate } from '../../src/kit/tls/certificate.ts';

const NOW = new Date('2026-06-01T00:00:00Z');
const rsa = () => generateKeyPairSync('rsa', { modulusLength: 2048 });
const ec = () => generateKeyPairSync('ec', { namedCurve: 'P-256' });
let serial = 0;

type Asked = { readonly subject: string; readonly issuer: string; readonly own: KeyObject; readonly by: KeyObject };
function certificate({ subject, issuer, own, by }: Asked, days = 30, kind: 'authority' | 'host' = 'host'): string {
  return makeCertificate({
    subject,
    issuer,
    public_key: own,
    authority_key: by,
    serial: Buffer.alloc(16, ++serial),
    not_before: new Date(NOW.getTime() - 10 * DAY_MS),
    not_after: new Date(NOW.getTime() + days * DAY_MS),
    for: kind === 'authority' ? 'authority' : { dns_name: 'messages.example', uses: ['server'] },
  });
}

/** An authority, and a host with a certificate of it. */
function authority(name: string) {
  const keys = ec();
  const pem = certificate({ subject: name, issuer: name, own: keys.publicKey, by: keys.privateKey }, 3650, 'authority');
  const issue = (own: KeyObject, days?: number) =>
    certificate({ subject: 'messages.example', issuer: name, own, by: keys.privateKey }, days);
  return { pem, issue, keys };
}

const ours = authority('Ours');
const signer = rsa();
const OVER = Buffer.from('id|time|webhook|123');
const given = sign('sha256', OVER, signer.privateKey).toString('base64');
const URL_OF = 'https://api.example/certs/1';

/** What is at each address; `asked`: each that was fetched. */
function witness(files: Readonly<Record<string, string>>, now = NOW) {
  const asked: string[] = [];
  let ticks = 0;
  const certificates = openCertificates({
    clock: { now: () => now, ticks: () => ticks },
    pinned: (host) => (host === 'api' ? { origin: 'https://api.example', authorities: [ours.pem] } : undefined),
    egress: {
      exchange: async ({ origin, path }): Promise<Exchange> => {
        asked.push(origin + path);
        const text = files[origin + path];
        return text === undefined
          ? { kind: 'unknown', why: 'timeout' }
          : { kind: 'answered', status: 200, body: Buffer.from(text) };
      },
    },
  });
  const holds = (change: Partial<{ url: string; host: string; over: Uint8Array; given: string }> = {}) =>
    certificates.isSignedUnder({ url: URL_OF, host: 'api', over: OVER, given, ...change });
  return { holds, asked, later: (ms: number) => (ticks += ms) };
}

test('a signature holds under the certificate of the host, which is fetched once', async () => {
  const { holds, asked } = witness({ [URL_OF]: ours.issue(signer.publicKey) });
  expect(await holds()).toBe(true);
  expect(await holds()).toBe(true);
  expect(await holds({ over: Buffer.from('id|time|webhook|124') })).toBe(false);
  expect(await holds({ given: '' })).toBe(false);
  expect(await holds({ given: given.replace(/^./, (c) => (c === 'A' ? 'B' : 'A')) })).toBe(false);
  expect(asked).toEqual([URL_OF]);
});

test('no address but one of the pinned host is fetched', async () => {
  const { holds, asked } = witness({});
  for (const url of [
    'https://other.example/certs/1',
    'http://api.example/certs/1',
    'https://api.example:8443/certs/1',
    'https://api.example@other.example/certs/1',
    'https://user@api.example/certs/1',
    'https://api.example.other.example/',
    'not an address',
    '',
  ])
    expect([url, await holds({ url })]).toEqual([url, false]);
  expect(await holds({ host: 'nobody' })).toBe(false);
  expect(asked).toEqual([]);
});

test('a certificate of another authority, of nobody, or whose time is over proves nothing', async () => {
  const stranger = authority('Ours');
  const self = rsa();
  const lone = certificate({
    subject: 'messages.example',
    issuer: 'messages.example',
    own: self.publicKey,
    by: ec().privateKey,
  });
  for (const [name, pem] of [
    ['another authority of the same name', stranger.issue(signer.publicKey)],
    ['nobody', lone],
    ['over since yesterday', ours.issue(signer.publicKey, -1)],
    ['with a root of its own in the chain', stranger.issue(signer.publicKey) + stranger.pem],
  ] as const)
    expect([name, await witness({ [URL_OF]: pem }).holds()]).toEqual([name, false]);
  const early = witness({ [URL_OF]: ours.issue(signer.publicKey) }, new Date(NOW.getTime() - 11 * DAY_MS));
  expect(await early.holds()).toBe(false);
  // its time ends while it is remembered
  const late = new Date(NOW.getTime() + 31 * DAY_MS);
  expect(await witness({ [URL_OF]: ours.issue(signer.publicKey) }, late).holds()).toBe(false);
});

test('a certificate of a host signs no other; one of another kind of key proves nothing', async () => {
  const host = ec();
  const leaf = ours.issue(host.publicKey);
  const forged = certificate({
    subject: 'forged.example',
    issuer: 'messages.example',
    own: signer.publicKey,
    by: host.privateKey,
  });
  expect(await witness({ [URL_OF]: forged + leaf }).holds()).toBe(false);
  expect(
    await witness({ [URL_OF]: leaf }).holds({ given: sign('sha256', OVER, host.privateKey).toString('base64') }),
  ).toBe(false);
});

test('a certificate that cannot be fetched leaves the answer unknown, and is not asked for again at once', async () => {
  const { holds, asked, later } = witness({ 'https://api.example/certs/2': 'no certificate' });
  expect(await holds()).toBeUndefined();
  expect(await holds()).toBeUndefined();
  expect(await holds({ url: 'https://api.example/certs/2' })).toBeUndefined();
  expect(asked.length).toBe(2);
  later(30_001);
  expect(await holds()).toBeUndefined();
  expect(asked.length).toBe(3);
});
