// Why somebody does something: asked for where money moves or a right changes, and kept in the audit.
import { holdsCardNumber } from '../core/card.ts';
import { text } from '../core/fields.ts';
import { type Field, required } from '../core/shape.ts';

const LEAST = 3;
const MOST = 300;

/** A reason of so many characters, without the space around it. */
export function reasonOf({ least, most }: { readonly least: number; readonly most: number }): Field<string, true> {
  const any = text(most, 'many');
  return required({
    ...any,
    read: (value, name, reading) => {
      const read = any.read(value, name, reading)?.trim();
      if (read === undefined) return undefined;
      // nothing is ever taken out of the audit
      if (holdsCardNumber(read))
        return reading.refuse(name, 'holds a card number: its first six and last four digits say as much');
      return read.length < least ? reading.refuse(name, `has fewer than ${least} characters`) : read;
    },
  });
}

export const REASON = reasonOf({ least: LEAST, most: MOST });
