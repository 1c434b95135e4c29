// Apple, as far as a test needs it: its host for merchants, behind TLS that asks for a merchant identity; identities
// that it issues; and payloads, sealed for the keys that an account has set.
import { type KeyObject, createPublicKey, generateKeyPairSync, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import { join } from 'node:path';
import type { TLSSocket } from 'node:tls';
import { vi } from 'vitest';
import { walletKeysCommand } from '../../../src/commands/wallet/wallet-keys.ts';
import { DAY_MS } from '../../../src/core/durations.ts';
import { CURRENCY_NUMBERS } from '../../../src/core/three-ds/currency-numbers.ts';
import { listeningPort } from '../../../src/kit/listening-port.ts';
import { makeCertificate } from '../../../src/kit/tls/certificate.ts';
import { loadTable } from '../../../src/provider/send/tables.ts';
import { makeApplePayload } from '../../../src/vault/wallet/sandbox/apple-payload.ts';
import { demoAppleAuthority } from '../../../src/vault/wallet/sandbox/demo-keys.ts';
import type { Processes } from '../../hosts/processes.ts';
import type { Settings } from '../../start/child.ts';
import type { World } from '../../world.ts';
import { settingsOf } from '../inside.ts';
import { newCertificate, signedFile } from '../provider.ts';

export const MERCHANT_ID = 'merchant.example.shop';
const ASSOCIATION = '7B227073704964223A2239373943394538';

const pemOf = (key: KeyObject) => String(key.export({ type: 'pkcs8', format: 'pem' }));
const newKeys = () => generateKeyPairSync('ec', { namedCurve: 'P-256' });

export type Issuing = { readonly merchant_id?: string; readonly days?: number };
export type Issued = { readonly cert: string; readonly key: string };

/** Who issues merchant identities; its own name is in them, so that two of them differ. */
export function newIssuer(name: string): { readonly pem: string; issue(wanted?: Issuing): Issued } {
  const own = newKeys();
  const common = { issuer: name, authority_key: own.privateKey, not_before: new Date(Date.now() - 40 * DAY_MS) };
  return {
    pem: makeCertificate({
      ...common,
      subject: name,
      public_key: own.publicKey,
      serial: [1],
      not_after: new Date(Date.now() + 400 * DAY_MS),
      for: 'authority',
    }),
    issue: ({ merchant_id = MERCHANT_ID, days = 300 } = {}) => {
      const { publicKey, privateKey } = newKeys();
      const cert = makeCertificate({
        ...common,
        subject: `Apple Pay Merchant Identity:${merchant_id}`,
        user_id: merchant_id,
        public_key: publicKey,
        serial: randomBytes(16).fill(1, 0, 1),
        not_after: new Date(Date.now() + days * DAY_MS),
        for: { dns_name: 'shop.example', uses: ['client'] },
      });
      return { cert, key: pemOf(privateKey) };
    },
  };
}

type Heard = { readonly url: string; readonly body: string; readonly merchant: string };

export type Apple = AsyncDisposable & {
  readonly port: number;
  readonly issuer: ReturnType<typeof newIssuer>;
  /** What it was asked, and by whom. */
  readonly heard: Heard[];
  answer(response: ServerResponse): void;
  /** The operator's settings with which a vault reaches it, and no other host. */
  readonly settings: Readonly<Record<string, string>>;
};

export const SESSION = { epochTimestamp: 1_764_000_000_000, merchantSessionIdentifier: 'SSH01', nonce: '5d1c' };
export const answerSession = (response: ServerResponse): void => void response.end(JSON.stringify(SESSION));

/** Its files are written to `folder`; `shown`: its certificate. */
export async function openApple(folder: string, shown = newCertificate('localhost')): Promise<Apple> {
  const issuer = newIssuer('Apple of the test');
  const heard: Heard[] = [];
  const tls = { ...shown, ca: issuer.pem, requestCert: true, rejectUnauthorized: true };
  const server = createServer(tls, (request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const merchant = String((request.socket as TLSSocket).getPeerCertificate().subject.CN);
      heard.push({ url: request.url ?? '', body: Buffer.concat(chunks).toString(), merchant });
      apple.answer(response);
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const port = listeningPort(server);
  const file = join(folder, 'association.txt');
  writeFileSync(file, ASSOCIATION);
  const destination = {
    provider: 'apple-pay',
    table: (await loadTable('apple-pay')).hash,
    hosts: { api: { base_url: `https://localhost:${port}`, tls: { ca: shown.cert, min: 'TLSv1.2' } } },
    deadline_ms: 1500,
    max_body: 8192,
    max_answer: 65_536,
  };
  const apple: Apple = {
    port,
    issuer,
    heard,
    answer: answerSession,
    settings: {
      ...signedFile(folder, { apple_pay_session: destination }),
      FLORIN_APPLE_PAY_ASSOCIATION_FILE: file,
    },
    [Symbol.asyncDispose]: async () => {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
  return apple;
}

/** Keys that payloads are sealed for. */
export const newPayloadKey = (): KeyObject => newKeys().privateKey;

/** On the vault's host, which may be a process of its own. */
function settingsOfVault(w: World): Settings {
  if ('settings' in w.service) return (w.service as Processes).settings.vault;
  const { base_url, vault_url } = w.service.addresses;
  const own = { FLORIN_BASE_URL: base_url, FLORIN_VAULT_URL: vault_url, FLORIN_DATABASE_DURABLE: 'unchecked' };
  return { ...settingsOf(w), ...own };
}

/** `florin wallet-keys` beside a running world; answers what it prints. */
export async function setWalletKeys(
  w: World,
  what: 'google_pay' | 'apple_pay' | 'apple_pay_identity',
  given: Readonly<Record<string, string>>,
): Promise<string> {
  for (const [name, value] of Object.entries(settingsOfVault(w))) vi.stubEnv(name, value);
  // a run's own words are no settings
  for (const name of Object.keys(process.env).filter((known) => known.startsWith('FLORIN_TEST_')))
    vi.stubEnv(name, undefined);
  const lines: string[] = [];
  const says = vi.spyOn(console, 'log').mockImplementation((line: string) => void lines.push(line));
  const words = { merchant: w.account, ...given };
  try {
    await walletKeysCommand([what, ...Object.entries(words).flatMap(([name, value]) => [`--${name}`, value])]);
    return lines.join('\n');
  } finally {
    says.mockRestore();
    vi.unstubAllEnvs();
  }
}

/** Of one account: files as an operator has them. */
export function filesOf(w: World, name: string, texts: Readonly<Record<string, string>>): Record<string, string> {
  const folder = join(w.data_dir, 'apple');
  mkdirSync(folder, { recursive: true });
  return Object.fromEntries(
    Object.entries(texts).map(([part, text]) => {
      const file = join(folder, `${name}.${part}.pem`);
      writeFileSync(file, text);
      return [part, file];
    }),
  );
}

/** Everything that an account sets for Apple Pay. */
export async function setApplePay(w: World, identity: Issued, key: KeyObject): Promise<void> {
  await setWalletKeys(w, 'apple_pay', { name: MERCHANT_ID, ...filesOf(w, 'payload', { key: pemOf(key) }) });
  await setIdentity(w, identity);
}

export async function setIdentity(w: World, { cert, key }: Issued): Promise<string> {
  const files = filesOf(w, 'identity', { certificate: cert, key });
  return setWalletKeys(w, 'apple_pay_identity', { country: 'fr', ...files });
}

type Paying = { readonly number: string; readonly minor: bigint; readonly currency: string; readonly key: KeyObject };

/** What the device gives: signed by the sandbox's root, sealed for the account's key. */
export function applePayload({ number, minor, currency, key }: Paying): string {
  const message = {
    applicationPrimaryAccountNumber: number,
    applicationExpirationDate: '341231',
    currencyCode: CURRENCY_NUMBERS.get(currency),
    deviceManufacturerIdentifier: '040010030273',
    paymentDataType: '3DSecure',
    paymentData: { onlinePaymentCryptogram: randomBytes(20).toString('base64'), eciIndicator: '5' },
  };
  return makeApplePayload(`${JSON.stringify(message).slice(0, -1)},"transactionAmount":${minor}}`, {
    ...demoAppleAuthority(),
    signed_at: new Date(),
    to: createPublicKey(key),
    merchant_id: MERCHANT_ID,
    transaction_id: randomBytes(32),
  });
}
