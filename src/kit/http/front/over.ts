// When a request is over: its answer is out, or can never go out, and no work goes on for it. Node does not tell of
// every end: an answer that waits behind another one on the same connection gets no event when that connection ends. So
// the connection is watched as well.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Only one listener for each connection, however many requests arrive on it at once. */
const OPEN = new WeakMap<Socket, Set<() => void>>();
/** `ended`: by its answer or its connection. `working`: work goes on for it. */
type Waiting = { readonly over: (() => void)[]; ended: boolean; working: boolean };
const WAITING = new WeakMap<IncomingMessage, Waiting>();

/**
 * Calls `over` exactly once: when the answer was handed to the network, or when it or its connection ended before that.
 * A caller that hangs up stops nothing (contract 2.8), so where work goes on for the request, it is over when that
 * ends.
 */
export function whenOver(request: IncomingMessage, response: ServerResponse, over: () => void): void {
  const waiting = WAITING.get(request) ?? watch(request, response);
  waiting.over.push(over);
  tell(waiting);
}

/** Runs the work for a request that is watched, which is not over before. One work at a time for each request. */
export async function workFor<T>(request: IncomingMessage, work: () => Promise<T>): Promise<T> {
  const waiting = WAITING.get(request);
  if (!waiting) return work();
  waiting.working = true;
  try {
    return await work();
  } finally {
    waiting.working = false;
    tell(waiting);
  }
}

function watch(request: IncomingMessage, response: ServerResponse): Waiting {
  const waiting: Waiting = { over: [], ended: false, working: false };
  WAITING.set(request, waiting);
  const requests = requestsOf(request.socket);
  const end = () => {
    if (!requests.delete(end)) return;
    waiting.ended = true;
    tell(waiting);
  };
  requests.add(end);
  response.on('finish', end).on('close', end);
  if (request.socket.closed) end();
  return waiting;
}

function tell({ over, ended, working }: Waiting): void {
  if (ended && !working) for (const one of over.splice(0)) one();
}

function requestsOf(socket: Socket): Set<() => void> {
  const known = OPEN.get(socket);
  if (known) return known;
  const requests = new Set<() => void>();
  OPEN.set(socket, requests);
  socket.once('close', () => {
    for (const end of requests) end();
  });
  return requests;
}
