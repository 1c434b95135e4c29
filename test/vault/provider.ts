// A payment provider behind TLS on loopback, whose answers a test decides, and the operator's signed file that pins it.
import { createPublicKey, generateKeyPairSync, sign } from 'node:crypto';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import { join } from 'node:path';
import { listeningPort } from '../../src/kit/listening-port.ts';
import { makeCertificate } from '../../src/kit/tls/certificate.ts';
import { type LoadTable, loadTable } from '../../src/provider/send/tables.ts';

export type Heard = { readonly url: string; readonly headers: IncomingMessage['headers']; readonly body: string };

export type Provider = AsyncDisposable & {
  readonly port: number;
  /** What pins it: its own certificate, which no authority signed. */
  readonly certificate: string;
  /** What it was asked, since the start. */
  readonly heard: Heard[];
  /** How it answers from now on. */
  answer: (response: ServerResponse, heard: Heard) => void;
};

export function newCertificate(dns_name: string): { cert: string; key: string } {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const cert = makeCertificate({
    subject: dns_name,
    issuer: dns_name,
    public_key: publicKey,
    authority_key: privateKey,
    serial: Uint8Array.of(1),
    not_before: new Date(Date.now() - 60_000),
    not_after: new Date(Date.now() + 3_600_000),
    for: { dns_name, uses: ['server'] },
  });
  return { cert, key: String(privateKey.export({ type: 'pkcs8', format: 'pem' })) };
}

export async function startProvider(shown = newCertificate('localhost')): Promise<Provider> {
  const heard: Heard[] = [];
  const server = createServer(shown, (request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const one = { url: request.url ?? '', headers: request.headers, body: Buffer.concat(chunks).toString() };
      heard.push(one);
      provider.answer(response, one);
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const provider: Provider = {
    port: listeningPort(server),
    certificate: shown.cert,
    heard,
    answer: (response) => response.end('{"status":"approved"}'),
    [Symbol.asyncDispose]: async () => {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
  return provider;
}

const FOLDER = new URL('./tables/', import.meta.url);
/** Tables of the tests, in place of those of the build. */
export const table: LoadTable = (name) => loadTable(name, FOLDER);
const TABLES = { bank: await table('bank'), 'bank-with-keys': await table('bank-with-keys') };

type Change = Readonly<Record<string, unknown>> & { readonly provider?: keyof typeof TABLES };

/** One destination of the operator's file: `base_url` and `tls` are those of its host. */
export function pinned(port: number, certificate: string, change: Change = {}): object {
  const { provider = 'bank', base_url = `https://localhost:${port}`, tls, ...rest } = change;
  return {
    provider,
    table: TABLES[provider].hash,
    hosts: { api: { base_url, tls: tls ?? { ca: certificate, min: 'TLSv1.3' } } },
    deadline_ms: 2000,
    max_body: 8192,
    max_answer: 16_384,
    ...rest,
  };
}

/** Writes and signs the file; answers the settings that name it. */
export function signedFile(folder: string, destinations: object, environment = 'sandbox') {
  const { privateKey } = generateKeyPairSync('ed25519');
  const file = join(folder, 'destinations.json');
  const key_file = join(folder, 'operator.pem');
  const bytes = Buffer.from(JSON.stringify({ environment, destinations }));
  writeFileSync(file, bytes);
  writeFileSync(`${file}.sig`, sign(null, bytes, privateKey).toString('base64'));
  writeFileSync(key_file, createPublicKey(privateKey).export({ type: 'spki', format: 'pem' }));
  return { FLORIN_DESTINATIONS_FILE: file, FLORIN_DESTINATIONS_KEY_FILE: key_file };
}

const SLOT = (slot: string) => ({ slot });

/** What a provider would write for the two steps. */
export const JSON_BODY = [
  '{"amount":500,"account":"ours","card":{"number":',
  SLOT('card.number'),
  ',"cvc":',
  SLOT('card.cvc?'),
  ',"expiry_month":',
  SLOT('card.expiry_month'),
  ',"expiry_year":',
  SLOT('card.expiry_year'),
  ',"holder":',
  SLOT('card.holder?'),
  '}}',
];

export const FORM_BODY = [
  'amount=500&account=ours+%26+nobody+else&card%5Bcvc%5D=',
  SLOT('card.cvc?'),
  '&card[number]=',
  SLOT('card.number'),
  '&card[exp_month]=',
  SLOT('card.expiry_month'),
  '&card[exp_year]=',
  SLOT('card.expiry_year'),
  '&card[name]=',
  SLOT('card.holder?'),
];
