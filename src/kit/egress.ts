// Calls to other hosts. What was learnt is one of three: an answer, proof that no byte of the call left, or nothing.
import type { ConnectionOptions } from 'node:tls';
import { Agent, type Dispatcher, buildConnector } from 'undici';

export type Exchange =
  /** `encoding`: the body is compressed although nobody asked for that; it is given as it came. */
  | {
      readonly kind: 'answered';
      readonly status: number;
      readonly body: Buffer;
      readonly encoding?: string;
      /** Where they were asked for; names in lower case. */
      readonly headers?: Readonly<Record<string, string>>;
    }
  /** No connection was had: not one byte of this call was written. */
  | { readonly kind: 'not_sent' }
  | { readonly kind: 'unknown'; readonly why: 'timeout' | 'closed' | 'unreadable' };

export type Sending = {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly origin: string;
  /** Who is called, where one origin is several: each has connections of its own, so one that hangs takes none from another. */
  readonly pool?: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer | null;
  readonly deadline_ms: number;
  readonly max_answer_bytes: number;
  readonly with_headers?: boolean;
  /** Called once, when a connection is there and the first byte is about to be written. */
  started?(): void;
};

export type Egress = {
  exchange(sending: Sending): Promise<Exchange>;
  close(): Promise<void>;
};

export type EgressOptions = {
  /** What TLS is to trust and to show, asked for each new connection: certificates may be renewed meanwhile. */
  tls?(): ConnectionOptions;
  readonly connect_ms?: number;
  /** How long a connection may lie idle and be used again; the other side must keep it for longer. */
  readonly idle_ms?: number;
};

/** A connection idle for longer may have been closed by the other side without our knowing; it is not used again. */
const IDLE_MS = 3500;
const CONNECT_MS = 5000;

/** No redirects, no proxy from the environment, no retries of any kind. */
export function openEgress(given: EgressOptions = {}): Egress {
  const agents = new Map<string, Agent>();
  const agentOf = (pool: string) => {
    const agent = agents.get(pool) ?? newAgent(given);
    agents.set(pool, agent);
    return agent;
  };
  return {
    exchange: (sending) =>
      new Promise((resolve) => dispatch(agentOf(sending.pool ?? sending.origin), sending, resolve)),
    close: async () => {
      await Promise.all([...agents.values()].map((agent) => agent.close()));
    },
  };
}

function newAgent(given: EgressOptions): Agent {
  const { tls = () => ({}), connect_ms = CONNECT_MS, idle_ms = IDLE_MS } = given;
  return new Agent({
    keepAliveTimeout: idle_ms,
    keepAliveMaxTimeout: idle_ms,
    connections: 128,
    pipelining: 1,
    connect: (options, callback) => {
      // no session is resumed: whom we speak to is looked at each time
      const connector = buildConnector({ ...tls(), timeout: connect_ms, maxCachedSessions: 0, allowH2: false });
      connector(options, callback);
    },
  });
}

function dispatch(agent: Agent, sending: Sending, resolve: (exchange: Exchange) => void): void {
  const { method, origin, path, headers, body, deadline_ms } = sending;
  const call = new Call(sending, resolve);
  const options = { method, origin, path, headers, body, headersTimeout: deadline_ms, bodyTimeout: deadline_ms };
  agent.dispatch(options, call);
}

/** Follows one call; undici calls the methods named on…. */
class Call implements Dispatcher.DispatchHandler {
  private readonly sending: Sending;
  private readonly resolve: (exchange: Exchange) => void;
  private readonly timer: NodeJS.Timeout;
  private readonly chunks: Buffer[] = [];
  private controller: Dispatcher.DispatchController | undefined;
  private status = 0;
  private encoding: string | undefined;
  private headers: Readonly<Record<string, string>> | undefined;
  private size = 0;
  private late = false;

  constructor(sending: Sending, resolve: (exchange: Exchange) => void) {
    this.sending = sending;
    this.resolve = resolve;
    this.timer = setTimeout(() => this.giveUp(), sending.deadline_ms);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    if (this.late) return controller.abort(new Error('the deadline has passed'));
    this.controller = controller;
    this.sending.started?.();
  }

  onResponseStart(
    _: Dispatcher.DispatchController,
    status: number,
    headers: Readonly<Record<string, string | string[] | undefined>>,
  ): void {
    this.status = status;
    const encoding = String(headers['content-encoding'] ?? 'identity').toLowerCase();
    this.encoding = encoding === 'identity' ? undefined : encoding;
    if (this.sending.with_headers)
      this.headers = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.size += chunk.length;
    if (this.size > this.sending.max_answer_bytes) {
      this.finish({ kind: 'unknown', why: 'unreadable' });
      controller.abort(new Error('the answer is too large'));
    } else {
      this.chunks.push(Buffer.from(chunk));
    }
  }

  onResponseEnd(): void {
    const [only] = this.chunks;
    const body = only && this.chunks.length === 1 ? only : Buffer.concat(this.chunks);
    const { status, encoding, headers } = this;
    this.finish({ kind: 'answered', status, body, ...(encoding && { encoding }), ...(headers && { headers }) });
  }

  onResponseError(_: Dispatcher.DispatchController, error: Error): void {
    if (!this.controller) return this.finish({ kind: 'not_sent' });
    const timeout = this.late || ('code' in error && /TIMEOUT/.test(String(error.code)));
    this.finish({ kind: 'unknown', why: timeout ? 'timeout' : 'closed' });
  }

  /** Before the start: the call is refused when its turn comes, so it was never sent. */
  private giveUp(): void {
    this.late = true;
    if (this.controller) this.controller.abort(new Error('the deadline has passed'));
    this.finish(this.controller ? { kind: 'unknown', why: 'timeout' } : { kind: 'not_sent' });
  }

  private finish(exchange: Exchange): void {
    clearTimeout(this.timer);
    this.resolve(exchange);
  }
}
