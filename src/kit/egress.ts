// Calls to other hosts. What was learnt is one of three: an answer, proof that no byte of the call left, or nothing.
import { isIP } from 'node:net';
import type { ConnectionOptions } from 'node:tls';
import { Agent, type Dispatcher, buildConnector } from 'undici';

export type Exchange =
  /** `encoding`: the body is compressed although the request did not allow that; it is given as it came. */
  | {
      readonly kind: 'answered';
      readonly status: number;
      readonly body: Buffer;
      readonly encoding?: string;
      readonly retry_after?: string;
      /** Where they were asked for; names in lower case. */
      readonly headers?: Readonly<Record<string, string>>;
    }
  /** No connection was had: not one byte of this call was written. `refused`: we may not connect to where it leads. */
  | { readonly kind: 'not_sent'; readonly refused?: true }
  | { readonly kind: 'unknown'; readonly why: 'timeout' | 'closed' | 'unreadable' };

export type Sending = {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly origin: string;
  /**
   * Who is called, where one origin is several: each has connections of its own, so one that hangs takes none from
   * another.
   */
  readonly pool?: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer | null;
  readonly deadline_ms: number;
  /** How long it may wait for a connection; at most, and where it is absent, BEGIN_MS. */
  readonly begin_ms?: number;
  readonly max_answer_bytes: number;
  /** The status is what matters: an answer that is too long, or never ends, is cut off and counts. */
  readonly status_is_enough?: true;
  readonly with_headers?: boolean;
  /** Called once, when a connection is there and the first byte is about to be written. */
  started?(): void;
};

export type Egress = {
  exchange(sending: Sending): Promise<Exchange>;
  close(): Promise<void>;
  /** Closes, and breaks off what is under way. */
  destroy(): Promise<void>;
};

export type EgressOptions = {
  /** What TLS is to trust and to show, asked for each new connection: certificates may have been renewed. */
  tls?(): ConnectionOptions;
  readonly connect_ms?: number;
  /** How long a connection may lie idle and be used again; the other side must keep it for longer. */
  readonly idle_ms?: number;
  /** Connections to one pool. */
  readonly connections?: number;
  /** Chooses the address to connect to; throws TargetRefused where we may not. Absent: whatever the name leads to. */
  choose?(origin: { readonly protocol: string; readonly hostname: string; readonly port: string }): Promise<string>;
  /** Looked at when a connection is there, before a byte is written; throws TargetRefused. */
  checkPeer?(address: string | undefined): void;
};

/** Where a call may not go. */
export class TargetRefused extends Error {}

/** A connection idle for longer may have been closed by the other side without our knowing; it is not used again. */
const IDLE_MS = 3500;
const CONNECT_MS = 5000;
const MOST_POOLS = 1000;
/**
 * To connect, and as long again as a call may be late that was recorded before (decision 173): what begins later could
 * arrive when the others have long counted it as lost.
 */
export const BEGIN_MS = 8000;

/** No redirects, no proxy from the environment, no retries of any kind. */
export function openEgress(given: EgressOptions = {}): Egress {
  const agents = new Map<string, Agent>();
  const agentOf = (pool: string) => {
    const agent = agents.get(pool) ?? newAgent(given);
    agents.delete(pool);
    agents.set(pool, agent);
    const [longest_unused] = agents.keys();
    if (agents.size > MOST_POOLS && longest_unused !== undefined) {
      // it ends when its calls have ended
      void agents.get(longest_unused)?.close();
      agents.delete(longest_unused);
    }
    return agent;
  };
  return {
    exchange: (sending) =>
      new Promise((resolve) => dispatch(agentOf(sending.pool ?? sending.origin), sending, resolve)),
    close: async () => {
      await Promise.all([...agents.values()].map((agent) => agent.close()));
    },
    destroy: async () => {
      await Promise.all([...agents.values()].map((agent) => agent.destroy()));
    },
  };
}

function newAgent(given: EgressOptions): Agent {
  const { tls = () => ({}), connect_ms = CONNECT_MS, idle_ms = IDLE_MS, connections = 128 } = given;
  return new Agent({
    keepAliveTimeout: idle_ms,
    keepAliveMaxTimeout: idle_ms,
    connections,
    pipelining: 1,
    connect: (options, callback) => {
      // no session is resumed: whom we speak to is looked at each time
      const connector = buildConnector({ ...tls(), timeout: connect_ms, maxCachedSessions: 0, allowH2: false });
      if (given.choose) void connectChosen(given, { connector, options, callback });
      else connector(options, callback);
    },
  });
}

type Connecting = {
  readonly connector: buildConnector.connector;
  readonly options: buildConnector.Options;
  readonly callback: buildConnector.Callback;
};

/**
 * The address is chosen first and connected to as it is, under the name: nothing is resolved a second time in between.
 */
async function connectChosen(given: EgressOptions, { connector, options, callback }: Connecting): Promise<void> {
  try {
    const hostname = await given.choose?.(options);
    if (hostname === undefined) throw new TargetRefused('no address was chosen');
    const servername = isIP(options.hostname.replace(/^\[|\]$/g, '')) === 0 ? options.hostname : undefined;
    connector({ ...options, hostname, ...(servername !== undefined && { servername }) }, (...reached) => {
      const [error, socket] = reached;
      if (error) return callback(error, null);
      try {
        given.checkPeer?.(socket.remoteAddress);
        callback(null, socket);
      } catch (refused) {
        socket.destroy();
        callback(asError(refused), null);
      }
    });
  } catch (error) {
    callback(asError(error), null);
  }
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
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
  private readonly from = performance.now();
  private readonly begin_ms: number;
  private timer: NodeJS.Timeout;
  private readonly chunks: Buffer[] = [];
  private controller: Dispatcher.DispatchController | undefined;
  private status = 0;
  private encoding: string | undefined;
  private retry_after: string | undefined;
  private headers: Readonly<Record<string, string>> | undefined;
  private size = 0;
  private late = false;

  constructor(sending: Sending, resolve: (exchange: Exchange) => void) {
    this.sending = sending;
    this.begin_ms = Math.min(sending.begin_ms ?? BEGIN_MS, BEGIN_MS, sending.deadline_ms);
    this.resolve = resolve;
    this.timer = setTimeout(() => this.giveUp(), this.begin_ms);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    const waited_ms = performance.now() - this.from;
    // the clock is asked, not the timer alone: a process that stood still may hear of its connection first
    if (this.late || waited_ms > this.begin_ms) return controller.abort(new Error('its time to begin has passed'));
    this.controller = controller;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.giveUp(), Math.max(0, this.sending.deadline_ms - waited_ms));
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
    this.retry_after = headers['retry-after']?.toString();
    if (this.sending.with_headers)
      this.headers = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.size += chunk.length;
    if (this.size > this.sending.max_answer_bytes) {
      this.finish(this.cutOff() ?? { kind: 'unknown', why: 'unreadable' });
      controller.abort(new Error('the answer is too large'));
    } else {
      this.chunks.push(Buffer.from(chunk));
    }
  }

  onResponseEnd(): void {
    const [only] = this.chunks;
    const body = only && this.chunks.length === 1 ? only : Buffer.concat(this.chunks);
    this.finish(this.answered(body));
  }

  private answered(body: Buffer): Exchange {
    const { status, encoding, retry_after, headers } = this;
    const more = { ...(encoding && { encoding }), ...(retry_after && { retry_after }), ...(headers && { headers }) };
    return { kind: 'answered', status, body, ...more };
  }

  /** What counts of an answer that did not come to its end. */
  private cutOff(): Exchange | undefined {
    return this.sending.status_is_enough && this.status > 0 ? this.answered(Buffer.alloc(0)) : undefined;
  }

  onResponseError(_: Dispatcher.DispatchController, error: Error): void {
    if (!this.controller)
      return this.finish({ kind: 'not_sent', ...(error instanceof TargetRefused && { refused: true }) });
    const cut_off = this.cutOff();
    if (cut_off) return this.finish(cut_off);
    const timeout = this.late || ('code' in error && /TIMEOUT/.test(String(error.code)));
    this.finish({ kind: 'unknown', why: timeout ? 'timeout' : 'closed' });
  }

  /** Before the start: the call is refused when its turn comes, so it was never sent. */
  private giveUp(): void {
    this.late = true;
    if (this.controller) this.controller.abort(new Error('the deadline has passed'));
    const unknown = { kind: 'unknown', why: 'timeout' } as const;
    this.finish(this.controller ? (this.cutOff() ?? unknown) : { kind: 'not_sent' });
  }

  private finish(exchange: Exchange): void {
    clearTimeout(this.timer);
    this.resolve(exchange);
  }
}
