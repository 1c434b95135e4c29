// The product, broken on purpose. A patch that no longer fits ends the gate: then its mutant is to be written anew.
import type { FaultPlan } from '../faults.ts';
import type { StoryName } from '../stories.ts';
import type { Patch } from '../tree.ts';
import { AUTHORIZATION_MUTANTS } from './authorization.ts';
import { COMMIT_MUTANTS } from './commit.ts';
import { CONTRADICTION_MUTANTS } from './contradiction.ts';
import { GUARD_MUTANTS } from './guard.ts';

export type Mutant = {
  readonly name: string;
  readonly says: string;
  readonly patches: readonly Patch[];
  /** `held_by`: the constraints or triggers of which one must refuse it, and then the books are right. */
  readonly expect: 'caught' | { readonly held_by: readonly string[] };
  /** How its run differs: what brings it to light quickest. */
  readonly stories?: readonly StoryName[];
  readonly deadline_s?: number;
  readonly faults?: Partial<FaultPlan>;
};

export const MUTANTS: readonly Mutant[] = [
  ...AUTHORIZATION_MUTANTS,
  ...COMMIT_MUTANTS,
  ...CONTRADICTION_MUTANTS,
  ...GUARD_MUTANTS,
];
