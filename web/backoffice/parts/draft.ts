// A draft of rules beside those in force: what a person has changed and nobody else has yet.
import { useState } from 'react';
import type { Change } from '../../../src/core/differences.ts';

type Draft<V, D, C> = {
  /** The version that the draft was made from. */
  readonly base: V;
  readonly draft: D;
  readonly set: (draft: D) => void;
  readonly changes: readonly C[];
  /** A later version; the draft can be published from that one alone. */
  readonly newer: V | undefined;
  /** Goes on from a version, without the draft. */
  readonly goOn: (from: V) => void;
  readonly discard: () => void;
};

/** What others publish takes the place of a draft only where nothing was changed in it. */
export function useDraft<V extends { readonly version: number }, D, C extends Change>(
  now: V,
  draftOf: (version: V) => D,
  changesOf: (before: D, after: D) => readonly C[],
): Draft<V, D, C> {
  const [base, setBase] = useState(now);
  const [draft, set] = useState<D>(() => draftOf(now));
  const changes = changesOf(draftOf(base), draft);
  const newer = now.version > base.version ? now : undefined;
  const goOn = (from: V) => {
    setBase(from);
    set(() => draftOf(from));
  };
  if (newer && changes.length === 0) goOn(newer);
  return { base, draft, set: (next) => set(() => next), changes, newer, goOn, discard: () => goOn(newer ?? base) };
}
