// Wire: notes on an order.
export type Note = {
  readonly id: string;
  /** The author's name, as it was. */
  readonly by: string;
  readonly text: string;
  readonly created_at: string;
  /** The note is the viewer's own: they may remove it. */
  readonly own: boolean;
};
/** The newest first. */
export type Notes = { readonly notes: readonly Note[] };
/** 3 to 2000 characters, no card number. */
export type NoteForm = { readonly text: string };
