// The reason that a person gives for an action: required where money moves or a right changes, and kept in the audit.
import { text, withoutCard } from '../core/fields.ts';
import { REASON_LENGTH } from '../core/people/limits.ts';
import { type Field, required } from '../core/shape.ts';

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

export const REASON = reasonOf(REASON_LENGTH);
