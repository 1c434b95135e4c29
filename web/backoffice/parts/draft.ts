// A draft of rules beside those in force: what a person has changed and nobody else has yet.
import type { Change } from '../../../src/core/differences.ts';
import { useUnsaved } from '../base/unsaved.ts';

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

/**
 * What others publish takes the place of a draft only where nothing was changed in it. `what`: whose draft it is, under
 * which it outlasts other pages.
 */
export function useDraft<V extends { readonly version: number }, D, C extends Change>(
  { what, now }: { readonly what: string; readonly now: V },
  draftOf: (version: V) => D,
  changesOf: (before: D, after: D) => readonly C[],
): Draft<V, D, C> {
  type Drafted = { readonly base: V; readonly draft: D };
  const from = (base: V): Drafted => ({ base, draft: draftOf(base) });
  const changesIn = ({ base, draft }: Drafted) => changesOf(draftOf(base), draft);
  const [drafted, put] = useUnsaved(
    what,
    () => from(now),
    (one) => changesIn(one).length > 0,
  );
  const { base, draft } = drafted;
  const changes = changesIn(drafted);
  const newer = now.version > base.version ? now : undefined;
  const goOn = (version: V) => put(from(version));
  if (newer && changes.length === 0) goOn(newer);
  const set = (next: D) => put({ base, draft: next });
  return { base, draft, set, changes, newer, goOn, discard: () => goOn(newer ?? base) };
}
