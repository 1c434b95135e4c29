// Where cards may be sent, and in what form: pinned here, never taken from a request (vault.md 7). The money zone names a
// destination and a route; host, certificate, method, path, headers, the places of card data and all limits are this table's.
import { type Exchange, openEgress } from '../../kit/egress.ts';
import { type TlsPin, pinnedTls } from '../../kit/tls/pinned.ts';
import type { WireName } from './wire.ts';

export type PinnedRoute = {
  readonly method: 'POST';
  readonly path: string;
  readonly content_type: WireName;
  /** Place → slot: a JSON pointer or a form key. Slots stand exactly there; one that ends in `?` may be left out. Of a card, or `secret.NAME`. */
  readonly slots: Readonly<Record<string, string>>;
  /** Place → text that must stand there, an account at the provider above all: cards go to no other one. */
  readonly fixed: Readonly<Record<string, string>>;
  /** Members of an answer that hold the provider's own references: one that happens to pass Luhn stays as it is. */
  readonly references: readonly string[];
};

export type Destination = {
  /** Origin: no path, no credentials. */
  readonly base_url: string;
  /** Null: plain HTTP, for a simulator on loopback in a sandbox only. */
  readonly tls: TlsPin | null;
  /** Addresses its name may lead to. */
  readonly reach: 'public' | 'loopback';
  readonly routes: Readonly<Record<string, PinnedRoute>>;
  /**
   * Header → text, or `operation key`: the provider's idempotency key, or `secret.NAME`, `Bearer secret.NAME`: a credential of the
   * merchant's contract; with a `?` behind it the header is left out where it was not given.
   */
  readonly headers: Readonly<Record<string, string>>;
  /** The longest a call may take; a request may ask for less. */
  readonly deadline_ms: number;
  readonly max_body: number;
  readonly max_answer: number;
};

export type Destinations = ReadonlyMap<string, Destination>;

export const OPERATION_KEY = 'operation key';

export type TransportRequest = {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  readonly deadline_ms: number;
  /** Called when the first byte is about to be written. */
  started?(): void;
};

/**
 * Brings bytes to a destination: HTTPS here. A line that is kept open, as an ISO 8583 acquirer wants it, is another transport:
 * it too must say `not_sent` only when no byte was written, and answer `unknown` otherwise. `forward` needs no more of it than this, and of a message no more than a `Wire`.
 */
export type Transport = {
  send(destination: string, request: TransportRequest): Promise<Exchange>;
  close(): Promise<void>;
};

/** Every destination has connections of its own, which trust its certificate only. */
export function openTransport(destinations: Destinations, open: typeof openEgress = openEgress): Transport {
  const lines = new Map(
    [...destinations].map(([id, destination]) => {
      const { tls, reach } = destination;
      return [id, { destination, egress: open(tls ? { tls: () => pinnedTls(tls, reach) } : {}) }] as const;
    }),
  );
  return {
    send: async (id, request) => {
      const line = lines.get(id);
      if (!line) return { kind: 'not_sent' };
      const { base_url, max_answer } = line.destination;
      return line.egress.exchange({ ...request, method: 'POST', origin: base_url, max_answer_bytes: max_answer });
    },
    close: async () => {
      await Promise.all([...lines.values()].map(({ egress }) => egress.close()));
    },
  };
}
