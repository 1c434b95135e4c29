// Brings requests to the hosts of destinations: over HTTPS, or over lines that are kept open, which are connected as
// soon as the process starts. Both say `not_sent` only when no byte was written, and `unknown` where no answer came.
import type { Clock } from '../../kit/clock.ts';
import { type Egress, type Exchange, openEgress } from '../../kit/egress.ts';
import { openSocket } from '../../kit/line-socket.ts';
import type { Log } from '../../kit/log.ts';
import { pinnedTls } from '../../kit/tls/pinned.ts';
import { withAccess } from './access.ts';
import type { HttpRequest, LineRequest, Request } from './call.ts';
import type { Destination, Destinations, HttpHost, LineHost } from './destinations.ts';
import { type LineDestination, openLines } from './iso8583/lines.ts';
import { DIALECTS } from './line-message.ts';

export type Body = {
  readonly body: Buffer | null;
  readonly deadline_ms: number;
  /** How long it may wait for its connection, where that is less than usual. */
  readonly begin_ms?: number;
  /** Called when the first byte is about to be written. */
  started?(): void;
};

export type Sending = Request & Body;

export type Transport = {
  send(destination: string, sending: Sending): Promise<Exchange>;
  close(): Promise<void>;
};

type Tools = { readonly clock: Clock; readonly log: Log; readonly egress?: typeof openEgress };

const NOT_SENT: Exchange = { kind: 'not_sent' };

export function openTransport(destinations: Destinations, tools: Tools): Transport {
  const requests = withAccess(overHttps(destinations, tools.egress ?? openEgress), tools);
  const messages = overLines(destinations, tools);
  return {
    send: (id, sending) => ('line' in sending ? messages.send(id, sending) : requests.send(id, sending)),
    close: async () => {
      await Promise.all([requests.close(), messages.close()]);
    },
  };
}

export type Over<R> = Pick<Transport, 'close'> & { send(destination: string, sending: R & Body): Promise<Exchange> };

/** Every host of a destination has connections of its own, which trust its certificate only. */
function overHttps(destinations: Destinations, open: typeof openEgress): Over<HttpRequest> {
  const hosts = new Map<string, { readonly egress: Egress; readonly origin: string; readonly max_answer: number }>();
  for (const [id, { reach, max_answer, ...destination }] of destinations)
    for (const [name, host] of Object.entries(destination.hosts)) {
      if ('lines' in host) continue;
      const { origin, tls }: HttpHost = host;
      const egress = open(tls ? { tls: () => pinnedTls(tls, reach) } : {});
      hosts.set(nameOf(id, name), { egress, origin, max_answer });
    }
  return {
    send: async (id, sending) => {
      const host = hosts.get(nameOf(id, sending.host));
      if (!host) return NOT_SENT;
      return host.egress.exchange({ ...sending, origin: host.origin, max_answer_bytes: host.max_answer });
    },
    close: async () => {
      await Promise.all([...hosts.values()].map(({ egress }) => egress.close()));
    },
  };
}

const CONNECT_MS = 5000;

function overLines(destinations: Destinations, { clock, log }: Tools): Over<LineRequest> {
  const hosts = new Map<string, LineHost & Pick<Destination, 'reach'>>();
  const to = new Map<string, LineDestination>();
  for (const [id, { reach, table, ...destination }] of destinations)
    for (const step of Object.values(table.steps)) {
      const host = destination.hosts[step.host];
      if (!host || !('lines' in host) || !('line' in step)) continue;
      const name = nameOf(id, step.host);
      hosts.set(name, { ...host, reach });
      to.set(name, { addresses: host.lines, dialect: DIALECTS[step.line] });
    }
  const lines = openLines(to, {
    clock,
    log,
    connect: ({ destination, host, port }, events) => {
      const { tls = null, reach = 'loopback' } = hosts.get(destination) ?? {};
      // a line that is leased leads to no public address; its certificate says where it leads
      const target = { host, port, tls, reach: reach === 'public' ? 'any' : reach, connect_ms: CONNECT_MS } as const;
      return openSocket(target, events);
    },
  });
  return {
    send: async (id, { host, body, ...request }) =>
      body === null ? NOT_SENT : lines.send(nameOf(id, host), { ...request, body }),
    close: () => lines.close(),
  };
}

const nameOf = (destination: string, host: string) => `${destination} ${host}`;

/** A redirect is not followed and says nothing; a compressed answer was not asked for and cannot be looked through. */
export function isUnreadable({ status, encoding }: Extract<Exchange, { kind: 'answered' }>): boolean {
  return encoding !== undefined || (status >= 300 && status < 400);
}
