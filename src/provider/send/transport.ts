// Brings requests to the hosts of destinations. A line that is kept open, as an ISO 8583 acquirer wants it, is another transport: it
// too must say `not_sent` only when no byte was written, and answer `unknown` otherwise. Senders need no more of it than this.
import { type Egress, type Exchange, openEgress } from '../../kit/egress.ts';
import { pinnedTls } from '../../kit/tls/pinned.ts';
import type { Request } from './call.ts';
import type { Destinations } from './destinations.ts';

export type Sending = Request & {
  readonly body: Buffer | null;
  readonly deadline_ms: number;
  /** Called when the first byte is about to be written. */
  started?(): void;
};

export type Transport = {
  send(destination: string, sending: Sending): Promise<Exchange>;
  close(): Promise<void>;
};

/** Every host of a destination has connections of its own, which trust its certificate only. */
export function openTransport(destinations: Destinations, open: typeof openEgress = openEgress): Transport {
  const all: Egress[] = [];
  const lines = new Map(
    [...destinations].map(([id, { hosts, reach, max_answer }]) => {
      const opened = Object.entries(hosts).map(([name, { origin, tls }]) => {
        const egress = open(tls ? { tls: () => pinnedTls(tls, reach) } : {});
        all.push(egress);
        return [name, { egress, origin, max_answer_bytes: max_answer }] as const;
      });
      return [id, new Map(opened)] as const;
    }),
  );
  return {
    send: async (id, sending) => {
      const line = lines.get(id)?.get(sending.host);
      if (!line) return { kind: 'not_sent' };
      const { egress, origin, max_answer_bytes } = line;
      return egress.exchange({ ...sending, origin, max_answer_bytes });
    },
    close: async () => {
      await Promise.all(all.map((egress) => egress.close()));
    },
  };
}

/** A redirect is not followed and says nothing; a compressed answer was not asked for and cannot be looked through. */
export function isUnreadable({ status, encoding }: Extract<Exchange, { kind: 'answered' }>): boolean {
  return encoding !== undefined || (status >= 300 && status < 400);
}
