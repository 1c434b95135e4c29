// Overwrites what Node keeps of a body that is not read: read.ts overwrites what it reads, but some requests never
// reach it, or reach it too late.
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { bringsBody } from './read.ts';

export function overwriteLeft(server: Server): void {
  server.prependListener('request', overwriteUnread);
  // an expectation that is not known may be left alone (RFC 9110, 10.1.1): Node's own 417 would have no body that says
  // what is wrong, and would let what was sent lie where it came
  server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) =>
    server.emit('request', request, response),
  );
  // bytes that are no request are copied for the listener of the error, with all that came before them in one read
  server.on('clientError', (error) => {
    if ('rawPacket' in error && Buffer.isBuffer(error.rawPacket)) error.rawPacket.fill(0);
  });
}

/** The caller went away before the body was asked for: while its key was looked at. */
function overwriteUnread(request: IncomingMessage): void {
  if (!bringsBody(request)) return;
  request.on('close', () => {
    if (request.readableEnded) return;
    // flowing, what is read are the pieces themselves; else it would be a copy of all of them
    request.resume();
    for (let piece: unknown = request.read(); piece !== null; piece = request.read())
      if (Buffer.isBuffer(piece)) piece.fill(0);
  });
}
