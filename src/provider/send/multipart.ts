// A form with a file in it (multipart/form-data) as a wire: no slots, and each character of the template is one byte.
import type { Part, Wire } from './wire.ts';

export const multipart: Wire = { read, write };

const BYTES = /^[\u0000-\u00ff]*$/;

function read(body: readonly Part[]): readonly string[] | undefined {
  return body.every((part) => typeof part === 'string' && BYTES.test(part)) ? [] : undefined;
}

function write(body: readonly Part[]): Buffer {
  return Buffer.from(body.filter((part) => typeof part === 'string').join(''), 'latin1');
}
