// Google, as far as a test needs it: a server of this machine that has its script and its sheet; and payloads, sealed
// for the key that a page names.
import { type KeyObject, createPublicKey, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { type IncomingHttpHeaders, type ServerResponse, createServer } from 'node:http';
import { HOUR_MS } from '../../../src/core/durations.ts';
import { listeningPort } from '../../../src/kit/listening-port.ts';
import { demoKey } from '../../../src/vault/wallet/sandbox/demo-keys.ts';
import { makeGooglePayload } from '../../../src/vault/wallet/sandbox/google-payload.ts';
import { ownPort } from '../../ports.ts';
import type { World } from '../../world.ts';
import { filesOf, newPayloadKey, setWalletKeys } from './apple.ts';

export const GOOGLE_ID = '12345678901234567890';
const SCRIPT = readFileSync(new URL('../../browser/google-pay.js', import.meta.url));
/** A sheet says what its payer does once the payer has done it. */
const SHEET = `<!doctype html><title>Google</title>${['agreed', 'left', 'failed']
  .map((word) => `<button onclick="opener.postMessage('${word}', '*')">${word}</button>`)
  .join('')}`;

export type Google = AsyncDisposable & {
  readonly url: string;
  /** The address of the frame: the vault's host under a name of its own. */
  readonly wallet_url: string;
  /** Which files were asked for, and with which headers. */
  readonly heard: { readonly url: string; readonly headers: IncomingHttpHeaders }[];
  script(response: ServerResponse): void;
  /** The operator's settings of a sandbox that takes the script from here. */
  readonly settings: Readonly<Record<string, string>>;
};

export const answerScript = (response: ServerResponse): void =>
  void response.writeHead(200, { 'content-type': 'text/javascript' }).end(SCRIPT);

export async function openGoogle(): Promise<Google> {
  const server = createServer(({ url = '', headers }, response) => {
    google.heard.push({ url, headers });
    if (url === '/gp/p/js/pay.js') google.script(response);
    else if (url === '/sheet') response.writeHead(200, { 'content-type': 'text/html' }).end(SHEET);
    else response.writeHead(404).end();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${listeningPort(server)}`;
  const port = await ownPort();
  const wallet_url = `http://localhost:${port}`;
  const google: Google = {
    url,
    wallet_url,
    heard: [],
    script: answerScript,
    settings: {
      FLORIN_VAULT_PORT: String(port),
      FLORIN_WALLET_URL: wallet_url,
      FLORIN_SANDBOX_GOOGLE_PAY_URL: url,
    },
    [Symbol.asyncDispose]: async () => {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
  return google;
}

/** Who signs these payloads, as Google's list names its root keys. */
export const DEMO_ROOT = {
  keyValue: createPublicKey(demoKey('google root')).export({ type: 'spki', format: 'der' }).toString('base64'),
  protocolVersion: 'ECv2',
};

/** Everything that an account sets for Google Pay. */
export function setGooglePay(w: World, change: Readonly<Record<string, string>> = {}): Promise<string> {
  const key = String(newPayloadKey().export({ type: 'pkcs8', format: 'pem' }));
  return setWalletKeys(w, 'google_pay', {
    name: `merchant:${GOOGLE_ID}`,
    country: 'fr',
    ...filesOf(w, 'google', { key }),
    ...change,
  });
}

/** The public half of a key, as Google wants it. */
export const pointOf = (key: KeyObject): string =>
  createPublicKey(key).export({ type: 'spki', format: 'der' }).subarray(HEAD.length).toString('base64');

/** SPKI of a point of P-256, without the point. */
const HEAD = Buffer.from('3059301306072a8648ce3d020106082a8648ce3d030107034200', 'hex');

type Paying = {
  readonly number: string;
  readonly public_key: string;
  /** The card's own number, as where the payer's device has no token of it. */
  readonly card_only?: boolean;
};

/** What the device gives: signed by the sandbox's root, sealed for the key that the page named. */
export function googlePayload({ number, public_key, card_only = false }: Paying): string {
  const ends = String(Date.now() + HOUR_MS);
  const message = {
    messageId: randomBytes(24).toString('base64'),
    messageExpiration: ends,
    paymentMethod: 'CARD',
    paymentMethodDetails: {
      pan: number,
      expirationMonth: 12,
      expirationYear: 2034,
      ...(card_only
        ? { authMethod: 'PAN_ONLY' }
        : { authMethod: 'CRYPTOGRAM_3DS', cryptogram: randomBytes(20).toString('base64'), eciIndicator: '05' }),
    },
  };
  return makeGooglePayload(JSON.stringify(message), {
    root: demoKey('google root'),
    intermediate: demoKey('google intermediate'),
    intermediate_ends: new Date(Date.now() + HOUR_MS),
    to: createPublicKey({ key: Buffer.concat([HEAD, Buffer.from(public_key, 'base64')]), type: 'spki', format: 'der' }),
    recipient_id: `merchant:${GOOGLE_ID}`,
  });
}
