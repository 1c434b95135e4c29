// The calling side of a link between our own hosts: which host answers is proved by its certificate, wherever it is.
// What is learnt of a call is what egress.ts says: an answer, proof that no byte of it left, or nothing.
import { checkServerIdentity } from 'node:tls';
import { type Exchange, openEgress } from '../egress.ts';
import { type Identity, PEER_NAMES, type Peer, peerOf } from '../tls/identity.ts';

export type LinkAsk = {
  readonly method: 'GET' | 'PUT' | 'DELETE';
  readonly path: string;
  /** Sent as JSON. */
  readonly body?: object;
  readonly deadline_ms: number;
};

export type LinkClient = {
  ask(asked: LinkAsk): Promise<Exchange>;
  close(): Promise<void>;
};

const CONNECT_MS = 2000;
/** Shorter than the other side keeps an idle connection (server.ts). */
const IDLE_MS = 30_000;
/** An answer of a provider, at most 256 KiB, as base64 in JSON. */
const ANSWER_BYTES = 524_288;

export function openLinkClient(url: string, identity: Identity, expected: Peer): LinkClient {
  const egress = openEgress({
    connect_ms: CONNECT_MS,
    idle_ms: IDLE_MS,
    tls: () => ({
      ...identity.current(),
      minVersion: 'TLSv1.3',
      servername: PEER_NAMES[expected],
      checkServerIdentity: (_, certificate) =>
        peerOf(certificate) === expected
          ? checkServerIdentity(PEER_NAMES[expected], certificate)
          : new Error(`the certificate of the ${expected} host has another name`),
    }),
  });
  return {
    ask: ({ method, path, body, deadline_ms }) =>
      egress.exchange({
        method,
        origin: url,
        path,
        headers: body ? { 'content-type': 'application/json' } : {},
        body: body ? Buffer.from(JSON.stringify(body)) : null,
        deadline_ms,
        max_answer_bytes: ANSWER_BYTES,
      }),
    close: () => egress.close(),
  };
}
