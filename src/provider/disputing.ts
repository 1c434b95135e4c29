// How a provider takes answers to disputes, where it takes them: what it knows of our evidence as data, and pure
// functions as for any other operation. An answer is a walk of steps of the provider's own table: a look, files one by
// one, and what counts, once.
import type { FileField, FileType, TextField, Texts } from '../core/dispute/evidence.ts';
import type { Answer, Kept, Written } from './contract.ts';

export type DisputeFile = {
  readonly field: FileField;
  readonly name: string;
  readonly type: FileType;
  readonly content: Uint8Array;
};

/** One answer. `submit`: the evidence as it is now. `accept`: the payer is right, and nothing is said against it. */
export type DisputeAsk = {
  readonly kind: 'submit' | 'accept';
  readonly merchant_account_id: string;
  /** The provider's own id of the dispute. */
  readonly reference: string;
  readonly texts: Texts;
  /** Without their bytes, but for those that the step is about to send. */
  readonly files: readonly (Omit<DisputeFile, 'content'> & { readonly content?: Uint8Array })[];
};

export type DisputeReading =
  /** Go on: what is kept is committed before the next step is sent. */
  | { readonly kind: 'next'; readonly keep: Kept }
  /** The provider has the answer. */
  | { readonly kind: 'taken' }
  /** The provider refused, in its own words, and nothing happened. A refused look says nothing of what was sent. */
  | { readonly kind: 'refused'; readonly text: string }
  /** Nothing is known of what was sent: it is looked up. */
  | { readonly kind: 'unknown' };

/** `sent`: what counts was sent before, so a look says whether it was taken. */
export type DisputeAbout = { readonly ask: DisputeAsk; readonly kept: Kept; readonly sent: boolean };

export type Disputing = {
  /** Our names of the evidence that it takes; other fields are not offered. */
  readonly texts: readonly TextField[];
  readonly files: readonly FileField[];
  readonly types: readonly FileType[];
  /** Characters of all texts together, and bytes of all files. */
  readonly most_text: number;
  readonly most_file_bytes: number;
  /** The last steps of a walk: nothing before them counts, and such a step is sent once. */
  readonly counts: readonly string[];
  /** Asked where `counts` was sent and nothing came back. */
  readonly look: string;
  /** The step that comes next, by what earlier ones kept. */
  step(ask: DisputeAsk, kept: Kept): string;
  /** The files whose bytes a step sends. */
  sends(step: string, ask: DisputeAsk, kept: Kept): readonly FileField[];
  /** Undefined: the provider cannot express it. */
  write(step: string, ask: DisputeAsk, kept: Kept): Written | undefined;
  /** Never throws. */
  read(step: string, answer: Answer, about: DisputeAbout): DisputeReading;
};
