// florin certs: an authority and one certificate a host, each with one exact name, made once and renewed without a new
// authority.
import { spawnSync } from 'node:child_process';
import { X509Certificate, createPrivateKey, generateKeyPairSync } from 'node:crypto';
import { chmodSync, chownSync, mkdirSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeCerts } from '../../src/hosts/certs.ts';
import { makeCertificate } from '../../src/kit/tls/certificate.ts';
import { peerOf, readIdentity } from '../../src/kit/tls/identity.ts';
import { ROOT, newFolder, outcomeOf } from '../start/child.ts';

const PEERS = ['payment', 'vault', 'worker'] as const;
const folder = newFolder('florin-certs-');
const certs = join(folder.path, 'certs');
const ran: { code: number | null; said: string }[] = [];
beforeAll(async () => {
  ran.push(await outcomeOf({ cwd: folder.path, command: ['certs', 'certs'] }));
});
afterAll(() => folder[Symbol.dispose]());

const authority = () => new X509Certificate(readFileSync(join(certs, 'ca.pem')));
const identity = (peer: string) => readFileSync(join(certs, peer, 'identity.pem'), 'utf8');
const hasOpenssl = spawnSync('openssl', ['version']).status === 0;

describe('the first time', () => {
  test('it says where each folder is, and what to keep off the hosts', () => {
    expect(ran[0]?.code).toBe(0);
    for (const peer of PEERS) expect(ran[0]?.said).toContain(join(certs, peer));
    expect(ran[0]?.said).toContain(`Keep ${join(certs, 'ca.key')} off every host`);
  });

  test('a folder holds nothing of another host, and its files are for their owner only', () => {
    for (const peer of PEERS) {
      expect(readdirSync(join(certs, peer)).toSorted()).toEqual(['ca.pem', 'identity.pem']);
      expect(statSync(join(certs, peer)).mode & 0o777).toBe(0o700);
      expect(statSync(join(certs, peer, 'identity.pem')).mode & 0o777).toBe(0o400);
      expect(identity(peer).match(/-----BEGIN [A-Z ]+-----/g)).toEqual([
        '-----BEGIN CERTIFICATE-----',
        '-----BEGIN PRIVATE KEY-----',
      ]);
    }
    expect([statSync(certs).mode & 0o777, statSync(join(certs, 'ca.key')).mode & 0o777]).toEqual([0o700, 0o400]);
  });

  test.each(PEERS)('the certificate of %s has one name, its own key, 90 days, and the authority behind it', (peer) => {
    const certificate = new X509Certificate(identity(peer));
    expect(certificate.subjectAltName).toBe(`DNS:${peer}.florin.internal`);
    expect(certificate.checkPrivateKey(createPrivateKey(identity(peer)))).toBe(true);
    expect([certificate.checkIssued(authority()), certificate.verify(authority().publicKey)]).toEqual([true, true]);
    expect([certificate.ca, authority().ca]).toEqual([false, true]);
    const days = (certificate.validToDate.getTime() - certificate.validFromDate.getTime()) / 86_400_000;
    expect(Math.round(days)).toBe(90);
    expect(certificate.keyUsage).toEqual(
      peer === 'worker' ? ['1.3.6.1.5.5.7.3.2'] : ['1.3.6.1.5.5.7.3.1', '1.3.6.1.5.5.7.3.2'],
    );
  });

  test.skipIf(!hasOpenssl)('openssl finds nothing wrong with them (skipped where there is no openssl)', () => {
    const verify = (peer: string, purpose: string) =>
      spawnSync('openssl', [
        'verify',
        '-x509_strict',
        '-purpose',
        purpose,
        '-CAfile',
        join(certs, 'ca.pem'),
        join(certs, peer, 'identity.pem'),
      ]).status;
    for (const peer of PEERS) expect([peer, verify(peer, 'sslclient')]).toEqual([peer, 0]);
    expect([verify('vault', 'sslserver'), verify('payment', 'sslserver')]).toEqual([0, 0]);
    expect(verify('worker', 'sslserver'), 'a worker answers nobody').not.toBe(0);
  });
});

test('making certificates a second time overwrites nothing, and a renewal keeps the authority', async () => {
  const before = PEERS.map(identity);
  const again = await outcomeOf({ cwd: folder.path, command: ['certs', 'certs'] });
  expect([again.code, again.said]).toEqual([
    1,
    expect.stringContaining('holds certificates already, and none is overwritten'),
  ]);
  expect(PEERS.map(identity)).toEqual(before);
  const old_authority = authority().fingerprint256;
  const renewed = await outcomeOf({ cwd: folder.path, command: ['certs', 'certs', '--renew', '--days', '30'] });
  expect(renewed.code).toBe(0);
  expect(authority().fingerprint256).toBe(old_authority);
  for (const [at, peer] of PEERS.entries()) {
    expect(identity(peer)).not.toBe(before[at]);
    expect(readIdentity(join(certs, peer), peer, () => undefined).peer).toBe(peer);
  }
});

test('folders of hosts that are there before, with their settings, are no certificates', async () => {
  using other = newFolder();
  mkdirSync(join(other.path, 'live', 'vault'), { recursive: true });
  writeFileSync(join(other.path, 'live', 'vault', 'settings.env'), '');
  const { code, said } = await outcomeOf({ cwd: other.path, command: ['certs', 'live'] });
  expect([code, said]).toEqual([0, expect.stringContaining('Hosts that run take renewed files over by themselves')]);
  expect(readIdentity(join(other.path, 'live', 'vault'), 'vault', () => undefined).peer).toBe('vault');
});

test.each([
  ['ca.key', 'ca.pem'],
  ['ca.pem', 'ca.key'],
])('an authority that lacks its %s makes and renews nothing, and both say what is missing', (missing, there) => {
  using other = newFolder();
  const at = join(other.path, 'certs');
  makeCerts({ folder: at, renew: false, days: 1 });
  for (const name of [missing, ...PEERS]) rmSync(join(at, name), { recursive: true });
  for (const renew of [false, true])
    expect(() => makeCerts({ folder: at, renew, days: 1 })).toThrow(`${at} has ${there}, and no ${missing}`);
  expect(readdirSync(at)).toEqual([there]);
});

test('an authority of which the disk took a part is none: what is missing is said, and nothing is renewed with it', () => {
  using other = newFolder();
  const at = join(other.path, 'certs');
  // files grow to 512 bytes here, which is less than a certificate
  const words = ['-c', 'ulimit -f 1; exec "$@"', 'sh', process.execPath, join(ROOT, 'src/main.ts'), 'certs', at];
  const { status, stderr } = spawnSync('/bin/sh', words, { encoding: 'utf8' });
  expect([status, stderr]).toEqual([1, expect.stringContaining('lets no file of this account grow that large')]);
  for (const renew of [false, true])
    expect(() => makeCerts({ folder: at, renew, days: 1 })).toThrow(`${at} has ca.key, and no ca.pem`);
});

test('what a killed renewal left beside a file does not stop the next one (skipped without root)', async ({ skip }) => {
  if (process.getuid?.() !== 0) skip('root alone may run it as an account that may not write to that file');
  using other = newFolder();
  const uid = 65_534;
  chmodSync(other.path, 0o777);
  expect(await outcomeOf({ cwd: other.path, command: ['certs', 'certs'], uid })).toMatchObject({ code: 0 });
  const left = join(other.path, 'certs', 'vault', 'identity.pem.new');
  writeFileSync(left, 'half', { mode: 0o400 });
  chownSync(left, uid, uid);
  const { code, said } = await outcomeOf({ cwd: other.path, command: ['certs', 'certs', '--renew'], uid });
  expect([code, said]).toEqual([0, expect.stringContaining('valid for 90 days')]);
  expect(readdirSync(join(other.path, 'certs', 'vault')).toSorted()).toEqual(['ca.pem', 'identity.pem']);
});

test.each([
  [['certs'], 'Usage: florin certs FOLDER'],
  [['certs', 'a', 'b'], 'Usage: florin certs FOLDER'],
  [['certs', 'a', '--days', '0'], 'N from 1 to 825'],
  [['certs', 'a', '--days', '826'], 'N from 1 to 825'],
  [['certs', 'a', '--force'], "Unknown option '--force'"],
  [['certs', 'nothing-here', '--renew'], 'There are no certificates'],
])('%j is refused, and says why', async (command, why) => {
  using other = newFolder();
  const { code, said } = await outcomeOf({ cwd: other.path, command });
  expect([code, said]).toEqual([1, expect.stringContaining(why)]);
  expect(readdirSync(other.path)).toEqual([]);
});

describe('a host that starts', () => {
  const read = (from: string, as: (typeof PEERS)[number]) => () => readIdentity(join(certs, from), as, () => undefined);

  test("does not take another host's certificates, nor a folder without any", () => {
    expect(read('payment', 'vault')).toThrow(
      'are not those of the vault host: their name is DNS:payment.florin.internal',
    );
    expect(read('nobody', 'vault')).toThrow('Make the certificates with: florin certs');
  });

  test('does not take certificates of another authority', () => {
    using other = newFolder();
    makeCerts({ folder: join(other.path, 'a'), renew: false, days: 1 });
    makeCerts({ folder: join(other.path, 'b'), renew: false, days: 1 });
    const mixed = spawnSync('cp', ['-f', join(other.path, 'b/vault/identity.pem'), join(other.path, 'a/vault/')]);
    expect(mixed.status).toBe(0);
    expect(() => readIdentity(join(other.path, 'a/vault'), 'vault', () => undefined)).toThrow(
      'are not signed by the authority',
    );
  });
});

test('a host does not start with a certificate that has ended', () => {
  using other = newFolder();
  const folder_of_vault = join(other.path, 'certs', 'vault');
  makeCerts({ folder: join(other.path, 'certs'), renew: false, days: 1 });
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const ended = makeCertificate({
    subject: 'vault.florin.internal',
    issuer: 'Florin link authority',
    public_key: publicKey,
    authority_key: createPrivateKey(readFileSync(join(other.path, 'certs', 'ca.key'))),
    serial: Uint8Array.of(1),
    not_before: new Date('2026-01-01T00:00:00Z'),
    not_after: new Date('2026-01-02T00:00:00Z'),
    for: { dns_name: 'vault.florin.internal', uses: ['server', 'client'] },
  });
  rmSync(join(folder_of_vault, 'identity.pem'));
  const pem = `${ended}${String(privateKey.export({ type: 'pkcs8', format: 'pem' }))}`;
  writeFileSync(join(folder_of_vault, 'identity.pem'), pem);
  expect(() => readIdentity(folder_of_vault, 'vault', () => undefined)).toThrow(
    'have ended on Jan  2 00:00:00 2026 GMT',
  );
});

test('dates after 2049 and serial numbers with a high first bit are written as X.509 has them', () => {
  const key = createPrivateKey(readFileSync(join(certs, 'ca.key')));
  const made = makeCertificate({
    subject: 'late',
    issuer: 'late',
    public_key: authority().publicKey,
    authority_key: key,
    serial: Uint8Array.of(0, 0xff, 1),
    not_before: new Date('2049-12-31T23:59:59Z'),
    not_after: new Date('2061-01-02T03:04:05Z'),
    for: { dns_name: 'vault.florin.internal', uses: ['server'] },
  });
  const read = new X509Certificate(made);
  expect([read.validFromDate.toISOString(), read.validToDate.toISOString(), read.serialNumber]).toEqual([
    '2049-12-31T23:59:59.000Z',
    '2061-01-02T03:04:05.000Z',
    'FF01',
  ]);
  expect(read.verify(authority().publicKey)).toBe(true);
  expect(peerOf(read.toLegacyObject())).toBe('vault');
});
