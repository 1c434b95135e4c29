// Sends an answer as its fault says, or does not send it (faults/fault.ts). This is the last step of a call; some
// faults need the bare socket.
import type { ServerResponse } from 'node:http';
import type { Way } from '../faults/fault.ts';
import type { Reply } from './answer.ts';

export type Leaving = {
  readonly way: Way;
  readonly delay_ms: number;
  /** How long a call without an answer is held; null: until the caller gives up. */
  readonly hang_ms: number | null;
};

export const PROMPT: Leaving = { way: 'plain', delay_ms: 0, hang_ms: null };

/** This status stands for a connection that was refused. */
export const REFUSED_STATUS = 599;

export function deliver(response: ServerResponse, reply: Reply, leaving: Leaving): void {
  const { way, delay_ms } = leaving;
  if (delay_ms > 0) {
    const then = () => deliver(response, reply, { ...leaving, delay_ms: 0 });
    setTimeout(then, delay_ms).unref();
    return;
  }
  if (response.destroyed) return;
  const { socket } = response;
  switch (way) {
    case 'none':
      if (leaving.hang_ms !== null) setTimeout(() => socket?.destroy(), leaving.hang_ms).unref();
      return;
    case 'dropped':
      socket?.destroy();
      return;
    case 'reset':
      socket?.resetAndDestroy();
      return;
    case 'refused':
      return send(response, REFUSED_STATUS, '{"status":"connection refused"}');
    case 'failed':
      return send(response, 500, '{"status":"failed"}');
    case 'garbage':
      return send(response, 200, GARBAGE);
    case 'half':
      return sendHalf(response, JSON.stringify(reply.body));
    case 'twice':
      return sendTwice(response, reply);
    case 'other_amount':
    case 'other_currency':
    case 'other_reference':
      return send(response, reply.status, JSON.stringify(spoiled(reply.body, way)));
    case 'plain':
    case 'late':
      if (reply.page !== undefined)
        return void response.writeHead(reply.status, reply.page.headers).end(reply.page.html);
      return send(response, reply.status, JSON.stringify(reply.body));
  }
}

const GARBAGE = '<html><body>Bad Gateway {"status":"appr';

function send(response: ServerResponse, status: number, text: string): void {
  response
    .writeHead(status, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) })
    .end(text);
}

/** Cuts the connection in the middle of the body. */
function sendHalf(response: ServerResponse, text: string): void {
  const bytes = Buffer.from(text);
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': bytes.length });
  response.write(bytes.subarray(0, bytes.length >> 1), () => response.socket?.destroy());
}

/** Sends the whole answer twice on the same connection. */
function sendTwice(response: ServerResponse, { status, body }: Reply): void {
  const { socket } = response;
  const text = JSON.stringify(body);
  const head = `HTTP/1.1 ${status} OK\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(text)}\r\n\r\n`;
  response.shouldKeepAlive = false;
  socket?.end(`${head}${text}${head}${text}`);
}

function spoiled(body: Reply['body'], way: 'other_amount' | 'other_currency' | 'other_reference'): object {
  const { amount, currency, reference } = body;
  if (way === 'other_amount') return typeof amount === 'number' ? { ...body, amount: amount + 1 } : body;
  if (way === 'other_currency') return { ...body, currency: currency === 'USD' ? 'EUR' : 'USD' };
  return { ...body, reference: `${String(reference).slice(1)}x` };
}
