// Signed messages to each endpoint. They are sent at once, or when a control asks for them: as often and in the order
// that it says.
import { createHmac } from 'node:crypto';
import { type IncomingMessage, request } from 'node:http';
import { request as requestByTls } from 'node:https';
import type { Event } from './books.ts';

export type Endpoint = {
  readonly url: string;
  /** Two secrets while one replaces the other: both sign. */
  readonly secrets: readonly string[];
  /** Only events of this account are sent; absent: events of all accounts. */
  readonly account?: string;
};

export type Messages = {
  endpoints: Endpoint[];
  /** True: messages wait until a control asks for them. */
  held: boolean;
  /** Events that no receiver has accepted yet, oldest first. */
  readonly waiting: Event[];
  readonly tell: (event: Event) => void;
  /** Sends these events, whether or not they were sent before. Returns the statuses of the answers. */
  readonly deliver: (events: readonly Event[]) => Promise<readonly number[]>;
};

const MOST_WAITING = 10_000;

export function openMessages(now_s: () => number): Messages {
  const messages: Messages = {
    endpoints: [],
    held: false,
    waiting: [],
    tell: (event) => {
      messages.waiting.push(event);
      if (messages.waiting.length > MOST_WAITING) messages.waiting.shift();
      // setImmediate: the answer of the call that made the event is sent first
      if (!messages.held) setImmediate(() => void messages.deliver([event]));
    },
    deliver: async (events) => {
      const statuses: number[] = [];
      for (const event of events) {
        const to = messages.endpoints.filter(({ account }) => (account ?? event.account) === event.account);
        for (const endpoint of to) statuses.push(await post(endpoint, event, now_s()));
        const taken = to.length > 0 && statuses.slice(-to.length).every((status) => status >= 200 && status < 300);
        const place = messages.waiting.indexOf(event);
        if (taken) event.told = true;
        if (taken && place >= 0) messages.waiting.splice(place, 1);
      }
      return statuses;
    },
  };
  return messages;
}

/** https://docs.stripe.com/webhooks#verify-manually; `v0` is a signature of an old scheme, which proves nothing. */
export function signatureOf(text: string, secrets: readonly string[], at_s: number): string {
  const signed = secrets.map((secret) => `v1=${createHmac('sha256', secret).update(`${at_s}.${text}`).digest('hex')}`);
  return [`t=${at_s}`, ...signed, `v0=${'0'.repeat(64)}`].join(',');
}

const PATIENCE_MS = 10_000;

/** The status of the answer; 0 if the message could not be sent. */
function post({ url, secrets }: Endpoint, { text }: Event, at_s: number): Promise<number> {
  return new Promise((resolve) => {
    const headers = {
      'content-type': 'application/json; charset=utf-8',
      'content-length': Buffer.byteLength(text),
      'stripe-signature': signatureOf(text, secrets, at_s),
      'user-agent': 'Stripe/1.0 (simulated)',
    };
    const heard = (response: IncomingMessage) => {
      response.resume();
      response.on('end', () => resolve(response.statusCode ?? 0)).on('error', () => resolve(0));
    };
    const by = url.startsWith('https:') ? requestByTls : request;
    const call = by(url, { method: 'POST', headers, agent: false, timeout: PATIENCE_MS }, heard);
    call.on('timeout', () => call.destroy()).on('error', () => resolve(0));
    call.end(text);
  });
}
