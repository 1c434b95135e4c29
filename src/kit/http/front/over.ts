// When a request is over: its answer is out, or can never go out, and no work goes on for it. Node does not tell of
// every end: an answer that waits behind another one on the same connection gets no event when that connection ends. So
// the connection is watched as well.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** One listener for each connection, however many requests are sent on it at once. */
const OPEN = new WeakMap<Socket, Set<() => void>>();
/** What is to be called when the work for a request ends; there is an entry only while it goes on. */
const WORK = new WeakMap<IncomingMessage, (() => void)[]>();

/**
 * Calls `over` exactly once: when the answer was handed to the network, or when it or its connection ended before that.
 * A caller that hangs up stops nothing (contract 2.8), so where work goes on for the request, it is over when that
 * ends.
 */
export function whenOver(request: IncomingMessage, response: ServerResponse, over: () => void): void {
  const requests = requestsOf(request.socket);
  const end = () => {
    if (!requests.delete(end)) return;
    response.off('finish', end).off('close', end);
    const work = WORK.get(request);
    if (work) work.push(over);
    else over();
  };
  requests.add(end);
  response.on('finish', end).on('close', end);
  if (request.socket.closed) end();
}

/** Runs the work for a request, which is not over before. One work at a time for each request. */
export async function workFor<T>(request: IncomingMessage, work: () => Promise<T>): Promise<T> {
  const ends: (() => void)[] = [];
  WORK.set(request, ends);
  try {
    return await work();
  } finally {
    WORK.delete(request);
    for (const over of ends) over();
  }
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
