// Signed messages to each endpoint. They are sent at once, or when a control asks for them: as often and in the order
// that it says.
import { type IncomingMessage, request } from 'node:http';
import { request as requestByTls } from 'node:https';
import { crc32 } from 'node:zlib';
import type { Event } from './books.ts';
import type { CertificateHost } from './certificates.ts';

export type Endpoint = { readonly url: string; readonly webhook_id: string };

export type Messages = {
  endpoints: Endpoint[];
  /** True: messages wait until a control asks for them. */
  held: boolean;
  readonly tell: (event: Event) => void;
  /** Sends these events, whether or not they were sent before. Returns the statuses of the answers. */
  readonly deliver: (events: readonly Event[]) => Promise<readonly number[]>;
  /** The headers of one transmission. */
  readonly headersOf: (text: string, webhook_id: string) => Readonly<Record<string, string>>;
};

type Signing = Pick<CertificateHost, 'sign' | 'cert_url'>;

type Tools = { readonly now_ms: () => number; readonly id: () => string };

export function openMessages({ now_ms, id: newId }: Tools, { sign, cert_url }: Signing): Messages {
  const messages: Messages = {
    endpoints: [],
    held: false,
    tell: (event) => {
      // setImmediate: the answer of the call that made the event is sent first
      if (!messages.held) setImmediate(() => void messages.deliver([event]));
    },
    deliver: async (events) => {
      const statuses: number[] = [];
      for (const event of events)
        for (const { url, webhook_id } of messages.endpoints) {
          const status = await post(url, event.text, messages.headersOf(event.text, webhook_id));
          if (status >= 200 && status < 300) event.told = true;
          statuses.push(status);
        }
      return statuses;
    },
    // https://developer.paypal.com/api/rest/webhooks/rest/#link-verifywebhooksignature
    headersOf: (text, webhook_id) => {
      const [id, time] = [newId(), new Date(now_ms()).toISOString()];
      return {
        'paypal-transmission-id': id,
        'paypal-transmission-time': time,
        'paypal-transmission-sig': sign(`${id}|${time}|${webhook_id}|${crc32(text)}`),
        'paypal-cert-url': cert_url,
        'paypal-auth-algo': 'SHA256withRSA',
      };
    },
  };
  return messages;
}

const PATIENCE_MS = 10_000;

/** The status of the answer; 0 if the message could not be sent. */
function post(url: string, text: string, signed: Readonly<Record<string, string>>): Promise<number> {
  const { promise, resolve } = Promise.withResolvers<number>();
  const headers = { ...signed, 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) };
  const heard = (response: IncomingMessage) => {
    response.resume();
    response.on('end', () => resolve(response.statusCode ?? 0)).on('error', () => resolve(0));
  };
  const by = url.startsWith('https:') ? requestByTls : request;
  const call = by(url, { method: 'POST', headers, agent: false, timeout: PATIENCE_MS }, heard);
  call.on('timeout', () => call.destroy()).on('error', () => resolve(0));
  call.end(text);
  return promise;
}
