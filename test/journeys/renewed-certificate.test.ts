// The certificate that browsers and merchants see, while the host runs: a renewed one is taken over, one that cannot be
// used is not; and a start says which file is wrong.
import { generateKeyPairSync } from 'node:crypto';
import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { connect } from 'node:tls';
import { afterAll, expect, test } from 'vitest';
import { openPublicTls } from '../../src/kit/tls/public.ts';
import { makeCertificate } from '../../src/kit/tls/certificate.ts';
import { StartError } from '../../src/kit/start-error.ts';
import { newFolder } from '../start/child.ts';
import { world } from '../world.ts';

const folder = newFolder('florin-renewed-');
afterAll(() => folder[Symbol.dispose]());
const [CERT, KEY] = [join(folder.path, 'public.pem'), join(folder.path, 'public.key')];

/** A certificate for `localhost` with its key, both PEM. */
function made(serial: number) {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const cert = makeCertificate({
    subject: 'localhost',
    issuer: 'localhost',
    public_key: publicKey,
    authority_key: privateKey,
    serial: Uint8Array.of(serial),
    not_before: new Date(Date.now() - 60_000),
    not_after: new Date(Date.now() + 86_400_000),
    for: { dns_name: 'localhost', uses: ['server'] },
  });
  return { cert, key: String(privateKey.export({ type: 'pkcs8', format: 'pem' })) };
}

/** As a program that renews certificates does it: in one step. */
function put(file: string, text: string): void {
  writeFileSync(`${file}.new`, text);
  renameSync(`${file}.new`, file);
}

function serialAt(url: string): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const socket = connect({ port: Number(new URL(url).port), host: '127.0.0.1', rejectUnauthorized: false }, () => {
    resolve(socket.getPeerCertificate().serialNumber);
    socket.destroy();
  });
  socket.on('error', reject);
  return promise;
}

test('a renewed certificate is shown to the next caller without a restart, and half of a renewal is not', async () => {
  const [first, second] = [made(1), made(2)];
  put(CERT, first.cert);
  put(KEY, first.key);
  await using w = await world({ FLORIN_TLS_CERT_FILE: CERT, FLORIN_TLS_KEY_FILE: KEY });
  const { base_url, vault_url, backoffice_url } = w.service.addresses;
  for (const url of [base_url, vault_url, backoffice_url]) expect(await serialAt(url)).toBe('01');
  put(CERT, second.cert);
  for (const url of [base_url, vault_url, backoffice_url]) expect(await serialAt(url)).toBe('01');
  put(KEY, second.key);
  for (const url of [base_url, vault_url, backoffice_url]) expect(await serialAt(url)).toBe('02');
});

test.each<[string, string, string, string]>([
  ['a certificate that is none', 'no certificate', made(1).key, `FLORIN_TLS_CERT_FILE ${CERT}`],
  ['a key that is none', made(1).cert, 'no key', `FLORIN_TLS_KEY_FILE ${KEY}`],
  ['the key of another certificate', made(1).cert, made(2).key, `FLORIN_TLS_KEY_FILE ${KEY}`],
  ['certificate and key exchanged', made(1).key, made(1).cert, `FLORIN_TLS_CERT_FILE ${CERT}`],
])('a start with %s is refused, and names the setting and the file', (_, cert, key, says) => {
  put(CERT, cert);
  put(KEY, key);
  const open = () => openPublicTls({ cert_file: CERT, key_file: KEY }, () => undefined);
  expect(open).toThrow(StartError);
  expect(open).toThrow(says);
});
