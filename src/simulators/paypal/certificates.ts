// The certificate with which the simulated PayPal signs its messages, and the host that serves it: over TLS, under its
// own authority.
import { type KeyObject, generateKeyPairSync, sign } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:https';
import { DAY_MS } from '../../core/durations.ts';
import { listeningPort } from '../../kit/listening-port.ts';
import { makeCertificate } from '../../kit/tls/certificate.ts';

export type CertificateHost = {
  readonly base_url: string;
  readonly ca: string;
  readonly cert_url: string;
  readonly sign: (text: string) => string;
  readonly close: () => Promise<void>;
};

const PATH = '/v1/notifications/certs/CERT-360caa42-simulated';
const NAME = 'localhost';
const AUTHORITY = 'Simulated PayPal authority';

export async function openCertificateHost(
  now: number,
  bytes: (length: number) => Buffer,
  shown_at?: string,
): Promise<CertificateHost> {
  const authority = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const made = (subject: string, own: KeyObject, kind: Parameters<typeof makeCertificate>[0]['for']) =>
    makeCertificate({
      subject,
      issuer: AUTHORITY,
      public_key: own,
      authority_key: authority.privateKey,
      serial: bytes(16),
      not_before: new Date(now - DAY_MS),
      not_after: new Date(now + 3650 * DAY_MS),
      for: kind,
    });
  const host = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const signer = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const ca = made(AUTHORITY, authority.publicKey, 'authority');
  const leaf = made('messageverificationcerts.paypal.invalid', signer.publicKey, 'signer');
  const cert = made(NAME, host.publicKey, { dns_name: NAME, uses: ['server'] });
  const key = host.privateKey.export({ type: 'pkcs8', format: 'pem' });
  const server = createServer({ cert, key }, ({ url }, response) => {
    const known = url === PATH;
    response.writeHead(known ? 200 : 404, { 'content-type': 'application/x-pem-file' }).end(known ? leaf : '');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const base_url = `https://${NAME}:${listeningPort(server)}`;
  return {
    base_url,
    ca,
    cert_url: (shown_at ?? base_url) + PATH,
    sign: (text) => sign('sha256', Buffer.from(text), signer.privateKey).toString('base64'),
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}
