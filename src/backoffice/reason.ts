// Why somebody does something: asked for where money moves or a right changes, and kept in the audit.
import { holdsCardNumber } from '../core/card.ts';
import { text } from '../core/fields.ts';
import { type Field, required } from '../core/shape.ts';

const LEAST = 3;
const MOST = 300;

/** The same without a card number: where a person has a card at hand, it ends up in the nearest field. */
export function withoutCard(any: Field<string, false>): Field<string, false> {
  return {
    ...any,
    read: (value, name, reading) => {
      const read = any.read(value, name, reading);
      return read !== undefined && holdsCardNumber(read)
        ? reading.refuse(name, 'holds a card number: its first six and last four digits say as much')
        : read;
    },
  };
}

/** A reason of so many characters, without the space around it. */
export function reasonOf({ least, most }: { readonly least: number; readonly most: number }): Field<string, true> {
  // nothing is ever taken out of the audit
  const any = withoutCard(text(most, 'many'));
  return required({
    ...any,
    read: (value, name, reading) => {
      const read = any.read(value, name, reading)?.trim();
      if (read === undefined) return undefined;
      return read.length < least ? reading.refuse(name, `has fewer than ${least} characters`) : read;
    },
  });
}

export const REASON = reasonOf({ least: LEAST, most: MOST });
