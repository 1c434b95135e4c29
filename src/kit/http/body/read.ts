// Reads a request's body as bytes into a buffer of its own, and overwrites what is not needed any more: card data
// must not be left in memory that is only freed. A body that is too large is not read to its end.
import type { IncomingMessage } from 'node:http';
import type { Refusal } from '../../../core/refusals.ts';
import { privateBytes } from '../../crypto.ts';

type BodyRequest = {
  readonly limit: number;
  tooLarge(): Refusal;
  /** The caller went away, or sent fewer bytes than it said. */
  cutOff(): Error;
};

/** A request has a body where one of these headers says so (RFC 9112, 6.3): a read, as nearly every other, has none. */
export function bringsBody({ headers }: IncomingMessage): boolean {
  return Number(headers['content-length'] ?? 0) > 0 || headers['transfer-encoding'] !== undefined;
}

/** The whole body; the buffer is the reader's to overwrite (`wipe`). */
export function readBody(request: IncomingMessage, { limit, tooLarge, cutOff }: BodyRequest): Promise<Buffer> {
  const said = Number(request.headers['content-length']);
  if (said > limit) return Promise.reject(tooLarge());
  // its connection ended while the key was looked at: neither an end nor a close is still to come
  if (request.destroyed) return Promise.reject(cutOff());
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  const chunks: Buffer[] = [];
  let length = 0;
  const fail = (error: Error) => {
    stop();
    request.pause();
    for (const chunk of chunks) chunk.fill(0);
    reject(error);
  };
  const take = (chunk: Buffer) => {
    chunks.push(chunk);
    length += chunk.length;
    if (length > limit) fail(tooLarge());
  };
  const finish = () => {
    stop();
    if (said >= 0 && length !== said) return fail(cutOff());
    resolve(joined(chunks, length));
  };
  const end = () => fail(cutOff());
  const stop = () => {
    request.off('data', take).off('end', finish).off('error', end).off('close', end);
  };
  request.on('data', take).on('end', finish).on('error', end).on('close', end);
  return promise;
}

/** A chunk is a copy that the HTTP parser made for us alone: one that is the whole body stays where it is. */
function joined(chunks: readonly Buffer[], length: number): Buffer {
  const [first] = chunks;
  if (first && chunks.length === 1) return first;
  const whole = privateBytes(length);
  let at = 0;
  for (const chunk of chunks) {
    whole.set(chunk, at);
    at += chunk.length;
    chunk.fill(0);
  }
  return whole;
}

/** So much of a refused body is read, so that its sender gets to the answer; a longer body ends the connection. */
const DISCARDED_BYTES = 1024 * 1024;

/** Overwrites what still comes of a body that was refused, unread or half read. True: its connection is to end. */
export function discardBody(request: IncomingMessage): boolean {
  if (request.readableEnded || request.destroyed) return false;
  let length = 0;
  request.on('data', (chunk: Buffer) => {
    length += chunk.length;
    chunk.fill(0);
    if (length > DISCARDED_BYTES) request.socket.destroySoon();
  });
  request.resume();
  return Number(request.headers['content-length']) > DISCARDED_BYTES;
}
