// Messages to each endpoint, signed: sent at once or when a control asks for them, as often and in the order that it
// says.
import { type IncomingMessage, request } from 'node:http';
import { request as requestByTls } from 'node:https';
import { crc32 } from 'node:zlib';
import type { Event } from './books.ts';
import type { CertificateHost } from './certificates.ts';

export type Endpoint = { readonly url: string; readonly webhook_id: string };

export type Messages = {
  endpoints: Endpoint[];
  /** Until they are asked for. */
  held: boolean;
  readonly tell: (event: Event) => void;
  /** Once more, whatever became of them before. The statuses that they were answered with. */
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
      // after the answer of the call that made it
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

/** 0: it could not be sent. */
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
