// Calls to other hosts. What was learnt is one of three: an answer, proof that no byte of the body left, or nothing.
import { Readable } from 'node:stream';
import { Agent } from 'undici';

export type Exchange =
  | { readonly kind: 'answered'; readonly status: number; readonly body: Buffer }
  /** The body was never asked for: without a complete body nobody can act on the call. */
  | { readonly kind: 'not_sent' }
  | { readonly kind: 'unknown'; readonly why: 'timeout' | 'closed' | 'unreadable' };

export type Sending = {
  readonly method: 'GET' | 'POST';
  readonly origin: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Asked for when a connection is there; `length` must be its exact size. */
  readonly body: { readonly length: number; write(): Buffer } | undefined;
  readonly deadline_ms: number;
  readonly max_answer_bytes: number;
};

export type Egress = {
  exchange(sending: Sending): Promise<Exchange>;
  close(): Promise<void>;
};

/** A connection idle for longer may have been closed by the other side without our knowing; it is not used again. */
const IDLE_MS = 3500;

/** No redirects, no proxy from the environment, no retries of any kind. */
export function openEgress(): Egress {
  const agent = new Agent({
    keepAliveTimeout: IDLE_MS,
    keepAliveMaxTimeout: IDLE_MS,
    connections: 128,
    pipelining: 1,
    connect: { timeout: 5000 },
  });
  return { exchange: (sending) => exchange(agent, sending), close: () => agent.close() };
}

async function exchange(
  agent: Agent,
  { method, origin, path, headers, body, deadline_ms, max_answer_bytes }: Sending,
): Promise<Exchange> {
  let asked = false;
  function* written() {
    asked = true;
    if (body) yield body.write();
  }
  const signal = AbortSignal.timeout(deadline_ms);
  try {
    const answer = await agent.request({
      method,
      origin,
      path,
      headers: body ? { ...headers, 'content-length': String(body.length) } : headers,
      body: body ? Readable.from(written(), { objectMode: false }) : null,
      signal,
      headersTimeout: deadline_ms,
      bodyTimeout: deadline_ms,
    });
    const chunks: Buffer[] = [];
    let size = 0;
    for await (const chunk of answer.body) {
      if (!Buffer.isBuffer(chunk)) continue;
      size += chunk.length;
      if (size > max_answer_bytes) return { kind: 'unknown', why: 'unreadable' };
      chunks.push(chunk);
    }
    return { kind: 'answered', status: answer.statusCode, body: Buffer.concat(chunks) };
  } catch (error) {
    if (body && !asked) return { kind: 'not_sent' };
    return { kind: 'unknown', why: signal.aborted || isTimeout(error) ? 'timeout' : 'closed' };
  }
}

function isTimeout(error: unknown): boolean {
  return error instanceof Error && 'code' in error && /TIMEOUT/.test(String(error.code));
}
