// Why somebody does something: asked for where money moves or a right changes, and kept in the audit.
import { text } from '../core/fields.ts';
import { type Field, required } from '../core/shape.ts';

const LEAST = 3;
const any = text(300, 'many');

const reason: Field<string> = {
  ...any,
  read: (value, name, reading) => {
    const read = any.read(value, name, reading)?.trim();
    return read !== undefined && read.length < LEAST
      ? reading.refuse(name, `has fewer than ${LEAST} characters`)
      : read;
  },
};

export const REASON = required(reason);
