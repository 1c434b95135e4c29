// Calls to other hosts. What was learnt is one of three: an answer, proof that no byte of the call left, or nothing.
import { Agent, type Dispatcher } from 'undici';

export type Exchange =
  | { readonly kind: 'answered'; readonly status: number; readonly body: Buffer }
  /** No connection was had: not one byte of this call was written. */
  | { readonly kind: 'not_sent' }
  | { readonly kind: 'unknown'; readonly why: 'timeout' | 'closed' | 'unreadable' };

export type Sending = {
  readonly method: 'GET' | 'POST';
  readonly origin: string;
  /** Who is called, where one origin is several: each has connections of its own, so one that hangs takes none from another. */
  readonly pool?: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer | null;
  readonly deadline_ms: number;
  readonly max_answer_bytes: number;
  /** Called once, when a connection is there and the first byte is about to be written. */
  started?(): void;
};

export type Egress = {
  exchange(sending: Sending): Promise<Exchange>;
  close(): Promise<void>;
};

/** A connection idle for longer may have been closed by the other side without our knowing; it is not used again. */
const IDLE_MS = 3500;

/** No redirects, no proxy from the environment, no retries of any kind. */
export function openEgress(): Egress {
  const agents = new Map<string, Agent>();
  const agentOf = (pool: string) => {
    const agent = agents.get(pool) ?? newAgent();
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

function newAgent(): Agent {
  return new Agent({
    keepAliveTimeout: IDLE_MS,
    keepAliveMaxTimeout: IDLE_MS,
    connections: 128,
    pipelining: 1,
    connect: { timeout: 5000 },
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

  onResponseStart(_: Dispatcher.DispatchController, status: number): void {
    this.status = status;
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
    this.finish({ kind: 'answered', status: this.status, body });
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
