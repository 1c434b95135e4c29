// What holds for people at the back office, and what its pages say of it.

/** A session ends after so long without use, and after so long in any case. */
export const SESSION = { idle_minutes: 15, longest_hours: 12 } as const;

export const LEAST_PASSWORD = 12;

type Length = { readonly least: number; readonly most: number };

/** Characters of a reason that goes into the audit. */
export const REASON_LENGTH = { least: 3, most: 300 } as const satisfies Length;

/** Characters of a note beside an order. Its table has them, too: `order_notes`. */
export const NOTE_LENGTH = { least: 3, most: 2000 } as const satisfies Length;

/** Characters of the reason with which a person says what became of an operation. */
export const RESOLUTION_LENGTH = { least: 10, most: 900 } as const satisfies Length;
